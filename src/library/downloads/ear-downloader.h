/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-download-store.h"
#include "ear-http.h"
#include "ear-notices.h"
#include "ear-refresher.h"
#include "ear-services.h"
#include "ear-settings.h"

G_BEGIN_DECLS

/* Returns: whether a download stays */
typedef gboolean (*EarDownloadKeepFunc) (EarEpisode *episode, gpointer user_data);

#define EAR_TYPE_DOWNLOADER (ear_downloader_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloader, ear_downloader, EAR, DOWNLOADER, GObject)

/* Properties:
 *   n-active    guint     read-only: number of running and waiting downloads
 *   n-paused    guint     read-only: number of paused downloads
 *   left        int64     read-only: bytes left of the active downloads, where known
 *   n-done      guint     read-only: number of finished downloads
 *   n-items     guint     read-only: number of all downloads
 *   size        int64     read-only: size of the finished downloads in bytes
 *   running     gboolean  read-only: whether a download runs
 *   available   gboolean  read-only: whether the folder exists; nothing runs without it
 *   chosen      gboolean  read-only: whether the listener has chosen the folder
 *   moving      gboolean  read-only: whether downloads are being moved to another one
 * Signals, on the main thread:
 *   loaded ()             the records are loaded
 *   moved (char *key)     the file of this episode was added or removed */
EarDownloader *ear_downloader_new (const EarServices *services, const char *default_path);
const char *ear_downloader_get_path (EarDownloader *self);
void ear_downloader_start (EarDownloader *self);
void ear_downloader_stop_async (EarDownloader *self, GAsyncReadyCallback callback,
                                gpointer user_data);
void ear_downloader_choose_folder (EarDownloader *self, const char *path);
gboolean ear_downloader_get_moving (EarDownloader *self);
void ear_downloader_download (EarDownloader *self, EarEpisode *episode);
void ear_downloader_set_wanted (EarDownloader *self, EarPodcast *podcast, GPtrArray *wanted,
                                EarDownloadKeepFunc keep, gpointer keep_data);
void ear_downloader_download_many (EarDownloader *self, GArray *ids);
void ear_downloader_pause (EarDownloader *self, EarEpisode *episode);
void ear_downloader_pause_all (EarDownloader *self);
void ear_downloader_resume_all (EarDownloader *self);
void ear_downloader_move (EarDownloader *self, GPtrArray *episodes, EarEpisode *before);
void ear_downloader_remove (EarDownloader *self, EarEpisode *episode);
void ear_downloader_remove_many (EarDownloader *self, GArray *ids);
void ear_downloader_remove_old (EarDownloader *self, guint days, EarDownloadKeepFunc keep,
                                gpointer keep_data);
guint ear_downloader_remove_all (EarDownloader *self);
guint64 ear_downloader_get_room (EarDownloader *self, EarPodcast *podcast, guint *n_episodes);
char *ear_downloader_dup_file (EarDownloader *self, EarEpisode *episode);
GHashTable *ear_downloader_dup_keys (EarDownloader *self);
EarEpisode *ear_downloader_dup_refused (EarDownloader *self, EarPodcast *podcast);
void ear_downloader_apply (EarDownloader *self, EarPodcast *podcast);
void ear_downloader_move_podcast (EarDownloader *self, EarPodcast *from, EarPodcast *to);
void ear_downloader_forget (EarDownloader *self, const char *podcast);
guint ear_downloader_get_n_active (EarDownloader *self);
gboolean ear_downloader_get_running (EarDownloader *self);
gboolean ear_downloader_get_loaded (EarDownloader *self);

G_END_DECLS
