/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store.h"

#include "ear-backup.h"
#include "ear-entry-table.h"
#include "ear-property.h"
#include "ear-thread.h"
#include "ear-userdata-keeper.h"

/* The listener's data, in JSON files that outlive the application: positions, marks, settings
 * and subscriptions.
 *
 * For use on the main thread, which only queues; the store's own thread does all file work.
 * Changes are on the disk within a second, or at once after %EAR_USERDATA_FLUSH. Other programs
 * may change the files at any time: the newest stamp wins, member by member. */
struct _EarUserdataStore
{
  GObject parent_instance;

  /* Owned */
  char *directory;
  guint delay;
  EarMainQueue *messages; /* (nullable): messages from the thread */
  EarThread *thread;      /* (nullable): the thread that does all file work */
  guint n_set;            /* number of subscriptions and records set since the start */

  /* Owned, used on the thread only */
  EarUserdataKeeper *keeper;
  GFileMonitor *monitor;
  EarJsonIdentity monitored;
  GSource *write_source; /* (nullable): writes all changes */
  guint failures;        /* consecutive failures to write */
  gboolean misread;      /* a failure to read was reported, and nothing was read since */
};

G_DEFINE_FINAL_TYPE (EarUserdataStore, ear_userdata_store, G_TYPE_OBJECT)

/* --- The store's thread ------------------------------------------------------------- */

/* The thread handles messages in order, and writes all changes together after a delay. Failed
 * writes are repeated at growing intervals. */

#define RETRY_DELAY 1000      /* ms: after the first failure */
#define RETRY_DELAY_MAX 30000 /* ms */

static void write_later (EarUserdataStore *self);

/* Passes a message on to the main thread; of consecutive failures only the first. */
static void
notify (EarUserdataMessage *message, gpointer user_data)
{
  EarUserdataStore *self = user_data;
  const gboolean is_failure = message->error != NULL && message->task == NULL;

  if (is_failure && (self->misread || self->failures > 0))
    {
      ear_userdata_message_free (message);
      return;
    }
  self->misread = is_failure;
  ear_main_queue_post (self->messages, message);
}

static void
folder_changed_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                   EarUserdataStore *self)
{
  GFile *const files[] = { file, other };

  if (event != G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT && event != G_FILE_MONITOR_EVENT_RENAMED &&
      event != G_FILE_MONITOR_EVENT_MOVED_IN)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (files) && files[i] != NULL; i++)
    {
      g_autofree char *name = g_file_get_basename (files[i]);

      ear_userdata_keeper_notice (self->keeper, name);
    }
  write_later (self);
}

/* Watches the folder; again after it was replaced, or created. */
static void
watch (EarUserdataStore *self)
{
  EarJsonFolder files = { .path = self->directory };
  g_autoptr (GFile) folder = g_file_new_for_path (self->directory);
  g_autoptr (GError) error = NULL;
  EarJsonIdentity identity;

  if (!ear_json_folder_identify (&files, ".", &identity) ||
      (self->monitor != NULL && identity.inode == self->monitored.inode &&
       identity.device == self->monitored.device))
    return;

  g_clear_object (&self->monitor);
  self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, &error);
  if (self->monitor == NULL)
    {
      g_debug ("changes from outside are seen only when writing: %s", error->message);
      return;
    }
  self->monitored = identity;
  g_signal_connect (self->monitor, "changed", G_CALLBACK (folder_changed_cb), self);
}

static void
cancel_write (EarUserdataStore *self)
{
  if (self->write_source != NULL)
    g_source_destroy (self->write_source);
  g_clear_pointer (&self->write_source, g_source_unref);
}

/* Schedules another attempt after a failure. */
static void
handle_result (EarUserdataStore *self, const GError *error)
{
  if (error == NULL)
    {
      /* The next changes do not wait for another attempt. */
      if (self->failures > 0)
        cancel_write (self);
      self->failures = 0;
      self->misread = FALSE;
      watch (self);
    }
  else
    {
      EarUserdataMessage *message = g_new0 (EarUserdataMessage, 1);

      message->error = g_error_copy (error);
      notify (message, self);
      self->failures++;
    }
  write_later (self);
}

static gboolean
write_cb (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->write_source, g_source_unref);
  ear_userdata_keeper_write (self->keeper, &error);
  handle_result (self, error);

  return G_SOURCE_REMOVE;
}

/* Schedules the writing of all changes. A source that is already scheduled keeps its time: a
 * stream of changes delays nothing. */
static void
write_later (EarUserdataStore *self)
{
  guint delay = self->delay;

  if (self->write_source != NULL || !ear_userdata_keeper_is_dirty (self->keeper))
    return;
  if (self->failures > 0)
    delay = MIN (RETRY_DELAY << MIN (self->failures - 1, 5), RETRY_DELAY_MAX);
  self->write_source = g_timeout_source_new (delay);
  g_source_set_callback (self->write_source, write_cb, self, NULL);
  g_source_attach (self->write_source, g_main_context_get_thread_default ());
}

static void
start (gpointer user_data)
{
  EarUserdataStore *self = user_data;

  self->keeper = ear_userdata_keeper_new (self->directory, notify, self);
  watch (self);
  ear_userdata_keeper_start (self->keeper);
  write_later (self);
}

static void
stop (gpointer user_data)
{
  EarUserdataStore *self = user_data;
  EarUserdataMessage last = { 0 };

  ear_userdata_keeper_flush (self->keeper, &last);
  if (last.error != NULL)
    g_message ("The listened state could not be saved: %s", last.error->message);
  g_clear_error (&last.error);

  cancel_write (self);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->keeper, ear_userdata_keeper_free);
}

/* --- Messages to and from the thread ------------------------------------------------- */

static void
run_request (gpointer data)
{
  EarUserdataMessage *message = data;
  EarUserdataStore *self = message->store;

  message->run (self->keeper, message);
  if (message->run == ear_userdata_keeper_flush ||
      (message->run == ear_userdata_keeper_restore && message->error == NULL))
    handle_result (self, message->error);
  /* A task is never released here: it may hold the last reference to the store, which
   * would then wait for the thread on the thread. */
  if (message->task != NULL)
    notify (message, self);
  else
    ear_userdata_message_free (message);
  write_later (self);
}

/* Queues a request for the thread; requests run in order.
 * @request: its arguments, which it owns */
static void
post (EarUserdataStore *self, EarUserdataRequest run, EarUserdataMessage request)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self) && self->thread != NULL);

  request.store = self;
  request.run = run;
  ear_thread_push (self->thread, run_request, g_memdup2 (&request, sizeof request));
}

/* Queues a request that has a reply, for ear_userdata_store_finish(). */
static void
ask (EarUserdataStore *self, EarUserdataRequest run, EarUserdataMessage request,
     GAsyncReadyCallback callback, gpointer user_data)
{
  request.task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (request.task, run);
  post (self, run, request);
}

static char *
dup_records_name (EarRecordKind kind)
{
  return g_strconcat (ear_record_kind_names[kind], ".json", NULL);
}

/* A report from before the last change would undo that change: the store requests another one
 * until no change has come in between. */
static void
report (EarUserdataStore *self, EarUserdataMessage *news)
{
  const gboolean is_new = news->n_set == self->n_set;

  if (news->has_settings)
    g_signal_emit_by_name (self, "settings-changed", news->address, &news->settings);
  if (news->states != NULL && g_hash_table_size (news->states) > 0)
    g_signal_emit_by_name (self, "podcast-changed", news->address, news->states);
  if (news->subscriptions != NULL && is_new)
    g_signal_emit_by_name (self, "subscriptions-changed", news->subscriptions);
  else if (news->subscriptions != NULL)
    post (self, ear_userdata_keeper_load,
          (EarUserdataMessage) { .file = g_strdup (EAR_SUBSCRIPTION_FILE_NAME) });
  if (news->records != NULL && is_new)
    g_signal_emit_by_name (self, "records-changed", news->record_kind, news->records);
  else if (news->records != NULL)
    ear_userdata_store_load_records (self, news->record_kind);
}

/* @data: (transfer full): a message from the store's thread */
static void
message_cb (gpointer data, gpointer user_data)
{
  g_autoptr (EarUserdataStore) self = g_object_ref (user_data);
  g_autoptr (EarUserdataMessage) message = data;
  g_autoptr (GTask) task = g_steal_pointer (&message->task);

  /* The store is closed: ignore the message. */
  if (self->thread == NULL)
    return;

  if (task != NULL && message->error != NULL)
    g_task_return_error (task, g_steal_pointer (&message->error));
  else if (task != NULL)
    g_task_return_pointer (task, g_steal_pointer (&message->result), message->result_free);
  else if (message->error != NULL)
    g_signal_emit_by_name (self, "failed", message->error);
  else if (message->set_aside != NULL)
    g_signal_emit_by_name (self, "damaged", message->set_aside, message->restored);
  else
    report (self, message);
}

/* --- The class ---------------------------------------------------------------------- */

/* Writes all changes, waits for that, and ends the thread. */
static void
ear_userdata_store_release (EarUserdataStore *self)
{
  if (self->thread != NULL)
    {
      ear_thread_push (self->thread, stop, self);
      g_clear_pointer (&self->thread, ear_thread_stop);
      ear_main_queue_drain (self->messages);
      g_clear_pointer (&self->messages, ear_main_queue_free);
    }
}

static void
ear_userdata_store_finalize (GObject *object)
{
  g_free (EAR_USERDATA_STORE (object)->directory);

  G_OBJECT_CLASS (ear_userdata_store_parent_class)->finalize (object);
}

static void
ear_userdata_store_class_init (EarUserdataStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  ear_class_set_release (klass, ear_userdata_store_release);
  object_class->finalize = ear_userdata_store_finalize;

  /* The header documents the arguments. */
  ear_signal_new (klass, "podcast-changed", 2, G_TYPE_STRING, G_TYPE_HASH_TABLE);
  ear_signal_new (klass, "settings-changed", 2, G_TYPE_STRING, G_TYPE_POINTER);
  ear_signal_new (klass, "subscriptions-changed", 1, G_TYPE_PTR_ARRAY);
  ear_signal_new (klass, "records-changed", 2, G_TYPE_INT, G_TYPE_PTR_ARRAY);
  ear_signal_new (klass, "damaged", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  ear_signal_new (klass, "failed", 1, G_TYPE_ERROR);
}

static void
ear_userdata_store_init (EarUserdataStore *self)
{
}

/* @directory: (nullable): folder of the files, created at the first write; %NULL for a store that
 * keeps nothing
 * @delay: milliseconds before changes are written together
 * Returns: (transfer full): a store. Its disposal waits until everything is written. */
EarUserdataStore *
ear_userdata_store_new (const char *directory, guint delay)
{
  EarUserdataStore *self = g_object_new (EAR_TYPE_USERDATA_STORE, NULL);
  g_autoptr (GMainContext) home = g_main_context_ref_thread_default ();

  if (directory == NULL)
    return self;
  self->directory = g_strdup (directory);
  self->delay = delay;
  self->messages = ear_main_queue_new (home, message_cb, self);
  self->thread = ear_thread_new ("state", EAR_WORKER_ANSWERS);
  ear_thread_push (self->thread, start, self);

  return self;
}

/* --- Requests with a reply ----------------------------------------------------------- */

/* Runs one of the requests that the header lists. */
void
ear_userdata_store_ask_async (EarUserdataStore *self, EarUserdataAnswer answer,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  static const EarUserdataRequest requests[] = {
    [EAR_USERDATA_SUBSCRIPTIONS] = ear_userdata_keeper_load_subscriptions,
    [EAR_USERDATA_NOW] = ear_userdata_keeper_load_now,
    [EAR_USERDATA_BACKUPS] = ear_userdata_keeper_list_backups,
    [EAR_USERDATA_FLUSH] = ear_userdata_keeper_flush,
  };

  ask (self, requests[answer], (EarUserdataMessage) { 0 }, callback, user_data);
}

/* Ends any of the asynchronous functions.
 * Returns: (transfer full) (nullable): see #EarUserdataAnswer; the backup made, which after a
 * restore is that of the state before; %NULL on errors */
gpointer
ear_userdata_store_finish (EarUserdataStore *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Subscriptions and records ------------------------------------------------------- */

/* Follows or unfollows a podcast, or stores its title and new feed address. The latter do
 * not count as following it again.
 * @subscription: (transfer full): a subscription or a tombstone; `updated` is the time of
 * following or unfollowing */
void
ear_userdata_store_set_subscription (EarUserdataStore *self, EarSubscription *subscription)
{
  self->n_set++;
  post (self, ear_userdata_keeper_set_subscription,
        (EarUserdataMessage) { .subscription = subscription });
}

/* Loads the records of a kind: `records-changed` reports all of them, and afterwards changes
 * from outside. */
void
ear_userdata_store_load_records (EarUserdataStore *self, EarRecordKind kind)
{
  post (self, ear_userdata_keeper_load, (EarUserdataMessage) { .file = dup_records_name (kind) });
}

/* Stores a record, replacing the one with the same id.
 * @record: (transfer full): a record that the listener has just made, changed or removed */
void
ear_userdata_store_set_record (EarUserdataStore *self, EarRecordKind kind, EarRecord *record)
{
  self->n_set++;
  post (self, ear_userdata_keeper_set_record,
        (EarUserdataMessage) { .file = dup_records_name (kind), .record = record });
}

/* --- Podcasts and episodes ----------------------------------------------------------- */

/* Loads the listener's data on a podcast: `podcast-changed` and `settings-changed` report all
 * of it, if there is any, and afterwards changes from outside. */
void
ear_userdata_store_load_podcast (EarUserdataStore *self, const char *address)
{
  post (self, ear_userdata_keeper_load,
        (EarUserdataMessage) { .address = g_strdup (address) });
}

/* Stores marks. A present stamp wins over the files; an older one only if the files have
 * nothing newer. Without any mark, other names of the episodes are stored, if the files have
 * marks of these: a machine that has only the new name then finds them. */
void
ear_userdata_store_keep (EarUserdataStore *self, EarMarks *marks)
{
  post (self, ear_userdata_keeper_set_marks,
        (EarUserdataMessage) { .marks = ear_marks_ref (marks) });
}

/* Imports marks from another program, unless newer ones are known.
 * @guid: an episode of @podcast, which its feed may not have sent yet
 * @enclosure: (nullable): URL of its media */
void
ear_userdata_store_adopt_episode (EarUserdataStore *self, EarPodcast *podcast, const char *guid,
                                  const char *title, const char *enclosure,
                                  const EarEpisodeState *state)
{
  const EarMarkedEpisode episode = { .guid = guid, .title = title, .enclosure = enclosure };
  EarMarks *marks = ear_marks_new (state, 0);

  ear_marks_add_podcast (marks, ear_podcast_get_address (podcast),
                         ear_podcast_get_feed_address (podcast), ear_podcast_get_title (podcast));
  ear_marks_add (marks, 0, episode);
  post (self, ear_userdata_keeper_set_marks, (EarUserdataMessage) { .marks = marks });
}

/* Stores settings, as ear_userdata_store_keep() stores marks.
 * @settings: settings; only those with a stamp count */
void
ear_userdata_store_set_settings (EarUserdataStore *self, EarPodcast *podcast,
                                 const EarPodcastSettings *settings)
{
  post (self, ear_userdata_keeper_set_settings,
        (EarUserdataMessage) {
            .address = g_strdup (ear_podcast_get_address (podcast)),
            .feed_address = g_strdup (ear_podcast_get_feed_address (podcast)),
            .title = g_strdup (ear_podcast_get_title (podcast)),
            .settings = *settings,
            .done = g_get_real_time (),
        });
}

/* --- The current episode ------------------------------------------------------------- */

/* Stores the current episode and its position; call it every second of playback. Once now.json
 * names a started episode, half a second after the first call, each position is stored at once: a
 * crash loses the last one, a power cut the last five. Before that, as long as now.json cannot be
 * written, the position is only in memory. That of an episode that is not started is stored every
 * five seconds.
 * @started: %FALSE: the position is only the player's, for the next start; the episode's own
 * does not change */
void
ear_userdata_store_set_now (EarUserdataStore *self, EarEpisode *episode, gint64 position,
                            gboolean started)
{
  const EarEpisodeState state = { .position = position,
                                  .position_updated = started ? g_get_real_time () : 0 };

  g_return_if_fail (EAR_IS_EPISODE (episode));

  post (self, ear_userdata_keeper_set_now,
        (EarUserdataMessage) { .marks = ear_episode_make_marks (episode, &state) });
}

/* --- Backups ------------------------------------------------------------------------ */

/* @task_data: a request with the state folder as its file */
static void
back_up_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const EarUserdataMessage *request = task_data;
  GError *error = NULL;
  EarBackup *backup = ear_backup_folder_make (request->file, request->reason, &error);

  if (backup != NULL)
    g_task_return_pointer (task, backup, (GDestroyNotify) ear_backup_unref);
  else
    g_task_return_error (task, error);
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &error);
  if (error == NULL)
    ear_worker_run (g_steal_pointer (&task), back_up_thread, (GDestroyNotify) ear_backup_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Makes a backup that includes all changes so far, see ear_backup_folder_make(). The store's
 * thread does not wait for it: positions are stored every second. */
void
ear_userdata_store_back_up_async (EarUserdataStore *self, EarBackupReason reason,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  EarUserdataMessage *request = g_new0 (EarUserdataMessage, 1);

  request->file = g_strdup (self->directory);
  request->reason = reason;
  g_task_set_source_tag (task, ear_userdata_store_back_up_async);
  g_task_set_task_data (task, request, (GDestroyNotify) ear_userdata_message_free);
  ask (self, ear_userdata_keeper_flush, (EarUserdataMessage) { 0 }, flushed_cb, task);
}

/* Backs up the present state and restores a backup, see ear_userdata_restore().
 * [signal@EarUserdataStore::podcast-changed] and
 * [signal@EarUserdataStore::subscriptions-changed] report the changes. If the present state
 * cannot be backed up, nothing is restored.
 * @exact: whether to unfollow podcasts followed since the backup */
void
ear_userdata_store_restore_async (EarUserdataStore *self, const char *path, gboolean exact,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  ask (self, ear_userdata_keeper_restore,
       (EarUserdataMessage) { .file = g_strdup (path), .exact = exact }, callback, user_data);
}

/* --- For other programs ------------------------------------------------------------- */

/* Any thread may call it.
 * @value: data for other programs, `a{sv}` or several of them (`aa{sv}`); consumed if floating
 * Returns: (transfer full): @value as a JSON file */
GBytes *
ear_userdata_export (GVariant *value)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  g_autoptr (JsonNode) node = json_gvariant_serialize (owned);

  return g_string_free_to_bytes (ear_json_print_node (node));
}

/* Reads records without writing, creating, merging or repairing files. Any thread may call
 * it.
 * Returns: (transfer full) (element-type EarRecord): the records in the file, removed ones
 * too; none if the file is unreadable */
GPtrArray *
ear_userdata_peek_records (const char *path, EarRecordKind kind)
{
  return ear_userdata_keeper_peek_records (path, kind);
}
