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

/* Signing in tries an account, and links the podcasts of the listener's devices. Without a
 * password, the listener signs in to Nextcloud with the web browser.
 *
 * A sync compares three lists of podcasts: those followed here, those on the server, and
 * those that both had at the last sync. Then it merges the server's actions into the
 * listener's marks, by their times, and uploads the marks that are newer than the last
 * sync. Changes made offline need no journal of their own, as marks have stamps and are
 * on the disk.
 *
 * Once a day, all actions and all marks are compared: some appear late, with old times,
 * here from a folder that computers share, and on the server from a phone that was offline
 * for longer than OVERLAP. */

#define POLL_INTERVAL_MS 2000
#define LOGIN_TIME (20 * G_TIME_SPAN_MINUTE)

/* The largest number of actions in a request that all servers accept */
#define BATCH 30
#define PODCASTS_BATCH 1000

/* Seconds. Servers report actions since a time by the time of the action, not of its
 * upload: a device that was offline may upload older ones. */
#define OVERLAP (7 * 24 * 60 * 60)
#define CLOCK_ERROR (24 * 60 * 60)

/* Time between two syncs that compare everything */
#define COMPARE_INTERVAL G_TIME_SPAN_DAY

/* A server that has more, or sends it in more parts, sends nonsense. */
#define MAX_ACTIONS 200000
#define MAX_PARTS 2000

/* Returns: (transfer full): without an account; g_rc_box_acquire() makes a reference */
EarSyncState *
ear_sync_state_new (void)
{
  EarSyncState *self = g_rc_box_new0 (EarSyncState);

  self->podcasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

static void
clear_state (gpointer data)
{
  EarSyncState *self = data;

  g_free (self->account.address);
  g_free (self->account.user);
  g_free (self->account.password);
  g_free (self->account.device);
  g_free (self->account.name);
  g_hash_table_unref (self->podcasts);
}

void
ear_sync_state_unref (EarSyncState *self)
{
  g_rc_box_release_full (self, clear_state);
}

static void
clear (gpointer data)
{
  EarSyncExchange *self = data;

  g_free (self->login.address);
  g_free (self->form);
  ear_sync_plan_clear (&self->plan);
  ear_sync_state_unref (self->state);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->actions);
  g_clear_pointer (&self->outgoing, g_ptr_array_unref);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_hash_table_unref (self->news);
  g_ptr_array_unref (self->followed);
  g_ptr_array_unref (self->unfollowed);
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
  ear_sync_call_async (self->services->http,
                       what == EAR_SYNC_POLL_LOGIN ? &self->login : &self->state->account, what,
                       since, body, self->cancellable, callback, g_rc_box_acquire (self));
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;

  ear_catalogue_write_finish (EAR_CATALOGUE (source), result, NULL);
  if (!g_cancellable_is_cancelled (self->cancellable))
    self->flushed (self);
}

/* Waits until all marks are on the disk. */
static void
flush (EarSyncExchange *self, void (*flushed) (EarSyncExchange *self))
{
  self->flushed = flushed;
  ear_catalogue_flush_async (self->services->catalogue, self->cancellable, flushed_cb,
                             g_rc_box_acquire (self));
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

/* Remembers podcasts that the server knows now, or does not any more, or refuses.
 * @moved: (nullable): %NULL where the server refuses them */
static void
note_podcasts (EarSyncExchange *self, GHashTable *moved)
{
  GHashTable *podcasts = self->state->podcasts;

  for (guint i = 0; i < self->n_batch; i++)
    {
      const EarSyncChange *change = g_ptr_array_index (self->plan.there, self->n_done + i);
      const char *there = moved != NULL ? g_hash_table_lookup (moved, change->there) : "";

      if (change->removed)
        g_hash_table_remove (podcasts, change->address);
      else
        g_hash_table_insert (podcasts, g_strdup (change->address),
                             g_strdup (there != NULL ? there : change->there));
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
  EarSyncAnswer *answer = ear_sync_call_finish (result, &error);

  if (error != NULL && answer->status != 400 && answer->status != 500)
    {
      report (self, g_steal_pointer (&error));
      return;
    }
  if (error != NULL && self->n_batch > 1)
    {
      self->n_batch /= 2;
      upload (self);
      return;
    }
  if (self->outgoing == NULL && answer->status != 500)
    note_podcasts (self, error == NULL ? answer->moved : NULL);
  if (error == NULL)
    {
      self->is_accepted = TRUE;
      self->n_refused = 0;
      self->state->counts.sent += self->outgoing != NULL ? self->n_batch : 0;
    }
  if (answer->status == 500)
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

  return ear_compare (one->time, other->time);
}

/* Stores marks that are newer than those here, in the catalogue after the last episode. */
static void
take_news (EarSyncExchange *self, EarPodcast *podcast, const EarMediaMarks *marks,
           EarEpisodeState *news)
{
  GHashTable *states = g_hash_table_lookup (self->news, podcast);
  EarPlayer *player = self->services->player;
  EarEpisode *current = ear_player_get_episode (player);

  /* A played episode leaves Up Next. */
  if (news->listened_updated > 0 && news->listened && marks->state.queued > 0)
    news->queued_updated = MAX (news->listened_updated, marks->state.queued_updated + 1);
  if (states == NULL)
    {
      states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (self->news, g_object_ref (podcast), states);
    }
  g_hash_table_insert (states, g_strdup (marks->guid), g_memdup2 (news, sizeof *news));
  ear_userdata_store_adopt_episode (self->services->state, podcast, marks->guid, NULL,
                                    marks->media, news);
  /* A paused episode goes on where another device has stopped. */
  if (current != NULL && news->position_updated > 0 &&
      ear_player_get_state (player) == EAR_PLAYER_PAUSED &&
      ear_episode_get_podcast (current) == podcast &&
      g_str_equal (ear_episode_get_guid (current), marks->guid))
    ear_player_seek_unasked (player, news->position);
  self->state->counts.received++;
}

static void
merge_episode (EarSyncExchange *self, const EarMediaMarks *marks)
{
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
  if (!ear_is_empty (address) && marks->media != NULL)
    ear_sync_list_actions (marks, &server, &news, self->sent, self->is_whole, address,
                           self->state->account.service, self->outgoing);
}

/* Merges one episode in a turn of the main loop, to hold up no frame. */
static gboolean
merge_next_cb (gpointer user_data)
{
  EarSyncExchange *self = user_data;
  GHashTableIter iter;
  gpointer podcast, states;

  if (g_cancellable_is_cancelled (self->cancellable))
    return G_SOURCE_REMOVE;
  if (self->n_merged < self->found->len)
    {
      merge_episode (self, g_ptr_array_index (self->found, self->n_merged++));
      return G_SOURCE_CONTINUE;
    }
  g_hash_table_iter_init (&iter, self->news);
  while (g_hash_table_iter_next (&iter, &podcast, &states))
    ear_catalogue_apply_state (self->services->catalogue, ear_podcast_get_id (podcast), states);
  g_ptr_array_sort_values (self->outgoing, compare_actions);
  self->n_done = 0;
  self->n_batch = BATCH;
  self->state->changed = self->state->changed || self->state->counts.received > 0;
  flush (self, upload);

  return G_SOURCE_REMOVE;
}

static void
media_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  GError *error = NULL;

  self->found = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  self->outgoing = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  if (self->found != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, merge_next_cb, g_rc_box_acquire (self),
                     (GDestroyNotify) release);
  else
    report (self, error);
}

static void
find_media (EarSyncExchange *self)
{
  EarCatalogue *catalogue = self->services->catalogue;
  GListModel *podcasts = ear_catalogue_get_podcasts (catalogue);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) by_address = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) places =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const char *there =
          g_hash_table_lookup (self->state->podcasts, ear_podcast_get_address (podcast));

      g_hash_table_insert (by_key, g_strdup (ear_podcast_get_feed_key (podcast)), podcast);
      g_hash_table_insert (by_key, g_strdup (ear_podcast_get_key (podcast)), podcast);
      if (!ear_is_empty (there))
        g_hash_table_insert (by_key, ear_address_key (there), podcast);
      /* Until a podcast is fetched, its actions cannot be applied. */
      if (ear_podcast_get_checked (podcast) == 0 && ear_podcast_get_error (podcast) == NULL)
        self->is_incomplete = TRUE;
    }
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
  ear_catalogue_read_async (catalogue, ear_read_media (places, self->is_whole ? 0 : self->sent),
                            self->cancellable, media_found_cb, g_rc_box_acquire (self));
}

static void
actions_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (GError) error = NULL;
  EarSyncAnswer *answer = ear_sync_call_finish (result, &error);

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
  if (error != NULL)
    {
      report (self, g_steal_pointer (&error));
      return;
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
  flush (self, find_media);
}

static void
list_actions (EarSyncExchange *self, gint64 since)
{
  self->since = MAX (since, 0);
  call (self, EAR_SYNC_LIST_ACTIONS, self->since, NULL, actions_listed_cb);
}

/* --- Changing podcasts -------------------------------------------------------------- */

static void
follow (EarSyncExchange *self, const char *address)
{
  gboolean is_new;
  EarPodcast *podcast = ear_subscriptions_follow_in (self->services->subscriptions, address, NULL,
                                                     NULL, &is_new);

  if (podcast == NULL)
    return;
  g_hash_table_insert (self->state->podcasts, g_strdup (ear_podcast_get_address (podcast)),
                       g_strdup (address));
  if (is_new)
    g_ptr_array_add (self->followed, g_object_ref (podcast));
}

static void
unfollow (EarSyncExchange *self, const char *address)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->services->catalogue, address);

  g_hash_table_remove (self->state->podcasts, address);
  if (podcast == NULL)
    return;
  g_ptr_array_add (self->unfollowed, g_object_ref (podcast));
  ear_subscriptions_drop (self->services->subscriptions, podcast);
}

static void
end_changes (EarSyncExchange *self)
{
  const guint n = self->unfollowed->len;
  g_autofree char *message =
      g_strdup_printf (ngettext ("Unfollowed %'u podcast, as another device did",
                                 "Unfollowed %'u podcasts, as another device did", n), n);

  self->state->changed = self->state->changed || self->followed->len + n > 0;
  ear_subscriptions_offer_undo (self->services->subscriptions, self->followed);
  if (n > 0)
    ear_subscriptions_offer_return (self->services->subscriptions, self->unfollowed, message);
  upload (self);
}

/* Makes one change of podcasts in a turn of the main loop, to hold up no frame. */
static gboolean
change_next_cb (gpointer user_data)
{
  EarSyncExchange *self = user_data;
  const EarSyncChange *change;

  if (g_cancellable_is_cancelled (self->cancellable))
    return G_SOURCE_REMOVE;
  if (self->n_changed == self->plan.here->len)
    {
      end_changes (self);
      return G_SOURCE_REMOVE;
    }
  change = g_ptr_array_index (self->plan.here, self->n_changed++);
  if (change->removed)
    unfollow (self, change->address);
  else
    follow (self, change->there);

  return G_SOURCE_CONTINUE;
}

/* Makes the changes of the plan, and merges marks.
 * @keep: uploads the podcasts that the server has lost, in place of unfollowing them */
void
ear_sync_exchange_apply (EarSyncExchange *self, gboolean keep)
{
  self->is_doubtful = FALSE;
  self->state->agreed = TRUE;
  if (keep)
    {
      ear_sync_plan_keep (&self->plan);
      /* A server that lost its podcasts lost the rest, too. */
      self->state->since = self->state->sent = self->sent = 0;
      self->is_whole = TRUE;
    }
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, change_next_cb, g_rc_box_acquire (self),
                   (GDestroyNotify) release);
}

/* --- Comparing podcasts ------------------------------------------------------------- */

static void
podcasts_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  EarSyncState *state = self->state;
  GError *error = NULL;
  EarSyncAnswer *answer = ear_sync_call_finish (result, &error);
  const gint64 now = g_get_real_time ();
  const guint n_before = g_hash_table_size (state->podcasts);

  if (error != NULL)
    {
      report (self, error);
      return;
    }
  self->server_time = answer->timestamp;
  ear_sync_plan_make (&self->plan, &state->counts,
                      ear_catalogue_get_podcasts (self->services->catalogue),
                      state->podcasts, answer->podcasts,
                      (EarSyncUnfollowedFunc) ear_subscriptions_was_unfollowed,
                      self->services->subscriptions);
  if (!state->agreed || n_before != g_hash_table_size (state->podcasts))
    state->changed = TRUE;
  self->is_doubtful = self->plan.is_doubtful ||
                      (!state->agreed && self->plan.here->len + self->plan.there->len > 0);
  /* Actions and marks of new podcasts may be older than the last sync. */
  if (self->plan.n_new + state->counts.follow > 0)
    state->since = state->sent = 0;
  /* Marks after a clock that was set back have earlier stamps. */
  self->sent = MIN (state->sent, now);
  self->is_whole = state->since == 0 || ABS (now - state->compared) > COMPARE_INTERVAL;
  if (self->is_doubtful)
    report (self, NULL);
  else
    ear_sync_exchange_apply (self, FALSE);
}

/* Finds the changes that make the podcasts here and on the server the same, and makes them
 * unless they are doubtful. */
void
ear_sync_exchange_compare (EarSyncExchange *self)
{
  self->is_new = FALSE;
  call (self, EAR_SYNC_LIST_PODCASTS, 0, NULL, podcasts_listed_cb);
}

/* --- Signing in --------------------------------------------------------------------- */

static void tried_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
try (EarSyncExchange *self, EarSyncCall what, GVariant *body)
{
  self->what = what;
  call (self, what, 0, body, tried_cb);
}

static void
try_account (EarSyncExchange *self)
{
  const EarSyncAccount *account = &self->state->account;

  if (account->service == EAR_SYNC_NEXTCLOUD)
    try (self, EAR_SYNC_LIST_PODCASTS, NULL);
  else
    try (self, EAR_SYNC_SET_DEVICE,
         g_variant_new_parsed ("{'caption': %s, 'type': 'desktop'}", account->name));
}

static gboolean
poll_cb (gpointer user_data)
{
  EarSyncExchange *self = user_data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    try (self, EAR_SYNC_POLL_LOGIN, g_variant_new_string (self->form));

  return G_SOURCE_REMOVE;
}

static void
begin_login (EarSyncExchange *self, GHashTable *words)
{
  const char *address = self->state->account.address;
  const char *page = g_hash_table_lookup (words, "login");
  const char *endpoint = g_hash_table_lookup (words, "endpoint");
  const char *token = g_hash_table_lookup (words, "token");
  g_autofree char *escaped = token != NULL ? g_uri_escape_string (token, NULL, FALSE) : NULL;

  /* A server behind a proxy may not know that it is reached by https. */
  if (endpoint != NULL && g_str_has_prefix (address, "https://") &&
      g_str_has_prefix (endpoint, "http://"))
    self->login.address = g_strconcat ("https://", endpoint + strlen ("http://"), NULL);
  else
    self->login.address = g_strdup (endpoint);
  if (!ear_address_is_web (page) || token == NULL || endpoint == NULL ||
      !ear_address_trusts (address, self->login.address))
    {
      report (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_SERVER,
                                         "The server has no such login, or it is elsewhere"));
      return;
    }
  self->form = g_strconcat ("token=", escaped, NULL);
  self->until = g_get_monotonic_time () + LOGIN_TIME;
  g_signal_emit_by_name (self->owner, "open-address", page);
  poll_cb (self);
}

static void
end_login (EarSyncExchange *self, GHashTable *words)
{
  EarSyncAccount *account = &self->state->account;

  account->user = g_strdup (g_hash_table_lookup (words, "loginName"));
  account->password = g_strdup (g_hash_table_lookup (words, "appPassword"));
  if (account->user != NULL && account->password != NULL)
    try_account (self);
  else
    report (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_SERVER, "The login has no result"));
}

/* Lets this device and the account's others share their podcasts.
 * @devices: (element-type utf8): ids of all of them */
static void
link_devices (EarSyncExchange *self, GPtrArray *devices)
{
  const char *own = self->state->account.device;
  guint index;

  if (g_ptr_array_find_with_equal_func (devices, own, g_str_equal, &index))
    g_ptr_array_remove_index (devices, index);
  if (devices->len == 0)
    {
      report (self, NULL);
      return;
    }
  g_ptr_array_insert (devices, 0, g_strdup (own));
  try (self, EAR_SYNC_LINK_DEVICES,
       g_variant_new_parsed ("{'synchronize': <[%@as]>, 'stop-synchronize': <@as []>}",
                             g_variant_new_strv ((const char *const *) devices->pdata,
                                                 devices->len)));
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (GError) error = NULL;
  EarSyncAnswer *answer = ear_sync_call_finish (result, &error);

  /* The server answers 404 until the listener has signed in. */
  if (self->what == EAR_SYNC_POLL_LOGIN && answer->status == 404)
    {
      if (g_get_monotonic_time () < self->until)
        g_timeout_add_full (G_PRIORITY_DEFAULT, POLL_INTERVAL_MS, poll_cb,
                            g_rc_box_acquire (self), (GDestroyNotify) release);
      else
        report (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_TIMED_OUT, error->message));
    }
  else if (error != NULL && self->what != EAR_SYNC_LIST_DEVICES &&
           self->what != EAR_SYNC_LINK_DEVICES)
    report (self, g_steal_pointer (&error));
  else if (self->what == EAR_SYNC_START_LOGIN)
    begin_login (self, answer->words);
  else if (self->what == EAR_SYNC_POLL_LOGIN)
    end_login (self, answer->words);
  else if (self->what == EAR_SYNC_SET_DEVICE)
    try (self, EAR_SYNC_LIST_DEVICES, NULL);
  else if (self->what == EAR_SYNC_LIST_DEVICES && error == NULL)
    link_devices (self, answer->devices);
  /* Many servers keep one list of podcasts for all devices, and refuse to link them. */
  else
    report (self, NULL);
}

/* --- Beginning ---------------------------------------------------------------------- */

static void
password_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncExchange) self = user_data;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);

  if (login != NULL)
    {
      g_set_str (&self->state->account.password, login->password);
      ear_sync_exchange_compare (self);
    }
  else
    report (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_UNAUTHORIZED,
                                       "The password is not known"));
}

/* Syncs, or signs in.
 * @services: borrowed
 * @is_new: signs in; without a name and a password, with the web browser: the signal
 *   `open-address` of @owner has the page for it
 * Returns: to be ended by ear_sync_exchange_end() */
EarSyncExchange *
ear_sync_exchange_begin (const EarServices *services, EarSyncState *state, gboolean is_new,
                         EarSyncDoneFunc done, gpointer owner)
{
  EarSyncExchange *self = g_rc_box_new0 (EarSyncExchange);

  self->services = services;
  self->state = g_rc_box_acquire (state);
  self->is_new = is_new;
  self->done = done;
  self->owner = owner;
  self->cancellable = g_cancellable_new ();
  self->login.service = EAR_SYNC_NEXTCLOUD;
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  self->news = g_hash_table_new_full (NULL, NULL, g_object_unref,
                                      (GDestroyNotify) g_hash_table_unref);
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);
  self->unfollowed = g_ptr_array_new_with_free_func (g_object_unref);
  self->n_batch = PODCASTS_BATCH;
  state->counts = (EarSyncCounts){ 0 };
  if (!is_new)
    ear_keyring_find_async (services->keyring, EAR_SYNC_KEYRING_NAME, state->account.address,
                            self->cancellable, password_found_cb, g_rc_box_acquire (self));
  else if (state->account.user != NULL)
    try_account (self);
  else
    try (self, EAR_SYNC_START_LOGIN, NULL);

  return self;
}

/* Cancels the exchange if it is running, and releases it. */
void
ear_sync_exchange_end (EarSyncExchange *self)
{
  g_cancellable_cancel (self->cancellable);
  release (self);
}
