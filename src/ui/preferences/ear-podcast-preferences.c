/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-preferences.h"

/**
 * EarPodcastPreferences:
 *
 * The settings of one podcast as writable properties, to which rows are bound: an `int`
 * for each EarPodcastSetting, of its name, and `settings`, those of all podcasts. A value
 * of -1 stands for the setting of all podcasts.
 */
struct _EarPodcastPreferences
{
  GObject parent_instance;

  /* Owned */
  EarSubscriptions *subscriptions;
  EarSettings *settings;
  EarPodcast *podcast;

  int values[EAR_N_PODCAST_SETTINGS];
};

G_DEFINE_FINAL_TYPE (EarPodcastPreferences, ear_podcast_preferences, G_TYPE_OBJECT)

/* The identifiers from 1 on are of the settings: EarPodcastSetting begins with 0. */
#define PROP_SETTINGS (EAR_N_PODCAST_SETTINGS + 1)

static GParamSpec *props[PROP_SETTINGS + 1];

static void
take_value (EarPodcastPreferences *self, EarPodcastSetting setting, int value)
{
  if (self->values[setting] == value)
    return;
  self->values[setting] = value;
  g_object_notify_by_pspec (G_OBJECT (self), props[setting + 1]);
}

/* Another part of Earmark, or another machine, may change them, too. */
static void
podcast_changed_cb (EarPodcastPreferences *self)
{
  const EarPodcastSettings *settings = ear_podcast_get_settings (self->podcast);

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    take_value (self, i,
                i == EAR_PODCAST_SETTING_SERIES ? ear_podcast_get_series (self->podcast)
                                                : settings->values[i]);
}

static void
ear_podcast_preferences_set_property (GObject *object, guint id, const GValue *value,
                                      GParamSpec *pspec)
{
  EarPodcastPreferences *self = EAR_PODCAST_PREFERENCES (object);
  const EarPodcastSetting setting = id - 1;
  const int number = g_value_get_int (value);

  take_value (self, setting, number);
  if (self->podcast == NULL)
    return;
  if (setting == EAR_PODCAST_SETTING_SERIES)
    ear_subscriptions_set_series (self->subscriptions, self->podcast, number);
  else
    ear_subscriptions_set_setting (self->subscriptions, self->podcast, setting, number);
}

static void
ear_podcast_preferences_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EarPodcastPreferences *self = EAR_PODCAST_PREFERENCES (object);

  if (id == PROP_SETTINGS)
    g_value_set_object (value, self->settings);
  else
    g_value_set_int (value, self->values[id - 1]);
}

static void
ear_podcast_preferences_dispose (GObject *object)
{
  EarPodcastPreferences *self = EAR_PODCAST_PREFERENCES (object);

  g_clear_object (&self->podcast);
  g_clear_object (&self->settings);
  g_clear_object (&self->subscriptions);

  G_OBJECT_CLASS (ear_podcast_preferences_parent_class)->dispose (object);
}

static void
ear_podcast_preferences_class_init (EarPodcastPreferencesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_podcast_preferences_dispose;
  object_class->get_property = ear_podcast_preferences_get_property;
  object_class->set_property = ear_podcast_preferences_set_property;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    props[i + 1] = g_param_spec_int (ear_podcast_setting_get_name (i), NULL, NULL, -1, G_MAXINT,
                                     ear_podcast_setting_get_usual (i),
                                     G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                         G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, EAR_TYPE_SETTINGS,
                                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_podcast_preferences_init (EarPodcastPreferences *self)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    self->values[i] = ear_podcast_setting_get_usual (i);
}

/* Shows and stores the settings of the podcast from now on. */
void
ear_podcast_preferences_bind (EarPodcastPreferences *self, EarLibrary *library, EarPodcast *podcast)
{
  self->subscriptions = g_object_ref (ear_library_get_subscriptions (library));
  self->settings = g_object_ref (ear_library_get_settings (library));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SETTINGS]);
  self->podcast = g_object_ref (podcast);
  g_signal_connect_object (podcast, "notify", G_CALLBACK (podcast_changed_cb), self,
                           G_CONNECT_SWAPPED);
  podcast_changed_cb (self);
}
