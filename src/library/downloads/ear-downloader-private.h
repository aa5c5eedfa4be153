/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-downloader.c and ear-downloader-verbs.c, which calls the former */

#include "ear-downloader.h"

#include "ear-download-progress.h"
#include "ear-mark.h"

G_BEGIN_DECLS

/* The time after which nothing is left to do for a removed download */
#define EAR_DOWNLOAD_NEVER G_MAXINT64

typedef struct
{
  /* Owned */
  EarDownloadRecord *record;
  char *key;
  EarEpisode *episode;           /* (nullable): set until it is done, if it has a row */
  EarDownloadProgress *progress; /* (nullable): of the last run */
  GCancellable *cancellable;     /* (nullable): set until the run has ended, in whatever state */
  EarDownloader *owner;          /* (nullable): the downloader, as long */
  GError *error;                 /* (nullable): why it waits or has failed */
  GError *refusal;               /* (nullable): the error, while the feed is asked for a new URL */

  /* As its episode shows it, drawn in ../README.md; ear_downloader_enter() alone changes it. A
   * removed download (%EAR_DOWNLOAD_NONE) and its file stay until Undo has passed. */
  EarDownload state;
  gboolean asked;     /* requested in this session */
  gboolean renewed;   /* the feed was asked for a new URL, without data since */
  gboolean finishing; /* its part becomes a file */
  gboolean unstored;  /* its record has changed meanwhile */
  guint tries;        /* failed attempts in a row without data */
  gint64 not_before;  /* monotonic time of the next attempt, or of deleting a removed file */
  gint64 received;    /* bytes present at the last failure */
  gint64 retry_after; /* seconds that a busy server asked to wait */
} EarDownloadItem;

struct _EarDownloader
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarDownloadStore *store;
  char *default_path;
  char *target;              /* (nullable): the folder to move to, until the copy starts */
  GCancellable *cancellable; /* cancels the copy */
  GPtrArray *items;    /* (element-type EarDownloadItem): in the order of the queue */
  GHashTable *by_key;  /* (element-type utf8 EarDownloadItem): borrowed */
  GPtrArray *marks;    /* (element-type EarDownloadMark): to be sent to the catalogue */
  GPtrArray *early;    /* (element-type EarEpisode): requested before loading ended */
  guint wake_source;   /* until the next attempt */
  guint folder_source; /* set while the folder is missing */
  guint tick_source;   /* set while a download runs */

  /* Borrowed */
  GAsyncReadyCallback stopped_cb; /* (nullable): called when no download runs */
  gpointer stopped_data;

  double pause_scale; /* factor for pauses, and for the time that removed files are kept; in
                       * tests less than 1 */
  gint64 hold_until; /* monotonic time: nothing runs before, without a network or room */
  guint host_limit; /* number of downloads that run at once from one host */
  guint n_active;
  guint n_paused;
  gint64 left;
  guint n_done;
  guint n_items;
  gint64 size;
  gboolean running;
  gboolean loaded;
  gboolean stopped;
  gboolean available;         /* the folder exists */
  gboolean chosen;            /* the listener has chosen it; then it is waited for if missing */
  gboolean moving;            /* downloads are being moved to another one */
  gboolean missing_reported;  /* the notice about the missing folder was shown */
  gboolean no_space_reported; /* the notice was shown since the last finished download */
};

void ear_downloader_enter (EarDownloader *self, EarDownloadItem *item, EarDownload state,
                           const GError *error);
void ear_downloader_request (EarDownloader *self, EarEpisode *episode, gboolean asked);
void ear_downloader_want (EarDownloader *self, EarDownloadItem *item, gboolean asked);
EarDownloadItem *ear_downloader_get_item (EarDownloader *self, guint index);
EarDownloadItem *ear_downloader_add_item (EarDownloader *self, EarDownloadRecord *record);
gboolean ear_downloader_drop_item (EarDownloader *self, EarDownloadItem *item);
EarDownloadItem *ear_downloader_find_item (EarDownloader *self, EarEpisode *episode);
EarEpisode *ear_downloader_dup_episode (EarDownloader *self, const EarDownloadItem *item);
void ear_downloader_store_record (EarDownloader *self, EarDownloadItem *item);
void ear_downloader_append_mark (EarDownloader *self, EarDownloadItem *item);
gboolean ear_downloader_is_of (const EarDownloadItem *item, EarPodcast *podcast);
gboolean ear_downloader_check_folder (EarDownloader *self);
void ear_downloader_run_queue (EarDownloader *self);

G_END_DECLS
