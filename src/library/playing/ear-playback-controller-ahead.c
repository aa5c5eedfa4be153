/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

/* Opens the next episode during the last seconds of the current one: media URLs redirect
 * from server to server for a second or two, which would be silence. */

/* Time before the end, as the listener hears it */
#define AHEAD (10 * G_TIME_SPAN_SECOND)

/* Interval of checks, as the next episode may change */
#define LOOK_MS 2000

static void wait_for_end (EarPlaybackController *self);

static void
open_next (EarPlaybackController *self)
{
  g_autoptr (EarEpisode) next =
      ear_playback_controller_goes_on (self) ? ear_play_order_dup_next (self->order) : NULL;
  g_autofree char *file = NULL;

  /* A video is not opened ahead: there is only one video output, which the current
   * episode may still use. */
  if (next == NULL || ear_episode_is_video (next))
    {
      ear_player_set_next (self->player, NULL, NULL);
      return;
    }
  file = ear_downloader_dup_file (self->downloader, next);
  ear_player_set_next (self->player, file, ear_playback_controller_get_address (next));
}

static gboolean
look_cb (gpointer user_data)
{
  EarPlaybackController *self = user_data;

  self->ahead = 0;
  wait_for_end (self);

  return G_SOURCE_REMOVE;
}

static gint64
find_left (EarPlaybackController *self)
{
  const gint64 last = ear_skip_ends_find_last (self->skip_ends);

  return last > 0 ? (gint64) ((double) (last - ear_player_get_position (self->player)) /
                              ear_player_get_rate (self->player))
                  : G_MAXINT64;
}

/* Sets a timeout for the time that is left, rather than polling. */
static void
wait_for_end (EarPlaybackController *self)
{
  gint64 left;

  g_clear_handle_id (&self->ahead, g_source_remove);
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING || self->stopped)
    return;
  left = find_left (self);
  if (left <= AHEAD)
    {
      open_next (self);
      self->ahead = g_timeout_add (LOOK_MS, look_cb, self);
      return;
    }
  ear_player_set_next (self->player, NULL, NULL);
  if (left < G_MAXINT64)
    self->ahead =
        g_timeout_add ((guint) CLAMP ((left - AHEAD) / 1000, 1, G_MAXINT / 2), look_cb, self);
}

/* Starts to watch for the end of the current episode. */
void
ear_playback_controller_watch_end (EarPlaybackController *self)
{
  static const char *const changes[] = { "notify::state", "notify::rate", "notify::duration",
                                         "seeked" };

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_object (self->player, changes[i], G_CALLBACK (wait_for_end), self,
                             G_CONNECT_SWAPPED);
}
