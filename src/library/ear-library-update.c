/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-catalogue-update.h"
#include "ear-worker.h"

/* Updates the data of earlier versions before the library is opened. */

static char *
build_catalogue_path (EarLibrary *self)
{
  return g_build_filename (self->data_directory, "catalogue.db", NULL);
}

/* @self: a library that is not open
 * Returns: whether it is of an earlier version and must be updated before it is opened,
 *   which takes time */
gboolean
ear_library_needs_update (EarLibrary *self)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  path = build_catalogue_path (self);

  return ear_catalogue_needs_update (path);
}

static void
update_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (ear_catalogue_update (path, &error))
    g_task_return_pointer (task, g_strdup (path), g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Updates the data of an earlier version on another thread. A copy is kept.
 * @self: a library that is not open, and is not opened meanwhile
 * @callback: called when it can be opened */
void
ear_library_update_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->catalogue == NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_library_update_async);
  g_task_set_task_data (task, build_catalogue_path (self), g_free);
  ear_worker_run (task, update_thread, g_free);
}

gboolean
ear_library_update_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_autofree char *updated = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  updated = g_task_propagate_pointer (G_TASK (result), error);

  return updated != NULL;
}
