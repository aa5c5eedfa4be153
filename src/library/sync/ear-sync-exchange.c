/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-exchange.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-subscriptions.h"
#include "ear-userdata-store.h"

#include <glib/gi18n-lib.h>

/* A sync compares three lists of podcasts: those followed here, those on the server, and
 * those that both had at the last sync. Then it merges the server's actions into the
 * listener's marks, by their times, and uploads the marks that are newer than the last
 * sync. Changes made offline need no journal of their own, as marks have stamps and are
 * on the disk.
 *
 * Once a day, all actions and all marks are compared: some appear late, with old times,
 * here from a folder that computers share, and on the server from a phone that was offline
 * for longer than OVERLAP. */

/* The largest number of actions in a request that all servers accept */
#define BATCH 30
#define PODCASTS_BATCH 1000

/* Seconds. Servers report actions since a time by the time of the action, not of its
 * upload: a device that was offline may upload older ones. */
#define OVERLAP (7 * 24 * 60 * 60)
#define CLOCK_ERROR (24 * 60 * 60)

/* The longest part of a turn of the main loop, in microseconds */
#define TURN 8000

/* Time between two syncs that compare everything */
#define COMPARE_INTERVAL G_TIME_SPAN_DAY

/* A server that has more, or sends it in more parts, sends nonsense. */
#define MAX_ACTIONS 200000
#define MAX_PARTS 2000

static void
clear (gpointer data)
{
  EarSyncExchange *self = data;

  ear_sync_state_unref (self->state);
  g_clear_pointer (&self->plan, ear_sync_plan_free);
  g_ptr_array_unref (self->actions);
  g_clear_pointer (&self->outgoing, g_ptr_array_unref);
  g_clear_pointer (&self->elements, g_ptr_array_unref);
  g_ptr_array_unref (self->followed);
  g_ptr_array_unref (self->unfollowed);
  g_hash_table_unref (self->news);
  g_clear_error (&self->refusal);
}

void
ear_sync_exchange_unref (EarSyncExchange *self)
{
  g_rc_box_release_full (self, clear);
}

/* @services: borrowed
 * @state: of a signed in account, whose password is known */
EarSyncExchange *
ear_sync_exchange_new (const EarServices *services, EarSyncState *state)
{
  EarSyncExchange *self = g_rc_box_new0 (EarSyncExchange);

  self->services = services;
  self->state = ear_sync_state_ref (state);
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);
  self->unfollowed = g_ptr_array_new_with_free_func (g_object_unref);
  self->news = g_hash_table_new_full (NULL, NULL, g_object_unref,
                                      (GDestroyNotify) g_hash_table_unref);
  self->n_batch = PODCASTS_BATCH;

  return self;
}

/* @task: (transfer full) */
static void
call (GTask *task, EarSyncCall what, gint64 since, GBytes *body, GAsyncReadyCallback callback)
{
  EarSyncExchange *self = g_task_get_task_data (task);

  ear_sync_call_async (self->services->http, self->state->account, what, since, body,
                       g_task_get_cancellable (task), callback, task);
}

static GTask *
create_task (EarSyncExchange *self, gpointer owner, GCancellable *cancellable,
             GAsyncReadyCallback callback)
{
  GTask *task = g_task_new (owner, cancellable, callback, NULL);

  /* Drawing comes first. */
  g_task_set_priority (task, G_PRIORITY_DEFAULT_IDLE);
  g_task_set_task_data (task, g_rc_box_acquire (self),
                        (GDestroyNotify) ear_sync_exchange_unref);

  return task;
}

static gboolean
loop_cb (gpointer user_data)
{
  GTask *task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  const gint64 end = g_get_monotonic_time () + TURN;

  if (g_task_return_error_if_cancelled (task))
    {
      g_object_unref (task);
      return G_SOURCE_REMOVE;
    }
  while (self->n_elements < self->elements->len)
    {
      if (g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
      self->each (self, g_ptr_array_index (self->elements, self->n_elements++));
    }
  self->then (task);

  return G_SOURCE_REMOVE;
}

/* Calls a function for each element, in turns of the main loop that hold up no frame.
 * @task: (transfer full)
 * @elements: (transfer full)
 * @then: (transfer full): gets the task at the end */
static void
loop (GTask *task, GPtrArray *elements, void (*each) (EarSyncExchange *self, gpointer element),
      void (*then) (GTask *task))
{
  EarSyncExchange *self = g_task_get_task_data (task);
  g_autoptr (GSource) source = g_idle_source_new ();

  g_clear_pointer (&self->elements, g_ptr_array_unref);
  self->elements = elements;
  self->n_elements = 0;
  self->each = each;
  self->then = then;
  g_task_attach_source (task, source, loop_cb);
}

/* --- Comparing podcasts ------------------------------------------------------------- */

/* Returns: (transfer full) (element-type EarSyncPodcast): valid until podcasts change */
static GArray *
list_followed (EarSyncExchange *self)
{
  GArray *followed = g_array_new (FALSE, FALSE, sizeof (EarSyncPodcast));
  GListModel *podcasts = ear_catalogue_get_podcasts (self->services->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const EarSyncPodcast entry = {
        ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast),
        ear_podcast_is_private (podcast) &&
            !ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_SYNC]
      };

      g_array_append_val (followed, entry);
    }

  return followed;
}

/* Returns: the number of podcasts on the server at the last sync, without those that it
 *   refuses */
static guint
count_known (GHashTable *podcasts)
{
  GHashTableIter iter;
  gpointer there;
  guint n = 0;

  g_hash_table_iter_init (&iter, podcasts);
  while (g_hash_table_iter_next (&iter, NULL, &there))
    n += *(const char *) there != '\0';

  return n;
}

static gboolean
was_unfollowed (gpointer subscriptions, const char *address)
{
  return ear_subscriptions_was_unfollowed (subscriptions, address);
}

/* Addresses that are both followed and not are followed. */
static void
podcasts_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  EarSyncState *state = self->state;
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);
  g_autoptr (GArray) followed = NULL;
  const gint64 now = g_get_real_time ();
  const guint n_before = g_hash_table_size (state->podcasts);
  const guint n_known = count_known (state->podcasts);
  EarSyncPlan *plan;

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->server_time = answer->timestamp;
  followed = list_followed (self);
  plan = self->plan = ear_sync_plan_new (followed, state->podcasts, answer->podcasts,
                                         was_unfollowed, self->services->subscriptions);
  self->counts = plan->counts;
  if (!state->agreed || n_before != g_hash_table_size (state->podcasts))
    state->changed = TRUE;
  self->is_doubtful = (!state->agreed && plan->here->len + plan->there->len > 0) ||
                      ear_sync_plan_is_doubtful (plan, n_known);
  /* Actions and marks of new podcasts may be older than the last sync. */
  if (plan->n_new + plan->counts.follow > 0)
    state->since = state->sent = 0;
  /* Marks after a clock that was set back have earlier stamps. */
  self->sent = MIN (state->sent, now);
  self->is_whole = state->since == 0 || ABS (now - state->compared) > COMPARE_INTERVAL;
  g_task_return_boolean (task, TRUE);
}

/* Finds the changes that make the podcasts here and on the server the same.
 * @owner: an object that keeps the services
 * @callback: gets whether there is a plan from g_task_propagate_boolean(), or an error */
void
ear_sync_exchange_compare_async (EarSyncExchange *self, gpointer owner, GCancellable *cancellable,
                                 GAsyncReadyCallback callback)
{
  call (create_task (self, owner, cancellable, callback), EAR_SYNC_LIST_PODCASTS, 0, NULL,
        podcasts_listed_cb);
}

/* Uploads the podcasts that the server has lost, in place of unfollowing them. */
void
ear_sync_exchange_keep (EarSyncExchange *self)
{
  ear_sync_plan_keep (self->plan);
  self->counts = self->plan->counts;
  /* A server that lost its podcasts lost the rest, too. */
  self->state->since = self->state->sent = self->sent = 0;
  self->is_whole = TRUE;
}

/* --- Uploading ---------------------------------------------------------------------- */

static void list_actions (GTask *task, gint64 since);

static void
end (GTask *task)
{
  EarSyncExchange *self = g_task_get_task_data (task);
  EarSyncState *state = self->state;
  const gint64 now = g_get_real_time ();

  if (self->refusal != NULL && !self->is_accepted)
    {
      g_task_return_error (task, g_steal_pointer (&self->refusal));
      return;
    }
  if (!self->is_incomplete)
    {
      /* A server whose clock is wrong must not silence later actions. */
      state->since = MIN (self->since, now / G_USEC_PER_SEC + CLOCK_ERROR);
      state->sent = self->listed_at;
      if (self->is_whole)
        {
          state->compared = self->listed_at;
          state->changed = TRUE;
        }
    }
  state->synced = now;
  g_task_return_boolean (task, TRUE);
}

/* @moved: (element-type utf8): pairs of an uploaded address and its replacement
 * Returns: the address that the server uses */
static const char *
find_moved (GPtrArray *moved, const char *address)
{
  for (guint i = 0; i < moved->len; i += 2)
    if (g_str_equal (g_ptr_array_index (moved, i), address))
      return g_ptr_array_index (moved, i + 1);

  return address;
}

/* Remembers podcasts that the server knows now, or does not any more, or refuses.
 * @moved: (nullable): %NULL where the server refuses them */
static void
note_podcasts (EarSyncExchange *self, guint n, GPtrArray *moved)
{
  GHashTable *podcasts = self->state->podcasts;

  for (guint i = self->n_done; i < self->n_done + n; i++)
    {
      const EarSyncChange *change = g_ptr_array_index (self->plan->there, i);

      if (change->removed)
        g_hash_table_remove (podcasts, change->address);
      else
        g_hash_table_insert (podcasts, g_strdup (change->address),
                             g_strdup (moved != NULL ? find_moved (moved, change->there) : ""));
    }
}

static GBytes *
print_podcasts (GPtrArray *changes, guint first, guint n)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_null_terminated (1, NULL, TRUE);
  g_autoptr (GPtrArray) removed = g_ptr_array_new_null_terminated (1, NULL, TRUE);

  for (guint i = first; i < first + n; i++)
    {
      EarSyncChange *change = g_ptr_array_index (changes, i);

      g_ptr_array_add (change->removed ? removed : added, change->there);
    }

  return ear_sync_print_podcasts ((const char *const *) added->pdata,
                                  (const char *const *) removed->pdata);
}

static void uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* Uploads the changes of podcasts, or the actions.
 * @task: (transfer full) */
static void
upload (GTask *task)
{
  EarSyncExchange *self = g_task_get_task_data (task);
  GPtrArray *outgoing = self->outgoing;
  GPtrArray *all = outgoing != NULL ? outgoing : self->plan->there;
  g_autoptr (GBytes) body = NULL;

  self->n_batch = MIN (self->n_batch, outgoing != NULL ? BATCH : PODCASTS_BATCH);
  self->n_batch = MIN (self->n_batch, all->len - self->n_done);
  /* A server that takes nothing is out of order. */
  if (self->n_refused > BATCH)
    {
      g_task_return_error (task, g_steal_pointer (&self->refusal));
      g_object_unref (task);
    }
  else if (self->n_batch == 0 && outgoing != NULL)
    {
      end (task);
      g_object_unref (task);
    }
  else if (self->n_batch == 0)
    list_actions (task, self->is_whole ? 0 : self->state->since - OVERLAP);
  else if (outgoing != NULL)
    {
      body = ear_sync_print_actions (self->state->account, all, self->n_done, self->n_batch);
      call (task, EAR_SYNC_ADD_ACTIONS, 0, body, uploaded_cb);
    }
  else
    {
      body = print_podcasts (all, self->n_done, self->n_batch);
      call (task, EAR_SYNC_CHANGE_PODCASTS, 0, body, uploaded_cb);
    }
}

/* One entry that the server cannot read spoils the request: it is found by halves, and left
 * out. */
static void
uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);
  const gboolean is_spoiled = answer == NULL && (status == 400 || status == 500);

  if (answer == NULL && !is_spoiled)
    {
      g_task_return_error (task, error);
      return;
    }
  if (is_spoiled && self->n_batch > 1)
    {
      g_error_free (error);
      self->n_batch /= 2;
      upload (g_steal_pointer (&task));
      return;
    }
  if (self->outgoing == NULL && status != 500)
    note_podcasts (self, self->n_batch, answer != NULL ? answer->moved : NULL);
  if (answer != NULL)
    {
      self->is_accepted = TRUE;
      self->n_refused = 0;
      self->counts.sent += self->outgoing != NULL ? self->n_batch : 0;
    }
  if (status == 500)
    {
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);
      self->n_refused++;
    }
  g_clear_error (&error);
  self->state->changed = TRUE;
  self->n_done += self->n_batch;
  self->n_batch *= 2;
  upload (g_steal_pointer (&task));
}

/* --- Merging marks ------------------------------------------------------------------ */

static int
compare_actions (gconstpointer a, gconstpointer b)
{
  const EarSyncAction *one = *(EarSyncAction **) a;
  const EarSyncAction *other = *(EarSyncAction **) b;

  return (one->time > other->time) - (one->time < other->time);
}

/* A paused episode goes on where another device has stopped. */
static void
move_player (EarPlayer *player, EarPodcast *podcast, const char *guid, const EarEpisodeState *news)
{
  EarEpisode *episode = ear_player_get_episode (player);

  if (episode != NULL && news->position_updated > 0 &&
      ear_player_get_state (player) == EAR_PLAYER_PAUSED &&
      ear_episode_get_podcast (episode) == podcast &&
      g_str_equal (ear_episode_get_guid (episode), guid))
    ear_player_seek_unasked (player, news->position);
}

/* Adds marks that are newer than those here to the table of their podcast. */
static void
take_news (EarSyncExchange *self, EarPodcast *podcast, EarMediaMarks *marks,
           EarEpisodeState *news)
{
  GHashTable *states = g_hash_table_lookup (self->news, podcast);

  /* A played episode leaves Up Next. */
  if (news->listened_updated > 0 && news->listened && marks->state.queued > 0)
    {
      news->queued = 0;
      news->queued_updated = MAX (news->listened_updated, marks->state.queued_updated + 1);
    }
  if (states == NULL)
    {
      states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (self->news, g_object_ref (podcast), states);
    }
  g_hash_table_insert (states, g_strdup (marks->guid), g_memdup2 (news, sizeof *news));
  ear_userdata_store_adopt_episode (self->services->state, podcast, marks->guid, NULL,
                                    marks->media, news);
  move_player (self->services->player, podcast, marks->guid, news);
  for (EarMark mark = 0; mark < EAR_N_MARKS; mark++)
    if (news->updated[mark] > 0)
      {
        marks->state.values[mark] = news->values[mark];
        marks->state.updated[mark] = news->updated[mark];
      }
  self->counts.received++;
}

static void
merge_episode (EarSyncExchange *self, gpointer element)
{
  EarMediaMarks *marks = element;
  EarPodcast *podcast = ear_catalogue_get_podcast (self->services->catalogue, marks->podcast);
  EarEpisodeState server = { 0 };
  EarEpisodeState news;
  const char *address;

  if (podcast == NULL)
    return;
  for (guint i = 0; i < marks->places->len; i++)
    ear_sync_apply_action (
        g_ptr_array_index (self->actions, g_array_index (marks->places, guint, i)),
        marks->duration, self->listed_at, &server);
  if (ear_sync_find_news (&marks->state, &server, &news))
    take_news (self, podcast, marks, &news);
  address = g_hash_table_lookup (self->state->podcasts, ear_podcast_get_address (podcast));
  if (address != NULL && *address != '\0' && marks->media != NULL)
    ear_sync_list_actions (marks, &server, self->sent, self->is_whole, address,
                           self->state->account->service, self->outgoing);
}

static void
news_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  upload (user_data);
}

static void
store_news (GTask *task)
{
  EarSyncExchange *self = g_task_get_task_data (task);
  EarCatalogue *catalogue = self->services->catalogue;
  GHashTableIter iter;
  gpointer podcast, states;

  g_ptr_array_sort (self->outgoing, compare_actions);
  self->n_done = 0;
  self->n_batch = BATCH;
  g_hash_table_iter_init (&iter, self->news);
  while (g_hash_table_iter_next (&iter, &podcast, &states))
    ear_catalogue_apply_state (catalogue, ear_podcast_get_id (podcast), states);
  self->state->changed = self->state->changed || self->counts.received > 0;
  /* The marks are on the disk before the sync is. */
  ear_catalogue_flush_async (catalogue, g_task_get_cancellable (task), news_stored_cb, task);
}

static void
media_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  GError *error = NULL;
  GPtrArray *found = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  self->outgoing = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  if (found != NULL)
    loop (task, found, merge_episode, store_news);
  else
    {
      g_task_return_error (task, error);
      g_object_unref (task);
    }
}

/* Returns: (transfer full) (element-type utf8 EarPodcast): followed podcasts by the keys
 *   of their addresses here and on the server */
static GHashTable *
list_by_key (EarSyncExchange *self)
{
  GHashTable *by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *podcasts = ear_catalogue_get_podcasts (self->services->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const char *const addresses[] = {
        ear_podcast_get_address (podcast), ear_podcast_get_feed_address (podcast),
        g_hash_table_lookup (self->state->podcasts, ear_podcast_get_address (podcast))
      };

      for (gsize j = 0; j < G_N_ELEMENTS (addresses); j++)
        if (addresses[j] != NULL && *addresses[j] != '\0')
          g_hash_table_insert (by_key, ear_address_key (addresses[j]), podcast);
      /* Until a podcast is fetched, its actions cannot be applied. */
      if (ear_podcast_get_checked (podcast) == 0 && ear_podcast_get_error (podcast) == NULL)
        self->is_incomplete = TRUE;
    }

  return by_key;
}

/* All marks up to now are stored. */
static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  g_autoptr (GPtrArray) places =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_place_free);
  g_autoptr (GHashTable) by_key = list_by_key (self);
  g_autoptr (GHashTable) by_address = g_hash_table_new (g_str_hash, g_str_equal);

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  for (guint i = 0; i < self->actions->len; i++)
    {
      const EarSyncAction *action = g_ptr_array_index (self->actions, i);
      gpointer podcast = NULL;

      if (!g_hash_table_lookup_extended (by_address, action->podcast, NULL, &podcast))
        {
          g_autofree char *key = ear_address_key (action->podcast);

          podcast = g_hash_table_lookup (by_key, key);
          g_hash_table_insert (by_address, action->podcast, podcast);
        }
      g_ptr_array_add (places, ear_media_place_new (
                                   podcast != NULL ? ear_podcast_get_id (podcast) : 0,
                                   action->media, action->guid));
    }
  ear_catalogue_find_media_async (EAR_CATALOGUE (source), places,
                                  self->is_whole ? 0 : self->sent, g_task_get_cancellable (task),
                                  media_found_cb, task);
}

static void
actions_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSyncExchange *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);
  const guint n_before = self->actions->len;

  /* A large account is compared in part. */
  if (self->is_whole && self->state->since > 0 &&
      g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    {
      g_error_free (error);
      self->is_whole = FALSE;
      self->state->compared = g_get_real_time ();
      self->state->changed = TRUE;
      list_actions (g_steal_pointer (&task), self->state->since - OVERLAP);
      return;
    }
  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_extend_and_steal (self->actions, g_ptr_array_ref (answer->actions));
  /* Nextcloud keeps play actions only. */
  for (guint i = n_before; i < self->actions->len; i++)
    {
      EarSyncAction *action = g_ptr_array_index (self->actions, i);

      action->unplayed = action->unplayed ||
                         (self->state->account->service == EAR_SYNC_NEXTCLOUD &&
                          action->position == 0);
    }
  /* A server may send a part, with the time of its last action. More actions of that
   * second may follow, and some servers send that second again. */
  if (answer->timestamp >= self->since && answer->timestamp < self->server_time &&
      answer->n_actions > 0 && self->actions->len < MAX_ACTIONS &&
      ++self->n_parts < MAX_PARTS)
    {
      list_actions (g_steal_pointer (&task), MAX (answer->timestamp - 1, self->since + 1));
      return;
    }
  self->since = MAX (answer->timestamp, self->since);
  self->listed_at = g_get_real_time ();
  ear_catalogue_flush_async (self->services->catalogue, g_task_get_cancellable (task), flushed_cb,
                             g_object_ref (task));
}

/* @task: (transfer full) */
static void
list_actions (GTask *task, gint64 since)
{
  EarSyncExchange *self = g_task_get_task_data (task);

  self->since = MAX (since, 0);
  call (task, EAR_SYNC_LIST_ACTIONS, self->since, NULL, actions_listed_cb);
}

/* --- Changing podcasts -------------------------------------------------------------- */

static void
undo_following (gpointer subscriptions, gpointer data)
{
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    if (ear_podcast_get_followed (g_ptr_array_index (podcasts, i)))
      ear_subscriptions_drop (subscriptions, g_ptr_array_index (podcasts, i));
}

static void
undo_unfollowing (gpointer subscriptions, gpointer data)
{
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    ear_subscriptions_follow_again (subscriptions,
                                    ear_podcast_get_address (g_ptr_array_index (podcasts, i)),
                                    ear_podcast_get_title (g_ptr_array_index (podcasts, i)));
}

static void
offer_undo (EarSyncExchange *self, const char *message, EarUndoFunc func, GPtrArray *podcasts)
{
  g_autoptr (EarUndo) undo = NULL;

  if (podcasts->len == 0)
    return;
  undo = ear_undo_new (message, func, self->services->subscriptions, g_ptr_array_ref (podcasts),
                       (GDestroyNotify) g_ptr_array_unref);
  ear_notices_offer_undo (self->services->notices, undo);
  self->state->changed = TRUE;
}

static void
follow (EarSyncExchange *self, const char *address)
{
  EarSubscriptions *subscriptions = self->services->subscriptions;
  EarPodcast *known = ear_subscriptions_find (subscriptions, address);
  const gboolean was_followed = known != NULL && ear_podcast_get_followed (known);
  EarPodcast *podcast = ear_subscriptions_follow_in (subscriptions, address, NULL, NULL);

  if (podcast == NULL)
    return;
  g_hash_table_insert (self->state->podcasts, g_strdup (ear_podcast_get_address (podcast)),
                       g_strdup (address));
  if (!was_followed)
    g_ptr_array_add (self->followed, g_object_ref (podcast));
}

static void
unfollow (EarSyncExchange *self, const char *address)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->services->catalogue, address);

  g_hash_table_remove (self->state->podcasts, address);
  if (podcast == NULL || !ear_podcast_get_followed (podcast))
    return;
  g_ptr_array_add (self->unfollowed, g_object_ref (podcast));
  ear_subscriptions_drop (self->services->subscriptions, podcast);
}

static void
change_here (EarSyncExchange *self, gpointer element)
{
  const EarSyncChange *change = element;

  if (change->removed)
    unfollow (self, change->address);
  else
    follow (self, change->there);
}

static void
end_changes (GTask *task)
{
  EarSyncExchange *self = g_task_get_task_data (task);
  const guint n_followed = self->followed->len, n_unfollowed = self->unfollowed->len;
  g_autofree char *followed = g_strdup_printf (
      ngettext ("Followed %'u podcast", "Followed %'u podcasts", n_followed), n_followed);
  g_autofree char *unfollowed =
      g_strdup_printf (ngettext ("Unfollowed %'u podcast, as another device did",
                                 "Unfollowed %'u podcasts, as another device did", n_unfollowed),
                       n_unfollowed);

  offer_undo (self, followed, undo_following, self->followed);
  offer_undo (self, unfollowed, undo_unfollowing, self->unfollowed);
  upload (task);
}

/* Makes the changes of the plan, and merges marks.
 * @owner: an object that keeps the services
 * @callback: likewise; the state has the changes */
void
ear_sync_exchange_apply_async (EarSyncExchange *self, gpointer owner, GCancellable *cancellable,
                               GAsyncReadyCallback callback)
{
  self->state->agreed = TRUE;
  loop (create_task (self, owner, cancellable, callback), g_ptr_array_ref (self->plan->here),
        change_here, end_changes);
}
