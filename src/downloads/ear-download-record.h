/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/* What is known of one download: which episode it is of, and how far its file has come. */
typedef struct
{
  char *podcast;       /* address that the podcast was first followed at */
  char *podcast_title; /* (nullable) */
  char *guid;          /* of the episode, within the podcast */
  char *title;         /* (nullable): of the episode */
  char *enclosure;     /* address of its media */
  char *mime_type;     /* (nullable): as the server said, or else the feed */
  char *etag;          /* (nullable): of what has come so far */
  char *last_modified; /* (nullable) */
  char *file;          /* (nullable): its file within the folder, once all of it has come */
  gint64 published;    /* Unix seconds, or `EAR_DATE_UNKNOWN` */
  gint64 size;         /* bytes; 0 when unknown */
  gint64 wanted;       /* Unix microseconds: since when, or between those of others: who has the lowest is fetched first */
  gint64 done;         /* Unix microseconds: since when its file is there; 0 when unknown */
  gboolean automatic;  /* nobody has asked for it: it was downloaded because it was new */
  gboolean paused;     /* it is not fetched before the listener says so */
  gboolean declined;   /* there is nothing of it, and it is not downloaded without being asked for */
} EarDownloadRecord;

EarDownloadRecord *ear_download_record_new     (const char              *podcast,
                                                const char              *guid,
                                                const char              *enclosure);
GPtrArray         *ear_download_record_new_array (void);
EarDownloadRecord *ear_download_record_copy    (const EarDownloadRecord *self);
void               ear_download_record_free    (EarDownloadRecord       *self);
char              *ear_download_record_dup_key (const EarDownloadRecord *self);
EarDownloadRecord *ear_download_record_parse   (const char              *text,
                                                gsize                    length,
                                                GError                 **error);
EarDownloadRecord *ear_download_record_salvage   (const char *text,
                                                 gsize       length);
char              *ear_download_record_print   (const EarDownloadRecord *self,
                                                gsize                   *length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadRecord, ear_download_record_free)

G_END_DECLS
