/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

/* A paused pipeline decodes no new frame for a listener who opens the picture now. */
static void
watched_cb (EarPlayer *self)
{
  if (ear_video_output_get_watched (self->video_output) && !self->playing && self->target < 0 &&
      self->pipeline != NULL && ear_pipeline_get_stale (self->pipeline))
    ear_player_show_place (self);
}

/* Shows the picture of a new pipeline if its episode is a video. */
void
ear_player_add_picture (EarPlayer *self)
{
  if (self->video_output != NULL && ear_episode_is_video (self->episode))
    ear_pipeline_set_video (self->pipeline, self->video_output);
}

/**
 * ear_player_set_video_output:
 * @self: a player
 * @output: (nullable): the output for pictures; %NULL to decode only sound
 *
 * Applies to media opened from now on.
 */
void
ear_player_set_video_output (EarPlayer *self, EarVideoOutput *output)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->video_output == output)
    return;

  if (self->video_output != NULL)
    g_signal_handlers_disconnect_by_data (self->video_output, self);
  g_set_object (&self->video_output, output);
  if (output != NULL)
    g_signal_connect_swapped (output, "notify::watched", G_CALLBACK (watched_cb), self);
}

EAR_DEFINE_GET (EarPlayer, ear_player, EarVideoOutput *, video_output)

/**
 * ear_player_get_video:
 * @self: a player
 *
 * Returns: whether a picture can be shown now
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gboolean, video)
