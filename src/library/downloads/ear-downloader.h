/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-download-store.h"
#include "ear-http.h"
#include "ear-keyring.h"
#include "ear-notices.h"

G_BEGIN_DECLS

#define EAR_TYPE_DOWNLOADER (ear_downloader_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloader, ear_downloader, EAR, DOWNLOADER, GObject)

/*
 * Properties:
 *   n-active    guint     read-only: how many downloads run, or wait to
 *   n-done      guint     read-only: how many are on this machine
 *   size        uint64    read-only: how many bytes these take
 *   running     gboolean  read-only: whether any of them runs
 *   on-metered  gboolean  whether those of an earlier session go on where the network is paid by what goes through it
 *   pause-scale double    how long the pauses between tries are: 1, and less in tests
 *
 * Signals, on the main thread:
 *   loaded ()                     it is known what there is
 *   moved (char *key)             the file of this episode has come, or was removed: it is played from elsewhere from now on
 */
EarDownloader *ear_downloader_new         (EarCatalogue    *catalogue,
                                           EarHttp         *http,
                                           EarKeyring      *keyring,
                                           GNetworkMonitor *network,
                                           EarNotices      *notices,
                                           const char      *path);
const char    *ear_downloader_get_path    (EarDownloader *self);
void           ear_downloader_start       (EarDownloader *self);
void           ear_downloader_stop_async  (EarDownloader       *self,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
void           ear_downloader_stop_finish (EarDownloader       *self,
                                           GAsyncResult        *result);
void           ear_downloader_download    (EarDownloader *self,
                                           EarEpisode    *episode);
void           ear_downloader_download_many (EarDownloader *self,
                                             GArray        *ids);
void           ear_downloader_remove      (EarDownloader *self,
                                           EarEpisode    *episode);
void           ear_downloader_remove_many (EarDownloader *self,
                                           GArray        *ids);
guint          ear_downloader_remove_all  (EarDownloader *self);
char          *ear_downloader_dup_file    (EarDownloader *self,
                                           EarEpisode    *episode);
GHashTable    *ear_downloader_dup_keys    (EarDownloader *self);
EarEpisode    *ear_downloader_dup_refused (EarDownloader *self,
                                           EarPodcast    *podcast);
void           ear_downloader_apply       (EarDownloader *self,
                                           EarPodcast    *podcast);
void           ear_downloader_forget      (EarDownloader *self,
                                           const char    *podcast);
guint          ear_downloader_get_n_active (EarDownloader *self);
gboolean       ear_downloader_get_running (EarDownloader *self);

G_END_DECLS
