/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-plan.h"

#include "ear-address.h"
#include "ear-history.h"

/* The rules of syncing: pure functions */

/* More podcasts that vanish at once, or a fifth of all, are no work of the listener. */
#define MANY_REMOVED 3
#define PART_REMOVED 5
/* More podcasts that appear at once are asked about. */
#define MANY_FOLLOWED 50
/* Clocks of devices may differ by so much. */
#define CLOCK_ERROR (2 * G_TIME_SPAN_MINUTE)

static EAR_DEFINE_TEXTS_FREE (EarSyncChange, change_free, there)

void
ear_sync_plan_clear (EarSyncPlan *self)
{
  g_clear_pointer (&self->here, g_ptr_array_unref);
  g_clear_pointer (&self->there, g_ptr_array_unref);
}

static void
add_change (GPtrArray *changes, const char *address, const char *there, gboolean removed,
            guint *count)
{
  EarSyncChange *change = g_new0 (EarSyncChange, 1);

  change->address = g_strdup (address);
  change->there = g_strdup (there);
  change->removed = removed;
  g_ptr_array_add (changes, change);
  ++*count;
}

/* Returns: (nullable): the address, as the server spells it, if the server has it. Its
 *   key is removed. */
static const char *
take (GHashTable *keys, const char *address)
{
  g_autofree char *key = ear_address_key (address);
  const char *value = g_hash_table_lookup (keys, key);

  g_hash_table_remove (keys, key);

  return value;
}

/* Compares three lists: the podcasts followed here, those that were the same at the last
 * sync, and those on the server. A podcast that only one side has was added there if it is
 * not among the known ones, and removed on the other side if it is.
 * @self: a cleared one, which gets the changes
 * @counts: (inout): likewise; belongs to the caller
 * @podcasts: (element-type EarPodcast): those followed here
 * @known: (inout) (element-type utf8 utf8): those of the last sync, as in #EarSyncState.
 *   Podcasts that both sides have now are added
 * @server: (element-type utf8): addresses
 * @unfollowed: whether the listener has unfollowed the podcast of a first address: others
 *   that are missing here were lost */
void
ear_sync_plan_make (EarSyncPlan *self, EarSyncCounts *counts, GListModel *podcasts,
                    GHashTable *known, GPtrArray *server, EarSyncUnfollowedFunc unfollowed,
                    gpointer owner)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) here = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer key, value;
  guint n_known = 0, n_removed;

  self->counts = counts;
  self->here = g_ptr_array_new_with_free_func ((GDestroyNotify) change_free);
  self->there = g_ptr_array_new_with_free_func ((GDestroyNotify) change_free);
  for (guint i = 0; i < server->len; i++)
    g_hash_table_insert (keys, ear_address_key (g_ptr_array_index (server, i)),
                         g_ptr_array_index (server, i));
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    n_known += *(const char *) value != '\0';

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const char *address = ear_podcast_get_address (podcast);
      const char *feed = ear_podcast_get_feed_address (podcast);
      const gboolean is_secret =
          ear_podcast_is_private (podcast) &&
          !ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_SYNC);
      const char *before = g_hash_table_lookup (known, address);
      const char *const addresses[] = { !ear_is_empty (before) ? before : NULL, feed,
                                        address };
      const char *there = NULL;

      g_hash_table_add (here, g_strdup (address));
      self->n_new += before == NULL && !is_secret;
      /* The server may have the addresses before and after the feed has moved. */
      for (gsize j = 0; j < G_N_ELEMENTS (addresses); j++)
        {
          const char *found = addresses[j] != NULL ? take (keys, addresses[j]) : NULL;

          there = there != NULL ? there : found;
        }
      if (there != NULL)
        g_hash_table_insert (known, g_strdup (address), g_strdup (there));
      else if (!ear_is_empty (before))
        add_change (self->here, address, feed, TRUE, &counts->unfollow);
      else if (before == NULL && !is_secret)
        add_change (self->there, address, feed, FALSE, &counts->add);
    }

  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const char *there;

      if (g_hash_table_contains (here, key))
        continue;
      there = unfollowed (owner, key) && *(char *) value != '\0' ? take (keys, value) : NULL;
      if (there != NULL)
        add_change (self->there, key, there, TRUE, &counts->remove);
      else
        g_hash_table_iter_remove (&iter);
    }

  for (guint i = 0; i < server->len; i++)
    if (take (keys, g_ptr_array_index (server, i)) != NULL)
      add_change (self->here, NULL, g_ptr_array_index (server, i), FALSE, &counts->follow);

  n_removed = MAX (counts->unfollow, counts->remove);
  self->is_doubtful = n_removed > MANY_REMOVED || counts->follow > MANY_FOLLOWED ||
                      (n_removed > 0 && n_removed * PART_REMOVED >= n_known);
}

/* Uploads the podcasts that the server has lost in place of unfollowing them. */
void
ear_sync_plan_keep (EarSyncPlan *self)
{
  for (guint i = self->here->len; i > 0; i--)
    {
      EarSyncChange *change = g_ptr_array_index (self->here, i - 1);

      if (!change->removed)
        continue;
      change->removed = FALSE;
      g_ptr_array_add (self->there, g_ptr_array_steal_index (self->here, i - 1));
    }
  self->counts->add += self->counts->unfollow;
  self->counts->unfollow = 0;
}

static void
set (EarEpisodeState *state, EarMark mark, gint64 value, gint64 time)
{
  if (time < state->updated[mark] ||
      (time == state->updated[mark] && value <= state->values[mark]))
    return;
  state->values[mark] = value;
  state->updated[mark] = time;
}

/* Marks an episode as an action of any device says, unless a mark is newer.
 * @duration: of the episode, in microseconds; 0: unknown
 * @now: Unix microseconds: an action of a clock that is ahead of it wins only where there is
 *   no mark
 * @state: (inout): the marks */
void
ear_sync_apply_action (const EarSyncAction *action, gint64 duration, gint64 now,
                       EarEpisodeState *state)
{
  const gint64 sent = action->time * G_USEC_PER_SEC;
  const gint64 time = sent <= now + CLOCK_ERROR ? sent : 1;
  const gint64 position = action->position * G_USEC_PER_SEC;
  const gint64 total = action->total > 0 ? action->total * G_USEC_PER_SEC : duration;
  const gboolean is_end = !action->unplayed && total > 0 &&
                          (position >= total || ear_listened_rule_is_near_end (position, total));

  if (action->unplayed || is_end)
    set (state, EAR_MARK_LISTENED, is_end, time);
  set (state, EAR_MARK_POSITION, action->unplayed || is_end ? 0 : position, time);
}

/* Returns: the value as an action has it, a position in whole seconds */
static gint64
cut (EarMark mark, gint64 value)
{
  return mark == EAR_MARK_POSITION ? value / G_USEC_PER_SEC : value;
}

/* Finds the marks of the server that are newer than those here. Times of actions are whole
 * seconds: of two marks of one second, the larger value wins, on all devices.
 * @news: (out caller-allocates)
 * Returns: whether there are any */
gboolean
ear_sync_find_news (const EarEpisodeState *known, const EarEpisodeState *server,
                    EarEpisodeState *news)
{
  *news = (EarEpisodeState){ 0 };
  for (EarMark mark = 0; mark < EAR_N_MARKS; mark++)
    {
      const gboolean is_of_same_second =
          server->updated[mark] > 0 &&
          server->updated[mark] / G_USEC_PER_SEC == known->updated[mark] / G_USEC_PER_SEC;
      const gint64 more = cut (mark, server->values[mark]) - cut (mark, known->values[mark]);

      /* A mark that is so already needs no newer time. */
      if (is_of_same_second ? more > 0
                            : more != 0 && server->updated[mark] > known->updated[mark])
        {
          news->values[mark] = server->values[mark];
          news->updated[mark] = MAX (server->updated[mark], known->updated[mark] + 1);
        }
    }

  return !ear_episode_state_is_empty (news);
}

/* Lists the actions that tell other devices of new marks.
 * @server: the marks that came from the server
 * @news: those of them that are newer
 * @sent: Unix microseconds: marks up to it were uploaded
 * @with_late: @server has all marks there: older marks may have appeared late, as in a folder
 *   that computers share, and are uploaded if the server has nothing newer
 * @podcast: the podcast's address on the server
 * @service: Nextcloud keeps only the last upload for an episode, whatever its time
 * @actions: (inout) (element-type EarSyncAction) */
void
ear_sync_list_actions (const EarMediaMarks *marks, const EarEpisodeState *server,
                       const EarEpisodeState *news, gint64 sent, gboolean with_late,
                       const char *podcast, EarSyncService service, GPtrArray *actions)
{
  static const EarMark kinds[] = { EAR_MARK_LISTENED, EAR_MARK_POSITION };
  const gboolean keeps_last = service == EAR_SYNC_NEXTCLOUD;
  const gint64 duration = marks->duration / G_USEC_PER_SEC;
  const EarEpisodeState *state = &marks->state;
  const guint n_before = actions->len;
  const gint64 newest = MAX (server->position_updated, server->listened_updated) / G_USEC_PER_SEC;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const EarMark mark = kinds[i];
      const gint64 time = state->updated[mark] / G_USEC_PER_SEC;
      const gint64 position = cut (mark, state->values[mark]);
      const gboolean is_sent = state->updated[mark] <= sent;
      const gboolean is_there = time == server->updated[mark] / G_USEC_PER_SEC &&
                                position == cut (mark, server->values[mark]);
      EarSyncAction *action;

      if (state->updated[mark] == 0 || news->updated[mark] > 0 || is_there ||
          (mark == EAR_MARK_POSITION && position == 0) ||
          (is_sent && (!with_late || time <= newest)) || (keeps_last && time < newest))
        continue;
      if (keeps_last && actions->len > n_before)
        {
          action = g_ptr_array_index (actions, n_before);
          if (time <= action->time)
            continue;
          g_ptr_array_remove_index (actions, n_before);
        }
      action = ear_sync_action_new (podcast, marks->media, marks->feed_guid, time);
      action->unplayed = mark == EAR_MARK_LISTENED && !state->listened;
      if (mark == EAR_MARK_LISTENED)
        action->position = action->total = MAX (duration, 1);
      else
        {
          action->position = position;
          /* As an end, it would mark the episode as played. */
          action->total = duration > position ? duration : 0;
        }
      g_ptr_array_add (actions, action);
    }
}
