/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-store.h"

#include "ear-thread.h"

/* The files of downloads, and their records. A thread does all file work, one request
 * after the other, in the order of the calls.
 *
 * Records are not part of the state files: those may be shared by several machines, and
 * restored from backups, but downloads belong to this machine's disk. */
struct _EarDownloadStore
{
  /* Owned */
  GPtrArray *folders; /* (element-type EarDownloadFolder): all that were in use */
  EarThread *thread;

  /* Borrowed from @folders */
  EarDownloadFolder *folder; /* the main thread's view */
  EarDownloadFolder *at;     /* the worker thread's view */
};

typedef struct _Work Work;

typedef gboolean (*WorkFunc) (Work *work, GError **error);

/* A request. Its task has no source object, because the worker thread releases it. */
struct _Work
{
  WorkFunc func;
  EarDownloadFolder **at;    /* borrowed; the thread ends before it is freed */
  EarDownloadFolder *other;  /* (nullable): borrowed; the folder to copy to, or to clear */
  GCancellable *cancellable; /* (nullable): owned by the task */
  EarDownloadChange change;
  EarDownloadRecord *record; /* (nullable): owned; the record to change */
  GPtrArray *records;        /* (nullable): owned; the loaded ones */
  guint n_damaged;
};

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_pointer (&work->record, ear_download_record_free);
  g_clear_pointer (&work->records, g_ptr_array_unref);
  g_free (work);
}

static gboolean
load (Work *work, GError **error)
{
  work->records = ear_download_folder_load (*work->at, &work->n_damaged, error);

  return work->records != NULL;
}

static gboolean
change_record (Work *work, GError **error)
{
  return work->change (*work->at, work->record, error);
}

static gboolean
move (Work *work, GError **error)
{
  if (!ear_download_folder_copy (*work->at, work->other, work->cancellable, error))
    return FALSE;
  *work->at = work->other;

  return TRUE;
}

static gboolean
clear (Work *work, GError **error)
{
  ear_download_folder_clear (work->other, *work->at);

  return TRUE;
}

static void
work_once (gpointer data)
{
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (work->func == NULL || work->func (work, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* @func: (nullable): does the work on the thread
 * @callback: (nullable): called when it is done */
static void
push (EarDownloadStore *self, WorkFunc func, Work input, GCancellable *cancellable,
      GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_memdup2 (&input, sizeof input);

  work->func = func;
  work->at = &self->at;
  work->cancellable = cancellable;
  g_task_set_source_tag (task, push);
  g_task_set_task_data (task, work, work_free);
  g_task_set_check_cancellable (task, FALSE);
  ear_thread_push (self->thread, work_once, task);
}

static EarDownloadFolder *
add_folder (EarDownloadStore *self, const char *path, gboolean chosen)
{
  EarDownloadFolder *folder = ear_download_folder_new (path, chosen);

  g_ptr_array_add (self->folders, folder);

  return folder;
}

/* @path: the folder of downloads, which may be missing
 * @chosen: whether the listener has chosen it */
EarDownloadStore *
ear_download_store_new (const char *path, gboolean chosen)
{
  EarDownloadStore *self = g_new0 (EarDownloadStore, 1);

  self->folders = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_folder_free);
  self->thread = ear_thread_new ("downloads", EAR_WORKER_ANSWERS);
  self->folder = self->at = add_folder (self, path, chosen);

  return self;
}

/* Waits until all requests are done. */
void
ear_download_store_free (EarDownloadStore *self)
{
  ear_thread_stop (self->thread);
  g_ptr_array_unref (self->folders);
  g_free (self);
}

/* Returns: (transfer none): the folder in use, for the functions that any thread may call */
EarDownloadFolder *
ear_download_store_get_folder (EarDownloadStore *self)
{
  return self->folder;
}

/* Loads all records, and cleans up after a crash. */
void
ear_download_store_load_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  push (self, load, (Work) { 0 }, NULL, callback, user_data);
}

/* @n_damaged: (out): number of damaged records, which were set aside
 * Returns: (transfer full) (element-type EarDownloadRecord): all downloads, in the order of
 * `wanted` */
GPtrArray *
ear_download_store_load_finish (GAsyncResult *result, guint *n_damaged, GError **error)
{
  Work *work = g_task_get_task_data (G_TASK (result));

  *n_damaged = work->n_damaged;

  return g_task_propagate_boolean (G_TASK (result), error) ? g_steal_pointer (&work->records)
                                                           : NULL;
}

/* Queues a change; changes are done in the order of the calls.
 * @callback: (nullable): called when the change is on the disk */
void
ear_download_store_change_async (EarDownloadStore *self, EarDownloadChange change,
                                 const EarDownloadRecord *record, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  push (self, change_record,
        (Work) { .change = change, .record = ear_download_record_copy (record) }, NULL, callback,
        user_data);
}

/* Returns: (transfer full): the record after the change, or %NULL */
EarDownloadRecord *
ear_download_store_change_finish (GAsyncResult *result, GError **error)
{
  Work *work = g_task_get_task_data (G_TASK (result));

  return g_task_propagate_boolean (G_TASK (result), error) ? g_steal_pointer (&work->record) : NULL;
}

/* Copies everything to another folder, and uses that folder afterwards; later requests are
 * done there. The old folder keeps its files until ear_download_store_clear(). Nothing
 * may be downloaded meanwhile. */
void
ear_download_store_move_async (EarDownloadStore *self, const char *path, gboolean chosen,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  push (self, move, (Work) { .other = add_folder (self, path, chosen) }, cancellable, callback,
        user_data);
}

gboolean
ear_download_store_move_finish (EarDownloadStore *self, GAsyncResult *result, GError **error)
{
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  self->folder = ((Work *) g_task_get_task_data (G_TASK (result)))->other;

  return TRUE;
}

/* Removes the files in an old folder that the present one has as well. */
void
ear_download_store_clear (EarDownloadStore *self, const char *path)
{
  push (self, clear, (Work) { .other = add_folder (self, path, TRUE) }, NULL, NULL, NULL);
}

/* Calls back when all earlier requests are done. */
void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  push (self, NULL, (Work) { 0 }, NULL, callback, user_data);
}
