/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-xml-writer.h"

#include "ear-xml-chars.h"
#include "ear-xml-entities.h"

#include <string.h>

/*
 * The well-formed half of the repair: knows which elements are open, closes what has to be
 * closed before something else, and writes tags with good attributes and texts.
 */

#define MAX_DEPTH 200
#define MAX_ATTRIBUTES 100
#define MAX_ATTRIBUTE (16 * 1024)

/* Shorter texts go through the parser. */
#define LONG_TEXT 256

typedef struct
{
  guint offset; /* of its name in `names` */
  gboolean has_children;
} Open;

struct _EarXmlWriter
{
  /* Borrowed */
  const char *const *unnested;
  EarXmlFlushFunc flush_func;
  EarXmlTextFunc text_func;
  gpointer user_data;

  /* Owned */
  EarXmlEntities *entities;
  GString *names; /* of the open elements, each with its NUL */
  GArray *open;   /* (element-type Open) */
  GString *text;  /* since the last tag */
  GString *scratch;

  guint too_deep;      /* open elements that are left out */
  guint64 names_below; /* a bit for each of their names, or for several */
  gboolean complete;
};

/* HTML that has no end tag, where it is not an element of a feed as well. */
static gboolean
is_void (const char *name, gsize length)
{
  static const char *const names[] = { "br", "hr", "img", "wbr", "input", "area", "col", NULL };

  return length < 6 && ear_xml_is_one_of (names, name, length);
}

static gboolean
is_html (const char *name, gsize length)
{
  static const char *const names[] = { "p", "a", "b", "i", "u", "em", "strong", "div", "span", "ul", "ol", "li",
                                       "font", "blockquote", "h1", "h2", "h3", "h4", "pre", "code", "table",
                                       "tr", "td", NULL };

  return ear_xml_is_one_of (names, name, length) || is_void (name, length);
}

/**
 * ear_xml_writer_add_text:
 * @text: (array length=length): text, in which every character stands for itself
 * @length: how many bytes
 *
 * Adds text to the innermost element; outside the root there is none.
 */
void
ear_xml_writer_add_text (EarXmlWriter *self, const char *text, gsize length)
{
  if (self->open->len > 0)
    g_string_append_len (self->text, text, length);
}

/* A `]]>` in the text ends the section, and begins another. */
static void
write_section (const char *text, gsize length, GString *out)
{
  const char *end = text + length;
  const char *found;

  g_string_append (out, "<![CDATA[");
  while ((found = memmem (text, end - text, "]]>", 3)) != NULL)
    {
      g_string_append_len (out, text, found + 2 - text);
      g_string_append (out, "]]><![CDATA[");
      text = found + 2;
    }
  g_string_append_len (out, text, end - text);
  g_string_append (out, "]]>");
}

/* The text since the last tag. A long one goes past the parser behind, which would look at
 * each byte of it three times; what comes before it has to be there first. */
static void
write_text (EarXmlWriter *self, GString *out)
{
  gsize length = self->text->len;

  if (length == 0)
    return;
  if (length >= LONG_TEXT && self->text_func != NULL)
    {
      self->flush_func (self->user_data);
      self->text_func (self->text->str, length, self->user_data);
    }
  else if (strcspn (self->text->str, "<&>") == length)
    g_string_append_len (out, self->text->str, length);
  else
    write_section (self->text->str, length, out);
  g_string_truncate (self->text, 0);
}

/**
 * ear_xml_writer_add_reference:
 * @body: (array length=length): what stands between `&` and `;`
 * @length: how many bytes
 *
 * Adds what a reference stands for.
 *
 * Returns: %FALSE if it is no reference
 */
gboolean
ear_xml_writer_add_reference (EarXmlWriter *self, const char *body, gsize length)
{
  const char *usual = NULL;

  /* Escaped HTML is full of these. */
  if (length == 2 && body[1] == 't')
    usual = body[0] == 'l' ? "<" : body[0] == 'g' ? ">" : NULL;
  else if (length == 3 && memcmp (body, "amp", 3) == 0)
    usual = "&";
  else if (length == 4 && memcmp (body, "quot", 4) == 0)
    usual = "\"";
  if (usual != NULL)
    {
      ear_xml_writer_add_text (self, usual, 1);
      return TRUE;
    }
  if (self->open->len == 0)
    return TRUE;

  return ear_xml_entities_resolve (self->entities, body, length, self->text);
}

static const char *
name_at (EarXmlWriter *self, guint index)
{
  return self->names->str + g_array_index (self->open, Open, index).offset;
}

static void
close_top (EarXmlWriter *self, GString *out)
{
  guint top = self->open->len - 1;

  g_string_append (out, "</");
  g_string_append (out, name_at (self, top));
  g_string_append_c (out, '>');
  g_string_truncate (self->names, g_array_index (self->open, Open, top).offset);
  g_array_set_size (self->open, top);
  if (top == 0)
    self->complete = TRUE;
}

/* The innermost open element of a name, or -1. */
static int
find_open (EarXmlWriter *self, const char *name, gsize length)
{
  for (int i = (int) self->open->len - 1; i >= 0; i--)
    {
      const char *open = name_at (self, i);

      if (g_ascii_tolower (*open) == g_ascii_tolower (*name) && g_ascii_strncasecmp (open, name, length) == 0 &&
          open[length] == '\0')
        return i;
    }

  return -1;
}

static guint64
get_name_bit (const char *name, gsize length)
{
  guint hash = 5381;

  for (gsize i = 0; i < length; i++)
    hash = hash * 33 + g_ascii_tolower (name[i]);

  return (guint64) 1 << (hash % 64);
}

static void
put_attribute_value (EarXmlWriter *self, const char *value, const char *end, GString *out)
{
  while (value < end)
    {
      const char *run = value;
      gsize span = 0;

      while (value < end && *value != '&' && *value != '<' && *value != '"')
        value++;
      g_string_append_len (out, run, value - run);
      if (value == end)
        return;
      g_string_truncate (self->scratch, 0);
      if (*value == '&')
        {
          const char *stop = memchr (value, ';', MIN (end - value, EAR_XML_MAX_REFERENCE));

          if (stop != NULL && ear_xml_entities_resolve (self->entities, value + 1, stop - value - 1, self->scratch))
            span = stop - value;
        }
      if (span == 0)
        g_string_append_c (self->scratch, *value);
      for (const char *c = self->scratch->str; *c != '\0'; c++)
        if (*c == '&')
          g_string_append (out, "&amp;");
        else if (*c == '<')
          g_string_append (out, "&lt;");
        else if (*c == '"')
          g_string_append (out, "&quot;");
        else
          g_string_append_c (out, *c);
      value += span + 1;
    }
}

/* Finds the value after a name; returns where the next attribute begins, or NULL when it is cut. */
static const char *
read_value (const char *p, const char *end, const char **value, const char **value_end)
{
  const char *rest = p;

  while (rest < end && ear_xml_is_space (*rest))
    rest++;
  *value = *value_end = p;
  if (rest == end || *rest != '=')
    return p;
  for (rest++; rest < end && ear_xml_is_space (*rest);)
    rest++;
  if (rest < end && (*rest == '"' || *rest == '\''))
    {
      *value = rest + 1;
      *value_end = memchr (*value, *rest, end - *value);
      return *value_end != NULL ? *value_end + 1 : NULL;
    }
  *value = rest;
  while (rest < end && !ear_xml_is_space (*rest))
    rest++;
  *value_end = rest;

  return rest;
}

static void
put_attributes (EarXmlWriter *self, const char *p, const char *end, GString *out)
{
  struct
  {
    const char *name;
    gsize length;
  } seen[MAX_ATTRIBUTES];
  guint n = 0;

  while (p != NULL && p < end && n < MAX_ATTRIBUTES)
    {
      const char *name = p;
      const char *value, *value_end;
      gsize length;
      gboolean again = FALSE;

      while (p < end && ear_xml_is_name_char (*p))
        p++;
      length = p - name;
      if (length == 0)
        {
          p++;
          continue;
        }
      p = read_value (p, end, &value, &value_end);
      if (p == NULL || !ear_xml_is_name_start (*name) || length > EAR_XML_MAX_NAME || name[length - 1] == ':' || value_end - value > MAX_ATTRIBUTE)
        continue;
      for (guint i = 0; i < n && !again; i++)
        again = seen[i].length == length && memcmp (seen[i].name, name, length) == 0;
      if (again)
        continue;
      seen[n].name = name;
      seen[n++].length = length;
      g_string_append_c (out, ' ');
      g_string_append_len (out, name, length);
      g_string_append (out, "=\"");
      put_attribute_value (self, value, value_end, out);
      g_string_append_c (out, '"');
    }
}

/**
 * ear_xml_writer_start_element:
 * @name: (array length=length): the name in a start tag
 * @length: how many bytes it has
 * @end: where that ends; a `/` before it makes the element an empty one
 */
void
ear_xml_writer_start_element (EarXmlWriter *self, const char *name, gsize length, const char *attributes, const char *end, GString *out)
{
  gboolean empty = (end > attributes && end[-1] == '/') || is_void (name, length);
  Open open = { 0, FALSE };

  write_text (self, out);
  if (ear_xml_is_one_of (self->unnested, name, length))
    for (int outer = find_open (self, name, length); outer > 0 && (int) self->open->len > outer;)
      close_top (self, out);
  if (self->open->len >= MAX_DEPTH || self->too_deep > 0)
    {
      if (!empty)
        {
          self->too_deep++;
          self->names_below |= get_name_bit (name, length);
        }
      return;
    }
  if (end > attributes && end[-1] == '/')
    end--;
  if (self->open->len > 0)
    g_array_index (self->open, Open, self->open->len - 1).has_children = TRUE;
  g_string_append_c (out, '<');
  g_string_append_len (out, name, length);
  put_attributes (self, attributes, end, out);
  g_string_append (out, empty ? "/>" : ">");
  if (empty)
    {
      self->complete = self->open->len == 0;
      return;
    }
  open.offset = self->names->len;
  g_string_append_len (self->names, name, length);
  g_string_append_c (self->names, '\0');
  g_array_append_val (self->open, open);
}

/**
 * ear_xml_writer_end_element:
 * @name: (array length=length): the name in an end tag
 * @length: how many bytes it has
 *
 * Ends the innermost element of that name and all within it, or nothing if there is none.
 */
void
ear_xml_writer_end_element (EarXmlWriter *self, const char *name, gsize length, GString *out)
{
  int index;

  if (self->too_deep > 0 && (self->names_below & get_name_bit (name, length)) != 0)
    {
      self->too_deep--;
      if (self->too_deep == 0)
        self->names_below = 0;
      return;
    }
  index = find_open (self, name, length);
  if (self->too_deep > 0 && index < 0)
    return;
  self->too_deep = 0;
  self->names_below = 0;
  if (index < 0)
    {
      /* A misspelt end tag ends a text; any other one has nothing to end. */
      if (self->open->len < 3 || is_html (name, length) ||
          g_array_index (self->open, Open, self->open->len - 1).has_children)
        return;
      index = self->open->len - 1;
    }
  write_text (self, out);
  while ((int) self->open->len > index)
    close_top (self, out);
}

/**
 * ear_xml_writer_new:
 * @unnested: (array zero-terminated=1): names of elements that cannot stand within
 *   themselves, so that a second one ends the first; must live as long as the result
 */
EarXmlWriter *
ear_xml_writer_new (const char *const *unnested)
{
  EarXmlWriter *self = g_new0 (EarXmlWriter, 1);

  self->unnested = unnested;
  self->entities = ear_xml_entities_new ();
  self->names = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));

  return self;
}

/**
 * ear_xml_writer_free:
 * @self: (transfer full): a writer
 */
void
ear_xml_writer_free (EarXmlWriter *self)
{
  ear_xml_entities_free (self->entities);
  g_string_free (self->names, TRUE);
  g_string_free (self->text, TRUE);
  g_string_free (self->scratch, TRUE);
  g_array_unref (self->open);
  g_free (self);
}

/**
 * ear_xml_writer_set_text_func:
 * @text_func: called with a long text, which is then not part of the output
 *
 * Lets long texts go past the parser behind.
 */
void
ear_xml_writer_set_text_func (EarXmlWriter *self, EarXmlFlushFunc flush_func, EarXmlTextFunc text_func, gpointer user_data)
{
  self->flush_func = flush_func;
  self->text_func = text_func;
  self->user_data = user_data;
}

/**
 * ear_xml_writer_declare:
 * @doctype: (array length=length): a document type declaration
 * @length: how many bytes
 */
void
ear_xml_writer_declare (EarXmlWriter *self, const char *doctype, gsize length)
{
  ear_xml_entities_declare (self->entities, doctype, length);
}

/* Tells that the output is going to be parsed. A short text waits for the rest of it. */
void
ear_xml_writer_end_chunk (EarXmlWriter *self, GString *out)
{
  if (self->text->len >= LONG_TEXT)
    write_text (self, out);
}

/**
 * ear_xml_writer_is_innermost:
 * @name: (array length=length): a name
 * @length: how many bytes it has
 */
gboolean
ear_xml_writer_is_innermost (EarXmlWriter *self, const char *name, gsize length)
{
  return self->open->len > 0 && find_open (self, name, length) == (int) self->open->len - 1;
}

gboolean
ear_xml_writer_get_complete (EarXmlWriter *self)
{
  return self->complete;
}
