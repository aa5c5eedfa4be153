/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-score.h"

#include "ear-episode-record.h"
#include "ear-plain-text.h"
#include "ear-tokenizer.h"

/* Scores an episode for a search: a word in the title counts more than any number of
 * words in the notes, and most at the title's beginning. Hits of the full text index and
 * texts outside of it get the same score. */

#define N_PHRASES 16

/* Columns of the index */
#define NOTES 0
#define TITLE 1

/* Occurrences of the words of a search in an episode */
typedef struct
{
  double title[N_PHRASES];
  int counts[N_PHRASES];
} Score;

static void
add_instance (Score *self, int phrase, int column, int offset)
{
  if (column == TITLE)
    self->title[phrase] = MAX (self->title[phrase], offset == 0 ? 5 : 4);
  else if (column == NOTES)
    self->counts[phrase]++;
}

static double
sum (const Score *self)
{
  double score = 0;

  for (int i = 0; i < N_PHRASES; i++)
    score += self->title[i] + self->counts[i] / (self->counts[i] + 2.0);

  return score;
}

/* --- Texts in the index -------------------------------------------------------------- */

/* Whether this is one of the first rows that the index returns for the query. */
static gboolean
take_turn (const Fts5ExtensionApi *api, Fts5Context *context)
{
  guint *n_ranked = api->xGetAuxdata (context, FALSE);

  if (n_ranked == NULL)
    {
      n_ranked = g_new0 (guint, 1);
      if (api->xSetAuxdata (context, n_ranked, g_free) != SQLITE_OK)
        return FALSE;
    }

  return (*n_ranked)++ < EAR_SEARCH_SCORE_LIMIT;
}

/* ear_rank (episode_text); NULL after EAR_SEARCH_SCORE_LIMIT rows. */
static void
rank (const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int n_values, sqlite3_value **values)
{
  Score score = { 0 };
  int n_instances = 0;

  if (!take_turn (api, context))
    return;
  api->xInstCount (context, &n_instances);
  for (int i = 0; i < n_instances; i++)
    {
      int phrase, column, offset;

      if (api->xInst (context, i, &phrase, &column, &offset) != SQLITE_OK || phrase >= N_PHRASES)
        continue;
      add_instance (&score, phrase, column, offset);
    }
  sqlite3_result_double (result, sum (&score));
}

/* --- Texts outside of the index ------------------------------------------------------ */

static void
add_hits (Score *score, GArray *hits, int column, guint64 *words)
{
  for (guint i = 0; i < hits->len; i++)
    {
      const EarSearchHit *hit = &g_array_index (hits, EarSearchHit, i);

      *words |= (guint64) 1 << hit->word;
      if (hit->word < N_PHRASES)
        add_instance (score, (int) hit->word, column, (int) hit->token);
    }
}

/* @title: (nullable): title of an episode
 * @notes: (nullable): its notes, as in the feed
 * @score: (out): the result of `ear_rank()` if the episode were in the index */
gboolean
ear_search_score_text (EarSearchWords *words, const char *title, const char *notes, double *score)
{
  g_autofree char *text = ear_plain_text_from_notes (notes, EAR_EPISODE_RECORD_TEXT_LIMIT);
  g_autoptr (GArray) in_title = NULL;
  g_autoptr (GArray) in_notes = NULL;
  Score places = { 0 };
  guint64 found = 0;

  if (!ear_search_words_may_match (words, title, text))
    return FALSE;
  in_title = ear_search_words_find (words, title);
  in_notes = ear_search_words_find (words, text);
  add_hits (&places, in_title, TITLE, &found);
  add_hits (&places, in_notes, NOTES, &found);
  *score = sum (&places);

  return found == ((guint64) 1 << ear_search_words_get_n (words)) - 1;
}

/* ear_score (search, title, notes): NULL unless all words match. */
static void
score_text (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  EarSearchWords *words = sqlite3_get_auxdata (context, 0);
  double score;

  if (words == NULL)
    {
      words = ear_search_words_new (sqlite3_user_data (context), (const char *) sqlite3_value_text (values[0]), NULL);
      if (words == NULL)
        {
          sqlite3_result_error_nomem (context);
          return;
        }
      /* If SQLite cannot keep the words, it frees them at once. */
      sqlite3_set_auxdata (context, 0, words, (void (*) (void *)) ear_search_words_free);
      words = sqlite3_get_auxdata (context, 0);
    }
  if (words == NULL)
    sqlite3_result_error_nomem (context);
  else if (ear_search_score_text (words, (const char *) sqlite3_value_text (values[1]),
                                  (const char *) sqlite3_value_text (values[2]), &score))
    sqlite3_result_double (context, score);
}

/* Registers `ear_rank()` and `ear_score()`, which rank hits. */
gboolean
ear_search_score_register (EarDatabase *database, GError **error)
{
  fts5_api *api = ear_tokenizer_get_api (ear_database_get_handle (database));

  if (api != NULL && api->xCreateFunction (api, "ear_rank", NULL, rank, NULL) == SQLITE_OK &&
      sqlite3_create_function (ear_database_get_handle (database), "ear_score", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                               database, score_text, NULL, NULL) == SQLITE_OK)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "A function cannot be registered");

  return FALSE;
}
