/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-line.h"

#include "ear-entities.h"

#include <string.h>

/* Marks that would turn the direction of what stands behind the line, too. */
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

/* The end of the tag that begins at `text`, or NULL when it is no tag. */
static const char *
find_tag_end (const char *text)
{
  char next = text[1];

  if (!g_ascii_isalpha (next) && next != '/' && next != '!')
    return NULL;
  if (g_str_has_prefix (text, "<!--"))
    {
      const char *end = strstr (text + 4, "-->");

      return end != NULL ? end + 2 : NULL;
    }

  return strchr (text, '>');
}

/* One character of the text, or two, or none; the position moves on by at least one. */
static const char *
read_characters (const char *text, EarTextKind kind, gunichar characters[2])
{
  characters[1] = 0;
  if (kind == EAR_TEXT_HTML && *text == '<')
    {
      const char *end = find_tag_end (text);

      if (end != NULL)
        {
          characters[0] = 0;
          return end + 1;
        }
    }
  if (kind != EAR_TEXT_LITERAL && *text == '&')
    {
      gsize taken = ear_entity_read (text + 1, strnlen (text + 1, EAR_ENTITY_LONGEST + 1), characters);

      if (taken > 0)
        {
          if (characters[0] == EAR_ENTITY_NOTHING)
            characters[0] = 0;
          return text + 1 + taken;
        }
      characters[1] = 0;
    }
  characters[0] = g_utf8_get_char (text);

  return g_utf8_next_char (text);
}

/* Most texts are a line already; those need no look at every character. */
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
 * @kind: how it is written
 * @limit: how many bytes the result may have
 *
 * Makes one line of plain text: white space is collapsed, invisible marks that turn the
 * direction of writing are left out, what is too long is cut and ends in an ellipsis.
 *
 * Returns: (transfer full) (nullable): the line, or %NULL when nothing is to be seen in it
 */
char *
ear_text_line (const char *text, EarTextKind kind, gsize limit)
{
  g_autoptr (GString) line = NULL;
  char *copy = copy_plain_line (text, kind, limit);
  gboolean space = FALSE;
  gboolean visible = FALSE;

  if (copy != NULL)
    return copy;
  line = g_string_new (NULL);
  while (*text != '\0')
    {
      gunichar characters[2];

      text = read_characters (text, kind, characters);
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

  return visible ? g_string_free (g_steal_pointer (&line), FALSE) : NULL;
}
