/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-show-notes.h"

#include "ear-chapters-notes.h"
#include "ear-entities.h"
#include "ear-notes-builder.h"

#include <string.h>

/* Longer notes are cut. */
#define MAX_SOURCE (1024 * 1024)

/* Each hidden element without an end tag costs a search through the rest of the notes;
 * after this many, no further element is hidden. */
#define MAX_UNENDED 8

/* Returns: whether the last `display` of CSS declarations is `none` */
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

  /* hidden="until-found" is shown: the listener could not find it otherwise. */
  return (hidden != NULL && g_ascii_strcasecmp (hidden, "until-found") != 0) || (style != NULL && style_hides (style));
}

static gboolean
is_empty_element (EarHtmlTokenizer *tokenizer)
{
  static const char *const names[] = { "img", "br", "hr", "input", "wbr", "embed", "area", "col", "meta", "link", NULL };

  return g_strv_contains (names, tokenizer->name) || (tokenizer->length > 0 && tokenizer->start[tokenizer->length - 1] == '/');
}

/* A following block element ends a paragraph without an end tag. */
static gboolean
ends_paragraph (EarHtmlTokenizer *tokenizer)
{
  const EarNotesElement *element = tokenizer->type == EAR_HTML_START ? ear_notes_elements_find (tokenizer->name) : NULL;

  return element != NULL && element->is_block && !g_str_equal (tokenizer->name, "br");
}

/* Skips an element with its content. Returns FALSE without an end tag: the element must
 * not hide the rest. */
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

/* Returns: the markup in the source: 0 for none, 1 for inline elements only, 2 for
 * blocks */
static guint
count_markup (const char *source)
{
  EarHtmlTokenizer tokenizer;
  guint found = strstr (source, "<!--") != NULL ? 1 : 0;

  ear_html_tokenizer_init (&tokenizer, source);
  while (found < 2 && ear_html_tokenizer_next (&tokenizer))
    {
      const EarNotesElement *element = tokenizer.type != EAR_HTML_TEXT ? ear_notes_elements_find (tokenizer.name) : NULL;

      if (element != NULL && element->is_block)
        found = 2;
      else if (tokenizer.type != EAR_HTML_TEXT && tokenizer.start[tokenizer.length] == '>')
        found = 1;
    }

  return found;
}

/* Unescapes notes that were escaped once too often: no markup, but "&lt;p&gt;" and
 * similar. */
static char *
unescape_if_escaped (const char *source)
{
  static const char *const signs[] = { "&lt;/p&gt;", "&lt;br", "&lt;a href=", "&lt;/li&gt;", "&lt;/div&gt;" };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strstr (source, signs[i]) != NULL)
      {
        GString *text = g_string_new (NULL);

        ear_entity_append_text (text, source, strlen (source));
        return g_string_free (text, FALSE);
      }

  return NULL;
}

static void
add_text (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, GString *scratch)
{
  g_string_truncate (scratch, 0);
  ear_entity_append_text (scratch, tokenizer->start, tokenizer->length);
  ear_notes_builder_add_text (builder, scratch->str);
}

/* Adds the links of an iframe, or of the fallback for programs without scripts. Its other
 * markup is dropped, since an unclosed element would change the notes after it. */
static void
add_fallback (EarNotesBuilder *builder, const EarHtmlTokenizer *frame, GString *scratch)
{
  static const char *const names[] = { "iframe", "noscript", "noembed", "noframes", NULL };
  const EarNotesElement *link = ear_notes_elements_find ("a");
  g_autofree char *content = NULL;
  EarHtmlTokenizer tokenizer;

  if (!g_strv_contains (names, frame->name))
    return;
  content = g_strndup (frame->content, frame->content_length);
  ear_html_tokenizer_init (&tokenizer, content);
  builder->fallback++;
  while (ear_html_tokenizer_next (&tokenizer))
    if (tokenizer.type == EAR_HTML_TEXT)
      add_text (builder, &tokenizer, scratch);
    else if (strcmp (tokenizer.name, "a") == 0)
      link->func (builder, &tokenizer, tokenizer.type == EAR_HTML_START, link->detail);
  link->func (builder, &tokenizer, FALSE, link->detail);
  builder->fallback--;
}

static void
add_token (EarNotesBuilder *builder, EarHtmlTokenizer *tokenizer, GString *scratch)
{
  const EarNotesElement *element;

  if (tokenizer->type == EAR_HTML_TEXT)
    {
      add_text (builder, tokenizer, scratch);
      return;
    }
  if (tokenizer->content_length > 0)
    add_fallback (builder, tokenizer, scratch);
  element = ear_notes_elements_find (tokenizer->name);
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
      /* Not inside a tag */
      end = memrchr (source, '<', length);
      if (end != NULL && memchr (end, '>', source + length - end) == NULL)
        length = end - source;
    }
  g_utf8_validate_len (source, length, &end);

  return g_strndup (source, end - source);
}

static EarNotes *
parse (const char *source, const char *base, gint64 duration)
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
      ear_entity_append_text (scratch, text, strlen (text));
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

/**
 * ear_show_notes_parse:
 * @source: HTML or plain text
 * @base: (nullable): the base of relative links
 * @duration: the duration of the episode in microseconds, or %EAR_DURATION_UNKNOWN; later
 *   times do not become links
 *
 * Parses show notes. Scripts, styles, frames and hidden elements are dropped. Links other
 * than web addresses and `mailto:` lose their target and keep their text. URLs and times
 * in the text become links, and lines that begin with a time become chapters. Cost and
 * size are bounded for any source.
 *
 * Returns: (transfer full): the notes, maybe without a block
 */
EarNotes *
ear_show_notes_parse (const char *source, const char *base, gint64 duration)
{
  EarNotes *notes = parse (source, base, duration);

  notes->chapters = ear_chapters_from_notes (notes);
  ear_notes_collect_links (notes);

  return notes;
}

/* Returns: (transfer full) (element-type EarLinkFacts): the links in show notes, which may be
 *   %NULL */
GPtrArray *
ear_show_notes_list_links (const char *source, const char *base)
{
  g_autoptr (EarNotes) notes =
      ear_show_notes_parse (source != NULL ? source : "", base, EAR_DURATION_UNKNOWN);

  return g_ptr_array_ref (notes->links);
}
