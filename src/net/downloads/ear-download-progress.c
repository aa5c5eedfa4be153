/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-progress.h"

/* A lock, as not every machine can write 64 bits at once; both numbers also belong together. */
struct _EarDownloadProgress
{
  GMutex lock;
  gint64 received;
  gint64 total;
};

static void
progress_clear (gpointer data)
{
  EarDownloadProgress *self = data;

  g_mutex_clear (&self->lock);
}

/**
 * ear_download_progress_new:
 *
 * Returns: (transfer full): nothing received, and no server has answered yet
 */
EarDownloadProgress *
ear_download_progress_new (void)
{
  EarDownloadProgress *self = g_atomic_rc_box_new0 (EarDownloadProgress);

  g_mutex_init (&self->lock);

  return self;
}

EarDownloadProgress *
ear_download_progress_ref (EarDownloadProgress *self)
{
  return g_atomic_rc_box_acquire (self);
}

/* Any thread may do so. */
void
ear_download_progress_unref (EarDownloadProgress *self)
{
  g_atomic_rc_box_release_full (self, progress_clear);
}

/* @received: bytes that are in the file
 * @total: bytes of the whole; -1 if that is not known, 0 before the server has begun to send it */
void
ear_download_progress_set (EarDownloadProgress *self, gint64 received, gint64 total)
{
  g_mutex_lock (&self->lock);
  self->received = received;
  self->total = total;
  g_mutex_unlock (&self->lock);
}

/**
 * ear_download_progress_get:
 * @self: a progress
 * @received: (out): bytes that are in the file, those of earlier tries included; less than before once it is begun anew
 * @total: (out): bytes of the whole; -1 if that is not known, 0 before the server has begun to send it
 */
void
ear_download_progress_get (EarDownloadProgress *self, gint64 *received, gint64 *total)
{
  g_mutex_lock (&self->lock);
  *received = self->received;
  *total = self->total;
  g_mutex_unlock (&self->lock);
}
