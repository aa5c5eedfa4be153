/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listening-meter.h"

#include "ear-property.h"

/* Seconds between writes; a crash loses this much. A stop writes, too. */
#define KEEP_INTERVAL 60

/* Longer gaps mean that the process was suspended, so nothing was heard. */
#define LONGEST (2 * KEEP_INTERVAL * G_TIME_SPAN_SECOND)

/* Measures listening time: the time during which sound plays, wherever seeks lead. Time
 * saved by speed is the additional time at normal speed. Time saved by trimming is the
 * length of the trimmed silence at the current speed: at twice the speed, half a second
 * per second of the recording. */
struct _EarListeningMeter
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarListening *listening;
  EarPodcast *podcast; /* (nullable): podcast being heard; %NULL during silence */
  guint timer;

  gint64 since;   /* monotonic time up to which listening was counted */
  double rate;    /* speed since then */
  gint64 left_out; /* trimmed silence reported by the player, when last read */
  gint64 episode;
};

G_DEFINE_FINAL_TYPE (EarListeningMeter, ear_listening_meter, G_TYPE_OBJECT)

static void
add (EarListeningMeter *self, const EarListened *heard)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (self->podcast != NULL)
    ear_listening_add (self->listening, self->podcast, now, heard);
}

/* Adds the time since the last call, at the speed of that time. */
static void
count (EarListeningMeter *self)
{
  const gint64 now = g_get_monotonic_time ();
  EarListened heard = { .time = MIN (now - self->since, LONGEST) };

  self->since = now;
  heard.by_speed = (gint64) ((double) heard.time * MAX (0, self->rate - 1));
  add (self, &heard);
}

static gboolean
timer_cb (gpointer user_data)
{
  EarListeningMeter *self = user_data;

  count (self);
  ear_listening_keep (self->listening);

  return G_SOURCE_CONTINUE;
}

/* The player notifies simultaneous changes in no fixed order: the time until now is
 * counted first, with the former values, then all values are read. */
static void
player_changed_cb (EarListeningMeter *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gboolean plays =
      episode != NULL && ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;
  EarPodcast *podcast = plays ? ear_episode_get_podcast (episode) : NULL;

  count (self);
  self->rate = ear_player_get_rate (self->player);
  g_set_object (&self->podcast, podcast);
  if (plays == (self->timer != 0))
    return;

  if (plays)
    self->timer = g_timeout_add_seconds (KEEP_INTERVAL, timer_cb, self);
  else
    g_clear_handle_id (&self->timer, g_source_remove);
  ear_listening_keep (self->listening);
}

/* The player's value restarts at 0 with each episode. */
static void
left_out_cb (EarListeningMeter *self)
{
  const gint64 before = self->left_out;
  EarListened heard = { 0 };

  g_object_get (self->player, "time-saved", &self->left_out, NULL);
  if (self->left_out < before)
    {
      ear_property_set_int64 (self, "episode", 0);
      return;
    }
  heard.by_trimming =
      (gint64) ((double) (self->left_out - before) / ear_player_get_rate (self->player));
  ear_property_set_int64 (self, "episode", self->episode + heard.by_trimming);
  add (self, &heard);
}

static gint64
get_total (EarListeningMeter *self)
{
  gint64 total = 0;

  if (self->listening != NULL)
    g_object_get (self->listening, "by-trimming", &total, NULL);

  return total;
}

static void
total_cb (EarListeningMeter *self)
{
  g_object_notify (G_OBJECT (self), "total");
}

static void
ear_listening_meter_dispose (GObject *object)
{
  EarListeningMeter *self = EAR_LISTENING_METER (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->podcast);
  g_clear_object (&self->player);
  g_clear_object (&self->listening);

  G_OBJECT_CLASS (ear_listening_meter_parent_class)->dispose (object);
}

static void
ear_listening_meter_class_init (EarListeningMeterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "episode", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarListeningMeter, episode) },
    { "total", G_TYPE_INT64, G_PARAM_READABLE, .get = G_CALLBACK (get_total) },
  };

  object_class->dispose = ear_listening_meter_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_listening_meter_init (EarListeningMeter *self)
{
  self->rate = 1;
  self->since = g_get_monotonic_time ();
}

EarListeningMeter *
ear_listening_meter_new (EarPlayer *player, EarListening *listening)
{
  static const char *const signals[] = { "notify::state", "notify::episode", "notify::rate" };
  EarListeningMeter *self = g_object_new (EAR_TYPE_LISTENING_METER, NULL);

  self->player = g_object_ref (player);
  self->listening = g_object_ref (listening);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (player, signals[i], G_CALLBACK (player_changed_cb), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::time-saved", G_CALLBACK (left_out_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (listening, "notify::by-trimming", G_CALLBACK (total_cb), self,
                           G_CONNECT_SWAPPED);
  player_changed_cb (self);

  return self;
}

/* Counts and stores the time until now. */
void
ear_listening_meter_keep (EarListeningMeter *self)
{
  g_return_if_fail (EAR_IS_LISTENING_METER (self));

  timer_cb (self);
}
