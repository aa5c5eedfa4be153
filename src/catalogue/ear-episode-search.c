/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-search.h"

#include "ear-catalogue-schema.h"
#include "ear-columns.h"
#include "ear-episode-sql.h"
#include "ear-tokenizer.h"

#include <string.h>

/* Scores an episode for a search: a word in the title counts more than any number of
 * words in the notes, and most at the title's beginning. Hits of the full text index and
 * texts outside of it get the same score. */

#define N_PHRASES 16

/* Columns of the index */
#define NOTES 0
#define TITLE 1

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
rank (const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int n_values,
      sqlite3_value **values)
{
  double title[N_PHRASES] = { 0 };
  int counts[N_PHRASES] = { 0 };
  double score = 0;
  int n_instances = 0;

  if (!take_turn (api, context))
    return;
  api->xInstCount (context, &n_instances);
  for (int i = 0; i < n_instances; i++)
    {
      int phrase, column, offset;

      if (api->xInst (context, i, &phrase, &column, &offset) != SQLITE_OK || phrase >= N_PHRASES)
        continue;
      if (column == TITLE)
        title[phrase] = MAX (title[phrase], offset == 0 ? 5 : 4);
      else if (column == NOTES)
        counts[phrase]++;
    }
  for (int i = 0; i < N_PHRASES; i++)
    score += title[i] + counts[i] / (counts[i] + 2.0);
  sqlite3_result_double (result, score);
}

/* Registers `ear_rank()`, which ranks hits. */
void
ear_search_score_register (EarDatabase *database)
{
  fts5_api *api = ear_tokenizer_get_api (ear_database_get_handle (database));

  if (api == NULL || api->xCreateFunction (api, "ear_rank", NULL, rank, NULL) != SQLITE_OK)
    ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_FAILED,
                                                      "A function cannot be registered"));
}

/* Search results besides titles and notes: transcripts that were fetched, known
 * chapters, and the listener's bookmarks. All words have to be in one sentence,
 * chapter or bookmark. */

/* Parameters of the statement that the filter does not have */
#define MATCH 2
#define BOOKMARKED 7

/* Lists episodes with a matching bookmark.
 * Returns: (transfer full): their ids, as JSON */
static char *
list_bookmarked (EarDatabase *database, const EarEpisodeQuery *query)
{
  g_autoptr (EarSearchWords) words =
      query->bookmarks != NULL ? ear_search_words_new (query->search, database) : NULL;
  g_autoptr (GArray) ids = ear_ids_new ();

  for (guint i = 0; words != NULL && i < query->bookmarks->len; i++)
    {
      const EarBookmarkText *bookmark = g_ptr_array_index (query->bookmarks, i);
      gint64 id = 0;

      if (ear_search_words_match (words, bookmark->text, NULL))
        id = ear_database_get_int (
            database,
            "SELECT coalesce ((SELECT id FROM episode WHERE podcast = podcast.id"
            " AND guid = ?2), (SELECT id FROM episode WHERE podcast = podcast.id"
            " AND feed_guid = ?2)) FROM podcast WHERE address = ?1",
            "ss", bookmark->address, bookmark->guid);
      if (id != 0)
        g_array_append_val (ids, id);
    }

  return ear_database_print_ids (ids);
}

/* Lists matching episodes that pass the query's filter, newest first. */
static GArray *
list_hits (EarDatabase *database, const EarEpisodeQuery *query, const char *match)
{
  g_autofree char *bookmarked = list_bookmarked (database, query);
  g_autoptr (GString) sql = g_string_new (
      "SELECT id FROM (SELECT rowid >> 18 AS found FROM sentence_text WHERE sentence_text MATCH ?2"
      " UNION SELECT rowid >> 18 FROM chapter_text WHERE chapter_text MATCH ?2"
      " UNION SELECT value FROM json_each (?7))"
      " CROSS JOIN episode ON episode.id = found WHERE ");
  g_autoptr (EarStatement) statement = NULL;

  ear_episode_filter_append_condition (sql, query);
  g_string_append (sql, " ORDER BY sort_key DESC");
  statement = ear_database_query (database, g_intern_string (sql->str), "x", query->podcast);
  ear_statement_bind_text (statement, MATCH, match);
  ear_statement_bind_text (statement, BOOKMARKED, bookmarked);
  ear_episode_filter_bind (statement, query);

  return ear_database_list (database, statement);
}

/* Sorts ids into the order of a query that is not ranked. */
static void
sort (EarDatabase *database, const EarEpisodeQuery *query, GArray *ids)
{
  g_autoptr (EarEpisodeQuery) order = ear_episode_query_copy (query);
  g_autofree char *list = ear_database_print_ids (ids);
  g_autofree char *sql = NULL;
  g_autoptr (EarStatement) statement = NULL;
  g_autoptr (GArray) sorted = NULL;

  g_clear_pointer (&order->search, g_free);
  g_clear_pointer (&order->list, g_free);
  sql = g_strdup_printf (
      "SELECT id FROM episode WHERE id IN (SELECT value FROM json_each (?1)) ORDER BY %s",
      ear_episode_sql_get_order (order));
  statement = ear_database_query (database, g_intern_string (sql), "s", list);
  sorted = ear_database_list (database, statement);
  g_array_set_size (ids, 0);
  g_array_append_vals (ids, sorted->data, sorted->len);
}

/* Adds episodes found by one of their moments: after the best matches, or sorted by age,
 * title or length.
 * @ids: (element-type gint64): hits in titles and notes */
void
ear_moment_hits_add (EarDatabase *database, const EarEpisodeQuery *query, guint limit, GArray *ids)
{
  const gboolean ranked = query->sort == EAR_SORT_RANKED &&
                          !ear_episode_query_has_own_order (query);
  g_autofree char *match = ear_search_words_dup_match (query->search, " AND ");
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) hits = NULL;
  const guint n_before = ids->len;

  if (match == NULL || query->terms.only_notes || (ranked && limit > 0 && ids->len >= limit))
    return;
  if (query->bookmarks == NULL &&
      ear_database_get_int (
          database,
          "SELECT EXISTS (SELECT 1 FROM transcript) OR EXISTS (SELECT 1 FROM chaptered)", "") == 0)
    return;
  hits = list_hits (database, query, match);
  for (guint i = 0; i < n_before && hits->len > 0; i++)
    g_hash_table_add (known, &g_array_index (ids, gint64, i));
  for (guint i = hits->len; i > 0; i--)
    if (g_hash_table_contains (known, &g_array_index (hits, gint64, i - 1)))
      g_array_remove_index (hits, i - 1);
  g_array_append_vals (ids, hits->data, hits->len);
  if (ids->len > n_before && !ranked)
    sort (database, query, ids);
  if (limit > 0 && ids->len > limit)
    g_array_set_size (ids, limit);
}

static char *
find_bookmark (const EarMomentSearch *search, gint64 *time)
{
  for (guint i = 0; search->bookmarks != NULL && i < search->bookmarks->len; i++)
    {
      const EarBookmarkText *bookmark = g_ptr_array_index (search->bookmarks, i);

      if (g_strcmp0 (bookmark->guid, search->guid) == 0 &&
          g_strcmp0 (bookmark->address, search->address) == 0 &&
          ear_search_words_match (search->words, bookmark->text, NULL))
        {
          *time = bookmark->time;
          return g_strdup (bookmark->text);
        }
    }

  return NULL;
}

/* Returns the first text that has all words; an episode has few of these texts.
 * @sql: query for texts and their times */
static char *
find_text (EarDatabase *database, const EarMomentSearch *search, const char *sql, gint64 *time)
{
  g_autoptr (EarStatement) statement = ear_database_query (database, sql, "x",
                                                           search->episode);

  while (ear_database_step (database, statement))
    {
      g_autofree char *text = ear_statement_dup_text (statement, 0);

      if (text == NULL || !ear_search_words_match (search->words, text, NULL))
        continue;
      *time = sqlite3_column_int64 (statement, 1);
      return g_steal_pointer (&text);
    }

  return NULL;
}

/* Finds a sentence with the transcript's index, as it has many. The sentence's time is
 * corrected by the listener's shift; transcripts may have no times. */
static char *
find_sentence (EarDatabase *database, const EarMomentSearch *search, gint64 *time)
{
  g_autofree char *match = ear_search_words_dup_match (search->text, " AND ");
  g_autoptr (EarStatement) statement = NULL;

  if (match == NULL)
    return NULL;
  statement = ear_database_query (
      database,
      "SELECT text, CASE WHEN start < 0 THEN -1 ELSE max (start + shift, -1) END"
      " FROM sentence_text CROSS JOIN episode ON episode.id = ?2 WHERE sentence_text MATCH ?1"
      " AND sentence_text.rowid >= ?2 << 18 AND sentence_text.rowid < (?2 + 1) << 18"
      " ORDER BY sentence_text.rowid LIMIT 1",
      "sx", match, search->episode);
  if (!ear_database_step (database, statement))
    return NULL;
  *time = sqlite3_column_int64 (statement, 1);

  return ear_statement_dup_text (statement, 0);
}

/* Finds the best explanation of a hit: a bookmark, a chapter, then a link of the notes,
 * or a sentence if the notes do not have the words.
 * @kind: (out): kind of the text; unchanged without one
 * @time: (out): its time, in microseconds; -1 for a link, and in a
 * transcript without times
 * Returns: (transfer full) (nullable): a text that has all words, or %NULL */
char *
ear_moment_hits_find (EarDatabase *database, const EarMomentSearch *search, EarSnippetKind *kind,
                      gint64 *time)
{
  EarSnippetKind found = EAR_SNIPPET_BOOKMARK;
  char *text = find_bookmark (search, time);

  if (text == NULL)
    {
      found = EAR_SNIPPET_CHAPTER;
      text = find_text (database, search,
                        "SELECT text, start FROM chapter_text WHERE rowid >= ?1 << 18"
                        " AND rowid < (?1 + 1) << 18 ORDER BY rowid",
                        time);
    }
  if (text == NULL && search->in_notes)
    {
      found = EAR_SNIPPET_LINK;
      text = find_text (database, search,
                        "SELECT words, -1 FROM episode CROSS JOIN mention ON mention.id "
                        ">= " EAR_MENTION_SQL_FIRST ("sort_key")
                        " AND mention.id < " EAR_MENTION_SQL_END ("sort_key")
                        " WHERE episode.id = ?1 AND words IS NOT NULL",
                        time);
    }
  else if (text == NULL)
    {
      found = EAR_SNIPPET_TRANSCRIPT;
      text = find_sentence (database, search, time);
    }
  if (text != NULL)
    *kind = found;

  return text;
}

/* Runs a search, in one transaction: all rows have to be of the same moment.
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order */
GArray *
ear_episode_search_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit)
{
  GArray *ids;

  ear_database_exec (database, "BEGIN");
  ids = ear_episode_sql_run (database, query, limit);
  ear_moment_hits_add (database, query, limit, ids);
  ear_database_exec (database, "COMMIT");

  return ids;
}
