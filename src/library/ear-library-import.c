/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: lists of podcasts in, and out. */

#include "ear-library-private.h"

#include "ear-address.h"
#include "ear-opml-loader.h"
#include "ear-opml.h"
#include "ear-takeover.h"

#include <glib/gi18n-lib.h>

/* --- In ------------------------------------------------------------------------------- */

typedef struct
{
  EarLibrary *library;
  GPtrArray *podcasts; /* (element-type EarPodcast) */
} Imported;

static void
imported_free (gpointer data)
{
  Imported *imported = data;

  g_object_unref (imported->library);
  g_ptr_array_unref (imported->podcasts);
  g_free (imported);
}

static void
take_import_back (gpointer user_data)
{
  Imported *imported = user_data;

  for (guint i = 0; imported->library->subscriptions != NULL && i < imported->podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (imported->podcasts, i);

      if (ear_podcast_get_followed (podcast))
        ear_subscriptions_unfollow (imported->library->subscriptions, podcast);
    }
}

static void
import_finished_cb (EarLibrary *self, EarImport *import)
{
  GPtrArray *added = ear_import_get_added (import);
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  Imported *imported;

  if (added->len == 0)
    return;

  message = g_strdup_printf (ngettext ("Followed %'u podcast", "Followed %'u podcasts", added->len), added->len);
  imported = g_new0 (Imported, 1);
  imported->library = g_object_ref (self);
  imported->podcasts = g_ptr_array_ref (added);
  undo = ear_undo_new (message, take_import_back, imported, imported_free);
  ear_library_offer_undo (self, undo);
}

/**
 * ear_library_need_import:
 * @self: the library
 *
 * Returns: (transfer none): the import that runs, or a new one
 */
EarImport *
ear_library_need_import (EarLibrary *self)
{
  if (self->import != NULL && !ear_import_get_finished (self->import))
    return self->import;

  g_clear_object (&self->import);
  self->import = ear_import_new (self->subscriptions, self->refresher);
  g_signal_connect_object (self->import, "finished", G_CALLBACK (import_finished_cb), self, G_CONNECT_SWAPPED);
  g_object_notify (G_OBJECT (self), "import");

  return self->import;
}

/**
 * ear_library_import:
 * @self: the library
 * @outlines: (element-type EarOpmlOutline): podcasts
 *
 * Follows many podcasts. What is followed already stays as it is. That it was done can be
 * taken back: see [signal@EarLibrary::undo-offered].
 *
 * Returns: (transfer none): how it goes; one that runs already takes these podcasts too
 */
EarImport *
ear_library_import (EarLibrary *self, GPtrArray *outlines)
{
  EarImport *import;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (outlines != NULL, NULL);

  import = ear_library_need_import (self);
  ear_import_add (import, outlines, NULL, NULL, NULL);

  return import;
}

/* What was done elsewhere with the episodes of the podcasts that are taken over */
typedef struct
{
  EarLibrary *library;
  GPtrArray *podcasts;    /* (element-type EarTakeoverPodcast) */
  GHashTable *by_address; /* (element-type utf8 EarTakeoverPodcast) */
} Takeover;

static void
takeover_free (gpointer data)
{
  Takeover *takeover = data;

  g_object_unref (takeover->library);
  g_hash_table_unref (takeover->by_address);
  g_ptr_array_unref (takeover->podcasts);
  g_free (takeover);
}

/* To the files, which keep it, and to the catalogue, where it waits for the feed. */
static void
take_over_podcast (EarPodcast *podcast, const char *address, gpointer user_data)
{
  Takeover *takeover = user_data;
  const EarTakeoverPodcast *known = g_hash_table_lookup (takeover->by_address, address);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (known == NULL || known->episodes->len == 0 || takeover->library->state == NULL)
    return;

  for (guint i = 0; i < known->episodes->len; i++)
    {
      const EarTakeoverEpisode *episode = g_ptr_array_index (known->episodes, i);
      const char *name = episode->guid != NULL ? episode->guid : episode->enclosure;

      ear_state_store_adopt_episode (takeover->library->state, podcast, name, episode->title, episode->enclosure, &episode->state);
      g_hash_table_insert (states, g_strdup (name), g_memdup2 (&episode->state, sizeof episode->state));
    }
  ear_catalogue_apply_state (takeover->library->catalogue, ear_podcast_get_id (podcast), states);
}

static guint
take_over (EarLibrary *self, GPtrArray *podcasts)
{
  g_autoptr (GPtrArray) outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_opml_outline_free);
  Takeover *takeover = g_new0 (Takeover, 1);
  const guint n = podcasts->len;

  takeover->library = g_object_ref (self);
  takeover->podcasts = g_ptr_array_ref (podcasts);
  takeover->by_address = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < podcasts->len; i++)
    {
      EarTakeoverPodcast *podcast = g_ptr_array_index (podcasts, i);
      EarOpmlOutline *outline = ear_opml_outline_new ();

      outline->address = g_strdup (podcast->address);
      outline->title = g_strdup (podcast->title);
      outline->folder = g_strdup (podcast->folder);
      g_ptr_array_add (outlines, outline);
      g_hash_table_insert (takeover->by_address, podcast->address, podcast);
    }
  ear_import_add (ear_library_need_import (self), outlines, take_over_podcast, takeover, takeover_free);

  return n;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_load_finish (result, &error);

  if (outlines != NULL && self->subscriptions == NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The library is closed");
  else if (outlines != NULL)
    {
      ear_library_import (self, outlines);
      g_task_return_int (task, outlines->len);
    }
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
taken_over_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) podcasts = ear_takeover_read_finish (result, &error);

  if (podcasts != NULL && self->subscriptions == NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The library is closed");
  else if (podcasts != NULL)
    g_task_return_int (task, take_over (self, podcasts));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    {
      GFile *file = g_task_get_task_data (task);
      GCancellable *cancellable = g_task_get_cancellable (task);

      ear_opml_load_async (file, cancellable, loaded_cb, g_steal_pointer (&task));
    }
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * ear_library_import_file_async:
 * @self: the library
 * @file: a list of podcasts in OPML, or the database of GNOME Podcasts, Kasts or gPodder
 * @cancellable: (nullable): a cancellable
 * @callback: called when the list was read
 * @user_data: data of the caller
 *
 * Reads a list of podcasts and begins to follow them: see [method@EarLibrary.import]. With
 * another program's database, what the listener did there comes too, unless something newer
 * was done here.
 */
void
ear_library_import_file_async (EarLibrary *self, GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_import_file_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  ear_takeover_read_async (file, cancellable, taken_over_cb, task);
}

/**
 * ear_library_find_takeovers_async:
 * @self: the library
 * @cancellable: (nullable): a cancellable
 * @callback: called when all was looked at
 * @user_data: data of the caller
 *
 * Looks for other programs whose podcasts could be imported.
 */
void
ear_library_find_takeovers_async (EarLibrary *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  ear_takeover_find_async (g_get_home_dir (), g_get_user_data_dir (), cancellable, callback, user_data);
}

/**
 * ear_library_find_takeovers_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (element-type EarTakeoverSource): databases for
 *   [method@EarLibrary.import_file_async], maybe none
 */
GPtrArray *
ear_library_find_takeovers_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return ear_takeover_find_finish (result, error);
}

/**
 * ear_library_import_file_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: how many podcasts are in the list, -1 on an error
 */
int
ear_library_import_file_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}

/**
 * ear_library_get_import:
 * @self: the library
 *
 * Returns: (transfer none) (nullable): the import that runs, or ran last
 */
EarImport *
ear_library_get_import (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->import;
}

static void
follow_back (gpointer user_data)
{
  Imported *imported = user_data;

  for (guint i = 0; imported->library->subscriptions != NULL && i < imported->podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (imported->podcasts, i);

      ear_subscriptions_follow (imported->library->subscriptions, ear_podcast_get_address (podcast), ear_podcast_get_title (podcast));
    }
}

/**
 * ear_library_unfollow_failed:
 * @self: the library
 * @import: an import
 *
 * Unfollows what an import could not fetch. Can be taken back.
 */
void
ear_library_unfollow_failed (EarLibrary *self, EarImport *import)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *failures;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  Imported *imported;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_IMPORT (import));

  failures = ear_import_get_failures (import);
  for (guint i = 0; i < g_list_model_get_n_items (failures); i++)
    {
      g_autoptr (EarImportFailure) failure = g_list_model_get_item (failures, i);
      EarPodcast *podcast = ear_import_failure_get_podcast (failure);

      if (!ear_podcast_get_followed (podcast))
        continue;
      g_ptr_array_add (podcasts, g_object_ref (podcast));
      ear_subscriptions_unfollow (self->subscriptions, podcast);
    }
  if (podcasts->len == 0)
    return;

  message = g_strdup_printf (ngettext ("Unfollowed %'u podcast", "Unfollowed %'u podcasts", podcasts->len), podcasts->len);
  imported = g_new0 (Imported, 1);
  imported->library = g_object_ref (self);
  imported->podcasts = g_steal_pointer (&podcasts);
  undo = ear_undo_new (message, follow_back, imported, imported_free);
  ear_library_offer_undo (self, undo);
}

/* --- Out ------------------------------------------------------------------------------ */

/* What an export works on */
typedef struct
{
  GFile *file;         /* (nullable): where to write, if the caller does not do that */
  GPtrArray *outlines; /* (element-type EarOpmlOutline) */
  gboolean replace;    /* a file that is there already */
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  g_clear_object (&export->file);
  g_ptr_array_unref (export->outlines);
  g_free (export);
}

/* Where a podcast is fetched from is what another program needs to know. */
static const char *
get_feed_address (EarPodcast *podcast)
{
  const char *feed = ear_podcast_get_feed_address (podcast);

  return feed != NULL ? feed : ear_podcast_get_address (podcast);
}

static gboolean
is_private (EarPodcast *podcast)
{
  return ear_address_has_secret (ear_podcast_get_address (podcast)) || ear_address_has_secret (get_feed_address (podcast));
}

/**
 * ear_library_count_private:
 * @self: the library
 *
 * Returns: how many podcasts have addresses that let whoever knows them in, as members
 */
guint
ear_library_count_private (EarLibrary *self)
{
  GListModel *podcasts = ear_library_get_podcasts (self);
  guint n = 0;

  for (guint i = 0; podcasts != NULL && i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += is_private (podcast);
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
list_podcasts (EarLibrary *self, gboolean with_private)
{
  GPtrArray *outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_opml_outline_free);
  GListModel *podcasts = ear_library_get_podcasts (self);

  for (guint i = 0; podcasts != NULL && i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      EarOpmlOutline *outline;

      if (is_private (podcast) && !with_private)
        continue;
      outline = ear_opml_outline_new ();
      outline->address = g_strdup (get_feed_address (podcast));
      outline->title = g_strdup (ear_podcast_get_title (podcast));
      outline->link = g_strdup (ear_podcast_get_facts (podcast)->link);
      /* For now the name by which its folder is known */
      outline->folder = g_strdup (ear_podcast_get_address (podcast));
      g_ptr_array_add (outlines, outline);
    }

  return outlines;
}

static void
fill_folders (GPtrArray *outlines, GPtrArray *subscriptions)
{
  g_autoptr (GHashTable) folders = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < subscriptions->len; i++)
    {
      const EarSubscription *subscription = g_ptr_array_index (subscriptions, i);

      g_hash_table_insert (folders, subscription->address, subscription->folder);
    }
  for (guint i = 0; i < outlines->len; i++)
    {
      EarOpmlOutline *outline = g_ptr_array_index (outlines, i);

      g_set_str (&outline->folder, g_hash_table_lookup (folders, outline->folder));
    }
  g_ptr_array_sort (outlines, compare_outlines);
}

static gboolean
write_list (Export *export, GBytes *bytes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileOutputStream) stream = NULL;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (export->file == NULL)
    return TRUE;
  if (export->replace)
    return g_file_replace_contents (export->file, data, length, NULL, FALSE, G_FILE_CREATE_NONE, NULL, cancellable, error);

  stream = g_file_create (export->file, G_FILE_CREATE_NONE, cancellable, error);

  return stream != NULL && g_output_stream_write_all (G_OUTPUT_STREAM (stream), data, length, NULL, cancellable, error) &&
         g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error);
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

static void
subscriptions_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Export *export = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean first_start;
  g_autoptr (GPtrArray) subscriptions =
    ear_state_store_load_subscriptions_finish (EAR_STATE_STORE (source), result, &first_start, &error);

  if (subscriptions == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  fill_folders (export->outlines, subscriptions);
  g_task_run_in_thread (task, write_thread);
}

static void
begin_export (EarLibrary *self, GFile *file, gboolean replace, gboolean with_private, GTask *task)
{
  Export *export = g_new0 (Export, 1);

  export->replace = replace;
  g_set_object (&export->file, file);
  export->outlines = list_podcasts (self, with_private);
  g_task_set_task_data (task, export, export_free);
  ear_state_store_load_subscriptions_async (self->state, g_task_get_cancellable (task), subscriptions_loaded_cb, task);
}

/**
 * ear_library_export_async:
 * @self: the library
 * @with_private: whether podcasts whose address is somebody's secret are in it too
 * @cancellable: (nullable): a cancellable
 * @callback: called when the list is made
 * @user_data: data of the caller
 *
 * Makes a list in OPML of what is followed, with the folders that it came in.
 */
void
ear_library_export_async (EarLibrary *self, gboolean with_private, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->state != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_export_async);
  begin_export (self, NULL, FALSE, with_private, task);
}

/**
 * ear_library_export_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the list
 */
GBytes *
ear_library_export_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_library_export_file_async:
 * @self: the library
 * @file: where to write
 * @replace: whether a file that is there may be replaced
 * @with_private: whether podcasts whose address is somebody's secret are written too
 * @cancellable: (nullable): a cancellable
 * @callback: called when the file is written
 * @user_data: data of the caller
 *
 * Writes what is followed as a list in OPML, with the folders that it came in.
 */
void
ear_library_export_file_async (EarLibrary *self, GFile *file, gboolean replace, gboolean with_private,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (self->state != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_export_file_async);
  begin_export (self, file, replace, with_private, task);
}

/**
 * ear_library_export_file_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether the file was written
 */
gboolean
ear_library_export_file_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  bytes = g_task_propagate_pointer (G_TASK (result), error);

  return bytes != NULL;
}
