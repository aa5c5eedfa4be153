/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-order.h"

#include "ear-property.h"

/* Maximum number of rows skipped while searching for the next or previous episode: reading so many
 * takes 8 ms, and each change of the list asks several times. */
#define MAX_PASSED_OVER 1000

/* A list and the position that playback has reached in it */
typedef struct
{
  EarEpisodeList *list; /* (nullable) */
  GSignalGroup *signals;
  EarEpisode *episode; /* (nullable): last played from the list */
  guint index;         /* index of the episode, or of the gap that it left */
  gboolean in_list;
} Track;

/* The episodes before and after the current one. Up Next comes first: the episode after
 * the current one, or the first one if the current one is not in Up Next. Once Up Next is
 * empty, the list that was played from continues where it was left. The next episode is
 * never one that was played or removed, has no media, or failed at an earlier turn; in a
 * series, it is no trailer or bonus episode. The previous one may be a played one, as it
 * has just been heard. */
struct _EarPlayOrder
{
  GObject parent_instance;

  /* Owned */
  EarEpisode *episode;
  GHashTable *unplayable; /* (element-type EarEpisode): failed to play at their turn */
  Track queue;
  Track track; /* the list being played from */
};

G_DEFINE_FINAL_TYPE (EarPlayOrder, ear_play_order, G_TYPE_OBJECT)

static void
notify_neighbours (EarPlayOrder *self)
{
  ear_notify (self, "can-go-previous");
  ear_notify (self, "can-go-next");
}

static void
items_changed_cb (EarPlayOrder *self, guint position, guint removed, guint added,
                  EarEpisodeList *list)
{
  Track *track = list == self->queue.list ? &self->queue : &self->track;
  guint found;

  if (track->episode != NULL &&
      ear_episode_list_find (track->list, ear_episode_get_id (track->episode), &found))
    {
      track->index = found;
      track->in_list = TRUE;
    }
  else
    {
      const gboolean is_filled = added == g_list_model_get_n_items (G_LIST_MODEL (list));

      /* Changes before the position shift it, except that an episode inserted exactly at
       * the position becomes the next one in Up Next, and in a list that was empty, as while
       * it loads. */
      if (position + removed <= track->index &&
          ((track != &self->queue && !is_filled) || removed > 0 || position < track->index))
        track->index = track->index - removed + added;
      else if (position < track->index)
        track->index = position + added;
      track->in_list = FALSE;
    }
  notify_neighbours (self);
}

static void
track_init (Track *track, EarPlayOrder *self)
{
  track->signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_object (track->signals, "items-changed", G_CALLBACK (items_changed_cb),
                                 self, G_CONNECT_SWAPPED);
}

static void
track_clear (Track *track)
{
  g_clear_object (&track->signals);
  g_clear_object (&track->list);
  g_clear_object (&track->episode);
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
  g_set_object (&track->episode, episode);
  track->index = 0;
  track->in_list = track->list != NULL && episode != NULL &&
                   ear_episode_list_find (track->list, ear_episode_get_id (episode), &track->index);
}

static gboolean
has_no_media (EarPlayOrder *self, EarEpisode *episode)
{
  return ear_episode_get_enclosure (episode) == NULL ||
         g_hash_table_contains (self->unplayable, episode);
}

/* Checks the episode itself, as the list may not have been updated since it was marked as
 * played. */
static gboolean
is_passed_over (EarPlayOrder *self, const Track *track, EarEpisode *episode)
{
  const EarEpisodeQuery *query = ear_episode_list_get_query (track->list);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  if (episode == self->episode || has_no_media (self, episode) ||
      ear_episode_get_listened (episode) || ear_episode_get_removed (episode))
    return TRUE;

  return query != NULL && query->podcast != 0 && ear_podcast_get_series (podcast) &&
         ear_episode_get_facts (episode)->type != EAR_EPISODE_FULL;
}

/* @next: (out) (optional) (transfer full): the next episode of the track
 * Returns: whether there is a next episode */
static gboolean
track_find_next (EarPlayOrder *self, const Track *track, EarEpisode **next)
{
  const guint start = track->index + (track->in_list ? 1 : 0);
  const guint n = track->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (track->list)) : 0;

  for (guint i = start; i < n && i - start < MAX_PASSED_OVER; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (track->list), i);

      if (is_passed_over (self, track, episode))
        continue;
      if (next != NULL)
        *next = g_steal_pointer (&episode);
      return TRUE;
    }

  return FALSE;
}

static void
ear_play_order_release (EarPlayOrder *self)
{
  track_clear (&self->queue);
  track_clear (&self->track);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->unplayable, g_hash_table_unref);
}

static void
ear_play_order_class_init (EarPlayOrderClass *klass)
{
  const EarProperty properties[] = {
    { "can-go-next", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_play_order_get_can_go_next) },
    { "can-go-previous", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_play_order_get_can_go_previous) },
  };

  ear_class_set_release (klass, ear_play_order_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_play_order_init (EarPlayOrder *self)
{
  self->unplayable = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  track_init (&self->queue, self);
  track_init (&self->track, self);
}

/* @queue: Up Next, which takes precedence over the list */
EarPlayOrder *
ear_play_order_new (EarEpisodeList *queue)
{
  EarPlayOrder *self = g_object_new (EAR_TYPE_PLAY_ORDER, NULL);

  track_set_list (&self->queue, queue);

  return self;
}

static void
set_episode (EarPlayOrder *self, EarEpisode *episode)
{
  g_set_object (&self->episode, episode);
  if (episode != NULL)
    g_hash_table_remove (self->unplayable, episode);
  track_find (&self->queue, episode);
}

/* Sets the current episode. Without a list, there is no previous episode, and only Up
 * Next follows.
 * @list: (nullable): the list to play from, in playing order */
void
ear_play_order_set (EarPlayOrder *self, EarEpisodeList *list, EarEpisode *episode)
{
  track_set_list (&self->track, list);
  set_episode (self, episode);
  track_find (&self->track, episode);
  notify_neighbours (self);
}

/* Sets the current episode to one of Up Next. The list keeps its position and continues
 * after Up Next. */
void
ear_play_order_set_queued (EarPlayOrder *self, EarEpisode *episode)
{
  set_episode (self, episode);
  notify_neighbours (self);
}

/* Records that the current episode failed to play, so that it is skipped in the
 * future. */
void
ear_play_order_pass_over (EarPlayOrder *self)
{
  if (self->episode != NULL && g_hash_table_add (self->unplayable, g_object_ref (self->episode)))
    notify_neighbours (self);
}

EarEpisodeList *
ear_play_order_get_list (EarPlayOrder *self)
{
  return self->track.list;
}

/* Returns: whether the next episode is in Up Next */
gboolean
ear_play_order_is_next_queued (EarPlayOrder *self)
{
  return self->episode != NULL && track_find_next (self, &self->queue, NULL);
}

gboolean
ear_play_order_get_can_go_next (EarPlayOrder *self)
{
  return self->episode != NULL && (track_find_next (self, &self->queue, NULL) ||
                                   track_find_next (self, &self->track, NULL));
}

gboolean
ear_play_order_get_can_go_previous (EarPlayOrder *self)
{
  g_autoptr (EarEpisode) previous = ear_play_order_dup_previous (self);

  return previous != NULL;
}

EarEpisode *
ear_play_order_dup_next (EarPlayOrder *self)
{
  EarEpisode *next = NULL;

  if (self->episode != NULL && !track_find_next (self, &self->queue, &next))
    track_find_next (self, &self->track, &next);

  return next;
}

/* Returns: (transfer full) (nullable): the previous episode, played or not */
EarEpisode *
ear_play_order_dup_previous (EarPlayOrder *self)
{
  const Track *track = &self->track;

  if (self->episode == NULL || track->list == NULL)
    return NULL;
  /* An episode of Up Next plays in between two of the list. */
  if (track->episode != NULL && track->episode != self->episode)
    return g_object_ref (track->episode);
  for (guint i = 0; i < MIN (track->index, MAX_PASSED_OVER); i++)
    {
      g_autoptr (EarEpisode) episode =
          g_list_model_get_item (G_LIST_MODEL (track->list), track->index - 1 - i);

      if (!has_no_media (self, episode))
        return g_steal_pointer (&episode);
    }

  return NULL;
}
