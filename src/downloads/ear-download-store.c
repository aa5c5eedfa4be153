/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-store.h"

#include "ear-download-folder.h"
#include "ear-thread.h"

/**
 * EarDownloadStore:
 *
 * The files of downloads, and what is known of them. A thread does all file work, one thing after the
 * other, in the order in which it was asked for.
 *
 * They are not with the listened state: that may be shared by several machines, and comes out of backups;
 * what is on the disk of this one is what lies there.
 */
struct _EarDownloadStore
{
  GObject parent_instance;

  /* Owned */
  char *path;
  EarDownloadFolder *folder;
  EarThread *thread;
};

G_DEFINE_FINAL_TYPE (EarDownloadStore, ear_download_store, G_TYPE_OBJECT)

/* Something to do, on its way to the thread and back; the task stays at home. */
typedef struct
{
  EarDownloadFolder *folder; /* borrowed: the thread ends before it */
  GMainContext *home;
  GTask *task;
  gboolean loads;
  EarDownloadChange change;
  EarDownloadRecord *record; /* (nullable) */
  GPtrArray *records;        /* (nullable): what was loaded */
  guint n_damaged;
  GError *error;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_pointer (&work->record, ear_download_record_free);
  g_clear_pointer (&work->records, g_ptr_array_unref);
  g_clear_error (&work->error);
  g_main_context_unref (work->home);
  g_free (work);
}

static void
complete (gpointer data)
{
  Work *work = data;

  if (work->error != NULL)
    g_task_return_error (work->task, g_steal_pointer (&work->error));
  else if (work->loads)
    g_task_return_pointer (work->task, g_steal_pointer (&work->records), (GDestroyNotify) g_ptr_array_unref);
  else if (work->record == NULL)
    g_task_return_boolean (work->task, TRUE);
  else
    g_task_return_pointer (work->task, g_steal_pointer (&work->record), (GDestroyNotify) ear_download_record_free);
}

/* The task owns the work. */
static void
release_task (gpointer data)
{
  Work *work = data;
  g_autoptr (GTask) task = g_steal_pointer (&work->task);
}

static void
change_record (Work *work)
{
  static gboolean (*const functions[]) (EarDownloadFolder *, EarDownloadRecord *, GError **) = {
    [EAR_DOWNLOAD_CHANGE_KEEP] = ear_download_folder_keep,
    [EAR_DOWNLOAD_CHANGE_FINISH] = ear_download_folder_finish,
    [EAR_DOWNLOAD_CHANGE_TRASH] = ear_download_folder_trash,
    [EAR_DOWNLOAD_CHANGE_RESTORE] = ear_download_folder_restore,
    [EAR_DOWNLOAD_CHANGE_DISCARD] = ear_download_folder_discard,
  };

  functions[work->change](work->folder, work->record, &work->error);
}

static void
perform (gpointer data)
{
  Work *work = data;

  if (work->loads)
    work->records = ear_download_folder_load (work->folder, &work->n_damaged);
  else if (work->record != NULL)
    change_record (work);
  ear_context_push (work->home, complete, work, release_task);
}

static void
submit (EarDownloadStore *self, GTask *task, Work *work)
{
  work->folder = self->folder;
  work->home = g_main_context_ref (g_task_get_context (task));
  work->task = task;
  g_task_set_task_data (task, work, work_free);
  ear_thread_push (self->thread, perform, work);
}

static void
ear_download_store_finalize (GObject *object)
{
  EarDownloadStore *self = EAR_DOWNLOAD_STORE (object);

  /* Each task holds a reference: nothing waits any more. */
  g_clear_pointer (&self->thread, ear_thread_stop);
  g_clear_pointer (&self->folder, ear_download_folder_free);
  g_free (self->path);

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
  self->thread = ear_thread_new ("downloads", EAR_WORKER_ANSWERS);
}

/**
 * ear_download_store_new:
 * @path: the folder of downloads, which need not be there yet
 *
 * Returns: (transfer full): the files in it
 */
EarDownloadStore *
ear_download_store_new (const char *path)
{
  EarDownloadStore *self = g_object_new (EAR_TYPE_DOWNLOAD_STORE, NULL);

  self->path = g_strdup (path);
  self->folder = ear_download_folder_new (path);

  return self;
}

const char *
ear_download_store_get_path (EarDownloadStore *self)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return self->path;
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
 * @record: a download
 *
 * Returns: (transfer full) (nullable): where its file is, if all of it has come
 */
char *
ear_download_store_dup_file (EarDownloadStore *self, const EarDownloadRecord *record)
{
  g_return_val_if_fail (EAR_IS_DOWNLOAD_STORE (self), NULL);

  return ear_download_folder_dup_file (self->folder, record);
}

/**
 * ear_download_store_load_async:
 * @self: the files of downloads
 * @cancellable: (nullable): a cancellable
 * @callback: called when they are known
 * @user_data: data of the caller
 *
 * Finds out what there is, and cleans up behind a session that ended too early.
 */
void
ear_download_store_load_async (EarDownloadStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Work *work;

  g_return_if_fail (EAR_IS_DOWNLOAD_STORE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_download_store_load_async);
  work = g_new0 (Work, 1);
  work->loads = TRUE;
  submit (self, task, work);
}

/**
 * ear_download_store_load_finish:
 * @self: the files of downloads
 * @result: what the callback got
 * @n_damaged: (out): of how many the record was damaged, and set aside
 * @error: return location
 *
 * Returns: (transfer full) (element-type EarDownloadRecord): all downloads, those wanted first first
 */
GPtrArray *
ear_download_store_load_finish (EarDownloadStore *self, GAsyncResult *result, guint *n_damaged, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_load_async), NULL);

  *n_damaged = ((Work *) g_task_get_task_data (G_TASK (result)))->n_damaged;

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_download_store_change_async:
 * @self: the files of downloads
 * @change: what is to become of it
 * @record: a download
 * @callback: (nullable): called when that is on the disk
 * @user_data: data of the caller
 *
 * What is asked for first is done first.
 */
void
ear_download_store_change_async (EarDownloadStore *self, EarDownloadChange change, const EarDownloadRecord *record,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Work *work;

  g_return_if_fail (EAR_IS_DOWNLOAD_STORE (self));
  g_return_if_fail (record != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_download_store_change_async);
  work = g_new0 (Work, 1);
  work->change = change;
  work->record = ear_download_record_copy (record);
  submit (self, task, work);
}

/**
 * ear_download_store_change_finish:
 * @self: the files of downloads
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full): what is known of the download now, or %NULL
 */
EarDownloadRecord *
ear_download_store_change_finish (EarDownloadStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_change_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_DOWNLOAD_STORE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_download_store_flush_async);
  submit (self, task, g_new0 (Work, 1));
}

void
ear_download_store_flush_finish (EarDownloadStore *self, GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, ear_download_store_flush_async));

  g_task_propagate_boolean (G_TASK (result), NULL);
}
