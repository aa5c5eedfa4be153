/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"

G_BEGIN_DECLS

/* The listener's settings for one podcast. */
typedef enum
{
  EAR_PODCAST_SETTING_NOTIFICATIONS, /* whether new episodes are announced */
  EAR_PODCAST_SETTING_REFRESH_INTERVAL, /* minutes between two checks; -1: default, 0: only
                                         * on request */
  EAR_PODCAST_SETTING_FILTER, /* filter of the list of episodes, a word */
  EAR_PODCAST_SETTING_SORT, /* order of the list of episodes, a word */
  EAR_PODCAST_SETTING_SPEED, /* playback speed, in hundredths; -1: default */
  EAR_PODCAST_SETTING_TRIM_SILENCE, /* whether silence is shortened; -1: default */
  EAR_PODCAST_SETTING_LEVEL_VOLUME, /* whether voices are brought to one loudness; -1: default */
  EAR_PODCAST_SETTING_SKIP_START, /* seconds skipped at the beginning */
  EAR_PODCAST_SETTING_SKIP_END, /* seconds skipped at the end */
  EAR_PODCAST_SETTING_SERIES, /* whether it is played oldest first; -1: as the feed says */
  EAR_PODCAST_SETTING_QUEUE_NEW, /* whether new episodes are added to Up Next; -1: default */
  EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, /* number of the newest unplayed episodes to download
                                        * automatically, or of the next ones of a series; -1:
                                        * default */
  EAR_PODCAST_SETTING_PLACE, /* its index in the listener's own order of podcasts, lowest
                              * first; 0: after all others */
  EAR_PODCAST_SETTING_REMOVE_PLAYED, /* whether a finished episode's download is removed; -1:
                                      * default */
  EAR_PODCAST_SETTING_NOTES_PICTURES, /* whether images in the notes are loaded without a click */
  EAR_PODCAST_SETTING_SEPARATE, /* whether it is never merged with another podcast that has
                                 * the same feed */
  EAR_PODCAST_SETTING_SYNC, /* whether its address, which works like a password, is uploaded
                             * by a sync */
} EarPodcastSetting;

#define EAR_N_PODCAST_SETTINGS (EAR_PODCAST_SETTING_SYNC + 1)

/* The default for all podcasts */
#define EAR_SETTING_INHERIT (-1)

/* Minutes between two checks; 0 is only on request */
#define EAR_REFRESH_INTERVAL_LIMIT (7 * 24 * 60)

#define EAR_PLAYBACK_SLOWEST 50
#define EAR_PLAYBACK_FASTEST 400
#define EAR_SKIP_LIMIT (60 * 60)

#define EAR_SERIES_AS_FEED_SAYS (-1)

/* Indexes of the words of an order */
#define EAR_PODCAST_SORT_NEWEST 0
#define EAR_PODCAST_SORT_OLDEST 1

/* Limit of automatic downloads */
#define EAR_DOWNLOAD_NEWEST_LIMIT 50

/* The listener's settings for a podcast, each with the time of its change */
typedef struct
{
  int values[EAR_N_PODCAST_SETTINGS];     /* of a word, its index */
  gint64 updated[EAR_N_PODCAST_SETTINGS]; /* Unix microseconds; 0: never set, the default */
} EarPodcastSettings;

extern const EarValueType ear_podcast_setting_types[EAR_N_PODCAST_SETTINGS];

gboolean ear_podcast_setting_accepts (EarPodcastSetting setting, int value);
const char *ear_podcast_setting_get_word (EarPodcastSetting setting, int value);
gboolean ear_podcast_setting_find_word (EarPodcastSetting setting, const char *word, int *value);
gboolean ear_podcast_setting_find (const char *name, EarPodcastSetting *setting);

void ear_podcast_settings_init (EarPodcastSettings *self);
gboolean ear_podcast_settings_take_newer (EarPodcastSettings *into, const EarPodcastSettings *from);

G_END_DECLS
