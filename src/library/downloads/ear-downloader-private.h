/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-downloader.c and ear-downloader-verbs.c, which calls the former */

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
  EarRefresher *refresher;
  EarDownloadStore *store;
  GNetworkMonitor *network;
  EarNotices *notices;
  GPtrArray *items;    /* (element-type EarDownloadItem): in the order of the queue */
  GHashTable *by_key;  /* (element-type utf8 EarDownloadItem): borrowed */
  GPtrArray *early;    /* (element-type EarEpisode): requested before loading ended */
  GTask *stopping;     /* (nullable): completes when no download is busy */
  GTask *moving;       /* (nullable): waits for busy downloads, then for the copy */
  guint wake_source;   /* until the next attempt */
  guint folder_source;   /* set while the folder is missing */
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
  gboolean missing_reported; /* the notice about the missing folder was shown */
  gboolean no_space_reported; /* the notice was shown since the last finished download */
};

void ear_downloader_add_item (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_hold_episode (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_append_mark (EarDownloader *self, EarDownloadItem *item, GPtrArray *marks);
void ear_downloader_drop_item (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_report_failure (EarDownloader *self, const GError *error);
void ear_downloader_retry_waiting (EarDownloader *self);
void ear_downloader_end_if_idle (EarDownloader *self);
gboolean ear_downloader_check_folder (EarDownloader *self);
void ear_downloader_decline (EarDownloader *self, const EarDownloadRecord *record);
void ear_downloader_run_queue (EarDownloader *self);
void ear_downloader_finish_item (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_settle_item (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_trash_item (EarDownloader *self, EarDownloadItem *item);

G_END_DECLS
