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
  EarDownloadFolder *folder; /* as the main thread knows it */
  EarDownloadFolder *at;     /* as the thread does, which alone may change it: borrowed from @folders */
  GPtrArray *folders;        /* (element-type EarDownloadFolder): the last one is the newest */
  EarThread *thread;
};

G_DEFINE_FINAL_TYPE (EarDownloadStore, ear_download_store, G_TYPE_OBJECT)

/* Something to do. The task that has it has no source object, as it is the thread that lets go of it. */
typedef struct
{
  EarDownloadFolder **at; /* borrowed, as the next two: the thread ends before them */
  EarDownloadFolder *other; /* (nullable): where all is to be, or what is to be cleared */
  GCancellable *cancellable; /* (nullable): kept by the task */
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
 * @path: the folder of downloads, which need not be there yet
 * @chosen: whether the listener has chosen it
 *
 * Returns: (transfer full): the files in it
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

/* Returns: whether the folder is there, with what was ever downloaded to it */
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

  work->at = &self->at;
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
 * Returns: (transfer full): what is known of the download now, or %NULL
 */
EarDownloadRecord *
ear_download_store_change_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_store_change_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Another folder ----------------------------------------------------------------------- */

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
 * @callback: called when all is there
 *
 * Has all that there is in another folder as well, and from then on is that one; what is asked for meanwhile is done there. What is in the
 * present one stays, until [method@EarDownloadStore.clear]. Nothing may be downloaded meanwhile.
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

/* Removes what is in another folder and in this one as well.
 * @path: a folder that was downloaded to before */
void
ear_download_store_clear (EarDownloadStore *self, const char *path)
{
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, ear_download_store_clear);
  push_other (self, task, path, TRUE, clear);
}

/* Tells when all that was asked for is done. */
void
ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_download_store_flush_async);
  ear_thread_push (self->thread, flush, task);
}
