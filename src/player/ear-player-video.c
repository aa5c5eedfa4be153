/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

/* The picture of a video episode. */

/* While it is silent, nothing comes that could be shown to who looks now. */
static void
watched_cb (EarPlayer *self)
{
  if (ear_video_output_get_watched (self->video_output) && !self->playing && self->target < 0 &&
      self->pipeline != NULL && ear_pipeline_get_stale (self->pipeline))
    ear_player_show_place (self);
}

/* Lets a new pipeline show its picture, if its episode has one. */
void
ear_player_add_picture (EarPlayer *self)
{
  if (self->video_output != NULL && ear_episode_is_video (self->episode))
    ear_pipeline_set_video (self->pipeline, self->video_output);
}

/**
 * ear_player_set_video_output:
 * @self: a player
 * @output: (nullable): where pictures can be seen; %NULL: only sound is ever decoded
 *
 * Shows the picture of what is opened from now on.
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

/**
 * ear_player_get_video_output:
 * @self: a player
 *
 * Returns: (transfer none) (nullable): where pictures can be seen
 */
EAR_DEFINE_GET (EarPlayer, ear_player, EarVideoOutput *, video_output)

/**
 * ear_player_get_video:
 * @self: a player
 *
 * Returns: whether what is in it has a picture that can be seen now
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gboolean, video)
