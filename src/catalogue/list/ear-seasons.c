/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-seasons.h"

#include "ear-database.h"
#include "ear-facts-extra.h"

/**
 * EarSeasons:
 *
 * Groups of episodes: by default the season of each episode of a podcast. An episode
 * without a season, such as a trailer, belongs to the current season, or to 0 before the
 * first one. In the history, the group is the day of the last playback; in the downloads,
 * whether each failed, waits or is done.
 */
struct _EarSeasons
{
  GHashTable *seasons; /* (element-type gint64 int): by row id; 0 before the first one */
  int first;
  GHashTable *names;   /* (element-type int utf8): by season; empty if seasons have no names */
};

static EarSeasons *
seasons_new (void)
{
  EarSeasons *self = g_new0 (EarSeasons, 1);

  self->seasons = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

void
ear_seasons_free (EarSeasons *self)
{
  g_hash_table_unref (self->seasons);
  g_hash_table_unref (self->names);
  g_free (self);
}

/* @column: the column of facts without a column of their own */
static char *
read_name (EarStatement *statement, int column)
{
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();

  ear_facts_extra_read_episode (statement, column, facts);

  return g_steal_pointer (&facts->season_name);
}

static void
read_row (EarSeasons *self, EarStatement *statement, int *season)
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
  g_hash_table_insert (self->seasons, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (*season));
}

/* Returns: (transfer full) (nullable): the seasons of a podcast; %NULL, with or without
 * an error, unless there are several */
EarSeasons *
ear_seasons_read (EarDatabase *database, gint64 podcast, GError **error)
{
  g_autoptr (EarSeasons) self = seasons_new ();
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error, "SELECT id, season, extra FROM episode WHERE podcast = ?1 ORDER BY sort_key", "x", podcast);
  int season = 0;
  gboolean row = FALSE;

  while (ear_database_step (database, statement, &row, error) && row)
    read_row (self, statement, &season);

  return !row && g_hash_table_size (self->names) > 1 ? g_steal_pointer (&self) : NULL;
}

/* A local day */
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
  g_date_set_dmy (&date, (GDateDay) g_date_time_get_day_of_month (local), (GDateMonth) g_date_time_get_month (local),
                  (GDateYear) g_date_time_get_year (local));
  start = g_date_time_new_local (g_date_time_get_year (local), g_date_time_get_month (local), g_date_time_get_day_of_month (local), 0, 0, 0);
  end = g_date_time_add_days (start, 1);
  day->start = g_date_time_to_unix_usec (start);
  day->end = g_date_time_to_unix_usec (end);
  day->number = (int) g_date_get_julian (&date);
}

/* Returns: (transfer full) (nullable): days of the last playback: Julian days, as #GDate
 * counts them. An unknown episode was played today */
EarSeasons *
ear_seasons_read_days (EarDatabase *database, GError **error)
{
  g_autoptr (EarSeasons) self = seasons_new ();
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT id, position_updated FROM episode WHERE (listened = 1 OR position > 0) AND position_updated > 0"
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
      g_hash_table_insert (self->seasons, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (day.number));
    }

  return !row ? g_steal_pointer (&self) : NULL;
}

/* Returns: (transfer full) (nullable): downloads that failed, wait or are done; %NULL,
 * with or without an error, if there is only one group. An unknown download waits */
EarSeasons *
ear_seasons_read_downloads (EarDatabase *database, GError **error)
{
  g_autoptr (EarSeasons) self = seasons_new ();
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
      g_hash_table_insert (self->seasons, g_memdup2 (&id, sizeof id), GINT_TO_POINTER (group));
    }

  return !row && (groups & (groups - 1)) != 0 ? g_steal_pointer (&self) : NULL;
}

/* @episode: row id of an episode
 * Returns: its season; for an unknown episode, the first one */
int
ear_seasons_get (EarSeasons *self, gint64 episode)
{
  const int season = GPOINTER_TO_INT (g_hash_table_lookup (self->seasons, &episode));

  return season != 0 ? season : self->first;
}

/* Returns: (transfer none) (nullable): the name of a season */
const char *
ear_seasons_get_name (EarSeasons *self, int season)
{
  return g_hash_table_lookup (self->names, GINT_TO_POINTER (season));
}
