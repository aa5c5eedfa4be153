/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-settings.h"

/* The catalogue stores the index of a word: add new words at the end only. */
static const char *const filters[] = {
  "all", "unplayed", "in-progress", "liked", "downloaded", NULL
};
static const char *const sorts[] = { "newest", "oldest", "title", "longest", NULL };

const EarValueType ear_podcast_setting_types[EAR_N_PODCAST_SETTINGS] = {
#define FLAG(name, usual) { name, EAR_VALUE_FLAG, FALSE, TRUE, usual, NULL }
#define NUMBER(name, usual, highest) { name, EAR_VALUE_NUMBER, usual, highest, usual, NULL }
#define WORD(name, words) { name, EAR_VALUE_WORD, 0, G_N_ELEMENTS (words) - 2, 0, words }
  [EAR_PODCAST_SETTING_NOTIFICATIONS] = FLAG ("notifications", TRUE),
  [EAR_PODCAST_SETTING_REFRESH_INTERVAL] =
      NUMBER ("refresh-interval", EAR_SETTING_INHERIT, EAR_REFRESH_INTERVAL_LIMIT),
  [EAR_PODCAST_SETTING_FILTER] = WORD ("filter", filters),
  [EAR_PODCAST_SETTING_SORT] = WORD ("sort", sorts),
  [EAR_PODCAST_SETTING_SPEED] = NUMBER ("speed", EAR_SETTING_INHERIT, EAR_PLAYBACK_FASTEST),
  [EAR_PODCAST_SETTING_TRIM_SILENCE] = NUMBER ("trim-silence", EAR_SETTING_INHERIT, TRUE),
  [EAR_PODCAST_SETTING_LEVEL_VOLUME] = NUMBER ("level-volume", EAR_SETTING_INHERIT, TRUE),
  [EAR_PODCAST_SETTING_SKIP_START] = NUMBER ("skip-start", 0, EAR_SKIP_LIMIT),
  [EAR_PODCAST_SETTING_SKIP_END] = NUMBER ("skip-end", 0, EAR_SKIP_LIMIT),
  [EAR_PODCAST_SETTING_SERIES] = NUMBER ("series", EAR_SERIES_AS_FEED_SAYS, TRUE),
  [EAR_PODCAST_SETTING_QUEUE_NEW] = { "queue-new", EAR_VALUE_OWN_FLAG, EAR_SETTING_INHERIT,
                                      TRUE, EAR_SETTING_INHERIT, NULL },
  [EAR_PODCAST_SETTING_DOWNLOAD_NEWEST] =
      NUMBER ("download-newest", EAR_SETTING_INHERIT, EAR_DOWNLOAD_NEWEST_LIMIT),
  [EAR_PODCAST_SETTING_PLACE] = NUMBER ("place", 0, G_MAXINT),
  [EAR_PODCAST_SETTING_REMOVE_PLAYED] = NUMBER ("remove-played", EAR_SETTING_INHERIT, TRUE),
  [EAR_PODCAST_SETTING_NOTES_PICTURES] = FLAG ("notes-pictures", FALSE),
  [EAR_PODCAST_SETTING_SEPARATE] = FLAG ("separate", FALSE),
  [EAR_PODCAST_SETTING_SYNC] = FLAG ("sync", FALSE),
};

gboolean
ear_podcast_setting_accepts (EarPodcastSetting setting, int value)
{
  const EarValueType *type = &ear_podcast_setting_types[setting];

  return value >= type->lowest && value <= type->highest;
}

const char *
ear_podcast_setting_get_word (EarPodcastSetting setting, int value)
{
  g_return_val_if_fail (ear_podcast_setting_accepts (setting, value), NULL);

  return ear_podcast_setting_types[setting].words[value];
}

/* @word: (nullable): an untrusted word
 * Returns: whether the word is valid */
gboolean
ear_podcast_setting_find_word (EarPodcastSetting setting, const char *word, int *value)
{
  const char *const *words = ear_podcast_setting_types[setting].words;

  for (int i = 0; words[i] != NULL; i++)
    if (g_strcmp0 (words[i], word) == 0)
      {
        *value = i;
        return TRUE;
      }

  return FALSE;
}

/* @name: (nullable): name of a setting in files
 * Returns: whether there is a setting of that name */
gboolean
ear_podcast_setting_find (const char *name, EarPodcastSetting *setting)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (g_strcmp0 (ear_podcast_setting_types[i].name, name) == 0)
      {
        *setting = (EarPodcastSetting) i;
        return TRUE;
      }

  return FALSE;
}

/* Sets all values to their defaults. */
void
ear_podcast_settings_init (EarPodcastSettings *self)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    {
      self->values[i] = (int) ear_podcast_setting_types[i].usual;
      self->updated[i] = 0;
    }
}

/* Merges settings one by one: the newest stamp wins.
 * @into: the known settings of a podcast
 * Returns: whether something was newer */
gboolean
ear_podcast_settings_take_newer (EarPodcastSettings *into, const EarPodcastSettings *from)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (from->updated[i] > into->updated[i])
      {
        into->values[i] = from->values[i];
        into->updated[i] = from->updated[i];
        changed = TRUE;
      }

  return changed;
}
