/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-exchange.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-keyring.h"
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

  ear_sync_plan_clear (&self->plan);
  ear_sync_state_unref (self->state);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->actions);
  g_clear_pointer (&self->outgoing, g_ptr_array_unref);
  g_clear_pointer (&self->elements, g_ptr_array_unref);
  g_ptr_array_unref (self->followed);
  g_ptr_array_unref (self->unfollowed);
  g_hash_table_unref (self->news);
  g_clear_error (&self->refusal);
}

static void
release (EarSyncExchange *self)
{
  g_rc_box_release_full (self, clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSyncExchange, release)

/* The owner does not wait for a sync that it has cancelled.
 * @error: (transfer full) (nullable) */
static void
report (EarSyncExchange *self, GError *error)
{
  if (g_cancellable_is_cancelled (self->cancellable))
    g_clear_error (&error);
  else
    self->done (self->owner, error);
}

static void
call (EarSyncExchange *self, EarSyncCall what, gint64 since, GVariant *body,
      GAsyncReadyCallback callback)
{
  ear_sync_call_async (self->services->http, &self->state->account, what, since, body,
                       self->cancellable, callback, g_rc_box_acquire (self));
}

static gboolean
loop_cb (gpointer user_data)
{
  EarSyncExchange *self = user_data;
  const gint64 end = g_get_monotonic_time () + TURN;

  if (g_cancellable_is_cancelled (self->cancellable))
    return G_SOURCE_REMOVE;
  while (self->n_elements < self->elements->len)
    {
      if (g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
      self->each (self, g_ptr_array_index (self->elements, self->n_elements++));
    }
  self->then (self);

  return G_SOURCE_REMOVE;
}

/* Calls a function for each element, in turns of the main loop that hold up no frame.
 * @elements: (transfer full) */
static void
loop (EarSyncExchange *self, GPtrArray *elements,
      void (*each) (EarSyncExchange *self, gpointer element), void (*then) (EarSyncExchange *self))
{
  g_clear_pointer (&self->elements, g_ptr_array_unref);
  self->elements = elements;
  self->n_elements = 0;
  self->each = each;
  self->then = then;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, loop_cb, g_rc_box_acquire (self),
                   (GDestroyNotify) release);
}

static void list_actions (EarSyncExchange *self, gint64 since);
static void uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* --- Uploading ---------------------------------------------------------------------- */

static void
end (EarSyncExchange *self)
{
  EarSyncState *state = self->state;
  const gint64 now = g_get_real_time ();

  if (self->refusal != NULL && !self->is_accepted)
    {
      report (self, g_steal_pointer (&self->refusal));
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
  report (self, NULL);
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
      const EarSyncChange *change = g_ptr_array_index (self->plan.there, i);

      if (change->removed)
        g_hash_table_remove (podcasts, change->address);
      else
        g_hash_table_insert (podcasts, g_strdup (change->address),
                             g_strdup (moved != NULL ? find_moved (moved, change->there) : ""));
    }
}

static GVariant *
print_podcasts (EarSyncExchange *self)
{
  GVariantBuilder added = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);
  GVariantBuilder removed = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; i < self->n_batch; i++)
    {
      const EarSyncChange *change = g_ptr_array_index (self->plan.there, self->n_done + i);

      g_variant_builder_add (change->removed ? &removed : &added, "s", change->there);
    }

  return g_variant_new_parsed ("{'add': %as, 'remove': %as}", &added, &removed);
}

static GVariant *
print_actions (EarSyncExchange *self)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  for (guint i = 0; i < self->n_batch; i++)
    g_variant_builder_add_value (
        &builder, ear_sync_action_print (g_ptr_array_index (self->outgoing, self->n_done + i),
                                         &self->state->account));

  return g_variant_builder_end (&builder);
}

/* Uploads the changes of podcasts, or the actions. */
static void
upload (EarSyncExchange *self)
{
  const gboolean has_actions = self->outgoing != NULL;
  const guint n_left =
      (has_actions ? self->outgoing->len : self->plan.there->len) - self->n_done;

  self->n_batch = MIN (MIN (self->n_batch, has_actions ? BATCH : PODCASTS_BATCH), n_left);
  /* A server that takes nothing is out of order. */
  if (self->n_refused > BATCH)
    report (self, g_steal_pointer (&self->refusal));
  else if (n_left > 0 && has_actions)
    call (self, EAR_SYNC_ADD_ACTIONS, 0, print_actions (self), uploaded_cb);
  else if (n_left > 0)
    call (self, EAR_SYNC_CHANGE_PODCASTS, 0, print_podcasts (self), uploaded_cb);
  else if (has_actions)
    end (self);
  else
    list_actions (self, self->is_whole ? 0 : self->state->since - OVERLAP);
}

/* One entry that the server cannot read spoils the request: it is found by halves, and left
 * out. */
static void
uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (GError) error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);

  if (answer == NULL && status != 400 && status != 500)
    {
      report (self, g_steal_pointer (&error));
      return;
    }
  if (answer == NULL && self->n_batch > 1)
    {
      self->n_batch /= 2;
      upload (self);
      return;
    }
  if (self->outgoing == NULL && status != 500)
    note_podcasts (self, self->n_batch, answer != NULL ? answer->moved : NULL);
  if (answer != NULL)
    {
      self->is_accepted = TRUE;
      self->n_refused = 0;
      self->plan.counts.sent += self->outgoing != NULL ? self->n_batch : 0;
    }
  if (status == 500)
    {
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);
      self->n_refused++;
    }
  self->state->changed = TRUE;
  self->n_done += self->n_batch;
  self->n_batch *= 2;
  upload (self);
}

/* --- Merging marks ------------------------------------------------------------------ */

static int
compare_actions (gconstpointer a, gconstpointer b)
{
  const EarSyncAction *one = a, *other = b;

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
  self->plan.counts.received++;
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
                           self->state->account.service, self->outgoing);
}

static void
news_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  if (!g_cancellable_is_cancelled (self->cancellable))
    upload (self);
}

static void
store_news (EarSyncExchange *self)
{
  EarCatalogue *catalogue = self->services->catalogue;
  GHashTableIter iter;
  gpointer podcast, states;

  g_ptr_array_sort_values (self->outgoing, compare_actions);
  self->n_done = 0;
  self->n_batch = BATCH;
  g_hash_table_iter_init (&iter, self->news);
  while (g_hash_table_iter_next (&iter, &podcast, &states))
    ear_catalogue_apply_state (catalogue, ear_podcast_get_id (podcast), states);
  self->state->changed = self->state->changed || self->plan.counts.received > 0;
  /* The marks are on the disk before the sync is. */
  ear_catalogue_flush_async (catalogue, self->cancellable, news_stored_cb,
                             g_rc_box_acquire (self));
}

static void
media_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  GError *error = NULL;
  GPtrArray *found = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  self->outgoing = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  if (found != NULL)
    loop (self, found, merge_episode, store_news);
  else
    report (self, error);
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
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (GPtrArray) places =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);
  g_autoptr (GHashTable) by_key = NULL;
  g_autoptr (GHashTable) by_address = g_hash_table_new (g_str_hash, g_str_equal);

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  by_key = list_by_key (self);
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
      g_ptr_array_add (places, ear_media_marks_new (
                                   podcast != NULL ? ear_podcast_get_id (podcast) : 0,
                                   action->media, action->guid));
    }
  ear_catalogue_find_media_async (EAR_CATALOGUE (source), places,
                                  self->is_whole ? 0 : self->sent, self->cancellable,
                                  media_found_cb, g_rc_box_acquire (self));
}

static void
actions_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);

  /* A large account is compared in part. */
  if (self->is_whole && self->state->since > 0 &&
      g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    {
      self->is_whole = FALSE;
      self->state->compared = g_get_real_time ();
      self->state->changed = TRUE;
      list_actions (self, self->state->since - OVERLAP);
      return;
    }
  if (answer == NULL)
    {
      report (self, g_steal_pointer (&error));
      return;
    }
  /* Nextcloud keeps play actions only. */
  for (guint i = 0; i < answer->actions->len; i++)
    {
      EarSyncAction *action = g_ptr_array_index (answer->actions, i);

      action->unplayed = action->unplayed ||
                         (self->state->account.service == EAR_SYNC_NEXTCLOUD &&
                          action->position == 0);
    }
  g_ptr_array_extend_and_steal (self->actions, g_ptr_array_ref (answer->actions));
  /* A server may send a part, with the time of its last action. More actions of that
   * second may follow, and some servers send that second again. */
  if (answer->timestamp >= self->since && answer->timestamp < self->server_time &&
      answer->n_actions > 0 && self->actions->len < MAX_ACTIONS &&
      ++self->n_parts < MAX_PARTS)
    {
      list_actions (self, MAX (answer->timestamp - 1, self->since + 1));
      return;
    }
  self->since = MAX (answer->timestamp, self->since);
  self->listed_at = g_get_real_time ();
  ear_catalogue_flush_async (self->services->catalogue, self->cancellable, flushed_cb,
                             g_rc_box_acquire (self));
}

static void
list_actions (EarSyncExchange *self, gint64 since)
{
  self->since = MAX (since, 0);
  call (self, EAR_SYNC_LIST_ACTIONS, self->since, NULL, actions_listed_cb);
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
end_changes (EarSyncExchange *self)
{
  const guint n_followed = self->followed->len, n_unfollowed = self->unfollowed->len;
  g_autofree char *followed = g_strdup_printf (
      ngettext ("Followed %'u podcast", "Followed %'u podcasts", n_followed), n_followed);
  g_autofree char *unfollowed =
      g_strdup_printf (ngettext ("Unfollowed %'u podcast, as another device did",
                                 "Unfollowed %'u podcasts, as another device did", n_unfollowed),
                       n_unfollowed);

  offer_undo (self, followed, undo_following, self->followed);
  offer_undo (self, unfollowed, undo_unfollowing, self->unfollowed);
  upload (self);
}

/* Makes the changes of the plan, and merges marks. */
void
ear_sync_exchange_apply (EarSyncExchange *self)
{
  self->is_doubtful = FALSE;
  self->state->agreed = TRUE;
  loop (self, g_ptr_array_ref (self->plan.here), change_here, end_changes);
}

/* --- Comparing podcasts ------------------------------------------------------------- */

/* Addresses that are both followed and not are followed. */
static void
podcasts_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  EarSyncState *state = self->state;
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);
  const gint64 now = g_get_real_time ();
  const guint n_before = g_hash_table_size (state->podcasts);

  if (answer == NULL)
    {
      report (self, error);
      return;
    }
  self->server_time = answer->timestamp;
  ear_sync_plan_make (&self->plan, ear_catalogue_get_podcasts (self->services->catalogue),
                      state->podcasts, answer->podcasts,
                      (EarSyncUnfollowedFunc) ear_subscriptions_was_unfollowed,
                      self->services->subscriptions);
  if (!state->agreed || n_before != g_hash_table_size (state->podcasts))
    state->changed = TRUE;
  self->is_doubtful =
      (!state->agreed && self->plan.here->len + self->plan.there->len > 0) ||
      ear_sync_plan_is_doubtful (&self->plan);
  /* Actions and marks of new podcasts may be older than the last sync. */
  if (self->plan.n_new + self->plan.counts.follow > 0)
    state->since = state->sent = 0;
  /* Marks after a clock that was set back have earlier stamps. */
  self->sent = MIN (state->sent, now);
  self->is_whole = state->since == 0 || ABS (now - state->compared) > COMPARE_INTERVAL;
  if (self->is_doubtful)
    report (self, NULL);
  else
    ear_sync_exchange_apply (self);
}

/* Uploads the podcasts that the server has lost, in place of unfollowing them. */
void
ear_sync_exchange_keep (EarSyncExchange *self)
{
  ear_sync_plan_keep (&self->plan);
  /* A server that lost its podcasts lost the rest, too. */
  self->state->since = self->state->sent = self->sent = 0;
  self->is_whole = TRUE;
}

static void
password_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  GError *error = NULL;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, &error);

  if (login == NULL)
    {
      report (self, error != NULL ? error
                                  : g_error_new_literal (EAR_ERROR, EAR_ERROR_UNAUTHORIZED,
                                                         "The password is not known"));
      return;
    }
  g_set_str (&self->state->account.password, login->password);
  call (self, EAR_SYNC_LIST_PODCASTS, 0, NULL, podcasts_listed_cb);
}

/* Finds the changes that make the podcasts here and on the server the same, and makes them
 * unless they are doubtful.
 * @services: borrowed
 * @state: of an account
 * Returns: to be ended by ear_sync_exchange_end() */
EarSyncExchange *
ear_sync_exchange_begin (const EarServices *services, EarSyncState *state, EarSyncDoneFunc done,
                         gpointer owner)
{
  EarSyncExchange *self = g_rc_box_new0 (EarSyncExchange);

  self->services = services;
  self->state = g_rc_box_acquire (state);
  self->done = done;
  self->owner = owner;
  self->cancellable = g_cancellable_new ();
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);
  self->unfollowed = g_ptr_array_new_with_free_func (g_object_unref);
  self->news = g_hash_table_new_full (NULL, NULL, g_object_unref,
                                      (GDestroyNotify) g_hash_table_unref);
  self->n_batch = PODCASTS_BATCH;
  ear_keyring_find_async (services->keyring, EAR_SYNC_KEYRING_NAME, state->account.address,
                          self->cancellable, password_found_cb, g_rc_box_acquire (self));

  return self;
}

/* Cancels the sync if it is running, and releases it. */
void
ear_sync_exchange_end (EarSyncExchange *self)
{
  g_cancellable_cancel (self->cancellable);
  release (self);
}
