/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-stamp.h"

#include <string.h>

typedef enum
{
  MERGE_ALWAYS,     /* the listener has just done it */
  MERGE_WHEN_NEWER, /* it came from a file */
} MergeMode;

/* What was stored while the clock was ahead must not stay until that day. */
static gboolean
is_wanted (gint64 updated, gint64 stored, MergeMode mode)
{
  if (updated == 0 || mode == MERGE_ALWAYS)
    return updated != 0;

  return updated > stored || (updated > EAR_STAMP_OLDEST && stored > ear_stamp_latest (g_get_real_time ()));
}

/* Takes over, field by field, what is to be taken over; returns which values are other
 * ones now. */
static EarEpisodeChange
merge (EarEpisodeState *stored, const EarEpisodeState *state, MergeMode mode)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  if (is_wanted (state->position_updated, stored->position_updated, mode))
    {
      if ((stored->position > 0) != (state->position > 0))
        what |= EAR_CHANGE_BEGUN;
      if (state->position_updated != stored->position_updated)
        what |= EAR_CHANGE_HEARD;
      stored->position = MAX (state->position, 0);
      stored->position_updated = state->position_updated;
    }
  if (is_wanted (state->listened_updated, stored->listened_updated, mode))
    {
      if (!stored->listened != !state->listened)
        what |= EAR_CHANGE_LISTENED;
      stored->listened = !!state->listened;
      stored->listened_updated = state->listened_updated;
    }
  if (is_wanted (state->liked_updated, stored->liked_updated, mode))
    {
      if (!stored->liked != !state->liked)
        what |= EAR_CHANGE_LIKED;
      stored->liked = !!state->liked;
      stored->liked_updated = state->liked_updated;
    }

  return what;
}

/* The members of @now that are others than in @before, for the live object. */
static EarEpisodeState
get_difference (const EarEpisodeState *before, const EarEpisodeState *now)
{
  EarEpisodeState difference = *now;

  if (before->position == now->position)
    difference.position_updated = 0;
  if (before->listened == now->listened)
    difference.listened_updated = 0;
  if (before->liked == now->liked)
    difference.liked_updated = 0;

  return difference;
}

static gboolean
has_stamp (const EarEpisodeState *state)
{
  return state->position_updated != 0 || state->listened_updated != 0 || state->liked_updated != 0;
}

static void
bind_state (EarStatement *statement, int index, const EarEpisodeState *state)
{
  sqlite3_bind_int64 (statement, index, state->position);
  sqlite3_bind_int (statement, index + 1, state->listened);
  sqlite3_bind_int (statement, index + 2, state->liked);
  sqlite3_bind_int64 (statement, index + 3, state->position_updated);
  sqlite3_bind_int64 (statement, index + 4, state->listened_updated);
  sqlite3_bind_int64 (statement, index + 5, state->liked_updated);
}

static void
read_state (EarStatement *statement, int column, EarEpisodeState *state)
{
  state->position = sqlite3_column_int64 (statement, column);
  state->listened = sqlite3_column_int (statement, column + 1) != 0;
  state->liked = sqlite3_column_int (statement, column + 2) != 0;
  state->position_updated = sqlite3_column_int64 (statement, column + 3);
  state->listened_updated = sqlite3_column_int64 (statement, column + 4);
  state->liked_updated = sqlite3_column_int64 (statement, column + 5);
}

static gboolean
put (EarCatalogueTables *self, gint64 episode, const EarEpisodeState *state, MergeMode mode, GError **error)
{
  g_autoptr (EarStatement) select = ear_database_prepare (
      self->database,
      "SELECT podcast, position, listened, liked, position_updated, listened_updated, liked_updated FROM episode"
      " WHERE id = ?1",
      error);
  g_autoptr (EarStatement) update = ear_database_prepare (
      self->database,
      "UPDATE episode SET position = ?2, listened = ?3, liked = ?4, position_updated = ?5, listened_updated = ?6,"
      " liked_updated = ?7 WHERE id = ?1",
      error);
  EarEpisodeState before = { 0 }, now, difference;
  EarPodcastEvent *event;
  EarEpisodeChange what;
  gint64 podcast;
  gboolean row = FALSE;

  if (select == NULL || update == NULL)
    return FALSE;
  sqlite3_bind_int64 (select, 1, episode);
  if (!ear_database_step (self->database, select, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  podcast = sqlite3_column_int64 (select, 0);
  read_state (select, 1, &before);
  sqlite3_reset (select);
  now = before;
  what = merge (&now, state, mode);
  if (memcmp (&before, &now, sizeof now) == 0)
    return TRUE;

  sqlite3_bind_int64 (update, 1, episode);
  bind_state (update, 2, &now);
  if (!ear_database_run (self->database, update, error))
    return FALSE;
  difference = get_difference (&before, &now);
  if (!has_stamp (&difference) && (what & EAR_CHANGE_HEARD) == 0)
    return TRUE;
  event = ear_catalogue_event_get (self->event, podcast);
  ear_podcast_event_change (event, episode, what);
  if (mode == MERGE_WHEN_NEWER && has_stamp (&difference))
    ear_podcast_event_add_state (event, episode, &difference);

  return TRUE;
}

/**
 * ear_catalogue_tables_put_state:
 * @self: the tables with an open transaction
 * @episode: row id of an episode
 * @state: what the listener did; members with a stamp count
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_put_state (EarCatalogueTables *self, gint64 episode, const EarEpisodeState *state, GError **error)
{
  g_array_append_val (self->event->acknowledged, episode);

  return put (self, episode, state, MERGE_ALWAYS, error);
}

static gboolean
find_episode (EarCatalogueTables *self, gint64 podcast, const char *guid, gint64 *episode, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_prepare (self->database, EAR_FIND_EPISODE_SQL, error);
  gboolean row = FALSE;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, podcast);
  ear_statement_bind_text (statement, 2, guid);
  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  *episode = row ? sqlite3_column_int64 (statement, 0) : 0;

  return TRUE;
}

static gboolean
find_waiting (EarCatalogueTables *self,
              gint64 podcast,
              const char *guid,
              EarEpisodeState *state,
              gboolean *found,
              GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "SELECT position, listened, liked, position_updated, listened_updated, liked_updated FROM waiting_state"
      " WHERE podcast = ?1 AND guid = ?2",
      error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, podcast);
  ear_statement_bind_text (statement, 2, guid);
  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  if (*found)
    read_state (statement, 0, state);

  return TRUE;
}

static gboolean
put_waiting (EarCatalogueTables *self, gint64 podcast, const char *guid, const EarEpisodeState *state, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database, "INSERT OR REPLACE INTO waiting_state VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", error);
  EarEpisodeState stored = { 0 };
  EarEpisodeState before;
  gboolean found = FALSE;

  if (statement == NULL || !find_waiting (self, podcast, guid, &stored, &found, error))
    return FALSE;
  before = stored;
  merge (&stored, state, MERGE_WHEN_NEWER);
  if (memcmp (&before, &stored, sizeof stored) == 0)
    return TRUE;
  sqlite3_bind_int64 (statement, 1, podcast);
  ear_statement_bind_text (statement, 2, guid);
  bind_state (statement, 3, &stored);
  if (!ear_database_run (self->database, statement, error))
    return FALSE;
  g_hash_table_add (self->waiting, g_memdup2 (&podcast, sizeof podcast));

  return TRUE;
}

/**
 * ear_catalogue_tables_take_waiting:
 * @self: the tables with an open transaction
 * @podcast: row id of a podcast
 * @episode: row id of an episode that was just inserted
 * @guid: its identity
 * @error: return location for an `EAR_ERROR`
 *
 * Gives a new episode the state that has waited for it.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_take_waiting (EarCatalogueTables *self,
                                  gint64 podcast,
                                  gint64 episode,
                                  const char *guid,
                                  GError **error)
{
  g_autoptr (EarStatement) statement = NULL;
  EarEpisodeState state = { 0 };
  gboolean found = FALSE;

  if (!g_hash_table_contains (self->waiting, &podcast))
    return TRUE;
  if (!find_waiting (self, podcast, guid, &state, &found, error))
    return FALSE;
  if (!found)
    return TRUE;

  statement = ear_database_prepare (self->database, "DELETE FROM waiting_state WHERE podcast = ?1 AND guid = ?2", error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, podcast);
  ear_statement_bind_text (statement, 2, guid);

  return ear_database_run (self->database, statement, error) && put (self, episode, &state, MERGE_WHEN_NEWER, error);
}

/**
 * ear_catalogue_tables_put_states:
 * @self: the tables with an open transaction
 * @podcast: row id of a podcast
 * @states: (element-type utf8 EarEpisodeState): states from the files, by guid
 * @error: return location for an `EAR_ERROR`
 *
 * Takes over what is newer than what is stored. States of episodes that are not there
 * wait until they are.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_put_states (EarCatalogueTables *self, gint64 podcast, GHashTable *states, GError **error)
{
  GHashTableIter iter;
  gpointer guid, state;

  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    {
      gint64 episode = 0;

      if (!has_stamp (state))
        continue;
      if (!find_episode (self, podcast, guid, &episode, error))
        return FALSE;
      if (episode != 0 && !put (self, episode, state, MERGE_WHEN_NEWER, error))
        return FALSE;
      if (episode == 0 && !put_waiting (self, podcast, guid, state, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * ear_catalogue_tables_put_duration:
 * @self: the tables with an open transaction
 * @episode: row id of an episode
 * @duration: its length as the player found it, in microseconds
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_put_duration (EarCatalogueTables *self, gint64 episode, gint64 duration, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database, "UPDATE episode SET measured = ?2 WHERE id = ?1 AND measured <> ?2 RETURNING podcast", error);
  gboolean row = FALSE;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, episode);
  sqlite3_bind_int64 (statement, 2, duration);
  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  if (row)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, sqlite3_column_int64 (statement, 0)), episode,
                              EAR_CHANGE_LENGTH);

  return TRUE;
}
