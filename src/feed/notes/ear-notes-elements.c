/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-builder.h"

#include "ear-address.h"
#include "ear-notes-links.h"
#include "ear-text-line.h"

#include <string.h>

/* The effect of HTML elements on show notes. */

/* Limit for the description of a picture, in bytes */
#define MAX_DESCRIPTION 1000

#define MAX_LISTS 12

/* Detail of elements of which only the links are shown */
#define FALLBACK 1

/* Counts the open elements of a kind. */
static void
count (guint *open, gboolean is_start)
{
  if (is_start)
    (*open)++;
  else if (*open > 0)
    (*open)--;
}

static void
do_block (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_paragraph (self);
}

static void
do_table (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  count (&self->tables, is_start);
}

/* Makes the rows of a table lines of one paragraph. */
static void
do_row (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (!is_start)
    return;
  self->cell_waiting = FALSE;
  if (self->tables == 0)
    ear_notes_builder_end_paragraph (self);
  else if (self->size > 0 && !self->at_line_start)
    ear_notes_builder_add_break (self);
  self->paragraph_waiting = FALSE;
  self->cell_start = self->size;
}

/* Joins the cells of a row by a separator, except empty ones. End tags may be missing. */
static void
do_cell (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (is_start)
    self->cell_waiting = TRUE;
}

static void
do_break (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_add_break (self);
}

static void
do_heading (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  self->heading = is_start ? detail : 0;
}

/* Returns: the number of the first item, or 0 for bullets */
static guint
read_first_number (EarHtmlTokenizer *tokenizer, gboolean is_numbered)
{
  g_autofree char *start = is_numbered ? ear_html_tokenizer_dup_attribute (tokenizer, "start") : NULL;

  return start != NULL ? CLAMP (g_ascii_strtoll (start, NULL, 10), 1, 99999) : is_numbered;
}

static void
do_list (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  self->item_waiting = FALSE;
  if (!is_start)
    self->in_item = FALSE;
  if (is_start ? self->lists->len == MAX_LISTS : self->deeper > 0)
    {
      count (&self->deeper, is_start);
    }
  else if (is_start)
    {
      guint number = read_first_number (tokenizer, detail != 0);

      g_array_append_val (self->lists, number);
    }
  else if (self->lists->len > 0)
    {
      g_array_set_size (self->lists, self->lists->len - 1);
    }
}

static void
do_item (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  self->in_item = FALSE;
  self->item_waiting = is_start;
}

static void
do_quote (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  count (&self->quote, is_start);
}

static void
do_inline_quote (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_add_text (self, is_start ? "“" : "”");
}

static void
do_preformatted (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_block (self);
  self->preformatted = is_start;
}

static void
do_rule (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (!is_start)
    return;
  ear_notes_builder_end_block (self);
  if (self->hidden == 0)
    ear_notes_add_block (self->notes, EAR_NOTES_RULE, 0, 0);
}

/* Pictures of one or two pixels count readers and show nothing. */
static gboolean
is_tracker (EarHtmlTokenizer *tokenizer)
{
  g_autofree char *width = ear_html_tokenizer_dup_attribute (tokenizer, "width");
  g_autofree char *height = ear_html_tokenizer_dup_attribute (tokenizer, "height");

  return (width != NULL && g_ascii_isdigit (*width) && g_ascii_strtoll (width, NULL, 10) <= 2) ||
         (height != NULL && g_ascii_isdigit (*height) && g_ascii_strtoll (height, NULL, 10) <= 2);
}

/* Separates the description of a picture from the words around it by spaces. */
static void
add_description (EarNotesBuilder *self, const char *description)
{
  const char *last = g_utf8_find_prev_char (description, description + strlen (description));

  if (g_unichar_isalnum (g_utf8_get_char (description)))
    ear_notes_builder_add_words (self, " ");
  ear_notes_builder_add_words (self, description);
  if (last != NULL && g_unichar_isalnum (g_utf8_get_char (last)))
    ear_notes_builder_add_words (self, " ");
}

static void
do_image (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *reference = NULL;
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;
  g_autofree char *address = NULL;
  const char *description;

  if (!is_start || self->hidden > 0 || is_tracker (tokenizer))
    return;
  text = ear_html_tokenizer_dup_attribute (tokenizer, "alt");
  line = text != NULL ? ear_text_line (text, EAR_TEXT_LITERAL, MAX_DESCRIPTION) : NULL;
  description = line != NULL ? line : "";
  reference = ear_html_tokenizer_dup_attribute (tokenizer, "src");
  if (ear_notes_pieces_has_room_for_links (self))
    address = ear_address_resolve (self->base, reference);
  if (address == NULL && self->link != NULL && !self->link_is_used)
    {
      /* Names the link, unless the link has text, too */
      g_set_str (&self->link_image, description);
      return;
    }
  if (address == NULL)
    {
      add_description (self, description);
      return;
    }
  ear_notes_builder_end_block (self);
  ear_notes_pieces_count_link (self, address);
  ear_notes_block_add (ear_notes_add_block (self->notes, EAR_NOTES_IMAGE, 0, 0), description, address, -1, EAR_NOTES_STYLE_NONE);
  g_set_str (&self->link_image, description);
}

/* Names a link around a picture alone by the picture's description, or else by the
 * host. */
static void
name_link (EarNotesBuilder *self)
{
  g_autoptr (GUri) uri = NULL;

  if (self->link == NULL || self->link_is_used || self->link_image == NULL)
    return;
  ear_notes_builder_end_block (self);
  ear_notes_builder_add_words (self, self->link_image);
  uri = self->link_is_used ? NULL : g_uri_parse (self->link, G_URI_FLAGS_ENCODED, NULL);
  if (uri != NULL && g_uri_get_host (uri) != NULL)
    ear_notes_builder_add_words (self, g_uri_get_host (uri));
  if (!self->link_is_used)
    return;
  ear_notes_builder_end_block (self);
  ((EarNotesBlock *) g_ptr_array_index (self->notes->blocks, self->notes->blocks->len - 1))->names_image = TRUE;
}

/* Links other than web addresses and `mailto:` have no target. */
static void
do_link (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *reference = is_start ? ear_html_tokenizer_dup_attribute (tokenizer, "href") : NULL;

  name_link (self);
  if (self->fallback > 0 && self->link != NULL)
    ear_notes_builder_end_paragraph (self);
  g_clear_pointer (&self->link, g_free);
  g_clear_pointer (&self->link_image, g_free);
  self->in_link = is_start;
  self->link_is_used = FALSE;
  if (ear_notes_pieces_has_room_for_links (self))
    self->link = ear_notes_resolve_link (self->base, reference);
  if (self->fallback > 0 && self->link != NULL)
    ear_notes_builder_end_paragraph (self);
}

/* An area of an image map */
static void
do_area (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  if (!is_start || self->hidden > 0)
    return;
  do_link (self, tokenizer, TRUE, 0);
  text = ear_html_tokenizer_dup_attribute (tokenizer, "alt");
  line = text != NULL ? ear_text_line (text, EAR_TEXT_LITERAL, MAX_DESCRIPTION) : NULL;
  g_set_str (&self->link_image, line != NULL ? line : "");
  do_link (self, tokenizer, FALSE, 0);
}

static void
do_style (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  count (&self->style_counts[g_bit_nth_lsf (detail, -1)], is_start);
}

static void
do_hidden (EarNotesBuilder *self, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *end_tag = g_strconcat ("</", tokenizer->name, NULL);
  g_autofree char *ahead = is_start ? g_strndup (tokenizer->position, 1024) : NULL;

  /* An element that is never closed must not hide the rest of the notes. */
  if (!is_start || strcasestr (ahead, end_tag) != NULL)
    count (detail == FALLBACK ? &self->fallback : &self->hidden, is_start);
}

static const EarNotesElement elements[] = {
  { "p div section article aside header footer main nav address center figure figcaption details summary fieldset form "
    "dl dt dd caption", TRUE, do_block },
  { "br", TRUE, do_break },
  { "a", FALSE, do_link },
  { "area", FALSE, do_area },
  { "li", TRUE, do_item },
  { "ul menu dir", TRUE, do_list, 0 },
  { "ol", TRUE, do_list, 1 },
  { "strong b", FALSE, do_style, EAR_NOTES_STYLE_BOLD },
  { "em i cite var dfn", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "code tt kbd samp", FALSE, do_style, EAR_NOTES_STYLE_CODE },
  { "s strike del", FALSE, do_style, EAR_NOTES_STYLE_STRIKE },
  { "u ins", FALSE, do_style, EAR_NOTES_STYLE_UNDERLINE },
  { "h1", TRUE, do_heading, 1 },
  { "h2", TRUE, do_heading, 2 },
  { "h3", TRUE, do_heading, 3 },
  { "h4", TRUE, do_heading, 4 },
  { "h5", TRUE, do_heading, 5 },
  { "h6", TRUE, do_heading, 6 },
  { "blockquote", TRUE, do_quote },
  { "q", FALSE, do_inline_quote },
  { "pre", TRUE, do_preformatted },
  { "hr", TRUE, do_rule },
  { "img", FALSE, do_image },
  { "table", TRUE, do_table },
  { "tr", TRUE, do_row },
  { "td th", TRUE, do_cell },
  { "select", FALSE, do_hidden },
  { "object applet audio video", FALSE, do_hidden, FALLBACK },
};

static gboolean
has_name (const char *names, const char *name)
{
  const gsize length = strlen (name);

  for (const char *found = strstr (names, name); !ear_is_empty (found); found = strstr (found + 1, name))
    if ((found == names || found[-1] == ' ') && (found[length] == ' ' || found[length] == '\0'))
      return TRUE;

  return FALSE;
}

/* Returns: (nullable): the row for an element, or %NULL if the element has no effect */
const EarNotesElement *
ear_notes_elements_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    if (has_name (elements[i].names, name))
      return &elements[i];

  return NULL;
}
