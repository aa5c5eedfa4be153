/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

/* Settings of podcasts */

/* Sets the settings of a podcast from another machine or a backup. */
void
ear_subscriptions_take_settings (EarSubscriptions *self, const char *address,
                                 const EarPodcastSettings *settings)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL && ear_catalogue_set_settings (self->catalogue, podcast, settings))
    g_signal_emit_by_name (self, "interval-changed");
}

/* Takes over filter and order from the settings of an earlier version. Their time is
 * unknown, so any stored value counts as newer. */
static void
adopt_arrangement (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autofree char *filter = NULL;
  g_autofree char *sort = NULL;
  EarPodcastSettings settings;

  if (!ear_settings_steal_arrangement (self->settings, ear_podcast_get_address (podcast), &filter,
                                       &sort))
    return;

  ear_podcast_settings_init (&settings);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter,
                                     &settings.values[EAR_PODCAST_SETTING_FILTER]))
    settings.updated[EAR_PODCAST_SETTING_FILTER] = 1;
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort,
                                     &settings.values[EAR_PODCAST_SETTING_SORT]))
    settings.updated[EAR_PODCAST_SETTING_SORT] = 1;
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_adopt_settings (self->state, podcast, &settings);
}

/* Loads the listener's data and settings of a podcast from its file.
 * @podcast: a podcast that is followed or has new rows */
void
ear_subscriptions_load_state (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  adopt_arrangement (self, podcast);
}

static void
keep_setting (EarSubscriptions *self, EarPodcast *podcast, EarPodcastSetting setting, int value)
{
  EarPodcastSettings settings;

  if (self->state == NULL)
    return;
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  /* The new value replaces the known one, even if that was stored by a clock ahead of
   * ours. */
  settings.updated[setting] =
      MAX (g_get_real_time (), ear_podcast_get_settings (podcast)->updated[setting] + 1);
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_set_settings (self->state, podcast, &settings);
  if (setting == EAR_PODCAST_SETTING_REFRESH_INTERVAL)
    g_signal_emit_by_name (self, "interval-changed");
}

/* Sets and stores a setting of a podcast.
 * @setting: the setting
 * @value: a value that ear_podcast_setting_accepts() */
void
ear_subscriptions_set_setting (EarSubscriptions *self, EarPodcast *podcast,
                               EarPodcastSetting setting, int value)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_podcast_setting_accepts (setting, value));

  if (ear_podcast_get_settings (podcast)->values[setting] != value)
    keep_setting (self, podcast, setting, value);
}

/* Sets whether a podcast is a series, and its order to match.
 * @series: whether it is played from its first episode */
void
ear_subscriptions_set_series (EarSubscriptions *self, EarPodcast *podcast, gboolean series)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (ear_podcast_get_series (podcast) == !!series)
    return;
  keep_setting (self, podcast, EAR_PODCAST_SETTING_SERIES, !!series);
  keep_setting (self, podcast, EAR_PODCAST_SETTING_SORT,
                series ? EAR_PODCAST_SORT_OLDEST : EAR_PODCAST_SORT_NEWEST);
}

/* Sets and stores [property@EarPodcast:filter] and [property@EarPodcast:sort]. Unknown
 * words are ignored.
 * @filter: the filter of its episodes
 * @sort: the order of its episodes */
void
ear_subscriptions_set_arrangement (EarSubscriptions *self, EarPodcast *podcast, const char *filter,
                                   const char *sort)
{
  int value;

  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &value))
    ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_FILTER, value);
  /* Compare with the effective order: that of a series may differ from the stored
   * setting. */
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &value) &&
      !g_str_equal (ear_podcast_get_sort (podcast), sort))
    keep_setting (self, podcast, EAR_PODCAST_SETTING_SORT, value);
}
