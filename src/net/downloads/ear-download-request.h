/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-progress.h"

G_BEGIN_DECLS

/* The facts of a download before its first byte. To resume it later, pass the same `etag`
 * and `last_modified`; if both are %NULL, it can only start again. */
typedef struct
{
  const char *etag;          /* (nullable) */
  const char *last_modified; /* (nullable) */
  gint64 first_byte;         /* offset to resume at; 0: start again */
  gint64 total;              /* size of the whole file, -1: unknown */
} EarDownloadHead;

/**
 * EarDownloadHeadFunc:
 * @head: the facts of the response
 * @user_data: data of the caller
 * @error: return location
 *
 * Stores the facts needed to resume a download after a crash. Called on a worker thread
 * for each response with a body, before its first byte is written; if the download starts
 * again, the file is empty at this point. In rare cases it is called twice: if the rest
 * turns out to belong to another file.
 *
 * Returns: %FALSE with @error set to cancel the download
 */
typedef gboolean (*EarDownloadHeadFunc) (const EarDownloadHead *head,
                                         gpointer               user_data,
                                         GError               **error);

/* A request, owned by the caller; functions copy it. */
typedef struct
{
  char *address;
  char *podcast;       /* (nullable): as in EarHttpRequest */
  char *path;          /* the file to download into; its folder must exist */
  char *etag;          /* (nullable): of the file there; without both it starts again */
  char *last_modified; /* (nullable) */
  gint64 max_bytes;    /* limit of the whole file, 0: the default of 4 GiB */
  gint64 reserve;      /* space to leave free on the disk */
  EarDownloadHeadFunc head_func;
  gpointer head_data;  /* kept alive by the caller until the callback */
  EarDownloadProgress *progress;
} EarDownloadRequest;

EarDownloadRequest *ear_download_request_new  (const char *address,
                                               const char *path);
EarDownloadRequest *ear_download_request_copy (const EarDownloadRequest *self);
void                ear_download_request_free (EarDownloadRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadRequest, ear_download_request_free)

G_END_DECLS
