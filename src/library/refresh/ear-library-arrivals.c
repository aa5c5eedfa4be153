/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Episodes that are news: gathered while a feed is fetched, told once that has ended. */

#include "ear-library-private.h"

/* Of so many it is looked at what they are, at most, from both ends: feeds have the newest
 * episode first or last. */
#define LOOKED_AT 32

/* So many are told by name. */
#define TOLD 5

static void
free_ids (gpointer data)
{
  g_array_unref (data);
}

/* The listener, on another machine, may have been faster than the feed. */
static gboolean
is_new (EarEpisode *episode)
{
  return !ear_episode_get_listened (episode) && ear_episode_get_position (episode) <= 0;
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  const gint64 first = ear_episode_get_facts ((EarEpisode *) a)->published;
  const gint64 second = ear_episode_get_facts ((EarEpisode *) b)->published;

  return (first < second) - (first > second);
}

/**
 * ear_library_new_arrivals:
 *
 * Returns: (transfer full): a table of podcasts and the row ids of what is news of them
 */
GHashTable *
ear_library_new_arrivals (void)
{
  return g_hash_table_new_full (NULL, NULL, g_object_unref, free_ids);
}

/**
 * ear_library_note_arrivals:
 * @self: the library
 * @podcast_id: row id of a podcast
 * @ids: (element-type gint64): row ids of episodes that are news
 *
 * Keeps in mind what has come, until the refresh has ended.
 */
void
ear_library_note_arrivals (EarLibrary *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);
  GArray *known;

  if (podcast == NULL)
    return;
  known = g_hash_table_lookup (self->arrived, podcast);
  if (known == NULL)
    {
      known = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (self->arrived, g_object_ref (podcast), known);
    }
  g_array_append_vals (known, ids->data, ids->len);
}

/**
 * ear_library_tell_arrivals:
 * @self: the library
 * @podcast: a podcast whose refresh has ended
 *
 * Tells what is news of it.
 */
void
ear_library_tell_arrivals (EarLibrary *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) ids = NULL;
  g_autoptr (EarPodcast) owner = NULL;
  guint n_episodes;

  if (!g_hash_table_steal_extended (self->arrived, podcast, (gpointer *) &owner, (gpointer *) &ids))
    return;
  if (!ear_podcast_get_followed (podcast))
    return;

  n_episodes = ids->len;
  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode = NULL;

      if (i == LOOKED_AT / 2 && ids->len > LOOKED_AT)
        i = ids->len - LOOKED_AT / 2;
      episode = ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));
      if (episode != NULL && is_new (episode))
        g_ptr_array_add (episodes, g_steal_pointer (&episode));
      else
        n_episodes--;
    }
  if (episodes->len == 0)
    return;

  g_ptr_array_sort_values (episodes, compare_newest_first);
  g_ptr_array_set_size (episodes, (int) MIN (episodes->len, TOLD));
  g_signal_emit_by_name (self, "episodes-arrived", podcast, episodes, n_episodes);
}
