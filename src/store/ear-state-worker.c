/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-worker.h"

/*
 * The thread of the files. It gets messages, in order, and decides when to write: what is played at
 * once, everything else a moment later and all in one, and what could not be written again and
 * again, ever less often.
 */

#define TOUCH_DELAY 100       /* ms: a change is rarely alone */
#define RETRY_DELAY 1000      /* ms: the first time */
#define RETRY_DELAY_MAX 30000 /* ms */

/* What events on their way to the other thread know of the owner, who may be gone by then. */
typedef struct
{
  GWeakRef owner;
} Link;

struct _EarStateWorker
{
  /* Owned, set before the thread starts */
  char *directory;
  guint delay;
  GMainContext *context;
  GMainContext *home;
  Link *link;
  EarStateHandler handler;
  GThread *thread;

  /* Owned, the thread's own */
  GMainLoop *loop;
  EarStateKeeper *keeper;
  GFileMonitor *monitor;
  EarStateIdentity monitored;
  GHashTable *touched; /* (element-type utf8): names of files */
  GSource *touch_alarm;
  GSource *now_alarm;
  GSource *write_alarm;
  guint failures; /* in a row */
};

typedef struct
{
  Link *link;
  EarStateHandler handler;
  EarStateEvent *event;
} Delivery;

typedef struct _Message Message;

typedef void (*MessageFunc) (EarStateWorker *worker,
                             Message        *message);

struct _Message
{
  EarStateWorker *worker;
  MessageFunc run;
  gpointer data;
  GDestroyNotify destroy;
};

static void
link_clear (gpointer data)
{
  g_weak_ref_clear (&((Link *) data)->owner);
}

static void
delivery_free (gpointer data)
{
  Delivery *delivery = data;

  g_clear_pointer (&delivery->event, ear_state_event_free);
  g_atomic_rc_box_release_full (delivery->link, link_clear);
  g_free (delivery);
}

static gboolean
deliver_cb (gpointer data)
{
  Delivery *delivery = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&delivery->link->owner);

  if (owner != NULL)
    delivery->handler (owner, g_steal_pointer (&delivery->event));

  return G_SOURCE_REMOVE;
}

static void
send_home (EarStateEvent *event, gpointer user_data)
{
  EarStateWorker *self = user_data;
  g_autoptr (GSource) source = g_idle_source_new ();
  Delivery *delivery = g_new0 (Delivery, 1);

  delivery->link = g_atomic_rc_box_acquire (self->link);
  delivery->handler = self->handler;
  delivery->event = event;
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, deliver_cb, delivery, delivery_free);
  g_source_attach (source, self->home);
}

/* An alarm is a source that is always there, and rings once when it was set. */
static gboolean
alarm_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);

  return callback (user_data);
}

static GSourceFuncs alarm_funcs = { .dispatch = alarm_dispatch };

static GSource *
alarm_new (EarStateWorker *self, GSourceFunc func, int priority)
{
  GSource *alarm = g_source_new (&alarm_funcs, sizeof (GSource));

  g_source_set_priority (alarm, priority);
  g_source_set_callback (alarm, func, self, NULL);
  g_source_attach (alarm, self->context);

  return alarm;
}

static void
alarm_free (GSource *alarm)
{
  g_source_destroy (alarm);
  g_source_unref (alarm);
}

/* One that is set already rings when it was going to: a stream of changes puts nothing off. */
static void
alarm_set (GSource *alarm, guint delay)
{
  if (g_source_get_ready_time (alarm) == -1)
    g_source_set_ready_time (alarm, g_get_monotonic_time () + delay * G_TIME_SPAN_MILLISECOND);
}

static void
write_later (EarStateWorker *self)
{
  guint delay = self->delay;

  if (!ear_state_keeper_is_dirty (self->keeper))
    return;
  if (self->failures > 0)
    delay = self->failures > 5 ? RETRY_DELAY_MAX : MIN (RETRY_DELAY << (self->failures - 1), RETRY_DELAY_MAX);
  alarm_set (self->write_alarm, delay);
}

static void
touched_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer user_data)
{
  EarStateWorker *self = user_data;

  if (event == G_FILE_MONITOR_EVENT_DELETED || event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;

  g_hash_table_add (self->touched, g_file_get_basename (file));
  if (other != NULL)
    g_hash_table_add (self->touched, g_file_get_basename (other));
  alarm_set (self->touch_alarm, TOUCH_DELAY);
}

/* Watches the folder; again when it was replaced, or could not be watched before it was made. */
static void
watch (EarStateWorker *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->directory);
  g_autoptr (GError) error = NULL;
  EarStateIdentity identity;

  if (!ear_state_folder_identify (ear_state_keeper_get_folder (self->keeper), ".", &identity) ||
      (self->monitor != NULL && identity.inode == self->monitored.inode && identity.device == self->monitored.device))
    return;

  g_clear_object (&self->monitor);
  self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);
  if (self->monitor == NULL)
    {
      g_debug ("changes from outside are seen only when writing: %s", error->message);
      return;
    }
  self->monitored = identity;
  g_file_monitor_set_rate_limit (self->monitor, TOUCH_DELAY);
  g_signal_connect (self->monitor, "changed", G_CALLBACK (touched_cb), self);
}

/* What came of writing. One failure is told, not all that follow it. */
static void
take_result (EarStateWorker *self, const GError *error)
{
  if (error == NULL)
    {
      self->failures = 0;
      watch (self);
    }
  else if (++self->failures == 1)
    {
      EarStateEvent *event = g_new0 (EarStateEvent, 1);

      event->type = EAR_STATE_EVENT_FAILED;
      event->error = g_error_copy (error);
      send_home (event, self);
    }
  write_later (self);
}

static gboolean
write_cb (gpointer user_data)
{
  EarStateWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_state_keeper_write (self->keeper, &error);
  take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
write_now_cb (gpointer user_data)
{
  EarStateWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_state_keeper_write_now (self->keeper, &error);
  take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
notice_cb (gpointer user_data)
{
  EarStateWorker *self = user_data;
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->touched);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ear_state_keeper_notice (self->keeper, name);
  g_hash_table_remove_all (self->touched);
  write_later (self);

  return G_SOURCE_CONTINUE;
}

static gpointer
run_thread (gpointer user_data)
{
  EarStateWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  g_main_context_push_thread_default (self->context);
  self->loop = g_main_loop_new (self->context, FALSE);
  self->keeper = ear_state_keeper_new (self->directory, send_home, self);
  self->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->touch_alarm = alarm_new (self, notice_cb, G_PRIORITY_DEFAULT);
  self->write_alarm = alarm_new (self, write_cb, G_PRIORITY_DEFAULT);
  /* After all messages that wait: of several positions only the last one is written. */
  self->now_alarm = alarm_new (self, write_now_cb, G_PRIORITY_DEFAULT_IDLE);
  watch (self);
  ear_state_keeper_start (self->keeper);
  write_later (self);

  g_main_loop_run (self->loop);

  ear_state_keeper_settle (self->keeper);
  if (!ear_state_keeper_write (self->keeper, &error))
    g_message ("The listened state could not be saved: %s", error->message);
  g_clear_pointer (&self->touch_alarm, alarm_free);
  g_clear_pointer (&self->write_alarm, alarm_free);
  g_clear_pointer (&self->now_alarm, alarm_free);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_pointer (&self->keeper, ear_state_keeper_free);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

static gboolean
message_cb (gpointer data)
{
  Message *message = data;

  message->run (message->worker, message);

  return G_SOURCE_REMOVE;
}

static void
message_free (gpointer data)
{
  Message *message = data;

  if (message->destroy != NULL && message->data != NULL)
    message->destroy (message->data);
  g_free (message);
}

static void
post (EarStateWorker *self, MessageFunc run, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Message *message = g_new0 (Message, 1);

  message->worker = self;
  message->run = run;
  message->data = data;
  message->destroy = destroy;
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, message_cb, message, message_free);
  g_source_attach (source, self->context);
}

/* The task goes through this thread and back and is never released here: with it might go the last
 * reference to the owner, who then would wait for this thread on this thread. */
static EarStateEvent *
new_reply (GTask *task)
{
  EarStateEvent *reply = g_new0 (EarStateEvent, 1);

  reply->type = EAR_STATE_EVENT_REPLY;
  reply->task = g_object_ref (task);

  return reply;
}

static void
post_task (EarStateWorker *self, MessageFunc run, GTask *task)
{
  post (self, run, new_reply (task), (GDestroyNotify) ear_state_event_free);
}

static void
run_load_subscriptions (EarStateWorker *self, Message *message)
{
  EarStateEvent *reply = g_steal_pointer (&message->data);

  ear_state_keeper_load_subscriptions (self->keeper, reply);
  send_home (reply, self);
  write_later (self);
}

static void
run_set_subscription (EarStateWorker *self, Message *message)
{
  ear_state_keeper_set_subscription (self->keeper, message->data);
  write_later (self);
}

static void
run_load_podcast (EarStateWorker *self, Message *message)
{
  ear_state_keeper_load_podcast (self->keeper, message->data);
  write_later (self);
}

static void
run_set_episode (EarStateWorker *self, Message *message)
{
  ear_state_keeper_set_episode (self->keeper, message->data);
  write_later (self);
}

static void
run_set_marks (EarStateWorker *self, Message *message)
{
  ear_state_keeper_set_marks (self->keeper, message->data);
  write_later (self);
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
run_add_names (EarStateWorker *self, Message *message)
{
  const Names *names = message->data;

  ear_state_keeper_add_names (self->keeper, names->address, names->names);
  write_later (self);
}

static void
run_set_now (EarStateWorker *self, Message *message)
{
  ear_state_keeper_set_now (self->keeper, g_steal_pointer (&message->data));
  if (self->failures == 0)
    alarm_set (self->now_alarm, 0);
}

static void
run_load_now (EarStateWorker *self, Message *message)
{
  EarStateEvent *reply = g_steal_pointer (&message->data);

  ear_state_keeper_load_now (self->keeper, reply);
  send_home (reply, self);
  write_later (self);
}

static void
run_flush (EarStateWorker *self, Message *message)
{
  EarStateEvent *reply = g_steal_pointer (&message->data);

  ear_state_keeper_settle (self->keeper);
  ear_state_keeper_write (self->keeper, &reply->error);
  take_result (self, reply->error);
  send_home (reply, self);
}

static void
run_restore (EarStateWorker *self, Message *message)
{
  EarStateEvent *reply = g_steal_pointer (&message->data);

  ear_state_keeper_restore (self->keeper, reply->file, reply->exact, &reply->error);
  send_home (reply, self);
  write_later (self);
}

static void
run_stop (EarStateWorker *self, Message *message)
{
  g_main_loop_quit (self->loop);
}

/**
 * ear_state_worker_new:
 * @directory: where the files are
 * @delay: for how long changes are gathered before they are written, in milliseconds
 * @owner: (transfer none): who is told, as long as it lives
 * @handler: tells, in the caller's main context
 *
 * Starts the thread of the files.
 *
 * Returns: (transfer full): the thread, to be ended with ear_state_worker_stop()
 */
EarStateWorker *
ear_state_worker_new (const char *directory, guint delay, GObject *owner, EarStateHandler handler)
{
  EarStateWorker *self = g_new0 (EarStateWorker, 1);

  self->directory = g_strdup (directory);
  self->delay = delay;
  self->context = g_main_context_new ();
  self->home = g_main_context_ref_thread_default ();
  self->link = g_atomic_rc_box_new0 (Link);
  g_weak_ref_init (&self->link->owner, owner);
  self->handler = handler;
  self->thread = g_thread_new ("state", run_thread, self);

  return self;
}

/**
 * ear_state_worker_stop:
 * @self: (transfer full): the thread
 *
 * Has everything written, waits for that, and ends the thread.
 */
void
ear_state_worker_stop (EarStateWorker *self)
{
  post (self, run_stop, NULL, NULL);
  g_thread_join (self->thread);
  g_main_context_unref (self->context);
  g_main_context_unref (self->home);
  g_atomic_rc_box_release_full (self->link, link_clear);
  g_free (self->directory);
  g_free (self);
}

/**
 * ear_state_worker_load_subscriptions:
 * @self: the thread
 * @task: comes back with the reply
 *
 * See ear_state_keeper_load_subscriptions().
 */
void
ear_state_worker_load_subscriptions (EarStateWorker *self, GTask *task)
{
  post_task (self, run_load_subscriptions, task);
}

/**
 * ear_state_worker_set_subscription:
 * @self: the thread
 * @subscription: (transfer full): what the listener follows, or no longer does
 *
 * See ear_state_keeper_set_subscription().
 */
void
ear_state_worker_set_subscription (EarStateWorker *self, EarSubscription *subscription)
{
  post (self, run_set_subscription, subscription, (GDestroyNotify) ear_subscription_free);
}

/**
 * ear_state_worker_load_podcast:
 * @self: the thread
 * @address: the first address of a podcast
 *
 * See ear_state_keeper_load_podcast().
 */
void
ear_state_worker_load_podcast (EarStateWorker *self, const char *address)
{
  post (self, run_load_podcast, g_strdup (address), g_free);
}

/**
 * ear_state_worker_set_episode:
 * @self: the thread
 * @deed: (transfer full): what the listener did with an episode
 *
 * See ear_state_keeper_set_episode().
 */
void
ear_state_worker_set_episode (EarStateWorker *self, EarStateDeed *deed)
{
  post (self, run_set_episode, deed, (GDestroyNotify) ear_state_deed_free);
}

/**
 * ear_state_worker_set_marks:
 * @self: the thread
 * @marks: (transfer full): what the listener did with many episodes
 *
 * See ear_state_keeper_set_marks().
 */
void
ear_state_worker_set_marks (EarStateWorker *self, EarMarks *marks)
{
  post (self, run_set_marks, marks, (GDestroyNotify) ear_marks_unref);
}

/**
 * ear_state_worker_add_names:
 * @self: the thread
 * @address: the first address of a podcast
 * @names: (element-type utf8 utf8): other names of its episodes
 *
 * See ear_state_keeper_add_names().
 */
void
ear_state_worker_add_names (EarStateWorker *self, const char *address, GHashTable *names)
{
  Names *data = g_new0 (Names, 1);

  data->address = g_strdup (address);
  data->names = g_hash_table_ref (names);
  post (self, run_add_names, data, names_free);
}

/**
 * ear_state_worker_set_now:
 * @self: the thread
 * @deed: (transfer full): what is played, and where
 *
 * See ear_state_keeper_set_now().
 */
void
ear_state_worker_set_now (EarStateWorker *self, EarStateDeed *deed)
{
  post (self, run_set_now, deed, (GDestroyNotify) ear_state_deed_free);
}

/**
 * ear_state_worker_load_now:
 * @self: the thread
 * @task: comes back with the reply
 *
 * See ear_state_keeper_load_now().
 */
void
ear_state_worker_load_now (EarStateWorker *self, GTask *task)
{
  post_task (self, run_load_now, task);
}

/**
 * ear_state_worker_flush:
 * @self: the thread
 * @task: comes back when everything is on the disk, or could not be written
 *
 * Writes everything at once.
 */
void
ear_state_worker_flush (EarStateWorker *self, GTask *task)
{
  post_task (self, run_flush, task);
}

/**
 * ear_state_worker_restore:
 * @self: the thread
 * @path: path of a backup
 * @exact: whether podcasts that are followed only since then are unfollowed
 * @task: comes back when everything is as it was in the backup, or why it could not be
 *
 * See ear_state_keeper_restore().
 */
void
ear_state_worker_restore (EarStateWorker *self, const char *path, gboolean exact, GTask *task)
{
  EarStateEvent *reply = new_reply (task);

  reply->file = g_strdup (path);
  reply->exact = exact;
  post (self, run_restore, reply, (GDestroyNotify) ear_state_event_free);
}
