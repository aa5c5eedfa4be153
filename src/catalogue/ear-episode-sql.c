/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-sql.h"

#include "ear-search-words.h"

#include <string.h>

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
  [EAR_FILTER_IN_PROGRESS] = { "in-progress", "episode_begun",
                               " AND listened = 0 AND position > 0 AND archived = 0",
                               EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_REMOVED },
  [EAR_FILTER_LIKED] = { "liked", "episode_liked", " AND liked = 1", EAR_CHANGE_LIKED },
  [EAR_FILTER_NEW] = { NULL, "episode_fresh",
                       " AND fresh = 1 AND listened = 0 AND position = 0 AND archived = 0",
                       EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_FRESH |
                           EAR_CHANGE_REMOVED },
  /* Episodes that were only marked as played have no position_updated. */
  [EAR_FILTER_HISTORY] = { NULL, "episode_heard",
                           " AND (listened = 1 OR position > 0) AND position_updated > 0",
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

/* @by_rows: whether the rows are read anyway, and need no look-up in the index
 * of each podcast */
static void
append_terms (GString *sql, const EarEpisodeConditions *terms, gboolean by_rows)
{
  const char *length = "CASE measured WHEN 0 THEN duration ELSE measured END";

  if (terms->podcasts != NULL)
    {
      g_string_append_printf (sql, " AND %sepisode.podcast IN (", by_rows ? "+" : "");
      for (guint i = 0; i < terms->podcasts->len; i++)
        g_string_append_printf (sql, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
                                g_array_index (terms->podcasts, gint64, i));
      g_string_append_c (sql, ')');
    }
  if (terms->played != EAR_PLAYED_ANY)
    g_string_append (sql,
                     terms->played == EAR_PLAYED_YES ? " AND listened = 1" : " AND listened = 0");
  if (terms->played == EAR_PLAYED_BEGUN)
    g_string_append (sql, " AND position > 0");
  if (terms->liked)
    g_string_append (sql, " AND liked = 1");
  if (terms->downloaded)
    g_string_append (sql, " AND download = 2");
  if (terms->shortest > 0)
    g_string_append_printf (sql, " AND %s >= %" G_GINT64_FORMAT, length, terms->shortest);
  if (terms->longest > 0)
    g_string_append_printf (sql, " AND %s BETWEEN 1 AND %" G_GINT64_FORMAT, length, terms->longest);
  if (terms->days > 0)
    g_string_append_printf (sql, " AND published >= unixepoch () - %" G_GUINT64_FORMAT,
                            (guint64) terms->days * 24 * 60 * 60);
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if ((terms->filters & (1u << i)) != 0)
      g_string_append (sql, filters[i].condition);
  if (terms->after != 0)
    g_string_append_printf (sql, " AND published >= %" G_GINT64_FORMAT, terms->after);
  if (terms->before != 0)
    g_string_append_printf (sql, " AND published < %" G_GINT64_FORMAT, terms->before);
}

/* Adds the condition on rows of the table episode.
 * @sql: a statement that ends with WHERE or AND */
void
ear_episode_filter_append_condition (GString *sql, const EarEpisodeQuery *query)
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

/* Binds the parameter of a query's condition: the members of its list. */
void
ear_episode_filter_bind (EarStatement *statement, const EarEpisodeQuery *query)
{
  const int members = sqlite3_bind_parameter_index (statement, "?5");

  if (members > 0)
    ear_statement_bind_text (statement, members, query->members != NULL ? query->members : "[]");
}

static EarEpisodeChange
get_interest (const EarEpisodeConditions *terms)
{
  EarEpisodeChange interest = EAR_CHANGE_NONE;

  if (terms->played != EAR_PLAYED_ANY)
    interest |= EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN;
  if (terms->liked)
    interest |= EAR_CHANGE_LIKED;
  if (terms->downloaded)
    interest |= EAR_CHANGE_DOWNLOAD;
  if (terms->shortest > 0 || terms->longest > 0)
    interest |= EAR_CHANGE_LENGTH;
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if ((terms->filters & (1u << i)) != 0)
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

/* Registers the SQL functions of the queries. */
void
ear_episode_sql_register (EarDatabase *database)
{
  if (sqlite3_create_function (ear_database_get_handle (database), "title_key", 1,
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, title_key, NULL,
                               NULL) != SQLITE_OK)
    ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_FAILED,
                                                      "A function cannot be registered"));
}

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
  ear_episode_filter_append_condition (sql, query);
}

/* The parameters are ?1 the podcast, ?2 the words, ?3 the limit. In a ranked search, only the
 * newest hits have a score: they come first, the best at the top; older hits follow by date.
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
  g_string_append_printf (sql, " ORDER BY %s", ear_episode_sql_get_order (query));
  g_string_append (sql, is_ranked ? " LIMIT -1) ORDER BY score DESC, age DESC LIMIT ?3"
                                  : " LIMIT ?3");

  return g_intern_string (sql->str);
}

void
ear_episode_totals_free (EarEpisodeTotals *self)
{
  g_hash_table_unref (self->news);
  g_free (self);
}

/* Prepares a statement for the rows of a view, which an index of its filter has.
 * @what: the statement up to FROM */
static EarStatement *
prepare_view (EarDatabase *database, EarEpisodeFilter filter, const char *what, const char *end)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, filter, EAR_SORT_NEWEST, NULL);
  g_autoptr (GString) sql = g_string_new (what);

  append_rows (sql, query);
  g_string_append (sql, end);

  return ear_database_prepare (database, g_intern_string (sql->str));
}

/* Counts the episodes in New by podcast, in one scan of its index: all numbers are of one
 * moment, and their sum is the number of the view.
 * Returns: (transfer full): the numbers of all followed podcasts */
EarEpisodeTotals *
ear_episode_totals_read (EarDatabase *database)
{
  EarEpisodeTotals *self = g_new0 (EarEpisodeTotals, 1);
  g_autoptr (EarStatement) fresh = prepare_view (database, EAR_FILTER_NEW,
                                                 "SELECT podcast, count (*) FROM ",
                                                 " GROUP BY podcast");
  g_autoptr (EarStatement) begun = prepare_view (database, EAR_FILTER_IN_PROGRESS,
                                                 "SELECT count (*) FROM ", "");
  g_autoptr (EarStatement) liked = prepare_view (database, EAR_FILTER_LIKED, "SELECT 1 FROM ",
                                                 " LIMIT 1");
  g_autoptr (EarStatement) heard = prepare_view (database, EAR_FILTER_HISTORY, "SELECT 1 FROM ",
                                                 " LIMIT 1");

  self->news = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  while (ear_database_step (database, fresh))
    {
      const gint64 podcast = sqlite3_column_int64 (fresh, 0);

      g_hash_table_insert (self->news, g_memdup2 (&podcast, sizeof podcast),
                           GUINT_TO_POINTER (sqlite3_column_int (fresh, 1)));
    }
  if (ear_database_step (database, begun))
    self->n_in_progress = (guint) sqlite3_column_int (begun, 0);
  self->has_liked = ear_database_step (database, liked);
  self->has_heard = ear_database_step (database, heard);

  return self;
}

/* Returns: (transfer full) (nullable): an expression for the full text index; %NULL without
 * searchable words */
char *
ear_episode_sql_dup_match (const EarEpisodeQuery *query)
{
  g_autofree char *words = ear_search_words_dup_match (query->search, " AND ");

  if (words == NULL)
    return NULL;
  if (query->podcast == 0)
    return g_strdup_printf ("{title notes} : (%s)", words);

  return g_strdup_printf ("podcast : \"p%" G_GINT64_FORMAT "\" AND {title notes} : (%s)",
                          query->podcast, words);
}

/* Runs a query. For searches, ear_episode_search_run() also finds transcripts, chapters and
 * bookmarks.
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order */
GArray *
ear_episode_sql_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit)
{
  g_autofree char *match = query->search != NULL ? ear_episode_sql_dup_match (query) : NULL;
  g_autoptr (EarStatement) statement = NULL;

  if (query->search != NULL && match == NULL)
    return ear_ids_new ();
  statement = ear_database_query (database, ear_episode_sql_get (query), "xsx", query->podcast,
                                  match, limit > 0 ? (gint64) limit : (gint64) -1);
  ear_episode_filter_bind (statement, query);

  return ear_database_list (database, statement);
}

/* Remaining time of an episode */
#define LEFT "max (0, CASE measured WHEN 0 THEN duration ELSE measured END - position)"

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
      "SELECT count (*), total (listened), total (CASE listened WHEN 0 THEN " LEFT
      " ELSE 0 END) FROM episode WHERE " PART,
      "x", podcast);

  if (ear_database_step (database, counts))
    {
      progress->n_episodes = (guint) sqlite3_column_int (counts, 0);
      progress->n_heard = (guint) sqlite3_column_int (counts, 1);
      progress->left = sqlite3_column_int64 (counts, 2);
    }
  progress->next = ear_database_get_int (
      database,
      "SELECT id FROM episode WHERE " PART " AND listened = 0 AND enclosure IS NOT NULL"
      " ORDER BY coalesce (sort_key >= " LAST_HEARD ", 1) DESC, sort_key LIMIT 1",
      "x", podcast);

  return progress;
}
