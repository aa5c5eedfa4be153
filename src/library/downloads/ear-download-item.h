/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-progress.h"
#include "ear-download-record.h"
#include "ear-download-mark.h"
#include "ear-episode.h"

G_BEGIN_DECLS

/* One download as the downloader knows it. */
typedef struct
{
  /* Owned */
  EarDownloadRecord *record;
  char *key;
  char *host;                    /* (nullable): that it comes from */
  EarEpisode *episode;           /* (nullable): until it is done; %NULL while there is no row of it */
  EarDownloadProgress *progress; /* (nullable): while it is fetched */
  GCancellable *cancellable;     /* (nullable): the same */
  GError *error;                 /* (nullable): why it could not be fetched */
  GPtrArray *removal;            /* (nullable) (element-type EarDownloadRecord): where who may want it back looks */

  GObject *owner;                /* (nullable): the downloader, while it is busy and its end is waited for */

  EarDownload state;
  gboolean busy;     /* it is fetched, or its files are being moved: it cannot be touched until that has ended */
  gboolean removed;  /* to be taken away as soon as it is not busy */
  gboolean unwanted; /* and nobody will want it back */
  gboolean declined; /* and not to be downloaded by itself afterwards */
  gboolean asked;    /* for in this session */
  gboolean renewed;  /* its feed was asked for another address, and nothing has come since */
  gboolean followed; /* its podcast is: nothing is fetched of one that was given up */
  guint tries;       /* in a row that have brought nothing */
  gint64 not_before; /* monotonic time */
  gint64 received;   /* bytes that were there when it failed the last time */
} EarDownloadItem;

EarDownloadItem *ear_download_item_new             (EarDownloadRecord *record);
void             ear_download_item_free            (EarDownloadItem *self);
void             ear_download_item_set_record      (EarDownloadItem   *self,
                                                    EarDownloadRecord *record);
void             ear_download_item_set_enclosure   (EarDownloadItem *self,
                                                    const char      *address);
void             ear_download_item_set_state       (EarDownloadItem *self,
                                                    EarDownload      state,
                                                    const GError    *error);
EarDownloadKind  ear_download_item_get_kind        (EarDownloadItem *self);
void             ear_download_item_notify_removal  (EarDownloadItem *self);
gboolean         ear_download_item_is_pending      (EarDownloadItem *self);
gint64           ear_download_item_get_left        (EarDownloadItem *self);
gboolean         ear_download_item_is_active       (EarDownloadItem *self);
void             ear_download_item_notify_progress (EarDownloadItem *self);

G_END_DECLS
