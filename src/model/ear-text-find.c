/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-find.h"

#include <string.h>

/* Letters without a Unicode decomposition, and their usual spelling in plain letters */
static const struct
{
  gunichar letter;
  const char *plain;
} letters[] = {
  { 0x00e6, "ae" }, { 0x00f0, "d" },  { 0x00f8, "o" },  { 0x00fe, "th" }, { 0x0111, "d" },
  { 0x0127, "h" },  { 0x0131, "i" },  { 0x0138, "k" },  { 0x0142, "l" },  { 0x014b, "n" },
  { 0x0153, "oe" }, { 0x0167, "t" },  { 0x0180, "b" },  { 0x0192, "f" },  { 0x019a, "l" },
  { 0x01dd, "e" },  { 0x0253, "b" },  { 0x0257, "d" },  { 0x0259, "e" },  { 0x0268, "i" },
  { 0x0289, "u" },  { 0x2019, "'" },  { 0x2018, "'" },  { 0x02bc, "'" },
};

static gboolean
is_ascii (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if ((guchar) text[i] >= 0x80)
      return FALSE;

  return TRUE;
}

/* Whether a mark is ignored: accents of Latin, Greek and Cyrillic, vowel points of Hebrew
 * and Arabic, variation selectors. Marks of other scripts, such as the voicing marks of
 * kana, distinguish words. */
static gboolean
is_dropped (gunichar c)
{
  return (c >= 0x0300 && c <= 0x036f) || (c >= 0x0591 && c <= 0x05c7 && g_unichar_ismark (c)) ||
         (c >= 0x064b && c <= 0x065f) || c == 0x0670 || (c >= 0xfe00 && c <= 0xfe0f);
}

static void
append_plain (GString *folded, gunichar c)
{
  for (guint i = 0; c >= 0x80 && i < G_N_ELEMENTS (letters); i++)
    if (letters[i].letter == c)
      {
        g_string_append (folded, letters[i].plain);
        return;
      }
  g_string_append_unichar (folded, c);
}

/* Makes texts comparable for a search: lower case, without accents, compatibility forms
 * such as ligatures and wide letters as ordinary ones, and letters such as "ł" or "ß" in
 * plain spelling.
 * @length: its length in bytes, or -1 if it is zero-terminated
 * Returns: (transfer full): the folded text, maybe empty */
char *
ear_text_fold (const char *text, gssize length)
{
  const gsize n_bytes = length < 0 ? strlen (text) : (gsize) length;
  g_autofree char *apart = NULL;
  g_autofree char *lower = NULL;
  g_autoptr (GString) folded = NULL;
  char *composed;

  if (is_ascii (text, n_bytes))
    return g_ascii_strdown (text, (gssize) n_bytes);
  apart = g_utf8_normalize (text, (gssize) n_bytes, G_NORMALIZE_ALL);
  if (apart == NULL)
    return g_strndup (text, n_bytes);
  lower = g_utf8_casefold (apart, -1);
  folded = g_string_sized_new (strlen (lower));
  for (const char *p = lower; *p != '\0'; p = g_utf8_next_char (p))
    if (!is_dropped (g_utf8_get_char (p)))
      append_plain (folded, g_utf8_get_char (p));
  composed = g_utf8_normalize (folded->str, (gssize) folded->len, G_NORMALIZE_DEFAULT_COMPOSE);

  return composed != NULL ? composed : g_string_free_and_steal (g_steal_pointer (&folded));
}

/* Returns the end of a letter and its marks. */
static const char *
skip_letter (const char *text)
{
  do
    text = g_utf8_next_char (text);
  while ((guchar) *text >= 0x80 && g_unichar_ismark (g_utf8_get_char (text)));

  return text;
}

/* @wanted: folded text
 * Returns: (nullable): the end of @wanted, if @text begins with it */
static const char *
match (const char *text, const char *wanted)
{
  while (*wanted != '\0')
    {
      const char *next = *text != '\0' ? skip_letter (text) : NULL;
      g_autofree char *letter = NULL;

      if (next == NULL)
        return NULL;
      letter = ear_text_fold (text, next - text);
      /* At the end, the first half of a letter such as "ß" suffices. */
      if (g_str_has_prefix (letter, wanted))
        return next;
      if (!g_str_has_prefix (wanted, letter))
        return NULL;
      wanted += strlen (letter);
      text = next;
    }

  return text;
}

/* Finds the first match of @words in @text, after folding both with
 * [func@ear_text_fold].
 * @start: (out): first byte of the match
 * @end: (out): first byte after the match
 * Returns: whether there is a match */
gboolean
ear_text_find (const char *text, const char *words, gsize *start, gsize *end)
{
  g_autofree char *wanted = ear_text_fold (words, -1);
  g_autofree char *folded = NULL;

  if (*wanted == '\0')
    return FALSE;
  /* Most texts have no match: check that before folding letter by letter. */
  folded = ear_text_fold (text, -1);
  if (strstr (folded, wanted) == NULL)
    return FALSE;
  for (const char *p = text; *p != '\0'; p = skip_letter (p))
    {
      const char *behind = match (p, wanted);

      if (behind != NULL)
        {
          *start = (gsize) (p - text);
          *end = (gsize) (behind - text);
          return TRUE;
        }
    }

  return FALSE;
}
