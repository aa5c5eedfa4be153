/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-search.h"

#include "ear-episode-sql.h"
#include "ear-plain-text.h"
#include "ear-search-words.h"

#include <string.h>

/*
 * Searching, as a listener types. What the full text index is slow at is a beginning of
 * very many words: before it tells the first row it has gathered all places of all of
 * them, which nothing can interrupt. But what is so common is in nearly every row, and
 * looking through the newest rows themselves is quick exactly then. Whether it is so
 * common, a few of the newest rows tell.
 */

/* How many rows are looked through before the index is asked: some milliseconds. */
#define SCAN_ROWS 400

/* So many rows tell how often a word is there, */
#define SAMPLE_ROWS 100

/* and so many places of it are more than the index can gather in a tenth of a second. */
#define COSTLY 400000

/* Of a beginning that is so common these are enough, and all are too many. */
#define COMMON_LIMIT 1000
#define COMMON_ROWS 2000

/* How many of the newest hits are put in order; the others follow by age. */
#define RANK_LIMIT 10000

/* How much of the notes the index knows. */
#define NOTES_LIMIT (512 * 1024)

/* How many places of an episode count. */
#define INSTANCE_LIMIT 64

#define N_PHRASES 16

/* Whether this is one of the first rows that the index tells for this query. */
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

  return (*n_ranked)++ < RANK_LIMIT;
}

/* ear_rank (episode_text): how well an episode matches. A word in the title counts more
 * than any number of them in the notes, and most at its beginning. It is NULL when enough
 * others came before. */
static void
rank (const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int n_values, sqlite3_value **values)
{
  double title[N_PHRASES] = { 0 };
  int counts[N_PHRASES] = { 0 };
  double score = 0;
  int n_instances = 0;

  if (!take_turn (api, context))
    return;
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

static EarStatement *
prepare_scan (EarDatabase *database, const EarEpisodeQuery *query, gint64 n_rows, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, TRUE);
  g_autoptr (EarStatement) statement = ear_database_prepare (database, get_scan_sql (query, match != NULL), error);

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, query->podcast);
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (statement, 3, n_rows);

  return g_steal_pointer (&statement);
}

/* Looks through up to @n_rows rows, for up to @limit hits; with @titles_first, those in
 * whose title all words are go before the others. @all is whether there were no more rows. */
static GArray *
scan (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, guint n_rows, gboolean titles_first, gboolean *all, GError **error)
{
  g_autoptr (EarStatement) statement = prepare_scan (database, query, n_rows, error);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n_in_title = 0;
  guint n_seen = 0;
  gboolean row = TRUE;

  if (statement == NULL)
    return NULL;
  while (ids->len < limit)
    {
      g_autofree char *notes = NULL;
      const char *title;
      gint64 id;

      if (!ear_database_step (database, statement, &row, error))
        return NULL;
      if (!row)
        break;
      n_seen++;
      id = sqlite3_column_int64 (statement, 0);
      title = (const char *) sqlite3_column_text (statement, 1);
      if (titles_first && ear_search_words_match (words, title, NULL))
        {
          g_array_insert_val (ids, n_in_title++, id);
          continue;
        }
      notes = ear_plain_text_from_notes ((const char *) sqlite3_column_text (statement, 2), NOTES_LIMIT);
      if (ear_search_words_match (words, title, notes))
        g_array_append_val (ids, id);
    }
  *all = !row && n_seen < n_rows;

  return g_steal_pointer (&ids);
}

/* In how many places of all episodes the last word may be, which is what the index
 * gathers, from how many of them are in some of the newest rows. */
static gboolean
estimate (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, double *n_places, GError **error)
{
  g_autoptr (EarStatement) statement = prepare_scan (database, query, SAMPLE_ROWS, error);
  gint64 n_episodes = 0;
  guint n_found = 0;
  guint n_rows = 0;
  gboolean row = FALSE;

  if (statement == NULL ||
      !ear_database_get_int (database, "SELECT total (n_episodes) FROM podcast_count", &n_episodes, error))
    return FALSE;
  while (ear_database_step (database, statement, &row, error) && row)
    {
      g_autofree char *notes = ear_plain_text_from_notes ((const char *) sqlite3_column_text (statement, 2), NOTES_LIMIT);

      n_found += ear_search_words_count_last (words, (const char *) sqlite3_column_text (statement, 1));
      n_found += ear_search_words_count_last (words, notes);
      n_rows++;
    }
  /* Where there is no row to look through, nothing needs to be gathered. */
  *n_places = n_rows > 0 ? (double) n_found / n_rows * (double) n_episodes : G_MAXDOUBLE;

  return !row;
}

typedef struct
{
  gint64 id;
  double score;
} Hit;

/* Equal ones stay as they are, which is newest first: g_array_sort() is stable. */
static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *hit_a = a;
  const Hit *hit_b = b;

  return (hit_a->score < hit_b->score) - (hit_a->score > hit_b->score);
}

/* The newest hits, the best of them first, and then the others by age. */
static GArray *
run_ranked (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, FALSE);
  g_autoptr (GString) sql = g_string_new ("SELECT id, ear_rank (episode_text) FROM episode_text"
                                          " CROSS JOIN episode ON episode.sort_key = episode_text.rowid"
                                          " WHERE episode_text MATCH ?2 AND ");
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = TRUE;

  ear_episode_sql_append_condition (sql, query);
  g_string_append (sql, " ORDER BY episode_text.rowid DESC");
  statement = ear_database_prepare (database, g_intern_string (sql->str), error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, query->podcast);
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_STATIC);
  while (limit == 0 || hits->len < MAX (limit, RANK_LIMIT))
    {
      Hit hit;

      if (!ear_database_step (database, statement, &row, error))
        return NULL;
      if (!row)
        break;
      hit.id = sqlite3_column_int64 (statement, 0);
      hit.score = sqlite3_column_type (statement, 1) != SQLITE_NULL ? sqlite3_column_double (statement, 1) : -1;
      g_array_append_val (hits, hit);
    }
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len && (limit == 0 || i < limit); i++)
    g_array_append_val (ids, g_array_index (hits, Hit, i).id);

  return g_steal_pointer (&ids);
}

/* The newest hits of what is in nearly every row. */
static GArray *
run_common (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, gboolean ranked, GError **error)
{
  gboolean all;
  g_autoptr (GArray) ids = scan (database, query, words, COMMON_LIMIT, COMMON_ROWS, ranked, &all, error);

  if (ids != NULL && limit > 0 && limit < ids->len)
    g_array_set_size (ids, limit);

  return g_steal_pointer (&ids);
}

/**
 * ear_episode_search_run:
 * @database: a connection with our functions
 * @query: a query with words
 * @limit: how many ids at most, or 0 for all
 * @error: return location for an `EAR_ERROR`, or `G_IO_ERROR_CANCELLED` when interrupted
 *
 * Answers a search. By age or by rank, no more than the newest 1000 are found of a
 * beginning of words that is too common for the index.
 *
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order, or %NULL
 */
GArray *
ear_episode_search_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autoptr (EarSearchWords) words = ear_search_words_new (database, query->search, error);
  double n_places = 0;
  gboolean ranked;

  if (words == NULL)
    return NULL;
  if (ear_search_words_get_n (words) == 0)
    return g_array_new (FALSE, FALSE, sizeof (gint64));
  if (query->sort != EAR_SORT_NEWEST && query->sort != EAR_SORT_RANKED)
    return ear_episode_sql_run (database, query, limit, error);

  ranked = query->sort == EAR_SORT_RANKED && query->filter != EAR_FILTER_HISTORY && !ear_search_words_are_short (words);
  if (!ranked && limit > 0)
    {
      gboolean all = FALSE;
      g_autoptr (GArray) ids = scan (database, query, words, limit, SCAN_ROWS, FALSE, &all, error);

      if (ids == NULL || all || ids->len == limit)
        return g_steal_pointer (&ids);
    }
  if (!estimate (database, query, words, &n_places, error))
    return NULL;
  if (n_places > COSTLY)
    return run_common (database, query, words, limit, ranked, error);

  return ranked ? run_ranked (database, query, limit, error) : ear_episode_sql_run (database, query, limit, error);
}
