/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-progress.h"

/* Needs a lock: some machines cannot write 64 bits at once, and both numbers belong
 * together. */
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
 * Returns: (transfer full): a progress without received bytes and without a response
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

/* Any thread */
void
ear_download_progress_unref (EarDownloadProgress *self)
{
  g_atomic_rc_box_release_full (self, progress_clear);
}

/* @received: bytes in the file
 * @total: size of the whole file; -1 if unknown, 0 before the server has started to send
 *   it */
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
 * @received: (out): bytes in the file, including those of earlier attempts; decreases if
 *   the download starts again
 * @total: (out): size of the whole file; -1 if unknown, 0 before the server has started
 *   to send it
 */
void
ear_download_progress_get (EarDownloadProgress *self, gint64 *received, gint64 *total)
{
  g_mutex_lock (&self->lock);
  *received = self->received;
  *total = self->total;
  g_mutex_unlock (&self->lock);
}
