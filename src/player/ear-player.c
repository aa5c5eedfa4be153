/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

#include "ear-playbin.h"
#include "ear-player-enums.h"
#include "ear-teardown.h"
#include "ear-thread.h"
#include "ear-time.h"

#include <math.h>

#define RATE_MIN 0.5
#define RATE_MAX 4.0

/* Seconds that a server may be silent. */
#define TIMEOUT 20

/**
 * EarPlayer:
 *
 * Plays one episode at a time. Its properties belong to the main thread. Nothing is
 * fetched before the listener plays.
 *
 * The player separates the wanted state (playing, position) from that of the pipeline,
 * and moves the latter toward the former in steps: opened, at the position, sounding.
 * Until a wanted position is reached, it is the one reported.
 */
G_DEFINE_FINAL_TYPE (EarPlayer, ear_player, G_TYPE_OBJECT)

static void
send_volume (EarPlayer *self)
{
  if (self->pipeline != NULL)
    ear_pipeline_set_volume (self->pipeline, self->volume, self->muted);
}

static void
send_rate (EarPlayer *self)
{
  if (self->pipeline != NULL)
    ear_pipeline_set_rate (self->pipeline, self->rate);
}

static void
send_speech (EarPlayer *self)
{
  if (self->pipeline != NULL)
    ear_pipeline_set_speech (self->pipeline, self->trim_silence, self->level_volume);
}

static void
set_muted (EarPlayer *self, gboolean muted)
{
  self->volume_set = TRUE;
  if (ear_property_set_boolean (self, "muted", muted))
    send_volume (self);
}

static void
ear_player_dispose (GObject *object)
{
  EarPlayer *self = EAR_PLAYER (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_handle_id (&self->watch, g_source_remove);
  ear_player_close_media (self);
  ear_teardown_finish ();
  g_clear_pointer (&self->preparing, g_thread_join);
  g_clear_object (&self->episode);
  g_clear_object (&self->sink_owner);
  ear_player_set_video_output (self, NULL);
  g_clear_object (&self->network);

  G_OBJECT_CLASS (ear_player_parent_class)->dispose (object);
}

static void
ear_player_finalize (GObject *object)
{
  EarPlayer *self = EAR_PLAYER (object);

  g_clear_pointer (&self->user_agent, g_free);
  g_clear_pointer (&self->uri, g_free);
  g_clear_pointer (&self->redirect, g_free);
  g_clear_pointer (&self->user, g_free);
  g_clear_pointer (&self->password, g_free);
  g_clear_pointer (&self->tags, g_ptr_array_unref);
  g_clear_error (&self->error);
  g_clear_error (&self->refusal);

  G_OBJECT_CLASS (ear_player_parent_class)->finalize (object);
}

static void
ear_player_class_init (EarPlayerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, episode) },
    { "state", EAR_TYPE_PLAYER_STATE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, state),
      .changed = G_CALLBACK (ear_player_update_tick) },
    { "position", G_TYPE_INT64, G_PARAM_READABLE, .get = G_CALLBACK (ear_player_get_position) },
    { "duration", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, duration) },
    { "seekable", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, seekable) },
    { .spec = g_param_spec_int ("buffering", NULL, NULL, 0, 100, 100, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPlayer, buffering) },
    { .spec = g_param_spec_double ("rate", NULL, NULL, RATE_MIN, RATE_MAX, 1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarPlayer, rate),
      .changed = G_CALLBACK (send_rate),
      .set = G_CALLBACK (ear_player_set_rate) },
    { "trim-silence", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayer, trim_silence),
      .changed = G_CALLBACK (send_speech) },
    { "level-volume", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayer, level_volume),
      .changed = G_CALLBACK (send_speech) },
    { "time-saved", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, time_saved) },
    { .spec = g_param_spec_double ("volume", NULL, NULL, 0, 1, 1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarPlayer, volume),
      .set = G_CALLBACK (ear_player_set_volume) },
    { "muted", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayer, muted), .set = G_CALLBACK (set_muted) },
    { "waiting", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, waiting) },
    { "error", G_TYPE_ERROR, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, error) },
    { "video", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPlayer, video) },
  };

  object_class->dispose = ear_player_dispose;
  object_class->finalize = ear_player_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /**
   * EarPlayer::seeked:
   * @self: a player
   * @position: the new position, microseconds
   *
   * The position has changed other than by playing, and the change is in effect.
   */
  g_signal_new ("seeked", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);

  /**
   * EarPlayer::ended:
   * @self: a player
   *
   * Playback has reached the real end.
   */
  g_signal_new ("ended", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * EarPlayer::refused:
   * @self: a player
   * @error: the reason
   * @address: the address of the media
   *
   * The server does not send the media. A handler that returns %TRUE looks for
   * another address and calls [method@EarPlayer.set_place],
   * [method@EarPlayer.set_redirect] or [method@EarPlayer.give_up_address].
   */
  g_signal_new ("refused", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                NULL, NULL, G_TYPE_BOOLEAN, 2, G_TYPE_ERROR, G_TYPE_STRING);

  /* More tags of the media are known. */
  g_signal_new ("tags-changed", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ear_player_init (EarPlayer *self)
{
  self->rate = 1;
  self->volume = 1;
  self->fade = 1;
  self->timeout = TIMEOUT;
  self->buffering = 100;
  self->size = -1;
  self->target = self->under_way = self->hoped = self->broken = -1;
  self->restored = TRUE;
  self->suspended = ear_clock_get_boot_time () - g_get_monotonic_time ();
  ear_player_set_network (self, g_network_monitor_get_default ());
}

void
ear_player_emit_seeked (EarPlayer *self)
{
  g_signal_emit_by_name (self, "seeked", ear_player_get_position (self));
}

/**
 * ear_player_new:
 * @user_agent: (nullable): the user agent for servers
 *
 * GStreamer is loaded when something is first played, or by [method@EarPlayer.prepare].
 *
 * Returns: (transfer full): an empty player
 */
EarPlayer *
ear_player_new (const char *user_agent)
{
  EarPlayer *self = g_object_new (EAR_TYPE_PLAYER, NULL);

  self->user_agent = g_strdup (user_agent);

  return self;
}

static gpointer
prepare_thread (gpointer user_data)
{
  ear_worker_lower_priority (EAR_WORKER_PREPARES);
  ear_playbin_prepare ();

  return NULL;
}

/**
 * ear_player_prepare:
 * @self: a player
 *
 * Loads GStreamer in a thread. Only dispose waits for it.
 */
void
ear_player_prepare (EarPlayer *self)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->preparing == NULL)
    self->preparing = g_thread_new ("preparing", prepare_thread, NULL);
}

/* Returns: (transfer none) (nullable) (element-type EarMediaTag): the tags of the current
 * episode's media known so far */
EAR_DEFINE_GET (EarPlayer, ear_player, GPtrArray *, tags)

/* Sets another sound output than the listener's.
 * @self: a player that has not played yet
 * @make_sink: (nullable) (scope forever): creates the sound output of each pipeline
 * @owner: (nullable): argument of @make_sink */
void
ear_player_set_sink (EarPlayer *self, EarPlayerSinkFunc make_sink, GObject *owner)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  self->make_sink = make_sink;
  g_set_object (&self->sink_owner, owner);
}

/* @self: a player
 * @seconds: how long a server may be silent; applies to media opened from now on */
void
ear_player_set_timeout (EarPlayer *self, guint seconds)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  self->timeout = seconds;
}

EAR_DEFINE_GET (EarPlayer, ear_player, EarEpisode *, episode)

EAR_DEFINE_GET (EarPlayer, ear_player, EarPlayerState, state)

/**
 * ear_player_get_position:
 * @self: a player
 *
 * Returns: the position heard right now, or the target of a seek in
 *   progress, in microseconds
 */
gint64
ear_player_get_position (EarPlayer *self)
{
  gint64 position;

  g_return_val_if_fail (EAR_IS_PLAYER (self), 0);

  if (self->target >= 0)
    return self->target;
  if (self->pipeline != NULL && ear_pipeline_get_position (self->pipeline, &position))
    return position;

  return self->position;
}

/**
 * ear_player_get_duration:
 * @self: a player
 *
 * Returns: microseconds: the media's, or the feed's until the media is opened;
 *   0 if unknown
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gint64, duration)

/* Returns: the size of the media in bytes, from its server or its file; -1 if unknown */
EAR_DEFINE_GET (EarPlayer, ear_player, gint64, size)

/**
 * ear_player_get_seekable:
 * @self: a player
 *
 * Returns: whether seeking is possible, as far as known
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gboolean, seekable)

/**
 * ear_player_get_jumps_fast:
 * @self: a player
 *
 * If the server sends no ranges, each seek fetches everything before the position again.
 * A listener may accept that, but an automatic seek is not worth it.
 *
 * Returns: whether a seek takes only a moment; %FALSE if seeking is impossible
 */
gboolean
ear_player_get_jumps_fast (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), FALSE);

  if (!self->seekable || self->whole)
    return FALSE;

  return self->pipeline == NULL || !ear_pipeline_get_opened (self->pipeline) ||
         ear_pipeline_get_seekable (self->pipeline);
}

/**
 * ear_player_get_restored:
 * @self: a player
 *
 * Whether the position may be stored: not before the position that the episode was opened
 * with is reached.
 *
 * Returns: %FALSE if the previously stored position must be kept
 */
gboolean
ear_player_get_restored (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), FALSE);

  return self->restored || (self->hoped >= 0 && ear_player_get_position (self) >= self->hoped);
}

/**
 * ear_player_get_jumping:
 * @self: a player
 *
 * Returns: whether the reported position is the target of a seek in progress
 */
gboolean
ear_player_get_jumping (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), FALSE);

  return self->target >= 0;
}

EAR_DEFINE_GET (EarPlayer, ear_player, double, rate)

/**
 * ear_player_set_rate:
 * @self: a player
 * @rate: the speed, 0.5 to 4
 *
 * Changes the speed at once and for later episodes; the pitch is kept.
 */
void
ear_player_set_rate (EarPlayer *self, double rate)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (!isnan (rate))
    ear_property_set_double (self, "rate", CLAMP (rate, RATE_MIN, RATE_MAX));
}

/**
 * ear_player_get_volume:
 * @self: a player
 *
 * Returns: 0 to 1, cubic
 */
EAR_DEFINE_GET (EarPlayer, ear_player, double, volume)

/**
 * ear_player_set_volume:
 * @self: a player
 * @volume: 0 to 1, cubic
 *
 * Sets the volume of the player, not of the whole desktop. Raising it also unmutes.
 */
void
ear_player_set_volume (EarPlayer *self, double volume)
{
  gboolean louder;

  g_return_if_fail (EAR_IS_PLAYER (self));

  if (isnan (volume))
    return;
  self->volume_set = TRUE;
  louder = volume > self->volume;
  if (!ear_property_set_double (self, "volume", CLAMP (volume, 0, 1)))
    return;

  send_volume (self);
  if (louder)
    set_muted (self, FALSE);
}

/**
 * ear_player_step_volume:
 * @self: a player
 * @step: the change of the volume; negative for quieter
 *
 * Changes the volume as the desktop's volume keys do. A step up from mute restores the
 * earlier volume if that was above 0. A step down does not unmute.
 */
void
ear_player_step_volume (EarPlayer *self, double step)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (step > 0 && self->muted && self->volume > 0)
    set_muted (self, FALSE);
  else
    ear_player_set_volume (self, self->volume + step);
}

/**
 * ear_player_set_fade:
 * @self: a player
 * @level: 0 to 1, cubic; 1: no fade
 *
 * Makes the sound quieter for a while, independently of the listener's volume.
 */
void
ear_player_set_fade (EarPlayer *self, double level)
{
  g_return_if_fail (EAR_IS_PLAYER (self));
  g_return_if_fail (level >= 0 && level <= 1);

  self->fade = level;
  if (self->pipeline != NULL)
    ear_pipeline_set_fade (self->pipeline, level);
}

/**
 * ear_player_get_fade:
 * @self: a player
 *
 * Returns: 0 to 1, cubic
 */
EAR_DEFINE_GET (EarPlayer, ear_player, double, fade)

/**
 * ear_player_get_error:
 * @self: a player
 *
 * Returns: (transfer none) (nullable): why the player failed, an #EarError
 */
EAR_DEFINE_GET (EarPlayer, ear_player, const GError *, error)

/**
 * ear_player_dup_version:
 *
 * Returns: (transfer full): the version of GStreamer, for reports of faults
 */
char *
ear_player_dup_version (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);

  return g_strdup_printf ("%u.%u.%u", major, minor, micro);
}
