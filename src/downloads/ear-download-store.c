/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-store.h"

#include "ear-download-folder.h"
#include "ear-property.h"
#include "ear-thread.h"

/**
 * EarDownloadStore:
 *
 * The files of downloads, and their records. A thread does all file work, one request
 * after the other, in the order of the calls.
 *
 * Records are not part of the state files: those may be shared by several machines, and
 * restored from backups, but downloads belong to this machine's disk.
 */
struct _EarDownloadStore
{
  GObject parent_instance;

  /* Owned */
  EarDownloadFolder *folder; /* the main thread's view */
  EarDownloadFolder *at;     /* the worker thread's view: borrowed from @folders */
  GPtrArray *folders;        /* (element-type EarDownloadFolder): the last one is the newest */
  EarThread *thread;
};

G_DEFINE_FINAL_TYPE (EarDownloadStore, ear_download_store, G_TYPE_OBJECT)

/* A request. Its task has no source object, because the worker thread
 * releases the task. */
typedef struct
{
  EarDownloadFolder **at; /* borrowed; the thread ends before it is freed */
  EarDownloadFolder *other; /* (nullable): the folder to copy to, or to clear */
  GCancellable *cancellable; /* (nullable): owned by the task */
  EarDownloadChange change;
  EarDownloadRecord *record; /* (nullable): the record to change */
  guint n_damaged;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_pointer (&work->record, ear_download_record_free);
  g_free (work);
}

static void
load (gpointer data)
{
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);

  GPtrArray *records;
  GError *error = NULL;

  records = ear_download_folder_load (*work->at, &work->n_damaged, &error);
  if (records != NULL)
    g_task_return_pointer (task, records, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
change_record (gpointer data)
{
  static gboolean (*const functions[]) (EarDownloadFolder *, EarDownloadRecord *, GError **) = {
    [EAR_DOWNLOAD_CHANGE_KEEP] = ear_download_folder_keep,
    [EAR_DOWNLOAD_CHANGE_FINISH] = ear_download_folder_finish,
    [EAR_DOWNLOAD_CHANGE_TRASH] = ear_download_folder_trash,
    [EAR_DOWNLOAD_CHANGE_RESTORE] = ear_download_folder_restore,
    [EAR_DOWNLOAD_CHANGE_DISCARD] = ear_download_folder_discard,
  };
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (functions[work->change] (*work->at, work->record, &error))
    g_task_return_pointer (task, g_steal_pointer (&work->record), (GDestroyNotify) ear_download_record_free);
  else
    g_task_return_error (task, error);
}

static void
flush (gpointer data)
{
  g_autoptr (GTask) task = data;

  g_task_return_boolean (task, TRUE);
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

/**
 * ear_download_store_new:
 * @path: the folder of downloads, which may be missing
 * @chosen: whether the listener has chosen it
 *
 * Returns: (transfer full): a store of its files
 */
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

  return ear_download_folder_get_path (self->folder);
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

/**
 * ear_download_store_dup_file:
 * @self: the files of downloads
 *
 * Returns: (transfer full) (nullable): path of the file, if it is complete
 */
char *
ear_download_store_dup_file (EarDownloadStore *self, const EarDownloadRecord *record)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return ear_download_folder_dup_file (self->folder, record);
}

/**
 * ear_download_store_load_async:
 * @callback: called when the records are loaded
 *
 * Loads all records, and cleans up after a crash.
 */
void
ear_download_store_load_async (EarDownloadStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  work->at = &self->at;
  g_task_set_source_tag (task, ear_download_store_load_async);
  g_task_set_task_data (task, work, work_free);
  ear_thread_push (self->thread, load, task);
}

/**
 * ear_download_store_load_finish:
 * @n_damaged: (out): number of damaged records, which were set aside
 *
 * Returns: (transfer full) (element-type EarDownloadRecord): all downloads, in the
 *   order of `wanted`
 */
GPtrArray *
ear_download_store_load_finish (GAsyncResult *result, guint *n_damaged, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_load_async), NULL);

  *n_damaged = ((Work *) g_task_get_task_data (G_TASK (result)))->n_damaged;

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_download_store_change_async:
 * @change: the change
 * @callback: (nullable): called when the change is on the disk
 *
 * Queues a change; changes are done in the order of the calls.
 */
void
ear_download_store_change_async (EarDownloadStore *self, EarDownloadChange change, const EarDownloadRecord *record,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Work *work = g_new0 (Work, 1);

  work->at = &self->at;
  work->change = change;
  work->record = ear_download_record_copy (record);
  g_task_set_source_tag (task, ear_download_store_change_async);
  g_task_set_task_data (task, work, work_free);
  ear_thread_push (self->thread, change_record, task);
}

/**
 * ear_download_store_change_finish:
 *
 * Returns: (transfer full): the record after the change, or %NULL
 */
EarDownloadRecord *
ear_download_store_change_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_change_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
move (gpointer data)
{
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (ear_download_folder_copy (*work->at, work->other, work->cancellable, &error))
    {
      *work->at = work->other;
      g_task_return_boolean (task, TRUE);
    }
  else
    g_task_return_error (task, error);
}

static void
clear (gpointer data)
{
  g_autoptr (GTask) task = data;
  Work *work = g_task_get_task_data (task);

  ear_download_folder_clear (work->other, *work->at);
  g_task_return_boolean (task, TRUE);
}

static void
push_other (EarDownloadStore *self, GTask *task, const char *path, gboolean chosen, GSourceOnceFunc func)
{
  Work *work = g_new0 (Work, 1);

  work->at = &self->at;
  work->other = ear_download_folder_new (path, chosen);
  work->cancellable = g_task_get_cancellable (task);
  g_ptr_array_add (self->folders, work->other);
  g_task_set_task_data (task, work, work_free);
  g_task_set_check_cancellable (task, FALSE);
  ear_thread_push (self->thread, func, task);
}

/**
 * ear_download_store_move_async:
 * @path: another folder
 * @chosen: whether the listener has chosen it
 * @callback: called when everything is there
 *
 * Copies everything to another folder, and uses that folder afterwards; later requests
 * are done there. The old folder keeps its files until [method@EarDownloadStore.clear].
 * Nothing may be downloaded meanwhile.
 */
void
ear_download_store_move_async (EarDownloadStore *self, const char *path, gboolean chosen, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
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

/* Removes the files in an old folder that the present one has as well.
 * @path: a folder used for downloads before */
void
ear_download_store_clear (EarDownloadStore *self, const char *path)
{
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, ear_download_store_clear);
  push_other (self, task, path, TRUE, clear);
}

/* Calls back when all earlier requests are done. */
void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_flush_async);
  ear_thread_push (self->thread, flush, task);
}
