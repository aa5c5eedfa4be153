/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-cache-private.h"

#include "ear-address.h"
#include "ear-error.h"

#include <glib/gstdio.h>

#define MAX_MEMORY (24 * 1024 * 1024)

/**
 * EarCoverCache:
 *
 * A cache of the pictures of podcasts and episodes, scaled down for storage and drawing.
 *
 * A cover is fetched once, decoded off the main thread, and stored in two sizes: in
 * files, and in memory up to 24 MB. After a week the cache asks the server whether the
 * cover has changed, and shows the old one meanwhile. Main thread only.
 */
G_DEFINE_FINAL_TYPE (EarCoverCache, ear_cover_cache, G_TYPE_OBJECT)

/* A caller waiting for a cover */
typedef struct
{
  EarCoverLoad *load;
  GTask *task;
  EarCoverSize size;
  GSource *cancel_source;
} Waiter;

static void
waiter_free (Waiter *waiter)
{
  if (waiter->cancel_source != NULL)
    g_source_destroy (waiter->cancel_source);
  g_clear_pointer (&waiter->cancel_source, g_source_unref);
  g_object_unref (waiter->task);
  g_free (waiter);
}

static void
given_free (gpointer data)
{
  EarCoverGiven *given = data;

  g_bytes_unref (given->bytes);
  g_free (given);
}

static char *
make_key (const char *address, EarCoverSize size)
{
  return g_strdup_printf ("%d %s", ear_cover_size_get_pixels (size), address);
}

static void
remember (EarCoverLoad *load, EarCoverSize size)
{
  g_autofree char *key = make_key (load->address, size);

  if (load->images[size] != NULL)
    ear_image_store_insert (load->cache->store, key, load->images[size]);
}

/* --- Loading ------------------------------------------------------------------------ */

static EarCoverLoad *
load_new (EarCoverCache *self, const char *address, EarCoverSize size)
{
  EarCoverLoad *load = g_new0 (EarCoverLoad, 1);

  load->cache = g_object_ref (self);
  load->address = g_strdup (address);
  load->size = size;
  load->waiters = g_ptr_array_new_with_free_func ((GDestroyNotify) waiter_free);
  load->cancellable = g_cancellable_new ();
  load->scratch = -1;

  return load;
}

static void
clear_images (EarCoverLoad *load)
{
  for (guint i = 0; i < EAR_COVER_N_SIZES; i++)
    g_clear_pointer (&load->images[i], ear_image_unref);
}

static void
load_free (EarCoverLoad *load)
{
  g_ptr_array_unref (load->waiters);
  g_object_unref (load->cancellable);
  g_free (load->address);
  g_clear_pointer (&load->facts, ear_cover_facts_free);
  g_clear_pointer (&load->given, g_bytes_unref);
  g_clear_fd (&load->scratch, NULL);
  clear_images (load);
  g_clear_error (&load->error);
  g_object_unref (load->cache);
  g_free (load);
}

static void
forget_load (EarCoverLoad *load)
{
  EarCoverCache *self = load->cache;

  if (g_hash_table_lookup (self->loads, load->address) == load)
    g_hash_table_remove (self->loads, load->address);
}

static gboolean
waiter_cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  Waiter *waiter = user_data;
  EarCoverLoad *load = waiter->load;
  g_autoptr (GTask) task = g_object_ref (waiter->task);

  g_ptr_array_remove (load->waiters, waiter);
  if (load->waiters->len == 0)
    {
      forget_load (load);
      g_cancellable_cancel (load->cancellable);
    }
  g_task_return_error_if_cancelled (task);

  return G_SOURCE_REMOVE;
}

static void
add_waiter (EarCoverLoad *load, GTask *task, EarCoverSize size)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Waiter *waiter = g_new0 (Waiter, 1);

  waiter->load = load;
  waiter->task = g_object_ref (task);
  waiter->size = size;
  if (cancellable != NULL)
    {
      waiter->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_static_name (waiter->cancel_source, "[earmark] cover not wanted");
      g_source_set_callback (waiter->cancel_source, G_SOURCE_FUNC (waiter_cancelled_cb), waiter, NULL);
      g_source_attach (waiter->cancel_source, g_task_get_context (task));
    }
  g_ptr_array_add (load->waiters, waiter);
}

static void wait_for (EarCoverCache *self, const char *address, EarCoverSize size, GTask *task);

/* Returns the result to all waiters. A waiter for the other size has to start another
 * load if this one came from a file; a fetch has both sizes. Only requested sizes are
 * stored in memory. */
static void
answer (EarCoverLoad *load)
{
  forget_load (load);
  remember (load, load->size);

  while (load->waiters->len > 0)
    {
      Waiter *waiter = g_ptr_array_steal_index (load->waiters, 0);
      EarImage *image = load->images[waiter->size];

      if (waiter->size != load->size)
        remember (load, waiter->size);
      if (load->error != NULL)
        g_task_return_error (waiter->task, g_error_copy (load->error));
      else if (image != NULL)
        g_task_return_pointer (waiter->task, ear_image_ref (image), (GDestroyNotify) ear_image_unref);
      else
        wait_for (load->cache, load->address, waiter->size, waiter->task);
      waiter_free (waiter);
    }
}

static void
fetched (EarCoverLoad *load)
{
  answer (load);
  load_free (load);
}

/* Finishes the revalidation of a cover, which may have a new picture. */
static void
checked (EarCoverLoad *load)
{
  if (load->images[EAR_COVER_SMALL] != NULL)
    {
      for (guint i = 0; i < EAR_COVER_N_SIZES; i++)
        remember (load, i);
      g_signal_emit_by_name (load->cache, "changed", load->address);
    }
  load_free (load);
}

static void
looked (EarCoverLoad *load)
{
  EarCoverCache *self = load->cache;
  const gboolean found = load->images[load->size] != NULL;
  const gboolean is_web = ear_address_is_web (load->address);
  const EarCoverGiven *given = g_hash_table_lookup (self->given, load->address);

  if (load->error == NULL && !found && given == NULL && (self->http == NULL || !is_web))
    g_set_error_literal (&load->error, EAR_ERROR, EAR_ERROR_OFFLINE, "nothing to fetch covers with");

  if (found || load->error != NULL)
    answer (load);

  if (load->error != NULL)
    {
      load_free (load);
    }
  else if (!found && given != NULL)
    {
      ear_cover_load_take (load, given->bytes, fetched);
    }
  else if (!found)
    {
      ear_cover_load_fetch (load, fetched);
    }
  /* Revalidate once per session, with or without success. */
  else if (is_web && ear_cover_load_is_stale (load) && g_hash_table_add (self->checked, g_strdup (load->address)) && self->http != NULL)
    {
      load->checking = TRUE;
      clear_images (load);
      g_set_object (&load->cancellable, self->cancellable);
      ear_cover_load_fetch (load, checked);
    }
  else
    {
      load_free (load);
    }
}

static void
wait_for (EarCoverCache *self, const char *address, EarCoverSize size, GTask *task)
{
  EarCoverLoad *load = g_hash_table_lookup (self->loads, address);

  if (load != NULL)
    {
      add_waiter (load, task, size);
      return;
    }

  load = load_new (self, address, size);
  g_hash_table_insert (self->loads, load->address, load);
  add_waiter (load, task, size);
  ear_cover_load_look (load, looked);
}

/* --- The class ---------------------------------------------------------------------- */

static void
ear_cover_cache_dispose (GObject *object)
{
  EarCoverCache *self = EAR_COVER_CACHE (object);
  GHashTableIter iter;
  gpointer load;

  g_cancellable_cancel (self->cancellable);
  g_hash_table_iter_init (&iter, self->loads);
  while (g_hash_table_iter_next (&iter, NULL, &load))
    g_cancellable_cancel (((EarCoverLoad *) load)->cancellable);

  G_OBJECT_CLASS (ear_cover_cache_parent_class)->dispose (object);
}

static void
ear_cover_cache_finalize (GObject *object)
{
  EarCoverCache *self = EAR_COVER_CACHE (object);

  for (guint i = 0; i < EAR_COVER_N_WORKERS; i++)
    ear_thread_stop (self->workers[i]);
  ear_image_store_free (self->store);
  g_hash_table_unref (self->loads);
  g_hash_table_unref (self->checked);
  g_hash_table_unref (self->given);
  g_object_unref (self->cancellable);
  g_clear_object (&self->http);
  g_free (self->directory);

  G_OBJECT_CLASS (ear_cover_cache_parent_class)->finalize (object);
}

static void
ear_cover_cache_class_init (EarCoverCacheClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_cover_cache_dispose;
  object_class->finalize = ear_cover_cache_finalize;

  /**
   * EarCoverCache::changed:
   * @self: the cache
   * @address: the URL of a cover
   *
   * A cover loaded before has changed; ear_cover_cache_peek() returns the new one.
   */
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ear_cover_cache_init (EarCoverCache *self)
{
  self->store = ear_image_store_new (MAX_MEMORY);
  self->workers[EAR_COVER_WORKER_FILES] = ear_thread_new ("earmark-covers", EAR_WORKER_ANSWERS);
  /* Large pictures arrive while feeds are parsed and stored: feeds have priority. */
  self->workers[EAR_COVER_WORKER_DECODER] = ear_thread_new ("earmark-decoder", EAR_WORKER_PREPARES);
  self->loads = g_hash_table_new (g_str_hash, g_str_equal);
  self->checked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, given_free);
  self->cancellable = g_cancellable_new ();
}

/**
 * ear_cover_cache_new:
 * @http: (nullable): fetches covers; without it only cached covers are available
 * @directory: the folder of the cache, created when the first cover is stored
 *
 * Returns: (transfer full): a cache
 */
EarCoverCache *
ear_cover_cache_new (EarHttp *http, const char *directory)
{
  EarCoverCache *self = g_object_new (EAR_TYPE_COVER_CACHE, NULL);

  g_set_object (&self->http, http);
  self->directory = g_strdup (directory);

  return self;
}

/**
 * ear_cover_cache_peek:
 * @self: a cache
 * @address: (nullable): the URL of a cover
 * @size: the size wanted
 *
 * Gets a cover that is in memory, at no cost. Rows call this first, show the result at
 * once, and call ear_cover_cache_load_async() only if there is none.
 *
 * Returns: (transfer none) (nullable): the cover, valid until you return to the main loop
 */
EarImage *
ear_cover_cache_peek (EarCoverCache *self, const char *address, EarCoverSize size)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (EAR_IS_COVER_CACHE (self), NULL);

  if (address == NULL)
    return NULL;
  key = make_key (address, size);

  return ear_image_store_lookup (self->store, key);
}

/**
 * ear_cover_cache_load_async:
 * @self: a cache
 * @address: the URL of a cover
 * @size: the size wanted
 * @cancellable: (nullable): cancel it when the row has scrolled away; a cover without
 *   waiters is not fetched
 * @callback: (scope async): called with the result
 * @user_data: data for @callback
 *
 * Loads a cover from memory, from a file or from the web. Several calls for one URL share
 * one transfer. A failed load is not retried for a while.
 */
void
ear_cover_cache_load_async (EarCoverCache *self,
                            const char *address,
                            EarCoverSize size,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  EarImage *image;

  g_return_if_fail (EAR_IS_COVER_CACHE (self));
  g_return_if_fail (address != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_cover_cache_load_async);
  image = ear_cover_cache_peek (self, address, size);

  if (image != NULL)
    g_task_return_pointer (task, ear_image_ref (image), (GDestroyNotify) ear_image_unref);
  else if (!ear_address_is_web (address) && !g_hash_table_contains (self->given, address))
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "not an address of the web");
  else if (g_cancellable_is_cancelled (self->cancellable) || self->directory == NULL)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  else
    {
      ear_cover_cache_prune_once (self);
      wait_for (self, address, size, task);
    }
}

/**
 * ear_cover_cache_load_finish:
 * @self: a cache
 * @result: the result passed to the callback
 * @error: return location: an #EarError or %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): the cover, at most as large as requested, or %NULL
 */
EarImage *
ear_cover_cache_load_finish (EarCoverCache *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_cover_cache_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_cover_cache_give:
 * @self: a cache
 * @name: a name for the picture: not a web address, and never reused for another picture
 * @bytes: the file contents of the picture, unchecked
 *
 * Adds a picture that cannot be fetched, to be loaded by its name within the same limits
 * as any other, until [method@EarCoverCache.take_back] has been called as often.
 */
void
ear_cover_cache_give (EarCoverCache *self, const char *name, GBytes *bytes)
{
  EarCoverGiven *given;

  g_return_if_fail (EAR_IS_COVER_CACHE (self));
  g_return_if_fail (name != NULL && !ear_address_is_web (name));

  given = g_hash_table_lookup (self->given, name);
  if (given == NULL)
    {
      given = g_new0 (EarCoverGiven, 1);
      given->bytes = g_bytes_ref (bytes);
      g_hash_table_insert (self->given, g_strdup (name), given);
    }
  given->n_givers++;
}

/**
 * ear_cover_cache_take_back:
 * @self: a cache
 * @name: the name of an added picture
 *
 * Undoes one call of [method@EarCoverCache.give]. Widgets that show the picture keep it.
 */
void
ear_cover_cache_take_back (EarCoverCache *self, const char *name)
{
  EarCoverGiven *given;

  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  given = g_hash_table_lookup (self->given, name);
  g_return_if_fail (given != NULL);

  if (--given->n_givers == 0)
    g_hash_table_remove (self->given, name);
}

/**
 * ear_cover_cache_save_memory:
 * @self: a cache
 *
 * Drops the pictures in memory. Widgets keep the ones that they show, and all are in
 * files.
 */
void
ear_cover_cache_save_memory (EarCoverCache *self)
{
  g_return_if_fail (EAR_IS_COVER_CACHE (self));

  ear_image_store_clear (self->store);
}

/**
 * ear_cover_cache_find_path:
 * @directory: the folder of a cache, which need not exist
 * @address: (nullable): the URL of a cover
 *
 * Returns: (transfer full) (type filename) (nullable): the path of the large size, if the
 *   file exists
 */
char *
ear_cover_cache_find_path (const char *directory, const char *address)
{
  g_return_val_if_fail (directory != NULL, NULL);

  return address != NULL ? ear_cover_files_dup_path (directory, address, EAR_COVER_LARGE) : NULL;
}

/**
 * ear_cover_cache_dup_path:
 * @self: a cache
 * @address: (nullable): the URL of a cover
 *
 * Gets the file of the large size, for covers drawn outside of Earmark's windows.
 *
 * Returns: (transfer full) (type filename) (nullable): its path, if the file exists
 */
char *
ear_cover_cache_dup_path (EarCoverCache *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_COVER_CACHE (self), NULL);

  return self->directory != NULL ? ear_cover_cache_find_path (self->directory, address) : NULL;
}
