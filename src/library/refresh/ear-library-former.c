/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A podcast that comes back under another address: it has moved while nobody here followed it. What
 * the listener did is in the file of its first address, and goes to the new one from there. */

#include "ear-library-private.h"

/* As many episodes with the same names, in podcasts with the same title, are no chance. */
#define ENOUGH 3
/* Looked for in the main thread: for a few milliseconds at most */
#define LOOKED_FOR_LIMIT 256

/**
 * ear_library_find_former:
 * @self: the library
 * @podcast: a podcast that is followed since lately, and has rows
 *
 * Looks for what the listener did with it before, if it was followed at another address then.
 */
void
ear_library_find_former (EarLibrary *self, EarPodcast *podcast)
{
  g_auto (GStrv) addresses = NULL;

  if (self->subscriptions == NULL)
    return;
  addresses = ear_subscriptions_dup_former (self->subscriptions, podcast);
  for (guint i = 0; addresses[i] != NULL; i++)
    {
      g_hash_table_replace (self->former, g_strdup (addresses[i]), g_object_ref (podcast));
      ear_state_store_load_podcast (self->state, addresses[i]);
    }
}

static gboolean
is_same (EarLibrary *self, EarPodcast *podcast, GHashTable *states)
{
  const guint enough = MIN ((g_hash_table_size (states) + 1) / 2, ENOUGH);
  guint n_found = 0;
  GHashTableIter iter;
  gpointer guid;

  g_hash_table_iter_init (&iter, states);
  for (guint i = 0; i < LOOKED_FOR_LIMIT && n_found < enough && g_hash_table_iter_next (&iter, &guid, NULL); i++)
    {
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, guid);

      n_found += episode != NULL;
    }

  return n_found >= enough;
}

/**
 * ear_library_take_former:
 * @self: the library
 * @address: the first address of a podcast
 * @states: (element-type utf8 EarEpisodeState): what the listener did with its episodes, by guid
 *
 * Gives what was done to the podcast that it was looked for, if that has the same episodes. What was
 * done since then stays.
 */
void
ear_library_take_former (EarLibrary *self, const char *address, GHashTable *states)
{
  g_autofree char *key = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  GHashTableIter iter;
  gpointer guid, state;

  if (!g_hash_table_steal_extended (self->former, address, (gpointer *) &key, (gpointer *) &podcast))
    return;
  if (!ear_podcast_get_followed (podcast) || !is_same (self, podcast, states))
    return;

  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    ear_state_store_adopt_episode (self->state, podcast, guid, NULL, NULL, state);
  ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}
