/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarPodcastSetting:
 * @EAR_PODCAST_SETTING_NOTIFICATIONS: whether new episodes are announced
 * @EAR_PODCAST_SETTING_REFRESH_INTERVAL: minutes between two checks; -1: as everywhere, 0: only
 *   when asked to
 * @EAR_PODCAST_SETTING_FILTER: which of the episodes are listed, a word
 * @EAR_PODCAST_SETTING_SORT: in which order, a word
 * @EAR_PODCAST_SETTING_SPEED: how fast it is played, in hundredths; -1: as everywhere
 * @EAR_PODCAST_SETTING_TRIM_SILENCE: whether its pauses are shortened; -1: as everywhere
 * @EAR_PODCAST_SETTING_LEVEL_VOLUME: whether its voices are brought to one loudness; -1: as everywhere
 * @EAR_PODCAST_SETTING_SKIP_START: so many seconds at the beginning are not played
 * @EAR_PODCAST_SETTING_SKIP_END: and at the end
 * @EAR_PODCAST_SETTING_SERIES: whether it is heard from its first episode on; -1: if its feed says that it is serial
 * @EAR_PODCAST_SETTING_QUEUE_NEW: whether new episodes are put into Up Next
 * @EAR_PODCAST_SETTING_DOWNLOAD_NEWEST: so many of the newest unplayed episodes are downloaded by themselves; of a
 *   series so many of those that come next
 * @EAR_PODCAST_SETTING_PLACE: where it stands among all podcasts when these are in the listener's own order: those with lower
 *   numbers come before it; 0: behind them
 * @EAR_PODCAST_SETTING_REMOVE_PLAYED: whether the download of an episode goes once it was played to its end; -1: as everywhere
 * @EAR_PODCAST_SETTING_NOTES_PICTURES: whether the pictures in its notes are loaded without a click
 * @EAR_PODCAST_SETTING_SEPARATE: whether it is never merged with another one whose feed is the same
 *
 * What the listener may want otherwise for one podcast.
 */
typedef enum
{
  EAR_PODCAST_SETTING_NOTIFICATIONS,
  EAR_PODCAST_SETTING_REFRESH_INTERVAL,
  EAR_PODCAST_SETTING_FILTER,
  EAR_PODCAST_SETTING_SORT,
  EAR_PODCAST_SETTING_SPEED,
  EAR_PODCAST_SETTING_TRIM_SILENCE,
  EAR_PODCAST_SETTING_LEVEL_VOLUME,
  EAR_PODCAST_SETTING_SKIP_START,
  EAR_PODCAST_SETTING_SKIP_END,
  EAR_PODCAST_SETTING_SERIES,
  EAR_PODCAST_SETTING_QUEUE_NEW,
  EAR_PODCAST_SETTING_DOWNLOAD_NEWEST,
  EAR_PODCAST_SETTING_PLACE,
  EAR_PODCAST_SETTING_REMOVE_PLAYED,
  EAR_PODCAST_SETTING_NOTES_PICTURES,
  EAR_PODCAST_SETTING_SEPARATE,
} EarPodcastSetting;

#define EAR_N_PODCAST_SETTINGS (EAR_PODCAST_SETTING_SEPARATE + 1)

/* What an #EarPodcastSetting is in the files. */
typedef enum
{
  EAR_SETTING_FLAG,
  EAR_SETTING_OWN_FLAG, /* a flag, or -1 for as the settings of all say */
  EAR_SETTING_NUMBER,
  EAR_SETTING_WORD,
} EarSettingKind;

/* How often a podcast is checked: as the settings of all say, or never without being asked. */
#define EAR_REFRESH_INTERVAL_AS_EVERYWHERE (-1)
#define EAR_REFRESH_INTERVAL_NEVER 0
#define EAR_REFRESH_INTERVAL_LIMIT (7 * 24 * 60)

/* How it is played: as the settings of all say. */
#define EAR_PLAYBACK_AS_EVERYWHERE (-1)
#define EAR_PLAYBACK_SLOWEST 50
#define EAR_PLAYBACK_FASTEST 400
#define EAR_SKIP_LIMIT (60 * 60)

#define EAR_SERIES_AS_FEED_SAYS (-1)

/* Which word an order is */
#define EAR_PODCAST_SORT_NEWEST 0
#define EAR_PODCAST_SORT_OLDEST 1

/* How many are downloaded automatically: as the settings of all say, or up to a limit. */
#define EAR_DOWNLOAD_NEWEST_AS_EVERYWHERE (-1)
#define EAR_DOWNLOAD_NEWEST_LIMIT 50

#define EAR_QUEUE_NEW_AS_EVERYWHERE (-1)

#define EAR_REMOVE_PLAYED_AS_EVERYWHERE (-1)

/* What the listener wants for a podcast, each with when that was said. */
typedef struct
{
  int values[EAR_N_PODCAST_SETTINGS];     /* of a word, which one */
  gint64 updated[EAR_N_PODCAST_SETTINGS]; /* Unix microseconds; 0: never, the value is the usual one */
} EarPodcastSettings;

const char    *ear_podcast_setting_get_name  (EarPodcastSetting setting);
EarSettingKind ear_podcast_setting_get_kind  (EarPodcastSetting setting);
int            ear_podcast_setting_get_usual (EarPodcastSetting setting);
gboolean       ear_podcast_setting_accepts   (EarPodcastSetting setting,
                                              int               value);
const char    *ear_podcast_setting_get_word  (EarPodcastSetting setting,
                                              int               value);
gboolean       ear_podcast_setting_find_word (EarPodcastSetting setting,
                                              const char       *word,
                                              int              *value);
gboolean       ear_podcast_setting_find      (const char        *name,
                                              EarPodcastSetting *setting);

void           ear_podcast_settings_init       (EarPodcastSettings *self);
gboolean       ear_podcast_settings_is_empty   (const EarPodcastSettings *self);
gboolean       ear_podcast_settings_take_newer (EarPodcastSettings       *into,
                                                const EarPodcastSettings *from,
                                                EarPodcastSettings       *news);

G_END_DECLS
