/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store-private.h"

#include "ear-property.h"

/**
 * EarUserdataStore:
 *
 * The listener's data, in JSON files that outlive the application: positions, marks,
 * settings and subscriptions.
 *
 * For use on the main thread, which only queues; the store's own thread does all file
 * work. Changes are on the disk within a second, or at once after
 * [method@UserdataStore.flush_async]. Other programs may change the files at any time:
 * the newest stamp wins, member by member.
 */
G_DEFINE_FINAL_TYPE (EarUserdataStore, ear_userdata_store, G_TYPE_OBJECT)

#define DELAY_DEFAULT 500

static void
notify_subscriptions (EarUserdataKeeper *keeper, gpointer data)
{
  ear_userdata_keeper_notify_subscriptions (keeper);
}

/* A report from before the last change would undo that change: the store requests another
 * one until no change has come in between. */
static void
take_subscriptions (EarUserdataStore *self, EarUserdataEvent *event)
{
  if (event->n_set == self->n_set)
    g_signal_emit_by_name (self, "subscriptions-changed", event->subscriptions);
  else
    ear_userdata_store_post (self, notify_subscriptions, NULL, NULL);
}

static void
load_records (EarUserdataKeeper *keeper, gpointer kind)
{
  ear_userdata_keeper_load_records (keeper, GPOINTER_TO_UINT (kind));
}

static void
take_records (EarUserdataStore *self, EarUserdataEvent *event)
{
  if (event->n_set == self->n_records_set[event->record_kind])
    g_signal_emit_by_name (self, "records-changed", event->record_kind, event->records);
  else
    ear_userdata_store_post (self, load_records, GUINT_TO_POINTER (event->record_kind), NULL);
}

/* @event: (transfer full): an event from the store's thread
 * @user_data: the store */
void
ear_userdata_store_take_event (gpointer event, gpointer user_data)
{
  g_autoptr (EarUserdataStore) self = g_object_ref (user_data);
  g_autoptr (EarUserdataEvent) owned = event;
  g_autoptr (GTask) task = g_steal_pointer (&owned->task);

  /* The store is closed: ignore the event. */
  if (self->thread == NULL)
    return;
  switch (owned->type)
    {
    case EAR_USERDATA_EVENT_PODCAST:
      g_signal_emit_by_name (self, "podcast-changed", owned->address, owned->states);
      break;
    case EAR_USERDATA_EVENT_SETTINGS:
      g_signal_emit_by_name (self, "settings-changed", owned->address, &owned->settings);
      break;
    case EAR_USERDATA_EVENT_SUBSCRIPTIONS:
      take_subscriptions (self, owned);
      break;
    case EAR_USERDATA_EVENT_RECORDS:
      take_records (self, owned);
      break;
    case EAR_USERDATA_EVENT_DAMAGED:
      g_signal_emit_by_name (self, "damaged", owned->file, owned->set_aside, owned->restored);
      break;
    case EAR_USERDATA_EVENT_FAILED:
      g_signal_emit_by_name (self, "failed", owned->error);
      break;
    case EAR_USERDATA_EVENT_REPLY:
    default:
      if (owned->error != NULL)
        g_task_return_error (task, g_steal_pointer (&owned->error));
      else
        g_task_return_pointer (task, g_steal_pointer (&owned), (GDestroyNotify) ear_userdata_event_free);
    }
}

static void
ear_userdata_store_constructed (GObject *object)
{
  EarUserdataStore *self = EAR_USERDATA_STORE (object);

  G_OBJECT_CLASS (ear_userdata_store_parent_class)->constructed (object);

  if (self->directory != NULL)
    ear_userdata_store_start_thread (self);
}

static void
ear_userdata_store_dispose (GObject *object)
{
  ear_userdata_store_stop_thread (EAR_USERDATA_STORE (object));

  G_OBJECT_CLASS (ear_userdata_store_parent_class)->dispose (object);
}

static void
ear_userdata_store_finalize (GObject *object)
{
  g_free (EAR_USERDATA_STORE (object)->directory);

  G_OBJECT_CLASS (ear_userdata_store_parent_class)->finalize (object);
}

/* The header documents the arguments. */
static void
make_signals (GType type)
{
  g_signal_new ("podcast-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING,
                G_TYPE_HASH_TABLE);
  g_signal_new ("settings-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_POINTER);
  g_signal_new ("subscriptions-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
  g_signal_new ("records-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_PTR_ARRAY);
  g_signal_new ("damaged", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_STRING,
                G_TYPE_BOOLEAN);
  g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
ear_userdata_store_class_init (EarUserdataStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Folder of the files; %NULL for a store that keeps nothing */
    { "directory", G_TYPE_STRING, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY, G_STRUCT_OFFSET (EarUserdataStore, directory) },
    /* Delay before changes are written together, in milliseconds */
    { .spec = g_param_spec_uint ("delay", NULL, NULL, 0, 60 * 1000, DELAY_DEFAULT, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY),
      .offset = G_STRUCT_OFFSET (EarUserdataStore, delay) },
  };

  object_class->constructed = ear_userdata_store_constructed;
  object_class->dispose = ear_userdata_store_dispose;
  object_class->finalize = ear_userdata_store_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  make_signals (G_TYPE_FROM_CLASS (klass));
}

static void
ear_userdata_store_init (EarUserdataStore *self)
{
}

/**
 * ear_userdata_store_new:
 * @directory: folder of the files; created at the first write
 *
 * Returns: (transfer full): a store. Its disposal waits until everything is written.
 */
EarUserdataStore *
ear_userdata_store_new (const char *directory)
{
  return g_object_new (EAR_TYPE_USERDATA_STORE, "directory", directory, NULL);
}

/**
 * ear_userdata_store_load_subscriptions_async:
 * @callback: called when the subscriptions are loaded
 *
 * Loads all subscriptions.
 */
void
ear_userdata_store_load_subscriptions_async (EarUserdataStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                             gpointer user_data)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));

  ear_userdata_store_ask (self, (EarUserdataRequest) ear_userdata_keeper_load_subscriptions, NULL, cancellable,
                          ear_userdata_store_load_subscriptions_async, callback, user_data);
}

/**
 * ear_userdata_store_load_subscriptions_finish:
 * @first_start: (out) (optional): whether nothing was ever stored in the folder
 *
 * Returns: (transfer full) (nullable) (element-type EarSubscription): all subscriptions,
 *   and tombstones of unfollowed podcasts; %NULL on errors
 */
GPtrArray *
ear_userdata_store_load_subscriptions_finish (EarUserdataStore *self, GAsyncResult *result, gboolean *first_start, GError **error)
{
  g_autoptr (EarUserdataEvent) reply = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  if (first_start != NULL)
    *first_start = FALSE;
  reply = g_task_propagate_pointer (G_TASK (result), error);
  if (reply == NULL)
    return NULL;
  if (first_start != NULL)
    *first_start = reply->first_start;

  return g_steal_pointer (&reply->subscriptions);
}

/**
 * ear_userdata_store_set_subscription:
 * @subscription: a subscription or a tombstone; `updated` is the time of
 *   following or unfollowing
 *
 * Follows or unfollows a podcast, or stores its title and new feed address. The latter do
 * not count as following it again.
 */
void
ear_userdata_store_set_subscription (EarUserdataStore *self, const EarSubscription *subscription)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (subscription != NULL && subscription->address != NULL);

  self->n_set++;
  ear_userdata_store_post (self, (EarUserdataRequest) ear_userdata_keeper_set_subscription,
                           ear_subscription_copy (subscription), (GDestroyNotify) ear_subscription_free);
}

/**
 * ear_userdata_store_load_records:
 *
 * Loads the records of a kind: `records-changed` reports all of them, and afterwards
 * changes from outside.
 */
void
ear_userdata_store_load_records (EarUserdataStore *self, EarRecordKind kind)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (kind < EAR_N_RECORD_KINDS);

  ear_userdata_store_post (self, load_records, GUINT_TO_POINTER (kind), NULL);
}

/**
 * ear_userdata_store_load_podcast:
 * @address: the first address of a podcast
 *
 * Loads the listener's data on a podcast: `podcast-changed` and `settings-changed` report
 * all of it, if there is any, and afterwards changes from outside.
 */
void
ear_userdata_store_load_podcast (EarUserdataStore *self, const char *address)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (address != NULL);

  ear_userdata_store_post (self, (EarUserdataRequest) ear_userdata_keeper_load_podcast, g_strdup (address), g_free);
}

/**
 * ear_userdata_store_load_now_async:
 * @callback: called when the current episode is loaded
 *
 * Loads the episode played last. Its position is merged into its podcast's file.
 */
void
ear_userdata_store_load_now_async (EarUserdataStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));

  ear_userdata_store_ask (self, (EarUserdataRequest) ear_userdata_keeper_load_now, NULL, cancellable,
                          ear_userdata_store_load_now_async, callback, user_data);
}

/**
 * ear_userdata_store_load_now_finish:
 * @address: (out) (transfer full) (optional): the first address of the podcast
 * @guid: (out) (transfer full) (optional): the episode
 * @position: (out) (optional): its newest known position, in microseconds
 * @started: (out) (optional): whether that is the episode's own position, and not
 *   only the player's
 *
 * Returns: %TRUE if an episode is known; %FALSE without an error if nothing
 *   was played yet
 */
gboolean
ear_userdata_store_load_now_finish (EarUserdataStore *self, GAsyncResult *result, char **address, char **guid,
                                    gint64 *position, gboolean *started, GError **error)
{
  g_autoptr (EarUserdataEvent) reply = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  reply = g_task_propagate_pointer (G_TASK (result), error);
  if (address != NULL)
    *address = reply != NULL ? g_steal_pointer (&reply->address) : NULL;
  if (position != NULL)
    *position = reply != NULL ? reply->position : 0;
  if (started != NULL)
    *started = reply != NULL && reply->started;
  if (guid != NULL)
    *guid = reply != NULL ? g_strdup (reply->guid) : NULL;

  return reply != NULL && reply->guid != NULL;
}

/**
 * ear_userdata_store_flush_async:
 * @callback: called when all changes so far are on the disk
 *
 * Writes everything at once, and the current position to its podcast's file, too; call it
 * when playback pauses, and before the application ends.
 */
void
ear_userdata_store_flush_async (EarUserdataStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));

  ear_userdata_store_ask (self, (EarUserdataRequest) ear_userdata_keeper_flush, NULL, cancellable,
                          ear_userdata_store_flush_async, callback, user_data);
}

/**
 * ear_userdata_store_flush_finish:
 *
 * Returns: %TRUE if everything is on the disk; otherwise changes stay in memory
 *   for another attempt
 */
gboolean
ear_userdata_store_flush_finish (EarUserdataStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (EarUserdataEvent) reply = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  reply = g_task_propagate_pointer (G_TASK (result), error);

  return reply != NULL;
}
