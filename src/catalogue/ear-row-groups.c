/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-row-groups.h"

#include "ear-columns.h"
#include "ear-database.h"

/* Groups of the rows of a list, each with a heading: seasons of a podcast, days of the
 * history, or states of the downloads. An episode without a season, such as a trailer,
 * is in the season that it was published in or before. */
struct _EarRowGroups
{
  GHashTable *groups; /* (element-type gint64 int): by row id; 0 before the first season */
  int first;          /* of rows that are not known yet */
  GHashTable *names;  /* (element-type int utf8): titles of seasons */
};

static EarRowGroups *
row_groups_new (void)
{
  EarRowGroups *self = g_new0 (EarRowGroups, 1);

  self->groups = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

void
ear_row_groups_free (EarRowGroups *self)
{
  g_hash_table_unref (self->groups);
  g_hash_table_unref (self->names);
  g_free (self);
}

/* @column: of the facts that have no column of their own */
static char *
read_name (EarStatement *statement, int column)
{
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  ear_facts_extra_read_episode (statement, column, facts);

  return g_steal_pointer (&facts->season_name);
}

/* Rows of each grouping: the id, the group, and for seasons the facts without a column */
static const struct
{
  const char *sql;
  int first;          /* group of rows that are not known yet; 0: that of the first row known */
  gboolean is_needed; /* also of a single group */
} groupings[] = {
  /* Newer episodes without a season belong to the one before. */
  [EAR_ROW_GROUPING_SEASONS] = { "SELECT id, season, extra FROM episode WHERE podcast = ?1"
                                 " ORDER BY sort_key", 0, FALSE },
  /* Julian days as #GDate counts them, from the year 1 on */
  [EAR_ROW_GROUPING_DAYS] = { "SELECT id, CAST (julianday (position_updated / 1000000, 'unixepoch',"
                              " 'localtime') - 1721424.5 AS INTEGER) FROM episode"
                              " WHERE (listened = 1 OR position > 0) AND position_updated > 0"
                              " ORDER BY position_updated DESC", 0, TRUE },
  [EAR_ROW_GROUPING_DOWNLOADS] = { "SELECT id, CASE WHEN download = 2 THEN 3"
                                   " WHEN download_place < 0 THEN 1 ELSE 2 END"
                                   " FROM episode WHERE download <> 0",
                                   EAR_DOWNLOADS_WAITING, FALSE },
};

/* Called on the thread of a reader.
 * @podcast: row id of the podcast whose seasons are read
 * Returns: (transfer full) (nullable): %NULL, also without an error, where all rows are in
 *   one group that needs no heading */
EarRowGroups *
ear_row_groups_read (EarDatabase *database, EarRowGrouping grouping, gint64 podcast, GError **error)
{
  g_autoptr (EarRowGroups) self = row_groups_new ();
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;
  int last = 0;

  if (grouping == EAR_ROW_GROUPING_NONE)
    return NULL;
  statement = ear_database_query (database, error, groupings[grouping].sql, "x", podcast);
  self->first = groupings[grouping].first;
  if (grouping == EAR_ROW_GROUPING_DAYS)
    {
      GDate today;

      g_date_clear (&today, 1);
      g_date_set_time_t (&today, time (NULL));
      self->first = (int) g_date_get_julian (&today);
    }
  while (ear_database_step (database, statement, &row, error) && row)
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);
      const int group = sqlite3_column_int (statement, 1);

      if (group != 0)
        last = group;
      if (self->first == 0)
        self->first = last;
      if (last != 0 && g_hash_table_lookup (self->names, GINT_TO_POINTER (last)) == NULL)
        g_hash_table_insert (
            self->names, GINT_TO_POINTER (last),
            grouping == EAR_ROW_GROUPING_SEASONS ? read_name (statement, 2) : NULL);
      g_hash_table_insert (self->groups, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (last));
    }

  return !row && (groupings[grouping].is_needed || g_hash_table_size (self->names) > 1)
             ? g_steal_pointer (&self)
             : NULL;
}

/* @episode: row id of an episode
 * Returns: its season, Julian day or state of the download */
int
ear_row_groups_get (EarRowGroups *self, gint64 episode)
{
  const int group = GPOINTER_TO_INT (g_hash_table_lookup (self->groups, &episode));

  return group != 0 ? group : self->first;
}

/* Returns: (transfer none) (nullable): the title of a season */
const char *
ear_row_groups_get_name (EarRowGroups *self, int season)
{
  return g_hash_table_lookup (self->names, GINT_TO_POINTER (season));
}
