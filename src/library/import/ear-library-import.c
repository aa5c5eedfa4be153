/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: lists of podcasts from elsewhere. */

#include "ear-library-private.h"

#include "ear-opml-loader.h"
#include "ear-opml.h"
#include "ear-takeover.h"

#include <glib/gi18n-lib.h>

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
  ear_notices_offer_undo (self->notices, undo);
}

/* The one that runs, or a new one. */
static EarImport *
need_import (EarLibrary *self)
{
  if (self->import != NULL && !ear_import_get_finished (self->import))
    return self->import;

  g_clear_object (&self->import);
  self->import = ear_import_new (self->subscriptions, self->refresher, self->http);
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
 * taken back: see [signal@EarNotices::undo-offered].
 *
 * Returns: (transfer none): how it goes; one that runs already takes these podcasts too
 */
EarImport *
ear_library_import (EarLibrary *self, GPtrArray *outlines)
{
  EarImport *import;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (outlines != NULL, NULL);

  import = need_import (self);
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
  ear_import_add (need_import (self), outlines, take_over_podcast, takeover, takeover_free);

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

static void
takeovers_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *sources = ear_takeover_find_finish (result, &error);

  if (sources != NULL)
    g_task_return_pointer (task, sources, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
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
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_find_takeovers_async);
  ear_takeover_find_async (g_get_home_dir (), g_get_user_data_dir (), cancellable, takeovers_found_cb, task);
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
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
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

      ear_subscriptions_follow_again (imported->library->subscriptions, ear_podcast_get_address (podcast), ear_podcast_get_title (podcast));
    }
}

/**
 * ear_library_unfollow_failed:
 * @self: the library
 * @import: an import
 *
 * Unfollows what an import could not fetch, of which nothing more is to be told then. Can be taken back.
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
  ear_import_dismiss (import);
  if (podcasts->len == 0)
    return;

  message = g_strdup_printf (ngettext ("Unfollowed %'u podcast", "Unfollowed %'u podcasts", podcasts->len), podcasts->len);
  imported = g_new0 (Imported, 1);
  imported->library = g_object_ref (self);
  imported->podcasts = g_steal_pointer (&podcasts);
  undo = ear_undo_new (message, follow_back, imported, imported_free);
  ear_notices_offer_undo (self->notices, undo);
}
