/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-xml-elements.h"

#include "ear-xml-chars.h"
#include "ear-xml-entities.h"

#include <string.h>

/* The half of the reader that guarantees well-formedness: it tracks the open elements,
 * closes those that have to end before another one, and reports elements with valid
 * attributes and texts. */

#define MAX_DEPTH 200
#define MAX_ATTRIBUTES 100
#define MAX_ATTRIBUTE (16 * 1024)

/* Each element compares its namespace with all namespaces declared around it. */
#define MAX_SPACES 64
#define MAX_SPACE_ADDRESS 512

typedef struct
{
  guint offset;   /* of the name in `names` */
  guint n_spaces; /* declared outside the element */
  gboolean has_children;
} Open;

/* A declared prefix and its namespace; the default namespace has an empty prefix. */
typedef struct
{
  char *prefix;
  char *address;
} Space;

struct _EarXmlElements
{
  /* Borrowed */
  const char *const *unnested;
  const EarXmlHandler *handler;
  gpointer user_data;

  /* Owned */
  EarXmlEntities entities;
  GString *names;   /* names of the open elements, each with its NUL */
  GArray *open;     /* (element-type Open) */
  GArray *spaces;   /* (element-type Space) */
  GString *scratch; /* attribute names and values, each with NUL; reference texts */

  gboolean complete;
};

static void
space_clear (gpointer data)
{
  Space *space = data;

  g_free (space->prefix);
  g_free (space->address);
}

/* Returns: (transfer none): the name without its prefix */
const char *
ear_xml_get_local (const char *name)
{
  const char *colon = strchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

/* @name: a name without a prefix
 * Returns: (transfer none) (nullable): the value of the attribute of that name, or else
 *   of one that differs in case; %NULL if it is missing or empty. Valid within the start
 *   function. */
const char *
ear_xml_attributes_get (const EarXmlAttributes *self, const char *name)
{
  const char *found = NULL;

  for (guint i = 0; i < self->n; i++)
    {
      if (strcmp (self->list[i].local, name) == 0)
        return *self->list[i].value != '\0' ? self->list[i].value : NULL;
      if (found == NULL && g_ascii_strcasecmp (self->list[i].local, name) == 0)
        found = self->list[i].value;
    }

  return !ear_is_empty (found) ? found : NULL;
}

/* Returns: whether the attribute has that value, ignoring case */
gboolean
ear_xml_attributes_is (const EarXmlAttributes *self, const char *name, const char *value)
{
  const char *found = ear_xml_attributes_get (self, name);

  return found != NULL && g_ascii_strcasecmp (found, value) == 0;
}

/* HTML elements without an end tag, except those that feeds use as well */
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

/* Adds text to the innermost element; drops text outside the root.
 * @text: (array length=length): literal text
 * @length: its length in bytes */
void
ear_xml_elements_add_text (EarXmlElements *self, const char *text, gsize length)
{
  if (self->open->len > 0 && length > 0 && self->handler->text != NULL)
    self->handler->text (text, length, self->user_data);
}

/* Adds the text of a reference.
 * @body: (array length=length): the text between `&` and `;`
 * @length: its length in bytes
 * Returns: %FALSE if it is not a reference */
gboolean
ear_xml_elements_add_reference (EarXmlElements *self, const char *body, gsize length)
{
  const char *usual = NULL;

  /* Fast path: escaped HTML is full of these. */
  if (length == 2 && body[1] == 't')
    usual = body[0] == 'l' ? "<" : body[0] == 'g' ? ">" : NULL;
  else if (length == 3 && memcmp (body, "amp", 3) == 0)
    usual = "&";
  else if (length == 4 && memcmp (body, "quot", 4) == 0)
    usual = "\"";
  if (usual != NULL)
    {
      ear_xml_elements_add_text (self, usual, 1);
      return TRUE;
    }
  if (self->open->len == 0)
    return TRUE;
  g_string_truncate (self->scratch, 0);
  if (!ear_xml_entities_resolve (&self->entities, body, length, self->scratch))
    return FALSE;
  ear_xml_elements_add_text (self, self->scratch->str, self->scratch->len);

  return TRUE;
}

static const char *
name_at (EarXmlElements *self, guint index)
{
  return self->names->str + g_array_index (self->open, Open, index).offset;
}

static void
close_top (EarXmlElements *self)
{
  const guint top = self->open->len - 1;
  const Open *open = &g_array_index (self->open, Open, top);

  self->handler->end (name_at (self, top), self->user_data);
  g_string_truncate (self->names, open->offset);
  g_array_set_size (self->spaces, open->n_spaces);
  g_array_set_size (self->open, top);
  if (top == 0)
    self->complete = TRUE;
}

/* Returns: the innermost open element of a name, or -1 */
static int
find_open (EarXmlElements *self, const char *name, gsize length)
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

/* White space in an attribute becomes a space (XML 1.0, section 3.3.3). */
static void
append_value (EarXmlElements *self, const char *value, const char *end)
{
  const gsize start = self->scratch->len;

  for (; value < end; value++)
    {
      const char *stop = *value == '&' ? memchr (value, ';', MIN (end - value, EAR_XML_MAX_REFERENCE)) : NULL;

      if (stop != NULL && ear_xml_entities_resolve (&self->entities, value + 1, stop - value - 1, self->scratch))
        value = stop;
      else
        g_string_append_c (self->scratch, *value);
    }
  g_strdelimit (self->scratch->str + start, "\t\r\n", ' ');
}

/* @p: the end of an attribute's name
 * @end: the end of its tag
 * @value: (out): the start of its value, which may be empty
 * @value_end: (out): the end of its value
 * Returns: (nullable): the start of the next attribute; %NULL if a quotation mark is not
 *   closed before @end */
const char *
ear_xml_read_value (const char *p, const char *end, const char **value, const char **value_end)
{
  const char *rest = p;

  while (rest < end && ear_xml_is_space (*rest))
    rest++;
  *value = *value_end = p;
  if (rest == end || *rest != '=')
    return p;
  for (rest++; rest < end && ear_xml_is_space (*rest);)
    rest++;
  *value = rest;
  if (rest < end && (*rest == '"' || *rest == '\''))
    {
      *value = rest + 1;
      *value_end = memchr (*value, *rest, end - *value);
      if (*value_end != NULL)
        return *value_end + 1;
      *value_end = end;
      return NULL;
    }
  while (rest < end && !ear_xml_is_space (*rest))
    rest++;
  *value_end = rest;

  return rest;
}

/* Offsets of an attribute's name and value in `scratch` */
typedef struct
{
  gsize name;
  gsize value;
} Place;

static gboolean
has_attribute (EarXmlElements *self, const Place *places, guint n, const char *name, gsize length)
{
  for (guint i = 0; i < n; i++)
    if (places[i].value - places[i].name == length + 1 && memcmp (self->scratch->str + places[i].name, name, length) == 0)
      return TRUE;

  return FALSE;
}

static guint
read_attributes (EarXmlElements *self, const char *p, const char *end, Place *places)
{
  guint n = 0;

  g_string_truncate (self->scratch, 0);
  while (p != NULL && p < end && n < MAX_ATTRIBUTES)
    {
      const char *name = p;
      const char *value, *value_end;
      gsize length;

      while (p < end && ear_xml_is_name_char (*p))
        p++;
      length = p - name;
      if (length == 0)
        {
          p++;
          continue;
        }
      p = ear_xml_read_value (p, end, &value, &value_end);
      if (p == NULL || !ear_xml_is_name_start (*name) || length > EAR_XML_MAX_NAME || name[length - 1] == ':' ||
          value_end - value > MAX_ATTRIBUTE || has_attribute (self, places, n, name, length))
        continue;
      places[n].name = self->scratch->len;
      g_string_append_len (self->scratch, name, length);
      g_string_append_c (self->scratch, '\0');
      places[n++].value = self->scratch->len;
      append_value (self, value, value_end);
      g_string_append_c (self->scratch, '\0');
    }

  return n;
}

/* Declares a namespace (Namespaces in XML 1.0, section 3).
 * Returns: %FALSE if the attribute is not a declaration */
static gboolean
declare_space (EarXmlElements *self, const char *name, const char *address)
{
  Space space;

  if (!g_str_has_prefix (name, "xmlns") || (name[5] != '\0' && name[5] != ':'))
    return FALSE;
  if ((name[5] == ':' && *address == '\0') || self->spaces->len >= MAX_SPACES)
    return TRUE;

  space.prefix = g_strdup (name[5] == ':' ? name + 6 : "");
  space.address = g_strndup (address, MAX_SPACE_ADDRESS);
  g_array_append_val (self->spaces, space);

  return TRUE;
}

static const char *
find_space (EarXmlElements *self, const char *name)
{
  const char *local = ear_xml_get_local (name);
  const gsize length = local > name ? local - name - 1 : 0;

  for (guint i = self->spaces->len; i > 0; i--)
    {
      const Space *space = &g_array_index (self->spaces, Space, i - 1);

      if (strncmp (space->prefix, name, length) == 0 && space->prefix[length] == '\0')
        return space->address;
    }

  return NULL;
}

static void
tell_start (EarXmlElements *self, const char *p, const char *end)
{
  Place places[MAX_ATTRIBUTES];
  EarXmlAttribute list[MAX_ATTRIBUTES];
  EarXmlAttributes attributes = { list, 0 };
  const guint n_places = read_attributes (self, p, end, places);
  const char *element = name_at (self, self->open->len - 1);

  for (guint i = 0; i < n_places; i++)
    {
      const char *name = self->scratch->str + places[i].name;
      const char *value = self->scratch->str + places[i].value;

      if (!declare_space (self, name, value))
        list[attributes.n++] = (EarXmlAttribute) { name, ear_xml_get_local (name), value };
    }
  self->handler->start (element, find_space (self, element), &attributes, self->user_data);
}

/* @name: (array length=length): the name in a start tag
 * @length: its length in bytes
 * @attributes: the text after the name
 * @end: the end of the tag; a `/` before it makes the element an empty one */
void
ear_xml_elements_start (EarXmlElements *self, const char *name, gsize length, const char *attributes, const char *end)
{
  gboolean empty = (end > attributes && end[-1] == '/') || is_void (name, length);
  Open open = { 0 };

  if (ear_xml_is_one_of (self->unnested, name, length))
    for (int outer = find_open (self, name, length); outer > 0 && (int) self->open->len > outer;)
      close_top (self);
  if (self->open->len >= MAX_DEPTH)
    return;
  if (end > attributes && end[-1] == '/')
    end--;
  if (self->open->len > 0)
    g_array_index (self->open, Open, self->open->len - 1).has_children = TRUE;
  open.offset = self->names->len;
  open.n_spaces = self->spaces->len;
  g_string_append_len (self->names, name, length);
  g_string_append_c (self->names, '\0');
  g_array_append_val (self->open, open);
  tell_start (self, attributes, end);
  if (empty)
    close_top (self);
}

/* Ends the innermost element of that name and all elements within it; does nothing if
 * there is none.
 * @name: (array length=length): the name in an end tag
 * @length: its length in bytes */
void
ear_xml_elements_end (EarXmlElements *self, const char *name, gsize length)
{
  int index = find_open (self, name, length);

  if (index < 0)
    {
      /* A misspelled end tag ends a text element; any other unmatched end tag is
       * dropped. */
      if (self->open->len < 3 || is_html (name, length) ||
          g_array_index (self->open, Open, self->open->len - 1).has_children)
        return;
      index = self->open->len - 1;
    }
  while ((int) self->open->len > index)
    close_top (self);
}

/* @unnested: (array zero-terminated=1): names of elements that cannot contain themselves:
 *   a second start tag ends the first
 * @handler: callbacks; like @unnested, they must outlive the result */
EarXmlElements *
ear_xml_elements_new (const char *const *unnested, const EarXmlHandler *handler, gpointer user_data)
{
  EarXmlElements *self = g_new0 (EarXmlElements, 1);

  self->unnested = unnested;
  self->handler = handler;
  self->user_data = user_data;
  self->names = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));
  self->spaces = g_array_new (FALSE, FALSE, sizeof (Space));
  g_array_set_clear_func (self->spaces, space_clear);

  return self;
}

void
ear_xml_elements_free (EarXmlElements *self)
{
  g_clear_pointer (&self->entities.declared, g_hash_table_unref);
  g_string_free (self->names, TRUE);
  g_string_free (self->scratch, TRUE);
  g_array_unref (self->open);
  g_array_unref (self->spaces);
  g_free (self);
}

/* @doctype: (array length=length): a document type declaration
 * @length: its length in bytes */
void
ear_xml_elements_declare (EarXmlElements *self, const char *doctype, gsize length)
{
  ear_xml_entities_declare (&self->entities, doctype, length);
}

/* @name: (array length=length): a name
 * @length: its length in bytes */
gboolean
ear_xml_elements_is_innermost (EarXmlElements *self, const char *name, gsize length)
{
  return self->open->len > 0 && find_open (self, name, length) == (int) self->open->len - 1;
}

gboolean
ear_xml_elements_get_complete (EarXmlElements *self)
{
  return self->complete;
}
