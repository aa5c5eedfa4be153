/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the files ear-downloader*.c */

#include "ear-downloader.h"

#include "ear-download-fetch.h"
#include "ear-download-item.h"

G_BEGIN_DECLS

struct _EarDownloader
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarHttp *http;
  EarKeyring *keyring;
  EarRefresher *refresher; /* (nullable) */
  EarDownloadStore *store;
  GNetworkMonitor *network;
  EarNotices *notices;
  GPtrArray *items;    /* (element-type EarDownloadItem): in the order of the queue */
  GHashTable *by_key;  /* (element-type utf8 EarDownloadItem): borrowed */
  GPtrArray *early;    /* (element-type EarEpisode): requested before loading ended */
  GTask *stopping;     /* (nullable): completes when no download is busy */
  GTask *moving;       /* (nullable): waits for busy downloads, then for the copy */
  guint wake_source;   /* until the next attempt */
  guint look_source;   /* set while the folder is missing */
  guint tick_source;   /* set while a download runs */

  double pause_scale;
  guint host_limit;
  guint reserve; /* megabytes to leave free */
  guint n_active;
  guint n_paused;
  gint64 left;
  guint n_done;
  guint n_items;
  guint64 size;
  gboolean running;
  gboolean loaded;
  gboolean stopped;
  gboolean on_metered;
  guint newest; /* default number of automatic downloads per podcast */
  gboolean available; /* the folder exists */
  gboolean told_missing; /* the notice about the missing folder was shown */
  gboolean told_no_space; /* the notice was shown since the last finished download */
};

/* ear-downloader.c and ear-downloader-folder.c */
void ear_downloader_add (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_hold_episode (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_append_mark (EarDownloader *self, EarDownloadItem *item, GPtrArray *marks);
void ear_downloader_mark (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_drop (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_notify_failure (EarDownloader *self, const GError *error);
void ear_downloader_notify_room (EarDownloader *self);
void ear_downloader_count (EarDownloader *self);
void ear_downloader_end_if_idle (EarDownloader *self);
void ear_downloader_load (EarDownloader *self);
void ear_downloader_copy_if_idle (EarDownloader *self);
gboolean ear_downloader_miss_folder (EarDownloader *self);
void ear_downloader_tell_missing (EarDownloader *self);

/* ear-downloader-verbs.c and ear-downloader-undo.c */
void ear_downloader_fetch (EarDownloader *self, EarEpisode *episode);
void ear_downloader_take_away (EarDownloader *self, EarEpisode *episode, GPtrArray *records);
GPtrArray *ear_downloader_take_all_away (EarDownloader *self);
void ear_downloader_decline (EarDownloader *self, const EarDownloadRecord *record);
void ear_downloader_restore (EarDownloader *self, GPtrArray *records);
void ear_downloader_discard (EarDownloader *self, GPtrArray *records);
EarUndo *ear_downloader_create_undo (EarDownloader *self, GPtrArray *records, const char *message);
char *ear_downloader_describe_removed (guint n);

/* ear-downloader-queue.c and ear-downloader-order.c */
void ear_downloader_keep_paused (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_pump (EarDownloader *self);
void ear_downloader_take_file (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_settle (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_let_go (EarDownloader *self, EarDownloadItem *item);

G_END_DECLS
