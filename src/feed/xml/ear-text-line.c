/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-line.h"

#include "ear-entities.h"
#include "ear-html-tokenizer.h"

#include <string.h>

typedef struct
{
  const char *start;
  EarTextKind kind;
  gboolean left_out; /* an undeclared reference was dropped */
} Reader;

/* Marks that would also change the text direction after the line */
static gboolean
is_direction_mark (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
is_blank (gunichar c)
{
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0 || c == 0x2028 || c == 0x2029;
}

/* Returns: (nullable): the end of the tag that begins at `text`, or NULL if it is not a
 *   tag */
static const char *
find_tag_end (Reader *self, const char *text)
{
  const char next = text[1];
  const char *end;

  if (!g_ascii_isalpha (next) && next != '/' && next != '!')
    return NULL;
  if (g_str_has_prefix (text, "<!--"))
    {
      end = strstr (text + 4, "-->");
      return end != NULL ? end + 2 : NULL;
    }
  end = ear_html_find_tag_end (text + 1);
  if (*end == '>')
    return end;
  /* Unclosed quotation mark */
  end = strchr (text, '>');
  /* No further `>`: treat the rest as text. */
  if (end == NULL)
    self->kind = EAR_TEXT_ESCAPED;

  return end;
}

/* Returns: the length of a reference to an undeclared entity. "AT&T; ", "R&D;" and "q&a;"
 *   are not references. */
static gsize
measure_unknown (const char *start, const char *ampersand)
{
  const char *name = ampersand + 1;
  const gboolean in_word = ampersand > start && (g_ascii_isalnum (ampersand[-1]) || (guint8) ampersand[-1] >= 0x80);
  gsize length = 0;

  while (length < EAR_ENTITY_LONGEST && g_ascii_isalnum (name[length]))
    length++;
  if (!g_ascii_isalpha (*name) || name[length] != ';' || (in_word && (length < 2 || g_ascii_isupper (*name))))
    return 0;

  return length + 1;
}

static gsize
read_entity (const char *text, gunichar characters[2])
{
  return ear_entity_read (text, strnlen (text, EAR_ENTITY_LONGEST + 1), characters);
}

/* Titles escaped once or twice too often: "&amp;amp;", "&amp;#39;" */
static gsize
read_repeated (const char *text, gunichar characters[2])
{
  gsize taken = read_entity (text, characters);

  while (taken > 0 && characters[0] == '&' && (text[taken] == '#' || g_str_has_prefix (text + taken, "amp;")))
    {
      gunichar next[2];
      const gsize more = read_entity (text + taken, next);

      if (more == 0 || text[taken + more - 1] != ';')
        break;
      taken += more;
      memcpy (characters, next, sizeof next);
    }

  return taken;
}

/* Returns: the length of the reference after `&`; 0 if the `&` is plain text */
static gsize
read_reference (Reader *self, const char *ampersand, gunichar characters[2])
{
  gsize taken = read_repeated (ampersand + 1, characters);

  if (taken > 0 && characters[0] != EAR_ENTITY_NOTHING)
    return taken;
  characters[0] = characters[1] = 0;
  if (taken == 0)
    {
      taken = measure_unknown (self->start, ampersand);
      self->left_out = self->left_out || taken > 0;
    }

  return taken;
}

/* Reads up to two characters of the text; moves forward by at least one byte. */
static const char *
read_characters (Reader *self, const char *text, gunichar characters[2])
{
  characters[1] = 0;
  if (self->kind == EAR_TEXT_HTML && *text == '<')
    {
      const char *end = find_tag_end (self, text);

      if (end != NULL)
        {
          characters[0] = 0;
          return end + 1;
        }
    }
  if (self->kind != EAR_TEXT_LITERAL && *text == '&')
    {
      const gsize taken = read_reference (self, text, characters);

      if (taken > 0)
        return text + 1 + taken;
    }
  characters[0] = g_utf8_get_char (text);

  return g_utf8_next_char (text);
}

/* Fast path: most texts are already one line and need no look at each character. */
static char *
copy_plain_line (const char *text, EarTextKind kind, gsize limit)
{
  const char *start = text + strspn (text, " \t\r\n");
  const char *p = start;
  gsize length;

  for (; *p >= ' ' && *p < 0x7f; p++)
    if ((*p == ' ' && p[1] == ' ') || (*p == '&' && kind != EAR_TEXT_LITERAL) || (*p == '<' && kind == EAR_TEXT_HTML))
      break;
  length = p - start;
  if (length == 0 || length + 8 > limit || p[strspn (p, " \t\r\n")] != '\0')
    return NULL;
  while (start[length - 1] == ' ')
    length--;

  return g_strndup (start, length);
}

/**
 * ear_text_line:
 * @text: valid UTF-8
 * @kind: its encoding
 * @limit: the maximum length of the result in bytes
 *
 * Makes one line of plain text: collapses white space, removes invisible direction marks,
 * and cuts long text with an ellipsis.
 *
 * Returns: (transfer full) (nullable): the line, or %NULL if nothing in it is visible
 */
char *
ear_text_line (const char *text, EarTextKind kind, gsize limit)
{
  g_autoptr (GString) line = NULL;
  char *copy = copy_plain_line (text, kind, limit);
  gboolean space = FALSE;
  gboolean visible = FALSE;
  Reader reader = { text, kind, FALSE };

  if (copy != NULL)
    return copy;
  line = g_string_new (NULL);
  while (*text != '\0')
    {
      gunichar characters[2];

      text = read_characters (&reader, text, characters);
      if (characters[0] == 0 || is_direction_mark (characters[0]))
        continue;
      if (is_blank (characters[0]))
        {
          space = line->len > 0;
          continue;
        }
      if (line->len + 12 > limit)
        {
          g_string_append (line, "…");
          break;
        }
      if (space)
        g_string_append_c (line, ' ');
      space = FALSE;
      visible = visible || characters[0] != 0x200b;
      if (characters[0] < 0x80)
        g_string_append_c (line, characters[0]);
      else
        g_string_append_unichar (line, characters[0]);
      if (characters[1] != 0)
        g_string_append_unichar (line, characters[1]);
    }
  /* A text of undeclared references alone is shown unchanged. */
  if (!visible && reader.left_out)
    return ear_text_line (reader.start, EAR_TEXT_LITERAL, limit);

  return visible ? g_string_free (g_steal_pointer (&line), FALSE) : NULL;
}
