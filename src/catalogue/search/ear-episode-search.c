/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-search.h"

#include "ear-episode-filter.h"
#include "ear-episode-sql.h"
#include "ear-moment-hits.h"
#include "ear-plain-text.h"
#include "ear-search-score.h"
#include "ear-unindexed-rows.h"

/* Searches as the listener types. The full text index is slow for a prefix of very many
 * words: before it returns the first row it gathers all occurrences of all of them, and
 * cannot be interrupted. But such a prefix is in nearly every row, and then scanning the
 * newest rows is quick. A sample of the newest rows shows how common it is. */

/* Rows to scan before using the index: some milliseconds */
#define SCAN_ROWS 400

/* Rows of the sample that estimates a word's occurrences */
#define SAMPLE_ROWS 100

/* More occurrences than the index can gather in a tenth of a second */
#define COSTLY 400000

/* Limits of hits and rows for such a common prefix */
#define COMMON_LIMIT 1000
#define COMMON_ROWS 2000

/* Limit of notes in the index */
#define NOTES_LIMIT (512 * 1024)

/* Returns SQL for the rows of a query in its order; if @by_index, for those that have all
 * words but the last one. */
static const char *
get_scan_sql (const EarEpisodeQuery *query, gboolean by_index)
{
  g_autoptr (EarEpisodeQuery) rows = ear_episode_query_copy (query);
  g_autofree char *sql = NULL;

  rows->sort = EAR_SORT_NEWEST;
  if (!by_index)
    g_clear_pointer (&rows->search, g_free);
  sql = g_strdup_printf ("SELECT episode.id, title, text FROM (%s) AS found CROSS JOIN episode ON episode.id = found.id"
                         " LEFT JOIN notes ON notes.episode = found.id",
                         ear_episode_sql_get (rows, FALSE));

  return g_intern_string (sql);
}

/* Prepares the scan. If the index lacks rows, it cannot find those with the other words:
 * then all rows are scanned. */
static EarStatement *
prepare_scan (EarDatabase *database, const EarEpisodeQuery *query, gint64 n_rows, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, TRUE);
  g_autoptr (EarStatement) statement = NULL;
  gboolean late = FALSE;

  if (match != NULL && !ear_unindexed_rows_exist (database, &late, error))
    return NULL;
  statement = ear_database_prepare (database, get_scan_sql (query, match != NULL && !late), error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, query->podcast);
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (statement, 3, n_rows);
  ear_episode_filter_bind (statement, query);

  return g_steal_pointer (&statement);
}

/* Scans up to @n_rows rows, for up to @limit hits; with @titles_first, hits with all
 * words in their title come first. @all: whether there were no more rows. */
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
      /* Compare bytes first: that is the quickest way to reject a rare word. */
      if (ear_search_words_may_match (words, title, notes) && ear_search_words_match (words, title, notes))
        g_array_append_val (ids, id);
    }
  *all = !row && n_seen < n_rows;

  return g_steal_pointer (&ids);
}

/* Estimates the occurrences of the last word in all episodes, which the index would
 * gather, from a sample of the newest rows. */
static gboolean
estimate (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, double *n_places, GError **error)
{
  g_autoptr (EarStatement) statement = prepare_scan (database, query, SAMPLE_ROWS, error);
  gint64 n_episodes = 0;
  guint n_found = 0;
  guint n_rows = 0;
  gboolean row = FALSE;

  if (statement == NULL ||
      !ear_database_get_int (database, error, &n_episodes, "SELECT total (n_episodes) FROM podcast_count", ""))
    return FALSE;
  while (ear_database_step (database, statement, &row, error) && row)
    {
      g_autofree char *notes = ear_plain_text_from_notes ((const char *) sqlite3_column_text (statement, 2), NOTES_LIMIT);

      n_found += ear_search_words_count_last (words, (const char *) sqlite3_column_text (statement, 1));
      n_found += ear_search_words_count_last (words, notes);
      n_rows++;
    }
  /* Without rows to scan, do not use the index at all. */
  *n_places = n_rows > 0 ? (double) n_found / n_rows * (double) n_episodes : G_MAXDOUBLE;

  return !row;
}

typedef struct
{
  gint64 id;
  gint64 key;
  double score;
} Hit;

/* Equal hits keep their order, newest first: g_array_sort() is stable. */
static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const Hit *hit_a = a;
  const Hit *hit_b = b;

  return (hit_a->score < hit_b->score) - (hit_a->score > hit_b->score);
}

static EarStatement *
prepare_hits (EarDatabase *database, const EarEpisodeQuery *query, GError **error)
{
  g_autofree char *match = ear_episode_sql_dup_match (query, FALSE);
  g_autoptr (GString) sql = g_string_new ("SELECT id, ear_rank (episode_text), sort_key FROM episode_text"
                                          " CROSS JOIN episode ON episode.sort_key = episode_text.rowid"
                                          " WHERE episode_text MATCH ?2 AND ");
  EarStatement *statement;

  ear_episode_filter_append_condition (sql, query);
  g_string_append (sql, " ORDER BY episode_text.rowid DESC");
  statement = ear_database_query (database, error, g_intern_string (sql->str), "x", query->podcast);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_text (statement, 2, match, -1, SQLITE_TRANSIENT);
  ear_episode_filter_bind (statement, query);

  return statement;
}

/* Returns the next hit of the index; id 0 after the last one. */
static gboolean
step_indexed (EarDatabase *database, EarStatement *statement, Hit *hit, GError **error)
{
  gboolean row = FALSE;

  hit->id = 0;
  if (!ear_database_step (database, statement, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  hit->id = sqlite3_column_int64 (statement, 0);
  hit->score = sqlite3_column_type (statement, 1) != SQLITE_NULL ? sqlite3_column_double (statement, 1) : -1;
  hit->key = sqlite3_column_int64 (statement, 2);

  return TRUE;
}

/* Returns the next hit among the rows that the index lacks; @scored: rank it. */
static gboolean
step_unindexed (EarDatabase *database, EarSearchWords *words, GArray *rows, gboolean scored, guint *n_taken, Hit *hit, GError **error)
{
  gboolean found = FALSE;

  hit->id = 0;
  while (!found && *n_taken < rows->len)
    {
      const EarUnindexedRow *row = &g_array_index (rows, EarUnindexedRow, (*n_taken)++);

      if (row->matches && !scored)
        found = TRUE;
      else if (!ear_unindexed_row_score (row, database, words, &found, &hit->score, error))
        return FALSE;
      hit->id = found ? row->id : 0;
      hit->key = row->key;
    }

  return TRUE;
}

/* Returns the newest hits, up to @limit: of the index, and of the rows that it lacks. */
static GArray *
collect_hits (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, guint n_scored, gboolean late, GError **error)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autoptr (GArray) rows = late ? ear_unindexed_rows_find (database, query, words, limit == 0, error)
                                 : g_array_new (FALSE, FALSE, sizeof (EarUnindexedRow));
  g_autoptr (EarStatement) indexed = rows != NULL ? prepare_hits (database, query, error) : NULL;
  guint n_taken = 0;
  Hit hit = { 0 };
  Hit late_hit = { 0 };

  if (indexed == NULL || !step_indexed (database, indexed, &hit, error) ||
      !step_unindexed (database, words, rows, n_scored > 0, &n_taken, &late_hit, error))
    return NULL;
  while ((hit.id != 0 || late_hit.id != 0) && (limit == 0 || hits->len < limit))
    {
      const gboolean take_late = hit.id == 0 || (late_hit.id != 0 && late_hit.key > hit.key);
      Hit *next = take_late ? &late_hit : &hit;

      if (hits->len >= n_scored)
        next->score = -1;
      g_array_append_val (hits, *next);
      if (!(take_late ? step_unindexed (database, words, rows, hits->len < n_scored, &n_taken, next, error)
                      : step_indexed (database, indexed, next, error)))
        return NULL;
    }

  return g_steal_pointer (&hits);
}

/* Returns the newest hits, the best of them first, and then the others by age; or all of
 * them by age. */
static GArray *
run_hits (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, gboolean ranked, gboolean late, GError **error)
{
  const guint n_wanted = ranked && limit > 0 ? MAX (limit, EAR_SEARCH_SCORE_LIMIT) : limit;
  const guint n_scored = ranked ? EAR_SEARCH_SCORE_LIMIT : 0;
  g_autoptr (GArray) hits = collect_hits (database, query, words, n_wanted, n_scored, late, error);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (hits == NULL)
    return NULL;
  if (ranked)
    g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len && (limit == 0 || i < limit); i++)
    g_array_append_val (ids, g_array_index (hits, Hit, i).id);

  return g_steal_pointer (&ids);
}

/* Returns the newest hits of a very common prefix. */
static GArray *
run_common (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, guint limit, gboolean ranked, GError **error)
{
  gboolean all;
  g_autoptr (GArray) ids = scan (database, query, words, COMMON_LIMIT, COMMON_ROWS, ranked, &all, error);

  if (ids != NULL && limit > 0 && limit < ids->len)
    g_array_set_size (ids, limit);

  return g_steal_pointer (&ids);
}

static GArray *
run (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autoptr (EarSearchWords) words = ear_search_words_new (database, query->search, error);
  double n_places = 0;
  gboolean late = FALSE;
  gboolean ranked;

  if (words == NULL)
    return NULL;
  if (ear_search_words_get_n (words) == 0)
    return g_array_new (FALSE, FALSE, sizeof (gint64));
  if (query->sort != EAR_SORT_NEWEST && query->sort != EAR_SORT_RANKED)
    return ear_episode_sql_run (database, query, limit, error);

  ranked = query->sort == EAR_SORT_RANKED && !ear_episode_query_has_own_order (query) && !ear_search_words_are_short (words);
  /* The scan is in the order of the list. */
  if (!ranked && query->list != NULL)
    return ear_episode_sql_run (database, query, limit, error);
  if (!ranked && limit > 0)
    {
      gboolean all = FALSE;
      g_autoptr (GArray) ids = scan (database, query, words, limit, SCAN_ROWS, FALSE, &all, error);

      if (ids == NULL || all || ids->len == limit)
        return g_steal_pointer (&ids);
    }
  if (!estimate (database, query, words, &n_places, error))
    return NULL;
  if (!ear_unindexed_rows_exist (database, &late, error))
    return NULL;
  /* With other words before it, the common word is searched in the rows that have those,
   * which only the index can find. */
  if (n_places > COSTLY && (!late || ear_search_words_get_n (words) == 1))
    return run_common (database, query, words, limit, ranked, error);
  if (!ranked && (!late || ear_episode_query_has_own_order (query)))
    return ear_episode_sql_run (database, query, limit, error);

  return run_hits (database, query, words, limit, ranked, late, error);
}

/* Runs a search. A prefix that is too common for the index finds only its newest 1000
 * hits, in the orders by age and by rank.
 * @limit: maximum number of ids, or 0 for all
 * Returns: (transfer full) (element-type gint64): row ids of episodes in
 * order, or %NULL */
GArray *
ear_episode_search_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  GArray *ids;

  /* One transaction: rows inside and outside the index have to be of the same moment. */
  if (!ear_database_exec (database, "BEGIN", error))
    return NULL;
  ids = run (database, query, limit, error);
  if (ids != NULL && !ear_moment_hits_add (database, query, limit, ids, error))
    g_clear_pointer (&ids, g_array_unref);
  ear_database_exec (database, "COMMIT", NULL);

  return ids;
}
