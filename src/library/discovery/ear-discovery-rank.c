/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-rank.h"

#include <string.h>

/* Scores that merge the lists of several directories. A directory gives no score but the
 * rank in its list. The reciprocals of the ranks are added, so that results of two
 * directories come before those of one; a title that matches the words adds to them. */

#define PLACE_OFFSET 5.0

#define WHOLE_TITLE 0.4
#define TITLE_BEGINS 0.15
#define WORDS_IN_TITLE 0.1
#define WORDS_IN_BOTH 0.03

/* @place: place in the list of one directory, from 0 */
double
ear_discovery_rank_place (guint place)
{
  return 1.0 / (PLACE_OFFSET + place);
}

/* The words of a text without case, marks and punctuation, each between spaces */
static char *
fold (const char *text)
{
  g_autofree char *apart = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);
  g_autofree char *folded = g_utf8_casefold (apart != NULL ? apart : "", -1);
  GString *words = g_string_new (" ");

  for (const char *p = folded; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (g_unichar_isalnum (c))
        g_string_append_unichar (words, c);
      else if (!g_unichar_ismark (c) && c != '\'' && c != 0x2019 &&
               words->str[words->len - 1] != ' ')
        g_string_append_c (words, ' ');
    }
  if (words->str[words->len - 1] != ' ')
    g_string_append_c (words, ' ');

  return g_string_free (words, FALSE);
}

/* Returns: whether each word begins one in the text; the last one may be half typed */
static gboolean
has_all (const char *text, const char *folded_words)
{
  g_auto (GStrv) words = g_strsplit (folded_words, " ", -1);

  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *needle = g_strconcat (" ", *word, NULL);

      if (**word != '\0' && strstr (text, needle) == NULL)
        return FALSE;
    }

  return TRUE;
}

/* @author: (nullable): the author */
double
ear_discovery_rank_title (const char *title, const char *author, const char *words)
{
  g_autofree char *folded_title = fold (title);
  g_autofree char *folded_words = fold (words);
  g_autofree char *folded_author = fold (author != NULL ? author : "");
  g_autofree char *both = g_strconcat (folded_title, folded_author, NULL);

  if (strlen (folded_words) <= 2)
    return 0;
  if (strcmp (folded_title, folded_words) == 0)
    return WHOLE_TITLE;
  if (strncmp (folded_title, folded_words, strlen (folded_words) - 1) == 0)
    return TITLE_BEGINS;
  if (has_all (folded_title, folded_words))
    return WORDS_IN_TITLE;

  return has_all (both, folded_words) ? WORDS_IN_BOTH : 0;
}
