/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-series.h"

#include "ear-property.h"

/* Progress in a podcast that is a series. The catalogue is asked again when the podcast or
 * its episodes change. The playing episode counts up to its last pause. */
struct _EarSeries
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarPodcast *podcast; /* (nullable) */
  GSignalGroup *podcast_signals;
  EarEpisode *next; /* (nullable) */
  GSignalGroup *next_signals;
  GCancellable *cancellable; /* (nullable): of the running query */

  guint n_episodes;
  guint n_heard;
  gint64 left;
};

G_DEFINE_FINAL_TYPE (EarSeries, ear_series, EAR_TYPE_PART)

static double
get_speed (EarSeries *self)
{
  const int own = self->podcast != NULL
                      ? ear_podcast_get_setting (self->podcast, EAR_PODCAST_SETTING_SPEED)
                      : EAR_SETTING_INHERIT;
  double inherited = 1;

  if (self->settings != NULL)
    g_object_get (self->settings, "rate", &inherited, NULL);

  return own > 0 ? MAX (own, EAR_PLAYBACK_SLOWEST) / 100.0 : inherited;
}

static gboolean
get_can_continue (EarSeries *self)
{
  return self->next != NULL && ear_episode_get_playback (self->next) != EAR_PLAYBACK_PLAYING &&
         ear_episode_get_playback (self->next) != EAR_PLAYBACK_LOADING;
}

static void
notify_can_continue (EarSeries *self)
{
  ear_notify (self, "can-continue");
}

static void
speed_changed_cb (EarSeries *self)
{
  ear_notify (self, "speed");
}

static void
set_progress (EarSeries *self, const EarSeriesProgress *progress)
{
  g_autoptr (EarEpisode) next =
      progress->next != 0 ? ear_catalogue_dup_episode (self->catalogue, progress->next) : NULL;

  g_object_freeze_notify (G_OBJECT (self));
  ear_property_set_number (self, "n-episodes", (int) progress->n_episodes);
  ear_property_set_number (self, "n-heard", (int) progress->n_heard);
  ear_property_set_int64 (self, "left", progress->left);
  if (g_set_object (&self->next, next))
    {
      g_signal_group_set_target (self->next_signals, next);
      ear_notify (self, "next");
      notify_can_continue (self);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSeries) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree EarSeriesProgress *progress =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (progress != NULL)
    set_progress (self, progress);
}

static void
query (EarSeries *self)
{
  ear_cancellable_clear (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  ear_catalogue_read_async (self->catalogue, ear_read_series (self->podcast), self->cancellable,
                            queried_cb, g_object_ref (self));
}

/* The podcast has changed, or has become or ceased to be a series. */
static void
begin (EarSeries *self)
{
  ear_cancellable_clear (&self->cancellable);
  set_progress (self, &(EarSeriesProgress) { 0 });
  if (self->catalogue != NULL && self->podcast != NULL && ear_podcast_get_series (self->podcast))
    query (self);
}

static void
episodes_changed_cb (EarSeries *self, gint64 podcast)
{
  if (self->podcast != NULL && ear_podcast_get_id (self->podcast) == podcast &&
      ear_podcast_get_series (self->podcast))
    query (self);
}

static void
podcast_changed_cb (EarSeries *self)
{
  g_signal_group_set_target (self->podcast_signals, self->podcast);
  begin (self);
  speed_changed_cb (self);
}

static void
ear_series_release (EarSeries *self)
{
  ear_cancellable_clear (&self->cancellable);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->next_signals);
  g_clear_object (&self->next);
}

static void
ear_series_class_init (EarSeriesClass *klass)
{
  const EarProperty properties[] = {
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSeries, podcast),
      .changed = G_CALLBACK (podcast_changed_cb) },
    EAR_READABLE (EarSeries, n_episodes, G_TYPE_UINT),
    EAR_READABLE (EarSeries, n_heard, G_TYPE_UINT),
    EAR_READABLE (EarSeries, left, G_TYPE_INT64),
    { .spec = g_param_spec_double ("speed", NULL, NULL, 0.5, 4, 1, G_PARAM_READABLE),
      .get = G_CALLBACK (get_speed) },
    EAR_READABLE (EarSeries, next, EAR_TYPE_EPISODE),
    { "can-continue", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (get_can_continue) },
  };

  ear_class_set_release (klass, ear_series_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_series_init (EarSeries *self)
{
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::series", G_CALLBACK (begin),
                                  self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::speed",
                                  G_CALLBACK (speed_changed_cb), self);
  self->next_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->next_signals, "notify::playback",
                                  G_CALLBACK (notify_can_continue), self);
}

EarSeries *
ear_series_new (const EarServices *services)
{
  EarSeries *self = ear_part_new (EAR_TYPE_SERIES, services);

  ear_connect (self->catalogue, "episodes-changed", episodes_changed_cb, self);
  ear_connect (self->settings, "notify::rate", speed_changed_cb, self);

  return self;
}
