/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-html-tokenizer.h"

#include "ear-entities.h"
#include "ear-xml-elements.h"

#include <string.h>

/* The HTML Standard's tokens (https://html.spec.whatwg.org/multipage/parsing.html),
 * without a tree, which show notes do not need. libxml2's HTML parser is not used: its
 * result for broken markup differs between versions. */

#define N_RAW 10

/* The first ones: they hide content in any vocabulary, such as SVG */
#define N_RAW_WITH_PREFIX 2

/* Returns: the index of the element if its content is neither markup nor shown, or -1 */
static int
find_raw (EarHtmlTokenizer *self)
{
  static const char *const names[N_RAW] = { "script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes",
                                            "noscript", "template" };

  for (int i = 0; i < (self->has_prefix ? N_RAW_WITH_PREFIX : N_RAW); i++)
    if (strcmp (names[i], self->name) == 0)
      return i;

  return -1;
}

static gboolean
is_space (char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* @p: a position within a tag
 * Returns: the tag's `>`, ignoring those in quoted values, or the end of the source if
 *   there is none */
const char *
ear_html_find_tag_end (const char *p)
{
  char last = '\0';

  for (; *p != '\0' && *p != '>'; p++)
    if ((*p == '"' || *p == '\'') && last == '=')
      {
        const char *quote = strchr (p + 1, *p);

        if (quote == NULL)
          return p + strlen (p);
        p = quote;
        last = '"';
      }
    else if (!is_space (*p))
      last = *p;

  return p;
}

/* Returns: the end tag of an element without markup; NULL if there is none, which is
 *   searched for only once per element name */
static const char *
skip_raw (EarHtmlTokenizer *self, int element)
{
  const guint bit = 1u << (element + (self->has_prefix ? N_RAW : 0));
  const gsize length = self->start - self->source_name;

  if ((self->without_end & bit) != 0)
    return NULL;
  for (const char *p = strchrnul (self->position, '<'); *p != '\0'; p = strchrnul (p + 1, '<'))
    if (p[1] == '/' && g_ascii_strncasecmp (p + 2, self->source_name, length) == 0 && !g_ascii_isalnum (p[2 + length]))
      return p;
  self->without_end |= bit;

  return NULL;
}

/* Skips a comment, a declaration or a processing instruction. */
static const char *
skip_declaration (const char *p)
{
  const char *end;

  /* g_str_has_prefix() would measure the whole rest of the source. */
  if (strncmp (p, "<!--", 4) == 0)
    {
      if (p[4] == '>')
        return p + 5;
      end = strstr (p + 4, "-->");
      return end != NULL ? end + 3 : p + strlen (p);
    }
  end = strchr (p, '>');

  return end != NULL ? end + 1 : p + strlen (p);
}

/* @p: the end of the tag */
static void
skip_content (EarHtmlTokenizer *self, const char *p)
{
  const int element = self->type == EAR_HTML_START ? find_raw (self) : -1;
  const char *end;

  /* The <title> of a drawing is shown: it is the alternative text. */
  if (element < 0 || (self->in_drawing && strcmp (self->name, "title") == 0))
    return;
  end = skip_raw (self, element);
  /* Without an end tag, an XHTML empty element (`/>`) and a prefixed element hide
   * nothing; any other hides the rest. */
  if (end != NULL)
    {
      self->content = self->position;
      self->content_length = end - self->position;
      self->position = end;
    }
  else if (!self->has_prefix && (p == self->start || p[-1] != '/'))
    self->position = p + strlen (p);
}

static void
read_tag (EarHtmlTokenizer *self)
{
  const char *p = self->position + 1;
  gsize length = 0;

  self->type = *p == '/' ? EAR_HTML_END : EAR_HTML_START;
  if (*p == '/')
    p++;
  self->source_name = p;
  self->has_prefix = FALSE;
  for (; *p != '\0' && *p != '>' && *p != '/' && !is_space (*p); p++)
    if (*p == ':')
      {
        /* Skip a prefix of XHTML or of another vocabulary. */
        length = 0;
        self->has_prefix = TRUE;
      }
    else if (length < sizeof self->name - 1)
      self->name[length++] = g_ascii_tolower (*p);
  self->name[length] = '\0';
  self->start = p;
  p = ear_html_find_tag_end (p);
  self->length = p - self->start;
  self->position = *p == '>' ? p + 1 : p;
  if (strcmp (self->name, "svg") == 0)
    self->in_drawing = self->type == EAR_HTML_START && p[-1] != '/';
  skip_content (self, p);
}

/* URLs in angle brackets are text, unlike in the HTML Standard. */
static gboolean
begins_tag (const char *p)
{
  p += p[1] == '/' ? 2 : 1;
  if (!g_ascii_isalpha (*p))
    return FALSE;
  while (g_ascii_isalnum (*p) || *p == '-' || (*p == ':' && g_ascii_isalpha (p[1])))
    p++;

  return *p == '>' || *p == '/' || *p == '\0' || is_space (*p);
}

static void
read_text (EarHtmlTokenizer *self)
{
  const char *p = self->position;

  self->type = EAR_HTML_TEXT;
  self->start = p;
  do
    p = strchrnul (p + 1, '<');
  while (*p == '<' && !begins_tag (p) && p[1] != '!' && p[1] != '?' && p[1] != '/');
  self->length = p - self->start;
  self->position = p;
}

/* @html: the source, which must outlive the tokenizer */
void
ear_html_tokenizer_init (EarHtmlTokenizer *self, const char *html)
{
  memset (self, 0, sizeof *self);
  self->position = html;
}

/* Returns: %FALSE at the end of the source */
gboolean
ear_html_tokenizer_next (EarHtmlTokenizer *self)
{
  self->content_length = 0;
  while (*self->position == '<' && !begins_tag (self->position) && self->position[1] != '\0' &&
         strchr ("!?/", self->position[1]) != NULL)
    self->position = skip_declaration (self->position);
  if (*self->position == '\0')
    return FALSE;
  if (*self->position == '<' && begins_tag (self->position))
    read_tag (self);
  else
    read_text (self);

  return TRUE;
}

/* @name: the name of an attribute, in lower case
 * Returns: (transfer full) (nullable): its value, with references resolved; empty if it
 *   has no value */
char *
ear_html_tokenizer_dup_attribute (EarHtmlTokenizer *self, const char *name)
{
  const char *p = self->start;
  const char *end = p + self->length;

  while (p != NULL && p < end)
    {
      const char *key, *value, *value_end;
      gsize length;

      while (p < end && (is_space (*p) || *p == '/'))
        p++;
      key = p;
      while (p < end && !is_space (*p) && *p != '=' && *p != '/')
        p++;
      length = p - key;
      p = ear_xml_read_value (p, end, &value, &value_end);
      if (length == strlen (name) && g_ascii_strncasecmp (key, name, length) == 0)
        {
          GString *text = g_string_new (NULL);

          ear_entity_append_text (text, value, value_end - value);
          return g_string_free (text, FALSE);
        }
    }

  return NULL;
}
