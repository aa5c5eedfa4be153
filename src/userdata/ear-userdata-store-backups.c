/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store-private.h"

#include "ear-backup-folder.h"
#include "ear-worker.h"

/* Backups of the state files. Backups are packed on a worker thread, so that the store's
 * thread can go on writing positions, and restored on the store's thread, so that nothing
 * else is written meanwhile. */

typedef struct
{
  char *directory;
  EarBackupReason reason;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_free (making->directory);
  g_free (making);
}

static void
list_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autofree char *path = ear_backup_folder_dup_path (task_data);

  g_task_return_pointer (task, ear_backup_folder_list (path), (GDestroyNotify) g_ptr_array_unref);
}

/**
 * ear_userdata_store_list_backups_async:
 * @callback: called when the backups are listed
 *
 * Lists all backups.
 */
void
ear_userdata_store_list_backups_async (EarUserdataStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_userdata_store_list_backups_async);
  g_task_set_task_data (task, g_strdup (self->directory), g_free);
  ear_worker_run (task, list_thread, g_object_unref);
}

/**
 * ear_userdata_store_list_backups_finish:
 *
 * Returns: (transfer full) (nullable) (element-type EarBackup): the backups, newest first
 */
GPtrArray *
ear_userdata_store_list_backups_finish (EarUserdataStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
make_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Making *making = task_data;
  g_autofree char *path = ear_backup_folder_dup_path (making->directory);
  g_autoptr (GError) error = NULL;
  EarBackup *backup = ear_backup_folder_make (path, making->directory, making->reason, &error);

  if (backup != NULL)
    g_task_return_pointer (task, backup, (GDestroyNotify) ear_backup_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (ear_userdata_store_flush_finish (EAR_USERDATA_STORE (source), result, &error))
    ear_worker_run (g_steal_pointer (&task), make_thread, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * ear_userdata_store_back_up_async:
 * @reason: why the backup is made
 * @callback: called when the backup is on the disk
 *
 * Makes a backup that includes all changes so far.
 */
void
ear_userdata_store_back_up_async (EarUserdataStore *self, EarBackupReason reason, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Making *making;

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));

  making = g_new0 (Making, 1);
  making->directory = g_strdup (self->directory);
  making->reason = reason;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_userdata_store_back_up_async);
  g_task_set_task_data (task, making, making_free);
  ear_userdata_store_flush_async (self, NULL, flushed_cb, task);
}

/**
 * ear_userdata_store_back_up_finish:
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full) (nullable): the backup; an earlier one if nothing
 *   has changed since
 */
EarBackup *
ear_userdata_store_back_up_finish (EarUserdataStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_userdata_store_restore_async:
 * @path: path of a backup
 * @exact: whether to unfollow podcasts followed since the backup
 * @callback: called when everything is restored
 *
 * Restores a backup, see ear_userdata_restore().
 * [signal@EarUserdataStore::podcast-changed] and
 * [signal@EarUserdataStore::subscriptions-changed] report the changes.
 */
void
ear_userdata_store_restore_async (EarUserdataStore *self, const char *path, gboolean exact, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  EarUserdataEvent *reply;

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (path != NULL);

  reply = ear_userdata_event_new (EAR_USERDATA_EVENT_REPLY);
  reply->file = g_strdup (path);
  reply->exact = exact;
  ear_userdata_store_ask (self, (EarUserdataRequest) ear_userdata_keeper_restore, reply, cancellable,
                          ear_userdata_store_restore_async, callback, user_data);
}

gboolean
ear_userdata_store_restore_finish (EarUserdataStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (EarUserdataEvent) reply = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  reply = g_task_propagate_pointer (G_TASK (result), error);

  return reply != NULL;
}
