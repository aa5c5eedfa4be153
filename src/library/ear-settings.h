/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

#define EAR_TYPE_SETTINGS (ear_settings_get_type ())
G_DECLARE_FINAL_TYPE (EarSettings, ear_settings, EAR, SETTINGS, GObject)

/* The settings; no other object knows the keys. Properties, all writable and stored:
 *   volume           double 0..1
 *   rate             double 0.5..4
 *   trim-silence     gboolean  shorten pauses in speech
 *   level-volume     gboolean  level the loudness of voices
 *   skip-back        guint  seconds, 1..600
 *   skip-forward     guint  seconds, 1..600
 *   refresh-interval guint  minutes between two checks of a podcast, 0: only on request
 *   refresh-on-metered gboolean  check podcasts on a metered network, too
 *   notifications    gboolean  show notifications of new episodes
 *   background-refresh gboolean  check podcasts without a window, too
 *   keep-playing     gboolean  continue playback when the window is closed
 *   media-keys-chapters gboolean  media keys go from chapter to chapter, if there are any
 *   remove-played    gboolean  remove downloads that were played to their end
 *   remove-after     guint  days after which downloads are removed, 0: never
 *   keep-free        guint  megabytes that downloads leave free on the disk
 *   downloads-folder string  URI of the chosen downloads folder, "" for the default
 *   downloads-folder-left string  URI of the former one, until its files are removed
 *   continuous       gboolean  play the next episode when one has ended
 *   rewind-after-pause gboolean  resume a little before the position of the pause
 *   country          string    country of the charts and of searches, two letters;
 *                              "" for that of the locale
 *   window-width     int    application pixels
 *   window-height    int
 *   window-maximized gboolean
 *   folded-folders   strv   names of the folders whose podcasts are hidden
 *   arranged-folders strv   name, filter and order of folders with their own
 *   selected-collection string  last view, or hash of the podcast's first address, or ""
 *   download-newest  uint   number of new episodes downloaded automatically per podcast
 *   queue-new        bool   add new episodes to Up Next
 *   playing-from     string the episodes that follow, by ear_episode_query_to_text()
 *   shown-pane       string last pane if there is room for one only: `podcasts`,
 *                           `episodes`, or the key of an episode
 *   machine          string name of this machine in statistics, "" until it has one */
EarSettings *ear_settings_new (void);
void ear_settings_apply (EarSettings *self);
void ear_settings_flush_async (EarSettings *self, GAsyncReadyCallback callback, gpointer user_data);

G_END_DECLS
