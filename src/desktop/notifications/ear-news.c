/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-news.h"

#include "ear-address.h"

/* Episodes held for each podcast; beyond that, only their number is known. */
#define FOLLOWED 5

/* A podcast with new episodes. */
typedef struct
{
  EarNews *owner;       /* borrowed */
  EarPodcast *podcast;  /* owned */
  GPtrArray *episodes;  /* (element-type EarEpisode): owned */
  guint n_others;       /* new episodes beyond those in @episodes */
} Item;

/**
 * EarNews:
 *
 * The new episodes to notify about. Episodes that the listener plays or marks as played
 * leave it, and so do those of podcasts that they unfollow or mute.
 */
struct _EarNews
{
  GPtrArray *items; /* (element-type Item): the latest to get an episode first */
  GSourceOnceFunc changed;
  gpointer user_data;
};

static void
item_free (gpointer data)
{
  Item *item = data;

  for (guint i = 0; i < item->episodes->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (item->episodes, i), item->owner);
  g_signal_handlers_disconnect_by_data (item->podcast, item->owner);
  g_ptr_array_unref (item->episodes);
  g_object_unref (item->podcast);
  g_free (item);
}

static gboolean
is_heard (EarEpisode *episode)
{
  return ear_episode_get_listened (episode) || ear_episode_get_position (episode) > 0 ||
         ear_episode_get_playback (episode) != EAR_PLAYBACK_NONE;
}

static guint
count_item (const Item *item)
{
  return item->episodes->len + item->n_others;
}

static void
remove_heard (Item *item)
{
  for (guint i = item->episodes->len; i > 0; i--)
    {
      EarEpisode *episode = g_ptr_array_index (item->episodes, i - 1);

      if (!is_heard (episode))
        continue;
      g_signal_handlers_disconnect_by_data (episode, item->owner);
      g_ptr_array_remove_index (item->episodes, i - 1);
    }
}

static gboolean
is_news_of (EarPodcast *podcast)
{
  return ear_podcast_get_followed (podcast) &&
         ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_NOTIFICATIONS) &&
         ear_podcast_get_n_unplayed (podcast) > 0;
}

static void
look_through (EarNews *self)
{
  const guint before = ear_news_get_n_episodes (self);

  for (guint i = self->items->len; i > 0; i--)
    {
      Item *item = g_ptr_array_index (self->items, i - 1);

      remove_heard (item);
      if (!is_news_of (item->podcast) || count_item (item) == 0)
        g_ptr_array_remove_index (self->items, i - 1);
    }
  if (ear_news_get_n_episodes (self) != before)
    self->changed (self->user_data);
}

/* Moves the podcast to the front, or adds it there. */
static Item *
ensure_item (EarNews *self, EarPodcast *podcast)
{
  Item *item = NULL;

  for (guint i = 0; i < self->items->len && item == NULL; i++)
    if (((Item *) g_ptr_array_index (self->items, i))->podcast == podcast)
      item = g_ptr_array_steal_index (self->items, i);
  if (item == NULL)
    {
      item = g_new0 (Item, 1);
      item->owner = self;
      item->podcast = g_object_ref (podcast);
      item->episodes = g_ptr_array_new_with_free_func (g_object_unref);
      g_signal_connect_swapped (podcast, "notify::followed", G_CALLBACK (look_through), self);
      g_signal_connect_swapped (podcast, "notify::notifications", G_CALLBACK (look_through), self);
      g_signal_connect_swapped (podcast, "notify::n-unplayed", G_CALLBACK (look_through), self);
    }
  g_ptr_array_insert (self->items, 0, item);

  return item;
}

static gboolean
is_newer (EarEpisode *episode, EarEpisode *other)
{
  return ear_episode_get_facts (episode)->published > ear_episode_get_facts (other)->published;
}

/* Drops the oldest episode and only counts it. */
static void
count_oldest (Item *item)
{
  guint oldest = 0;

  for (guint i = 1; i < item->episodes->len; i++)
    if (!is_newer (g_ptr_array_index (item->episodes, i), g_ptr_array_index (item->episodes, oldest)))
      oldest = i;
  g_signal_handlers_disconnect_by_data (g_ptr_array_index (item->episodes, oldest), item->owner);
  g_ptr_array_remove_index (item->episodes, oldest);
  item->n_others++;
}

/* @changed: called when an episode leaves */
EarNews *
ear_news_new (GSourceOnceFunc changed, gpointer user_data)
{
  EarNews *self = g_new0 (EarNews, 1);

  self->items = g_ptr_array_new_with_free_func (item_free);
  self->changed = changed;
  self->user_data = user_data;

  return self;
}

void
ear_news_free (EarNews *self)
{
  g_ptr_array_unref (self->items);
  g_free (self);
}

/* Adds new episodes.
 * @episodes: (element-type EarEpisode): the first of @n_episodes */
void
ear_news_add (EarNews *self, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes)
{
  Item *item = ensure_item (self, podcast);

  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);

      if (g_ptr_array_find (item->episodes, episode, NULL))
        continue;
      g_ptr_array_add (item->episodes, g_object_ref (episode));
      g_signal_connect_swapped (episode, "notify::listened", G_CALLBACK (look_through), self);
      g_signal_connect_swapped (episode, "notify::position", G_CALLBACK (look_through), self);
      g_signal_connect_swapped (episode, "notify::playback", G_CALLBACK (look_through), self);
      if (item->episodes->len > FOLLOWED)
        count_oldest (item);
    }
  item->n_others += n_episodes - episodes->len;
}

/* Removes all episodes: the listener has seen them. */
void
ear_news_clear (EarNews *self)
{
  g_ptr_array_set_size (self->items, 0);
}

void
ear_news_forget_podcast (EarNews *self, const char *name)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      g_autofree char *hash = ear_address_hash (ear_podcast_get_address (item->podcast), NULL);

      if (!g_str_equal (hash, name))
        continue;
      g_ptr_array_remove_index (self->items, i);
      self->changed (self->user_data);
      break;
    }
}

guint
ear_news_get_n_episodes (EarNews *self)
{
  guint n_episodes = 0;

  for (guint i = 0; i < self->items->len; i++)
    n_episodes += count_item (g_ptr_array_index (self->items, i));

  return n_episodes;
}

guint
ear_news_get_n_podcasts (EarNews *self)
{
  return self->items->len;
}

/* @position: index of the podcast; 0 is the latest to get an episode */
EarPodcast *
ear_news_get_podcast (EarNews *self, guint position)
{
  return ((Item *) g_ptr_array_index (self->items, position))->podcast;
}

guint
ear_news_get_n_of_podcast (EarNews *self, guint position)
{
  return count_item (g_ptr_array_index (self->items, position));
}

/* Returns: (transfer none) (nullable): the episode, if there is exactly one */
EarEpisode *
ear_news_get_only_episode (EarNews *self)
{
  Item *item;

  if (ear_news_get_n_episodes (self) != 1)
    return NULL;
  item = g_ptr_array_index (self->items, 0);

  return item->episodes->len == 1 ? g_ptr_array_index (item->episodes, 0) : NULL;
}

/* Returns: (transfer none) (nullable): the newest of the held episodes */
EarEpisode *
ear_news_get_newest (EarNews *self)
{
  EarEpisode *newest = NULL;

  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);

      for (guint j = 0; j < item->episodes->len; j++)
        {
          EarEpisode *episode = g_ptr_array_index (item->episodes, j);

          if (newest == NULL || is_newer (episode, newest))
            newest = episode;
        }
    }

  return newest;
}
