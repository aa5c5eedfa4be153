/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-markup.h"

#include <string.h>

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-format.h"

/* A media fragment (W3C Media Fragments, 4.2.1): other programs understand a copied link. */
#define TIME_FRAGMENT "#t="

static const struct
{
  EarNotesStyle style;
  const char *open;
  const char *close;
} styles[] = {
  { EAR_NOTES_STYLE_BOLD, "<b>", "</b>" },      { EAR_NOTES_STYLE_ITALIC, "<i>", "</i>" },
  { EAR_NOTES_STYLE_UNDERLINE, "<u>", "</u>" }, { EAR_NOTES_STYLE_STRIKE, "<s>", "</s>" },
  { EAR_NOTES_STYLE_CODE, "<tt>", "</tt>" },
};

static void
append_link (GString *markup, const char *address, const char *tooltip)
{
  g_autofree char *escaped_address = g_markup_escape_text (address, -1);
  g_autofree char *escaped_tooltip = g_markup_escape_text (tooltip, -1);
  /* The label reads the tooltip as markup once more. */
  g_autofree char *tooltip_markup = g_markup_escape_text (escaped_tooltip, -1);

  /* GTK draws a link in its own colour, but as transparent as the text round it: in the light style
     that leaves it a contrast of 4, and all of its colour has one of 5.8. */
  g_string_append_printf (markup, "<a href=\"%s\" title=\"%s\"><span alpha=\"100%%\">",
                          escaped_address, tooltip_markup);
}

/* The length of the address without its fragment */
static gsize
get_length (const char *address)
{
  return address != NULL ? strcspn (address, "#") : 0;
}

static void
append_time (GString *markup, const char *place, gint64 time)
{
  g_autofree char *address = ear_address_with_time (place, time);
  g_autofree char *clock = ear_format_clock (time);
  /* Translators: the tooltip of a time stamp in the notes: Play from 12:03 */
  g_autofree char *tooltip = g_strdup_printf (_("Play From %s"), clock);

  append_link (markup, address, tooltip);
}

static void
append_span (GString *markup, const EarNotesSpan *span, const char *place)
{
  g_autofree char *text = g_markup_escape_text (span->text != NULL ? span->text : "", -1);
  const gboolean linked = span->time >= 0 || span->link != NULL;

  if (span->time >= 0)
    append_time (markup, place, span->time);
  else if (span->link != NULL)
    append_link (markup, span->link, span->link);
  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    if (span->style & styles[i].style)
      g_string_append (markup, styles[i].open);
  g_string_append (markup, text);
  for (gsize i = G_N_ELEMENTS (styles); i-- > 0;)
    if (span->style & styles[i].style)
      g_string_append (markup, styles[i].close);
  if (linked)
    g_string_append (markup, "</span></a>");
}

static void
append_image (GString *markup, const EarNotesSpan *span)
{
  const gboolean described = span->text != NULL && *span->text != '\0';
  EarNotesSpan link = { NULL, span->link, -1, EAR_NOTES_STYLE_ITALIC };
  g_autofree char *text = NULL;

  if (described)
    /* Translators: stands for a picture in the notes, which is loaded when this is clicked; %s describes it */
    text = g_strdup_printf (_("Picture: %s"), span->text);
  else
    text = g_strdup (_("Picture"));
  link.text = text;

  append_span (markup, &link, NULL);
}

/* The text of a block as Pango markup with links: all of the text is escaped, and a
 * link has its address for a tooltip. A time stamp is one to its place, as a media fragment.
 * @place: (nullable): the address that time stamps are times of
 * Returns: (transfer full): markup for a label */
char *
ear_notes_block_to_markup (const EarNotesBlock *block, const char *place)
{
  GString *markup = g_string_new (NULL);

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (block->type == EAR_NOTES_IMAGE)
        append_image (markup, span);
      else
        append_span (markup, span, place);
    }

  return g_string_free (markup, FALSE);
}

/* Which way a block is read, by its first letter. Returns: the direction, or %GTK_TEXT_DIR_NONE
 * where there is no letter */
GtkTextDirection
ear_notes_block_get_direction (const EarNotesBlock *block)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);
      const GtkTextDirection direction = ear_format_find_direction (span->text);

      if (direction != GTK_TEXT_DIR_NONE)
        return direction;
    }

  return GTK_TEXT_DIR_NONE;
}

/* Whether a link is one of the notes' time stamps. A link that the feed has made to the same second
 * of the same place is one, too.
 * @address: (nullable): the address of a link that was followed
 * @place: (nullable): the address that time stamps are times of
 * @time: (out): microseconds
 * Returns: %TRUE if it is */
gboolean
ear_notes_seek_address (const char *address, const char *place, gint64 *time)
{
  const gsize length = get_length (place);
  gint64 seconds;

  if (address == NULL || get_length (address) != length ||
      (place != NULL && strncmp (address, place, length) != 0) ||
      !g_str_has_prefix (address + length, TIME_FRAGMENT) ||
      !g_ascii_string_to_signed (address + length + strlen (TIME_FRAGMENT), 10, 0,
                                 G_MAXINT64 / G_USEC_PER_SEC, &seconds, NULL))
    return FALSE;

  *time = seconds * G_USEC_PER_SEC;

  return TRUE;
}
