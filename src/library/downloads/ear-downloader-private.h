/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-downloader.c and its topics, the files ear-downloader-*.c, share. */

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
  GPtrArray *items;    /* (element-type EarDownloadItem): those wanted first first */
  GHashTable *by_key;  /* (element-type utf8 EarDownloadItem): the same, borrowed */
  GPtrArray *early;    /* (element-type EarEpisode): asked for before it was known what there is */
  GTask *stopping;     /* (nullable): waits for what is busy */
  GTask *moving;       /* (nullable): waits for it too, and then for the other folder */
  guint wake_source;   /* until the next try */
  guint look_source;   /* while its folder is not there */
  guint tick_source;   /* while something runs */

  double pause_scale;
  guint host_limit;
  guint reserve; /* megabytes */
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
  guint newest; /* downloaded automatically of podcasts without a number of their own */
  gboolean available; /* its folder is there */
  gboolean told_missing; /* that it is not, just now */
  gboolean told_no_space; /* since one has got its file the last time */
};

/* The object */
void ear_downloader_add            (EarDownloader   *self,
                                    EarDownloadItem *item);
void ear_downloader_hold_episode   (EarDownloader   *self,
                                    EarDownloadItem *item);
void ear_downloader_append_mark    (EarDownloader   *self,
                                    EarDownloadItem *item,
                                    GPtrArray       *marks);
void ear_downloader_mark           (EarDownloader   *self,
                                    EarDownloadItem *item);
void ear_downloader_drop           (EarDownloader   *self,
                                    EarDownloadItem *item);
void ear_downloader_notify_failure (EarDownloader *self,
                                    const GError  *error);
void ear_downloader_notify_room    (EarDownloader *self);
void ear_downloader_count          (EarDownloader *self);
void ear_downloader_end_if_idle    (EarDownloader *self);
void ear_downloader_load           (EarDownloader *self);
void ear_downloader_copy_if_idle   (EarDownloader *self);
gboolean ear_downloader_miss_folder (EarDownloader *self);
void ear_downloader_tell_missing    (EarDownloader *self);

/* What can be done with downloads */
void ear_downloader_fetch         (EarDownloader     *self,
                                   EarEpisode        *episode);
void ear_downloader_take_away     (EarDownloader     *self,
                                   EarEpisode        *episode,
                                   GPtrArray         *records);
GPtrArray *ear_downloader_take_all_away (EarDownloader *self);
void ear_downloader_decline       (EarDownloader           *self,
                                   const EarDownloadRecord *record);
void ear_downloader_restore       (EarDownloader     *self,
                                   GPtrArray         *records);
void ear_downloader_discard       (EarDownloader     *self,
                                   GPtrArray         *records);
EarUndo *ear_downloader_create_undo (EarDownloader   *self,
                                     GPtrArray       *records,
                                     const char      *message);
char *ear_downloader_describe_removed (guint          n);

/* The queue */
void ear_downloader_keep_paused  (EarDownloader     *self,
                                  EarDownloadItem   *item);
void ear_downloader_pump         (EarDownloader     *self);
void ear_downloader_take_file    (EarDownloader     *self,
                                  EarDownloadItem   *item);
void ear_downloader_settle       (EarDownloader     *self,
                                  EarDownloadItem   *item);
void ear_downloader_let_go       (EarDownloader     *self,
                                  EarDownloadItem   *item);

G_END_DECLS
