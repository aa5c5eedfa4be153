/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-worker-private.h"

/*
 * The thread of the files. It gets messages, in order, and decides when to write: what is played at
 * once, everything else a moment later and all in one, and what could not be written again and
 * again, ever less often.
 */

#define TOUCH_DELAY 100       /* ms: a change is rarely alone */
#define RETRY_DELAY 1000      /* ms: the first time */
#define RETRY_DELAY_MAX 30000 /* ms */

typedef struct
{
  EarUserdataLink *link;
  EarUserdataHandler handler;
  EarUserdataEvent *event;
} Delivery;

typedef struct
{
  EarUserdataWorker *worker;
  EarUserdataRequest run;
  gpointer data;
  GDestroyNotify destroy;
} Message;

static void
link_clear (gpointer data)
{
  g_weak_ref_clear (&((EarUserdataLink *) data)->owner);
}

static void
delivery_free (gpointer data)
{
  Delivery *delivery = data;

  g_clear_pointer (&delivery->event, ear_userdata_event_free);
  g_atomic_rc_box_release_full (delivery->link, link_clear);
  g_free (delivery);
}

static void
deliver (gpointer data)
{
  Delivery *delivery = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&delivery->link->owner);

  if (owner != NULL)
    delivery->handler (owner, g_steal_pointer (&delivery->event));
}

static void
send_home (EarUserdataEvent *event, gpointer user_data)
{
  EarUserdataWorker *self = user_data;
  Delivery *delivery = g_new0 (Delivery, 1);

  delivery->link = g_atomic_rc_box_acquire (self->link);
  delivery->handler = self->handler;
  delivery->event = event;
  ear_context_push (self->home, deliver, delivery, delivery_free);
}

/**
 * ear_userdata_worker_notify:
 * @event: (transfer full): what there is to say
 *
 * Tells the owner something.
 */
void
ear_userdata_worker_notify (EarUserdataWorker *self, EarUserdataEvent *event)
{
  send_home (event, self);
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
alarm_new (EarUserdataWorker *self, GSourceFunc func, int priority)
{
  GSource *alarm = g_source_new (&alarm_funcs, sizeof (GSource));

  g_source_set_priority (alarm, priority);
  g_source_set_callback (alarm, func, self, NULL);
  g_source_attach (alarm, ear_thread_get_context (self->thread));

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

/* Sees to it that what is not in its file yet gets there. */
void
ear_userdata_worker_write_later (EarUserdataWorker *self)
{
  guint delay = self->delay;

  if (!ear_userdata_keeper_is_dirty (self->keeper))
    return;
  if (self->failures > 0)
    delay = self->failures > 5 ? RETRY_DELAY_MAX : MIN (RETRY_DELAY << (self->failures - 1), RETRY_DELAY_MAX);
  alarm_set (self->write_alarm, delay);
}

/* Has what is played written as soon as nothing else waits, unless writing fails these days. */
void
ear_userdata_worker_write_now (EarUserdataWorker *self)
{
  if (self->failures == 0)
    alarm_set (self->now_alarm, 0);
}

static void
touched_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer user_data)
{
  EarUserdataWorker *self = user_data;

  if (event == G_FILE_MONITOR_EVENT_DELETED || event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;

  g_hash_table_add (self->touched, g_file_get_basename (file));
  if (other != NULL)
    g_hash_table_add (self->touched, g_file_get_basename (other));
  alarm_set (self->touch_alarm, TOUCH_DELAY);
}

/* Watches the folder; again when it was replaced, or could not be watched before it was made. */
static void
watch (EarUserdataWorker *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->directory);
  g_autoptr (GError) error = NULL;
  EarJsonIdentity identity;

  if (!ear_json_folder_identify (ear_userdata_keeper_get_folder (self->keeper), ".", &identity) ||
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

/* Tries it again later, if need be. One failure is told, not all that follow it. */
void
ear_userdata_worker_take_result (EarUserdataWorker *self, const GError *error)
{
  if (error == NULL)
    {
      self->failures = 0;
      watch (self);
    }
  else if (++self->failures == 1)
    {
      EarUserdataEvent *event = ear_userdata_event_new (EAR_USERDATA_EVENT_FAILED);

      event->error = g_error_copy (error);
      send_home (event, self);
    }
  ear_userdata_worker_write_later (self);
}

static gboolean
write_cb (gpointer user_data)
{
  EarUserdataWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_keeper_write (self->keeper, &error);
  ear_userdata_worker_take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
write_now_cb (gpointer user_data)
{
  EarUserdataWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_keeper_write_now (self->keeper, &error);
  ear_userdata_worker_take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
notice_cb (gpointer user_data)
{
  EarUserdataWorker *self = user_data;
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->touched);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ear_userdata_keeper_notice (self->keeper, name);
  g_hash_table_remove_all (self->touched);
  ear_userdata_worker_write_later (self);

  return G_SOURCE_CONTINUE;
}

static void
start (gpointer user_data)
{
  EarUserdataWorker *self = user_data;

  self->keeper = ear_userdata_keeper_new (self->directory, send_home, self);
  self->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->touch_alarm = alarm_new (self, notice_cb, G_PRIORITY_DEFAULT);
  self->write_alarm = alarm_new (self, write_cb, G_PRIORITY_DEFAULT);
  /* After all messages that wait: of several positions only the last one is written. */
  self->now_alarm = alarm_new (self, write_now_cb, G_PRIORITY_DEFAULT_IDLE);
  watch (self);
  ear_userdata_keeper_start (self->keeper);
  ear_userdata_worker_write_later (self);
}

static void
stop (gpointer user_data)
{
  EarUserdataWorker *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_keeper_settle (self->keeper);
  if (!ear_userdata_keeper_write (self->keeper, &error))
    g_message ("The listened state could not be saved: %s", error->message);
  g_clear_pointer (&self->touch_alarm, alarm_free);
  g_clear_pointer (&self->write_alarm, alarm_free);
  g_clear_pointer (&self->now_alarm, alarm_free);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_pointer (&self->keeper, ear_userdata_keeper_free);
}

static void
take_message (gpointer data)
{
  g_autofree Message *message = data;

  message->run (message->worker, &message->data);
  if (message->destroy != NULL && message->data != NULL)
    message->destroy (message->data);
}

/**
 * ear_userdata_worker_post:
 * @run: does what was asked for, on the thread
 * @data: (transfer full): what for
 * @destroy: (nullable): frees @data
 *
 * Asks the thread for something; what is asked for first is done first.
 */
void
ear_userdata_worker_post (EarUserdataWorker *self, EarUserdataRequest run, gpointer data, GDestroyNotify destroy)
{
  Message *message = g_new0 (Message, 1);

  message->worker = self;
  message->run = run;
  message->data = data;
  message->destroy = destroy;
  ear_thread_push (self->thread, take_message, message);
}

/**
 * ear_userdata_worker_new:
 * @delay: for how long changes are gathered before they are written, in milliseconds
 * @owner: (transfer none): who is told, as long as it lives
 * @handler: tells, in the caller's main context
 *
 * Starts the thread of the files.
 *
 * Returns: (transfer full): the thread, to be ended with ear_userdata_worker_stop()
 */
EarUserdataWorker *
ear_userdata_worker_new (const char *directory, guint delay, GObject *owner, EarUserdataHandler handler)
{
  EarUserdataWorker *self = g_new0 (EarUserdataWorker, 1);

  self->directory = g_strdup (directory);
  self->delay = delay;
  self->home = g_main_context_ref_thread_default ();
  self->link = g_atomic_rc_box_new0 (EarUserdataLink);
  g_weak_ref_init (&self->link->owner, owner);
  self->handler = handler;
  self->thread = ear_thread_new ("state", EAR_WORKER_ANSWERS);
  ear_thread_push (self->thread, start, self);

  return self;
}

/**
 * ear_userdata_worker_stop:
 * @self: (transfer full): the thread
 *
 * Has everything written, waits for that, and ends the thread.
 */
void
ear_userdata_worker_stop (EarUserdataWorker *self)
{
  ear_thread_push (self->thread, stop, self);
  ear_thread_stop (self->thread);
  g_main_context_unref (self->home);
  g_atomic_rc_box_release_full (self->link, link_clear);
  g_free (self->directory);
  g_free (self);
}

