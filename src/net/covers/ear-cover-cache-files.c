/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-cache-private.h"

#include "ear-cover-files.h"

/* The files of the cache as a whole: how large they are, and when they go. */

/* Covers that nobody has looked at for that long, in seconds, are thrown away. */
#define MAX_AGE (G_GINT64_CONSTANT (180) * 24 * 60 * 60)

/* In the worker for files */
static void
prune_work (GTask *task, gpointer data)
{
  ear_cover_files_prune (data, g_get_real_time () / G_USEC_PER_SEC - MAX_AGE);
  g_task_return_boolean (task, TRUE);
}

/* Throws away what nobody has looked at for long, the first time that it is called. */
void
ear_cover_cache_prune_once (EarCoverCache *self)
{
  if (self->pruned)
    return;
  self->pruned = TRUE;
  ear_cover_workers_run (self->workers, EAR_COVER_WORKER_FILES, prune_work, g_strdup (self->directory), g_free,
                         self->cancellable, NULL, NULL);
}

static void
measure_work (GTask *task, gpointer data)
{
  g_task_return_int (task, (gssize) MIN (ear_cover_files_measure (data), G_MAXSSIZE));
}

static void
clear_work (GTask *task, gpointer data)
{
  ear_cover_files_clear (data);
  g_task_return_boolean (task, TRUE);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  const gssize size = g_task_propagate_int (G_TASK (result), &error);

  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, size);
}

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
run (EarCoverCache *self, gpointer tag, EarCoverWork work, GAsyncReadyCallback done, GCancellable *cancellable,
     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  ear_cover_workers_run (self->workers, EAR_COVER_WORKER_FILES, work, g_strdup (self->directory), g_free, cancellable,
                         done, task);
}

/**
 * ear_cover_cache_measure_async:
 * @self: a cache
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data of the caller
 *
 * Counts the bytes of all covers that are kept in files.
 */
void
ear_cover_cache_measure_async (EarCoverCache *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  run (self, ear_cover_cache_measure_async, measure_work, measured_cb, cancellable, callback, user_data);
}

/**
 * ear_cover_cache_measure_finish:
 * @self: a cache
 * @result: what the callback got
 * @error: return location
 *
 * Returns: how many bytes; -1 on an error
 */
gint64
ear_cover_cache_measure_finish (EarCoverCache *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), -1);

  return g_task_propagate_int (G_TASK (result), error);
}

/**
 * ear_cover_cache_clear_async:
 * @self: a cache
 * @cancellable: (nullable): a cancellable
 * @callback: called when they are gone
 * @user_data: data of the caller
 *
 * Removes all covers that are kept in files. Those that are shown stay until they are wanted
 * the next time, and are fetched then.
 */
void
ear_cover_cache_clear_async (EarCoverCache *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  run (self, ear_cover_cache_clear_async, clear_work, cleared_cb, cancellable, callback, user_data);
}

gboolean
ear_cover_cache_clear_finish (EarCoverCache *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
