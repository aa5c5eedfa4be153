/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-find.h"

/* Without case and accents: "é" is "E". */
static gunichar
fold (gunichar c)
{
  gunichar base;

  if (c < 0x80)
    return (gunichar) g_ascii_tolower ((char) c);
  if (g_unichar_fully_decompose (c, FALSE, &base, 1) > 1)
    c = base;

  return g_unichar_tolower (c);
}

/* What follows a letter and belongs to it is passed over. */
static const char *
skip_marks (const char *text)
{
  while ((guint8) *text >= 0x80 && g_unichar_ismark (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);

  return text;
}

/* Returns: (nullable): where @text goes on behind @words, if it begins with them */
static const char *
match (const char *text, const char *words)
{
  while (*words != '\0')
    {
      if (*text == '\0' || fold (g_utf8_get_char (text)) != fold (g_utf8_get_char (words)))
        return NULL;
      text = skip_marks (g_utf8_next_char (text));
      words = skip_marks (g_utf8_next_char (words));
    }

  return text;
}

/**
 * ear_text_find:
 * @text: valid UTF-8
 * @words: valid UTF-8 that is looked for, written as it may be
 * @start: (out): where it begins, in bytes
 * @end: (out): where it ends
 *
 * Finds the first place of words in a text; case and accents do not matter.
 *
 * Returns: whether they are there
 */
gboolean
ear_text_find (const char *text, const char *words, gsize *start, gsize *end)
{
  if (*words == '\0')
    return FALSE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const char *behind = match (p, words);

      if (behind != NULL)
        {
          *start = (gsize) (p - text);
          *end = (gsize) (behind - text);
          return TRUE;
        }
    }

  return FALSE;
}
