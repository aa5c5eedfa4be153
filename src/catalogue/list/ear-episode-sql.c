/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-sql.h"

#include "ear-episode-filter.h"
#include "ear-search-words.h"
#include "ear-unindexed-rows.h"

#include <string.h>

/* Limit of a word's length: more only costs time */
#define WORD_BYTES 100

/* Titles differ within this length. */
#define TITLE_BYTES 512

/* title_key (title): a text whose bytes sort in the usual order, numbers
 * by their value */
static void
title_key (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  const char *title = (const char *) sqlite3_value_text (values[0]);
  g_autofree char *valid = NULL;
  g_autofree char *folded = NULL;

  if (title == NULL)
    return;
  valid = g_utf8_make_valid (title, (gssize) strnlen (title, TITLE_BYTES));
  folded = g_utf8_casefold (valid, -1);
  sqlite3_result_text (context, g_utf8_collate_key_for_filename (folded, -1), -1, g_free);
}

/* Registers the SQL functions of the queries. */
gboolean
ear_episode_sql_register (EarDatabase *database, GError **error)
{
  if (sqlite3_create_function (ear_database_get_handle (database), "title_key", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                               NULL, title_key, NULL, NULL) == SQLITE_OK)
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "A function cannot be registered");

  return FALSE;
}

/* Returns: (transfer none): the ORDER BY clause */
const char *
ear_episode_sql_get_order (const EarEpisodeQuery *query)
{
  if (query->filter == EAR_FILTER_HISTORY)
    return "position_updated DESC, sort_key DESC";
  if (query->filter == EAR_FILTER_QUEUED)
    return "queued, sort_key";
  if (query->filter == EAR_FILTER_DOWNLOADS)
    return "download, download_place, sort_key DESC";
  if (query->list != NULL && query->search == NULL)
    return "member_place";

  switch (query->sort)
    {
    case EAR_SORT_OLDEST:
      return query->search != NULL ? "episode_text.rowid" : "sort_key";
    case EAR_SORT_TITLE:
      return "title_key (episode.title), sort_key DESC";
    case EAR_SORT_LONGEST:
      return "CASE measured WHEN 0 THEN duration ELSE measured END DESC, sort_key DESC";
    case EAR_SORT_NEWEST:
    case EAR_SORT_RANKED:
    default:
      return query->search != NULL ? "episode_text.rowid DESC" : "sort_key DESC";
    }
}

/* Adds the FROM and WHERE clauses. */
static void
append_rows (GString *sql, const EarEpisodeQuery *query, gboolean late)
{
  if (query->search != NULL && late)
    {
      g_string_append (sql, "(SELECT rowid AS rowid FROM episode_text WHERE episode_text MATCH ?2"
                            " UNION ALL SELECT late.sort_key FROM ");
      ear_unindexed_rows_append_sql (sql, query);
      g_string_append (sql, " WHERE ear_score (?4, title, text) IS NOT NULL) AS episode_text"
                            " CROSS JOIN episode ON episode.sort_key = episode_text.rowid WHERE ");
    }
  else if (query->search != NULL)
    g_string_append (sql, "episode_text CROSS JOIN episode ON episode.sort_key = episode_text.rowid"
                          " WHERE episode_text MATCH ?2 AND ");
  else if (query->list != NULL)
    {
      ear_episode_filter_append_members (sql);
      g_string_append (sql, " WHERE ");
    }
  else if (query->current != 0 && ear_episode_filter_is_few (query))
    ear_episode_filter_append_few (sql, query);
  else if (ear_episode_query_is_in_order (query))
    g_string_append_printf (sql, "episode INDEXED BY %s WHERE ", ear_episode_filter_get_index (query));
  else
    g_string_append (sql, "episode WHERE ");
  ear_episode_filter_append_condition (sql, query);
}

/* The parameters are ?1 the podcast, ?2 the words, ?3 the limit; for late rows also ?4,
 * the typed text.
 * @late: whether to search rows that the full text index lacks yet
 * Returns: (transfer none): the statement for the query, interned */
const char *
ear_episode_sql_get (const EarEpisodeQuery *query, gboolean late)
{
  g_autoptr (GString) sql = g_string_new ("SELECT episode.id FROM ");

  append_rows (sql, query, late);
  g_string_append_printf (sql, " ORDER BY %s LIMIT ?3", ear_episode_sql_get_order (query));

  return g_intern_string (sql->str);
}

/* Counts the result of a query without a search.
 * @count: (out): number of episodes
 * Returns: %FALSE on an error */
gboolean
ear_episode_sql_count_query (EarDatabase *database, const EarEpisodeQuery *query, guint *count, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT count (*) FROM ");
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  append_rows (sql, query, FALSE);
  statement = ear_database_query (database, error, g_intern_string (sql->str), "x", query->podcast);
  ear_episode_filter_bind (statement, query);
  if (!ear_database_step (database, statement, &row, error))
    return FALSE;
  *count = row ? (guint) sqlite3_column_int64 (statement, 0) : 0;

  return TRUE;
}

/* Counts with the index of a filter that few episodes pass.
 * @count: (out): number of episodes of all followed podcasts
 * Returns: %FALSE on an error */
gboolean
ear_episode_sql_count (EarDatabase *database, EarEpisodeFilter filter, guint *count, GError **error)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, filter, EAR_SORT_NEWEST, NULL);

  return ear_episode_sql_count_query (database, query, count, error);
}

/* @has: (out): whether any episode of the followed podcasts passes the filter
 * Returns: %FALSE on an error */
gboolean
ear_episode_sql_has (EarDatabase *database, EarEpisodeFilter filter, gboolean *has, GError **error)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, filter, EAR_SORT_NEWEST, NULL);
  g_autoptr (GString) sql = g_string_new ("SELECT 1 FROM ");
  g_autoptr (EarStatement) statement = NULL;

  append_rows (sql, query, FALSE);
  g_string_append (sql, " LIMIT 1");
  statement = ear_database_prepare (database, g_intern_string (sql->str), error);

  return ear_database_step (database, statement, has, error);
}

/* Counts the episodes in New by podcast, in one scan of its index: all numbers are of one
 * moment, and their sum is the number of the view.
 * Returns: (transfer full) (nullable): numbers by row id of the podcast, or %NULL
 * on an error */
GHashTable *
ear_episode_sql_count_new (EarDatabase *database, GError **error)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_NEW, EAR_SORT_NEWEST, NULL);
  g_autoptr (GString) sql = g_string_new ("SELECT podcast, count (*) FROM ");
  g_autoptr (GHashTable) news = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  append_rows (sql, query, FALSE);
  g_string_append (sql, " GROUP BY podcast");
  statement = ear_database_prepare (database, g_intern_string (sql->str), error);
  while (ear_database_step (database, statement, &row, error) && row)
    {
      const gint64 podcast = sqlite3_column_int64 (statement, 0);

      g_hash_table_insert (news, g_memdup2 (&podcast, sizeof podcast), GUINT_TO_POINTER (sqlite3_column_int (statement, 1)));
    }

  return row ? NULL : g_steal_pointer (&news);
}

static void
append_word (GString *match, const char *word, gboolean prefix)
{
  const char *end = word + strlen (word);

  /* A truncated word matches any rest. */
  if (end - word > WORD_BYTES)
    {
      end = g_utf8_find_prev_char (word, word + WORD_BYTES);
      prefix = TRUE;
    }
  g_string_append_c (match, '"');
  for (; word < end; word++)
    {
      if (*word == '"')
        g_string_append_c (match, '"');
      g_string_append_c (match, *word);
    }
  g_string_append (match, prefix ? "\" *" : "\"");
}

/* @n_words: number of @words, the last of which is a prefix */
static void
append_words (GString *match, GPtrArray *words, guint n_words)
{
  for (guint i = 0; i < n_words; i++)
    {
      if (i > 0)
        g_string_append (match, " AND ");
      append_word (match, g_ptr_array_index (words, i), i + 1 == words->len);
    }
}

/* Turns typed text into an expression for an index with one column.
 * Returns: (transfer full) (nullable): the expression, or %NULL
 * without searchable words */
char *
ear_episode_sql_dup_words (const char *search)
{
  g_autoptr (GPtrArray) words = ear_search_words_split (search);
  GString *match = words->len > 0 ? g_string_new (NULL) : NULL;

  if (match == NULL)
    return NULL;
  append_words (match, words, words->len);

  return g_string_free_and_steal (match);
}

/* Turns typed text into an expression for the full text index: each word in quotes, so
 * that none is an operator.
 * @whole: only the words before the last one; otherwise all, the last one as a prefix
 * Returns: (transfer full) (nullable): the expression, or %NULL
 * without searchable words */
char *
ear_episode_sql_dup_match (const EarEpisodeQuery *query, gboolean whole)
{
  g_autoptr (GPtrArray) words = ear_search_words_split (query->search);
  g_autoptr (GString) match = g_string_new (NULL);
  const guint n_words = whole && words->len > 0 ? words->len - 1 : words->len;

  if (n_words == 0)
    return NULL;
  if (query->podcast != 0)
    g_string_append_printf (match, "podcast : \"p%" G_GINT64_FORMAT "\" AND ", query->podcast);
  g_string_append (match, "{title notes} : (");
  append_words (match, words, n_words);
  g_string_append_c (match, ')');

  return g_string_free_and_steal (g_steal_pointer (&match));
}

/* Runs a query. For searches, [func@ear_episode_search_run] ranks the matches and is
 * quicker for a few rows; this function finds all.
 * @limit: maximum number of ids, or 0 for all
 * Returns: (transfer full) (element-type gint64): row ids of episodes in
 * order, or %NULL */
GArray *
ear_episode_sql_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GError **error)
{
  g_autofree char *match = NULL;
  g_autoptr (EarStatement) statement = NULL;
  gboolean late = FALSE;

  if (query->search != NULL)
    {
      if (!ear_unindexed_rows_exist (database, &late, error))
        return NULL;
      match = ear_episode_sql_dup_match (query, FALSE);
      if (match == NULL)
        return g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  statement = ear_database_query (database, error, ear_episode_sql_get (query, late), late ? "xsxs" : "xsx", query->podcast,
                                  match, limit > 0 ? (gint64) limit : (gint64) -1, query->search);
  ear_episode_filter_bind (statement, query);

  return ear_database_list (database, statement, error);
}

/* Remaining time of an episode */
#define LEFT "max (0, CASE measured WHEN 0 THEN duration ELSE measured END - position)"

/* Trailers and bonus episodes are not part of a series, nor are unplayed episodes that
 * the listener has removed. The listener continues after the episode played last, even if
 * earlier ones were skipped; skipped ones come only when nothing follows. */
#define PART "podcast = ?1 AND type = 0 AND (archived = 0 OR listened = 1)"
#define LAST_HEARD \
  "(SELECT sort_key FROM episode WHERE " PART " AND (listened = 1 OR position > 0) AND position_updated > 0" \
  " ORDER BY position_updated DESC LIMIT 1)"

/* Returns: (transfer full): the listener's progress in a podcast, or %NULL */
EarSeriesProgress *
ear_episode_sql_read_series (EarDatabase *database, gint64 podcast, GError **error)
{
  g_autofree EarSeriesProgress *progress = g_new0 (EarSeriesProgress, 1);
  g_autoptr (EarStatement) counts = ear_database_query (
      database, error, "SELECT count (*), total (listened), total (CASE listened WHEN 0 THEN " LEFT " ELSE 0 END) FROM episode WHERE " PART,
      "x", podcast);
  g_autoptr (EarStatement) next = NULL;
  gboolean row;

  if (!ear_database_step (database, counts, &row, error))
    return NULL;
  progress->n_episodes = (guint) sqlite3_column_int (counts, 0);
  progress->n_heard = (guint) sqlite3_column_int (counts, 1);
  progress->left = sqlite3_column_int64 (counts, 2);
  next = ear_database_query (database, error, "SELECT id FROM episode WHERE " PART " AND listened = 0 AND enclosure IS NOT NULL"
                             " ORDER BY coalesce (sort_key >= " LAST_HEARD ", 1) DESC, sort_key LIMIT 1", "x", podcast);
  if (!ear_database_step (database, next, &row, error))
    return NULL;
  progress->next = row ? sqlite3_column_int64 (next, 0) : 0;

  return g_steal_pointer (&progress);
}
