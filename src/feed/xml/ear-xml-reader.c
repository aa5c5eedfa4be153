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
  STATE_TEXT,
  STATE_REFERENCE, /* after `&` */
  STATE_MARKUP,    /* after `<`, as long as it may be several things */
  STATE_TAG,
  STATE_CDATA,
  STATE_COMMENT,
  STATE_DOCTYPE,
  STATE_SKIP, /* to the next `>` */
} State;

struct _EarXmlReader
{
  /* Borrowed */
  const char *const *roots;

  /* Owned */
  EarXmlElements *elements;
  GString *held; /* markup whose end has not come */

  State state;
  guint run;   /* of `]` in CDATA, of `-` in a comment */
  guint depth; /* of `[` in a document type */
  char quote;  /* the open quotation mark, or 0 */
  char last;   /* the last character of a tag that is no white space */
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
find_tag_end (EarXmlReader *self, const char *p, const char *end)
{
  for (; p < end; p++)
    {
      if (self->quote != '\0')
        {
          p = memchr (p, self->quote, end - p);
          if (p == NULL)
            return NULL;
          self->last = self->quote;
          self->quote = '\0';
        }
      else if (*p == '>' || *p == '<')
        return p;
      else if ((*p == '"' || *p == '\'') && self->last == '=')
        self->quote = *p;
      else if (!ear_xml_is_space (*p))
        self->last = *p;
    }

  return NULL;
}

static void
hold (EarXmlReader *self, const char *text, gsize length, gsize limit)
{
  if (self->held->len < limit)
    g_string_append_len (self->held, text, MIN (length, limit - self->held->len));
}

static const char *
finish_tag (EarXmlReader *self, const char *text, gsize length, const char *stop)
{
  gboolean is_end = length > 1 && text[0] == '/' && ear_xml_is_name_start (text[1]);

  self->state = STATE_TEXT;
  if (*stop == '>' || is_end)
    put_tag (self, text, length);
  else
    add_literal_tag (self, text, length);

  return *stop == '>' ? stop + 1 : stop;
}

static const char *
read_tag (EarXmlReader *self, const char *p, const char *end)
{
  const char *stop = find_tag_end (self, p, end);

  if (stop == NULL)
    {
      hold (self, p, end - p, MAX_TAG);
      return end;
    }
  if (self->held->len == 0)
    return finish_tag (self, p, stop - p, stop);
  hold (self, p, stop - p, MAX_TAG);
  if (self->held->len == MAX_TAG && self->last == '/')
    self->held->str[MAX_TAG - 1] = '/';

  return finish_tag (self, self->held->str, self->held->len, stop);
}

static gboolean
may_become (GString *held, const char *word)
{
  return held->len <= strlen (word) && g_ascii_strncasecmp (held->str, word, held->len) == 0;
}

static void
start_state (EarXmlReader *self, State state)
{
  self->state = state;
  self->run = 0;
  self->depth = 0;
  self->quote = '\0';
  self->last = '\0';
  g_string_truncate (self->held, 0);
}

/* After `<` */
static const char *
read_markup (EarXmlReader *self, const char *p, const char *end)
{
  static const struct
  {
    const char *word;
    State state;
  } words[] = { { "!--", STATE_COMMENT }, { "![CDATA[", STATE_CDATA }, { "!DOCTYPE", STATE_DOCTYPE } };

  if (self->held->len == 0 && (ear_xml_is_name_start (*p) || *p == '/'))
    {
      start_state (self, STATE_TAG);
      return p;
    }
  if (self->held->len == 0 && *p == '?')
    {
      start_state (self, STATE_SKIP);
      return p;
    }
  if (self->held->len == 0 && *p != '!')
    {
      ear_xml_elements_add_text (self->elements, "<", 1);
      self->state = STATE_TEXT;
      return p;
    }
  for (; p < end; p++)
    {
      gboolean open = FALSE;

      g_string_append_c (self->held, *p);
      for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (may_become (self->held, words[i].word))
          {
            if (self->held->len == strlen (words[i].word))
              {
                start_state (self, words[i].state);
                return p + 1;
              }
            open = TRUE;
          }
      if (!open)
        {
          start_state (self, STATE_SKIP);
          return p;
        }
    }

  return end;
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
        break;
      for (span = 1; ampersand + span < end && span < EAR_XML_MAX_REFERENCE && !ends_reference (ampersand[span]);)
        span++;
      if (ampersand + span == end)
        {
          start_state (self, STATE_REFERENCE);
          return ampersand + 1;
        }
      p = ampersand + 1;
      if (ampersand[span] == ';' && ear_xml_elements_add_reference (self->elements, p, span - 1))
        p += span;
      else
        ear_xml_elements_add_text (self->elements, "&", 1);
    }
  if (mark == NULL)
    return end;
  start_state (self, STATE_MARKUP);

  return mark + 1;
}

/* After `&`, when the reference goes on in the next chunk */
static const char *
read_reference (EarXmlReader *self, const char *p, const char *end)
{
  while (p < end && !ends_reference (*p) && self->held->len + 1 < EAR_XML_MAX_REFERENCE)
    g_string_append_c (self->held, *p++);
  if (p == end)
    return end;
  self->state = STATE_TEXT;
  if (*p == ';' && ear_xml_elements_add_reference (self->elements, self->held->str, self->held->len))
    return p + 1;
  ear_xml_elements_add_text (self->elements, "&", 1);
  ear_xml_elements_add_text (self->elements, self->held->str, self->held->len);

  return p;
}

static const char *
read_cdata (EarXmlReader *self, const char *p, const char *end)
{
  while (p < end)
    if (self->run == 0)
      {
        const char *bracket = memchr (p, ']', end - p);

        ear_xml_elements_add_text (self->elements, p, (bracket != NULL ? bracket : end) - p);
        if (bracket == NULL)
          return end;
        self->run = 1;
        p = bracket + 1;
      }
    else if (*p == '>' && self->run == 2)
      {
        self->state = STATE_TEXT;
        return p + 1;
      }
    else if (*p == ']')
      {
        if (self->run == 2)
          ear_xml_elements_add_text (self->elements, "]", 1);
        self->run = 2;
        p++;
      }
    else
      {
        ear_xml_elements_add_text (self->elements, "]]", self->run);
        self->run = 0;
      }

  return end;
}

static const char *
read_comment (EarXmlReader *self, const char *p, const char *end)
{
  while (p < end)
    if (self->run == 0)
      {
        p = memchr (p, '-', end - p);
        if (p == NULL)
          return end;
        self->run = 1;
        p++;
      }
    else if (*p == '>' && self->run >= 2)
      {
        self->state = STATE_TEXT;
        return p + 1;
      }
    else
      {
        self->run = *p == '-' ? 2 : 0;
        p++;
      }

  return end;
}

static const char *
read_doctype (EarXmlReader *self, const char *p, const char *end)
{
  const char *start = p;

  for (; p < end; p++)
    if (self->quote != '\0')
      {
        if (*p == self->quote)
          self->quote = '\0';
      }
    else if ((*p == '"' || *p == '\'') && self->depth <= 1)
      self->quote = *p;
    else if (*p == '[')
      self->depth = 1;
    else if (*p == ']')
      self->depth = 0;
    else if (*p == '>' && self->depth == 0)
      break;
  hold (self, start, p - start, MAX_DOCTYPE);
  if (p == end)
    return end;
  if (self->kind == EAR_XML_UNDECIDED)
    {
      const char *name = self->held->str + strspn (self->held->str, " \t\r\n");

      /* Feeds have been seen with it, too: the first element decides. */
      if (g_ascii_strncasecmp (name, "html", 4) == 0 && !ear_xml_is_name_char (name[4]))
        self->claims_page = TRUE;
      ear_xml_elements_declare (self->elements, self->held->str, self->held->len);
    }
  self->has_markup = TRUE;
  self->state = STATE_TEXT;

  return p + 1;
}

static const char *
read_skip (EarXmlReader *self, const char *p, const char *end)
{
  const char *stop = memchr (p, '>', end - p);

  self->has_markup = TRUE;
  if (stop == NULL)
    return end;
  self->state = STATE_TEXT;

  return stop + 1;
}

static const char *
read_state (EarXmlReader *self, const char *p, const char *end)
{
  switch (self->state)
    {
    case STATE_TEXT:
      return read_text (self, p, end);
    case STATE_REFERENCE:
      return read_reference (self, p, end);
    case STATE_MARKUP:
      return read_markup (self, p, end);
    case STATE_TAG:
      return read_tag (self, p, end);
    case STATE_CDATA:
      return read_cdata (self, p, end);
    case STATE_COMMENT:
      return read_comment (self, p, end);
    case STATE_DOCTYPE:
      return read_doctype (self, p, end);
    case STATE_SKIP:
      return read_skip (self, p, end);
    default:
      g_assert_not_reached ();
    }
}

/**
 * ear_xml_reader_new:
 * @roots: (array zero-terminated=1): local names of the root elements that are wanted
 * @unnested: (array zero-terminated=1): names of elements that cannot stand within
 *   themselves, so that a second one ends the first
 * @handler: who is told what is in the document
 *
 * All three must live as long as the result.
 */
EarXmlReader *
ear_xml_reader_new (const char *const *roots, const char *const *unnested, const EarXmlHandler *handler, gpointer user_data)
{
  EarXmlReader *self = g_new0 (EarXmlReader, 1);

  self->roots = roots;
  self->elements = ear_xml_elements_new (unnested, handler, user_data);
  self->held = g_string_new (NULL);

  return self;
}

/**
 * ear_xml_reader_free:
 * @self: (transfer full): a reader
 */
void
ear_xml_reader_free (EarXmlReader *self)
{
  ear_xml_elements_free (self->elements);
  g_string_free (self->held, TRUE);
  g_free (self);
}

/**
 * ear_xml_reader_push:
 * @text: (array length=length): the next part of the document: UTF-8 without characters that
 *   XML forbids
 * @length: how many bytes
 */
void
ear_xml_reader_push (EarXmlReader *self, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end && !ear_xml_elements_get_complete (self->elements) && (self->kind == EAR_XML_UNDECIDED || self->kind == EAR_XML_ROOT))
    text = read_state (self, text, end);
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
  gsize length = 1;

  while (length < self->held->len && ear_xml_is_name_char (self->held->str[length]))
    length++;
  if (self->state == STATE_TAG && self->held->str[0] == '/' &&
      ear_xml_elements_is_innermost (self->elements, self->held->str + 1, length - 1))
    put_tag (self, self->held->str, length);
  if (self->claims_page && self->kind == EAR_XML_UNDECIDED)
    self->kind = EAR_XML_WEB_PAGE;
  self->state = STATE_TEXT;
}

/**
 * ear_xml_reader_get_kind:
 *
 * Returns: what the document is, as far as that shows
 */
EarXmlKind
ear_xml_reader_get_kind (EarXmlReader *self)
{
  return self->kind;
}

/**
 * ear_xml_reader_get_has_markup:
 *
 * Returns: whether anything like an element, a declaration or an instruction was seen
 */
gboolean
ear_xml_reader_get_has_markup (EarXmlReader *self)
{
  return self->has_markup;
}
