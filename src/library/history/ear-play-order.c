/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-order.h"

#include "ear-property.h"

/* How many episodes without a sound, a blog's posts say, are passed over for the next one that has one. */
#define MAX_SILENT 50

/* A list, and where what plays stands in it. */
typedef struct
{
  EarEpisodeList *list; /* (nullable) */
  GSignalGroup *signals;
  guint place;       /* of the episode in the list, or where it was when it left */
  gboolean in_list;
} Track;

/**
 * EarPlayOrder:
 *
 * What comes before and after the episode in the player. In Up Next that is the one behind it, or the first one where it does
 * not stand there itself; where nothing is left there, it is its neighbour in the list that it was played from. An episode that
 * has left its list (it is listened now, and the list shows what is not) keeps its place among those that stayed. In a series
 * trailers, bonus episodes and what was archived are passed over. So is everywhere what could not be played when its turn came, until the
 * listener plays it: it stays in Up Next, and would come again after each one that is not there.
 */
struct _EarPlayOrder
{
  GObject parent_instance;

  /* Owned */
  EarEpisode *episode;
  GHashTable *unplayable; /* (element-type EarEpisode): could not be played when its turn came */
  Track queue;
  Track track; /* what is played from */
};

G_DEFINE_FINAL_TYPE (EarPlayOrder, ear_play_order, G_TYPE_OBJECT)

static void
notify_neighbours (EarPlayOrder *self)
{
  g_object_notify (G_OBJECT (self), "can-go-previous");
  g_object_notify (G_OBJECT (self), "can-go-next");
}

/* --- A track --------------------------------------------------------------------------- */

static void
items_changed_cb (EarPlayOrder *self, guint position, guint removed, guint added, EarEpisodeList *list)
{
  Track *track = list == self->queue.list ? &self->queue : &self->track;
  guint found;

  if (self->episode != NULL && ear_episode_list_find (track->list, ear_episode_get_id (self->episode), &found))
    {
      track->place = found;
      track->in_list = TRUE;
    }
  else
    {
      /* What changed in front of its place moves it along; but what is put right there in Up Next is to be the next. */
      if (position + removed <= track->place && (track != &self->queue || removed > 0 || position < track->place))
        track->place = track->place - removed + added;
      else if (position < track->place)
        track->place = position + added;
      track->in_list = FALSE;
    }
  notify_neighbours (self);
}

static void
track_init (Track *track, EarPlayOrder *self)
{
  track->signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_object (track->signals, "items-changed", G_CALLBACK (items_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
track_clear (Track *track)
{
  g_clear_object (&track->signals);
  g_clear_object (&track->list);
}

static void
track_set_list (Track *track, EarEpisodeList *list)
{
  g_signal_group_set_target (track->signals, list);
  g_set_object (&track->list, list);
}

static void
track_find (Track *track, EarEpisode *episode)
{
  track->place = 0;
  track->in_list = track->list != NULL && episode != NULL && ear_episode_list_find (track->list, ear_episode_get_id (episode), &track->place);
}

/* What has nothing to play, or could not be played; and in a series what comes between its episodes, which is heard by who chooses it. */
static gboolean
is_passed_over (EarPlayOrder *self, const Track *track, EarEpisode *episode)
{
  const EarEpisodeQuery *query = ear_episode_list_get_query (track->list);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  if (ear_episode_get_enclosure (episode) == NULL || g_hash_table_contains (self->unplayable, episode))
    return TRUE;

  return query != NULL && query->podcast != 0 && podcast != NULL && ear_podcast_get_series (podcast) &&
         (ear_episode_get_facts (episode)->type != EAR_EPISODE_FULL || ear_episode_get_archived (episode));
}

/* The first from PLACE on, in steps of STEP, that is to be played. */
static EarEpisode *
track_dup_playable (EarPlayOrder *self, const Track *track, guint place, int step)
{
  for (guint i = 0; i < MAX_SILENT; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (track->list), place + (guint) (step * (int) i));

      if (episode == NULL || !is_passed_over (self, track, episode))
        return g_steal_pointer (&episode);
    }

  return NULL;
}

static guint
track_get_next (const Track *track)
{
  return track->place + (track->in_list ? 1 : 0);
}

static gboolean
track_can_go_next (const Track *track)
{
  return track->list != NULL && track_get_next (track) < g_list_model_get_n_items (G_LIST_MODEL (track->list));
}

/* Rows of a list may still be on their way: only what could not be played counts as not there. */
static gboolean
queue_can_go_next (EarPlayOrder *self)
{
  const guint n = self->queue.list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->queue.list)) : 0;

  for (guint i = track_get_next (&self->queue); i < n; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->queue.list), i);

      if (episode == NULL || !g_hash_table_contains (self->unplayable, episode))
        return TRUE;
    }

  return FALSE;
}

/* --- The object ------------------------------------------------------------------------ */

static void
ear_play_order_dispose (GObject *object)
{
  EarPlayOrder *self = EAR_PLAY_ORDER (object);

  track_clear (&self->queue);
  track_clear (&self->track);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->unplayable, g_hash_table_unref);

  G_OBJECT_CLASS (ear_play_order_parent_class)->dispose (object);
}

static void
ear_play_order_class_init (EarPlayOrderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether an episode follows, and whether one comes before */
    { "can-go-next", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_play_order_get_can_go_next) },
    { "can-go-previous", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_play_order_get_can_go_previous) },
  };

  object_class->dispose = ear_play_order_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_play_order_init (EarPlayOrder *self)
{
  self->unplayable = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  track_init (&self->queue, self);
  track_init (&self->track, self);
}

EarPlayOrder *
ear_play_order_new (void)
{
  return g_object_new (EAR_TYPE_PLAY_ORDER, NULL);
}

/* Says what comes before all else: Up Next. */
void
ear_play_order_set_queue (EarPlayOrder *self, EarEpisodeList *queue)
{
  g_return_if_fail (EAR_IS_PLAY_ORDER (self));

  track_set_list (&self->queue, queue);
  track_find (&self->queue, self->episode);
  notify_neighbours (self);
}

/* Says what is being played. Without a list nothing comes before, and after it only what is up next.
 * @list: (nullable): the list that is played from
 * @episode: (nullable): the episode in the player */
void
ear_play_order_set (EarPlayOrder *self, EarEpisodeList *list, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_PLAY_ORDER (self));

  g_set_object (&self->episode, episode);
  if (episode != NULL)
    g_hash_table_remove (self->unplayable, episode);
  track_set_list (&self->track, list);
  track_find (&self->track, episode);
  track_find (&self->queue, episode);
  notify_neighbours (self);
}

/* Says that what is being played cannot be: it does not come again by itself. */
void
ear_play_order_pass_over (EarPlayOrder *self)
{
  g_return_if_fail (EAR_IS_PLAY_ORDER (self));

  if (self->episode == NULL || !g_hash_table_add (self->unplayable, g_object_ref (self->episode)))
    return;
  notify_neighbours (self);
}

/* Returns: (transfer none) (nullable): the list that is played from */
EarEpisodeList *
ear_play_order_get_list (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), NULL);

  return self->track.list;
}

/* Whether what follows is of Up Next. */
gboolean
ear_play_order_is_next_queued (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), FALSE);

  return self->episode != NULL && queue_can_go_next (self);
}

gboolean
ear_play_order_get_can_go_next (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), FALSE);

  return self->episode != NULL && (queue_can_go_next (self) || track_can_go_next (&self->track));
}

gboolean
ear_play_order_get_can_go_previous (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), FALSE);

  return self->episode != NULL && self->track.list != NULL && self->track.place > 0;
}

/* Returns: (transfer full) (nullable): the episode that follows, and has something to play */
EarEpisode *
ear_play_order_dup_next (EarPlayOrder *self)
{
  const Track *track = ear_play_order_is_next_queued (self) ? &self->queue : &self->track;

  return ear_play_order_get_can_go_next (self) ? track_dup_playable (self, track, track_get_next (track), 1) : NULL;
}

/* Returns: (transfer full) (nullable): the episode before, that has something to play */
EarEpisode *
ear_play_order_dup_previous (EarPlayOrder *self)
{
  return ear_play_order_get_can_go_previous (self) ? track_dup_playable (self, &self->track, self->track.place - 1, -1) : NULL;
}
