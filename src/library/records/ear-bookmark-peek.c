/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-peek.h"

#include "ear-bookmark.h"
#include "ear-userdata-peek.h"
#include "ear-worker.h"

/* Reads the texts of bookmarks for searches without opening a library. */

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, ear_userdata_peek_records (task_data, EAR_RECORD_BOOKMARK),
                         (GDestroyNotify) g_ptr_array_unref);
}

/* @data_directory: the folder of the library */
void
ear_bookmark_peek_async (const char *data_directory, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_bookmark_peek_async);
  g_task_set_task_data (task, g_build_filename (data_directory, "state", NULL), g_free);
  ear_worker_run (task, read_thread, (GDestroyNotify) g_ptr_array_unref);
}

/* Returns: (transfer full) (nullable) (element-type EarBookmarkText): the argument of
 * ear_catalogue_set_bookmarks() */
GPtrArray *
ear_bookmark_peek_finish (GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) records = g_task_propagate_pointer (G_TASK (result), error);
  GPtrArray *texts;

  if (records == NULL)
    return NULL;
  texts = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);
      g_autoptr (EarBookmark) bookmark =
          record->value != NULL ? ear_bookmark_new_for_value (record->id, record->value) : NULL;

      if (bookmark != NULL)
        g_ptr_array_add (texts, ear_bookmark_create_text (bookmark));
    }

  return texts;
}
