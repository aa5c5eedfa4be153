/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Exports the followed podcasts for other programs. */

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-opml.h"
#include "ear-worker.h"

/* Data of an export */
typedef struct
{
  GFile *file;         /* (nullable): the file to write, unless the caller writes it */
  GPtrArray *outlines; /* (element-type EarOpmlOutline) */
  gboolean replace;    /* overwrite an existing file */
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  g_clear_object (&export->file);
  g_ptr_array_unref (export->outlines);
  g_free (export);
}

/* Returns: the number of podcasts whose address grants access to anybody who has it */
guint
ear_subscriptions_count_private (EarSubscriptions *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += ear_podcast_is_private (podcast);
    }

  return n;
}

static int
compare_outlines (gconstpointer a, gconstpointer b)
{
  const EarOpmlOutline *one = *(EarOpmlOutline **) a;
  const EarOpmlOutline *other = *(EarOpmlOutline **) b;

  return g_strcmp0 (one->folder, other->folder);
}

static GPtrArray *
list_podcasts (EarSubscriptions *self, gboolean with_private)
{
  GPtrArray *outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_opml_outline_free);
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      EarOpmlOutline *outline;

      if (ear_podcast_is_private (podcast) && !with_private)
        continue;
      outline = ear_opml_outline_new ();
      /* Other programs need the address that the feed is fetched from now. */
      outline->address = g_strdup (ear_podcast_get_feed_address (podcast));
      outline->title = g_strdup (ear_podcast_get_title (podcast));
      outline->link = g_strdup (ear_podcast_get_facts (podcast)->link);
      outline->folder = g_strdup (ear_podcast_get_folder (podcast));
      g_ptr_array_add (outlines, outline);
    }

  g_ptr_array_sort (outlines, compare_outlines);

  return outlines;
}

/* Deletes a partially written file, which would be mistaken for the whole list and block
 * another attempt. */
static gboolean
write_new (GFile *file, const char *data, gsize length, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileOutputStream) stream =
      g_file_create (file, G_FILE_CREATE_NONE, cancellable, error);

  if (stream == NULL)
    return FALSE;
  if (g_output_stream_write_all (G_OUTPUT_STREAM (stream), data, length, NULL, cancellable,
                                 error) &&
      g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error))
    return TRUE;
  g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, NULL);
  g_file_delete (file, NULL, NULL);

  return FALSE;
}

static gboolean
write_list (Export *export, GBytes *bytes, GCancellable *cancellable, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (export->file == NULL)
    return TRUE;
  if (export->replace)
    return g_file_replace_contents (export->file, data, length, NULL, FALSE, G_FILE_CREATE_NONE,
                                    NULL, cancellable, error);

  return write_new (export->file, data, length, cancellable, error);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Export *export = task_data;
  g_autoptr (GBytes) bytes = ear_opml_write (export->outlines, "Earmark");
  g_autoptr (GError) error = NULL;

  if (write_list (export, bytes, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&bytes), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Creates an OPML list of the followed podcasts in their folders.
 * @file: (nullable): the file to write
 * @replace: whether to overwrite an existing file
 * @with_private: whether to include podcasts with secret addresses
 * @callback: called when the list is created and written */
void
ear_subscriptions_export_async (EarSubscriptions *self, GFile *file, gboolean replace,
                                gboolean with_private, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Export *export;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_subscriptions_export_async);
  export = g_new0 (Export, 1);
  export->replace = replace;
  g_set_object (&export->file, file);
  export->outlines = list_podcasts (self, with_private);
  g_task_set_task_data (task, export, export_free);
  ear_worker_run (g_steal_pointer (&task), write_thread, (GDestroyNotify) g_bytes_unref);
}

/* Returns: (transfer full) (nullable): the list */
GBytes *
ear_subscriptions_export_finish (EarSubscriptions *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
