/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-cache-private.h"

/* Size and age limits of the cache's files */

/* Covers not shown for this long, in seconds, are deleted. */
#define MAX_AGE (G_GINT64_CONSTANT (180) * 24 * 60 * 60)

static void
prune_once (gpointer data)
{
  g_autofree char *directory = data;

  ear_cover_files_prune (directory, g_get_real_time () / G_USEC_PER_SEC - MAX_AGE);
}

/* Deletes old covers on the first call. */
void
ear_cover_cache_prune_once (EarCoverCache *self)
{
  if (self->pruned)
    return;
  self->pruned = TRUE;
  ear_thread_push (self->workers[EAR_COVER_WORKER_FILES], prune_once, g_strdup (self->directory));
}

static void
measure_work (GTask *task, gpointer source, gpointer directory, GCancellable *cancellable)
{
  gint64 size = ear_cover_files_sweep (directory, FALSE);

  g_task_return_pointer (task, g_memdup2 (&size, sizeof size), g_free);
}

static void
clear_work (GTask *task, gpointer source, gpointer directory, GCancellable *cancellable)
{
  ear_cover_files_sweep (directory, TRUE);
  g_task_return_pointer (task, GINT_TO_POINTER (TRUE), NULL);
}

static void
run (EarCoverCache *self, GTaskThreadFunc work, GDestroyNotify result_free, GCancellable *cancellable,
     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, work);
  g_task_set_task_data (task, g_strdup (self->directory), g_free);
  ear_worker_run (task, work, result_free);
}

/**
 * ear_cover_cache_measure_async:
 * @self: a cache
 * @cancellable: (nullable): a cancellable
 * @callback: called with the result
 * @user_data: data of the caller
 *
 * Measures the size of all cover files.
 */
void
ear_cover_cache_measure_async (EarCoverCache *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  run (self, measure_work, g_free, cancellable, callback, user_data);
}

/**
 * ear_cover_cache_measure_finish:
 * @self: a cache
 * @result: the result passed to the callback
 * @error: return location
 *
 * Returns: the size in bytes; -1 on an error
 */
gint64
ear_cover_cache_measure_finish (EarCoverCache *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *size = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), -1);

  size = g_task_propagate_pointer (G_TASK (result), error);

  return size != NULL ? *size : -1;
}

/**
 * ear_cover_cache_clear_async:
 * @self: a cache
 * @cancellable: (nullable): a cancellable
 * @callback: called when the files are deleted
 * @user_data: data of the caller
 *
 * Deletes all cover files. Covers in memory stay; later they are fetched again.
 */
void
ear_cover_cache_clear_async (EarCoverCache *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  run (self, clear_work, NULL, cancellable, callback, user_data);
}

gboolean
ear_cover_cache_clear_finish (EarCoverCache *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}
