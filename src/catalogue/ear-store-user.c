/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-writer.h"

#include "ear-columns.h"
#include "ear-episode-sql.h"
#include "ear-time.h"

#include <string.h>

/* Marking many episodes at once */

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
  const EarMarkedEpisode episode = {
    .guid = ear_statement_get_text (row, COLUMN_GUID),
    .alias = ear_statement_get_text (row, COLUMN_ALIAS),
    .title = ear_statement_get_text (row, COLUMN_TITLE),
    .enclosure = ear_statement_get_text (row, COLUMN_ENCLOSURE),
  };

  if (begins_podcast)
    ear_marks_add_podcast (marks, ear_statement_get_text (row, COLUMN_ADDRESS),
                           ear_statement_get_text (row, COLUMN_FEED_ADDRESS),
                           ear_statement_get_text (row, COLUMN_PODCAST_TITLE));
  ear_marks_add (marks, sqlite3_column_int64 (row, COLUMN_ID), episode);
}

/* Adds the names of an episode, and no marks.
 * @marks: (inout) (nullable): episodes of its podcast; created for the first one */
void
ear_writer_add_marks (EarWriter *self, EarMarks **marks, gint64 episode)
{
  const EarEpisodeState none = { 0 };
  const gboolean is_first = *marks == NULL;
  g_autoptr (EarStatement) row =
      ear_database_query (self->database, MARKED_SQL "episode.id = ?1", "x", episode);

  if (!ear_database_step (self->database, row))
    return;
  if (is_first)
    *marks = ear_marks_new (&none, 0);
  add_row (*marks, row, is_first);
}

/* Marks those of the found episodes whose mark differs, and that are older than @bound. */
static void
mark_found (EarWriter *self, GArray *found, gint64 bound, EarMarks *marks)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  g_autoptr (EarStatement) select = ear_database_query (
      self->database,
      ear_mark_sql_of (mark, MARKED_SQL "episode.id IN (SELECT value FROM json_each (?1))"
                             " AND %1$s <> ?2 AND +sort_key < ?3"
                             " ORDER BY +episode.podcast, episode.id"),
      "axx", found, marks->state.values[mark], bound);
  gint64 podcast = 0;

  while (ear_database_step (self->database, select))
    {
      const gint64 id = sqlite3_column_int64 (select, COLUMN_ID);
      const gint64 before = podcast;

      podcast = sqlite3_column_int64 (select, COLUMN_PODCAST);
      add_row (marks, select, podcast != before);
      ear_ids_append (&ear_writer_add_change (self, podcast, EAR_CHANGE_MARK (mark))->marked, id);
    }
  ear_statement_reset (select);
  ear_database_execute (
      self->database,
      ear_mark_sql_of (mark, "UPDATE episode SET %1$s = ?2, %1$s_updated = ?3"
                             " WHERE id IN (SELECT value FROM json_each (?1))"),
      "axx", marks->ids, marks->state.values[mark], marks->state.updated[mark]);
}

/* Sets a mark, the op's state, of its episodes, or of those of its query; its value is the row
 * id of the episode that they have to be older than, or 0. */
void
ear_writer_mark (EarWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarMarks) marks =
      ear_marks_new (&op->state, ear_episode_state_get_latest (&op->state));
  g_autoptr (GArray) found = op->ids != NULL ? g_array_ref (op->ids)
                                             : ear_episode_sql_run (self->database, op->query, 0);
  gint64 bound = G_MAXINT64;

  /* If the bounding episode is gone, no episode is marked. */
  if (op->value != 0)
    bound = ear_database_get_int (self->database,
                                  "SELECT ifnull (max (sort_key), ?2) FROM episode WHERE id = ?1",
                                  "xx", op->value, G_MININT64);
  mark_found (self, found, bound, marks);
  g_array_sort (marks->ids, ear_ids_compare);
  g_clear_pointer (&op->marks, ear_marks_unref);
  op->marks = g_steal_pointer (&marks);
}

/* Passes all marks to the op's function, with its data: those of one podcast with the same state
 * together. */
void
ear_writer_list_marks (EarWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      MARKED_SQL EAR_MARK_SQL_TOUCHED " ORDER BY episode.podcast, " EAR_MARK_SQL_ALL);
  g_autoptr (EarMarks) marks = NULL;
  gint64 podcast = 0;

  while (ear_database_step (self->database, statement))
    {
      EarEpisodeState state;
      gboolean alike;

      ear_mark_sql_read (&state, statement, COLUMN_MARKS);
      alike = marks != NULL && podcast == sqlite3_column_int64 (statement, COLUMN_PODCAST) &&
              memcmp (&state, &marks->state, sizeof state) == 0;
      if (!alike)
        {
          if (marks != NULL)
            op->func (marks, op->data);
          g_clear_pointer (&marks, ear_marks_unref);
          marks = ear_marks_new (&state, 0);
        }
      podcast = sqlite3_column_int64 (statement, COLUMN_PODCAST);
      add_row (marks, statement, !alike);
    }
  if (marks != NULL && !ear_database_has_failed (self->database))
    op->func (marks, op->data);
}

/* Whether to apply a value.
 * @newer: whether it is from a file, and has to be newer. A stored stamp from a clock that was
 *   ahead loses: it would win until that day. */
static gboolean
is_wanted (gint64 updated, gint64 stored, gboolean newer)
{
  if (updated == 0 || !newer)
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
merge_marks (EarEpisodeState *stored, const EarEpisodeState *state, gboolean newer)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (is_wanted (state->updated[i], stored->updated[i], newer))
      {
        what |= get_change (i, stored, state);
        stored->values[i] = ear_mark_bound (i, state->values[i]);
        stored->updated[i] = state->updated[i];
      }

  return what;
}

/* Stores the listener's marks, the op's state, whose members with a stamp count; if its value is
 * set, they are from a file, and count if they are newer. */
void
ear_writer_put_state (EarWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarStatement) select = ear_database_query (self->database,
                                                        "SELECT podcast, " EAR_MARK_SQL_ALL
                                                        " FROM episode WHERE id = ?1",
                                                        "x", op->episode);
  g_autoptr (EarStatement) update = ear_database_query (
      self->database,
      "UPDATE episode SET (" EAR_MARK_SQL_ALL ") = (" EAR_MARK_SQL_VALUES ") WHERE id = ?1", "x",
      op->episode);
  EarEpisodeState before = { 0 }, now;
  EarPodcastEvent *event;
  EarEpisodeChange what;
  gint64 podcast;

  if (!ear_database_step (self->database, select))
    return;
  podcast = sqlite3_column_int64 (select, 0);
  ear_mark_sql_read (&before, select, 1);
  sqlite3_reset (select);
  now = before;
  what = merge_marks (&now, &op->state, op->value != 0);
  if (memcmp (&before, &now, sizeof now) == 0)
    return;

  ear_mark_sql_bind (&now, update);
  ear_database_step (self->database, update);
  if (what == EAR_CHANGE_NONE)
    return;
  event = ear_writer_add_change (self, podcast, what);
  if (op->value != 0)
    ear_ids_append (&event->marked, op->episode);
}

/* Returns: whether marks of the episode wait for it */
static gboolean
find_waiting (EarWriter *self, gint64 podcast, const char *guid, EarEpisodeState *state)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      "SELECT " EAR_MARK_SQL_ALL " FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs",
      podcast, guid);

  if (!ear_database_step (self->database, statement))
    return FALSE;
  ear_mark_sql_read (state, statement, 0);

  return TRUE;
}

static void
put_waiting (EarWriter *self, gint64 podcast, const char *guid,
             const EarEpisodeState *state)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      "INSERT OR REPLACE INTO waiting_state (podcast, guid, " EAR_MARK_SQL_ALL
      ") VALUES (?1, ?2, " EAR_MARK_SQL_VALUES ")",
      "xs", podcast, guid);
  EarEpisodeState stored = { 0 };
  EarEpisodeState before;

  find_waiting (self, podcast, guid, &stored);
  before = stored;
  merge_marks (&stored, state, TRUE);
  if (memcmp (&before, &stored, sizeof stored) == 0)
    return;
  ear_mark_sql_bind (&stored, statement);
  ear_database_step (self->database, statement);
}

/* Applies a waiting state to a new episode. */
void
ear_writer_take_waiting (EarWriter *self, gint64 podcast, gint64 episode,
                                   const char *guid)
{
  EarCatalogueOp op = { .episode = episode, .value = TRUE };

  if (!find_waiting (self, podcast, guid, &op.state))
    return;
  ear_database_execute (self->database,
                        "DELETE FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs", podcast,
                        guid);
  ear_writer_put_state (self, &op);
}

/* Merges newer states from the files, by guid. States of missing episodes
 * wait for them. */
void
ear_writer_put_states (EarWriter *self, EarCatalogueOp *op)
{
  GHashTableIter iter;
  gpointer guid, state;

  g_hash_table_iter_init (&iter, op->data);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    {
      gint64 episode;

      if (ear_episode_state_is_empty (state))
        continue;
      /* Another program may lack the guid, and name the episode by its enclosure. */
      episode = ear_database_get_int (
          self->database,
          "SELECT coalesce ((" EAR_FIND_EPISODE_SQL "), (SELECT iif (count (*) = 1, id, 0)"
          " FROM episode WHERE instr (?2, '://') > 0 AND podcast = ?1 AND enclosure = ?2))",
          "xs", op->podcast, guid);
      if (episode != 0)
        ear_writer_put_state (self, &(EarCatalogueOp) { .episode = episode,
                                                        .state = *(EarEpisodeState *) state,
                                                        .value = TRUE });
      else
        put_waiting (self, op->podcast, guid, state);
    }
}

/* Stores an episode's duration as measured by the player; the op's value
 * is in microseconds. */
void
ear_writer_put_duration (EarWriter *self, EarCatalogueOp *op)
{
  const gint64 podcast = ear_database_get_int (
      self->database,
      "UPDATE episode SET measured = ?2 WHERE id = ?1 AND measured <> ?2 RETURNING podcast", "xx",
      op->episode, op->value);

  /* The episode's object may have shown the feed's duration again, after an earlier edit. */
  if (podcast != 0)
    ear_ids_append (&ear_writer_add_change (self, podcast, EAR_CHANGE_LENGTH)->rewritten,
                    op->episode);
}

/* The listener's settings for a podcast, a copy of those in the state files */

/* Stores an EarPodcastSettings: those of the podcast's object, which has merged them by their
 * stamps. */
void
ear_writer_put_settings (EarWriter *self, EarCatalogueOp *op)
{
  const EarPodcastSettings *settings = op->data;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] != 0)
      ear_database_execute (self->database,
                            "INSERT OR REPLACE INTO podcast_setting"
                            " (podcast, setting, value, updated)"
                            " SELECT id, ?2, ?3, ?4 FROM podcast WHERE id = ?1",
                            "xsix", op->podcast, ear_podcast_setting_types[i].name,
                            settings->values[i], settings->updated[i]);
}

/* Stores the folder of a podcast, a name or %NULL, as one more setting with a text value,
 * which SQLite allows in a column of numbers. A "/" before it keeps a name like "2024"
 * from becoming a number; 0 is no folder. */
void
ear_writer_put_folder (EarWriter *self, EarCatalogueOp *op)
{
  ear_database_execute (self->database,
                        "INSERT OR REPLACE INTO podcast_setting"
                        " (podcast, setting, value, updated)"
                        " SELECT id, ?2, ifnull ('/' || ?3, 0), 0 FROM podcast WHERE id = ?1",
                        "xss", op->podcast, EAR_CATALOGUE_FOLDER, op->text);
}

/* Writer thread: the copy of the downloads, for the filters */

/* Stores downloads, an array of EarDownloadMark; if the op's value is set,
 * clears all others. */
void
ear_writer_put_downloads (EarWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarStatement) changed = NULL;

  ear_database_exec (self->database,
                     "CREATE TEMP TABLE IF NOT EXISTS wanted (id INTEGER PRIMARY KEY, kind, place);"
                     "DELETE FROM wanted");
  for (guint i = 0; i < op->items->len; i++)
    {
      const EarDownloadMark *mark = g_ptr_array_index (op->items, i);

      ear_database_execute (self->database,
                            "INSERT OR REPLACE INTO wanted"
                            " SELECT id, ?3, ?4 FROM (" EAR_FIND_EPISODE_SQL ")",
                            "xsix", mark->podcast, mark->guid, (int) mark->kind, mark->place);
    }
  changed = ear_database_query (
      self->database,
      "UPDATE episode SET download = now.kind, download_place = now.place FROM"
      " (SELECT * FROM wanted UNION ALL SELECT id, 0, 0 FROM episode WHERE ?1 AND download <> 0"
      " AND id NOT IN (SELECT id FROM wanted)) AS now WHERE episode.id = now.id"
      " AND (download <> now.kind OR download_place <> now.place) RETURNING podcast",
      "x", op->value);
  while (ear_database_step (self->database, changed))
    ear_writer_add_change (self, sqlite3_column_int64 (changed, 0), EAR_CHANGE_DOWNLOAD);
}

/* Lets marks of all results of a search find the listener's bookmarks, the op's items. */
void
ear_writer_put_bookmarks (EarWriter *self, EarCatalogueOp *op)
{
  ear_episode_sql_put_bookmarks (self->database, op->items);
}

/* Episodes deleted in one transaction, so that other ops get their turn */
#define PURGE_STEP 500

#define PURGED "(SELECT id FROM episode WHERE podcast = ?1 ORDER BY sort_key LIMIT ?2)"

void
ear_writer_follow (EarWriter *self, EarCatalogueOp *op)
{
  /* A podcast at this address that is being purged may still have its row. */
  ear_database_execute (
      self->database,
      "UPDATE podcast SET address = 'purged:' || id WHERE address = ?1 AND hidden <> 0", "s",
      op->text);
  ear_database_execute (self->database,
                        "INSERT OR IGNORE INTO podcast (id, address, title, followed, hidden)"
                        " VALUES (?1, ?2, ?3, ?4, -(?4 = 0))",
                        "xssx", op->podcast, op->text, op->title, op->value);
  ear_database_execute (self->database, "INSERT OR IGNORE INTO podcast_check (podcast) VALUES (?1)",
                        "x", op->podcast);
}

/* Hides a podcast and its episodes, or shows them again; nothing is deleted. The
 * op's value is the time of unfollowing in Unix seconds, -1 for a preview, 0 to
 * follow it (again). */
void
ear_writer_set_hidden (EarWriter *self, EarCatalogueOp *op)
{
  const gint64 hidden = op->value;

  ear_database_execute (self->database, "UPDATE podcast SET hidden = ?2 WHERE id = ?1", "xx",
                        op->podcast, hidden);
  /* A previewed podcast becomes a followed one. */
  if (hidden == 0 &&
      ear_database_get_int (
          self->database,
          "UPDATE podcast SET followed = ?2 WHERE id = ?1 AND followed = 0 RETURNING id", "xx",
          op->podcast, g_get_real_time () / G_USEC_PER_SEC) != 0)
    ear_writer_freshen_newest (self, op->podcast);
  ear_writer_add_change (self, op->podcast, hidden > 0 ? EAR_CHANGE_HIDDEN : EAR_CHANGE_INSERTED);
  if (hidden > 0)
    g_hash_table_remove (self->answers, &op->podcast);
}

/* Deletes a hidden podcast, some of its episodes at a time. A podcast that was shown
 * again meanwhile is skipped. */
void
ear_writer_purge (EarWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarStatement) deleted = NULL;
  int n_deleted = 0;

  if (ear_database_get_int (self->database, "SELECT hidden FROM podcast WHERE id = ?1", "x",
                            op->podcast) == 0)
    return;
  ear_database_execute (self->database, "DELETE FROM notes WHERE episode IN " PURGED, "xi",
                        op->podcast, PURGE_STEP);
  deleted = ear_database_query (self->database,
                                "DELETE FROM episode WHERE id IN " PURGED " RETURNING sort_key",
                                "xi", op->podcast, PURGE_STEP);
  for (; ear_database_step (self->database, deleted); n_deleted++)
    ear_writer_change_text (self, op->podcast, sqlite3_column_int64 (deleted, 0), NULL);
  op->again = n_deleted == PURGE_STEP;
  /* If it is followed again before the rest is deleted, as after a restart, its feed has
   * to send everything again. */
  ear_database_execute (
      self->database,
      op->again ? "UPDATE podcast_check SET etag = NULL, last_modified = NULL, checked = 0,"
                  " answers = 0, settled = 0, archived = 0 WHERE podcast = ?1"
                : "DELETE FROM podcast_check WHERE podcast = ?1",
      "x", op->podcast);
  if (op->again)
    return;
  ear_database_execute (self->database, "DELETE FROM podcast_setting WHERE podcast = ?1", "x",
                        op->podcast);
  ear_database_execute (self->database, "DELETE FROM waiting_state WHERE podcast = ?1", "x",
                        op->podcast);
  ear_database_execute (self->database, "DELETE FROM podcast WHERE id = ?1", "x", op->podcast);
  ear_writer_drop_links (self);
}

/* Makes the newest episode of a newly followed podcast fresh. */
void
ear_writer_freshen_newest (EarWriter *self, gint64 podcast)
{
  const gint64 id = ear_database_get_int (
      self->database,
      "UPDATE episode SET fresh = 1 WHERE fresh = 0 AND id = (SELECT id"
      " FROM episode INDEXED BY episode_of WHERE podcast = ?1 ORDER BY sort_key DESC LIMIT 1)"
      " RETURNING id",
      "x", podcast);

  if (id != 0)
    ear_ids_append (&ear_writer_add_change (self, podcast, EAR_CHANGE_FRESH)->rewritten, id);
}
