/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-queue.h"

#include "ear-records.h"
#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* Up Next: the episodes to play after the current one, in the listener's order.
 * The position of an episode is the value of its mark `EAR_MARK_QUEUED` (`ear-records.h`).
 * It is stored in the state files with the other marks, so queues of two computers are
 * merged episode by episode, in the order of time, and backups include it. */
struct _EarQueue
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarEpisodeList *list;

  gint64 first, last; /* lowest and highest position given, perhaps not listed yet */
};

G_DEFINE_FINAL_TYPE (EarQueue, ear_queue, EAR_TYPE_PART)

static guint
count (EarQueue *self)
{
  return self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
}

static gint64
get_left (EarQueue *self)
{
  gint64 left = 0;

  for (guint i = 0; i < count (self); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->list), i);

      left += MAX (0, ear_episode_get_duration (episode) - ear_episode_get_position (episode));
    }

  return left;
}

static void
items_changed_cb (EarQueue *self)
{
  ear_notify (self, "n-episodes");
  ear_notify (self, "left");
}

static void
ear_queue_release (EarQueue *self)
{
  g_clear_object (&self->list);
}

static void
ear_queue_class_init (EarQueueClass *klass)
{
  const EarProperty properties[] = {
    { .spec = g_param_spec_uint ("n-episodes", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE),
      .get = G_CALLBACK (count) },
    { "left", G_TYPE_INT64, G_PARAM_READABLE, .get = G_CALLBACK (get_left) },
  };

  ear_class_set_release (klass, ear_queue_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_queue_init (EarQueue *self)
{
}

EarQueue *
ear_queue_new (const EarServices *services)
{
  EarQueue *self = ear_part_new (EAR_TYPE_QUEUE, services);
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (0, EAR_FILTER_QUEUED, EAR_SORT_NEWEST, NULL);

  self->list = ear_episode_list_new_with_query (services->catalogue, query);
  ear_connect (self->list, "items-changed", items_changed_cb, self);

  return self;
}

EAR_DEFINE_GET (EarQueue, ear_queue, EarEpisodeList *, list)

/* Returns: whether the episode is in Up Next. A played one is not, even if it still has a
 * position. */
gboolean
ear_queue_has (EarEpisode *episode)
{
  return ear_episode_get_mark (episode, EAR_MARK_QUEUED) != 0 &&
         !ear_episode_get_listened (episode);
}

/* Queuing a played episode marks it as unplayed. */
static void
add_position (EarQueue *self, GArray *marks, EarEpisode *episode, gint64 position)
{
  ear_episode_marks_add (marks, episode, EAR_MARK_QUEUED, position);
  if (ear_episode_get_listened (episode))
    ear_episode_marks_add (marks, episode, EAR_MARK_LISTENED, FALSE);
  self->first = self->first == 0 ? position : MIN (self->first, position);
  self->last = MAX (self->last, position);
}

/* Returns: (transfer full) (element-type EarEpisode): the queue without @episodes, in
 * order */
static GPtrArray *
list_others (EarQueue *self, GPtrArray *episodes)
{
  GPtrArray *others = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) without = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < episodes->len; i++)
    g_hash_table_add (without, g_ptr_array_index (episodes, i));
  for (guint i = 0; i < count (self); i++)
    {
      g_autoptr (EarEpisode) other = g_list_model_get_item (G_LIST_MODEL (self->list), i);

      if (!g_hash_table_contains (without, other))
        g_ptr_array_add (others, g_steal_pointer (&other));
    }

  return others;
}

static gint64
get_position (GPtrArray *episodes, guint position)
{
  return position < episodes->len
             ? ear_episode_get_mark (g_ptr_array_index (episodes, position), EAR_MARK_QUEUED)
             : 0;
}

/* Inserts episodes before index @position of the others, or at the end.
 * Returns: (transfer full) (element-type EarEpisodeMark): the marks to set */
static GArray *
insert_episodes (EarQueue *self, GPtrArray *episodes, GPtrArray *others, guint position)
{
  GArray *marks = ear_episode_marks_new ();
  gint64 before = get_position (others, position - 1);
  gint64 after = get_position (others, position);
  EarOrder order;

  if (episodes->len == 0)
    return marks;
  /* Episodes queued a moment ago may not be in the list yet. */
  if (position >= others->len)
    before = MAX (before, self->last);
  else if (position == 0 && self->first > 0)
    after = MIN (after, self->first);
  order = ear_order_insert (position, episodes->len, others->len, before, after);
  if (order.renumber)
    self->first = self->last = 0;
  for (guint i = 0; i < episodes->len; i++)
    add_position (self, marks, g_ptr_array_index (episodes, i), ear_order_get_inserted (&order, i));
  for (guint i = 0; order.renumber && i < others->len; i++)
    add_position (self, marks, g_ptr_array_index (others, i), ear_order_get_other (&order, i));

  return marks;
}

/* Returns: the position of the last episode, 0 if there is none */
gint64
ear_queue_get_last (EarQueue *self)
{
  g_autoptr (EarEpisode) episode =
      g_list_model_get_item (G_LIST_MODEL (self->list), count (self) - 1);

  return MAX (self->last,
              episode != NULL ? ear_episode_get_mark (episode, EAR_MARK_QUEUED) : 0);
}

static gboolean
is_playable (EarEpisode *episode)
{
  return ear_episode_get_enclosure (episode) != NULL;
}

/* @n_added: the number to report */
static void
put (EarQueue *self, GPtrArray *episodes, GPtrArray *others, guint position, guint n_added)
{
  g_autoptr (GArray) marks = insert_episodes (self, episodes, others, position);
  g_autofree char *message = NULL;

  /* Translators: %u is the number of episodes just added to Up Next. */
  if (n_added > 1)
    message = g_strdup_printf (ngettext ("%'u episode added to Up Next",
                                         "%'u episodes added to Up Next", n_added),
                               n_added);
  else if (n_added == 1)
    message = g_strdup (_("Added to Up Next"));
  ear_history_set_each (self->history, marks, message);
}

/* Queues episodes after the current one, keeping their order. Queued ones are moved. */
void
ear_queue_add_next (EarQueue *self, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) playable = ear_order_list_accepted (episodes, is_playable);
  g_autoptr (GPtrArray) others = list_others (self, playable);
  EarEpisode *current = ear_player_get_episode (self->player);
  guint position;

  position = current != NULL && g_ptr_array_find (others, current, &position) ? position + 1 : 0;
  put (self, playable, others, position, playable->len);
}

/* Queues episodes at the end, keeping their order. Queued ones are moved. */
void
ear_queue_add_last (EarQueue *self, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) playable = ear_order_list_accepted (episodes, is_playable);
  g_autoptr (GPtrArray) others = list_others (self, playable);

  put (self, playable, others, others->len, playable->len);
}

/* Queues new episodes at the end, as the settings of their podcast ask for. There is no
 * notice and no Undo, so that Undo still reverts the listener's last action.
 * @episodes: (element-type EarEpisode): the newest one first, which is played last */
void
ear_queue_add_new (EarQueue *self, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) playable = ear_order_list_accepted (episodes, is_playable);
  g_autoptr (GPtrArray) in_turn = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = NULL;
  g_autoptr (GArray) marks = NULL;

  for (guint i = playable->len; i > 0; i--)
    if (!ear_queue_has (g_ptr_array_index (playable, i - 1)))
      g_ptr_array_add (in_turn, g_ptr_array_index (playable, i - 1));
  others = list_others (self, in_turn);
  marks = insert_episodes (self, in_turn, others, others->len);
  ear_history_keep_each (self->history, marks);
}

/* Inserts episodes before another one of the queue, keeping their order. Queued ones are
 * moved.
 * @before: (nullable): an episode of the queue, or %NULL for the end */
void
ear_queue_insert (EarQueue *self, GPtrArray *episodes, EarEpisode *before)
{
  g_autoptr (GPtrArray) playable = ear_order_list_accepted (episodes, is_playable);
  g_autoptr (GPtrArray) others = list_others (self, playable);
  guint n_new = 0;
  guint position;

  /* Dropped on one of themselves: nothing moves. */
  if (before != NULL && g_ptr_array_find (playable, before, NULL))
    return;
  for (guint i = 0; i < playable->len; i++)
    n_new += !ear_queue_has (g_ptr_array_index (playable, i));
  if (before == NULL || !g_ptr_array_find (others, before, &position))
    position = others->len;
  put (self, playable, others, position, n_new);
}

void
ear_queue_remove (EarQueue *self, GPtrArray *episodes)
{
  g_autoptr (GArray) marks = ear_episode_marks_new ();
  g_autofree char *message = NULL;

  for (guint i = 0; i < episodes->len; i++)
    if (ear_queue_has (g_ptr_array_index (episodes, i)))
      ear_episode_marks_add (marks, g_ptr_array_index (episodes, i), EAR_MARK_QUEUED, 0);
  /* Translators: %u is the number of episodes just removed from Up Next. */
  message = marks->len > 1
                ? g_strdup_printf (ngettext ("%'u episode removed from Up Next",
                                             "%'u episodes removed from Up Next", marks->len),
                                   marks->len)
                : g_strdup (_("Removed from Up Next"));
  ear_history_set_each (self->history, marks, message);
}

void
ear_queue_clear (EarQueue *self)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GPtrArray) all = list_others (self, none);

  ear_queue_remove (self, all);
}
