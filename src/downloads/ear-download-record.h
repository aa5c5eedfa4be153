/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/* A download: its episode, and the state of its file */
typedef struct
{
  char *podcast;       /* address that the podcast was first followed at */
  char *podcast_title; /* (nullable) */
  char *guid;          /* of the episode, within the podcast */
  char *title;         /* (nullable): of the episode */
  char *enclosure;     /* address of the media */
  char *etag;          /* (nullable): of the bytes received so far */
  char *last_modified; /* (nullable) */
  char *file;          /* (nullable): path within the folder, once complete */
  gint64 published;    /* Unix seconds, or `EAR_DATE_UNKNOWN` */
  gint64 size;         /* bytes: the server's, or else the feed's; 0: unknown */
  gint64 wanted;       /* Unix microseconds: time of the request, or between others; lowest first */
  gint64 done;         /* Unix microseconds: completion of the file; 0: unknown */
  gboolean automatic;  /* downloaded because it was new, not on request */
  gboolean paused;     /* not fetched until the listener resumes it */
  gboolean declined;   /* no file, and no automatic download */
  gboolean removed;    /* the file is to be deleted, and stays only for Undo */
} EarDownloadRecord;

EarDownloadRecord *ear_download_record_new (const char *podcast, const char *guid,
                                            const char *enclosure);
EarDownloadRecord *ear_download_record_copy (const EarDownloadRecord *self);
void ear_download_record_free (EarDownloadRecord *self);
char *ear_download_record_dup_key (const EarDownloadRecord *self);
EarDownloadRecord *ear_download_record_parse (const char *text, gsize length, GError **error);
char *ear_download_record_print (const EarDownloadRecord *self, gsize *length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadRecord, ear_download_record_free)

G_END_DECLS
