/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables.h"

#include "ear-columns.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"
#include "ear-time.h"

#include <string.h>

/* Marking many episodes at once */

/* Finds the sort key below which episodes are marked; G_MAXINT64 is no bound. */
static gboolean
find_bound (EarCatalogueTables *self, gint64 older_than, gint64 *bound, GError **error)
{
  /* If the bounding episode is gone, no episode is marked. */
  *bound = older_than == 0 ? G_MAXINT64 : G_MININT64;

  return older_than == 0 ||
         ear_database_get_int (self->database, error, bound,
                               "SELECT sort_key FROM episode WHERE id = ?1", "x", older_than);
}

/* Columns of MARKED_SQL, before those of the marks */
enum
{
  COLUMN_ID,
  COLUMN_PODCAST,
  COLUMN_ADDRESS,
  COLUMN_FEED_ADDRESS,
  COLUMN_PODCAST_TITLE,
  COLUMN_GUID,
  COLUMN_ALIAS,
  COLUMN_TITLE,
  COLUMN_ENCLOSURE,
  COLUMN_MARKS,
};

/* The rows of one podcast follow each other, as state files are written podcast by podcast.
 * The table podcast_check is not joined, as one of its columns has the name of a mark. */
#define MARKED_SQL \
  "SELECT episode.id, episode.podcast, podcast.address, (SELECT feed_address FROM podcast_check" \
  " WHERE podcast_check.podcast = episode.podcast), podcast.title, episode.guid," \
  " ifnull (feed_guid, CASE own_guid WHEN 1 THEN episode.guid END), episode.title," \
  " enclosure, " EAR_MARK_SQL_ALL \
  " FROM episode JOIN podcast ON podcast.id = episode.podcast WHERE "

static void
add_row (EarMarks *marks, EarStatement *row, gboolean begins_podcast)
{
  const gint64 podcast = sqlite3_column_int64 (row, COLUMN_PODCAST);
  const EarMarkedEpisode episode = {
    .guid = (const char *) sqlite3_column_text (row, COLUMN_GUID),
    .alias = (const char *) sqlite3_column_text (row, COLUMN_ALIAS),
    .title = (const char *) sqlite3_column_text (row, COLUMN_TITLE),
    .enclosure = (const char *) sqlite3_column_text (row, COLUMN_ENCLOSURE),
  };

  if (begins_podcast)
    ear_marks_add_podcast (marks, podcast, (const char *) sqlite3_column_text (row, COLUMN_ADDRESS),
                           (const char *) sqlite3_column_text (row, COLUMN_FEED_ADDRESS),
                           (const char *) sqlite3_column_text (row, COLUMN_PODCAST_TITLE));
  ear_marks_add (marks, sqlite3_column_int64 (row, COLUMN_ID), podcast, episode);
}

/* Marks those of the found episodes whose mark differs, and that are older than @bound. */
static gboolean
mark_found (EarCatalogueTables *self, GArray *found, gint64 bound, EarMarks *marks, GError **error)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  g_autofree char *list = ear_database_print_ids ((const gint64 *) (gpointer) found->data,
                                                  found->len);
  g_autoptr (EarStatement) select = ear_database_query (
      self->database, error,
      ear_mark_sql_of (mark, MARKED_SQL "episode.id IN (SELECT value FROM json_each (?1))"
                             " AND %1$s <> ?2 AND +sort_key < ?3"
                             " ORDER BY +episode.podcast, episode.id"),
      "sxx", list, marks->state.values[mark], bound);
  gint64 podcast = 0;
  gboolean row;

  while (ear_database_step (self->database, select, &row, error) && row)
    {
      const gint64 id = sqlite3_column_int64 (select, COLUMN_ID);
      const gint64 before = podcast;
      EarPodcastEvent *event;

      podcast = sqlite3_column_int64 (select, COLUMN_PODCAST);
      add_row (marks, select, podcast != before);
      event = ear_catalogue_event_get (self->event, podcast);
      ear_podcast_event_change (event, id, EAR_CHANGE_MARK (mark));
      ear_podcast_event_append (&event->marked, id);
    }
  if (row)
    return FALSE;
  ear_statement_reset (select);
  g_free (list);
  list = ear_database_print_ids ((const gint64 *) (gpointer) marks->ids->data, marks->ids->len);

  return ear_database_execute (
      self->database, error,
      ear_mark_sql_of (mark, "UPDATE episode SET %1$s = ?2, %1$s_updated = ?3"
                             " WHERE id IN (SELECT value FROM json_each (?1))"),
      "sxx", list, marks->state.values[mark], marks->state.updated[mark]);
}

/* Marks episodes, an EarMarking; the op's value is the row id of the episode that they have
 * to be older than, or 0. */
gboolean
ear_catalogue_tables_mark (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const EarMarking *marking = op->data;
  const EarEpisodeState *state = &marking->state;
  g_autoptr (EarMarks) marks = ear_marks_new (state, ear_episode_state_get_latest (state));
  g_autoptr (GArray) found = NULL;
  gint64 bound = 0;

  if (marking->ids == NULL)
    {
      g_autoptr (EarEpisodeQuery) newest = ear_episode_query_copy (marking->query);

      newest->sort = EAR_SORT_NEWEST;
      found = ear_episode_sql_run (self->database, newest, 0, error);
      if (found != NULL && newest->search != NULL &&
          !ear_moment_hits_add (self->database, newest, 0, found, error))
        g_clear_pointer (&found, g_array_unref);
    }
  else
    found = g_array_ref (marking->ids);
  if (found == NULL || !find_bound (self, op->value, &bound, error))
    return FALSE;
  if (!mark_found (self, found, bound, marks, error))
    return FALSE;
  ear_marks_close (marks);
  g_clear_pointer (&op->marks, ear_marks_unref);
  op->marks = g_steal_pointer (&marks);

  return TRUE;
}

/* Lists all marks.
 * @func: called with earlier marks: those of one podcast with the same state together */
gboolean
ear_catalogue_tables_list_marks (EarCatalogueTables *self, EarMarksFunc func, gpointer user_data,
                                 GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      MARKED_SQL EAR_MARK_SQL_TOUCHED " ORDER BY episode.podcast, " EAR_MARK_SQL_ALL,
      error);
  g_autoptr (EarMarks) marks = NULL;
  gint64 podcast = 0;
  gboolean row = FALSE;

  if (statement == NULL)
    return FALSE;
  while (ear_database_step (self->database, statement, &row, error) && row)
    {
      EarEpisodeState state;
      gboolean alike;

      ear_mark_sql_read (&state, statement, COLUMN_MARKS);
      alike = marks != NULL && podcast == sqlite3_column_int64 (statement, COLUMN_PODCAST) &&
              memcmp (&state, &marks->state, sizeof state) == 0;
      if (!alike)
        {
          if (marks != NULL)
            func (marks, user_data);
          g_clear_pointer (&marks, ear_marks_unref);
          marks = ear_marks_new (&state, 0);
        }
      podcast = sqlite3_column_int64 (statement, COLUMN_PODCAST);
      add_row (marks, statement, !alike);
    }
  if (row)
    return FALSE;
  if (marks != NULL)
    func (marks, user_data);

  return TRUE;
}

typedef enum
{
  MERGE_ALWAYS,     /* changes by the listener */
  MERGE_WHEN_NEWER, /* values from a file */
} MergeMode;

/* Whether to apply a value. A stored stamp from a clock that was ahead loses: it would
 * win until that day. */
static gboolean
is_wanted (gint64 updated, gint64 stored, MergeMode mode)
{
  if (updated == 0 || mode == MERGE_ALWAYS)
    return updated != 0;

  return updated > stored ||
         (updated > EAR_STAMP_OLDEST && stored > ear_stamp_latest (g_get_real_time ()));
}

/* Returns the kind of change of a mark with another value, or stamp. */
static EarEpisodeChange
get_change (EarMark mark, const EarEpisodeState *stored, const EarEpisodeState *state)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  if (mark != EAR_MARK_POSITION)
    return stored->values[mark] != ear_mark_bound (mark, state->values[mark])
               ? (EarEpisodeChange) EAR_CHANGE_MARK (mark)
               : what;

  if ((stored->position > 0) != (state->position > 0))
    what |= EAR_CHANGE_BEGUN;
  if (state->position_updated != stored->position_updated)
    what |= EAR_CHANGE_HEARD;

  return what;
}

/* Merges states mark by mark; returns the kinds of changes. */
static EarEpisodeChange
merge_marks (EarEpisodeState *stored, const EarEpisodeState *state, MergeMode mode)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (is_wanted (state->updated[i], stored->updated[i], mode))
      {
        what |= get_change (i, stored, state);
        stored->values[i] = ear_mark_bound (i, state->values[i]);
        stored->updated[i] = state->updated[i];
      }

  return what;
}

static gboolean
put_state (EarCatalogueTables *self, gint64 episode, const EarEpisodeState *state, MergeMode mode,
           GError **error)
{
  g_autoptr (EarStatement) select = ear_database_query (self->database, error,
                                                        "SELECT podcast, " EAR_MARK_SQL_ALL
                                                        " FROM episode WHERE id = ?1",
                                                        "x", episode);
  g_autoptr (EarStatement) update = ear_database_prepare (
      self->database,
      "UPDATE episode SET (" EAR_MARK_SQL_ALL ") = (" EAR_MARK_SQL_VALUES ") WHERE id = ?",
      error);
  EarEpisodeState before = { 0 }, now;
  EarPodcastEvent *event;
  EarEpisodeChange what;
  gint64 podcast;
  gboolean row = FALSE;

  if (update == NULL || !ear_database_step (self->database, select, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  podcast = sqlite3_column_int64 (select, 0);
  ear_mark_sql_read (&before, select, 1);
  sqlite3_reset (select);
  now = before;
  what = merge_marks (&now, state, mode);
  if (memcmp (&before, &now, sizeof now) == 0)
    return TRUE;

  ear_mark_sql_bind (&now, update, 1);
  sqlite3_bind_int64 (update, EAR_MARK_SQL_N_COLUMNS + 1, episode);
  if (!ear_database_run (self->database, update, error))
    return FALSE;
  if (what == EAR_CHANGE_NONE)
    return TRUE;
  event = ear_catalogue_event_get (self->event, podcast);
  ear_podcast_event_change (event, episode, what);
  if (mode == MERGE_WHEN_NEWER)
    ear_podcast_event_append (&event->marked, episode);

  return TRUE;
}

/* Stores the listener's marks, an EarEpisodeState whose members with a stamp count. */
gboolean
ear_catalogue_tables_put_state (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  g_array_append_val (self->event->acknowledged, op->episode);

  return put_state (self, op->episode, op->data, MERGE_ALWAYS, error);
}

static gboolean
find_waiting (EarCatalogueTables *self, gint64 podcast, const char *guid, EarEpisodeState *state,
              gboolean *found, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT " EAR_MARK_SQL_ALL " FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs",
      podcast, guid);

  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  if (*found)
    ear_mark_sql_read (state, statement, 0);

  return TRUE;
}

static gboolean
put_waiting (EarCatalogueTables *self, gint64 podcast, const char *guid,
             const EarEpisodeState *state, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "INSERT OR REPLACE INTO waiting_state (" EAR_MARK_SQL_ALL
      ", podcast, guid) VALUES (" EAR_MARK_SQL_VALUES ", ?, ?)",
      error);
  EarEpisodeState stored = { 0 };
  EarEpisodeState before;
  gboolean found = FALSE;

  if (statement == NULL || !find_waiting (self, podcast, guid, &stored, &found, error))
    return FALSE;
  before = stored;
  merge_marks (&stored, state, MERGE_WHEN_NEWER);
  if (memcmp (&before, &stored, sizeof stored) == 0)
    return TRUE;
  ear_mark_sql_bind (&stored, statement, 1);
  sqlite3_bind_int64 (statement, EAR_MARK_SQL_N_COLUMNS + 1, podcast);
  ear_statement_bind_text (statement, EAR_MARK_SQL_N_COLUMNS + 2, guid);

  return ear_database_run (self->database, statement, error);
}

/* Applies a waiting state to a new episode. */
gboolean
ear_catalogue_tables_take_waiting (EarCatalogueTables *self, gint64 podcast, gint64 episode,
                                   const char *guid, GError **error)
{
  EarEpisodeState state = { 0 };
  gboolean found = FALSE;

  if (!find_waiting (self, podcast, guid, &state, &found, error))
    return FALSE;
  if (!found)
    return TRUE;

  return ear_database_execute (self->database, error,
                               "DELETE FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs",
                               podcast, guid) &&
         put_state (self, episode, &state, MERGE_WHEN_NEWER, error);
}

/* Finds an episode by its enclosure, for states of another program that lacks its guid.
 * @known: (inout): the episodes of the podcast, loaded on demand
 * @episode: (out): its row id, or 0 */
static gboolean
find_by_enclosure (EarCatalogueTables *self, gint64 podcast, const char *name,
                   EarKnownEpisodes **known, gint64 *episode, GError **error)
{
  if (strstr (name, "://") == NULL)
    return TRUE;
  if (*known == NULL)
    *known = ear_known_episodes_load (self->database, podcast, error);
  if (*known == NULL)
    return FALSE;
  *episode = ear_known_episodes_find_only (*known, name);

  return TRUE;
}

/* Merges newer states from the files, by guid. States of missing episodes
 * wait for them. */
gboolean
ear_catalogue_tables_put_states (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const gint64 podcast = op->podcast;
  g_autoptr (EarKnownEpisodes) known = NULL;
  GHashTableIter iter;
  gpointer guid, state;

  g_hash_table_iter_init (&iter, op->data);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    {
      gint64 episode = 0;

      if (ear_episode_state_is_empty (state))
        continue;
      if (!ear_database_get_int (self->database, error, &episode, EAR_FIND_EPISODE_SQL, "xs",
                                 podcast, guid))
        return FALSE;
      if (episode == 0 && !find_by_enclosure (self, podcast, guid, &known, &episode, error))
        return FALSE;
      if (episode != 0 && !put_state (self, episode, state, MERGE_WHEN_NEWER, error))
        return FALSE;
      if (episode == 0 && !put_waiting (self, podcast, guid, state, error))
        return FALSE;
    }

  return TRUE;
}

/* Stores an episode's duration as measured by the player; the op's value
 * is in microseconds. */
gboolean
ear_catalogue_tables_put_duration (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  gint64 podcast = 0;

  if (!ear_database_get_int (
          self->database, error, &podcast,
          "UPDATE episode SET measured = ?2 WHERE id = ?1 AND measured <> ?2 RETURNING podcast",
          "xx", op->episode, op->value))
    return FALSE;
  if (podcast != 0)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, podcast), op->episode,
                              EAR_CHANGE_LENGTH);

  return TRUE;
}

/* The listener's settings for a podcast, a copy of those in the state files */

static gboolean
put_setting (EarCatalogueTables *self, gint64 podcast, EarPodcastSetting setting, int value,
             gint64 updated, GError **error)
{
  /* Replace a stamp from a clock that was ahead: it would win until that day. */
  return ear_database_execute (self->database, error,
                               "INSERT INTO podcast_setting (podcast, setting, value, updated)"
                               " SELECT id, ?2, ?3, ?4"
                               " FROM podcast WHERE id = ?1"
                               " ON CONFLICT (podcast, setting) DO UPDATE"
                               " SET value = excluded.value, updated = excluded.updated"
                               " WHERE excluded.updated > podcast_setting.updated"
                               " OR (excluded.updated > ?5 AND podcast_setting.updated > ?6)",
                               "xsixxx", podcast, ear_podcast_setting_get_name (setting), value,
                               updated, (gint64) EAR_STAMP_OLDEST,
                               ear_stamp_latest (g_get_real_time ()));
}

/* Stores newer settings, an EarPodcastSettings. */
gboolean
ear_catalogue_tables_put_settings (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const EarPodcastSettings *settings = op->data;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] != 0 &&
        !put_setting (self, op->podcast, i, settings->values[i], settings->updated[i], error))
      return FALSE;

  return TRUE;
}

/* Stores the folder of a podcast, a name or %NULL, as one more setting with a text value,
 * which SQLite allows in a column of numbers. A "/" before it keeps a name like "2024"
 * from becoming a number. */
gboolean
ear_catalogue_tables_put_folder (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const char *folder = op->text;

  if (folder == NULL)
    return ear_database_execute (self->database, error,
                                 "DELETE FROM podcast_setting WHERE podcast = ?1 AND setting = ?2",
                                 "xs", op->podcast, EAR_CATALOGUE_FOLDER);

  return ear_database_execute (
      self->database, error,
      "INSERT OR REPLACE INTO podcast_setting (podcast, setting, value, updated)"
      " SELECT id, ?2, '/' || ?3, 0 FROM podcast WHERE id = ?1",
      "xss", op->podcast, EAR_CATALOGUE_FOLDER, folder);
}

/* Writer thread: the copy of the downloads, for the filters */

static gboolean
put_download (EarCatalogueTables *self, const EarDownloadMark *mark, GError **error)
{
  gint64 id = 0;

  if (!ear_database_get_int (
          self->database, error, &id,
          "UPDATE episode SET download = ?3, download_place = ?4 WHERE id = (" EAR_FIND_EPISODE_SQL
          ")"
          " AND (download <> ?3 OR download_place <> ?4) RETURNING id",
          "xsix", mark->podcast, mark->guid, (int) mark->kind,
          mark->kind != EAR_DOWNLOAD_KIND_NONE ? mark->place : 0))
    return FALSE;
  if (id != 0)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, mark->podcast), id,
                              EAR_CHANGE_DOWNLOAD);

  return TRUE;
}

/* Clears rows with a download that is not among @marks. */
static gboolean
clear_others (EarCatalogueTables *self, GPtrArray *marks, GError **error)
{
  g_autoptr (GString) wanted = g_string_new ("[");
  g_autoptr (EarStatement) statement = NULL;
  gboolean row = FALSE;

  for (guint i = 0; i < marks->len; i++)
    {
      const EarDownloadMark *mark = g_ptr_array_index (marks, i);

      g_string_append_printf (wanted, "%s[%" G_GINT64_FORMAT ",", i > 0 ? "," : "", mark->podcast);
      ear_database_append_text (wanted, mark->guid);
      g_string_append_c (wanted, ']');
    }
  g_string_append_c (wanted, ']');
  statement = ear_database_query (
      self->database, error,
      "UPDATE episode SET download = 0, download_place = 0 WHERE download <> 0"
      " AND (podcast, guid) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each (?1))"
      " AND (feed_guid IS NULL OR (podcast, feed_guid) NOT IN"
      " (SELECT value ->> 0, value ->> 1 FROM json_each (?1))) RETURNING podcast, id",
      "s", wanted->str);
  while (ear_database_step (self->database, statement, &row, error) && row)
    ear_podcast_event_change (
        ear_catalogue_event_get (self->event, sqlite3_column_int64 (statement, 0)),
        sqlite3_column_int64 (statement, 1), EAR_CHANGE_DOWNLOAD);

  return !row;
}

/* Stores downloads, an array of EarDownloadMark; if the op's value is set,
 * clears all others. */
gboolean
ear_catalogue_tables_put_downloads (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  GPtrArray *marks = op->items;

  if (op->value != 0 && !clear_others (self, marks, error))
    return FALSE;
  for (guint i = 0; i < marks->len; i++)
    if (!put_download (self, g_ptr_array_index (marks, i), error))
      return FALSE;

  return TRUE;
}

/* Episodes deleted in one transaction, so that other ops get their turn */
#define PURGE_STEP 500

gboolean
ear_catalogue_tables_follow (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  EarDatabase *database = self->database;
  const gint64 podcast = op->podcast;

  /* A podcast at this address that is being purged may still have its row. */
  return ear_database_execute (
             database, error,
             "UPDATE podcast SET address = 'purged:' || id WHERE address = ?1 AND hidden <> 0", "s",
             op->text) &&
         ear_database_execute (
             database, error,
             "INSERT OR IGNORE INTO podcast (id, address, title, followed, hidden)"
             " VALUES (?1, ?2, ?3, ?4, -(?4 = 0))",
             "xssx", podcast, op->text, op->title, op->value) &&
         ear_database_execute (database, error,
                               "INSERT OR IGNORE INTO podcast_check (podcast) VALUES (?1)", "x",
                               podcast);
}

/* Makes a previewed podcast followed. */
static gboolean
begin_following (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  return ear_database_execute (self->database, error,
                               "UPDATE podcast SET followed = ?2 WHERE id = ?1 AND followed = 0",
                               "xx", podcast, g_get_real_time () / G_USEC_PER_SEC) &&
         (sqlite3_changes (ear_database_get_handle (self->database)) == 0 ||
          ear_catalogue_tables_freshen_newest (self, podcast, error));
}

/* Hides a podcast and its episodes, or shows them again; nothing is deleted. The
 * op's value is the time of unfollowing in Unix seconds, -1 for a preview, 0 to
 * follow it (again). */
gboolean
ear_catalogue_tables_set_hidden (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  gint64 podcast = op->podcast;
  const gint64 hidden = op->value;
  g_autoptr (EarStatement) select = ear_database_query (
      self->database, error, "SELECT id FROM episode WHERE podcast = ?1", "x", podcast);
  EarPodcastEvent *event = ear_catalogue_event_get (self->event, podcast);
  g_autoptr (GArray) ids = NULL;

  if (!ear_database_execute (self->database, error, "UPDATE podcast SET hidden = ?2 WHERE id = ?1",
                             "xx", podcast, hidden) ||
      (hidden == 0 && !begin_following (self, podcast, error)))
    return FALSE;
  ids = ear_database_list (self->database, select, error);
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    if (hidden > 0)
      ear_podcast_event_append (&event->removed, g_array_index (ids, gint64, i));
    else
      ear_podcast_event_insert (event, g_array_index (ids, gint64, i));
  if (hidden > 0)
    g_hash_table_remove (self->answers, &podcast);

  return ids != NULL;
}

/* Deletes up to a step of the podcast's episodes; returns how many, or -1. */
static int
purge_episodes (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  g_autoptr (EarStatement) select = ear_database_query (
      self->database, error, "SELECT id, sort_key FROM episode WHERE podcast = ?1 LIMIT ?2", "xi",
      podcast, PURGE_STEP);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean row = FALSE;

  while (ear_database_step (self->database, select, &row, error) && row)
    {
      gint64 id = sqlite3_column_int64 (select, 0);

      g_array_append_val (ids, id);
      ear_catalogue_tables_change_text (self, podcast, sqlite3_column_int64 (select, 1), NULL);
    }
  if (row)
    return -1;
  for (guint i = 0; i < ids->len; i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);

      if (!ear_database_execute (self->database, error, "DELETE FROM notes WHERE episode = ?1", "x",
                                 id) ||
          !ear_database_execute (self->database, error, "DELETE FROM episode WHERE id = ?1", "x",
                                 id))
        return -1;
    }

  return (int) ids->len;
}

/* Deletes a hidden podcast, some of its episodes at a time. A podcast that was shown
 * again meanwhile is skipped. */
gboolean
ear_catalogue_tables_purge (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  static const char *const rest[] = {
    "DELETE FROM podcast_setting WHERE podcast = ?1",
    "DELETE FROM waiting_state WHERE podcast = ?1",
    "DELETE FROM podcast_check WHERE podcast = ?1",
    "DELETE FROM podcast WHERE id = ?1",
  };
  gint64 is_hidden = 0;
  int n_deleted;

  if (!ear_database_get_int (self->database, error, &is_hidden,
                             "SELECT hidden FROM podcast WHERE id = ?1", "x", op->podcast))
    return FALSE;
  if (is_hidden == 0)
    return TRUE;
  n_deleted = purge_episodes (self, op->podcast, error);
  if (n_deleted < 0)
    return FALSE;
  op->again = n_deleted == PURGE_STEP;
  /* If it is followed again before the rest is deleted, as after a restart, its feed has
   * to send everything again. */
  if (op->again)
    return ear_database_execute (
        self->database, error,
        "UPDATE podcast_check SET etag = NULL, last_modified = NULL, checked = 0, answers = 0,"
        " settled = 0, archived = 0 WHERE podcast = ?1",
        "x", op->podcast);

  for (gsize i = 0; i < G_N_ELEMENTS (rest); i++)
    if (!ear_database_execute (self->database, error, rest[i], "x", op->podcast))
      return FALSE;

  return ear_catalogue_tables_drop_links (self, error);
}

/* Makes the newest episode of a newly followed podcast fresh. */
gboolean
ear_catalogue_tables_freshen_newest (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  gint64 id = 0;

  if (!ear_database_get_int (self->database, error, &id,
                             "UPDATE episode SET fresh = 1 WHERE fresh = 0 AND id = (SELECT id"
                             " FROM episode INDEXED BY episode_of WHERE podcast = ?1"
                             " ORDER BY sort_key DESC LIMIT 1) RETURNING id",
                             "x", podcast))
    return FALSE;
  if (id != 0)
    ear_podcast_event_rewrite (ear_catalogue_event_get (self->event, podcast), id,
                               EAR_CHANGE_FRESH);

  return TRUE;
}
