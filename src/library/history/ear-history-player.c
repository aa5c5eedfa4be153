/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history-private.h"

#include "ear-listened-rule.h"

/* Follows the player: stores the position and marks episodes as started and as played. */

/* Milliseconds of playback between writes of the position to its own file, which is all
 * that a power cut can lose */
#define SAVE_INTERVAL 5000

/* Milliseconds between writes that do not wait for the disk, which is all that a crash
 * can lose */
#define PLACE_INTERVAL 1000

static const EarPlayback playbacks[] = {
  [EAR_PLAYER_EMPTY] = EAR_PLAYBACK_NONE,
  [EAR_PLAYER_PAUSED] = EAR_PLAYBACK_PAUSED,
  [EAR_PLAYER_LOADING] = EAR_PLAYBACK_LOADING,
  [EAR_PLAYER_PLAYING] = EAR_PLAYBACK_PLAYING,
  [EAR_PLAYER_ENDED] = EAR_PLAYBACK_PAUSED,
  [EAR_PLAYER_FAILED] = EAR_PLAYBACK_PAUSED,
};

/* An episode counts as started once this much of it was played; before that it stays new
 * and has no position. */
#define STARTED_AFTER (30 * G_TIME_SPAN_SECOND)

/* Returns: whether playback has reached a position worth storing; until the restoring
 * seek is done, the stored position is the better one */
static gboolean
has_position (EarHistory *self)
{
  return self->episode != NULL && ear_player_get_restored (self->player) &&
         ear_player_get_state (self->player) != EAR_PLAYER_ENDED;
}

/* Stores the episode as the one to resume at the next start and, once it counts as
 * started, its position. */
static void
save_now (EarHistory *self)
{
  const gint64 position = ear_player_get_position (self->player);

  if (!self->started)
    {
      ear_userdata_store_set_current (self->state, self->episode, position);
      return;
    }
  ear_episode_set_position (self->episode, position);
  ear_userdata_store_set_now (self->state, self->episode, position);
}

static void
begin_counting (EarHistory *self)
{
  const gboolean plays =
      self->episode != NULL && ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;

  self->counted_at = plays ? g_get_monotonic_time () : 0;
  self->counted_position = ear_player_get_position (self->player);
}

/* Counts the seconds played since the last call. A position further away than playback
 * can lead is the target of a seek that is still in progress. */
static void
count_heard (EarHistory *self)
{
  const gint64 passed = self->counted_at > 0 ? g_get_monotonic_time () - self->counted_at : 0;
  const gint64 heard = ear_player_get_position (self->player) - self->counted_position;
  const double possible =
      2 * MAX (1, ear_player_get_rate (self->player)) * (double) passed + G_TIME_SPAN_SECOND;

  if (self->started || self->episode == NULL)
    return;
  begin_counting (self);
  if (passed == 0 || heard <= 0 || (double) heard > possible)
    return;
  self->heard += heard;
  if (self->heard < STARTED_AFTER && !ear_player_get_moved (self->player))
    return;
  self->started = TRUE;
  ear_history_save_position (self);
}

static gboolean
save_now_cb (gpointer user_data)
{
  EarHistory *self = user_data;

  if (has_position (self))
    save_now (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
save_place_cb (gpointer user_data)
{
  EarHistory *self = user_data;

  count_heard (self);
  if (has_position (self))
    {
      const gint64 position = ear_player_get_position (self->player);

      self->near_end =
          ear_listened_rule_is_near_end (position, ear_player_get_duration (self->player));
      if (self->started)
        ear_userdata_store_set_place (self->state, self->episode, position);
    }

  return G_SOURCE_CONTINUE;
}

static void
stop_timers (EarHistory *self)
{
  g_clear_handle_id (&self->save_id, g_source_remove);
  g_clear_handle_id (&self->place_id, g_source_remove);
}

static void
update_timers (EarHistory *self)
{
  const double speed = MAX (1, ear_player_get_rate (self->player));

  stop_timers (self);
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  self->save_id = g_timeout_add ((guint) (SAVE_INTERVAL / speed), save_now_cb, self);
  self->place_id = g_timeout_add ((guint) (PLACE_INTERVAL / speed), save_place_cb, self);
}

/* The player notifies simultaneous changes in no fixed order: each handler first checks
 * which episode the state, position and length belong to. */
static void
take_episode (EarHistory *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (self->episode == episode)
    return;
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, EAR_PLAYBACK_NONE);
  g_set_object (&self->episode, episode);
  self->near_end = FALSE;
  self->started = episode != NULL && ear_episode_get_position (episode) > 0;
  self->heard = self->counted_at = 0;
}

/* Playing a removed episode puts it back into In Progress. */
static void
clear_removed (EarHistory *self)
{
  if (self->episode != NULL && ear_episode_get_removed (self->episode))
    ear_history_keep (self, self->episode, EAR_MARK_REMOVED, FALSE);
}

static void
state_changed_cb (EarHistory *self)
{
  EarPlayerState state = ear_player_get_state (self->player);

  take_episode (self);
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, playbacks[state]);
  update_timers (self);
  count_heard (self);
  if (state == EAR_PLAYER_PLAYING)
    {
      begin_counting (self);
      if (has_position (self))
        save_now (self);
      clear_removed (self);
    }
  else if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED)
    ear_history_save_position (self);
}

static void
seeked_cb (EarHistory *self)
{
  self->near_end = FALSE;
  begin_counting (self);
  ear_history_save_position (self);
}

static void
duration_changed_cb (EarHistory *self)
{
  gint64 duration = ear_player_get_duration (self->player);

  take_episode (self);
  /* The length of the media is more accurate than that in the feed. */
  if (self->episode != NULL && duration > 0 && duration != ear_episode_get_duration (self->episode))
    {
      ear_episode_set_duration (self->episode, duration);
      ear_catalogue_set_duration (self->catalogue, self->episode, duration);
    }
}

/* Marks an episode as played, resets its position and removes it from Up Next. */
static void
keep_listened (EarHistory *self)
{
  self->started = FALSE;
  self->heard = 0;
  ear_history_keep (self, self->episode, EAR_MARK_POSITION, 0);
  ear_history_keep (self, self->episode, EAR_MARK_LISTENED, TRUE);
  if (ear_episode_get_mark (self->episode, EAR_MARK_QUEUED) != 0)
    ear_history_keep (self, self->episode, EAR_MARK_QUEUED, 0);
}

/* Returns: whether the whole episode was played: some servers end a response early as if
 * it were complete */
static gboolean
is_whole (EarHistory *self, gint64 position)
{
  const EarEnclosure *enclosure = ear_episode_get_enclosure (self->episode);

  return ear_listened_rule_is_whole (position, ear_episode_get_facts (self->episode)->duration,
                                     ear_player_get_size (self->player),
                                     enclosure != NULL ? enclosure->size : 0);
}

static void
ended_cb (EarHistory *self)
{
  gint64 position;

  if (self->episode == NULL)
    return;

  position = ear_player_get_position (self->player);
  if (is_whole (self, position))
    keep_listened (self);
  else if (self->started)
    ear_history_keep (self, self->episode, EAR_MARK_POSITION, position);
}

/* Starts to store the position every few seconds during playback, and at once after seeks
 * and pauses. */
void
ear_history_follow_player (EarHistory *self)
{
  g_signal_connect_swapped (self->player, "notify::state", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (self->player, "notify::episode", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (self->player, "notify::rate", G_CALLBACK (update_timers), self);
  g_signal_connect_swapped (self->player, "notify::duration", G_CALLBACK (duration_changed_cb),
                            self);
  g_signal_connect_swapped (self->player, "seeked", G_CALLBACK (seeked_cb), self);
  g_signal_connect_swapped (self->player, "ended", G_CALLBACK (ended_cb), self);
}

void
ear_history_leave_player (EarHistory *self)
{
  stop_timers (self);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_clear_object (&self->episode);
}

/* Stores the current position if playback has reached one, and the episode as the one to
 * resume at the next start. */
void
ear_history_save_position (EarHistory *self)
{
  if (!has_position (self))
    return;

  if (self->started)
    ear_history_keep (self, self->episode, EAR_MARK_POSITION,
                      ear_player_get_position (self->player));
  save_now (self);
}

/* Stores the position, or marks the episode as played if it was left near its end. Called
 * before another episode is opened and before the program ends.
 * Returns: whether the episode was marked as played */
gboolean
ear_history_leave_episode (EarHistory *self)
{
  gboolean listened;

  count_heard (self);
  listened = self->near_end && has_position (self) &&
             ear_player_get_state (self->player) != EAR_PLAYER_FAILED &&
             is_whole (self, ear_player_get_position (self->player));

  ear_history_save_position (self);
  if (listened)
    keep_listened (self);
  self->near_end = FALSE;

  return listened;
}
