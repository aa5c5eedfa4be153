/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-filter.h"

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
  [EAR_FILTER_IN_PROGRESS] = { "in-progress", "episode_begun", " AND listened = 0 AND position > 0 AND archived = 0",
                              EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_REMOVED },
  [EAR_FILTER_LIKED] = { "liked", "episode_liked", " AND liked = 1", EAR_CHANGE_LIKED },
  [EAR_FILTER_NEW] = { NULL, "episode_fresh", " AND fresh = 1 AND listened = 0 AND position = 0 AND archived = 0",
                       EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_FRESH | EAR_CHANGE_REMOVED },
  /* Episodes that were only marked as played have no position_updated. */
  [EAR_FILTER_HISTORY] = { NULL, "episode_heard", " AND (listened = 1 OR position > 0) AND position_updated > 0",
                           EAR_CHANGE_LISTENED | EAR_CHANGE_BEGUN | EAR_CHANGE_HEARD },
  [EAR_FILTER_DOWNLOADED] = { "downloaded", "episode_download", " AND download <> 0 AND download = 2", EAR_CHANGE_DOWNLOAD },
  [EAR_FILTER_DOWNLOADS] = { NULL, "episode_downloads", " AND download <> 0", EAR_CHANGE_DOWNLOAD },
  /* A played episode returns to Up Next when it is marked as unplayed. */
  [EAR_FILTER_QUEUED] = { NULL, "episode_queued", " AND queued > 0 AND listened = 0", EAR_CHANGE_LISTENED | EAR_CHANGE_QUEUED },
  [EAR_FILTER_PLAYED] = { NULL, NULL, " AND listened = 1", EAR_CHANGE_LISTENED },
};

/**
 * ear_episode_filter_from_name:
 * @name: (nullable): as in [property@EarPodcast:filter]
 *
 * Returns: the filter of that name, or %EAR_FILTER_ALL
 */
EarEpisodeFilter
ear_episode_filter_from_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    if (name != NULL && g_strcmp0 (filters[i].name, name) == 0)
      return (EarEpisodeFilter) i;

  return EAR_FILTER_ALL;
}

/* Returns: (transfer none): an index that has the rows in order, so that nothing
 * else is read */
const char *
ear_episode_filter_get_index (const EarEpisodeQuery *query)
{
  if (filters[query->filter].index != NULL)
    return filters[query->filter].index;

  return query->podcast != 0 ? "episode_of" : "episode_all";
}

/* Members of one of the listener's own lists, and their places: see EarListMember. */
#define MEMBERS \
  "(SELECT key AS member_place, value ->> 0 AS member_podcast, value ->> 1 AS member_guid, value ->> 2 AS member_alias" \
  " FROM json_each (?5))"

/* Adds the table episode, joined to the members of the list; `member_place`
 * is their order. */
void
ear_episode_filter_append_members (GString *sql)
{
  g_string_append (sql, MEMBERS " CROSS JOIN episode ON episode.id = coalesce ("
                        "(SELECT id FROM episode WHERE podcast = member_podcast AND guid = member_guid),"
                        "(SELECT id FROM episode WHERE podcast = member_podcast AND feed_guid = member_guid),"
                        "(SELECT id FROM episode WHERE podcast = member_podcast AND guid = member_alias))");
}

/* @by_rows: whether the rows are read anyway, and need no look-up in the index
 * of each podcast */
static void
append_terms (GString *sql, const EarEpisodeTerms *terms, gboolean by_rows)
{
  const char *length = "CASE measured WHEN 0 THEN duration ELSE measured END";

  if (terms->podcasts != NULL)
    {
      g_string_append_printf (sql, " AND %sepisode.podcast IN (", by_rows ? "+" : "");
      for (guint i = 0; i < terms->podcasts->len; i++)
        g_string_append_printf (sql, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", g_array_index (terms->podcasts, gint64, i));
      g_string_append_c (sql, ')');
    }
  if (terms->played != EAR_PLAYED_ANY)
    g_string_append (sql, terms->played == EAR_PLAYED_YES ? " AND listened = 1" : " AND listened = 0");
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
    g_string_append_printf (sql, " AND published >= unixepoch () - %" G_GUINT64_FORMAT, (guint64) terms->days * 24 * 60 * 60);
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if ((terms->filters & (1u << i)) != 0)
      g_string_append (sql, filters[i].condition);
  if (terms->after != 0)
    g_string_append_printf (sql, " AND published >= %" G_GINT64_FORMAT, terms->after);
  if (terms->before != 0)
    g_string_append_printf (sql, " AND published < %" G_GINT64_FORMAT, terms->before);
}

/* Adds the table episode, reduced to the rows of a filter that few episodes pass and to
 * the query's current episode. An index of the filter cannot find both. */
void
ear_episode_filter_append_few (GString *sql, const EarEpisodeQuery *query)
{
  g_string_append_printf (
      sql,
      "episode WHERE episode.id IN (SELECT id FROM episode INDEXED BY %s WHERE 1%s"
      " UNION ALL SELECT ?6) AND ",
      filters[query->filter].index, filters[query->filter].condition);
}

/* Returns: whether the filter has an index of its own, for the few episodes
 * that pass it */
gboolean
ear_episode_filter_is_few (const EarEpisodeQuery *query)
{
  return filters[query->filter].index != NULL;
}

/* Adds the condition on rows of the table episode.
 * @sql: a statement that ends with WHERE or AND */
void
ear_episode_filter_append_condition (GString *sql, const EarEpisodeQuery *query)
{
  if (query->podcast != 0)
    g_string_append (sql, "episode.podcast = ?1 AND ");
  /* Episodes of a preview are only in their podcast's own list. */
  g_string_append_printf (sql, "episode.podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0%s)",
                          query->podcast != 0 ? " AND hidden > 0" : "");
  if (query->current != 0)
    g_string_append (
        sql, " AND (episode.id = ?6 OR (enclosure IS NOT NULL AND listened = 0 AND archived = 0");
  g_string_append (sql, filters[query->filter].condition);
  append_terms (sql, &query->terms, query->search != NULL);
  if (query->current != 0)
    g_string_append (sql, "))");
  /* Without a search, the members are in the FROM clause. */
  if (query->list != NULL && query->search != NULL)
    {
      g_string_append (sql, " AND episode.id IN (SELECT episode.id FROM ");
      ear_episode_filter_append_members (sql);
      g_string_append_c (sql, ')');
    }
}

/* Binds the parameters of a query's condition: the members of its list, and
 * its current episode. */
void
ear_episode_filter_bind (EarStatement *statement, const EarEpisodeQuery *query)
{
  const int members = statement != NULL ? sqlite3_bind_parameter_index (statement, "?5") : 0;
  const int current = statement != NULL ? sqlite3_bind_parameter_index (statement, "?6") : 0;

  if (members > 0)
    ear_statement_bind_text (statement, members, query->members != NULL ? query->members : "[]");
  if (current > 0)
    sqlite3_bind_int64 (statement, current, query->current);
}

static EarEpisodeChange
get_interest (const EarEpisodeTerms *terms)
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
  EarEpisodeChange interest = filters[query->filter].interest | get_interest (&query->terms) | EAR_CHANGE_DATE;

  if (query->search != NULL || query->sort == EAR_SORT_TITLE)
    interest |= EAR_CHANGE_TEXT;
  if (query->search != NULL)
    interest |= EAR_CHANGE_MOMENTS;
  if (query->sort == EAR_SORT_LONGEST)
    interest |= EAR_CHANGE_LENGTH;
  if (query->current != 0)
    interest |= EAR_CHANGE_LISTENED | EAR_CHANGE_REMOVED;

  return interest;
}
