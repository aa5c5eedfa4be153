/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-progress.h"
#include "ear-download-record.h"
#include "ear-download-mark.h"
#include "ear-episode.h"

G_BEGIN_DECLS

/* One download in the downloader */
typedef struct
{
  /* Owned */
  EarDownloadRecord *record;
  char *key;
  char *host;                    /* (nullable) */
  EarEpisode *episode;           /* (nullable): set until it is done, if it has a row */
  EarDownloadProgress *progress; /* (nullable): set while it is fetched */
  GCancellable *cancellable;     /* (nullable): set while it is fetched */
  GError *error;                 /* (nullable): last error */
  /* (nullable) (element-type EarDownloadRecord): the list that Undo restores */
  GPtrArray *removal;

  GObject *owner;                /* (nullable): the downloader, while an operation runs */

  EarDownload state;
  gboolean busy;     /* being fetched or moved; not to be changed before that has ended */
  gboolean removed;  /* to be removed as soon as it is not busy */
  gboolean unwanted; /* removed without Undo */
  gboolean declined; /* removed by the listener; no automatic download */
  gboolean asked;    /* requested in this session */
  gboolean renewed;  /* the feed was asked for a new URL, without data since */
  gboolean followed; /* its podcast is followed; otherwise it is not fetched */
  guint tries;       /* failed attempts in a row without data */
  gint64 not_before; /* monotonic time of the next attempt */
  gint64 received;   /* bytes present at the last failure */
} EarDownloadItem;

EarDownloadItem *ear_download_item_new (EarDownloadRecord *record);
void ear_download_item_free (EarDownloadItem *self);
void ear_download_item_set_record (EarDownloadItem *self, EarDownloadRecord *record);
void ear_download_item_set_enclosure (EarDownloadItem *self, const char *address);
void ear_download_item_set_state (EarDownloadItem *self, EarDownload state, const GError *error);
EarDownloadKind ear_download_item_get_kind (EarDownloadItem *self);
void ear_download_item_notify_removal (EarDownloadItem *self);
gboolean ear_download_item_is_pending (EarDownloadItem *self);
gint64 ear_download_item_get_left (EarDownloadItem *self);
gboolean ear_download_item_is_active (EarDownloadItem *self);
void ear_download_item_notify_progress (EarDownloadItem *self);

G_END_DECLS
