/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-refresher.h"
#include "ear-settings.h"
#include "ear-sync-plan.h"
#include "ear-thread.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* The name of the password in the keyring */
#define KEYRING_NAME "earmark:sync"

/* The largest number of actions in a request that all servers accept */
#define BATCH 30

/* Servers report actions since a time by the time of the action, not of its upload: a
 * device that was offline may upload older ones. */
#define OVERLAP (7 * 24 * 60 * 60)

/* Answers with a part of the actions in a row; a server that has more sends nonsense. */
#define MAX_PARTS 2000
#define MAX_ACTIONS 200000

/* Seconds */
#define CLOCK_ERROR (24 * 60 * 60)
#define MIN_INTERVAL 60
#define INTERVAL (60 * 60)
#define DELAY 3

#define POLL_INTERVAL_MS 2000
#define LOGIN_TIME (20 * G_TIME_SPAN_MINUTE)

/* One sync, from its first request to the last one */
typedef struct
{
  GCancellable *cancellable;
  char *password;
  GPtrArray *server;   /* (element-type utf8): addresses of the podcasts there */
  EarSyncPlan *plan;   /* (nullable) */
  GPtrArray *actions;  /* (element-type EarSyncAction): of the server */
  GHashTable *seen;    /* (element-type utf8): these actions */
  GHashTable *marks;   /* (element-type utf8 EarEpisodeState): the server's marks, by episode */
  GPtrArray *outgoing; /* (element-type EarSyncAction): to upload, oldest first */
  guint n_parts;
  guint n_uploaded;    /* of @outgoing */
  guint n_batch;       /* of the running request; halved where the server refuses one */
  guint n_changed;     /* podcasts of the plan that were uploaded one by one */
  gint64 server_time;
  gint64 since;        /* of the running request */
  gint64 sent;         /* Unix microseconds: marks up to it are on the server */
  gint64 listed_at;    /* Unix microseconds: marks up to it are in @outgoing */
  gboolean one_by_one; /* uploads podcasts so: the server refuses one of them */
  gboolean whole;      /* compares all actions and marks: podcasts are new on the server */
  gboolean incomplete; /* the next sync has to compare all of them */
  gboolean changed;    /* the state has to be written */
} Run;

/* Keeps podcasts, positions and played episodes the same as on a server, and so on the
 * listener's other devices.
 *
 * A sync compares three lists of podcasts: those followed here, those on the server, and
 * those that both had at the last sync. Then it merges the server's actions into the
 * listener's marks, by their times, and uploads the marks that are newer than the last
 * sync. Changes made offline need no journal of their own, as marks have stamps and are
 * on the disk. */
struct _EarSync
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarUserdataStore *store;
  EarSubscriptions *subscriptions;
  EarRefresher *refresher;
  EarHttp *http;
  EarKeyring *keyring;
  EarNotices *notices;
  EarSettings *settings;
  EarPlayer *player;
  GNetworkMonitor *network;
  char *path;
  EarSyncState *state;
  EarThread *thread; /* (nullable): writes the file */
  Run *run;          /* (nullable) */
  GQueue waiting;    /* (element-type GTask): callers of the running sync */
  GHashTable *fresh; /* (element-type EarPodcast guint): without episodes; 1 until the first
                      * fetch has ended */
  GError *error;     /* (nullable) */

  EarSyncStatus status;
  guint timer_id;
  gint64 ended_at; /* monotonic time of the last sync */
  guint n_follow, n_unfollow, n_add, n_remove, n_received, n_sent;
  gboolean started;
  gboolean loaded;
  gboolean stopped;
  gboolean again; /* another sync was asked for while one ran */
};

G_DEFINE_FINAL_TYPE (EarSync, ear_sync, G_TYPE_OBJECT)

static void list_actions (EarSync *self, gint64 since);
static gboolean is_awaiting (EarSync *self);
static void schedule (EarSync *self, guint seconds);

static void
run_free (Run *run)
{
  g_cancellable_cancel (run->cancellable);
  g_object_unref (run->cancellable);
  g_free (run->password);
  g_clear_pointer (&run->server, g_ptr_array_unref);
  g_clear_pointer (&run->plan, ear_sync_plan_free);
  g_ptr_array_unref (run->actions);
  g_hash_table_unref (run->seen);
  g_hash_table_unref (run->marks);
  g_ptr_array_unref (run->outgoing);
  g_free (run);
}

static Run *
run_new (void)
{
  Run *run = g_new0 (Run, 1);

  run->cancellable = g_cancellable_new ();
  run->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  run->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run->marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  run->outgoing = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  run->n_batch = BATCH;

  return run;
}

static void
set_status (EarSync *self, EarSyncStatus status)
{
  static const char *const names[] = {
    "status", "nextcloud", "address", "user", "device-name", "synced", "error", "n-follow",
    "n-unfollow", "n-add", "n-remove", "n-received", "n-sent", "is-first",
  };

  self->status = status;
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_notify (G_OBJECT (self), names[i]);
  g_object_thaw_notify (G_OBJECT (self));
}

/* --- The file ----------------------------------------------------------------------- */

typedef struct
{
  char *path;
  GBytes *content;
} Writing;

static void
write_file (gpointer data)
{
  g_autofree Writing *writing = data;
  g_autofree char *path = writing->path;
  g_autoptr (GBytes) content = writing->content;
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents_full (path, g_bytes_get_data (content, NULL),
                                 (gssize) g_bytes_get_size (content),
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                 0600, &error))
    g_message ("The state of syncing cannot be stored: %s", error->message);
}

/* A state that cannot be written is written with the next sync: until then, that one
 * begins where the last one did. */
static void
save (EarSync *self)
{
  Writing *writing = g_new0 (Writing, 1);

  writing->path = g_strdup (self->path);
  writing->content = ear_sync_state_print (self->state);
  if (self->thread == NULL)
    self->thread = ear_thread_new ("sync", EAR_WORKER_STORES);
  ear_thread_push (self->thread, write_file, writing);
}

/* --- The end of a sync -------------------------------------------------------------- */

static void
return_waiting (EarSync *self, gboolean synced)
{
  GTask *task;

  while ((task = g_queue_pop_head (&self->waiting)) != NULL)
    {
      if (self->error != NULL)
        g_task_return_error (task, g_error_copy (self->error));
      else
        g_task_return_boolean (task, synced);
      g_object_unref (task);
    }
}

/* @error: (transfer full) (nullable) */
static void
end_run (EarSync *self, GError *error)
{
  Run *run = g_steal_pointer (&self->run);

  if (run->changed)
    save (self);
  run_free (run);
  self->ended_at = g_get_monotonic_time ();
  g_clear_error (&self->error);
  self->error = error;
  set_status (self, self->state->account == NULL ? EAR_SYNC_SIGNED_OUT
                    : error != NULL              ? EAR_SYNC_FAILED
                                                 : EAR_SYNC_WAITING);
  return_waiting (self, TRUE);
  if (self->state->account != NULL && !self->stopped)
    schedule (self, self->again ? DELAY : INTERVAL);
  self->again = FALSE;
}

/* Returns: whether the sync that asked has ended; there may be another one */
static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Returns: whether the sync goes on: it was not stopped, and had no error */
static gboolean
check_answer (EarSync *self, gpointer answer, GError *error)
{
  if (answer != NULL)
    return TRUE;
  /* A sync that was stopped is gone already. */
  if (self->run != NULL && !is_cancelled (error))
    end_run (self, error);
  else
    g_error_free (error);

  return FALSE;
}

static void
finish (EarSync *self)
{
  Run *run = self->run;

  /* Until a podcast is fetched, its actions cannot be applied. */
  if (!run->incomplete && !is_awaiting (self))
    {
      /* A server whose clock is wrong must not silence later actions. */
      self->state->since = MIN (run->since, g_get_real_time () / G_USEC_PER_SEC + CLOCK_ERROR);
      self->state->sent = run->listed_at;
    }
  self->state->synced = g_get_real_time ();
  end_run (self, NULL);
}

static void
call (EarSync *self, EarSyncCall what, gint64 since, GBytes *body, GAsyncReadyCallback callback)
{
  ear_sync_call_async (self->http, self->state->account, self->run->password, what, since, body,
                       self->run->cancellable, callback, g_object_ref (self));
}

/* --- Uploading marks ---------------------------------------------------------------- */

static void upload (EarSync *self);

static void
uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);
  Run *run = self->run;

  /* One entry that the server cannot read spoils the request: it is found by halves. */
  if (answer == NULL && status == 400 && run != NULL && !is_cancelled (error))
    {
      g_clear_error (&error);
      if (run->n_batch == 1)
        run->n_uploaded++;
      run->n_batch = MAX (run->n_batch / 2, 1);
      upload (self);
      return;
    }
  if (!check_answer (self, answer, error))
    return;

  run->changed = TRUE;
  self->n_sent += MIN (run->n_batch, run->outgoing->len - run->n_uploaded);
  run->n_uploaded += MIN (run->n_batch, run->outgoing->len - run->n_uploaded);
  run->n_batch = MIN (2 * run->n_batch, BATCH);
  /* A sync that fails now goes on here. */
  if (run->n_uploaded < run->outgoing->len && !run->incomplete)
    self->state->sent =
        ((EarSyncAction *) g_ptr_array_index (run->outgoing, run->n_uploaded))->time *
            G_USEC_PER_SEC -
        1;
  upload (self);
}

static void
upload (EarSync *self)
{
  Run *run = self->run;
  const guint n = MIN (run->n_batch, run->outgoing->len - run->n_uploaded);
  g_autoptr (GBytes) body = NULL;

  if (n == 0)
    {
      finish (self);
      return;
    }
  body = ear_sync_print_actions (self->state->account, run->outgoing, run->n_uploaded, n);
  call (self, EAR_SYNC_ADD_ACTIONS, 0, body, uploaded_cb);
}

static int
compare_actions (gconstpointer a, gconstpointer b)
{
  const EarSyncAction *one = *(EarSyncAction **) a;
  const EarSyncAction *other = *(EarSyncAction **) b;

  return (one->time > other->time) - (one->time < other->time);
}

static char *
dup_episode_name (gint64 podcast, const char *guid)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", podcast, guid);
}

static void
marks_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) all =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  Run *run = self->run;

  if (!check_answer (self, all, error))
    return;
  for (guint i = 0; i < all->len; i++)
    {
      const EarMediaMarks *marks = g_ptr_array_index (all, i);
      g_autofree char *name = dup_episode_name (marks->podcast, marks->guid);
      EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, marks->podcast);
      const char *address = podcast != NULL ? g_hash_table_lookup (
                                                  self->state->podcasts,
                                                  ear_podcast_get_address (podcast))
                                            : NULL;

      if (address != NULL && *address != '\0')
        ear_sync_list_actions (marks, g_hash_table_lookup (run->marks, name), run->sent, address,
                               self->state->account->service, run->outgoing);
    }
  g_ptr_array_sort (run->outgoing, compare_actions);
  upload (self);
}

static void
marks_stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  g_autoptr (GError) error = NULL;

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, &error);
  if (self->run != NULL && !is_cancelled (error))
    ear_catalogue_list_marks_async (self->catalogue, self->run->sent, self->run->cancellable,
                                    marks_listed_cb, g_object_ref (self));
}

/* All marks up to now are stored before they are listed. */
static void
list_marks (EarSync *self)
{
  self->run->listed_at = g_get_real_time ();
  ear_catalogue_flush_async (self->catalogue, self->run->cancellable, marks_stored_cb,
                             g_object_ref (self));
}

/* --- Taking over the server's actions ----------------------------------------------- */

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;

  g_autoptr (GError) error = NULL;

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, &error);
  /* An answer with news may be a part of them. */
  if (self->run != NULL && !is_cancelled (error))
    list_actions (self, self->run->since - 1);
}

/* A paused episode goes on where another device has stopped. */
static void
move_player (EarSync *self, EarPodcast *podcast, const char *guid, const EarEpisodeState *news)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (episode != NULL && news->position_updated > 0 &&
      ear_player_get_state (self->player) == EAR_PLAYER_PAUSED &&
      ear_episode_get_podcast (episode) == podcast &&
      g_str_equal (ear_episode_get_guid (episode), guid))
    ear_player_seek_unasked (self->player, news->position);
}

/* Adds marks that are newer than those here to the table of their podcast. */
static void
take_marks (EarSync *self, GHashTable *podcasts, const EarMediaMarks *marks,
            const EarEpisodeState *server)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, marks->podcast);
  EarEpisodeState news;
  GHashTable *states;

  if (podcast == NULL || !ear_sync_find_news (&marks->state, server, &news))
    return;
  /* A played episode leaves Up Next. */
  if (news.listened_updated > 0 && news.listened && marks->state.queued > 0)
    {
      news.queued = 0;
      news.queued_updated = MAX (news.listened_updated, marks->state.queued_updated + 1);
    }
  states = g_hash_table_lookup (podcasts, podcast);
  if (states == NULL)
    {
      states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (podcasts, podcast, states);
    }
  g_hash_table_insert (states, g_strdup (marks->guid), g_memdup2 (&news, sizeof news));
  ear_userdata_store_adopt_episode (self->store, podcast, marks->guid, NULL, marks->media, &news);
  move_player (self, podcast, marks->guid, &news);
  self->n_received++;
}

static void
media_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) found =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (GHashTable) podcasts = NULL;
  g_autoptr (GHashTable) episodes = NULL;
  const gint64 now = g_get_real_time ();
  const guint n_before = self->n_received;
  GHashTableIter iter;
  gpointer key, value;
  Run *run = self->run;

  if (!check_answer (self, found, error))
    return;
  episodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < found->len; i++)
    {
      const EarMediaMarks *marks = g_ptr_array_index (found, i);
      char *name = marks != NULL ? dup_episode_name (marks->podcast, marks->guid) : NULL;
      EarEpisodeState *server = name != NULL ? g_hash_table_lookup (run->marks, name) : NULL;

      if (marks == NULL)
        continue;
      if (server == NULL)
        {
          server = g_new0 (EarEpisodeState, 1);
          g_hash_table_insert (run->marks, g_strdup (name), server);
        }
      g_hash_table_replace (episodes, name, (gpointer) marks);
      ear_sync_apply_action (g_ptr_array_index (run->actions, i), marks->duration, now, server);
    }

  podcasts = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_hash_table_iter_init (&iter, episodes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    take_marks (self, podcasts, value, g_hash_table_lookup (run->marks, key));
  g_hash_table_iter_init (&iter, podcasts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (key), value);
  g_ptr_array_set_size (run->actions, 0);
  if (self->n_received == n_before)
    {
      list_marks (self);
      return;
    }
  run->changed = TRUE;
  ear_catalogue_flush_async (self->catalogue, run->cancellable, flushed_cb, g_object_ref (self));
}

/* Returns: (transfer full) (element-type utf8 EarPodcast): followed podcasts by the keys
 *   of their addresses here and on the server */
static GHashTable *
list_by_key (EarSync *self)
{
  GHashTable *by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

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
    }

  return by_key;
}

static void
find_episodes (EarSync *self)
{
  g_autoptr (GPtrArray) places =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_place_free);
  g_autoptr (GHashTable) by_key = list_by_key (self);
  g_autoptr (GHashTable) by_address = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) all = g_steal_pointer (&self->run->actions);
  g_autoptr (GPtrArray) unknown =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  Run *run = self->run;

  run->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    {
      EarSyncAction *action = g_ptr_array_index (all, i);
      gpointer podcast = NULL;

      if (!g_hash_table_lookup_extended (by_address, action->podcast, NULL, &podcast))
        {
          g_autofree char *key = ear_address_key (action->podcast);

          podcast = g_hash_table_lookup (by_key, key);
          g_hash_table_insert (by_address, action->podcast, podcast);
        }
      if (podcast == NULL || ear_podcast_get_n_episodes (podcast) == 0)
        {
          g_ptr_array_add (unknown, action);
          continue;
        }
      g_ptr_array_add (places, ear_media_place_new (ear_podcast_get_id (podcast), action->media,
                                                    action->guid));
      g_ptr_array_add (run->actions, action);
    }
  ear_catalogue_find_media_async (self->catalogue, places, run->cancellable, media_found_cb,
                                  g_object_ref (self));
}

/* --- Podcasts ----------------------------------------------------------------------- */

static void upload_podcasts (EarSync *self);

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

/* Remembers podcasts that the server knows now, or does not any more.
 * @first: index in the plan of the first one that was uploaded
 * @n: the number of pairs */
static void
note_uploaded (EarSync *self, GPtrArray *moved, guint first, guint n)
{
  EarSyncPlan *plan = self->run->plan;

  for (guint i = first; i < first + n; i++)
    if (2 * i < plan->add->len)
      {
        const char *address = g_ptr_array_index (plan->add, 2 * i);
        const char *sent = g_ptr_array_index (plan->add, 2 * i + 1);

        g_hash_table_insert (self->state->podcasts, g_strdup (address),
                             g_strdup (moved != NULL ? find_moved (moved, sent) : ""));
      }
    else
      g_hash_table_remove (self->state->podcasts,
                           g_ptr_array_index (plan->remove, 2 * i - plan->add->len));
  self->run->changed = TRUE;
}

static void
podcasts_uploaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);
  Run *run = self->run;
  const guint n = run != NULL ? (run->plan->add->len + run->plan->remove->len) / 2 : 0;

  if (answer == NULL && status == 400 && run != NULL && !is_cancelled (error))
    {
      g_clear_error (&error);
      if (run->one_by_one)
        note_uploaded (self, NULL, run->n_changed++, 1);
      run->one_by_one = TRUE;
      upload_podcasts (self);
      return;
    }
  if (!check_answer (self, answer, error))
    return;

  note_uploaded (self, answer->moved, run->n_changed, run->one_by_one ? 1 : n);
  run->n_changed = run->one_by_one ? run->n_changed + 1 : n;
  upload_podcasts (self);
}

static void
upload_podcasts (EarSync *self)
{
  Run *run = self->run;
  EarSyncPlan *plan = run->plan;
  const guint n_added = plan->add->len / 2;
  const guint n = n_added + plan->remove->len / 2;
  const guint end = run->one_by_one ? MIN (run->n_changed + 1, n) : n;
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autoptr (GPtrArray) removed = g_ptr_array_new ();
  g_autoptr (GBytes) body = NULL;

  if (run->n_changed >= n)
    {
      find_episodes (self);
      return;
    }
  for (guint i = run->n_changed; i < end; i++)
    if (i < n_added)
      g_ptr_array_add (added, g_ptr_array_index (plan->add, 2 * i + 1));
    else
      g_ptr_array_add (removed, g_ptr_array_index (plan->remove, 2 * (i - n_added) + 1));
  body = ear_sync_print_podcasts (added, removed);
  call (self, EAR_SYNC_CHANGE_PODCASTS, 0, body, podcasts_uploaded_cb);
}

static void
undo_following (gpointer owner, gpointer data)
{
  EarSync *self = owner;
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    if (ear_podcast_get_followed (g_ptr_array_index (podcasts, i)))
      ear_subscriptions_drop (self->subscriptions, g_ptr_array_index (podcasts, i));
}

static void
undo_unfollowing (gpointer owner, gpointer data)
{
  EarSync *self = owner;
  GPtrArray *podcasts = data;

  for (guint i = 0; i < podcasts->len; i++)
    ear_subscriptions_follow_again (self->subscriptions,
                                    ear_podcast_get_address (g_ptr_array_index (podcasts, i)),
                                    ear_podcast_get_title (g_ptr_array_index (podcasts, i)));
}

static void
offer_undo (EarSync *self, const char *message, EarUndoFunc func, GPtrArray *podcasts)
{
  g_autoptr (EarUndo) undo = ear_undo_new (message, func, self, g_ptr_array_ref (podcasts),
                                           (GDestroyNotify) g_ptr_array_unref);

  ear_notices_offer_undo (self->notices, undo);
}

static void
follow (EarSync *self)
{
  EarSyncPlan *plan = self->run->plan;
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *message = NULL;

  for (guint i = 0; i < plan->follow->len; i++)
    {
      const char *address = g_ptr_array_index (plan->follow, i);
      EarPodcast *known = ear_subscriptions_find (self->subscriptions, address);
      const gboolean was_followed = known != NULL && ear_podcast_get_followed (known);
      EarPodcast *podcast =
          ear_subscriptions_follow_in (self->subscriptions, address, NULL, NULL);

      if (podcast == NULL)
        continue;
      g_hash_table_insert (self->state->podcasts, g_strdup (ear_podcast_get_address (podcast)),
                           g_strdup (address));
      if (!was_followed)
        g_ptr_array_add (podcasts, g_object_ref (podcast));
    }
  if (podcasts->len == 0)
    return;
  self->run->changed = TRUE;
  message = g_strdup_printf (
      ngettext ("Followed %'u podcast", "Followed %'u podcasts", podcasts->len), podcasts->len);
  offer_undo (self, message, undo_following, podcasts);
}

static void
unfollow (EarSync *self)
{
  EarSyncPlan *plan = self->run->plan;
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *message = NULL;

  for (guint i = 0; i < plan->unfollow->len; i++)
    {
      const char *address = g_ptr_array_index (plan->unfollow, i);
      EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, address);

      g_hash_table_remove (self->state->podcasts, address);
      if (podcast == NULL || !ear_podcast_get_followed (podcast))
        continue;
      g_ptr_array_add (podcasts, g_object_ref (podcast));
      ear_subscriptions_drop (self->subscriptions, podcast);
    }
  if (podcasts->len == 0)
    return;
  self->run->changed = TRUE;
  message = g_strdup_printf (ngettext ("Unfollowed %'u podcast, as another device did",
                                       "Unfollowed %'u podcasts, as another device did",
                                       podcasts->len),
                             podcasts->len);
  offer_undo (self, message, undo_unfollowing, podcasts);
}

static void
apply_plan (EarSync *self)
{
  follow (self);
  unfollow (self);
  upload_podcasts (self);
}

/* Returns: (transfer full) (element-type EarSyncPodcast): valid until podcasts change */
static GArray *
list_followed (EarSync *self)
{
  GArray *followed = g_array_new (FALSE, FALSE, sizeof (EarSyncPodcast));
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

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

static gboolean
was_unfollowed (gpointer owner, const char *address)
{
  EarSync *self = owner;

  return ear_subscriptions_was_unfollowed (self->subscriptions, address);
}

/* Returns: the number of podcasts that were on the server at the last sync */
static guint
count_known (EarSync *self)
{
  GHashTableIter iter;
  gpointer address;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->state->podcasts);
  while (g_hash_table_iter_next (&iter, NULL, &address))
    n += *(char *) address != '\0';

  return n;
}

static void
make_plan (EarSync *self)
{
  Run *run = self->run;
  const guint n_known = count_known (self);
  g_autoptr (GArray) followed = list_followed (self);

  g_clear_pointer (&run->plan, ear_sync_plan_free);
  run->plan = ear_sync_plan_new (followed, self->state->podcasts, run->server, was_unfollowed,
                                 self);
  run->changed = run->changed || n_known != count_known (self);
  self->n_follow = run->plan->follow->len;
  self->n_unfollow = run->plan->unfollow->len;
  self->n_add = run->plan->add->len / 2;
  self->n_remove = run->plan->remove->len / 2;
  if (run->plan->n_new > 0 && !run->whole && self->state->since + run->sent > 0)
    {
      run->whole = TRUE;
      run->sent = 0;
      g_clear_pointer (&run->plan, ear_sync_plan_free);
      list_actions (self, 0);
      return;
    }
  if ((!self->state->agreed && !ear_sync_plan_is_empty (run->plan)) ||
      ear_sync_plan_is_doubtful (run->plan, n_known))
    {
      set_status (self, EAR_SYNC_ASKING);
      return_waiting (self, FALSE);
      /* The preferences ask; without them, the listener has to know. */
      if (self->state->agreed)
        ear_notices_add (self->notices, _("Syncing waits for your answer in Preferences"), TRUE);
      return;
    }
  run->changed = run->changed || !self->state->agreed;
  self->state->agreed = TRUE;
  apply_plan (self);
}

/* Answers the question of %EAR_SYNC_ASKING. */
void
ear_sync_answer (EarSync *self, EarSyncChoice choice)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->status != EAR_SYNC_ASKING)
    return;
  if (choice == EAR_SYNC_DECLINE && !self->state->agreed)
    {
      ear_sync_sign_out (self);
      return;
    }
  if (choice == EAR_SYNC_DECLINE)
    {
      self->n_follow = self->n_unfollow = self->n_add = self->n_remove = 0;
      end_run (self, NULL);
      return;
    }
  if (choice == EAR_SYNC_KEEP)
    {
      g_autoptr (GArray) followed = list_followed (self);

      ear_sync_plan_keep (self->run->plan, followed);
      /* A server that lost its podcasts lost the rest, too. */
      self->run->sent = 0;
    }
  self->state->agreed = TRUE;
  self->run->changed = TRUE;
  set_status (self, EAR_SYNC_RUNNING);
  apply_plan (self);
}

/* --- Asking the server -------------------------------------------------------------- */

static void
actions_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);
  Run *run = self->run;
  const guint n_seen = run != NULL ? g_hash_table_size (run->seen) : 0;

  if (!check_answer (self, answer, error))
    return;
  g_ptr_array_set_free_func (answer->actions, NULL);
  for (guint i = 0; i < answer->actions->len; i++)
    {
      EarSyncAction *action = g_ptr_array_index (answer->actions, i);
      const gboolean is_nextcloud = self->state->account->service == EAR_SYNC_NEXTCLOUD;
      char *name = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d %s", action->time,
                                    action->position, action->unplayed, action->media);

      /* Nextcloud keeps play actions only. */
      action->unplayed = action->unplayed || (is_nextcloud && action->position == 0);
      if (g_hash_table_size (run->seen) < MAX_ACTIONS && g_hash_table_add (run->seen, name))
        g_ptr_array_add (run->actions, action);
      else
        ear_sync_action_free (action);
    }

  /* A server may send a part, with the time of its last action. More actions of that
   * second may follow, and some servers send that second again. */
  if (answer->timestamp >= run->since && answer->timestamp < run->server_time &&
      ++run->n_parts < MAX_PARTS)
    {
      const gboolean is_new = g_hash_table_size (run->seen) > n_seen;

      if (is_new && answer->timestamp - 1 > run->since)
        list_actions (self, answer->timestamp - 1);
      else
        list_actions (self, answer->timestamp + (run->since == answer->timestamp));
      return;
    }
  run->since = MAX (answer->timestamp, run->since);
  if (run->plan == NULL)
    make_plan (self);
  else
    find_episodes (self);
}

static void
list_actions (EarSync *self, gint64 since)
{
  self->run->since = MAX (since, 0);
  call (self, EAR_SYNC_LIST_ACTIONS, self->run->since, NULL, actions_listed_cb);
}

/* Addresses that are both followed and not are followed. */
static void
podcasts_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);
  Run *run = self->run;

  if (!check_answer (self, answer, error))
    return;
  run->server = g_ptr_array_ref (answer->podcasts);
  run->server_time = answer->timestamp;
  list_actions (self, self->state->since - OVERLAP);
}

static void
password_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  GError *error = NULL;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, &error);

  if (login == NULL && error == NULL)
    error = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNAUTHORIZED, "The password is not known");
  if (!check_answer (self, login, error))
    return;
  self->run->password = g_strdup (login->password);
  call (self, EAR_SYNC_LIST_PODCASTS, 0, NULL, podcasts_listed_cb);
}

static void
start_run (EarSync *self)
{
  g_clear_handle_id (&self->timer_id, g_source_remove);
  self->run = run_new ();
  self->n_follow = self->n_unfollow = self->n_add = self->n_remove = 0;
  self->n_received = self->n_sent = 0;
  g_clear_error (&self->error);
  /* Marks after a clock that was set back have earlier stamps. */
  self->run->sent = MIN (self->state->sent, g_get_real_time ());
  set_status (self, EAR_SYNC_RUNNING);
  ear_keyring_find_async (self->keyring, KEYRING_NAME, self->state->account->address,
                          self->run->cancellable, password_found_cb, g_object_ref (self));
}

/* --- The time of a sync ------------------------------------------------------------- */

static gboolean
may_run (EarSync *self)
{
  gboolean on_metered;

  g_object_get (self->settings, "refresh-on-metered", &on_metered, NULL);

  return self->started && self->loaded && !self->stopped && self->state->account != NULL &&
         self->run == NULL && g_network_monitor_get_network_available (self->network) &&
         (on_metered || !g_network_monitor_get_network_metered (self->network));
}

static void
timer_cb (gpointer user_data)
{
  EarSync *self = user_data;

  self->timer_id = 0;
  if (may_run (self))
    start_run (self);
  else if (self->run == NULL)
    schedule (self, INTERVAL);
}

/* Starts a sync after some seconds, but not too soon after the last one. */
static void
schedule (EarSync *self, guint seconds)
{
  const gint64 passed = (g_get_monotonic_time () - self->ended_at) / G_USEC_PER_SEC;

  if (self->run != NULL)
    {
      self->again = TRUE;
      return;
    }
  if (self->ended_at != 0 && passed < MIN_INTERVAL)
    seconds = MAX (seconds, (guint) (MIN_INTERVAL - passed));
  g_clear_handle_id (&self->timer_id, g_source_remove);
  if (!self->stopped && self->state != NULL && self->state->account != NULL)
    self->timer_id = g_timeout_add_seconds_once (seconds, timer_cb, self);
}

static void
schedule_soon (EarSync *self)
{
  schedule (self, DELAY);
}

static void
state_changed_cb (EarSync *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_ENDED)
    schedule_soon (self);
}

static void
network_changed_cb (EarSync *self, gboolean available)
{
  if (available)
    schedule_soon (self);
}

/* The next sync compares all actions and marks: some of a podcast are older than the last
 * sync. */
static void
compare_all (EarSync *self)
{
  self->state->since = self->state->sent = 0;
  if (self->run != NULL)
    self->run->incomplete = TRUE;
  schedule_soon (self);
}

static void
followed_cb (EarSync *self, EarPodcast *podcast)
{
  if (!self->loaded)
    return;
  if (ear_podcast_get_n_episodes (podcast) == 0)
    g_hash_table_insert (self->fresh, g_object_ref (podcast), GUINT_TO_POINTER (TRUE));
  compare_all (self);
}

static void
unfollowed_cb (EarSync *self, EarPodcast *podcast)
{
  g_hash_table_remove (self->fresh, podcast);
  schedule_soon (self);
}

/* A podcast whose first fetch fails is not waited for. */
static void
refreshed_cb (EarSync *self, EarPodcast *podcast)
{
  if (!g_hash_table_contains (self->fresh, podcast))
    return;
  if (ear_podcast_get_n_episodes (podcast) == 0)
    {
      g_hash_table_insert (self->fresh, g_object_ref (podcast), NULL);
      return;
    }
  g_hash_table_remove (self->fresh, podcast);
  compare_all (self);
}

static gboolean
is_awaiting (EarSync *self)
{
  GHashTableIter iter;
  gpointer awaited;

  g_hash_table_iter_init (&iter, self->fresh);
  while (g_hash_table_iter_next (&iter, NULL, &awaited))
    if (awaited != NULL)
      return TRUE;

  return FALSE;
}

static void
expect_unfetched (EarSync *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_n_episodes (podcast) == 0)
        g_hash_table_insert (self->fresh, g_object_ref (podcast), NULL);
    }
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  g_autoptr (GError) error = NULL;
  EarSyncState *state = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL)
    {
      g_autofree char *aside = g_strconcat (self->path, ".damaged", NULL);

      g_message ("The state of syncing cannot be read: %s", error->message);
      g_rename (self->path, aside);
    }
  /* The listener was quicker, and has signed in. */
  if (self->loaded)
    {
      g_clear_pointer (&state, ear_sync_state_free);
      return;
    }
  if (state != NULL)
    {
      ear_sync_state_free (self->state);
      self->state = state;
    }
  self->loaded = TRUE;
  expect_unfetched (self);
  set_status (self, self->state->account != NULL ? EAR_SYNC_WAITING : EAR_SYNC_SIGNED_OUT);
  if (!g_queue_is_empty (&self->waiting) && self->started && self->run == NULL)
    {
      if (self->state->account != NULL)
        start_run (self);
      else
        return_waiting (self, FALSE);
    }
  else
    schedule_soon (self);
}

static void
load_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;
  EarSyncState *state = ear_sync_state_load (path, &error);

  if (state != NULL)
    g_task_return_pointer (task, state, (GDestroyNotify) ear_sync_state_free);
  else
    g_task_return_error (task, error);
}

/* Reads the account, once the followed podcasts are known. */
void
ear_sync_start (EarSync *self)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SYNC (self));

  self->started = TRUE;
  task = g_task_new (NULL, NULL, loaded_cb, g_object_ref (self));
  g_task_set_source_tag (task, ear_sync_start);
  g_task_set_task_data (task, g_strdup (self->path), g_free);
  ear_worker_run (task, load_thread, (GDestroyNotify) ear_sync_state_free);
}

/* Ends a sync that is running, and starts no more. */
void
ear_sync_stop (EarSync *self)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  self->stopped = TRUE;
  g_clear_handle_id (&self->timer_id, g_source_remove);
  if (self->run != NULL)
    end_run (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Syncing was stopped"));
  g_clear_pointer (&self->thread, ear_thread_stop);
}

/* Syncs now, or waits for the sync that is running. */
void
ear_sync_run_async (EarSync *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_SYNC (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_sync_run_async);
  if (self->stopped || self->status == EAR_SYNC_ASKING ||
      (self->loaded && self->state->account == NULL))
    {
      g_task_return_boolean (task, FALSE);
      return;
    }
  g_queue_push_tail (&self->waiting, g_steal_pointer (&task));
  if (self->loaded && self->run == NULL)
    start_run (self);
}

/* Returns: whether there was a sync; %FALSE without an error if there is no account, or the
 * listener has to be asked */
gboolean
ear_sync_run_finish (EarSync *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Returns: (transfer full) (nullable): the changes of the last sync in words, a line each */
char *
ear_sync_dup_summary (EarSync *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (EAR_IS_SYNC (self), NULL);

  if (self->n_follow > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (ngettext ("%'u podcast followed", "%'u podcasts followed",
                                                self->n_follow),
                                      self->n_follow));
  if (self->n_unfollow > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (ngettext ("%'u podcast unfollowed",
                                                "%'u podcasts unfollowed", self->n_unfollow),
                                      self->n_unfollow));
  if (self->n_add > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (ngettext ("%'u podcast uploaded", "%'u podcasts uploaded",
                                                self->n_add),
                                      self->n_add));
  if (self->n_received > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (ngettext ("%'u episode updated", "%'u episodes updated",
                                                self->n_received),
                                      self->n_received));
  if (self->n_sent > 0)
    g_ptr_array_add (parts,
                     g_strdup_printf (ngettext ("%'u change uploaded", "%'u changes uploaded",
                                                self->n_sent),
                                      self->n_sent));
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);

  return g_strjoinv ("\n", (char **) parts->pdata);
}

/* --- Signing in and out ------------------------------------------------------------- */

typedef struct
{
  EarSyncAccount *account;
  char *password;
  char *endpoint; /* (nullable): where a login in the browser is reported */
  char *token;
  gint64 until;   /* monotonic time */
} SignIn;

static void
sign_in_free (gpointer data)
{
  SignIn *sign_in = data;

  ear_sync_account_free (sign_in->account);
  g_free (sign_in->password);
  g_free (sign_in->endpoint);
  g_free (sign_in->token);
  g_free (sign_in);
}

static void
password_kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!ear_keyring_keep_finish (EAR_KEYRING (source), result, &error))
    g_signal_emit_by_name (source, "not-stored", error);
}

/* The account works: the first sync begins.
 * @task: (transfer full) */
static void
complete_sign_in (GTask *task)
{
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);
  g_autoptr (EarLogin) login = ear_login_new (sign_in->account->user, sign_in->password);

  ear_sync_sign_out (self);
  ear_sync_state_free (self->state);
  self->state = ear_sync_state_new (ear_sync_account_copy (sign_in->account));
  self->loaded = TRUE;
  ear_keyring_keep_async (self->keyring, KEYRING_NAME, sign_in->account->address, login, NULL,
                          password_kept_cb, NULL);
  expect_unfetched (self);
  save (self);
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
  start_run (self);
}

static void
linked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
  GTask *task = user_data;

  if (g_task_return_error_if_cancelled (task))
    g_object_unref (task);
  else
    complete_sign_in (task);
}

/* Many servers keep one list of podcasts for all devices, and refuse to link them. */
static void
devices_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
  g_autoptr (GBytes) body = NULL;
  guint own;

  if (g_task_return_error_if_cancelled (task))
    {
      g_object_unref (task);
      return;
    }
  if (answer != NULL &&
      g_ptr_array_find_with_equal_func (answer->devices, sign_in->account->device, g_str_equal,
                                        &own))
    g_ptr_array_remove_index (answer->devices, own);
  if (answer == NULL || answer->devices->len == 0)
    {
      complete_sign_in (task);
      return;
    }
  body = ear_sync_print_link (sign_in->account, answer->devices);
  ear_sync_call_async (self->http, sign_in->account, sign_in->password, EAR_SYNC_LINK_DEVICES, 0,
                       body, g_task_get_cancellable (task), linked_cb, task);
}

static void
account_tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else if (sign_in->account->service == EAR_SYNC_NEXTCLOUD)
    complete_sign_in (g_steal_pointer (&task));
  else
    {
      ear_sync_call_async (self->http, sign_in->account, sign_in->password, EAR_SYNC_LIST_DEVICES,
                           0, NULL, g_task_get_cancellable (task), devices_listed_cb, task);
      g_steal_pointer (&task);
    }
}

/* @task: (transfer full) */
static void
try_account (GTask *task)
{
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);
  const gboolean is_nextcloud = sign_in->account->service == EAR_SYNC_NEXTCLOUD;
  g_autoptr (GBytes) body = is_nextcloud ? NULL : ear_sync_print_device (sign_in->account);

  ear_sync_call_async (self->http, sign_in->account, sign_in->password,
                       is_nextcloud ? EAR_SYNC_LIST_PODCASTS : EAR_SYNC_SET_DEVICE, 0, body,
                       g_task_get_cancellable (task), account_tried_cb, task);
}

static GTask *
begin_sign_in (EarSync *self, EarSyncService service, const char *typed, const char *user,
               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  SignIn *sign_in = g_new0 (SignIn, 1);
  g_autofree char *address = ear_sync_clean_address (typed);
  g_autofree char *id = g_uuid_string_random ();

  g_task_set_source_tag (task, begin_sign_in);
  sign_in->account = ear_sync_account_new (service, address, user);
  id[8] = '\0';
  sign_in->account->device = g_strconcat ("earmark-", id, NULL);
  sign_in->account->name = g_strdup (g_get_host_name ());
  g_task_set_task_data (task, sign_in, sign_in_free);
  if (address != NULL)
    return task;
  g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS,
                                   "That is no web address");
  g_object_unref (task);

  return NULL;
}

/* Signs in with a password.
 * @address: of the server, as typed */
void
ear_sync_sign_in_async (EarSync *self, EarSyncService service, const char *address,
                        const char *user, const char *password, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SYNC (self));

  task = begin_sign_in (self, service, address, user, cancellable, callback, user_data);
  if (task == NULL)
    return;
  ((SignIn *) g_task_get_task_data (task))->password = g_strdup (password);
  try_account (task);
}

static gboolean poll_cb (gpointer user_data);

static void
polled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *sign_in = g_task_get_task_data (task);
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);

  if (answer != NULL && answer->user != NULL && answer->password != NULL)
    {
      g_set_str (&sign_in->account->user, answer->user);
      sign_in->password = g_strdup (answer->password);
      try_account (g_steal_pointer (&task));
      return;
    }
  if (status == 404 && g_get_monotonic_time () < sign_in->until)
    {
      g_autoptr (GSource) source_of_poll = g_timeout_source_new (POLL_INTERVAL_MS);

      g_clear_error (&error);
      g_task_attach_source (task, source_of_poll, poll_cb);
      /* The source has the task from now on. */
      g_steal_pointer (&task);
      return;
    }
  if (error == NULL)
    error = g_error_new_literal (EAR_ERROR, EAR_ERROR_SERVER, "The login has no result");
  else if (status == 404)
    error->code = EAR_ERROR_TIMED_OUT;
  g_task_return_error (task, error);
}

static gboolean
poll_cb (gpointer user_data)
{
  GTask *task = user_data;
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);

  ear_sync_poll_async (self->http, sign_in->account, sign_in->endpoint, sign_in->token,
                       g_task_get_cancellable (task), polled_cb, task);

  return G_SOURCE_REMOVE;
}

static void
login_started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSync *self = g_task_get_source_object (task);
  SignIn *sign_in = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);

  if (answer != NULL &&
      (answer->login == NULL || answer->endpoint == NULL || answer->token == NULL))
    error = g_error_new_literal (EAR_ERROR, EAR_ERROR_SERVER, "The server has no such login");
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  /* A server behind a proxy may not know that it is reached by https. */
  if (g_str_has_prefix (sign_in->account->address, "https://") &&
      g_str_has_prefix (answer->endpoint, "http://"))
    sign_in->endpoint = g_strconcat ("https://", answer->endpoint + strlen ("http://"), NULL);
  else
    sign_in->endpoint = g_strdup (answer->endpoint);
  if (!ear_address_trusts (sign_in->account->address, sign_in->endpoint))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                       "The login is on another server");
      return;
    }
  sign_in->token = g_strdup (answer->token);
  sign_in->until = g_get_monotonic_time () + LOGIN_TIME;
  g_signal_emit_by_name (self, "open-address", answer->login);
  poll_cb (g_steal_pointer (&task));
}

/* Signs in to Nextcloud with the web browser: [signal@EarSync::open-address] has the page
 * for it. The listener has twenty minutes.
 * @address: of the server, as typed */
void
ear_sync_sign_in_with_browser_async (EarSync *self, const char *address, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SYNC (self));

  task = begin_sign_in (self, EAR_SYNC_NEXTCLOUD, address, "", cancellable, callback, user_data);
  if (task != NULL)
    ear_sync_call_async (self->http, ((SignIn *) g_task_get_task_data (task))->account, NULL,
                         EAR_SYNC_START_LOGIN, 0, NULL, cancellable, login_started_cb, task);
}

/* @error: return location for an `EAR_ERROR`
 * Returns: whether the account works */
gboolean
ear_sync_sign_in_finish (EarSync *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
logged_out_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
}

static void
log_out (EarSync *self)
{
  const EarLogin *login =
      ear_keyring_peek (self->keyring, KEYRING_NAME, self->state->account->address);

  if (login != NULL && self->state->account->service == EAR_SYNC_NEXTCLOUD)
    ear_sync_call_async (self->http, self->state->account, login->password, EAR_SYNC_LOG_OUT, 0,
                         NULL, NULL, logged_out_cb, NULL);
  ear_keyring_forget (self->keyring, KEYRING_NAME);
}

/* Forgets the account, and makes the password invalid where the server made it for Earmark.
 * Podcasts and marks stay, here and on the server. */
void
ear_sync_sign_out (EarSync *self)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->state->account == NULL)
    return;
  g_clear_handle_id (&self->timer_id, g_source_remove);
  log_out (self);
  ear_sync_state_free (self->state);
  self->state = ear_sync_state_new (NULL);
  if (self->run != NULL)
    end_run (self, NULL);
  g_clear_error (&self->error);
  save (self);
  set_status (self, EAR_SYNC_SIGNED_OUT);
}

static void
named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
}

/* Sets the name of this computer, by which the account's other devices show it. */
void
ear_sync_set_device_name (EarSync *self, const char *name)
{
  EarSyncAccount *account;
  const EarLogin *login;
  g_autoptr (GBytes) body = NULL;

  g_return_if_fail (EAR_IS_SYNC (self));

  account = self->state->account;
  if (account == NULL || name == NULL || *name == '\0' || !g_set_str (&account->name, name))
    return;
  save (self);
  g_object_notify (G_OBJECT (self), "device-name");
  login = ear_keyring_peek (self->keyring, KEYRING_NAME, account->address);
  if (login == NULL || account->service != EAR_SYNC_GPODDER)
    return;
  body = ear_sync_print_device (account);
  ear_sync_call_async (self->http, account, login->password, EAR_SYNC_SET_DEVICE, 0, body, NULL,
                       named_cb, NULL);
}

/* --- Class -------------------------------------------------------------------------- */

EAR_DEFINE_GET (EarSync, ear_sync, EarSyncStatus, status)
EAR_DEFINE_GET (EarSync, ear_sync, const GError *, error)

static gboolean
get_nextcloud (EarSync *self)
{
  return self->state->account != NULL && self->state->account->service == EAR_SYNC_NEXTCLOUD;
}

static const char *
get_address (EarSync *self)
{
  return self->state->account != NULL ? self->state->account->address : NULL;
}

static const char *
get_user (EarSync *self)
{
  return self->state->account != NULL ? self->state->account->user : NULL;
}

static const char *
get_device_name (EarSync *self)
{
  return self->state->account != NULL ? self->state->account->name : NULL;
}

static gint64
get_synced (EarSync *self)
{
  return self->state->synced / G_USEC_PER_SEC;
}

static gboolean
get_is_first (EarSync *self)
{
  return !self->state->agreed;
}

static void
ear_sync_dispose (GObject *object)
{
  EarSync *self = EAR_SYNC (object);

  if (self->thread != NULL || self->run != NULL)
    ear_sync_stop (self);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->store);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->refresher);
  g_clear_object (&self->http);
  g_clear_object (&self->keyring);
  g_clear_object (&self->notices);
  g_clear_object (&self->settings);
  g_clear_object (&self->player);
  g_clear_object (&self->network);
  g_hash_table_remove_all (self->fresh);

  G_OBJECT_CLASS (ear_sync_parent_class)->dispose (object);
}

static void
ear_sync_finalize (GObject *object)
{
  EarSync *self = EAR_SYNC (object);

  g_free (self->path);
  ear_sync_state_free (self->state);
  g_hash_table_unref (self->fresh);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (ear_sync_parent_class)->finalize (object);
}

static void
ear_sync_class_init (EarSyncClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "status", G_TYPE_INT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, status) },
    { "nextcloud", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (get_nextcloud) },
    { "address", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_address) },
    { "user", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_user) },
    { "device-name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_device_name) },
    { "synced", G_TYPE_INT64, G_PARAM_READABLE, .get = G_CALLBACK (get_synced) },
    { "error", G_TYPE_ERROR, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, error) },
    { "n-follow", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_follow) },
    { "n-unfollow", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_unfollow) },
    { "n-add", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_add) },
    { "n-remove", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_remove) },
    { "n-received", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_received) },
    { "n-sent", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, n_sent) },
    { .spec = g_param_spec_boolean ("is-first", NULL, NULL, TRUE, G_PARAM_READABLE),
      .get = G_CALLBACK (get_is_first) },
  };

  object_class->dispose = ear_sync_dispose;
  object_class->finalize = ear_sync_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_signal_new ("open-address", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ear_sync_init (EarSync *self)
{
  self->state = ear_sync_state_new (NULL);
  self->fresh = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

/* @path: the file of the account's state
 * Returns: (transfer full): signed out, until the file is read */
EarSync *
ear_sync_new (const EarServices *services, const char *path)
{
  EarSync *self = g_object_new (EAR_TYPE_SYNC, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->store = g_object_ref (services->state);
  self->subscriptions = g_object_ref (services->subscriptions);
  self->refresher = g_object_ref (services->refresher);
  self->http = g_object_ref (services->http);
  self->keyring = g_object_ref (services->keyring);
  self->notices = g_object_ref (services->notices);
  self->settings = g_object_ref (services->settings);
  self->player = g_object_ref (services->player);
  self->network = g_object_ref (services->network);
  self->path = g_strdup (path);
  g_signal_connect_object (self->subscriptions, "followed", G_CALLBACK (followed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "unfollowed", G_CALLBACK (unfollowed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->player, "notify::state", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->network, "network-changed", G_CALLBACK (network_changed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}
