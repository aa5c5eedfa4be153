/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"

/* Episodes by their keys, for other programs: see ear_episode_dup_key(). */

/* --- Reader thread ------------------------------------------------------------------- */

/* Lists the valid keys, each with its first index among @keys plus 1. */
static GHashTable *
list_wanted (char **keys)
{
  GHashTable *wanted = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; keys[i] != NULL; i++)
    if (ear_episode_is_key (keys[i]) && !g_hash_table_contains (wanted, keys[i]))
      g_hash_table_insert (wanted, keys[i], GUINT_TO_POINTER (i + 1));

  return wanted;
}

/* A key cannot be looked up, only compared: one scan compares all wanted keys, newest
 * rows first, as other programs usually have the keys of new episodes. */
static gpointer
find_keys (EarDatabase *database, gpointer data, GError **error)
{
  char **keys = data;
  g_autoptr (GHashTable) wanted = list_wanted (keys);
  g_autoptr (GArray) ids = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT episode.id, address, episode.guid FROM episode JOIN podcast ON podcast.id = podcast WHERE hidden = 0"
      " ORDER BY episode.id DESC",
      error);
  gboolean row = FALSE;

  g_array_set_size (ids, g_strv_length (keys));
  while (g_hash_table_size (wanted) > 0 && ear_database_step (database, statement, &row, error) && row)
    {
      const char *address = (const char *) sqlite3_column_text (statement, 1);
      const char *guid = (const char *) sqlite3_column_text (statement, 2);
      g_autofree char *own = address != NULL && guid != NULL ? ear_address_hash (address, guid) : NULL;
      const guint at = own != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (wanted, own)) : 0;

      if (at == 0)
        continue;
      for (guint i = at - 1; keys[i] != NULL; i++)
        if (g_str_equal (keys[i], own))
          g_array_index (ids, gint64, i) = sqlite3_column_int64 (statement, 0);
      g_hash_table_remove (wanted, own);
    }

  return g_hash_table_size (wanted) > 0 && row ? NULL : g_steal_pointer (&ids);
}

/* --- Main thread --------------------------------------------------------------------- */

static void
find (EarCatalogue *self, const char *const *keys, gpointer tag, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  ear_catalogue_ask (self, self->reader, find_keys, g_strdupv ((char **) keys), (GDestroyNotify) g_strfreev, (GDestroyNotify) g_array_unref,
                     tag, cancellable, callback, user_data);
}

/**
 * ear_catalogue_find_key_async:
 * @key: the key of an episode from another program: see [method@Episode.dup_key]
 * @cancellable: (nullable): cancels the query
 * @callback: called with the episode
 * @user_data: data for @callback
 *
 * Looks for the episode of a followed podcast that has a key, on the reader thread.
 */
void
ear_catalogue_find_key_async (EarCatalogue *self,
                              const char *key,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  const char *const keys[] = { key, NULL };

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (key != NULL);

  find (self, keys, ear_catalogue_find_key_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_find_key_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): the episode; %NULL without an error if
 *   there is none
 */
EarEpisode *
ear_catalogue_find_key_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GArray) ids = NULL;
  gint64 id;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  ids = ear_catalogue_take_answer (self, result, error);
  id = ids != NULL ? g_array_index (ids, gint64, 0) : 0;

  return id != 0 ? ear_catalogue_dup_episode (self, id) : NULL;
}

/**
 * ear_catalogue_find_keys_async:
 * @keys: keys of episodes from another program
 * @callback: called with the episodes
 *
 * Looks for several episodes, which takes no longer than for one missing episode.
 */
void
ear_catalogue_find_keys_async (EarCatalogue *self,
                               const char *const *keys,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (keys != NULL);

  find (self, keys, ear_catalogue_find_keys_async, cancellable, callback, user_data);
}

static void
drop_episode (gpointer episode)
{
  g_clear_object (&episode);
}

/* Returns: (transfer full) (nullable) (element-type EarEpisode): an episode or %NULL for
 * each key; or %NULL on an error */
GPtrArray *
ear_catalogue_find_keys_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GArray) ids = NULL;
  GPtrArray *episodes;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  ids = ear_catalogue_take_answer (self, result, error);
  if (ids == NULL)
    return NULL;
  episodes = g_ptr_array_new_full (ids->len, drop_episode);
  for (guint i = 0; i < ids->len; i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);

      g_ptr_array_add (episodes, id != 0 ? ear_catalogue_dup_episode (self, id) : NULL);
    }

  return episodes;
}
