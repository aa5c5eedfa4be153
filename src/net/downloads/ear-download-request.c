/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-request.h"

/**
 * ear_download_request_new:
 * @address: an http or https URL
 * @path: the file to download into
 *
 * Returns: (transfer full): a request to fetch all of @address
 */
EarDownloadRequest *
ear_download_request_new (const char *address, const char *path)
{
  EarDownloadRequest *self = g_new0 (EarDownloadRequest, 1);

  self->address = g_strdup (address);
  self->path = g_strdup (path);

  return self;
}

/* Returns: (transfer full): a copy for another thread, which shares the progress */
EarDownloadRequest *
ear_download_request_copy (const EarDownloadRequest *self)
{
  EarDownloadRequest *copy = g_memdup2 (self, sizeof *self);

  copy->address = g_strdup (self->address);
  copy->path = g_strdup (self->path);
  copy->podcast = g_strdup (self->podcast);
  copy->etag = g_strdup (self->etag);
  copy->last_modified = g_strdup (self->last_modified);
  copy->progress = ear_download_progress_ref (self->progress);

  return copy;
}

void
ear_download_request_free (EarDownloadRequest *self)
{
  g_free (self->address);
  g_free (self->podcast);
  g_free (self->path);
  g_free (self->etag);
  g_free (self->last_modified);
  g_clear_pointer (&self->progress, ear_download_progress_unref);
  g_free (self);
}
