/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-unindexed-rows.h"

#include "ear-episode-filter.h"
#include "ear-episode-record.h"
#include "ear-plain-text.h"
#include "ear-search-score.h"

/* Rows that the full text index lacks yet (`ear-catalogue-tables-texts.c`), which a
 * search has to scan: a first fetch leaves 100,000 of them for some seconds. The
 * scan reads rows in the order of the file, each page once, and rejects most by
 * their bytes; only possible matches go through the tokenizer, newest first, until
 * enough are found. */

/* @exist: (out): whether the full text index may lack rows
 * Returns: %FALSE on an error */
gboolean
ear_unindexed_rows_exist (EarDatabase *database, gboolean *exist, GError **error)
{
  gint64 value = 0;

  if (!ear_database_get_int (database, error, &value, "SELECT 1 FROM meta WHERE key = 'texts'", ""))
    return FALSE;
  *exist = value != 0;

  return TRUE;
}

/* Adds the rows that the index lacks, `late.id` and `late.sort_key`, with `episode` and
 * `notes`. The limit keeps SQLite from reading them in another order. */
void
ear_unindexed_rows_append_sql (GString *sql, const EarEpisodeQuery *query)
{
  g_string_append (sql, "(SELECT id, sort_key FROM episode INDEXED BY episode_all"
                        " WHERE sort_key < (SELECT value FROM meta WHERE key = 'texts')"
                        " AND NOT EXISTS (SELECT 1 FROM episode_text_docsize AS size WHERE size.id = episode.sort_key) AND ");
  ear_episode_filter_append_condition (sql, query);
  g_string_append (sql, " ORDER BY id LIMIT -1) AS late CROSS JOIN episode ON episode.id = late.id"
                        " LEFT JOIN notes ON notes.episode = late.id");
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const EarUnindexedRow *first = a;
  const EarUnindexedRow *second = b;

  return (first->key < second->key) - (first->key > second->key);
}

/* @all: whether all rows are wanted: then each is tokenized while its text is at hand
 * Returns: (transfer full) (element-type EarUnindexedRow): rows that have, or may have,
 * all words, newest first, or %NULL */
GArray *
ear_unindexed_rows_find (EarDatabase *database, const EarEpisodeQuery *query, EarSearchWords *words, gboolean all, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (EarUnindexedRow));
  g_autoptr (GString) sql = g_string_new ("SELECT late.id, late.sort_key, title, text FROM ");
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  ear_unindexed_rows_append_sql (sql, query);
  statement = ear_database_query (database, error, g_intern_string (sql->str), "x", query->podcast);
  ear_episode_filter_bind (statement, query);
  while (ear_database_step (database, statement, &row, error) && row)
    {
      const char *title = (const char *) sqlite3_column_text (statement, 2);
      const char *notes = (const char *) sqlite3_column_text (statement, 3);
      g_autofree char *text = ear_plain_text_from_notes (notes, EAR_EPISODE_RECORD_TEXT_LIMIT);

      if (ear_search_words_may_match (words, title, text) && (!all || ear_search_words_match (words, title, text)))
        {
          const EarUnindexedRow found = { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1), all };

          g_array_append_val (rows, found);
        }
    }
  g_array_sort (rows, compare_rows);

  return row ? NULL : g_steal_pointer (&rows);
}

/* @database: the connection that found the row, in the same transaction
 * @found: (out): whether all words are in it
 * @score: (out): its score, if they are
 * Returns: %FALSE on an error */
gboolean
ear_unindexed_row_score (const EarUnindexedRow *row,
                         EarDatabase *database,
                         EarSearchWords *words,
                         gboolean *found,
                         double *score,
                         GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error, "SELECT title, text FROM episode LEFT JOIN notes ON notes.episode = episode.id WHERE episode.id = ?1", "x",
      row->id);

  if (!ear_database_step (database, statement, found, error))
    return FALSE;
  *found = *found && ear_search_score_text (words, (const char *) sqlite3_column_text (statement, 0),
                                            (const char *) sqlite3_column_text (statement, 1), score);

  return TRUE;
}
