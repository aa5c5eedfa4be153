/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-private.h"

#include "ear-address.h"
#include "ear-error.h"

/* Data on a podcast besides its facts: results of its refreshes, counts of its episodes,
 * and its settings */

const char *
ear_podcast_get_feed_address (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  /* Before the first refresh, only the followed address is known. */
  return self->feed_address != NULL ? self->feed_address : self->address;
}

void
ear_podcast_set_feed_address (EarPodcast *self, const char *feed_address)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_string (self, "feed-address", feed_address);
}

void
ear_podcast_set_has_namesake (EarPodcast *self, gboolean has_namesake)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_boolean (self, "has-namesake", has_namesake);
}

/**
 * ear_podcast_dup_distinction:
 * @self: the podcast
 *
 * Returns: (transfer full) (nullable): the host of its feed, if another podcast has
 *   the same name
 */
char *
ear_podcast_dup_distinction (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->has_namesake ? ear_address_dup_host (ear_podcast_get_feed_address (self)) : NULL;
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gint64, checked)

void
ear_podcast_set_checked (EarPodcast *self, gint64 checked)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_int64 (self, "checked", checked);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gint64, newest)

void
ear_podcast_set_newest (EarPodcast *self, gint64 newest)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_int64 (self, "newest", newest);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gboolean, refreshing)

void
ear_podcast_set_refreshing (EarPodcast *self, gboolean refreshing)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_boolean (self, "refreshing", refreshing);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, const GError *, error)

void
ear_podcast_set_error (EarPodcast *self, const GError *error)
{
  gboolean ended, needs_password;

  g_return_if_fail (EAR_IS_PODCAST (self));

  if (self->error == error)
    return;

  ended = ear_podcast_get_ended (self);
  needs_password = ear_podcast_get_needs_password (self);
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;

  g_object_freeze_notify (G_OBJECT (self));
  g_object_notify (G_OBJECT (self), "error");
  if (ear_podcast_get_ended (self) != ended)
    g_object_notify (G_OBJECT (self), "ended");
  if (ear_podcast_get_needs_password (self) != needs_password)
    g_object_notify (G_OBJECT (self), "needs-password");
  g_object_thaw_notify (G_OBJECT (self));
}

gboolean
ear_podcast_get_ended (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->facts->complete || g_error_matches (self->error, EAR_ERROR, EAR_ERROR_GONE);
}

/**
 * ear_podcast_is_private:
 * @self: the podcast
 *
 * Whether its addresses give access by themselves; see [func@ear_address_has_secret].
 *
 * Returns: %TRUE if sharing them needs the listener's confirmation
 */
gboolean
ear_podcast_is_private (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_address_has_secret (self->address) || ear_address_has_secret (self->feed_address);
}

gboolean
ear_podcast_get_needs_password (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_error_wants_login (self->error);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, guint, n_episodes)

void
ear_podcast_set_n_episodes (EarPodcast *self, guint n_episodes)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_number (self, "n-episodes", (int) n_episodes);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, guint, n_unplayed)

void
ear_podcast_set_n_unplayed (EarPodcast *self, guint n_unplayed)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_number (self, "n-unplayed", (int) n_unplayed);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, guint, n_new)

void
ear_podcast_set_n_new (EarPodcast *self, guint n_new)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_number (self, "n-new", (int) n_new);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gboolean, followed)

void
ear_podcast_set_followed (EarPodcast *self, gboolean followed)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_boolean (self, "followed", followed);
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, folder)

void
ear_podcast_set_folder (EarPodcast *self, const char *folder)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_string (self, "folder", folder);
}

/**
 * ear_podcast_get_settings:
 * @self: the podcast
 *
 * Returns: (transfer none): the listener's settings for it, with their stamps
 */
const EarPodcastSettings *
ear_podcast_get_settings (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return &self->settings;
}

/* Whether it is played oldest first: as the listener has set, or else the feed. A
 * completed podcast is no series for that alone: its order would change for listeners who
 * have followed it. */
gboolean
ear_podcast_get_series (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  if (self->settings.values[EAR_PODCAST_SETTING_SERIES] != EAR_SERIES_AS_FEED_SAYS)
    return self->settings.values[EAR_PODCAST_SETTING_SERIES];

  return self->facts->type != NULL && g_ascii_strcasecmp (self->facts->type, "serial") == 0;
}

/* Notifies of the properties that depend on both the feed and the settings, if
 * they have changed. */
void
ear_podcast_notify_series (EarPodcast *self, gboolean series, const char *sort)
{
  if (ear_podcast_get_series (self) != series)
    g_object_notify (G_OBJECT (self), "series");
  if (!g_str_equal (ear_podcast_get_sort (self), sort))
    g_object_notify (G_OBJECT (self), "sort");
}

/**
 * ear_podcast_take_settings:
 * @self: the podcast
 * @settings: settings from here or elsewhere
 *
 * Applies newer settings. Only properties whose value has changed notify.
 *
 * Returns: whether something was newer
 */
gboolean
ear_podcast_take_settings (EarPodcast *self, const EarPodcastSettings *settings)
{
  EarPodcastSettings before, news;
  gboolean series;
  const char *sort;

  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);
  g_return_val_if_fail (settings != NULL, FALSE);

  before = self->settings;
  series = ear_podcast_get_series (self);
  sort = ear_podcast_get_sort (self);
  if (!ear_podcast_settings_take_newer (&self->settings, settings, &news))
    return FALSE;

  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (self->settings.values[i] != before.values[i] && i != EAR_PODCAST_SETTING_SERIES && i != EAR_PODCAST_SETTING_SORT)
      /* The property has the setting's name in files. */
      g_object_notify (G_OBJECT (self), ear_podcast_setting_get_name ((EarPodcastSetting) i));
  ear_podcast_notify_series (self, series, sort);
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
  g_return_val_if_fail (EAR_IS_PODCAST (self), EAR_REFRESH_INTERVAL_INHERIT);

  return self->settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL];
}

const char *
ear_podcast_get_filter (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_FILTER, self->settings.values[EAR_PODCAST_SETTING_FILTER]);
}

/**
 * ear_podcast_get_sort:
 * @self: the podcast
 *
 * Returns: (transfer none): the order of its episodes; the default for a series
 *   is oldest first
 */
const char *
ear_podcast_get_sort (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  if (self->settings.updated[EAR_PODCAST_SETTING_SORT] == 0 && ear_podcast_get_series (self))
    return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT, EAR_PODCAST_SORT_OLDEST);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT, self->settings.values[EAR_PODCAST_SETTING_SORT]);
}
