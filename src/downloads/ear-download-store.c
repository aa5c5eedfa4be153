/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-store.h"

#include "ear-download-folder.h"
#include "ear-property.h"
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

/* Something to do. The task that has it has no source object, as it is the thread that lets go of it. */
typedef struct
{
  EarDownloadFolder *folder; /* borrowed: the thread ends before it */
  EarDownloadChange change;
  EarDownloadRecord *record; /* (nullable): what is changed */
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

  g_task_return_pointer (task, ear_download_folder_load (work->folder, &work->n_damaged), (GDestroyNotify) g_ptr_array_unref);
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

  if (functions[work->change] (work->folder, work->record, &error))
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

EAR_DEFINE_GET (EarDownloadStore, ear_download_store, const char *, path)

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
 * @callback: called when they are known
 *
 * Finds out what there is, and cleans up behind a session that ended too early.
 */
void
ear_download_store_load_async (EarDownloadStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  work->folder = self->folder;
  g_task_set_source_tag (task, ear_download_store_load_async);
  g_task_set_task_data (task, work, work_free);
  ear_thread_push (self->thread, load, task);
}

/**
 * ear_download_store_load_finish:
 * @n_damaged: (out): of how many the record was damaged, and set aside
 *
 * Returns: (transfer full) (element-type EarDownloadRecord): all downloads, those wanted first first
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
 * @change: what is to become of it
 * @callback: (nullable): called when that is on the disk
 *
 * What is asked for first is done first.
 */
void
ear_download_store_change_async (EarDownloadStore *self, EarDownloadChange change, const EarDownloadRecord *record,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Work *work = g_new0 (Work, 1);

  work->folder = self->folder;
  work->change = change;
  work->record = ear_download_record_copy (record);
  g_task_set_source_tag (task, ear_download_store_change_async);
  g_task_set_task_data (task, work, work_free);
  ear_thread_push (self->thread, change_record, task);
}

/**
 * ear_download_store_change_finish:
 *
 * Returns: (transfer full): what is known of the download now, or %NULL
 */
EarDownloadRecord *
ear_download_store_change_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_change_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Tells when all that was asked for is done. */
void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_flush_async);
  ear_thread_push (self->thread, flush, task);
}
