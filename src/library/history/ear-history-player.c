/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history-private.h"

/* Where the listener is in what plays: kept while the player goes on. */

/* While playing, the position goes to a file of its own this often: what a power cut costs. */
#define SAVE_INTERVAL 5

static EarPlayback
get_playback (EarPlayerState state)
{
  switch (state)
    {
    case EAR_PLAYER_LOADING:
      return EAR_PLAYBACK_LOADING;
    case EAR_PLAYER_PLAYING:
      return EAR_PLAYBACK_PLAYING;
    case EAR_PLAYER_EMPTY:
      return EAR_PLAYBACK_NONE;
    case EAR_PLAYER_PAUSED:
    case EAR_PLAYER_ENDED:
    case EAR_PLAYER_FAILED:
    default:
      return EAR_PLAYBACK_PAUSED;
    }
}

/* Only a position that playback has really reached is worth keeping: before the
 * restoring seek is done, the one that is stored is the better one. */
static gboolean
has_position (EarHistory *self)
{
  return self->episode != NULL && ear_player_get_restored (self->player) &&
         ear_player_get_state (self->player) != EAR_PLAYER_ENDED;
}

static void
save_now (EarHistory *self)
{
  if (has_position (self))
    {
      gint64 position = ear_player_get_position (self->player);

      ear_episode_set_position (self->episode, position);
      ear_userdata_store_set_now (self->state, self->episode, position);
    }
}

static gboolean
save_now_cb (gpointer user_data)
{
  save_now (user_data);

  return G_SOURCE_CONTINUE;
}

static void
update_timer (EarHistory *self)
{
  gboolean playing = ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;

  if (playing && self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_INTERVAL, save_now_cb, self);
  else if (!playing)
    g_clear_handle_id (&self->save_id, g_source_remove);
}

/* What the player changes at one stroke it tells in no order: each time it has to be looked first
 * whose state, place and length these are. */
static void
take_episode (EarHistory *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (self->episode == episode)
    return;
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, EAR_PLAYBACK_NONE);
  g_set_object (&self->episode, episode);
}

static void
state_changed_cb (EarHistory *self)
{
  EarPlayerState state = ear_player_get_state (self->player);

  take_episode (self);
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, get_playback (state));
  update_timer (self);
  /* Also the first moment counts: it tells which episode is played. */
  if (state == EAR_PLAYER_PLAYING)
    save_now (self);
  else if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED)
    ear_history_save_position (self);
}

static void
seeked_cb (EarHistory *self)
{
  ear_history_save_position (self);
}

static void
duration_changed_cb (EarHistory *self)
{
  gint64 duration = ear_player_get_duration (self->player);

  take_episode (self);
  /* The media knows its length better than the feed does. */
  if (self->episode != NULL && duration > 0 && duration != ear_episode_get_duration (self->episode))
    {
      ear_episode_set_duration (self->episode, duration);
      ear_catalogue_set_duration (self->catalogue, self->episode, duration);
    }
}

static void
ended_cb (EarHistory *self)
{
  if (self->episode == NULL)
    return;

  /* The next time it starts at its beginning. */
  ear_history_keep (self, self->episode, EAR_MARK_POSITION, 0);
  ear_history_keep (self, self->episode, EAR_MARK_LISTENED, TRUE);
}

/* No place is ever lost: where the listener is, is written every few seconds while something plays, and at once when
 * that changes by hand. */
void
ear_history_follow_player (EarHistory *self)
{
  g_signal_connect_swapped (self->player, "notify::state", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (self->player, "notify::episode", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (self->player, "notify::duration", G_CALLBACK (duration_changed_cb), self);
  g_signal_connect_swapped (self->player, "seeked", G_CALLBACK (seeked_cb), self);
  g_signal_connect_swapped (self->player, "ended", G_CALLBACK (ended_cb), self);
}

void
ear_history_leave_player (EarHistory *self)
{
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_clear_object (&self->episode);
}

/* Keeps where the player is now, if it has got anywhere, and that this is the episode to begin with the next time.
 * Called before another episode takes the player and before the program ends. */
void
ear_history_save_position (EarHistory *self)
{
  gint64 position;

  g_return_if_fail (EAR_IS_HISTORY (self));

  if (!has_position (self))
    return;

  position = ear_player_get_position (self->player);
  ear_history_keep (self, self->episode, EAR_MARK_POSITION, position);
  ear_userdata_store_set_now (self->state, self->episode, position);
}
