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

static void
insert (EarRowGroups *self, gint64 id, int group)
{
  g_hash_table_insert (self->groups, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (group));
}

/* @column: of the facts that have no column of their own */
static char *
read_name (EarStatement *statement, int column)
{
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  ear_facts_extra_read_episode (statement, column, facts);

  return g_steal_pointer (&facts->season_name);
}

static void
read_row (EarRowGroups *self, EarStatement *statement, int *season)
{
  const gint64 id = sqlite3_column_int64 (statement, 0);
  const int own = sqlite3_column_int (statement, 1);

  if (own > 0)
    {
      if (self->first == 0)
        self->first = own;
      *season = own;
      if (g_hash_table_lookup (self->names, GINT_TO_POINTER (own)) == NULL)
        g_hash_table_insert (self->names, GINT_TO_POINTER (own), read_name (statement, 2));
    }
  insert (self, id, *season);
}

/* Returns: (transfer full) (nullable): %NULL, also without an error, where there are not several */
static EarRowGroups *
read_seasons (EarDatabase *database, gint64 podcast, GError **error)
{
  g_autoptr (EarRowGroups) self = row_groups_new ();
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error, "SELECT id, season, extra FROM episode WHERE podcast = ?1 ORDER BY sort_key",
      "x", podcast);
  int season = 0;
  gboolean row = FALSE;

  while (ear_database_step (database, statement, &row, error) && row)
    read_row (self, statement, &season);

  return !row && g_hash_table_size (self->names) > 1 ? g_steal_pointer (&self) : NULL;
}

/* A day of the clock on the wall */
typedef struct
{
  gint64 start; /* Unix microseconds */
  gint64 end;
  int number;
} Day;

static void
find_day (Day *day, gint64 time)
{
  g_autoptr (GDateTime) local = g_date_time_new_from_unix_local_usec (time);
  g_autoptr (GDateTime) start = NULL;
  g_autoptr (GDateTime) end = NULL;
  GDate date;

  if (local == NULL)
    return;
  g_date_set_dmy (&date, (GDateDay)g_date_time_get_day_of_month (local),
                  (GDateMonth)g_date_time_get_month (local),
                  (GDateYear)g_date_time_get_year (local));
  start = g_date_time_new_local (g_date_time_get_year (local), g_date_time_get_month (local),
                                 g_date_time_get_day_of_month (local), 0, 0, 0);
  end = g_date_time_add_days (start, 1);
  day->start = g_date_time_to_unix_usec (start);
  day->end = g_date_time_to_unix_usec (end);
  day->number = (int) g_date_get_julian (&date);
}

/* Returns: (transfer full) (nullable): Julian days on which episodes were heard last, as #GDate
 *   counts them */
static EarRowGroups *
read_days (EarDatabase *database, GError **error)
{
  g_autoptr (EarRowGroups) self = row_groups_new ();
  g_autoptr (EarStatement) statement =
      ear_database_prepare (database,
                            "SELECT id, position_updated FROM episode WHERE (listened = 1"
                            " OR position > 0) AND position_updated > 0"
                            " ORDER BY position_updated DESC",
                            error);
  Day day = { 0 };
  gboolean row = FALSE;

  find_day (&day, g_get_real_time ());
  self->first = day.number;
  while (ear_database_step (database, statement, &row, error) && row)
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);
      const gint64 time = sqlite3_column_int64 (statement, 1);

      if (time < day.start || time >= day.end)
        find_day (&day, time);
      insert (self, id, day.number);
    }

  return !row ? g_steal_pointer (&self) : NULL;
}

/* Returns: (transfer full) (nullable): %NULL, also without an error, where all downloads are in the
 *   same state */
static EarRowGroups *
read_downloads (EarDatabase *database, GError **error)
{
  g_autoptr (EarRowGroups) self = row_groups_new ();
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT id, CASE WHEN download = 2 THEN 3 WHEN download_place < 0 THEN 1 ELSE 2 END"
      " FROM episode WHERE download <> 0",
      error);
  guint groups = 0;
  gboolean row = FALSE;

  self->first = EAR_DOWNLOADS_WAITING;
  while (ear_database_step (database, statement, &row, error) && row)
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);
      const int group = sqlite3_column_int (statement, 1);

      groups |= 1u << group;
      insert (self, id, group);
    }

  return !row && (groups & (groups - 1)) != 0 ? g_steal_pointer (&self) : NULL;
}

/* Called on the thread of a reader.
 * @podcast: row id of the podcast whose seasons are read
 * Returns: (transfer full) (nullable) */
EarRowGroups *
ear_row_groups_read (EarDatabase *database, EarRowGrouping grouping, gint64 podcast, GError **error)
{
  switch (grouping)
    {
    case EAR_ROW_GROUPING_SEASONS:
      return read_seasons (database, podcast, error);
    case EAR_ROW_GROUPING_DAYS:
      return read_days (database, error);
    case EAR_ROW_GROUPING_DOWNLOADS:
      return read_downloads (database, error);
    case EAR_ROW_GROUPING_NONE:
    default:
      return NULL;
    }
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
