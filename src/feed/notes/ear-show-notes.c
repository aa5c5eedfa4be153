/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-show-notes.h"

#include "ear-html-tokenizer.h"
#include "ear-notes-builder.h"

#include <string.h>

/* Notes longer than this are cut. */
#define MAX_SOURCE (1024 * 1024)

/* So often the rest of the notes is looked through for the end of what is hidden, in vain. */
#define MAX_UNENDED 8

typedef void (*ElementFunc) (EarNotesBuilder  *builder,
                             EarHtmlTokenizer *tokenizer,
                             gboolean          is_start,
                             guint             detail);

typedef struct
{
  const char *name;
  gboolean is_block; /* without such an element, line breaks of the source count */
  ElementFunc func;
  guint detail;
} Element;

static void
do_block (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_end_paragraph (builder);
}

static void
do_table (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_change_table (builder, is_start ? 1 : -1);
}

static void
do_row (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (is_start)
    ear_notes_builder_begin_row (builder);
}

/* Their end tags may be left out. */
static void
do_cell (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (is_start)
    ear_notes_builder_begin_cell (builder);
}

static void
do_break (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_add_break (builder);
}

static void
do_heading (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_set_heading (builder, is_start ? detail : 0);
}

static void
do_list (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (!is_start)
    {
      ear_notes_builder_end_list (builder);
      return;
    }
  if (detail != 0)
    {
      g_autofree char *start = ear_html_tokenizer_dup_attribute (tokenizer, "start");
      gint64 number = start != NULL ? g_ascii_strtoll (start, NULL, 10) : 1;

      ear_notes_builder_begin_list (builder, CLAMP (number, 1, 99999));
    }
  else
    ear_notes_builder_begin_list (builder, 0);
}

static void
do_item (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (is_start)
    ear_notes_builder_begin_item (builder);
  else
    ear_notes_builder_end_item (builder);
}

static void
do_quote (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_change_quote (builder, is_start ? 1 : -1);
}

static void
do_inline_quote (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_add_text (builder, is_start ? "“" : "”");
}

static void
do_preformatted (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_set_preformatted (builder, is_start);
}

static void
do_rule (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  if (is_start)
    ear_notes_builder_add_rule (builder);
}

/* Pictures of a point or two count readers and show nothing. */
static gboolean
is_tracker (EarHtmlTokenizer *tokenizer)
{
  g_autofree char *width = ear_html_tokenizer_dup_attribute (tokenizer, "width");
  g_autofree char *height = ear_html_tokenizer_dup_attribute (tokenizer, "height");

  return (width != NULL && g_ascii_isdigit (*width) && g_ascii_strtoll (width, NULL, 10) <= 2) ||
         (height != NULL && g_ascii_isdigit (*height) && g_ascii_strtoll (height, NULL, 10) <= 2);
}

static void
do_image (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *source = NULL;
  g_autofree char *text = NULL;

  if (!is_start || is_tracker (tokenizer))
    return;
  source = ear_html_tokenizer_dup_attribute (tokenizer, "src");
  text = ear_html_tokenizer_dup_attribute (tokenizer, "alt");
  ear_notes_builder_add_image (builder, source, text);
}

static void
do_link (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *reference = is_start ? ear_html_tokenizer_dup_attribute (tokenizer, "href") : NULL;

  ear_notes_builder_set_link (builder, is_start, reference);
}

static void
do_style (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  ear_notes_builder_change_style (builder, detail, is_start ? 1 : -1);
}

static void
do_hidden (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, gboolean is_start, guint detail)
{
  g_autofree char *end_tag = g_strconcat ("</", tokenizer->name, NULL);
  g_autofree char *ahead = is_start ? g_strndup (tokenizer->position, 1024) : NULL;

  /* An element that is never closed must not hide the rest of the notes. */
  if (!is_start || strcasestr (ahead, end_tag) != NULL)
    ear_notes_builder_change_hidden (builder, is_start ? 1 : -1);
}

static const Element elements[] = {
  { "p", TRUE, do_block },
  { "br", TRUE, do_break },
  { "a", FALSE, do_link },
  { "li", TRUE, do_item },
  { "ul", TRUE, do_list, 0 },
  { "ol", TRUE, do_list, 1 },
  { "menu", TRUE, do_list, 0 },
  { "dir", TRUE, do_list, 0 },
  { "strong", FALSE, do_style, EAR_NOTES_STYLE_BOLD },
  { "b", FALSE, do_style, EAR_NOTES_STYLE_BOLD },
  { "em", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "i", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "cite", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "var", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "dfn", FALSE, do_style, EAR_NOTES_STYLE_ITALIC },
  { "code", FALSE, do_style, EAR_NOTES_STYLE_CODE },
  { "tt", FALSE, do_style, EAR_NOTES_STYLE_CODE },
  { "kbd", FALSE, do_style, EAR_NOTES_STYLE_CODE },
  { "samp", FALSE, do_style, EAR_NOTES_STYLE_CODE },
  { "s", FALSE, do_style, EAR_NOTES_STYLE_STRIKE },
  { "strike", FALSE, do_style, EAR_NOTES_STYLE_STRIKE },
  { "del", FALSE, do_style, EAR_NOTES_STYLE_STRIKE },
  { "u", FALSE, do_style, EAR_NOTES_STYLE_UNDERLINE },
  { "ins", FALSE, do_style, EAR_NOTES_STYLE_UNDERLINE },
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
  { "div", TRUE, do_block },
  { "section", TRUE, do_block },
  { "article", TRUE, do_block },
  { "aside", TRUE, do_block },
  { "header", TRUE, do_block },
  { "footer", TRUE, do_block },
  { "main", TRUE, do_block },
  { "nav", TRUE, do_block },
  { "address", TRUE, do_block },
  { "center", TRUE, do_block },
  { "figure", TRUE, do_block },
  { "figcaption", TRUE, do_block },
  { "details", TRUE, do_block },
  { "summary", TRUE, do_block },
  { "fieldset", TRUE, do_block },
  { "form", TRUE, do_block },
  { "dl", TRUE, do_block },
  { "dt", TRUE, do_block },
  { "dd", TRUE, do_block },
  { "table", TRUE, do_table },
  { "caption", TRUE, do_block },
  { "tr", TRUE, do_row },
  { "td", TRUE, do_cell },
  { "th", TRUE, do_cell },
  { "select", FALSE, do_hidden },
  { "object", FALSE, do_hidden },
  { "applet", FALSE, do_hidden },
  { "audio", FALSE, do_hidden },
  { "video", FALSE, do_hidden },
};

static const Element *
find_element (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].name, name) == 0)
      return &elements[i];

  return NULL;
}

/* Whether the last `display` of a style sheet's declarations is `none` */
static gboolean
style_hides (const char *style)
{
  gboolean hides = FALSE;

  for (const char *p = strcasestr (style, "display"); p != NULL; p = strcasestr (p + 1, "display"))
    {
      const char *value = p + strlen ("display");

      value += strspn (value, " \t\r\n");
      if (*value != ':' || (p > style && (g_ascii_isalnum (p[-1]) || p[-1] == '-')))
        continue;
      value += 1 + strspn (value + 1, " \t\r\n");
      hides = g_ascii_strncasecmp (value, "none", 4) == 0 && !g_ascii_isalnum (value[4]) && value[4] != '-';
    }

  return hides;
}

static gboolean
is_hidden (EarHtmlTokenizer *tokenizer)
{
  g_autofree char *hidden = ear_html_tokenizer_dup_attribute (tokenizer, "hidden");
  g_autofree char *style = ear_html_tokenizer_dup_attribute (tokenizer, "style");

  /* What is hidden until it is found is there to be found. */
  return (hidden != NULL && g_ascii_strcasecmp (hidden, "until-found") != 0) || (style != NULL && style_hides (style));
}

static gboolean
is_empty_element (EarHtmlTokenizer *tokenizer)
{
  static const char *const names[] = { "img", "br", "hr", "input", "wbr", "embed", "area", "col", "meta", "link", NULL };

  return g_strv_contains (names, tokenizer->name) || (tokenizer->length > 0 && tokenizer->start[tokenizer->length - 1] == '/');
}

/* The end tag of a paragraph may be left out where something else begins. */
static gboolean
ends_paragraph (EarHtmlTokenizer *tokenizer)
{
  const Element *element = tokenizer->type == EAR_HTML_START ? find_element (tokenizer->name) : NULL;

  return element != NULL && element->is_block && element->func != do_break;
}

/* Past an element with all that is in it; FALSE when its end does not come: that must not hide the rest. */
static gboolean
skip_element (EarHtmlTokenizer *tokenizer)
{
  EarHtmlTokenizer ahead = *tokenizer;
  const gboolean is_paragraph = strcmp (tokenizer->name, "p") == 0;
  guint depth = 1;

  if (is_empty_element (tokenizer))
    return TRUE;
  while (ear_html_tokenizer_next (&ahead))
    {
      if (is_paragraph && ends_paragraph (&ahead))
        {
          tokenizer->position = ahead.source_name - 1;
          return TRUE;
        }
      if (ahead.type == EAR_HTML_TEXT || strcmp (ahead.name, tokenizer->name) != 0)
        continue;
      if (ahead.type == EAR_HTML_END)
        depth--;
      else if (!is_empty_element (&ahead))
        depth++;
      if (depth == 0)
        {
          *tokenizer = ahead;
          return TRUE;
        }
    }

  return FALSE;
}

/* What is in the source: nothing, elements within lines only, or blocks. */
static guint
count_markup (const char *source)
{
  EarHtmlTokenizer tokenizer;
  guint found = strstr (source, "<!--") != NULL ? 1 : 0;

  ear_html_tokenizer_init (&tokenizer, source);
  while (found < 2 && ear_html_tokenizer_next (&tokenizer))
    {
      const Element *element = tokenizer.type != EAR_HTML_TEXT ? find_element (tokenizer.name) : NULL;

      if (element != NULL && element->is_block)
        found = 2;
      else if (tokenizer.type != EAR_HTML_TEXT && tokenizer.start[tokenizer.length] == '>')
        found = 1;
    }

  return found;
}

/* Notes that were escaped once too often: no markup, but "&lt;p&gt;" and its like. */
static char *
unescape_if_escaped (const char *source)
{
  static const char *const signs[] = { "&lt;/p&gt;", "&lt;br", "&lt;a href=", "&lt;/li&gt;", "&lt;/div&gt;" };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strstr (source, signs[i]) != NULL)
      {
        GString *text = g_string_new (NULL);

        ear_html_append_text (text, source, strlen (source));
        return g_string_free (text, FALSE);
      }

  return NULL;
}

static void
add_token (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, GString *scratch)
{
  const Element *element;

  if (tokenizer->type == EAR_HTML_TEXT)
    {
      g_string_truncate (scratch, 0);
      ear_html_append_text (scratch, tokenizer->start, tokenizer->length);
      ear_notes_builder_add_text (builder, scratch->str);
      return;
    }
  element = find_element (tokenizer->name);
  if (element != NULL)
    element->func (builder, tokenizer, tokenizer->type == EAR_HTML_START, element->detail);
}

static char *
cut_source (const char *source)
{
  gsize length = strnlen (source, MAX_SOURCE + 1);
  const char *end;

  if (length > MAX_SOURCE)
    {
      length = MAX_SOURCE;
      /* Not in the middle of a tag */
      end = memrchr (source, '<', length);
      if (end != NULL && memchr (end, '>', source + length - end) == NULL)
        length = end - source;
    }
  g_utf8_validate_len (source, length, &end);

  return g_strndup (source, end - source);
}

/**
 * ear_show_notes_parse:
 * @source: HTML or plain text
 * @base: (nullable): what relative links are relative to
 * @duration: how long the episode is, in microseconds, or %EAR_DURATION_UNKNOWN; times beyond
 *   it are no links
 *
 * Takes show notes apart. Scripts, styles, frames and what is hidden are left out, links that are
 * neither web addresses nor `mailto:` lose their target and keep their text. Addresses and time
 * stamps in the text become links. Cost and size are bounded whatever the source is.
 *
 * Returns: (transfer full): the notes, maybe without a block
 */
EarNotes *
ear_show_notes_parse (const char *source, const char *base, gint64 duration)
{
  g_autofree char *text = cut_source (source);
  g_autofree char *unescaped = NULL;
  g_autoptr (EarNotesBuilder) builder = NULL;
  g_autoptr (GString) scratch = g_string_new (NULL);
  EarHtmlTokenizer tokenizer;
  guint markup = count_markup (text);
  guint n_unended = 0;

  if (markup == 0 && (unescaped = unescape_if_escaped (text)) != NULL)
    {
      g_free (text);
      text = g_steal_pointer (&unescaped);
      markup = count_markup (text);
    }
  builder = ear_notes_builder_new (base, duration, markup < 2);
  if (markup == 0)
    {
      ear_html_append_text (scratch, text, strlen (text));
      ear_notes_builder_add_text (builder, scratch->str);
      return ear_notes_builder_finish (builder);
    }
  ear_html_tokenizer_init (&tokenizer, text);
  while (!ear_notes_builder_is_full (builder) && ear_html_tokenizer_next (&tokenizer))
    if (tokenizer.type != EAR_HTML_START || n_unended == MAX_UNENDED || !is_hidden (&tokenizer))
      add_token (builder, &tokenizer, scratch);
    else if (!skip_element (&tokenizer))
      {
        n_unended++;
        add_token (builder, &tokenizer, scratch);
      }

  return ear_notes_builder_finish (builder);
}
