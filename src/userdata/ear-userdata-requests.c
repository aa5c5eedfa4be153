/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-worker-private.h"

/* What the thread of the files can be asked for: what it does then, and how it is asked. */

/* The task goes through this thread and back and is never released here: with it might go the last
 * reference to the owner, who then would wait for this thread on this thread. */
static EarUserdataEvent *
new_reply (GTask *task)
{
  EarUserdataEvent *reply = ear_userdata_event_new (EAR_USERDATA_EVENT_REPLY);

  reply->task = g_object_ref (task);

  return reply;
}

static void
post_task (EarUserdataWorker *self, EarUserdataRequest run, GTask *task)
{
  ear_userdata_worker_post (self, run, new_reply (task), (GDestroyNotify) ear_userdata_event_free);
}

static void
run_load_subscriptions (EarUserdataWorker *self, gpointer *data)
{
  EarUserdataEvent *reply = g_steal_pointer (data);

  ear_userdata_keeper_load_subscriptions (self->keeper, reply);
  ear_userdata_worker_notify (self, reply);
  ear_userdata_worker_write_later (self);
}

static void
run_notify_subscriptions (EarUserdataWorker *self, gpointer *data)
{
  ear_userdata_keeper_notify_subscriptions (self->keeper);
}

static void
run_set_subscription (EarUserdataWorker *self, gpointer *data)
{
  ear_userdata_keeper_set_subscription (self->keeper, *data);
  ear_userdata_worker_write_later (self);
}

static void
run_load_podcast (EarUserdataWorker *self, gpointer *data)
{
  ear_userdata_keeper_load_podcast (self->keeper, *data);
  ear_userdata_worker_write_later (self);
}

static void
run_set_settings (EarUserdataWorker *self, gpointer *data)
{
  ear_userdata_keeper_set_settings (self->keeper, *data);
  ear_userdata_worker_write_later (self);
}

typedef struct
{
  char *address;
  GHashTable *names;
} Names;

static void
names_free (gpointer data)
{
  Names *names = data;

  g_free (names->address);
  g_hash_table_unref (names->names);
  g_free (names);
}

static void
run_add_names (EarUserdataWorker *self, gpointer *data)
{
  const Names *names = *data;

  ear_userdata_keeper_add_names (self->keeper, names->address, names->names);
  ear_userdata_worker_write_later (self);
}

static void
run_set_now (EarUserdataWorker *self, gpointer *data)
{
  ear_userdata_keeper_set_now (self->keeper, g_steal_pointer (data));
  ear_userdata_worker_write_now (self);
}

static void
run_load_now (EarUserdataWorker *self, gpointer *data)
{
  EarUserdataEvent *reply = g_steal_pointer (data);

  ear_userdata_keeper_load_now (self->keeper, reply);
  ear_userdata_worker_notify (self, reply);
  ear_userdata_worker_write_later (self);
}

static void
run_flush (EarUserdataWorker *self, gpointer *data)
{
  EarUserdataEvent *reply = g_steal_pointer (data);

  ear_userdata_keeper_settle (self->keeper);
  ear_userdata_keeper_write (self->keeper, &reply->error);
  ear_userdata_worker_take_result (self, reply->error);
  ear_userdata_worker_notify (self, reply);
}

static void
run_restore (EarUserdataWorker *self, gpointer *data)
{
  EarUserdataEvent *reply = g_steal_pointer (data);

  ear_userdata_keeper_restore (self->keeper, reply->file, reply->exact, &reply->error);
  ear_userdata_worker_notify (self, reply);
  ear_userdata_worker_write_later (self);
}

/* See ear_userdata_keeper_load_subscriptions(). */
void
ear_userdata_worker_load_subscriptions (EarUserdataWorker *self, GTask *task)
{
  post_task (self, run_load_subscriptions, task);
}

/* See ear_userdata_keeper_notify_subscriptions(). */
void
ear_userdata_worker_notify_subscriptions (EarUserdataWorker *self)
{
  ear_userdata_worker_post (self, run_notify_subscriptions, NULL, NULL);
}

/**
 * ear_userdata_worker_set_subscription:
 * @subscription: (transfer full): what the listener follows, or no longer does
 *
 * See ear_userdata_keeper_set_subscription().
 */
void
ear_userdata_worker_set_subscription (EarUserdataWorker *self, EarSubscription *subscription)
{
  ear_userdata_worker_post (self, run_set_subscription, subscription, (GDestroyNotify) ear_subscription_free);
}

/* See ear_userdata_keeper_load_podcast(). */
void
ear_userdata_worker_load_podcast (EarUserdataWorker *self, const char *address)
{
  ear_userdata_worker_post (self, run_load_podcast, g_strdup (address), g_free);
}

/**
 * ear_userdata_worker_set_settings:
 * @change: (transfer full): what the listener wants for a podcast
 *
 * See ear_userdata_keeper_set_settings().
 */
void
ear_userdata_worker_set_settings (EarUserdataWorker *self, EarSettingsChange *change)
{
  ear_userdata_worker_post (self, run_set_settings, change, (GDestroyNotify) ear_settings_change_free);
}

/**
 * ear_userdata_worker_add_names:
 * @names: (element-type utf8 utf8): other names of its episodes
 *
 * See ear_userdata_keeper_add_names().
 */
void
ear_userdata_worker_add_names (EarUserdataWorker *self, const char *address, GHashTable *names)
{
  Names *data = g_new0 (Names, 1);

  data->address = g_strdup (address);
  data->names = g_hash_table_ref (names);
  ear_userdata_worker_post (self, run_add_names, data, names_free);
}

/**
 * ear_userdata_worker_set_now:
 * @change: (transfer full): what is played, and where
 *
 * See ear_userdata_keeper_set_now().
 */
void
ear_userdata_worker_set_now (EarUserdataWorker *self, EarUserdataChange *change)
{
  ear_userdata_worker_post (self, run_set_now, change, (GDestroyNotify) ear_userdata_change_free);
}

/* See ear_userdata_keeper_load_now(). */
void
ear_userdata_worker_load_now (EarUserdataWorker *self, GTask *task)
{
  post_task (self, run_load_now, task);
}

/**
 * ear_userdata_worker_flush:
 * @task: comes back when everything is on the disk, or could not be written
 *
 * Writes everything at once.
 */
void
ear_userdata_worker_flush (EarUserdataWorker *self, GTask *task)
{
  post_task (self, run_flush, task);
}

/**
 * ear_userdata_worker_restore:
 * @exact: whether podcasts that are followed only since then are unfollowed
 * @task: comes back when everything is as it was in the backup, or why it could not be
 *
 * See ear_userdata_keeper_restore().
 */
void
ear_userdata_worker_restore (EarUserdataWorker *self, const char *path, gboolean exact, GTask *task)
{
  EarUserdataEvent *reply = new_reply (task);

  reply->file = g_strdup (path);
  reply->exact = exact;
  ear_userdata_worker_post (self, run_restore, reply, (GDestroyNotify) ear_userdata_event_free);
}
