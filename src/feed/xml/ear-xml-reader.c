/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-xml-reader.h"

#include "ear-xml-chars.h"

#include <string.h>

/*
 * Clean UTF-8 in, elements and texts out, chunk by chunk. One feed in 25 is not well-formed, and a strict parser's
 * recovery loses or moves episodes. Here:
 *
 * - whatever comes before the root element (blank lines, a script's warnings) is left out
 * - stray `&` and `<` become text; references of HTML are resolved
 * - end tags that fit nothing are left out, missing ones are put in
 * - attributes need no quotes, doubles are left out
 * - comments, processing instructions and the document type are left out: there is no entity but those of HTML
 *   and short ones that a document declares, and nothing to fetch or to expand
 *
 * Depth, length of tags and number of attributes have bounds, and so has memory: what is held
 * back is at most one tag.
 */

#define MAX_TAG (128 * 1024)
#define MAX_DOCTYPE (64 * 1024)

/* If no root element came in so many bytes, none is waited for. */
#define MAX_PROLOG (256 * 1024)

typedef enum
{
  STATE_MARKUP,
  STATE_CDATA,
  STATE_COMMENT,
  STATE_SKIP, /* to the next `>` */
} State;

/* The state of a search for the end of a tag or document type that has not come yet */
typedef struct
{
  gsize offset;       /* bytes that were searched already */
  char last;          /* the last character before there that is no white space */
  char quote;         /* the quotation mark that is open there, or 0 */
  gboolean in_subset; /* of a document type */
} Scan;

struct _EarXmlReader
{
  /* Borrowed */
  const char *const *roots;

  /* Owned */
  EarXmlElements *elements;
  GString *rest; /* what has come, and cannot be read before more comes */

  State state;
  Scan scan; /* of the tag or document type that `rest` begins with */
  gsize prolog;
  EarXmlKind kind;
  gboolean has_markup;
  gboolean has_element; /* before the root */
  gboolean claims_page; /* <!DOCTYPE html> */
};

static void
add_literal_tag (EarXmlReader *self, const char *text, gsize length)
{
  ear_xml_elements_add_text (self->elements, "<", 1);
  ear_xml_elements_add_text (self->elements, text, length);
}

/* Whether the tag may come now; decides what the document is as long as it has no root. */
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

/* What stands between `<` and `>` */
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
      /* An address in angle brackets, and the like */
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

/* Finds `>` outside quotes, or the `<` of another tag; NULL when neither has come. */
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

/*
 * From here on: each reads from @p, and returns where there is more to be read; @p itself when that
 * cannot be told before more has come.
 */

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

/* Finds `>` outside quotes and the internal subset; NULL when it has not come. */
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
      /* Feeds have been seen with it, too: the first element decides. */
      if (g_ascii_strncasecmp (name, "html", 4) == 0 && !ear_xml_is_name_char (name[4]))
        self->claims_page = TRUE;
      ear_xml_elements_declare (self->elements, text, stop - text);
    }

  return stop + 1;
}

/* From `<` on */
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

/* All three must live as long as the result.
 * @roots: (array zero-terminated=1): local names of the root elements that are wanted
 * @unnested: (array zero-terminated=1): names of elements that cannot stand within
 *   themselves, so that a second one ends the first
 * @handler: who is told what is in the document */
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

/* @text: (array length=length): the next part of the document: UTF-8 without characters that
 *   XML forbids
 * @length: how many bytes */
void
ear_xml_reader_push (EarXmlReader *self, const char *text, gsize length)
{
  const char *p, *end, *next;

  g_string_append_len (self->rest, text, length);
  p = self->rest->str;
  end = p + self->rest->len;
  while (p < end && (next = is_done (self) ? end : read_next (self, p, end)) != p)
    p = next;
  /* GLib moves all of the text even where nothing is erased, which a long tag in small pieces would pay for each time. */
  if (p > self->rest->str)
    g_string_erase (self->rest, 0, p - self->rest->str);
  if (self->kind == EAR_XML_UNDECIDED)
    {
      self->prolog += length;
      if (self->prolog > MAX_PROLOG)
        self->kind = EAR_XML_OTHER;
    }
}

/* Tells that nothing more comes. What has been opened stays open, so that what was cut can be told from what is
 * whole; only an end tag that lacks its last character counts. */
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

/* Returns: what the document is, as far as that shows */
EarXmlKind
ear_xml_reader_get_kind (EarXmlReader *self)
{
  return self->kind;
}

/* Returns: whether anything like an element, a declaration or an instruction was seen */
gboolean
ear_xml_reader_get_has_markup (EarXmlReader *self)
{
  return self->has_markup;
}
