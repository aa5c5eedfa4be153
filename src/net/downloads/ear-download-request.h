/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-progress.h"

G_BEGIN_DECLS

/* What is known of a download before its first byte. To go on with it later, `etag` and `last_modified` have to
 * be told as they are here; where both are %NULL, it can only be begun anew. */
typedef struct
{
  const char *etag;          /* (nullable) */
  const char *last_modified; /* (nullable) */
  const char *content_type;  /* (nullable): as sent */
  gint64 first_byte;         /* where it goes on; 0: it is begun anew */
  gint64 total;              /* bytes of the whole, -1: not known */
} EarDownloadHead;

/**
 * EarDownloadHeadFunc:
 * @head: what is known
 * @user_data: data of the caller
 * @error: return location
 *
 * Notes what is needed to go on with a download after a kill. Called on a worker thread, for each answer that has a
 * body, before a byte of it is written: one that is begun anew has an empty file at that moment. It is seldom called
 * twice, when a server's rest turns out to be that of something else.
 *
 * Returns: %FALSE with @error set to give up
 */
typedef gboolean (*EarDownloadHeadFunc) (const EarDownloadHead *head,
                                         gpointer               user_data,
                                         GError               **error);

/* A request: filled by the caller, who keeps it; a copy is taken. */
typedef struct
{
  char *address;
  char *user;          /* (nullable): only ever sent to the host of `address` */
  char *password;      /* (nullable) */
  char *path;          /* the file that is downloaded into; its folder must be there */
  char *etag;          /* (nullable): of what is in the file; without both it is begun anew */
  char *last_modified; /* (nullable) */
  gint64 max_bytes;    /* of the whole, 0: the default of 4 GiB */
  gint64 reserve;      /* what has to be left free on the disk, 0: the default of 256 MiB */
  EarDownloadHeadFunc head_func; /* (nullable) */
  gpointer head_data;  /* kept by the caller until the callback */
  EarDownloadProgress *progress; /* (nullable) */
} EarDownloadRequest;

EarDownloadRequest *ear_download_request_new  (const char *address,
                                               const char *path);
EarDownloadRequest *ear_download_request_copy (const EarDownloadRequest *self);
void                ear_download_request_free (EarDownloadRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadRequest, ear_download_request_free)

G_END_DECLS
