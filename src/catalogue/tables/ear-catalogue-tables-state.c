/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-mark-sql.h"
#include "ear-stamp.h"

#include <string.h>

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

  return updated > stored || (updated > EAR_STAMP_OLDEST && stored > ear_stamp_latest (g_get_real_time ()));
}

/* Returns the kind of change of a mark with another value, or stamp. */
static EarEpisodeChange
get_change (EarMark mark, const EarEpisodeState *stored, const EarEpisodeState *state)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  if (mark != EAR_MARK_POSITION)
    return stored->values[mark] != ear_mark_bound (mark, state->values[mark]) ? (EarEpisodeChange) EAR_CHANGE_MARK (mark) : what;

  if ((stored->position > 0) != (state->position > 0))
    what |= EAR_CHANGE_BEGUN;
  if (state->position_updated != stored->position_updated)
    what |= EAR_CHANGE_HEARD;

  return what;
}

/* Merges states mark by mark; returns the kinds of changes. */
static EarEpisodeChange
merge (EarEpisodeState *stored, const EarEpisodeState *state, MergeMode mode)
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

/* Returns the members of @now that differ from @before, for the live object. */
static EarEpisodeState
get_difference (const EarEpisodeState *before, const EarEpisodeState *now)
{
  EarEpisodeState difference = *now;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (before->values[i] == now->values[i])
      difference.updated[i] = 0;

  return difference;
}

static gboolean
put (EarCatalogueTables *self, gint64 episode, const EarEpisodeState *state, MergeMode mode, GError **error)
{
  g_autoptr (EarStatement) select = ear_database_query (
      self->database, error, "SELECT podcast, " EAR_MARK_SQL_ALL " FROM episode WHERE id = ?1", "x", episode);
  g_autoptr (EarStatement) update = ear_database_prepare (
      self->database,
      "UPDATE episode SET (" EAR_MARK_SQL_ALL ") = (" EAR_MARK_SQL_VALUES ") WHERE id = ?",
      error);
  EarEpisodeState before = { 0 }, now, difference;
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
  what = merge (&now, state, mode);
  if (memcmp (&before, &now, sizeof now) == 0)
    return TRUE;

  ear_mark_sql_bind (&now, update, 1);
  sqlite3_bind_int64 (update, EAR_MARK_SQL_N_COLUMNS + 1, episode);
  if (!ear_database_run (self->database, update, error))
    return FALSE;
  difference = get_difference (&before, &now);
  if (ear_episode_state_is_empty (&difference) && (what & EAR_CHANGE_HEARD) == 0)
    return TRUE;
  event = ear_catalogue_event_get (self->event, podcast);
  ear_podcast_event_change (event, episode, what);
  if (mode == MERGE_WHEN_NEWER && !ear_episode_state_is_empty (&difference))
    ear_podcast_event_add_state (event, episode, &difference);

  return TRUE;
}

/* Merges the newer marks of another row of the same episode. */
gboolean
ear_catalogue_tables_merge_state (EarCatalogueTables *self, gint64 episode, const EarEpisodeState *state, GError **error)
{
  return put (self, episode, state, MERGE_WHEN_NEWER, error);
}

/* Stores the listener's marks, an EarEpisodeState whose members with a stamp count. */
gboolean
ear_catalogue_tables_put_state (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  g_array_append_val (self->event->acknowledged, op->episode);

  return put (self, op->episode, op->data, MERGE_ALWAYS, error);
}

static gboolean
find_waiting (EarCatalogueTables *self,
              gint64 podcast,
              const char *guid,
              EarEpisodeState *state,
              gboolean *found,
              GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT " EAR_MARK_SQL_ALL " FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs", podcast, guid);

  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  if (*found)
    ear_mark_sql_read (state, statement, 0);

  return TRUE;
}

static gboolean
put_waiting (EarCatalogueTables *self, gint64 podcast, const char *guid, const EarEpisodeState *state, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "INSERT OR REPLACE INTO waiting_state (" EAR_MARK_SQL_ALL ", podcast, guid) VALUES (" EAR_MARK_SQL_VALUES ", ?, ?)",
      error);
  EarEpisodeState stored = { 0 };
  EarEpisodeState before;
  gboolean found = FALSE;

  if (statement == NULL || !find_waiting (self, podcast, guid, &stored, &found, error))
    return FALSE;
  before = stored;
  merge (&stored, state, MERGE_WHEN_NEWER);
  if (memcmp (&before, &stored, sizeof stored) == 0)
    return TRUE;
  ear_mark_sql_bind (&stored, statement, 1);
  sqlite3_bind_int64 (statement, EAR_MARK_SQL_N_COLUMNS + 1, podcast);
  ear_statement_bind_text (statement, EAR_MARK_SQL_N_COLUMNS + 2, guid);
  if (!ear_database_run (self->database, statement, error))
    return FALSE;
  g_hash_table_add (self->waiting, g_memdup2 (&podcast, sizeof podcast));

  return TRUE;
}

/* Applies a waiting state to a new episode. */
gboolean
ear_catalogue_tables_take_waiting (EarCatalogueTables *self,
                                  gint64 podcast,
                                  gint64 episode,
                                  const char *guid,
                                  GError **error)
{
  EarEpisodeState state = { 0 };
  gboolean found = FALSE;

  if (!g_hash_table_contains (self->waiting, &podcast))
    return TRUE;
  if (!find_waiting (self, podcast, guid, &state, &found, error))
    return FALSE;
  if (!found)
    return TRUE;

  return ear_database_execute (self->database, error, "DELETE FROM waiting_state WHERE podcast = ?1 AND guid = ?2", "xs", podcast,
                               guid) &&
         put (self, episode, &state, MERGE_WHEN_NEWER, error);
}

/* Finds an episode by its enclosure, for states of another program that lacks its guid.
 * @known: (inout): the episodes of the podcast, loaded on demand
 * @episode: (out): its row id, or 0 */
static gboolean
find_by_enclosure (EarCatalogueTables *self,
                   gint64 podcast,
                   const char *name,
                   EarKnownEpisodes **known,
                   gint64 *episode,
                   GError **error)
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
      if (!ear_database_get_int (self->database, error, &episode, EAR_FIND_EPISODE_SQL, "xs", podcast, guid))
        return FALSE;
      if (episode == 0 && !find_by_enclosure (self, podcast, guid, &known, &episode, error))
        return FALSE;
      if (episode != 0 && !put (self, episode, state, MERGE_WHEN_NEWER, error))
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

  if (!ear_database_get_int (self->database, error, &podcast,
                             "UPDATE episode SET measured = ?2 WHERE id = ?1 AND measured <> ?2 RETURNING podcast", "xx",
                             op->episode, op->value))
    return FALSE;
  if (podcast != 0)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, podcast), op->episode, EAR_CHANGE_LENGTH);

  return TRUE;
}
