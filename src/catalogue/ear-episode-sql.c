/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-sql.h"

#include "ear-search-words.h"
#include "ear-tokenizer.h"

#include <string.h>

/* Conditions of the views that are counted */
#define BEGUN " AND listened = 0 AND position > 0 AND archived = 0"
#define LIKED " AND liked = 1"
#define FRESH " AND fresh = 1 AND listened = 0 AND position = 0 AND archived = 0"
/* Episodes that were only marked as played have no position_updated. */
#define HEARD " AND (listened = 1 OR position > 0) AND position_updated > 0"

/* SQL of the filters. A further filter needs a line in this table, and an index in the
 * schema if few episodes pass it. */
static const struct
{
  const char *name;       /* (nullable): as in EarPodcast:filter, for filters of one list */
  const char *index;      /* (nullable): has the rows in order; used only with its condition */
  const char *condition;
  EarEpisodeChange interest; /* changes that may affect the result */
} filters[] = {
  [EAR_FILTER_ALL] = { "all", NULL, "", EAR_CHANGE_NONE },
  [EAR_FILTER_UNPLAYED] = { "unplayed", NULL, " AND listened = 0", EAR_CHANGE_LISTENED },
  [EAR_FILTER_IN_PROGRESS] = { "in-progress", "episode_begun", BEGUN,
                               EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_REMOVED },
  [EAR_FILTER_LIKED] = { "liked", "episode_liked", LIKED, EAR_CHANGE_LIKED },
  [EAR_FILTER_NEW] = { NULL, "episode_fresh", FRESH,
                       EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_FRESH |
                           EAR_CHANGE_REMOVED },
  [EAR_FILTER_HISTORY] = { NULL, "episode_heard", HEARD,
                           EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_HEARD },
  [EAR_FILTER_DOWNLOADED] = { "downloaded", "episode_download",
                              " AND download <> 0 AND download = 2", EAR_CHANGE_DOWNLOAD },
  [EAR_FILTER_DOWNLOADS] = { NULL, "episode_downloads", " AND download <> 0", EAR_CHANGE_DOWNLOAD },
  /* A played episode returns to Up Next when it is marked as unplayed. */
  [EAR_FILTER_QUEUED] = { NULL, "episode_queued", " AND queued > 0 AND listened = 0",
                          EAR_CHANGE_LISTENED | EAR_CHANGE_QUEUED },
  [EAR_FILTER_PLAYED] = { NULL, NULL, " AND listened = 1", EAR_CHANGE_LISTENED },
};

/* @name: (nullable): as in EarPodcast:filter
 * Returns: the filter of that name, or %EAR_FILTER_ALL */
EarEpisodeFilter
ear_episode_filter_from_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    if (name != NULL && g_strcmp0 (filters[i].name, name) == 0)
      return (EarEpisodeFilter) i;

  return EAR_FILTER_ALL;
}

/* Adds the table episode, joined to the members of one of the listener's own lists;
 * `member_place` is their order. Two members may be the same episode, as its feed may have
 * changed the guid between two computers; it has the first position. See EarListMember. */
static void
append_members (GString *sql)
{
  g_string_append (
      sql,
      "(SELECT min (place) AS member_place, coalesce ("
      "(SELECT id FROM episode WHERE podcast = member_podcast AND guid = member_guid),"
      "(SELECT id FROM episode WHERE podcast = member_podcast AND feed_guid = member_guid),"
      "(SELECT id FROM episode WHERE podcast = member_podcast AND guid = member_alias))"
      " AS member_row FROM (SELECT key AS place, value ->> 0 AS member_podcast,"
      " value ->> 1 AS member_guid, value ->> 2 AS member_alias FROM json_each (?5))"
      " GROUP BY member_row) CROSS JOIN episode ON episode.id = member_row");
}

/* Length of an episode */
#define LENGTH "CASE measured WHEN 0 THEN duration ELSE measured END"

/* @by_rows: whether the rows are read anyway, and need no look-up in the index
 * of each podcast */
static void
append_terms (GString *sql, const EarEpisodeConditions *terms, gboolean by_rows)
{
  if (terms->podcasts != NULL)
    g_string_append_printf (sql, " AND %sepisode.podcast IN (SELECT value FROM json_each (?4))",
                            by_rows ? "+" : "");
  if (terms->shortest > 0)
    g_string_append (sql, " AND " LENGTH " >= ?6");
  if (terms->longest > 0)
    g_string_append (sql, " AND " LENGTH " BETWEEN 1 AND ?7");
  if (terms->days > 0)
    g_string_append (sql, " AND published >= unixepoch () - ?8 * 24 * 60 * 60");
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (ear_episode_conditions_have (terms, i))
      g_string_append (sql, filters[i].condition);
  if (terms->after != 0)
    g_string_append (sql, " AND published >= ?9");
  if (terms->before != 0)
    g_string_append (sql, " AND published < ?10");
}

/* Adds the condition on rows of the table episode.
 * @sql: a statement that ends with WHERE or AND */
static void
append_condition (GString *sql, const EarEpisodeQuery *query)
{
  if (query->podcast != 0)
    g_string_append (sql, "episode.podcast = ?1 AND ");
  /* Episodes of a preview are only in their podcast's own list. */
  g_string_append_printf (sql,
                          "episode.podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0%s)",
                          query->podcast != 0 ? " AND hidden > 0" : "");
  g_string_append (sql, filters[query->filter].condition);
  append_terms (sql, &query->terms, query->search != NULL);
  /* Without a search, the members are in the FROM clause. */
  if (query->list != NULL && query->search != NULL)
    {
      g_string_append (sql, " AND episode.id IN (SELECT episode.id FROM ");
      append_members (sql);
      g_string_append_c (sql, ')');
    }
}

/* Values that the listener types are parameters, too: each text of a statement is kept. SQLite
 * ignores parameters that the statement lacks.
 * @sql: a statement with the condition; ?2 are the words, ?3 the limit
 * Returns: (transfer none): the statement with its parameters */
static EarStatement *
prepare (EarDatabase *database, const char *sql, const EarEpisodeQuery *query, const char *match,
         guint limit)
{
  const EarEpisodeConditions *terms = &query->terms;

  return ear_database_query (database, g_intern_string (sql), "xsxasxxixxi", query->podcast, match,
                             limit > 0 ? (gint64) limit : (gint64) -1, terms->podcasts,
                             query->members != NULL ? query->members : "[]", terms->shortest,
                             terms->longest, (int) terms->days, terms->after, terms->before,
                             limit > 0 ? (int) MAX (limit, EAR_SEARCH_SCORE_LIMIT) : -1);
}

static EarEpisodeChange
get_interest (const EarEpisodeConditions *terms)
{
  EarEpisodeChange interest = EAR_CHANGE_NONE;

  if (terms->shortest > 0 || terms->longest > 0)
    interest |= EAR_CHANGE_LENGTH;
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (ear_episode_conditions_have (terms, i))
      interest |= filters[i].interest;

  return interest;
}

/* Returns: changes that may affect the result */
EarEpisodeChange
ear_episode_filter_get_interest (const EarEpisodeQuery *query)
{
  EarEpisodeChange interest = filters[query->filter].interest | get_interest (&query->terms) |
                              EAR_CHANGE_INSERTED | EAR_CHANGE_HIDDEN | EAR_CHANGE_DATE;

  if (query->search != NULL || query->sort == EAR_SORT_TITLE)
    interest |= EAR_CHANGE_TEXT;
  if (query->search != NULL)
    interest |= EAR_CHANGE_MOMENTS;
  if (query->sort == EAR_SORT_LONGEST)
    interest |= EAR_CHANGE_LENGTH;

  return interest;
}

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

/* Registers the SQL functions of the queries, and makes the indexes of the bookmarks and of the
 * texts in which ear-search-words.c finds words. */
void
ear_episode_sql_register (EarDatabase *database)
{
  sqlite3 *handle = ear_database_get_handle (database);
  fts5_api *api = ear_tokenizer_get_api (handle);

  if (sqlite3_create_function (handle, "title_key", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                               title_key, NULL, NULL) != SQLITE_OK ||
      api == NULL || api->xCreateFunction (api, "ear_rank", NULL, rank, NULL) != SQLITE_OK)
    ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_FAILED,
                                                      "A function cannot be registered"));
  /* Temporary tables give their memory back. */
  ear_database_exec (database, "PRAGMA temp.auto_vacuum = FULL;"
                               "CREATE VIRTUAL TABLE temp.bookmark_text USING fts5 (text,"
                               " address UNINDEXED, guid UNINDEXED, time UNINDEXED,"
                               " tokenize = " EAR_TOKENIZER ");"
                               "CREATE VIRTUAL TABLE temp.text USING fts5 (title, notes,"
                               " tokenize = " EAR_TOKENIZER ")");
}

/* @by_text: whether the rows are those of the full text index */
static const char *
get_order (const EarEpisodeQuery *query, gboolean by_text)
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
      return by_text ? "episode_text.rowid" : "sort_key";
    case EAR_SORT_TITLE:
      return "title_key (episode.title), sort_key DESC";
    case EAR_SORT_LONGEST:
      return LENGTH " DESC, sort_key DESC";
    case EAR_SORT_NEWEST:
    case EAR_SORT_RANKED:
    default:
      return by_text ? "episode_text.rowid DESC" : "sort_key DESC";
    }
}

/* Adds the FROM and WHERE clauses. An index that has the rows in order is named, so that nothing
 * else is read. */
static void
append_rows (GString *sql, const EarEpisodeQuery *query)
{
  const char *index = query->podcast != 0 ? "episode_of" : "episode_all";

  if (filters[query->filter].index != NULL)
    index = filters[query->filter].index;
  if (query->search != NULL)
    g_string_append (sql, "episode_text CROSS JOIN episode ON episode.sort_key = episode_text.rowid"
                          " WHERE episode_text MATCH ?2 AND ");
  else if (query->list != NULL)
    {
      append_members (sql);
      g_string_append (sql, " WHERE ");
    }
  else if (ear_episode_query_is_in_order (query))
    g_string_append_printf (sql, "episode INDEXED BY %s WHERE ", index);
  else
    g_string_append (sql, "episode WHERE ");
  append_condition (sql, query);
}

/* The parameters are those of prepare(). In a ranked search, only the newest hits have a score:
 * they come first, the best at the top; older hits follow by date, and are not read for a limit.
 * Without a LIMIT of its own, SQLite may drop the order of the inner statement.
 * Returns: (transfer none): the statement for the query, interned */
const char *
ear_episode_sql_get (const EarEpisodeQuery *query)
{
  const gboolean is_ranked = ear_episode_query_is_ranked (query);
  g_autoptr (GString) sql = g_string_new (
      is_ranked ? "SELECT id FROM (SELECT episode.id AS id, episode_text.rowid AS age,"
                  " ear_rank (episode_text) AS score FROM "
                : "SELECT episode.id FROM ");

  append_rows (sql, query);
  g_string_append_printf (sql, " ORDER BY %s", get_order (query, query->search != NULL));
  g_string_append (sql, is_ranked ? " LIMIT ?11) ORDER BY score DESC, age DESC LIMIT ?3"
                                  : " LIMIT ?3");

  return g_intern_string (sql->str);
}

void
ear_episode_totals_free (EarEpisodeTotals *self)
{
  g_hash_table_unref (self->news);
  g_free (self);
}

/* The rows of a view, which an index of its filter has */
#define VIEW(index, condition) \
  " FROM episode INDEXED BY " index \
  " WHERE podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0)" condition

/* Counts the episodes in New by podcast, in one scan of its index: all numbers are of one
 * moment, and their sum is the number of the view.
 * Returns: (transfer full): the numbers of all followed podcasts */
EarEpisodeTotals *
ear_episode_totals_read (EarDatabase *database)
{
  EarEpisodeTotals *self = g_new0 (EarEpisodeTotals, 1);
  g_autoptr (EarStatement) fresh = ear_database_prepare (
      database, "SELECT podcast, count (*)" VIEW ("episode_fresh", FRESH) " GROUP BY podcast");
  g_autoptr (EarStatement) others = ear_database_prepare (
      database, "SELECT (SELECT count (*)" VIEW ("episode_begun", BEGUN) "),"
                " EXISTS (SELECT 1" VIEW ("episode_liked", LIKED) "),"
                " EXISTS (SELECT 1" VIEW ("episode_heard", HEARD) ")");

  self->news = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  while (ear_database_step (database, fresh))
    {
      const gint64 podcast = sqlite3_column_int64 (fresh, 0);
      const guint n = (guint) sqlite3_column_int (fresh, 1);

      g_hash_table_insert (self->news, g_memdup2 (&podcast, sizeof podcast), GUINT_TO_POINTER (n));
      self->n_new += n;
    }
  if (ear_database_step (database, others))
    ear_statement_read (others, 0, "iii", &self->n_in_progress, &self->has_liked,
                        &self->has_heard);

  return self;
}

/* Search results besides titles and notes: transcripts that were fetched, known
 * chapters, and the listener's bookmarks. All words have to be in one sentence,
 * chapter or bookmark. */

/* Replaces the bookmarks that the connection's searches find.
 * @bookmarks: (element-type EarBookmarkText): all bookmarks */
void
ear_episode_sql_put_bookmarks (EarDatabase *database, GPtrArray *bookmarks)
{
  ear_database_exec (database, "SAVEPOINT bookmarks; DELETE FROM bookmark_text");
  for (guint i = 0; i < bookmarks->len; i++)
    {
      const EarBookmarkText *bookmark = g_ptr_array_index (bookmarks, i);

      ear_database_execute (database, "INSERT INTO bookmark_text VALUES (?1, ?2, ?3, ?4)", "sssx",
                            bookmark->text, bookmark->address, bookmark->guid, bookmark->time);
    }
  ear_database_exec (database, "RELEASE bookmarks");
}

/* Lists matching episodes that pass the query's filter, newest first. */
static GArray *
list_hits (EarDatabase *database, const EarEpisodeQuery *query, const char *match)
{
  g_autoptr (GString) sql = g_string_new (
      "SELECT id FROM (SELECT rowid >> 18 AS found FROM sentence_text WHERE sentence_text MATCH ?2"
      " UNION SELECT rowid >> 18 FROM chapter_text WHERE chapter_text MATCH ?2"
      " UNION SELECT coalesce ((SELECT id FROM episode WHERE podcast = podcast.id"
      " AND guid = bookmark_text.guid), (SELECT id FROM episode WHERE podcast = podcast.id"
      " AND feed_guid = bookmark_text.guid)) FROM bookmark_text"
      " CROSS JOIN podcast ON podcast.address = bookmark_text.address"
      " WHERE bookmark_text MATCH ?2)"
      " CROSS JOIN episode ON episode.id = found WHERE ");
  g_autoptr (EarStatement) statement = NULL;

  append_condition (sql, query);
  g_string_append (sql, " ORDER BY sort_key DESC");
  statement = prepare (database, sql->str, query, match, 0);

  return ear_database_list (database, statement);
}

/* Sorts ids into the order of a query that is not ranked. */
static void
sort (EarDatabase *database, const EarEpisodeQuery *query, GArray *ids)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT id FROM episode WHERE id IN (SELECT value FROM json_each (?1)) ORDER BY %s",
      get_order (query, FALSE));
  g_autoptr (EarStatement) statement =
      ear_database_query (database, g_intern_string (sql), "a", ids);
  g_autoptr (GArray) sorted = ear_database_list (database, statement);

  g_array_set_size (ids, 0);
  g_array_append_vals (ids, sorted->data, sorted->len);
}

/* Adds episodes found by one of their moments: after the best matches, or sorted by age,
 * title or length.
 * @match: the words, for a full text index
 * @ids: (element-type gint64): hits in titles and notes */
static void
add_hits (EarDatabase *database, const EarEpisodeQuery *query, const char *match, guint limit,
          GArray *ids)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) hits = NULL;

  if (query->terms.only_notes ||
      (ear_episode_query_is_ranked (query) && limit > 0 && ids->len >= limit) ||
      ear_database_get_int (database,
                            "SELECT EXISTS (SELECT 1 FROM transcript)"
                            " OR EXISTS (SELECT 1 FROM chaptered)"
                            " OR EXISTS (SELECT 1 FROM bookmark_text)",
                            "") == 0)
    return;
  hits = list_hits (database, query, match);
  if (hits->len == 0)
    return;
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_add (known, &g_array_index (ids, gint64, i));
  for (guint i = hits->len; i > 0; i--)
    if (g_hash_table_contains (known, &g_array_index (hits, gint64, i - 1)))
      g_array_remove_index (hits, i - 1);
  g_array_append_vals (ids, hits->data, hits->len);
  if (!ear_episode_query_is_ranked (query))
    sort (database, query, ids);
  if (limit > 0 && ids->len > limit)
    g_array_set_size (ids, limit);
}

/* Runs a query, a search in one transaction: all rows have to be of the same moment.
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order */
GArray *
ear_episode_sql_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit)
{
  g_autofree char *words =
      query->search != NULL ? ear_search_words_dup_match (query->search, " AND ") : NULL;
  g_autofree char *match = NULL;
  g_autoptr (EarStatement) statement = NULL;
  GArray *ids;

  if (query->search != NULL && words == NULL)
    return ear_ids_new ();
  if (words != NULL && query->podcast != 0)
    match = g_strdup_printf ("podcast : \"p%" G_GINT64_FORMAT "\" AND {title notes} : (%s)",
                             query->podcast, words);
  /* A podcast's word begins with a p: other words can be looked up in all columns, which saves
   * FTS5 a quarter of its time. */
  else if (words != NULL)
    match = g_strdup_printf (g_str_is_ascii (words) && strpbrk (words, "pP") == NULL
                                 ? "%s"
                                 : "{title notes} : (%s)",
                             words);
  ear_database_exec (database, "SAVEPOINT search");
  statement = prepare (database, ear_episode_sql_get (query), query, match, limit);
  ids = ear_database_list (database, statement);
  if (words != NULL)
    add_hits (database, query, words, limit, ids);
  ear_database_exec (database, "RELEASE search");

  return ids;
}

/* Remaining time of an episode */
#define LEFT "max (0, " LENGTH " - position)"

/* Trailers and bonus episodes are not part of a series, nor are unplayed episodes that
 * the listener has removed. The listener continues after the episode played last, even if
 * earlier ones were skipped; skipped ones come only when nothing follows. */
#define PART "podcast = ?1 AND type = 0 AND (archived = 0 OR listened = 1)"
#define LAST_HEARD                                                                                 \
  "(SELECT sort_key FROM episode WHERE " PART                                                      \
  " AND (listened = 1 OR position > 0) AND position_updated > 0"                                   \
  " ORDER BY position_updated DESC LIMIT 1)"

/* Returns: (transfer full): the listener's progress in a podcast */
EarSeriesProgress *
ear_episode_sql_read_series (EarDatabase *database, gint64 podcast)
{
  EarSeriesProgress *progress = g_new0 (EarSeriesProgress, 1);
  g_autoptr (EarStatement) counts = ear_database_query (
      database,
      "SELECT count (*), total (listened), total (CASE listened WHEN 0 THEN " LEFT " ELSE 0 END),"
      " (SELECT id FROM episode WHERE " PART " AND listened = 0 AND enclosure IS NOT NULL"
      " ORDER BY coalesce (sort_key >= " LAST_HEARD ", 1) DESC, sort_key LIMIT 1)"
      " FROM episode WHERE " PART,
      "x", podcast);

  if (ear_database_step (database, counts))
    ear_statement_read (counts, 0, "iixx", &progress->n_episodes, &progress->n_heard,
                        &progress->left, &progress->next);

  return progress;
}
