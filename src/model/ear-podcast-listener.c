/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-private.h"

/*
 * What the listener has of a podcast, and wants of it: how many episodes there are, and are not
 * listened yet, whether it is followed, and what is to be otherwise for it than for all others.
 */

guint
ear_podcast_get_n_episodes (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->n_episodes;
}

/**
 * ear_podcast_set_n_episodes:
 * @self: the podcast
 * @n_episodes: the new value
 *
 * Sets [property@EarPodcast:n-episodes].
 */
void
ear_podcast_set_n_episodes (EarPodcast *self, guint n_episodes)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->n_episodes == n_episodes)
    return;

  self->n_episodes = n_episodes;
  g_object_notify (G_OBJECT (self), "n-episodes");
}

guint
ear_podcast_get_n_unplayed (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->n_unplayed;
}

/**
 * ear_podcast_set_n_unplayed:
 * @self: the podcast
 * @n_unplayed: the new value
 *
 * Sets [property@EarPodcast:n-unplayed].
 */
void
ear_podcast_set_n_unplayed (EarPodcast *self, guint n_unplayed)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->n_unplayed == n_unplayed)
    return;

  self->n_unplayed = n_unplayed;
  g_object_notify (G_OBJECT (self), "n-unplayed");
}

guint
ear_podcast_get_n_new (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->n_new;
}

/**
 * ear_podcast_set_n_new:
 * @self: the podcast
 * @n_new: the new value
 *
 * Sets [property@EarPodcast:n-new].
 */
void
ear_podcast_set_n_new (EarPodcast *self, guint n_new)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->n_new == n_new)
    return;

  self->n_new = n_new;
  g_object_notify (G_OBJECT (self), "n-new");
}

gboolean
ear_podcast_get_followed (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->followed;
}

/**
 * ear_podcast_set_followed:
 * @self: the podcast
 * @followed: the new value
 *
 * Sets [property@EarPodcast:followed].
 */
void
ear_podcast_set_followed (EarPodcast *self, gboolean followed)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  followed = !!followed;
  if (self->followed == followed)
    return;

  self->followed = followed;
  g_object_notify (G_OBJECT (self), "followed");
}

/**
 * ear_podcast_get_settings:
 * @self: the podcast
 *
 * Returns: (transfer none): what the listener wants for it, with when that was said
 */
const EarPodcastSettings *
ear_podcast_get_settings (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return &self->settings;
}

/**
 * ear_podcast_take_settings:
 * @self: the podcast
 * @settings: what was said of it, here or elsewhere
 *
 * Takes over what is newer than what is known. Only properties whose value is another one notify.
 *
 * Returns: whether something was newer
 */
gboolean
ear_podcast_take_settings (EarPodcast *self, const EarPodcastSettings *settings)
{
  EarPodcastSettings before, news;

  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);
  g_return_val_if_fail (settings != NULL, FALSE);

  before = self->settings;
  if (!ear_podcast_settings_take_newer (&self->settings, settings, &news))
    return FALSE;

  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (self->settings.values[i] != before.values[i])
      /* The property is called as the setting is in files. */
      g_object_notify (G_OBJECT (self), ear_podcast_setting_get_name ((EarPodcastSetting) i));
  g_object_thaw_notify (G_OBJECT (self));

  return TRUE;
}

gboolean
ear_podcast_get_notifications (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->settings.values[EAR_PODCAST_SETTING_NOTIFICATIONS];
}

int
ear_podcast_get_refresh_interval (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), EAR_REFRESH_INTERVAL_AS_EVERYWHERE);

  return self->settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL];
}

const char *
ear_podcast_get_filter (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_FILTER, self->settings.values[EAR_PODCAST_SETTING_FILTER]);
}

const char *
ear_podcast_get_sort (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT, self->settings.values[EAR_PODCAST_SETTING_SORT]);
}
