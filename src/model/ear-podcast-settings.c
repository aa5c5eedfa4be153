/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-settings.h"

/* The catalogue stores the index of a word: add new words at the end only. */
static const char *const filters[] = { "all", "unplayed", "in-progress", "liked", "downloaded", NULL };
static const char *const sorts[] = { "newest", "oldest", "title", "longest", NULL };

static const struct
{
  const char *name;
  EarSettingKind kind;
  int lowest;
  int highest;
  int usual;
  const char *const *words; /* values of an EAR_SETTING_WORD */
} settings[EAR_N_PODCAST_SETTINGS] = {
  [EAR_PODCAST_SETTING_NOTIFICATIONS] = { "notifications", EAR_SETTING_FLAG, FALSE, TRUE, TRUE, NULL },
  [EAR_PODCAST_SETTING_REFRESH_INTERVAL] = { "refresh-interval", EAR_SETTING_NUMBER, EAR_REFRESH_INTERVAL_INHERIT,
                                             EAR_REFRESH_INTERVAL_LIMIT, EAR_REFRESH_INTERVAL_INHERIT, NULL },
  [EAR_PODCAST_SETTING_FILTER] = { "filter", EAR_SETTING_WORD, 0, G_N_ELEMENTS (filters) - 2, 0, filters },
  [EAR_PODCAST_SETTING_SORT] = { "sort", EAR_SETTING_WORD, 0, G_N_ELEMENTS (sorts) - 2, 0, sorts },
  [EAR_PODCAST_SETTING_SPEED] = { "speed", EAR_SETTING_NUMBER, EAR_PLAYBACK_INHERIT, EAR_PLAYBACK_FASTEST,
                                  EAR_PLAYBACK_INHERIT, NULL },
  [EAR_PODCAST_SETTING_TRIM_SILENCE] = { "trim-silence", EAR_SETTING_NUMBER, EAR_PLAYBACK_INHERIT, TRUE,
                                         EAR_PLAYBACK_INHERIT, NULL },
  [EAR_PODCAST_SETTING_LEVEL_VOLUME] = { "level-volume", EAR_SETTING_NUMBER, EAR_PLAYBACK_INHERIT, TRUE,
                                         EAR_PLAYBACK_INHERIT, NULL },
  [EAR_PODCAST_SETTING_SKIP_START] = { "skip-start", EAR_SETTING_NUMBER, 0, EAR_SKIP_LIMIT, 0, NULL },
  [EAR_PODCAST_SETTING_SKIP_END] = { "skip-end", EAR_SETTING_NUMBER, 0, EAR_SKIP_LIMIT, 0, NULL },
  [EAR_PODCAST_SETTING_SERIES] = { "series", EAR_SETTING_NUMBER, EAR_SERIES_AS_FEED_SAYS, TRUE, EAR_SERIES_AS_FEED_SAYS, NULL },
  [EAR_PODCAST_SETTING_QUEUE_NEW] = { "queue-new", EAR_SETTING_OWN_FLAG,
                                      EAR_QUEUE_NEW_INHERIT, TRUE,
                                      EAR_QUEUE_NEW_INHERIT, NULL },
  [EAR_PODCAST_SETTING_DOWNLOAD_NEWEST] = { "download-newest", EAR_SETTING_NUMBER,
                                            EAR_DOWNLOAD_NEWEST_INHERIT,
                                            EAR_DOWNLOAD_NEWEST_LIMIT,
                                            EAR_DOWNLOAD_NEWEST_INHERIT, NULL },
  [EAR_PODCAST_SETTING_PLACE] = { "place", EAR_SETTING_NUMBER, 0, G_MAXINT, 0, NULL },
  [EAR_PODCAST_SETTING_REMOVE_PLAYED] = { "remove-played", EAR_SETTING_NUMBER, EAR_REMOVE_PLAYED_INHERIT, TRUE,
                                          EAR_REMOVE_PLAYED_INHERIT, NULL },
  [EAR_PODCAST_SETTING_NOTES_PICTURES] = { "notes-pictures", EAR_SETTING_FLAG, FALSE, TRUE, FALSE, NULL },
  [EAR_PODCAST_SETTING_SEPARATE] = { "separate", EAR_SETTING_FLAG, FALSE, TRUE, FALSE, NULL },
};

const char *
ear_podcast_setting_get_name (EarPodcastSetting setting)
{
  return settings[setting].name;
}

EarSettingKind
ear_podcast_setting_get_kind (EarPodcastSetting setting)
{
  return settings[setting].kind;
}

int
ear_podcast_setting_get_usual (EarPodcastSetting setting)
{
  return settings[setting].usual;
}

gboolean
ear_podcast_setting_accepts (EarPodcastSetting setting, int value)
{
  return value >= settings[setting].lowest && value <= settings[setting].highest;
}

const char *
ear_podcast_setting_get_word (EarPodcastSetting setting, int value)
{
  g_return_val_if_fail (settings[setting].words != NULL, NULL);
  g_return_val_if_fail (ear_podcast_setting_accepts (setting, value), NULL);

  return settings[setting].words[value];
}

/**
 * ear_podcast_setting_find_word:
 * @setting: a setting that is a word
 * @word: (nullable): an untrusted word
 * @value: (out): its index
 *
 * Returns: whether the word is valid
 */
gboolean
ear_podcast_setting_find_word (EarPodcastSetting setting, const char *word, int *value)
{
  g_return_val_if_fail (settings[setting].words != NULL, FALSE);

  for (int i = 0; settings[setting].words[i] != NULL; i++)
    if (g_strcmp0 (settings[setting].words[i], word) == 0)
      {
        *value = i;
        return TRUE;
      }

  return FALSE;
}

/**
 * ear_podcast_setting_find:
 * @name: (nullable): name of a setting in files
 * @setting: (out): the setting
 *
 * Returns: whether there is a setting of that name
 */
gboolean
ear_podcast_setting_find (const char *name, EarPodcastSetting *setting)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (g_strcmp0 (settings[i].name, name) == 0)
      {
        *setting = (EarPodcastSetting) i;
        return TRUE;
      }

  return FALSE;
}

/**
 * ear_podcast_settings_init:
 * @self: (out caller-allocates): gets the default values
 */
void
ear_podcast_settings_init (EarPodcastSettings *self)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    {
      self->values[i] = settings[i].usual;
      self->updated[i] = 0;
    }
}

gboolean
ear_podcast_settings_is_empty (const EarPodcastSettings *self)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (self->updated[i] != 0)
      return FALSE;

  return TRUE;
}

/**
 * ear_podcast_settings_take_newer:
 * @into: the known settings of a podcast
 * @from: other settings of it
 * @news: (out caller-allocates): the applied settings, all others with the stamp 0
 *
 * Merges settings one by one: the newest stamp wins.
 *
 * Returns: whether something was applied
 */
gboolean
ear_podcast_settings_take_newer (EarPodcastSettings *into, const EarPodcastSettings *from, EarPodcastSettings *news)
{
  ear_podcast_settings_init (news);
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (from->updated[i] > into->updated[i])
      {
        into->values[i] = news->values[i] = from->values[i];
        into->updated[i] = news->updated[i] = from->updated[i];
      }

  return !ear_podcast_settings_is_empty (news);
}
