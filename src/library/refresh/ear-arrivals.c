/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-arrivals.h"

/* Maximum number of new episodes examined, half of them at each end: feeds have the
 * newest episode first or last. */
#define LOOKED_AT 32

/* Reports new episodes: collected during a fetch, and emitted when it ends. See the
 * header for its signal. */
struct _EarArrivals
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  GHashTable *arrived; /* (element-type EarPodcast GArray): row ids during the fetch */
};

G_DEFINE_FINAL_TYPE (EarArrivals, ear_arrivals, G_TYPE_OBJECT)

/* Returns: whether an episode is new to the listener, who may have played it on another
 * machine */
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

/* Collects new episodes until the fetch ends. */
static void
arrived_cb (EarArrivals *self, gint64 podcast_id, GArray *ids)
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

static void
refreshed_cb (EarArrivals *self, EarPodcast *podcast)
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
  g_signal_emit_by_name (self, "episodes-arrived", podcast, episodes, n_episodes);
}

static void
ear_arrivals_finalize (GObject *object)
{
  EarArrivals *self = EAR_ARRIVALS (object);

  g_clear_object (&self->catalogue);
  g_clear_pointer (&self->arrived, g_hash_table_unref);

  G_OBJECT_CLASS (ear_arrivals_parent_class)->finalize (object);
}

static void
ear_arrivals_class_init (EarArrivalsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_arrivals_finalize;

  /**
   * EarArrivals::episodes-arrived:
   * @self: the arrivals
   * @podcast: a followed podcast
   * @episodes: (element-type EarEpisode): the new ones, newest first; only some if there
   *   are very many
   * @n_episodes: the number of new episodes
   *
   * A check of a podcast that has ended found new episodes. Episodes of a first fetch, an
   * import, older pages of a feed or a rebuilt catalogue are not reported.
   */
  g_signal_new ("episodes-arrived", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 3, EAR_TYPE_PODCAST, G_TYPE_PTR_ARRAY, G_TYPE_UINT);
}

static void
ear_arrivals_init (EarArrivals *self)
{
  self->arrived =
      g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) g_array_unref);
}

EarArrivals *
ear_arrivals_new (EarCatalogue *catalogue, EarRefresher *refresher)
{
  EarArrivals *self = g_object_new (EAR_TYPE_ARRIVALS, NULL);

  self->catalogue = g_object_ref (catalogue);
  g_signal_connect_object (catalogue, "episodes-arrived", G_CALLBACK (arrived_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}
