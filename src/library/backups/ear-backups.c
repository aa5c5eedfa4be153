/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backups.h"

#include "ear-error.h"
#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* Intervals between copies */
#define BACKUP_INTERVAL (24 * G_TIME_SPAN_HOUR)
#define COPY_INTERVAL (7 * G_TIME_SPAN_DAY)

/* A failed copy may have filled the disk. */
#define COPY_PATIENCE (6 * G_TIME_SPAN_HOUR)

/* Checks after the first are this many times further apart: a daily task can wait, and
 * each check wakes the processor. */
#define LATER_LOOKS 5

/* Lists, saves and restores backups of the listener's data when they ask for it. In the
 * background, makes a backup each day, and a copy of the catalogue each week. Copying the
 * catalogue causes much disk traffic, so it starts only while nothing plays and no feed is
 * refreshed. */
struct _EarBackups
{
  EAR_PART_MEMBERS;

  /* Owned */
  GCancellable *cancellable; /* of the daily backup */
  guint source;
  guint pause; /* milliseconds until the first check */

  gint64 last_backup; /* time of the last one, or of the start of one; 0: not known yet */
  gint64 next_copy;   /* earliest time of the next copy, monotonic: not during one, and later
                       * after a failure */
};

G_DEFINE_FINAL_TYPE (EarBackups, ear_backups, EAR_TYPE_PART)

static void
ear_backups_release (EarBackups *self)
{
  ear_backups_stop (self);
  g_clear_object (&self->cancellable);
}

static void
ear_backups_class_init (EarBackupsClass *klass)
{
  ear_class_set_release (klass, ear_backups_release);
}

static void
ear_backups_init (EarBackups *self)
{
  self->cancellable = g_cancellable_new ();
}

EarBackups *
ear_backups_new (const EarServices *services)
{
  return ear_part_new (EAR_TYPE_BACKUPS, services);
}

/* Lists the backups, both the automatic ones and those made by hand. */
void
ear_backups_list_async (EarBackups *self, GAsyncReadyCallback callback, gpointer user_data)
{
  ear_userdata_store_ask_async (self->state, EAR_USERDATA_BACKUPS, callback, user_data);
}

/* Returns: (transfer full) (nullable) (element-type EarBackup): the backups, newest first */
GPtrArray *
ear_backups_list_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (g_file_copy_finish (G_FILE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
made_to_save_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarBackup) backup =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);
  GFile *target = g_task_get_task_data (task);
  g_autoptr (GFile) file = NULL;

  if (backup == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  file = g_file_new_for_path (backup->path);
  g_file_copy_async (file, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS,
                     G_PRIORITY_DEFAULT, NULL, NULL, NULL, saved_cb, g_steal_pointer (&task));
}

/* Makes a backup of the current data and writes a copy of it to @target.
 * @target: the file to write; replaced if it exists */
void
ear_backups_save_async (EarBackups *self, GFile *target, GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_backups_save_async);
  g_task_set_task_data (task, g_object_ref (target), g_object_unref);
  ear_history_save_position (self->history);
  ear_userdata_store_back_up_async (self->state, EAR_BACKUP_BY_HAND, NULL, made_to_save_cb, task);
}

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackups) self = user_data;
  g_autoptr (EarBackup) before =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, NULL);

  if (before == NULL)
    ear_notices_add (self->notices, TRUE, _("The backup could not be restored"));
}

/* Podcasts that were followed after the restore are unfollowed. */
static void
undo_restore (gpointer owner, gpointer path)
{
  EarBackups *self = owner;

  if (!ear_history_is_open (self->history))
    return;
  ear_history_save_position (self->history);
  ear_userdata_store_restore_async (self->state, path, TRUE, undone_cb, g_object_ref (self));
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  EarBackups *self = g_task_get_source_object (task);
  g_autoptr (EarBackup) before =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);

  if (before == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  ear_notices_offer (self->notices, _("The backup was restored"), undo_restore, self,
                     g_strdup (before->path), g_free);
  g_task_return_boolean (task, TRUE);
}

/* Restores the listener's data from a backup: the followed podcasts and, for each of
 * them, which episodes were started, played and liked. Podcasts followed since then stay
 * followed. The current data is backed up first, and [signal@EarNotices::undo-offered]
 * offers to return to it.
 * @file: a backup, from the list or from anywhere else */
void
ear_backups_restore_async (EarBackups *self, GFile *file, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autofree char *path = g_file_get_path (file);

  g_task_set_source_tag (task, ear_backups_restore_async);
  if (path == NULL)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_FAILED,
                                       "The file is not on this computer");
      return;
    }
  ear_history_save_position (self->history);
  ear_userdata_store_restore_async (self->state, path, FALSE, restored_cb, g_steal_pointer (&task));
}

/* Returns: whether the backup was saved, or restored */
gboolean
ear_backups_finish (EarBackups *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Copies in the background */

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackups) self = user_data;
  g_autoptr (GError) error = NULL;

  self->next_copy = 0;
  ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->next_copy = g_get_monotonic_time () + COPY_PATIENCE;
      g_message ("There is no new copy of the catalogue: %s", error->message);
    }
}

/* Returns: whether the interval has passed, or the clock has been set back since a copy
 * that is dated in the future */
static gboolean
is_due (gint64 last, gint64 interval)
{
  const gint64 now = g_get_real_time ();

  return last > now || now - last >= interval;
}

static void
backed_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackups) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarBackup) backup =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);

  self->last_backup = backup != NULL ? backup->made : 0;
  if (backup == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("There is no new backup: %s", error->message);
}

static void
check_cb (gpointer user_data)
{
  EarBackups *self = user_data;
  const gint64 last_copy = ear_catalogue_get_last_copy (self->catalogue) * G_USEC_PER_SEC;
  const EarPlayerState state = ear_player_get_state (self->player);

  self->source = g_timeout_add_once (LATER_LOOKS * self->pause, check_cb, self);
  /* The store makes no daily backup if there is one of the last day. */
  if (is_due (self->last_backup, BACKUP_INTERVAL))
    {
      self->last_backup = g_get_real_time ();
      ear_userdata_store_back_up_async (self->state, EAR_BACKUP_DAILY, self->cancellable,
                                        backed_up_cb, g_object_ref (self));
    }
  if (state != EAR_PLAYER_PLAYING && state != EAR_PLAYER_LOADING &&
      !ear_refresher_get_refreshing (self->refresher) &&
      g_get_monotonic_time () >= self->next_copy && is_due (last_copy, COPY_INTERVAL))
    {
      self->next_copy = G_MAXINT64;
      ear_catalogue_copy_async (self->catalogue, copied_cb, g_object_ref (self));
    }
}

/* Starts the periodic checks.
 * @pause: milliseconds until the first check */
void
ear_backups_start (EarBackups *self, guint pause)
{
  if (self->source != 0)
    return;
  self->pause = pause;
  self->source = g_timeout_add_once (pause, check_cb, self);
}

/* Starts no further copies. A copy in progress is canceled, or ends soon. */
void
ear_backups_stop (EarBackups *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_cancel (self->cancellable);
}
