/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-time-saved.h"

#include "ear-property.h"

/**
 * EarTimeSaved:
 *
 * How much of the listener's time the pauses took that were left out: at twice the speed, a second of the recording is half
 * a second of his.
 */
struct _EarTimeSaved
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarSettings *settings;

  gint64 last;    /* what the player has told of */
  gint64 episode;
  gint64 total;
};

G_DEFINE_FINAL_TYPE (EarTimeSaved, ear_time_saved, G_TYPE_OBJECT)

/* It begins at nothing with each episode. */
static void
saved_cb (EarTimeSaved *self)
{
  const gint64 before = self->last;
  gint64 own;

  g_object_get (self->player, "time-saved", &self->last, NULL);
  if (self->last < before)
    {
      ear_property_set_int64 (self, "episode", 0);
      return;
    }
  own = (gint64) ((double) (self->last - before) / ear_player_get_rate (self->player));
  ear_property_set_int64 (self, "episode", self->episode + own);
  g_object_set (self->settings, "time-saved", self->total + own, NULL);
}

static void
total_cb (EarTimeSaved *self)
{
  gint64 total;

  g_object_get (self->settings, "time-saved", &total, NULL);
  ear_property_set_int64 (self, "total", total);
}

static void
ear_time_saved_dispose (GObject *object)
{
  EarTimeSaved *self = EAR_TIME_SAVED (object);

  g_clear_object (&self->player);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (ear_time_saved_parent_class)->dispose (object);
}

static void
ear_time_saved_class_init (EarTimeSavedClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "episode", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTimeSaved, episode) },
    { "total", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarTimeSaved, total) },
  };

  object_class->dispose = ear_time_saved_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_time_saved_init (EarTimeSaved *self)
{
}

EarTimeSaved *
ear_time_saved_new (EarPlayer *player, EarSettings *settings)
{
  EarTimeSaved *self = g_object_new (EAR_TYPE_TIME_SAVED, NULL);

  self->player = g_object_ref (player);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (player, "notify::time-saved", G_CALLBACK (saved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::time-saved", G_CALLBACK (total_cb), self, G_CONNECT_SWAPPED);
  total_cb (self);

  return self;
}
