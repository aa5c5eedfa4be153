/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

#include "ear-clock.h"
#include "ear-playbin.h"
#include "ear-player-enums.h"
#include "ear-teardown.h"

#include <math.h>

#define RATE_MIN 0.5
#define RATE_MAX 4.0

/* Seconds that a server may say nothing. */
#define TIMEOUT 20

/**
 * EarPlayer:
 *
 * Plays one episode at a time, with everything that there is to know about it as plain
 * properties of the main thread. Nothing is fetched before the listener plays.
 *
 * It keeps what the listener wants (to play or not, the place to be at) apart from what
 * the pipeline can do at the moment, and brings the second to the first step by step:
 * opened, at its place, sounding. Until the place is reached, it is the one reported.
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
  ear_player_drop_ahead (self);
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
   * @position: the new place, microseconds
   *
   * The place has changed in another way than by playing, and that is in force.
   */
  g_signal_new ("seeked", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);

  /**
   * EarPlayer::ended:
   * @self: a player
   *
   * The real end was heard.
   */
  g_signal_new ("ended", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * EarPlayer::refused:
   * @self: a player
   * @error: why
   * @address: the address of the media
   *
   * The server does not send the media. A handler that returns %TRUE looks for another address, and
   * calls [method@EarPlayer.set_place], [method@EarPlayer.set_redirect] or
   * [method@EarPlayer.give_up_address].
   */
  g_signal_new ("refused", EAR_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                NULL, NULL, G_TYPE_BOOLEAN, 2, G_TYPE_ERROR, G_TYPE_STRING);

  /* The media says more of itself than before. */
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
 * @user_agent: (nullable): what to call ourselves to servers
 *
 * Makes an empty player. GStreamer is loaded when something is played first, or by [method@EarPlayer.prepare].
 *
 * Returns: (transfer full): a player
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
  ear_playbin_prepare ();

  return NULL;
}

/**
 * ear_player_prepare:
 * @self: a player
 *
 * Loads ahead what playing takes. Nothing waits for it, but the end of the player.
 */
void
ear_player_prepare (EarPlayer *self)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->preparing == NULL)
    self->preparing = g_thread_new ("preparing", prepare_thread, NULL);
}

/* Returns: (transfer none) (nullable) (element-type EarMediaTag): what the media of the present episode says of itself, as far
 * as it has been heard of */
EAR_DEFINE_GET (EarPlayer, ear_player, GPtrArray *, tags)

/* Plays to somewhere else than the listener's sound output.
 * @self: a player in which nothing has been played yet
 * @make_sink: (nullable) (scope forever): makes the sound output of each pipeline
 * @owner: (nullable): for @make_sink */
void
ear_player_set_sink (EarPlayer *self, EarPlayerSinkFunc make_sink, GObject *owner)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  self->make_sink = make_sink;
  g_set_object (&self->sink_owner, owner);
}

/* Sets the patience with servers, from the next opening on.
 * @self: a player
 * @seconds: how long a server may say nothing */
void
ear_player_set_timeout (EarPlayer *self, guint seconds)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  self->timeout = seconds;
}

/**
 * ear_player_get_episode:
 * @self: a player
 *
 * Returns: (transfer none) (nullable): what is in it
 */
EAR_DEFINE_GET (EarPlayer, ear_player, EarEpisode *, episode)

/**
 * ear_player_get_state:
 * @self: a player
 *
 * Returns: what it is doing
 */
EAR_DEFINE_GET (EarPlayer, ear_player, EarPlayerState, state)

/**
 * ear_player_get_position:
 * @self: a player
 *
 * Asks for the place that is heard at this moment, or the one on the way to which it is.
 *
 * Returns: microseconds
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
 * Returns: microseconds: as the media says, before it is opened as the feed says; 0 when
 *   nobody does
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gint64, duration)

/* Returns: the bytes of the media, as far as its server or its file tells; -1: unknown */
EAR_DEFINE_GET (EarPlayer, ear_player, gint64, size)

/**
 * ear_player_get_seekable:
 * @self: a player
 *
 * Returns: whether another place can be gone to, as far as is known
 */
EAR_DEFINE_GET (EarPlayer, ear_player, gboolean, seekable)

/**
 * ear_player_get_jumps_fast:
 * @self: a player
 *
 * Whether a jump takes a moment only. If the server sends only the whole, all that comes before a
 * position is fetched again for it: a listener may want that, but an automatic jump is not worth
 * it.
 *
 * Returns: %FALSE if it cannot jump either
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
 * Whether the place is worth keeping. It is not while the one that the episode was
 * opened with has not been reached.
 *
 * Returns: %FALSE if the position known before has to be kept
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
 * Returns: whether the position is one that it is still on the way to
 */
gboolean
ear_player_get_jumping (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), FALSE);

  return self->target >= 0;
}

/**
 * ear_player_get_rate:
 * @self: a player
 *
 * Returns: how fast it plays
 */
EAR_DEFINE_GET (EarPlayer, ear_player, double, rate)

/**
 * ear_player_set_rate:
 * @self: a player
 * @rate: how fast to play, 0.5 to 4
 *
 * Plays faster or slower, now and from now on; the pitch stays.
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
 * Returns: 0 to 1, as people hear it
 */
EAR_DEFINE_GET (EarPlayer, ear_player, double, volume)

/**
 * ear_player_set_volume:
 * @self: a player
 * @volume: 0 to 1, as people hear it
 *
 * Sets the volume of the player, not of the whole desktop. Whoever makes it louder wants to hear
 * something: that ends being muted.
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
 * @step: how much louder, or quieter if it is less than 0
 *
 * Makes it louder or quieter, as the keys of the whole desktop do. Louder ends being muted, at the volume
 * that there was before, if that can be heard. Quieter does not: nobody asks for less to hear something.
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
 * @level: 0 to 1, as people hear it; 1: not at all
 *
 * Makes it quieter for a while, apart from the volume that the listener has set, which stays as it is.
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
 * Returns: 0 to 1, as people hear it
 */
EAR_DEFINE_GET (EarPlayer, ear_player, double, fade)

/**
 * ear_player_get_error:
 * @self: a player
 *
 * Returns: (transfer none) (nullable): why it does not play, an #EarError
 */
EAR_DEFINE_GET (EarPlayer, ear_player, const GError *, error)

/**
 * ear_player_dup_version:
 *
 * Returns: (transfer full): which GStreamer this is, for whoever looks for a fault
 */
char *
ear_player_dup_version (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);

  return g_strdup_printf ("%u.%u.%u", major, minor, micro);
}
