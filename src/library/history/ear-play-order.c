/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-order.h"

#include "ear-property.h"

/* How many episodes without a sound, a blog's posts say, are passed over for the next one that has one. */
#define MAX_SILENT 50

/**
 * EarPlayOrder:
 *
 * What comes before and after the episode in the player: its neighbours in the list
 * that it was played from. An episode that has left the list (it is listened now, and
 * the list shows what is not) keeps its place among those that stayed.
 */
struct _EarPlayOrder
{
  GObject parent_instance;

  /* Owned */
  EarEpisodeList *list;
  GSignalGroup *list_signals;
  EarEpisode *episode;

  guint place;       /* of the episode in the list, or where it was when it left */
  gboolean in_list;
};

G_DEFINE_FINAL_TYPE (EarPlayOrder, ear_play_order, G_TYPE_OBJECT)

static guint
count_items (EarPlayOrder *self)
{
  return self->list != NULL && self->episode != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
}

static void
notify_neighbours (EarPlayOrder *self)
{
  g_object_notify (G_OBJECT (self), "can-go-previous");
  g_object_notify (G_OBJECT (self), "can-go-next");
}

static void
items_changed_cb (EarPlayOrder *self, guint position, guint removed, guint added)
{
  guint found;

  if (ear_episode_list_find (self->list, ear_episode_get_id (self->episode), &found))
    {
      self->place = found;
      self->in_list = TRUE;
    }
  else
    {
      /* What changed in front of its place moves it along. */
      if (position + removed <= self->place)
        self->place = self->place - removed + added;
      else if (position < self->place)
        self->place = position + added;
      self->in_list = FALSE;
    }
  notify_neighbours (self);
}

/* The first from PLACE on, in steps of STEP, that can be played. */
static EarEpisode *
dup_playable (EarPlayOrder *self, guint place, int step)
{
  for (guint i = 0; i < MAX_SILENT; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->list), place + (guint) (step * (int) i));

      if (episode == NULL || ear_episode_get_enclosure (episode) != NULL)
        return g_steal_pointer (&episode);
    }

  return NULL;
}

static void
ear_play_order_dispose (GObject *object)
{
  EarPlayOrder *self = EAR_PLAY_ORDER (object);

  g_clear_object (&self->list_signals);
  g_clear_object (&self->list);
  g_clear_object (&self->episode);

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
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "items-changed", G_CALLBACK (items_changed_cb), self);
}

EarPlayOrder *
ear_play_order_new (void)
{
  return g_object_new (EAR_TYPE_PLAY_ORDER, NULL);
}

/* Says what is being played. Without a list nothing comes before or after.
 * @list: (nullable): the list that is played from
 * @episode: (nullable): the episode in the player */
void
ear_play_order_set (EarPlayOrder *self, EarEpisodeList *list, EarEpisode *episode)
{
  g_signal_group_set_target (self->list_signals, list);
  g_set_object (&self->list, list);
  g_set_object (&self->episode, episode);

  self->place = 0;
  self->in_list = self->list != NULL && episode != NULL &&
                  ear_episode_list_find (self->list, ear_episode_get_id (episode), &self->place);
  notify_neighbours (self);
}

/* Returns: (transfer none) (nullable): the list that is played from */
EarEpisodeList *
ear_play_order_get_list (EarPlayOrder *self)
{
  return self->list;
}

gboolean
ear_play_order_get_can_go_next (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), FALSE);

  return self->place + (self->in_list ? 1 : 0) < count_items (self);
}

gboolean
ear_play_order_get_can_go_previous (EarPlayOrder *self)
{
  g_return_val_if_fail (EAR_IS_PLAY_ORDER (self), FALSE);

  return self->place > 0 && count_items (self) > 0;
}

/* Returns: (transfer full) (nullable): the episode that follows, and has something to play */
EarEpisode *
ear_play_order_dup_next (EarPlayOrder *self)
{
  if (!ear_play_order_get_can_go_next (self))
    return NULL;

  return dup_playable (self, self->place + (self->in_list ? 1 : 0), 1);
}

/* Returns: (transfer full) (nullable): the episode before, that has something to play */
EarEpisode *
ear_play_order_dup_previous (EarPlayOrder *self)
{
  if (!ear_play_order_get_can_go_previous (self))
    return NULL;

  return dup_playable (self, self->place - 1, -1);
}
