/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-news.h"

#include "ear-address.h"

/* So many episodes of a podcast are followed one by one; of more only the number is known. */
#define FOLLOWED 5

/* One podcast and what is new of it. */
typedef struct
{
  EarNews *owner;       /* borrowed */
  EarPodcast *podcast;  /* owned */
  GPtrArray *episodes;  /* (element-type EarEpisode): owned */
  guint n_others;       /* of which nothing but that is known */
} Item;

/**
 * EarNews:
 *
 * Which episodes the listener has not heard of yet. What he plays, marks as listened, does
 * not follow any more or does not want to be told of leaves by itself.
 */
struct _EarNews
{
  GObject parent_instance;

  /* Owned */
  GPtrArray *items; /* (element-type Item): the podcast of which something came last is the first one */
};

G_DEFINE_FINAL_TYPE (EarNews, ear_news, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_CHANGED,
} EarNewsSignal;

static guint signals[SIGNAL_CHANGED + 1];

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
  return ear_podcast_get_followed (podcast) && ear_podcast_get_notifications (podcast) && ear_podcast_get_n_unplayed (podcast) > 0;
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
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static Item *
find_item (EarNews *self, EarPodcast *podcast, guint *position)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);

      if (item->podcast == podcast)
        {
          *position = i;
          return item;
        }
    }

  return NULL;
}

/* The one of which something came last is told first. */
static Item *
ensure_item (EarNews *self, EarPodcast *podcast)
{
  guint position;
  Item *item = find_item (self, podcast, &position);

  if (item != NULL)
    g_ptr_array_steal_index (self->items, position);
  else
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

static void
follow_episode (EarNews *self, EarEpisode *episode)
{
  g_signal_connect_swapped (episode, "notify::listened", G_CALLBACK (look_through), self);
  g_signal_connect_swapped (episode, "notify::position", G_CALLBACK (look_through), self);
  g_signal_connect_swapped (episode, "notify::playback", G_CALLBACK (look_through), self);
}

static gboolean
is_newer (EarEpisode *episode, EarEpisode *other)
{
  return ear_episode_get_facts (episode)->published > ear_episode_get_facts (other)->published;
}

/* It is only counted from now on. */
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

static void
ear_news_dispose (GObject *object)
{
  g_ptr_array_set_size (EAR_NEWS (object)->items, 0);

  G_OBJECT_CLASS (ear_news_parent_class)->dispose (object);
}

static void
ear_news_finalize (GObject *object)
{
  g_clear_pointer (&EAR_NEWS (object)->items, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_news_parent_class)->finalize (object);
}

static void
ear_news_class_init (EarNewsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_news_dispose;
  object_class->finalize = ear_news_finalize;

  /**
   * EarNews::changed:
   * @self: the news
   *
   * Some of it is no news any more.
   */
  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ear_news_init (EarNews *self)
{
  self->items = g_ptr_array_new_with_free_func (item_free);
}

EarNews *
ear_news_new (void)
{
  return g_object_new (EAR_TYPE_NEWS, NULL);
}

/**
 * ear_news_add:
 * @episodes: (element-type EarEpisode): a few of them
 *
 * Adds what has come.
 */
void
ear_news_add (EarNews *self, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes)
{
  Item *item;

  g_return_if_fail (EAR_IS_NEWS (self));
  g_return_if_fail (n_episodes >= episodes->len);

  item = ensure_item (self, podcast);
  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);

      if (g_ptr_array_find (item->episodes, episode, NULL))
        continue;
      g_ptr_array_add (item->episodes, g_object_ref (episode));
      follow_episode (self, episode);
      if (item->episodes->len > FOLLOWED)
        count_oldest (item);
    }
  item->n_others += n_episodes - episodes->len;
}

/* All of it was seen. */
void
ear_news_clear (EarNews *self)
{
  g_return_if_fail (EAR_IS_NEWS (self));

  g_ptr_array_set_size (self->items, 0);
}

void
ear_news_forget_podcast (EarNews *self, const char *name)
{
  g_return_if_fail (EAR_IS_NEWS (self));

  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      g_autofree char *hash = ear_address_hash (ear_podcast_get_address (item->podcast), NULL);

      if (!g_str_equal (hash, name))
        continue;
      g_ptr_array_remove_index (self->items, i);
      g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
      break;
    }
}

guint
ear_news_get_n_episodes (EarNews *self)
{
  guint n_episodes = 0;

  g_return_val_if_fail (EAR_IS_NEWS (self), 0);

  for (guint i = 0; i < self->items->len; i++)
    n_episodes += count_item (g_ptr_array_index (self->items, i));

  return n_episodes;
}

guint
ear_news_get_n_podcasts (EarNews *self)
{
  g_return_val_if_fail (EAR_IS_NEWS (self), 0);

  return self->items->len;
}

/**
 * ear_news_get_podcast:
 * @position: which of them, the one of which something came last first
 */
EarPodcast *
ear_news_get_podcast (EarNews *self, guint position)
{
  g_return_val_if_fail (EAR_IS_NEWS (self), NULL);
  g_return_val_if_fail (position < self->items->len, NULL);

  return ((Item *) g_ptr_array_index (self->items, position))->podcast;
}

guint
ear_news_get_n_of_podcast (EarNews *self, guint position)
{
  g_return_val_if_fail (EAR_IS_NEWS (self), 0);
  g_return_val_if_fail (position < self->items->len, 0);

  return count_item (g_ptr_array_index (self->items, position));
}

/**
 * ear_news_get_only_episode:
 *
 * Returns: (transfer none) (nullable): the episode, if it is no more than one
 */
EarEpisode *
ear_news_get_only_episode (EarNews *self)
{
  Item *item;

  g_return_val_if_fail (EAR_IS_NEWS (self), NULL);

  if (ear_news_get_n_episodes (self) != 1)
    return NULL;
  item = g_ptr_array_index (self->items, 0);

  return item->episodes->len == 1 ? g_ptr_array_index (item->episodes, 0) : NULL;
}

/**
 * ear_news_get_newest:
 *
 * Returns: (transfer none) (nullable): the newest of all episodes of which more than their number is known
 */
EarEpisode *
ear_news_get_newest (EarNews *self)
{
  EarEpisode *newest = NULL;

  g_return_val_if_fail (EAR_IS_NEWS (self), NULL);

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
