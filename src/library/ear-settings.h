/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

#define EAR_TYPE_SETTINGS (ear_settings_get_type ())
G_DECLARE_FINAL_TYPE (EarSettings, ear_settings, EAR, SETTINGS, GObject)

/*
 * The one object that knows the settings' keys. Properties, all writable and kept:
 *   volume           double 0..1
 *   rate             double 0.5..4
 *   trim-silence     gboolean  whether pauses in speech are shortened
 *   level-volume     gboolean  whether voices are brought to one loudness
 *   skip-back        guint  seconds, 1..600
 *   skip-forward     guint  seconds, 1..600
 *   refresh-interval guint  minutes between two checks of a podcast, 0: only when asked to
 *   refresh-on-metered gboolean  whether that is done over a network which is paid by the amount of data
 *   notifications    gboolean  whether new episodes are told of by notifications
 *   background-refresh gboolean  whether podcasts are checked without a window, too
 *   keep-playing     gboolean  whether an episode goes on when the window is closed
 *   media-keys-chapters gboolean  whether the media keys go from chapter to chapter where there are such
 *   remove-played    gboolean  whether the download of an episode goes once it was played to its end
 *   remove-after     guint  days after which a download goes, 0: never
 *   keep-free        guint  megabytes that downloads leave free on the disk
 *   downloads-folder string  file address of the folder that the listener has chosen for downloads, "" for the usual one
 *   downloads-folder-left string  of the one that they lay in before, until what is left there is removed
 *   continuous       gboolean  whether the next episode follows when one has ended
 *   rewind-after-pause gboolean  whether playing goes on a little before where it was paused
 *   country          string    country of the charts and of searches, two letters; "" for that of the locale
 *   window-width     int    application pixels
 *   window-height    int
 *   window-maximized gboolean
 *   folded-folders   strv   names of the folders whose podcasts are not listed
 *   arranged-folders strv   name, filter and order of each folder that is not listed as usual
 *   selected-collection string  view, or hash of the podcast's first address, shown last, "" for none
 *   download-newest  uint   how many new episodes of each podcast are downloaded automatically
 *   queue-new        bool   new episodes are added to Up Next
 *   playing-from     string the episodes that follow, by ear_episode_query_to_text()
 *   shown-pane       string pane shown last where there is room for one: `podcasts`, `episodes`, or the key of an episode
 *   machine          string a name for this machine among the listener's own, "" before it has one
 */
EarSettings *ear_settings_new               (void);
void         ear_settings_apply             (EarSettings         *self);
void         ear_settings_flush_async       (EarSettings         *self,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
gboolean     ear_settings_steal_arrangement (EarSettings         *self,
                                             const char          *address,
                                             char               **filter,
                                             char               **sort);
GVariant    *ear_settings_dup_former        (EarSettings         *self,
                                             const char          *key);
void         ear_settings_forget_former     (EarSettings         *self,
                                             const char          *key);

G_END_DECLS
