/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What covers are made by: one thread that reads our own small files, one that decodes
 * originals (one at a time, so that their memory does not add up), and a few places
 * for those that are being fetched. Everything but the work itself happens in one
 * thread.
 */
typedef struct _EarCoverWorkers EarCoverWorkers;

typedef enum
{
  EAR_COVER_WORKER_FILES,
  EAR_COVER_WORKER_DECODER,
} EarCoverWorker;

#define EAR_COVER_N_WORKERS 2

/* Does the work, and returns the task. The task has no source object. */
typedef void (*EarCoverWork)     (GTask    *task,
                                  gpointer  data);
typedef void (*EarCoverPlaceFunc) (gpointer user_data);

EarCoverWorkers *ear_cover_workers_new          (guint places);
void             ear_cover_workers_free         (EarCoverWorkers *self);
void             ear_cover_workers_run          (EarCoverWorkers    *self,
                                                 EarCoverWorker      worker,
                                                 EarCoverWork        work,
                                                 gpointer            data,
                                                 GDestroyNotify      data_free,
                                                 GCancellable       *cancellable,
                                                 GAsyncReadyCallback callback,
                                                 gpointer            user_data);
void             ear_cover_workers_take_place   (EarCoverWorkers  *self,
                                                 EarCoverPlaceFunc func,
                                                 gpointer          user_data);
void             ear_cover_workers_release_slot (EarCoverWorkers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCoverWorkers, ear_cover_workers_free)

G_END_DECLS
