/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* The downloads folder: moving to another one, and waiting for a missing one */

/* Seconds between checks; polled, as the folder need not be a mount point that the system
 * reports. */
#define LOOK_INTERVAL 5

static gboolean
look_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->told_missing = FALSE;
  if (!self->available && !ear_download_store_is_there (self->store))
    return G_SOURCE_CONTINUE;
  self->look_source = 0;
  ear_property_set_boolean (self, "available", TRUE);
  if (self->loaded)
    ear_downloader_notify_room (self);
  else
    ear_downloader_load (self);

  return G_SOURCE_REMOVE;
}

/* Shows one notice about the missing folder, not one for each of a hundred episodes. */
void
ear_downloader_tell_missing (EarDownloader *self)
{
  if (self->told_missing)
    return;
  self->told_missing = TRUE;
  ear_notices_add (self->notices,
                   _("The downloads folder was not found. Downloads resume once it is back."),
                   TRUE);
}

/* Checks for the folder before a missing file counts as removed, so that no download is
 * forgotten while the folder is away.
 * Returns: whether the folder is missing */
gboolean
ear_downloader_miss_folder (EarDownloader *self)
{
  if (ear_download_store_is_there (self->store))
    return FALSE;
  if (!self->available)
    return TRUE;

  ear_property_set_boolean (self, "available", FALSE);
  ear_downloader_tell_missing (self);
  if (self->look_source == 0)
    self->look_source = g_timeout_add_seconds (LOOK_INTERVAL, look_cb, self);

  return TRUE;
}

typedef struct
{
  char *path;
  gboolean chosen;
} Move;

static void
move_free (gpointer data)
{
  Move *move = data;

  g_free (move->path);
  g_free (move);
}

/* Loads the records of the new folder: files may have other names there, and it may hold
 * downloads from an earlier time. */
static void
read_anew (EarDownloader *self)
{
  self->loaded = FALSE;
  g_hash_table_remove_all (self->by_key);
  g_ptr_array_set_size (self->items, 0);
  ear_property_set_boolean (self, "available", TRUE);
  ear_downloader_load (self);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarDownloader *self = g_task_get_source_object (task);
  GError *error = NULL;
  const gboolean moved = ear_download_store_move_finish (self->store, result, &error);

  g_clear_object (&self->moving);
  if (moved && !self->stopped)
    read_anew (self);
  else
    ear_downloader_pump (self);
  if (moved)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Starts the copy of a requested move if no download is busy. */
void
ear_downloader_copy_if_idle (EarDownloader *self)
{
  Move *move;

  if (self->moving == NULL || g_task_get_task_data (self->moving) == NULL)
    return;
  for (guint i = 0; i < self->items->len; i++)
    if (((EarDownloadItem *) g_ptr_array_index (self->items, i))->busy)
      return;

  move = g_task_get_task_data (self->moving);
  ear_download_store_move_async (self->store, move->path, move->chosen,
                                 g_task_get_cancellable (self->moving), copied_cb,
                                 g_object_ref (self->moving));
  /* Clears the data, so that the copy starts only once. */
  g_task_set_task_data (self->moving, NULL, NULL);
}

/* Moves the downloads folder; running downloads pause until that is done. The files in
 * the old folder stay until [method@EarDownloader.clear_folder].
 * @path: another folder
 * @chosen: whether the listener has chosen it
 * @callback: called when all downloads are there */
void
ear_downloader_move_folder_async (EarDownloader *self, const char *path, gboolean chosen,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task;
  Move *move;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_downloader_move_folder_async);
  g_task_set_check_cancellable (task, FALSE);
  if (self->moving != NULL || self->stopped)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_BUSY,
                                       "it is being moved already");
      g_object_unref (task);
      return;
    }

  move = g_new0 (Move, 1);
  move->path = g_strdup (path);
  move->chosen = chosen;
  g_task_set_task_data (task, move, move_free);
  self->moving = task;
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->cancellable != NULL)
        g_cancellable_cancel (item->cancellable);
    }
  ear_downloader_copy_if_idle (self);
}

gboolean
ear_downloader_move_folder_finish (EarDownloader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_downloader_move_folder_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Removes the files of another folder that are also in the current one.
 * @path: a former downloads folder */
void
ear_downloader_clear_folder (EarDownloader *self, const char *path)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  ear_download_store_clear (self->store, path);
}
