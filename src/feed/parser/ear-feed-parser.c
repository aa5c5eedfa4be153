/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-parser.h"

#include "ear-error.h"
#include "ear-feed-context.h"
#include "ear-text-decoder.h"
#include "ear-xml-reader.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

/* The pipeline: bytes -> EarTextDecoder -> clean UTF-8 -> EarXmlReader -> elements and
 * texts -> rows of the namespaces -> facts. Memory holds at most one item. */

#define SLICE (32 * 1024)

/* Longer texts are cut; no real description is longer. */
#define MAX_TEXT (2 * 1024 * 1024)

typedef struct
{
  const EarFeedElement *element; /* (nullable): NULL for unknown elements */
  guint scope;                   /* scope of the children */
  gboolean has_base;             /* whether `outer_base` is to be restored */
  char *outer_base;
} Level;

struct _EarFeedParser
{
  /* Owned */
  EarTextDecoder *decoder;
  EarXmlReader *reader;
  EarFeedContext context;
  GArray *levels; /* (element-type Level): open elements */
  GString *text;  /* text of the current element */
  GString *decoded;

  guint text_depth; /* 0: no text is collected; above 1: inside markup in the text */
  gboolean is_markup;
  gboolean is_atom;
  const char *format;
  gboolean root_closed;
};

static const char *const roots[] = { "rss", "feed", "rdf", "channel", EAR_FEED_REDIRECT, NULL };
static const char *const unnested[] = { "item", "entry", NULL };

/* Returns: the row of an element for a scope, among the rows of its name */
static const EarFeedElement *
find_in_scope (const EarFeedElement *element, guint scope)
{
  const char *name = element != NULL ? element->name : NULL;

  for (; element != NULL && element->name != NULL && strcmp (element->name, name) == 0; element++)
    if ((element->scopes & scope) != 0)
      return element;

  return NULL;
}

static void
append_text (EarFeedParser *self, const char *text, gsize length)
{
  if (self->text->len < MAX_TEXT)
    g_string_append_len (self->text, text, MIN (length, MAX_TEXT - self->text->len));
}

static void
append_string (EarFeedParser *self, const char *text)
{
  append_text (self, text, strlen (text));
}

static void
append_escaped (EarFeedParser *self, const char *text, gsize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize) length);

  append_string (self, escaped);
}

/* Switches to XHTML content: escapes the text collected so far as HTML. */
static void
begin_markup (EarFeedParser *self)
{
  if (self->is_markup)
    return;
  self->is_markup = TRUE;
  if (strpbrk (self->text->str, "<&") != NULL)
    {
      g_autofree char *before = g_strdup (self->text->str);

      g_string_truncate (self->text, 0);
      append_escaped (self, before, strlen (before));
    }
}

static void
append_start_tag (EarFeedParser *self, const char *name, const EarXmlAttributes *attributes)
{
  begin_markup (self);
  append_string (self, "<");
  append_string (self, ear_xml_get_local (name));
  for (guint i = 0; i < attributes->n; i++)
    {
      append_string (self, " ");
      append_string (self, attributes->list[i].local);
      append_string (self, "=\"");
      append_escaped (self, attributes->list[i].value, strlen (attributes->list[i].value));
      append_string (self, "\"");
    }
  append_string (self, ">");
}

static void
append_end_tag (EarFeedParser *self, const char *name)
{
  static const char *const without[] = { "br", "img", "hr", "wbr", "input", "area", "col", NULL };

  if (g_strv_contains (without, name))
    return;
  append_string (self, "</");
  append_string (self, name);
  append_string (self, ">");
}

/* Drops an incomplete character at the end of a text that was cut. */
static void
end_at_character (GString *text)
{
  const char *end;

  if (text->len >= MAX_TEXT && !g_utf8_validate_len (text->str, text->len, &end))
    g_string_truncate (text, end - text->str);
}

/* Keeps the original if the decoded bytes are not text. */
static void
decode_base64 (EarFeedParser *self)
{
  gsize length;
  g_autofree guchar *bytes = g_base64_decode (self->text->str, &length);

  if (length > 0 && g_utf8_validate_len ((const char *) bytes, length, NULL))
    g_string_assign (self->text, (const char *) bytes);
}

static void
end_text (EarFeedParser *self, const EarFeedElement *element)
{
  EarFeedTextType type = self->context.text_type;

  end_at_character (self->text);
  if (type == EAR_FEED_TEXT_BASE64 || type == EAR_FEED_TEXT_BASE64_HTML)
    decode_base64 (self);
  else if (self->is_markup && type == EAR_FEED_TEXT_LITERAL)
    self->context.text_type = EAR_FEED_TEXT_HTML;
  if (element->end != NULL)
    element->end (&self->context, element, self->text->str);
  else
    ear_feed_context_set (&self->context, element->field, element->rank, self->text->str);
}

static void
begin_text (EarFeedParser *self)
{
  g_string_truncate (self->text, 0);
  self->text_depth = 1;
  self->is_markup = self->context.text_type == EAR_FEED_TEXT_XHTML;
}

/* xml:base, https://www.w3.org/TR/xmlbase/ */
static void
apply_base (EarFeedParser *self, Level *level, const EarXmlAttributes *attributes)
{
  for (guint i = 0; i < attributes->n; i++)
    if (g_str_equal (attributes->list[i].name, "xml:base"))
      {
        g_autofree char *base = ear_feed_context_resolve (&self->context, attributes->list[i].value);

        if (base == NULL)
          continue;
        level->has_base = TRUE;
        level->outer_base = g_steal_pointer (&self->context.base);
        self->context.base = g_steal_pointer (&base);
      }
}

static guint
begin_root (EarFeedParser *self, const char *name, const EarXmlAttributes *attributes)
{
  ear_feed_context_set (&self->context, EAR_FIELD_LANGUAGE, 10, ear_xml_attributes_get (attributes, "lang"));
  self->is_atom = g_ascii_strcasecmp (name, "feed") == 0;
  self->format = self->is_atom ? "atom" : g_ascii_strcasecmp (name, "rdf") == 0 ? "rdf" : "rss";
  if (g_ascii_strcasecmp (name, EAR_FEED_REDIRECT) == 0)
    self->format = EAR_FEED_REDIRECT;

  return self->is_atom || g_ascii_strcasecmp (name, "channel") == 0 ? EAR_FEED_PODCAST : EAR_FEED_ROOT;
}

static void
start_element_cb (const char *name, const char *space, const EarXmlAttributes *attributes, gpointer user_data)
{
  EarFeedParser *self = user_data;
  Level level = { 0 };
  guint scope;

  if (self->text_depth > 0)
    {
      self->text_depth++;
      append_start_tag (self, name, attributes);
      return;
    }
  apply_base (self, &level, attributes);
  if (self->levels->len == 0)
    level.scope = begin_root (self, ear_xml_get_local (name), attributes);
  else if ((scope = g_array_index (self->levels, Level, self->levels->len - 1).scope) != 0)
    {
      level.element = find_in_scope (ear_feed_namespaces_find (space, name, self->is_atom), scope);
      level.scope = level.element != NULL ? level.element->opens : 0;
    }
  g_array_append_val (self->levels, level);
  if (level.element == NULL)
    return;
  self->context.text_type = EAR_FEED_TEXT_PLAIN;
  self->context.line = NULL;
  if (level.element->attribute != NULL)
    ear_feed_context_set_attribute (&self->context, level.element, attributes, level.element->attribute);
  if (level.element->start != NULL)
    level.element->start (&self->context, level.element, attributes);
  if (level.scope == 0 && (level.element->field != EAR_FIELD_NONE || level.element->end != NULL))
    begin_text (self);
}

static void
end_element_cb (const char *name, gpointer user_data)
{
  EarFeedParser *self = user_data;
  Level level;

  if (self->text_depth > 1)
    {
      self->text_depth--;
      append_end_tag (self, ear_xml_get_local (name));
      return;
    }
  level = g_array_index (self->levels, Level, self->levels->len - 1);
  if (self->text_depth == 1)
    {
      self->text_depth = 0;
      end_text (self, level.element);
    }
  else if (level.element != NULL && level.element->end != NULL)
    level.element->end (&self->context, level.element, NULL);
  if (level.has_base)
    {
      g_free (self->context.base);
      self->context.base = level.outer_base;
    }
  g_array_set_size (self->levels, self->levels->len - 1);
  self->root_closed = self->levels->len == 0;
}

static void
text_cb (const char *text, gsize length, gpointer user_data)
{
  EarFeedParser *self = user_data;

  if (self->text_depth == 0)
    return;
  if (self->is_markup)
    append_escaped (self, text, length);
  else
    append_text (self, text, length);
}

static const EarXmlHandler handler = { start_element_cb, end_element_cb, text_cb };

static gboolean
check_kind (EarFeedParser *self, gboolean last, GError **error)
{
  EarXmlKind kind = ear_xml_reader_get_kind (self->reader);

  if (kind == EAR_XML_ROOT || (kind == EAR_XML_UNDECIDED && !last))
    return TRUE;
  if (kind == EAR_XML_WEB_PAGE)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_WEB_PAGE, "A web page, not a feed");
  else if (ear_xml_reader_get_has_markup (self->reader))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_A_FEED, "XML, but no feed");
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "No XML");

  return FALSE;
}

/* Passes the decoded bytes to the XML reader. */
static void
pass_on (EarFeedParser *self)
{
  ear_xml_reader_push (self->reader, self->decoded->str, self->decoded->len);
  g_string_truncate (self->decoded, 0);
}

/**
 * ear_feed_parser_new:
 * @address: (nullable): the URL of the feed, the base of relative URLs
 * @content_type: (nullable): the media type of the response, for its `charset`
 * @item_func: (nullable) (scope notified): called for each episode
 * @user_data: data for @item_func
 *
 * Makes a parser for one feed: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, including common
 * deviations from the specifications.
 *
 * Returns: (transfer full): the parser
 */
EarFeedParser *
ear_feed_parser_new (const char *address, const char *content_type, EarFeedItemFunc item_func, gpointer user_data)
{
  EarFeedParser *self = g_new0 (EarFeedParser, 1);

  self->reader = ear_xml_reader_new (roots, unnested, &handler, self);
  self->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  self->text = g_string_new (NULL);
  self->decoded = g_string_sized_new (SLICE + 16);
  ear_feed_context_init (&self->context, address);
  self->context.item_func = item_func;
  self->context.user_data = user_data;
  self->decoder = ear_text_decoder_new (content_type);

  return self;
}

void
ear_feed_parser_free (EarFeedParser *self)
{
  for (guint i = 0; i < self->levels->len; i++)
    g_free (g_array_index (self->levels, Level, i).outer_base);
  g_array_unref (self->levels);
  ear_text_decoder_free (self->decoder);
  ear_xml_reader_free (self->reader);
  g_string_free (self->text, TRUE);
  g_string_free (self->decoded, TRUE);
  ear_feed_context_clear (&self->context);
  g_free (self);
}

/**
 * ear_feed_parser_push:
 * @self: a parser
 * @data: (array length=length): the next bytes of the feed
 * @length: the number of bytes
 * @error: return location for an error, of the domain %EAR_ERROR
 *
 * Parses the next bytes. Memory use depends on the longest item, not on the size of the
 * feed.
 *
 * Returns: %FALSE if the document is not a feed and the rest need not be read
 */
gboolean
ear_feed_parser_push (EarFeedParser *self, const guint8 *data, gsize length, GError **error)
{
  while (length > 0)
    {
      gsize size = MIN (length, SLICE);

      ear_text_decoder_push (self->decoder, data, size, self->decoded);
      pass_on (self);
      if (!check_kind (self, FALSE, error))
        return FALSE;
      data += size;
      length -= size;
    }

  return TRUE;
}

/**
 * ear_feed_parser_finish:
 * @self: a parser
 * @error: return location for an error, of the domain %EAR_ERROR
 *
 * Ends the feed. A truncated feed keeps the episodes that were complete; an incomplete
 * episode is dropped.
 *
 * Returns: %FALSE if there was no feed, or nothing of use in it
 */
gboolean
ear_feed_parser_finish (EarFeedParser *self, GError **error)
{
  ear_text_decoder_finish (self->decoder, self->decoded);
  pass_on (self);
  ear_xml_reader_finish (self->reader);
  if (!check_kind (self, TRUE, error))
    return FALSE;
  if (ear_feed_parser_get_damaged (self) && self->context.n_items == 0 && self->context.podcast->title == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_INCOMPLETE, "The feed ends before anything is told");
      return FALSE;
    }
  if (g_strcmp0 (self->format, EAR_FEED_REDIRECT) != 0 || self->context.podcast->new_address != NULL)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_A_FEED, "A redirect that leads nowhere");

  return FALSE;
}

/**
 * ear_feed_parser_get_podcast:
 * @self: a parser
 *
 * Gets the facts of the podcast parsed so far. They change while bytes are pushed.
 *
 * Returns: (transfer none): the facts
 */
EarPodcastFacts *
ear_feed_parser_get_podcast (EarFeedParser *self)
{
  return self->context.podcast;
}

guint
ear_feed_parser_get_n_items (EarFeedParser *self)
{
  return self->context.n_items;
}

/**
 * ear_feed_parser_get_format:
 * @self: a parser
 *
 * Returns: (transfer none) (nullable): "rss", "rdf", "atom" or %EAR_FEED_REDIRECT; %NULL
 *   as long as the format is unknown
 */
const char *
ear_feed_parser_get_format (EarFeedParser *self)
{
  return self->format;
}

/**
 * ear_feed_parser_get_damaged:
 * @self: a parser
 *
 * Returns: whether the end of the feed is missing so far
 */
gboolean
ear_feed_parser_get_damaged (EarFeedParser *self)
{
  return !self->root_closed;
}

/**
 * ear_feed_parser_dup_version:
 *
 * Returns: (transfer full): the version of libxml2, for problem reports
 */
char *
ear_feed_parser_dup_version (void)
{
  /* libxml2 reports 2.12.4 as 21204. */
  const int version = atoi (xmlParserVersion);

  return g_strdup_printf ("%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
}
