/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-search.h"

#include "ear-episode-sql.h"
#include "ear-plain-text.h"
#include "ear-search-words.h"

#include <string.h>

/*
 * Searching, as a listener types. What the full text index is slow at is a word that
 * nearly all episodes have, above all one of which only the beginning is typed: it has to
 * gather all of them before it tells the newest. So the newest rows are looked through
 * themselves first, which is quick exactly then. A word that is not among them is rare
 * enough for the index.
 */

/* How many rows are looked through before the index is asked: some milliseconds. */
#define SCAN_ROWS 400

/* For one or two letters the index is slower still. */
#define SCAN_ROWS_SHORT 1500

/* Of what begins with one or two letters, this many are enough, and all are too many. */
#define SHORT_LIMIT 1000

/* So few of them among the rows looked through are rare. */
#define FEW 50

/* How many of the newest hits are put in order; the others follow by age. */
#define RANK_LIMIT 20000

/* How much of the notes the index knows. */
#define NOTES_LIMIT (512 * 1024)

/* How many places of an episode count. */
#define INSTANCE_LIMIT 64

#define N_PHRASES 16

/* ear_rank (episode_text): how well an episode matches. A word in the title counts more
 * than any number of them in the notes, and most at its beginning. */
static void
rank (const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int n_values, sqlite3_value **values)
{
  double title[N_PHRASES] = { 0 };
  int counts[N_PHRASES] = { 0 };
  double score = 0;
  int n_instances = 0;

  api->xInstCount (context, &n_instances);
  for (int i = 0; i < MIN (n_instances, INSTANCE_LIMIT); i++)
    {
      int phrase, column, offset;

      if (api->xInst (context, i, &phrase, &column, &offset) != SQLITE_OK || phrase >= N_PHRASES)
        continue;
      if (column == 0)
        title[phrase] = MAX (title[phrase], offset == 0 ? 5 : 4);
      else if (column == 1)
        counts[phrase]++;
    }
  for (int i = 0; i < N_PHRASES; i++)
    score += title[i] + counts[i] / (counts[i] + 2.0);
  sqlite3_result_double (result, score);
}

/**
 * ear_episode_search_register:
 * @database: a connection
 * @error: return location for an `EAR_ERROR`
 *
 * Makes the function known that hits are put in order by.
 *
 * Returns: whether that succeeded
 */
gboolean
ear_episode_search_register (EarDatabase *database, GError **error)
{
  fts5_api *api = ear_search_words_get_api (database);

  if (api != NULL && api->xCreateFunction (api, "ear_rank", NULL, rank, NULL) == SQLITE_OK)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "A function cannot be registered");

  return FALSE;
}

/* The rows of a query in its order, those that have all words but the last one. */
static const char *
get_scan_sql (const EarEpisodeQuery *query, gboolean has_whole_words)
{
  g_autoptr (EarEpisodeQuery) rows = ear_episode_query_copy (query);
  g_autofree char *sql = NULL;

  rows->sort = EAR_SORT_NEWEST;
  if (!has_whole_words)
    g_clear_pointer (&rows->search, g_free);
  sql = g_strdup_printf ("SELECT episode.id, title, text FROM (%s) AS found CROSS JOIN episode ON episode.id = found.id"
                         " LEFT JOIN notes ON notes.episode = found.id",
                         ear_episode_sql_get (rows));

  return g_intern_string (sql);
}

/* Looks through up to @n_rows rows, for up to @limit hits. */
static GArray *
scan (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, gint64 n_rows, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, TRUE);
  g_autoptr (EarStatement) statement = ear_database_prepare (database, get_scan_sql (query, match != NULL), error);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean row = TRUE;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, query->podcast);
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 3, n_rows);
  while (ids->len < limit)
    {
      g_autofree char *notes = NULL;
      gint64 id;

      if (!ear_database_step (database, statement, &row, error))
        return NULL;
      if (!row)
        break;
      id = sqlite3_column_int64 (statement, 0);
      notes = ear_plain_text_from_notes ((const char *) sqlite3_column_text (statement, 2), NOTES_LIMIT);
      if (ear_search_words_match (words, (const char *) sqlite3_column_text (statement, 1), notes))
        g_array_append_val (ids, id);
    }

  return g_steal_pointer (&ids);
}

/* The newest hits, the best of them first. */
static GArray *
run_ranked (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, FALSE);
  g_autoptr (GString) sql = g_string_new (
      "SELECT id FROM (SELECT rowid AS key, ear_rank (episode_text) AS score FROM episode_text"
      " WHERE episode_text MATCH ?2 ORDER BY rowid DESC LIMIT ?4) CROSS JOIN episode ON episode.sort_key = key WHERE ");
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  ear_episode_sql_append_condition (sql, query);
  g_string_append (sql, " ORDER BY score DESC, key DESC LIMIT ?3");
  statement = ear_database_prepare (database, g_intern_string (sql->str), error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, query->podcast);
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 3, limit > 0 ? (gint64) limit : -1);
  sqlite3_bind_int (statement, 4, RANK_LIMIT);
  while (ear_database_step (database, statement, &row, error) && row)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);

      g_array_append_val (ids, id);
    }

  return row ? NULL : g_steal_pointer (&ids);
}

/* Those hits that were too many to be put in order come after the others. */
static gboolean
append_rest (EarDatabase *database, const EarEpisodeQuery *query, GArray *ids, GError **error)
{
  g_autoptr (GHashTable) ranked = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) first = g_array_copy (ids);
  g_autoptr (GArray) all = ear_episode_sql_run (database, query, 0, error);

  if (all == NULL)
    return FALSE;
  for (guint i = 0; i < first->len; i++)
    g_hash_table_add (ranked, &g_array_index (first, gint64, i));
  for (guint i = 0; i < all->len; i++)
    if (!g_hash_table_contains (ranked, &g_array_index (all, gint64, i)))
      g_array_append_val (ids, g_array_index (all, gint64, i));

  return TRUE;
}

static GArray *
run_short (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, GError **error)
{
  const guint few = limit > 0 ? MIN (limit, FEW) : FEW;
  g_autoptr (GArray) ids = scan (database, query, words, few, SCAN_ROWS_SHORT, error);

  if (ids == NULL || (ids->len == few && few == limit))
    return g_steal_pointer (&ids);
  if (ids->len == few)
    return scan (database, query, words, limit > 0 ? MIN (limit, SHORT_LIMIT) : SHORT_LIMIT, -1, error);

  return ear_episode_sql_run (database, query, limit, error);
}

/**
 * ear_episode_search_run:
 * @database: a connection with our functions
 * @query: a query with words
 * @limit: how many ids at most, or 0 for all
 * @error: return location for an `EAR_ERROR`, or `G_IO_ERROR_CANCELLED` when interrupted
 *
 * Answers a search. Of what begins with one or two letters, by age, no more than the newest
 * 1000 are found.
 *
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order, or %NULL
 */
GArray *
ear_episode_search_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autoptr (EarSearchWords) words = ear_search_words_new (database, query->search, error);
  g_autoptr (GArray) ids = NULL;

  if (words == NULL)
    return NULL;
  if (ear_search_words_get_n (words) == 0)
    return g_array_new (FALSE, FALSE, sizeof (gint64));
  if (ear_search_words_are_short (words) && (query->sort == EAR_SORT_NEWEST || query->sort == EAR_SORT_RANKED))
    return run_short (database, query, words, limit, error);
  if (query->sort == EAR_SORT_RANKED && query->filter != EAR_FILTER_HISTORY)
    {
      ids = run_ranked (database, query, limit, error);
      if (ids == NULL || limit > 0 || append_rest (database, query, ids, error))
        return g_steal_pointer (&ids);
      return NULL;
    }
  if (limit > 0 && query->sort == EAR_SORT_NEWEST)
    {
      ids = scan (database, query, words, limit, SCAN_ROWS, error);
      if (ids == NULL || ids->len == limit)
        return g_steal_pointer (&ids);
    }

  return ear_episode_sql_run (database, query, limit, error);
}
