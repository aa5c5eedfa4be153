/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

#include "ear-address.h"
#include "ear-error.h"

#include <math.h>

/* Milliseconds between notifications of the position during playback. */
#define TICK_INTERVAL 250

/* Seconds between checks for a suspended computer and for slow reading. */
#define WATCH_INTERVAL 2

static gboolean
tick_cb (gpointer user_data)
{
  ear_player_check_length (user_data);
  g_object_notify (user_data, "position");

  return G_SOURCE_CONTINUE;
}

static gboolean
watch_cb (gpointer user_data)
{
  ear_player_look_for_suspension (user_data);
  ear_player_check_reading (user_data);

  return G_SOURCE_CONTINUE;
}

/* Starts or stops the timers of the current state. */
void
ear_player_update_tick (EarPlayer *self)
{
  const gboolean active = self->state == EAR_PLAYER_PLAYING || self->state == EAR_PLAYER_LOADING;

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->state == EAR_PLAYER_PLAYING)
    self->tick = g_timeout_add (TICK_INTERVAL, tick_cb, self);
  if (!active)
    g_clear_handle_id (&self->watch, g_source_remove);
  else if (self->watch == 0)
    self->watch = g_timeout_add_seconds (WATCH_INTERVAL, watch_cb, self);
}

static EarPlayerState
find_state (EarPlayer *self)
{
  if (self->episode == NULL)
    return EAR_PLAYER_EMPTY;
  if (self->error != NULL)
    return EAR_PLAYER_FAILED;
  if (self->ended)
    return EAR_PLAYER_ENDED;
  if (!self->playing)
    return EAR_PLAYER_PAUSED;

  return self->sounding ? EAR_PLAYER_PLAYING : EAR_PLAYER_LOADING;
}

/* Derives the state from everything that it depends on. */
void
ear_player_update_state (EarPlayer *self)
{
  if (!self->playing)
    ear_player_end_waiting (self);
  ear_property_set_number (self, "state", find_state (self));
}

void
ear_player_set_error (EarPlayer *self, GError *error)
{
  if (self->error == NULL && error == NULL)
    return;

  g_clear_error (&self->error);
  self->error = error;
  g_object_notify (G_OBJECT (self), "error");
}

/* Updates the facts that the media knows about itself. */
static void
update_media (EarPlayer *self, gboolean opening)
{
  gint64 duration = ear_pipeline_get_duration (self->pipeline);
  gboolean seekable = ear_pipeline_get_seekable (self->pipeline);

  self->size = ear_pipeline_get_size (self->pipeline);
  if (duration > 0)
    {
      /* The feed claimed a longer duration, and the listener sought past the end. */
      if (!self->resuming)
        self->target = MIN (self->target, duration);
      ear_property_set_int64 (self, "duration", duration);
    }
  seekable = seekable || ear_player_can_read_on (self);
  /* Media that could seek once can seek again, at the latest after it is opened again. */
  if (opening || seekable)
    ear_property_set_boolean (self, "seekable", seekable);
}

/* Closes the pipeline and keeps the position. */
void
ear_player_close_media (EarPlayer *self)
{
  g_clear_handle_id (&self->retry, g_source_remove);
  if (self->pipeline == NULL)
    return;

  self->position = ear_player_get_position (self);
  self->under_way = -1;
  self->refused = 0;
  self->moved = FALSE;
  self->sounding = FALSE;
  ear_pipeline_close (self->pipeline);
  g_clear_object (&self->pipeline);
  ear_property_set_number (self, "buffering", 100);
  ear_property_set_boolean (self, "video", FALSE);
}

static void
ready_cb (gpointer user_data)
{
  EarPlayer *self = user_data;
  gint64 done = self->under_way;

  g_debug ("ready for %" G_GINT64_FORMAT ", wanted is %" G_GINT64_FORMAT, done, self->target);
  self->under_way = -1;
  update_media (self, self->opening);
  ear_player_go_on (self, done);
}

static void
sounding_cb (gboolean sounding, gpointer user_data)
{
  EarPlayer *self = user_data;

  self->sounding = sounding;
  if (sounding)
    {
      self->heard = TRUE;
      ear_player_end_waiting (self);
      update_media (self, FALSE);
    }
  else if (self->playing)
    ear_player_move_over (self);
  ear_player_update_state (self);
}

static void
buffering_cb (int percent, gpointer user_data)
{
  ear_property_set_number (user_data, "buffering", percent);
}

static void
changed_cb (gpointer user_data)
{
  update_media (user_data, FALSE);
}

/* GStreamer sends tags repeatedly, with more of them each time. */
static void
tags_cb (GPtrArray *tags, gpointer user_data)
{
  EarPlayer *self = user_data;

  if (self->tags != NULL && self->tags->len >= tags->len)
    return;

  g_clear_pointer (&self->tags, g_ptr_array_unref);
  self->tags = g_ptr_array_ref (tags);
  g_signal_emit_by_name (self, "tags-changed");
}

static void
volume_cb (gpointer user_data)
{
  EarPlayer *self = user_data;
  double volume;
  gboolean muted;

  if (!ear_pipeline_get_volume (self->pipeline, &volume, &muted))
    return;

  /* The sound server rounds the volume. */
  volume = CLAMP (volume, 0, 1);
  if (fabs (volume - self->volume) > 0.001)
    ear_property_set_double (self, "volume", volume);
  ear_property_set_boolean (self, "muted", muted);
}

static void
cut_cb (gint64 length, gpointer user_data)
{
  EarPlayer *self = user_data;

  ear_property_set_int64 (self, "time-saved", self->time_saved + length);
}

static void
picture_cb (gboolean present, gpointer user_data)
{
  ear_property_set_boolean (user_data, "video", present);
}

/* Stops at the current position; playing again starts there.
 * @error: (transfer full) (nullable): the reason; %NULL for a pause */
static void
fail (EarPlayer *self, GError *error)
{
  g_object_freeze_notify (G_OBJECT (self));
  ear_player_close_media (self);
  self->playing = FALSE;
  /* The target of a redirect may expire. */
  g_clear_pointer (&self->redirect, g_free);
  if (self->target < 0 && self->position > 0)
    self->target = self->position;
  ear_player_set_error (self, error);
  ear_player_update_state (self);
  g_object_notify (G_OBJECT (self), "position");
  g_object_thaw_notify (G_OBJECT (self));
}

/* The output device is gone: pause until the listener plays on another one. */
static void
unplugged_cb (gpointer user_data)
{
  ear_player_pause (user_data);
}

static void
failed_cb (const GError *error, gpointer user_data)
{
  EarPlayer *self = user_data;

  if (error->code == EAR_ERROR_SOUND_DEVICE && self->state == EAR_PLAYER_PLAYING)
    fail (self, NULL);
  else if (!ear_player_survive (self, error) && !ear_player_await_address (self, error))
    fail (self, g_error_copy (error));
}

/**
 * ear_player_give_up_address:
 * @self: a player
 *
 * Ends the wait for another address of the media: none was found, and the player fails
 * with the reason of the refusal. Does nothing if the player does not wait.
 */
void
ear_player_give_up_address (EarPlayer *self)
{
  g_autoptr (GError) refusal = NULL;

  g_return_if_fail (EAR_IS_PLAYER (self));

  refusal = g_steal_pointer (&self->refusal);
  if (refusal != NULL && self->playing)
    fail (self, g_steal_pointer (&refusal));
}

/* The pipeline starts again, so the seek to the position starts again too. */
static void
again_cb (gpointer user_data)
{
  EarPlayer *self = user_data;
  gint64 position = ear_player_get_position (self);

  self->under_way = -1;
  self->opening = TRUE;
  if (self->target < 0 && position > 0)
    self->target = position;
  self->whole = ear_pipeline_get_whole (self->pipeline);
  ear_player_prepare_reading (self);
  ear_property_set_number (self, "buffering", 100);
}

/* A lost connection looks like the end of the stream, but must not count as one. The
 * tolerance allows for the duration of MP3, which is an estimate. */
static gboolean
is_real_end (gint64 position, gint64 duration)
{
  return duration <= 0 || duration - position <= 3 * G_USEC_PER_SEC + duration / 50;
}

static void
ended_cb (gpointer user_data)
{
  EarPlayer *self = user_data;
  gint64 duration = ear_pipeline_get_duration (self->pipeline);
  gint64 position = ear_player_get_position (self);

  if (self->whole && self->resuming)
    {
      ear_player_give_up_reading (self);
      return;
    }
  if (!is_real_end (MAX (position, ear_pipeline_get_end (self->pipeline)), duration))
    {
      fail (self, g_error_new_literal (EAR_ERROR, self->local ? EAR_ERROR_DAMAGED : EAR_ERROR_INCOMPLETE, "It ends before its time"));
      return;
    }

  g_object_ref (self);
  g_object_freeze_notify (G_OBJECT (self));
  ear_player_close_media (self);
  self->playing = FALSE;
  self->ended = TRUE;
  self->position_chosen = FALSE;
  self->restored = TRUE;
  self->position = MAX (duration, position);
  if (position > duration)
    ear_property_set_int64 (self, "duration", position);
  ear_player_update_state (self);
  g_object_notify (G_OBJECT (self), "position");
  g_object_thaw_notify (G_OBJECT (self));
  g_signal_emit_by_name (self, "ended");
  g_object_unref (self);
}

static const EarPipelineEvents events = {
  .ready = ready_cb,
  .sounding = sounding_cb,
  .buffering = buffering_cb,
  .changed = changed_cb,
  .tags = tags_cb,
  .volume = volume_cb,
  .cut = cut_cb,
  .picture = picture_cb,
  .ended = ended_cb,
  .again = again_cb,
  .unplugged = unplugged_cb,
  .failed = failed_cb,
};

static gboolean
check_uri (EarPlayer *self)
{
  if (self->uri == NULL)
    fail (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_MEDIA, "The episode has no media"));
  else if (!self->local && !ear_address_is_web (self->uri))
    fail (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "Not a web address"));

  return self->error == NULL;
}

/* Applies speed, sound settings, fade and volume to a pipeline. */
void
ear_player_arrange (EarPlayer *self, EarPipeline *pipeline)
{
  ear_pipeline_set_rate (pipeline, self->rate);
  ear_pipeline_set_speech (pipeline, self->trim_silence, self->level_volume);
  ear_pipeline_set_fade (pipeline, self->fade);
  if (self->volume_set)
    ear_pipeline_set_volume (pipeline, self->volume, self->muted);
}

static void
open_anew (EarPlayer *self)
{
  g_autoptr (EarSource) source = ear_source_new (self->uri, self->user_agent, self->timeout);

  if (self->user != NULL)
    {
      g_set_str (&source->user, self->user);
      g_set_str (&source->password, self->password);
    }
  if (self->redirect != NULL)
    ear_source_go_to (source, self->redirect);
  source->distrusts_table = self->distrusts;
  self->pipeline = ear_pipeline_new (source, &events, self);
  ear_pipeline_set_sink (self->pipeline, self->make_sink, self->sink_owner);
  ear_player_add_picture (self);
  ear_player_arrange (self, self->pipeline);
  ear_pipeline_set_playing (self->pipeline, TRUE);
  if (self->target < 0)
    ear_pipeline_set_at_once (self->pipeline, TRUE);
  ear_player_prepare_reading (self);
  ear_pipeline_open (self->pipeline);
}

/* Opens the media if it is safe to fetch and the listener wants to play; otherwise
 * sets the error. */
void
ear_player_open_media (EarPlayer *self)
{
  if (!check_uri (self) || !self->playing)
    return;

  g_clear_error (&self->refusal);
  /* Replace a pending retry of a broken connection: the listener does not wait for it. */
  g_clear_handle_id (&self->retry, g_source_remove);
  self->opening = TRUE;
  open_anew (self);
}
