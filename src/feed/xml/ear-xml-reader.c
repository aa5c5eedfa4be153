/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-xml-reader.h"

#include "ear-xml-chars.h"

#include <string.h>

/* Clean UTF-8 in, elements and texts out, chunk by chunk. One feed in 25 is not
 * well-formed, and the recovery of a strict parser loses or moves episodes. Rules:
 *
 * - everything before the root element (blank lines, warnings of a script) is dropped
 * - stray `&` and `<` become text; HTML references are resolved
 * - unmatched end tags are dropped, missing ones are added
 * - attributes need no quotes, duplicates are dropped
 * - comments, processing instructions and the document type are dropped: the only
 *   entities are those of HTML and short ones that the document declares; nothing is
 *   fetched or expanded
 *
 * Depth, tag length and number of attributes are limited, and so is memory: at most one
 * tag is buffered. */

#define MAX_TAG (128 * 1024)
#define MAX_DOCTYPE (64 * 1024)

/* A document without a root element within this many bytes is rejected. */
#define MAX_PROLOG (256 * 1024)

typedef enum
{
  STATE_MARKUP,
  STATE_CDATA,
  STATE_COMMENT,
  STATE_SKIP, /* skip to the next `>` */
} State;

/* The state of an unfinished search for the end of a tag or document type */
typedef struct
{
  gsize offset;       /* bytes searched so far */
  char last;          /* the last character before it that is not white space */
  char quote;         /* the open quotation mark, or 0 */
  gboolean in_subset; /* of a document type */
} Scan;

struct _EarXmlReader
{
  /* Borrowed */
  const char *const *roots;

  /* Owned */
  EarXmlElements *elements;
  GString *rest; /* input that needs more bytes to be read */

  State state;
  Scan scan; /* of the tag or document type at the start of `rest` */
  gsize prolog;
  EarXmlKind kind;
  gboolean has_markup;
  gboolean has_element; /* seen before the root */
  gboolean claims_page; /* <!DOCTYPE html> */
};

static void
add_literal_tag (EarXmlReader *self, const char *text, gsize length)
{
  ear_xml_elements_add_text (self->elements, "<", 1);
  ear_xml_elements_add_text (self->elements, text, length);
}

/* Returns: whether the tag is allowed; before the root, determines the kind of the
 *   document */
static gboolean
check_root (EarXmlReader *self, const char *name, gsize length)
{
  static const char *const page[] = { "html", NULL };
  static const char *const parts[] = { "head", "body", NULL };
  gboolean is_first = !self->has_element;
  const char *colon = memchr (name, ':', length);
  gsize prefix = colon != NULL ? colon - name + 1 : 0;

  self->has_markup = TRUE;
  if (self->kind == EAR_XML_ROOT)
    return TRUE;
  self->has_element = TRUE;
  if (ear_xml_is_one_of (self->roots, name + prefix, length - prefix))
    self->kind = EAR_XML_ROOT;
  else if (self->claims_page || ear_xml_is_one_of (page, name, length) || (is_first && ear_xml_is_one_of (parts, name, length)))
    self->kind = EAR_XML_WEB_PAGE;

  return self->kind == EAR_XML_ROOT;
}

/* Reads the text between `<` and `>`. */
static void
put_tag (EarXmlReader *self, const char *text, gsize length)
{
  gboolean is_end = length > 0 && text[0] == '/';
  const char *name = text + is_end;
  const char *end = text + length;
  const char *p = name;
  gsize size;

  while (p < end && ear_xml_is_name_char (*p))
    p++;
  size = p - name;
  if (size == 0 || !ear_xml_is_name_start (*name) || name[size - 1] == ':' || (p < end && !ear_xml_is_space (*p) && *p != '/'))
    {
      /* A URL in angle brackets, or similar */
      add_literal_tag (self, text, length);
      ear_xml_elements_add_text (self->elements, ">", 1);
    }
  else if (size > EAR_XML_MAX_NAME || !check_root (self, name, size))
    return;
  else if (is_end)
    ear_xml_elements_end (self->elements, name, size);
  else
    ear_xml_elements_start (self->elements, name, size, p, end);
}

/* Returns: (nullable): a `>` outside quotes, or the `<` of another tag; NULL before
 *   either has arrived */
static const char *
find_tag_end (Scan *scan, const char *text, const char *end)
{
  for (const char *p = text + scan->offset; p < end; p++)
    if (scan->quote != '\0')
      {
        p = memchr (p, scan->quote, end - p);
        if (p == NULL)
          break;
        scan->quote = '\0';
        scan->last = '"';
      }
    else if (*p == '>' || *p == '<')
      return p;
    else if ((*p == '"' || *p == '\'') && scan->last == '=')
      scan->quote = *p;
    else if (!ear_xml_is_space (*p))
      scan->last = *p;
  scan->offset = end - text;

  return NULL;
}

/* The following functions read from @p and return the position after what they have read;
 * @p itself if they need more input. */

static const char *
read_tag (EarXmlReader *self, const char *p, const char *end)
{
  const char *text = p + 1;
  const char *stop = find_tag_end (&self->scan, text, end);
  gboolean is_end;

  if (stop == NULL && end - p < MAX_TAG)
    return p;
  self->scan = (Scan) { 0 };
  if (stop == NULL)
    {
      self->state = STATE_SKIP;
      put_tag (self, text, end - text);
      return end;
    }
  is_end = stop > text + 1 && text[0] == '/' && ear_xml_is_name_start (text[1]);
  if (*stop == '>' || is_end)
    put_tag (self, text, stop - text);
  else
    add_literal_tag (self, text, stop - text);

  return *stop == '>' ? stop + 1 : stop;
}

/* Returns: (nullable): a `>` outside quotes and the internal subset; NULL before it has
 *   arrived */
static const char *
find_doctype_end (Scan *scan, const char *text, const char *end)
{
  for (const char *p = text + scan->offset; p < end; p++)
    if (scan->quote != '\0')
      scan->quote = *p == scan->quote ? '\0' : scan->quote;
    else if (*p == '"' || *p == '\'')
      scan->quote = *p;
    else if (*p == '[' || *p == ']')
      scan->in_subset = *p == '[';
    else if (*p == '>' && !scan->in_subset)
      return p;
  scan->offset = end - text;

  return NULL;
}

static const char *
read_doctype (EarXmlReader *self, const char *p, const char *end)
{
  const char *text = p + strlen ("<!DOCTYPE");
  const char *stop = find_doctype_end (&self->scan, text, end);

  if (stop == NULL && end - p < MAX_DOCTYPE)
    return p;
  self->scan = (Scan) { 0 };
  self->has_markup = TRUE;
  if (stop == NULL)
    {
      self->state = STATE_SKIP;
      return text;
    }
  if (self->kind == EAR_XML_UNDECIDED)
    {
      const char *name = text;

      while (ear_xml_is_space (*name))
        name++;
      /* Some feeds have this document type, too: the first element decides. */
      if (g_ascii_strncasecmp (name, "html", 4) == 0 && !ear_xml_is_name_char (name[4]))
        self->claims_page = TRUE;
      ear_xml_elements_declare (self->elements, text, stop - text);
    }

  return stop + 1;
}

/* @p: at a `<` */
static const char *
read_markup (EarXmlReader *self, const char *p, const char *end)
{
  static const struct
  {
    const char *word;
    State state;
  } words[] = { { "<!--", STATE_COMMENT }, { "<![CDATA[", STATE_CDATA }, { "<!DOCTYPE", STATE_MARKUP } };

  if (end - p == 1)
    return p;
  if (ear_xml_is_name_start (p[1]) || p[1] == '/')
    return read_tag (self, p, end);
  if (p[1] != '!' && p[1] != '?')
    {
      ear_xml_elements_add_text (self->elements, "<", 1);
      return p + 1;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const gsize length = strlen (words[i].word);

      if (g_ascii_strncasecmp (p, words[i].word, MIN (length, (gsize) (end - p))) != 0)
        continue;
      if ((gsize) (end - p) < length)
        return p;
      if (words[i].state == STATE_MARKUP)
        return read_doctype (self, p, end);
      self->state = words[i].state;
      return p + length;
    }
  self->state = STATE_SKIP;

  return p + 1;
}

static gboolean
ends_reference (char c)
{
  return c == ';' || c == '<' || c == '&' || ear_xml_is_space (c);
}

static const char *
read_text (EarXmlReader *self, const char *p, const char *end)
{
  const char *mark = memchr (p, '<', end - p);
  const char *stop = mark != NULL ? mark : end;

  while (p < stop)
    {
      const char *ampersand = memchr (p, '&', stop - p);
      gsize span;

      ear_xml_elements_add_text (self->elements, p, (ampersand != NULL ? ampersand : stop) - p);
      if (ampersand == NULL)
        return stop;
      for (span = 1; ampersand + span < end && span < EAR_XML_MAX_REFERENCE && !ends_reference (ampersand[span]);)
        span++;
      if (ampersand + span == end)
        return ampersand;
      p = ampersand + 1;
      if (ampersand[span] == ';' && ear_xml_elements_add_reference (self->elements, p, span - 1))
        p += span;
      else
        ear_xml_elements_add_text (self->elements, "&", 1);
    }

  return p;
}

static const char *
read_section (EarXmlReader *self, const char *p, const char *end)
{
  const char *found = memmem (p, end - p, self->state == STATE_CDATA ? "]]>" : "-->", 3);
  const char *stop = found != NULL ? found : end - p > 2 ? end - 2 : p;

  if (self->state == STATE_CDATA)
    ear_xml_elements_add_text (self->elements, p, stop - p);
  if (found == NULL)
    return stop;
  self->state = STATE_MARKUP;

  return found + 3;
}

static const char *
read_skip (EarXmlReader *self, const char *p, const char *end)
{
  const char *stop = memchr (p, '>', end - p);

  self->has_markup = TRUE;
  if (stop == NULL)
    return end;
  self->state = STATE_MARKUP;

  return stop + 1;
}

static const char *
read_next (EarXmlReader *self, const char *p, const char *end)
{
  if (self->state == STATE_SKIP)
    return read_skip (self, p, end);
  if (self->state != STATE_MARKUP)
    return read_section (self, p, end);

  return *p == '<' ? read_markup (self, p, end) : read_text (self, p, end);
}

/* All three must outlive the result.
 * @roots: (array zero-terminated=1): local names of accepted root elements
 * @unnested: (array zero-terminated=1): names of elements that cannot contain themselves:
 *   a second start tag ends the first
 * @handler: callbacks for the content */
EarXmlReader *
ear_xml_reader_new (const char *const *roots, const char *const *unnested, const EarXmlHandler *handler, gpointer user_data)
{
  EarXmlReader *self = g_new0 (EarXmlReader, 1);

  self->roots = roots;
  self->elements = ear_xml_elements_new (unnested, handler, user_data);
  self->rest = g_string_new (NULL);

  return self;
}

void
ear_xml_reader_free (EarXmlReader *self)
{
  ear_xml_elements_free (self->elements);
  g_string_free (self->rest, TRUE);
  g_free (self);
}

static gboolean
is_done (EarXmlReader *self)
{
  return ear_xml_elements_get_complete (self->elements) || (self->kind != EAR_XML_UNDECIDED && self->kind != EAR_XML_ROOT);
}

/* @text: (array length=length): the next part of the document: UTF-8 without characters
 *   that XML forbids
 * @length: its length in bytes */
void
ear_xml_reader_push (EarXmlReader *self, const char *text, gsize length)
{
  const char *p, *end, *next;

  g_string_append_len (self->rest, text, length);
  p = self->rest->str;
  end = p + self->rest->len;
  while (p < end && (next = is_done (self) ? end : read_next (self, p, end)) != p)
    p = next;
  /* g_string_erase() moves the whole text even if it erases nothing, which a long tag in
   * small pieces would pay for each time. */
  if (p > self->rest->str)
    g_string_erase (self->rest, 0, p - self->rest->str);
  if (self->kind == EAR_XML_UNDECIDED)
    {
      self->prolog += length;
      if (self->prolog > MAX_PROLOG)
        self->kind = EAR_XML_OTHER;
    }
}

/* Ends the document. Open elements stay open, which distinguishes a truncated document
 * from a complete one; only an end tag without its `>` is completed. */
void
ear_xml_reader_finish (EarXmlReader *self)
{
  const char *tag = self->rest->str + 1;
  gsize length = 1;

  if (self->state == STATE_MARKUP && g_str_has_prefix (self->rest->str, "</"))
    {
      while (ear_xml_is_name_char (tag[length]))
        length++;
      if (ear_xml_elements_is_innermost (self->elements, tag + 1, length - 1))
        put_tag (self, tag, length);
    }
  if (self->claims_page && self->kind == EAR_XML_UNDECIDED)
    self->kind = EAR_XML_WEB_PAGE;
}

/* Returns: the kind of the document, as far as it is known */
EarXmlKind
ear_xml_reader_get_kind (EarXmlReader *self)
{
  return self->kind;
}

/* Returns: whether any element, declaration or processing instruction was seen */
gboolean
ear_xml_reader_get_has_markup (EarXmlReader *self)
{
  return self->has_markup;
}
