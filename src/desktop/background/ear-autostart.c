/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-autostart.h"

#include <errno.h>
#include <glib/gstdio.h>

/*
 * Starts the program with the session where there is no portal that does so: by a file in
 * the folder of the Desktop Application Autostart Specification.
 */

static const char contents[] =
  "[Desktop Entry]\n"
  "Type=Application\n"
  "Name=Earmark\n"
  "Icon=" EAR_APP_ID "\n"
  "Exec=" EAR_PROGRAM " --gapplication-service\n"
  "X-GNOME-Autostart-enabled=true\n";

static void
fail (GTask *task, const char *path, int code)
{
  g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

static void
set_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const gboolean enabled = GPOINTER_TO_INT (data);
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "autostart", NULL);
  g_autofree char *path = g_build_filename (folder, EAR_APP_ID ".desktop", NULL);
  GError *error = NULL;

  if (enabled && g_mkdir_with_parents (folder, 0700) != 0)
    fail (task, folder, errno);
  else if (enabled && !g_file_set_contents_full (path, contents, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &error))
    g_task_return_error (task, error);
  else if (!enabled && g_unlink (path) != 0 && errno != ENOENT)
    fail (task, path, errno);
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * ear_autostart_set_async:
 * @enabled: whether to be started when the listener logs in
 *
 * Writes the file, or removes it, on a thread of its own.
 */
void
ear_autostart_set_async (gboolean enabled, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_autostart_set_async);
  g_task_set_task_data (task, GINT_TO_POINTER (enabled), NULL);
  g_task_run_in_thread (task, set_thread);
}

gboolean
ear_autostart_set_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_autostart_set_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
