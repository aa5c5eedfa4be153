/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-settings.h"

#include "ear-property.h"

#include <math.h>

/* Playback settings of the player, and of podcasts */
static const struct
{
  const char *name; /* property of the player and of EarSettings */
  EarPodcastSetting setting;
} parts[] = {
  { "rate", EAR_PODCAST_SETTING_SPEED },
  { "trim-silence", EAR_PODCAST_SETTING_TRIM_SILENCE },
  { "level-volume", EAR_PODCAST_SETTING_LEVEL_VOLUME },
};

/* Applies playback settings to the player: those of the current podcast, or else the
 * defaults. The listener changes the player's properties, and this object stores the
 * changes. */
struct _EarPlaybackSettings
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarPodcast *podcast; /* (nullable): current podcast, if followed */
  GSignalGroup *watch; /* watches the current podcast, followed or not */

  gboolean own;
  int before[G_N_ELEMENTS (parts)];  /* defaults when the popover was opened */
  gboolean changing;                  /* the popover is open */
  gboolean applying; /* changes are made by this object, not the listener */
};

G_DEFINE_FINAL_TYPE (EarPlaybackSettings, ear_playback_settings, EAR_TYPE_PART)

/* Returns a value of the player or the settings, as podcast settings have it: speed in percent. */
static int
get_present (gpointer object, gsize part)
{
  double rate;
  gboolean flag;

  if (parts[part].setting == EAR_PODCAST_SETTING_SPEED)
    {
      g_object_get (object, parts[part].name, &rate, NULL);
      return (int) round (rate * 100);
    }
  g_object_get (object, parts[part].name, &flag, NULL);

  return flag;
}

static void
set_present (gpointer object, gsize part, int value)
{
  if (get_present (object, part) == value)
    return;

  if (parts[part].setting == EAR_PODCAST_SETTING_SPEED)
    g_object_set (object, parts[part].name, value / 100.0, NULL);
  else
    g_object_set (object, parts[part].name, value, NULL);
}

static void
apply (EarPlaybackSettings *self)
{
  gboolean own = FALSE;

  self->applying = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const int value = self->podcast != NULL
                            ? ear_podcast_get_setting (self->podcast, parts[i].setting)
                            : EAR_SETTING_INHERIT;

      own = own || value != EAR_SETTING_INHERIT;
      set_present (self->player, i,
                   value != EAR_SETTING_INHERIT ? value : get_present (self->settings, i));
    }
  ear_property_set_boolean (self, "own", own);
  self->applying = FALSE;
}

/* The settings were changed elsewhere. */
static void
changed_cb (EarPlaybackSettings *self)
{
  if (!self->applying)
    apply (self);
}

static void
set_own (EarPlaybackSettings *self, gboolean own)
{
  self->applying = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const int value = CLAMP (get_present (self->player, i), 0, EAR_PLAYBACK_FASTEST);

      ear_subscriptions_set_setting (self->subscriptions, self->podcast, parts[i].setting,
                                     own ? value : EAR_SETTING_INHERIT);
    }
  self->applying = FALSE;
}

/* The listener has changed a property of the player. */
static void
player_changed_cb (EarPlaybackSettings *self)
{
  if (self->applying)
    return;

  if (self->own)
    {
      set_own (self, TRUE);
      return;
    }
  self->applying = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    set_present (self->settings, i, get_present (self->player, i));
  self->applying = FALSE;
}

/* The listener has switched between settings of this podcast and the defaults. */
static void
own_changed (EarPlaybackSettings *self)
{
  if (self->applying || self->podcast == NULL)
    return;

  set_own (self, self->own);
  /* Restore the defaults, as the changes were meant for this podcast only. */
  self->applying = TRUE;
  for (gsize i = 0; self->own && self->changing && i < G_N_ELEMENTS (parts); i++)
    set_present (self->settings, i, self->before[i]);
  apply (self);
}

/* Only followed podcasts can store settings. */
static void
update_podcast (EarPlaybackSettings *self)
{
  g_autoptr (EarPodcast) podcast = g_signal_group_dup_target (self->watch);
  EarPodcast *kept = podcast != NULL && ear_podcast_get_followed (podcast) ? podcast : NULL;

  if (g_set_object (&self->podcast, kept))
    ear_notify (self, "podcast");
  apply (self);
}

static void
episode_changed_cb (EarPlaybackSettings *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  g_signal_group_set_target (self->watch,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  update_podcast (self);
}

static void
ear_playback_settings_release (EarPlaybackSettings *self)
{
  g_clear_object (&self->watch);
}

static void
ear_playback_settings_class_init (EarPlaybackSettingsClass *klass)
{
  const EarProperty properties[] = {
    { "own", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlaybackSettings, own),
      .changed = G_CALLBACK (own_changed) },
    EAR_READABLE (EarPlaybackSettings, podcast, EAR_TYPE_PODCAST),
  };

  ear_class_set_release (klass, ear_playback_settings_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_playback_settings_init (EarPlaybackSettings *self)
{
  self->watch = g_signal_group_new (EAR_TYPE_PODCAST);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *signal =
          g_strconcat ("notify::", ear_podcast_setting_types[parts[i].setting].name, NULL);

      g_signal_group_connect_swapped (self->watch, signal, G_CALLBACK (changed_cb), self);
    }
  g_signal_group_connect_swapped (self->watch, "notify::followed", G_CALLBACK (update_podcast),
                                  self);
}

EarPlaybackSettings *
ear_playback_settings_new (const EarServices *services)
{
  EarPlaybackSettings *self = ear_part_new (EAR_TYPE_PLAYBACK_SETTINGS, services);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *signal = g_strconcat ("notify::", parts[i].name, NULL);

      ear_connect (services->player, signal, player_changed_cb, self);
      ear_connect (services->settings, signal, changed_cb, self);
    }
  ear_connect (services->player, "notify::episode", episode_changed_cb, self);
  episode_changed_cb (self);

  return self;
}

/* The listener has opened the playback popover. If they then choose settings for this
 * podcast only, all changes since now apply to it alone. */
void
ear_playback_settings_begin_change (EarPlaybackSettings *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    self->before[i] = get_present (self->settings, i);
  self->changing = TRUE;
}

/* The listener has closed the popover. */
void
ear_playback_settings_end_change (EarPlaybackSettings *self)
{
  self->changing = FALSE;
}
