/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-store.h"

#include "ear-download-folder.h"
#include "ear-thread.h"

/* The files of downloads, and their records. A thread does all file work, one request
 * after the other, in the order of the calls.
 *
 * Records are not part of the state files: those may be shared by several machines, and
 * restored from backups, but downloads belong to this machine's disk. */
struct _EarDownloadStore
{
  GObject parent_instance;

  /* Owned */
  GPtrArray *folders; /* (element-type EarDownloadFolder): all that were in use */
  EarThread *thread;

  /* Borrowed from @folders */
  EarDownloadFolder *folder; /* the main thread's view */
  EarDownloadFolder *at;     /* the worker thread's view */
};

G_DEFINE_FINAL_TYPE (EarDownloadStore, ear_download_store, G_TYPE_OBJECT)

typedef struct _Work Work;

/* A request. Its task has no source object, because the worker thread releases it. */
struct _Work
{
  gboolean (*func) (Work *work, GError **error);
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
  static gboolean (*const functions[]) (EarDownloadFolder *, EarDownloadRecord *, GError **) = {
    [EAR_DOWNLOAD_CHANGE_KEEP] = ear_download_folder_keep,
    [EAR_DOWNLOAD_CHANGE_FINISH] = ear_download_folder_finish,
    [EAR_DOWNLOAD_CHANGE_REMOVE] = ear_download_folder_remove,
  };

  return functions[work->change] (*work->at, work->record, error);
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

static gboolean
flush (Work *work, GError **error)
{
  return TRUE;
}

static void
work_once (gpointer data)
{
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (work->func (work, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Returns: (transfer none): the request, which starts with ear_thread_push() */
static Work *
begin (EarDownloadStore *self, GTask *task, gboolean (*func) (Work *, GError **))
{
  Work *work = g_new0 (Work, 1);

  work->func = func;
  work->at = &self->at;
  g_task_set_task_data (task, work, work_free);
  g_task_set_check_cancellable (task, FALSE);

  return work;
}

static void
ear_download_store_finalize (GObject *object)
{
  EarDownloadStore *self = EAR_DOWNLOAD_STORE (object);

  g_clear_pointer (&self->thread, ear_thread_stop);
  g_clear_pointer (&self->folders, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_download_store_parent_class)->finalize (object);
}

static void
ear_download_store_class_init (EarDownloadStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_download_store_finalize;
}

static void
ear_download_store_init (EarDownloadStore *self)
{
  self->folders = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_folder_free);
  self->thread = ear_thread_new ("downloads", EAR_WORKER_ANSWERS);
}

/* @path: the folder of downloads, which may be missing
 * @chosen: whether the listener has chosen it */
EarDownloadStore *
ear_download_store_new (const char *path, gboolean chosen)
{
  EarDownloadStore *self = g_object_new (EAR_TYPE_DOWNLOAD_STORE, NULL);

  self->folder = self->at = ear_download_folder_new (path, chosen);
  g_ptr_array_add (self->folders, self->folder);

  return self;
}

const char *
ear_download_store_get_path (EarDownloadStore *self)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return self->folder->path;
}

/* Returns: whether the folder and its downloads are on a mounted disk */
gboolean
ear_download_store_is_there (EarDownloadStore *self)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), FALSE);

  return ear_download_folder_is_there (self->folder);
}

char *
ear_download_store_dup_part (EarDownloadStore *self, const EarDownloadRecord *record)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return ear_download_folder_dup_part (self->folder, record);
}

/* Returns: (transfer full) (nullable): path of the file, if it is complete */
char *
ear_download_store_dup_file (EarDownloadStore *self, const EarDownloadRecord *record)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return ear_download_folder_dup_file (self->folder, record);
}

/* Loads all records, and cleans up after a crash. */
void
ear_download_store_load_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_load_async);
  begin (self, task, load);
  ear_thread_push (self->thread, work_once, task);
}

/* @n_damaged: (out): number of damaged records, which were set aside
 * Returns: (transfer full) (element-type EarDownloadRecord): all downloads, in the order of
 * `wanted` */
GPtrArray *
ear_download_store_load_finish (GAsyncResult *result, guint *n_damaged, GError **error)
{
  Work *work;

  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_load_async), NULL);

  work = g_task_get_task_data (G_TASK (result));
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
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Work *work = begin (self, task, change_record);

  g_task_set_source_tag (task, ear_download_store_change_async);
  work->change = change;
  work->record = ear_download_record_copy (record);
  ear_thread_push (self->thread, work_once, task);
}

/* Returns: (transfer full): the record after the change, or %NULL */
EarDownloadRecord *
ear_download_store_change_finish (GAsyncResult *result, GError **error)
{
  Work *work;

  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_change_async), NULL);

  work = g_task_get_task_data (G_TASK (result));

  return g_task_propagate_boolean (G_TASK (result), error) ? g_steal_pointer (&work->record) : NULL;
}

static void
push_other (EarDownloadStore *self, GTask *task, const char *path, gboolean chosen,
            gboolean (*func) (Work *, GError **))
{
  Work *work = begin (self, task, func);

  work->other = ear_download_folder_new (path, chosen);
  work->cancellable = g_task_get_cancellable (task);
  g_ptr_array_add (self->folders, work->other);
  ear_thread_push (self->thread, work_once, task);
}

/* Copies everything to another folder, and uses that folder afterwards; later requests are
 * done there. The old folder keeps its files until [method@EarDownloadStore.clear]. Nothing
 * may be downloaded meanwhile. */
void
ear_download_store_move_async (EarDownloadStore *self, const char *path, gboolean chosen,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_move_async);
  push_other (self, task, path, chosen, move);
}

gboolean
ear_download_store_move_finish (EarDownloadStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_move_async), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  self->folder = ((Work *) g_task_get_task_data (G_TASK (result)))->other;

  return TRUE;
}

/* Removes the files in an old folder that the present one has as well. */
void
ear_download_store_clear (EarDownloadStore *self, const char *path)
{
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, ear_download_store_clear);
  push_other (self, task, path, TRUE, clear);
}

/* Calls back when all earlier requests are done. */
void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_flush_async);
  begin (self, task, flush);
  ear_thread_push (self->thread, work_once, task);
}
