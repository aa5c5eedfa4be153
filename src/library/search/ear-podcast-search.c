/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-search.h"

#include <string.h>

typedef struct
{
  EarPodcast *podcast; /* borrowed */
  char *title;         /* folded */
  gboolean titled;     /* the title begins with the words */
} Hit;

static void
hit_clear (gpointer data)
{
  g_free (((Hit *) data)->title);
}

static char *
fold (const char *text)
{
  g_autofree char *normal = text != NULL ? g_utf8_normalize (text, -1, G_NORMALIZE_ALL) : NULL;

  return g_utf8_casefold (normal != NULL ? normal : "", -1);
}

/* Chinese, Japanese and Korean write no spaces between words, so any position matches. */
static gboolean
has_wide (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iswide (g_utf8_get_char (p)))
      return TRUE;

  return FALSE;
}

/* Returns: whether each word begins a word of the text, in any order */
static gboolean
matches (const char *words, const char *folded_words, const char *text, const char *folded_text)
{
  return g_str_match_string (words, text, TRUE) ||
         (has_wide (folded_words) && strstr (folded_text, folded_words) != NULL);
}

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *first = a;
  const Hit *second = b;

  if (first->titled != second->titled)
    return first->titled ? -1 : 1;

  return g_utf8_collate (first->title, second->title);
}

/* @podcasts: a list of [class@EarPodcast]
 * @words: (nullable): the typed words
 * @limit: maximum number of results
 * Returns: (transfer full) (element-type EarPodcast): podcasts that have all words in
 *   their title and author; titles that begin with the words first, then by title */
GPtrArray *
ear_podcast_search (GListModel *podcasts, const char *words, guint limit)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autofree char *stripped = g_strstrip (g_strdup (words != NULL ? words : ""));
  g_autofree char *folded = fold (stripped);

  g_array_set_clear_func (hits, hit_clear);
  for (guint i = 0; *stripped != '\0' && i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const char *author = ear_podcast_get_facts (podcast)->author;
      g_autofree char *text = g_strjoin (" ", ear_podcast_get_name (podcast), author, NULL);
      g_autofree char *folded_text = fold (text);
      Hit hit = { .podcast = podcast };

      if (!matches (stripped, folded, text, folded_text))
        continue;
      hit.title = fold (ear_podcast_get_name (podcast));
      hit.titled = g_str_has_prefix (hit.title, folded);
      g_array_append_val (hits, hit);
    }
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < MIN (hits->len, limit); i++)
    g_ptr_array_add (found, g_object_ref (g_array_index (hits, Hit, i).podcast));

  return found;
}
