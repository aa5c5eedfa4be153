/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-hits.h"

#include "ear-episode-filter.h"
#include "ear-episode-sql.h"

#include <string.h>

/*
 * What is said in episodes, as far as their transcripts were fetched, is found beside their titles and notes: all words in
 * one sentence.
 */

/* A letter or two are in nearly every one. */
#define SHORTEST 3

static char *
dup_match (const char *search)
{
  return g_utf8_strlen (search, -1) >= SHORTEST ? ear_episode_sql_dup_words (search) : NULL;
}

/* Those that pass the filter of the query, the newest first */
static GArray *
list_hits (EarDatabase *database, const EarEpisodeQuery *query, const char *match, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT id FROM (SELECT DISTINCT rowid >> 18 AS said FROM sentence_text"
                                          " WHERE sentence_text MATCH ?2) CROSS JOIN episode ON episode.id = said WHERE ");
  g_autoptr (EarStatement) statement = NULL;

  ear_episode_filter_append_condition (sql, query);
  g_string_append (sql, " ORDER BY sort_key DESC");
  statement = ear_database_query (database, error, g_intern_string (sql->str), "xs", query->podcast, match);
  ear_episode_filter_bind (statement, query);

  return ear_database_list (database, statement, error);
}

/* Puts those into the order of the query that are not ranked. */
static gboolean
sort (EarDatabase *database, const EarEpisodeQuery *query, GArray *ids, GError **error)
{
  g_autoptr (EarEpisodeQuery) order = ear_episode_query_copy (query);
  g_autofree char *list = ear_database_print_ids ((const gint64 *) (gpointer) ids->data, ids->len);
  g_autofree char *sql = NULL;
  g_autoptr (EarStatement) statement = NULL;
  g_autoptr (GArray) sorted = NULL;

  g_clear_pointer (&order->search, g_free);
  g_clear_pointer (&order->list, g_free);
  sql = g_strdup_printf ("SELECT id FROM episode WHERE id IN (SELECT value FROM json_each (?1)) ORDER BY %s",
                         ear_episode_sql_get_order (order));
  statement = ear_database_query (database, error, g_intern_string (sql), "s", list);
  sorted = ear_database_list (database, statement, error);
  if (sorted == NULL)
    return FALSE;
  g_array_set_size (ids, 0);
  g_array_append_vals (ids, sorted->data, sorted->len);

  return TRUE;
}

/* Adds what is found by what is said in it: behind the best matches, or in its place by age, title or length.
 * @query: a query that looks for words
 * @limit: how many ids at most, or 0 for all
 * @ids: (element-type gint64): what was found in titles and notes */
gboolean
ear_transcript_hits_add (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GArray *ids, GError **error)
{
  const gboolean ranked = query->sort == EAR_SORT_RANKED && !ear_episode_query_has_own_order (query);
  g_autofree char *match = dup_match (query->search);
  g_autoptr (GHashTable) known = NULL;
  g_autoptr (GArray) hits = NULL;
  const guint n_before = ids->len;
  gint64 any = 0;

  if (match == NULL || (ranked && limit > 0 && ids->len >= limit))
    return TRUE;
  if (!ear_database_get_int (database, error, &any, "SELECT EXISTS (SELECT 1 FROM transcript)", ""))
    return FALSE;
  hits = any != 0 ? list_hits (database, query, match, error) : g_array_new (FALSE, FALSE, sizeof (gint64));
  if (hits == NULL)
    return FALSE;
  known = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < n_before && hits->len > 0; i++)
    g_hash_table_add (known, &g_array_index (ids, gint64, i));
  for (guint i = hits->len; i > 0; i--)
    if (g_hash_table_contains (known, &g_array_index (hits, gint64, i - 1)))
      g_array_remove_index (hits, i - 1);
  g_array_append_vals (ids, hits->data, hits->len);
  if (ids->len > n_before && !ranked && !sort (database, query, ids, error))
    return FALSE;
  if (limit > 0 && ids->len > limit)
    g_array_set_size (ids, limit);

  return TRUE;
}

/* @episode: row id of an episode
 * @time: (out): when it is said, in microseconds; 0 in a transcript without times
 * Returns: (transfer full) (nullable): the first sentence of its transcript that has all words, or %NULL */
char *
ear_transcript_hits_find (EarDatabase *database, gint64 episode, const char *search, gint64 *time, GError **error)
{
  g_autofree char *match = dup_match (search);
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  if (match == NULL)
    return NULL;
  statement = ear_database_query (database, error,
                                  "SELECT text, start FROM sentence_text WHERE sentence_text MATCH ?1"
                                  " AND rowid >= ?2 << 18 AND rowid < (?2 + 1) << 18 ORDER BY rowid LIMIT 1", "sx", match, episode);
  if (!ear_database_step (database, statement, &row, error) || !row)
    return NULL;
  *time = MAX (sqlite3_column_int64 (statement, 1), 0);

  return ear_statement_dup_text (statement, 0);
}
