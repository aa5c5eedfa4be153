/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store-private.h"

/* The store's thread. The thread handles messages in order, and decides when to write: the
 * current position at once, everything else together after a delay. Failed writes are
 * repeated at growing intervals. */

#define TOUCH_DELAY 100       /* ms: changes come in groups */
#define RETRY_DELAY 1000      /* ms: after the first failure */
#define RETRY_DELAY_MAX 30000 /* ms */

typedef struct
{
  EarUserdataStore *store;
  EarUserdataRequest run;
  gpointer data;
  GDestroyNotify destroy; /* (nullable) */
  EarUserdataEvent *reply; /* (nullable): returned afterwards; also the data */
} Message;

static void
tell (EarUserdataEvent *event, gpointer user_data)
{
  ear_main_queue_post (((EarUserdataStore *) user_data)->told, event);
}

/* An alarm is a permanent source that fires once after it was set. */
static gboolean
alarm_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);

  return callback (user_data);
}

static GSourceFuncs alarm_funcs = { .dispatch = alarm_dispatch };

static GSource *
alarm_new (EarUserdataStore *self, GSourceFunc func, int priority)
{
  GSource *alarm = g_source_new (&alarm_funcs, sizeof (GSource));

  g_source_set_priority (alarm, priority);
  g_source_set_callback (alarm, func, self, NULL);
  g_source_attach (alarm, g_main_context_get_thread_default ());

  return alarm;
}

static void
alarm_free (GSource *alarm)
{
  g_source_destroy (alarm);
  g_source_unref (alarm);
}

/* An alarm that is already set keeps its time: a stream of changes delays nothing. */
static void
alarm_set (GSource *alarm, guint delay)
{
  if (g_source_get_ready_time (alarm) == -1)
    g_source_set_ready_time (alarm, g_get_monotonic_time () + delay * G_TIME_SPAN_MILLISECOND);
}

/* Schedules the writing of all changes: of the current position as soon as no message
 * waits, unless writing fails at present. */
static void
write_later (EarUserdataStore *self)
{
  guint delay = self->delay;

  if (self->failures == 0 && ear_userdata_keeper_is_now_dirty (self->keeper))
    alarm_set (self->now_alarm, 0);
  if (!ear_userdata_keeper_is_dirty (self->keeper))
    return;
  if (self->failures > 0)
    delay = self->failures > 5 ? RETRY_DELAY_MAX : MIN (RETRY_DELAY << (self->failures - 1), RETRY_DELAY_MAX);
  alarm_set (self->write_alarm, delay);
}

static void
touched_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer user_data)
{
  EarUserdataStore *self = user_data;

  if (event == G_FILE_MONITOR_EVENT_DELETED || event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    return;

  g_hash_table_add (self->touched, g_file_get_basename (file));
  if (other != NULL)
    g_hash_table_add (self->touched, g_file_get_basename (other));
  alarm_set (self->touch_alarm, TOUCH_DELAY);
}

/* Watches the folder; again after it was replaced, or created. */
static void
watch (EarUserdataStore *self)
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

/* Schedules another attempt after a failure. Only the first of consecutive
 * failures is reported. */
static void
take_result (EarUserdataStore *self, const GError *error)
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
      tell (event, self);
    }
  write_later (self);
}

static gboolean
write_cb (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_keeper_write (self->keeper, &error);
  take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
write_now_cb (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_keeper_write_now (self->keeper, &error);
  take_result (self, error);

  return G_SOURCE_CONTINUE;
}

static gboolean
notice_cb (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->touched);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ear_userdata_keeper_notice (self->keeper, name);
  g_hash_table_remove_all (self->touched);
  write_later (self);

  return G_SOURCE_CONTINUE;
}

static void
start (gpointer user_data)
{
  EarUserdataStore *self = user_data;

  self->keeper = ear_userdata_keeper_new (self->directory, tell, self);
  self->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->touch_alarm = alarm_new (self, notice_cb, G_PRIORITY_DEFAULT);
  self->write_alarm = alarm_new (self, write_cb, G_PRIORITY_DEFAULT);
  /* After all waiting messages: of several positions, only the last one is written. */
  self->now_alarm = alarm_new (self, write_now_cb, G_PRIORITY_DEFAULT_IDLE);
  watch (self);
  ear_userdata_keeper_start (self->keeper);
  write_later (self);
}

static void
stop (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  EarUserdataEvent last = { 0 };

  ear_userdata_keeper_flush (self->keeper, &last);
  if (last.error != NULL)
    g_message ("The listened state could not be saved: %s", last.error->message);
  g_clear_error (&last.error);
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
  EarUserdataStore *self = message->store;
  EarUserdataEvent *reply = message->reply;

  message->run (self->keeper, reply != NULL ? reply : message->data);
  if (message->destroy != NULL)
    message->destroy (message->data);
  if (reply != NULL && reply->written)
    take_result (self, reply->error);
  if (reply != NULL)
    tell (reply, self);
  write_later (self);
}

static void
push (EarUserdataStore *self, Message message)
{
  g_return_if_fail (self->thread != NULL);

  message.store = self;
  ear_thread_push (self->thread, take_message, g_memdup2 (&message, sizeof message));
}

/* Queues a request for the thread; requests run in order.
 * @run: runs the request, on the thread
 * @data: (transfer full): data of @run
 * @destroy: (nullable): frees @data */
void
ear_userdata_store_post (EarUserdataStore *self, EarUserdataRequest run, gpointer data, GDestroyNotify destroy)
{
  push (self, (Message) { .run = run, .data = data, .destroy = destroy });
}

/* Queues a request that has a reply. The task goes through the thread and back, and is
 * never released there: it may hold the last reference to the store, which would then
 * wait for the thread on the thread.
 * @run: runs the request on the thread, and puts the result into the reply
 * @reply: (transfer full) (nullable): the request; gets the result, for the function that
 * finishes the task */
void
ear_userdata_store_ask (EarUserdataStore *self, EarUserdataRequest run, EarUserdataEvent *reply, GCancellable *cancellable,
                        gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  if (reply == NULL)
    reply = ear_userdata_event_new (EAR_USERDATA_EVENT_REPLY);
  reply->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (reply->task, tag);
  push (self, (Message) { .run = run, .reply = reply });
}

void
ear_userdata_store_start_thread (EarUserdataStore *self)
{
  g_autoptr (GMainContext) home = g_main_context_ref_thread_default ();

  self->told = ear_main_queue_new (home, ear_userdata_store_take_event, self);
  self->thread = ear_thread_new ("state", EAR_WORKER_ANSWERS);
  ear_thread_push (self->thread, start, self);
}

/* Writes all changes, waits for that, and ends the thread. */
void
ear_userdata_store_stop_thread (EarUserdataStore *self)
{
  if (self->thread == NULL)
    return;
  ear_thread_push (self->thread, stop, self);
  g_clear_pointer (&self->thread, ear_thread_stop);
  ear_main_queue_drain (self->told);
  g_clear_pointer (&self->told, ear_main_queue_free);
}
