/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Opens, starts and closes the library. */

#include "ear-library-private.h"

#include "ear-catalogue-update.h"
#include "ear-durable.h"

#include <errno.h>
#include <glib/gstdio.h>
#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/* Milliseconds until the first check for due copies, and between checks: a short session
 * makes none. */
#define UPKEEP_PAUSE_MS (2 * 60 * 1000)

/* Milliseconds until the first list has its widgets and servers have answered */
#define SETTLED_MS 1500

/* Milliseconds until the rows outside of the view are measured, too */
#define RESTED_MS 6000

static void
set_up_schedule (EarLibrary *self)
{
  g_autoptr (GPowerProfileMonitor) power = g_power_profile_monitor_dup_default ();

  self->schedule = ear_refresh_schedule_new (self->refresher, self->network, power);
  g_object_bind_property (self->settings, "refresh-interval", self->schedule, "interval",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->settings, "refresh-on-metered", self->schedule, "on-metered",
                          G_BINDING_SYNC_CREATE);
}

static void
set_up_downloader (EarLibrary *self)
{
  g_autofree char *usual = g_build_filename (self->data_directory, "downloads", NULL);

  self->downloads_folder = ear_downloads_folder_new (self->settings, self->notices, usual);
  self->downloader = ear_downloader_new (self->catalogue, self->http, self->keyring,
                                         self->refresher, self->network, self->notices,
                                         ear_downloads_folder_get_path (self->downloads_folder),
                                         ear_downloads_folder_get_chosen (self->downloads_folder));
  ear_downloads_folder_set_downloader (self->downloads_folder, self->downloader);
  g_object_bind_property (self->settings, "refresh-on-metered", self->downloader, "on-metered",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->settings, "download-newest", self->downloader, "newest",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->settings, "keep-free", self->downloader, "reserve",
                          G_BINDING_SYNC_CREATE);
}

static void
set_up_documents (EarLibrary *self)
{
  g_autofree char *cache = g_build_filename (self->cache_directory, "documents", NULL);
  g_autofree char *kept = g_build_filename (self->data_directory, "documents", NULL);

  self->documents =
      ear_documents_new (self->catalogue, self->http, self->keyring, self->downloader, cache, kept);
}

static void
set_up_chapters (EarLibrary *self)
{
  g_autoptr (EarChapterFinder) finder = ear_library_create_chapter_finder (self);

  self->skipped_chapters = ear_records_new (self->state, EAR_RECORD_CHAPTER);
  self->chapter_control =
      ear_chapter_control_new (self->player, finder, self->skipped_chapters, self->notices);
}

static void
set_up_listening (EarLibrary *self)
{
  self->listening_records = ear_records_new (self->state, EAR_RECORD_LISTENING);
  self->listening = ear_listening_new (self->listening_records, self->settings);
  self->listening_meter = ear_listening_meter_new (self->player, self->listening);
}

/* Creates the parts, each with the others that it needs. */
static void
make_parts (EarLibrary *self)
{
  self->queue = ear_queue_new (self->catalogue, self->player, self->history);
  self->lists = ear_lists_new (self->catalogue, self->state, self->notices);
  ear_play_order_open (self->order, self->catalogue, ear_queue_get_list (self->queue));
  self->logins = ear_logins_new (self->keyring, self->player, self->refresher, self->downloader,
                                 self->notices);
  self->playback_controller = ear_playback_controller_new (
      self->player, self->order, self->history, self->catalogue, self->state, self->settings,
      self->downloader, self->logins, self->chapter_control, self->lists, self->skip_ends,
      self->notices, self->refresher, self->http);
  self->bookmarks = ear_bookmarks_new (self->state, self->player, self->chapter_control,
                                       self->documents, self->notices);
  self->link_collector = ear_link_collector_new (self->catalogue);
  self->reading_list = ear_reading_list_new (self->state, self->notices);
  self->sleep_timer =
      ear_sleep_timer_new (self->player, self->playback_controller, self->chapter_control);
  self->subscriptions =
      ear_subscriptions_new (self->catalogue, self->keyring, self->state, self->refresher,
                             self->http, self->settings, self->notices);
  ear_playback_settings_set_subscriptions (self->playback_settings, self->subscriptions);
  self->importer = ear_importer_new (self->subscriptions, self->refresher, self->http,
                                     self->catalogue, self->state, self->notices);
  self->auto_downloads = ear_auto_downloads_new (self->catalogue, self->downloader, self->player,
                                                 self->lists, self->settings);
  self->cleaner =
      ear_download_cleaner_new (self->catalogue, self->downloader, self->player, self->lists);
  g_object_bind_property (self->settings, "remove-after", self->cleaner, "days",
                          G_BINDING_SYNC_CREATE);
  self->arrivals = ear_arrivals_new (self->catalogue, self->refresher);
  self->merger = ear_podcast_merger_new (self->catalogue, self->state, self->refresher,
                                         self->subscriptions, self->downloader, self->bookmarks,
                                         self->lists, self->history, self->player, self->notices);
  self->backups = ear_backups_new (self->state, self->history, self->notices);
  ear_library_follow_files (self);
}

typedef struct
{
  char *path;
  GMainContext *context;
  EarCatalogue *catalogue;
  GError *error;
} Reading;

static gpointer
read_catalogue (gpointer data)
{
  Reading *reading = data;

  reading->catalogue = ear_catalogue_read (reading->path, reading->context, &reading->error);

  return reading;
}

static EarCatalogue *
end_reading (EarLibrary *self, GError **error)
{
  g_autofree Reading *reading = g_thread_join (g_steal_pointer (&self->reading));

  g_free (reading->path);
  g_main_context_unref (reading->context);
  if (reading->catalogue == NULL)
    g_propagate_error (error, reading->error);

  return reading->catalogue;
}

static EarCatalogue *
open_catalogue (EarLibrary *self, const char *path, GError **error)
{
  EarCatalogue *catalogue;

  if (self->reading == NULL)
    return ear_catalogue_open (path, error);

  catalogue = end_reading (self, error);
  if (catalogue != NULL)
    ear_catalogue_begin (catalogue);

  return catalogue;
}

/* Drops a catalogue that was opened ahead and is not needed. */
void
ear_library_forget_ahead (EarLibrary *self)
{
  if (self->reading != NULL)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarCatalogue) catalogue = end_reading (self, &error);
    }
}

/* Starts to open the catalogue on a thread, for [method@EarLibrary.open], which must be
 * called soon. Does nothing if there is no catalogue, or if it must be updated from an
 * earlier version first.
 * @self: a library that is not open */
void
ear_library_open_ahead (EarLibrary *self)
{
  g_autofree char *path = NULL;
  Reading *reading;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->catalogue == NULL && self->reading == NULL);

  path = g_build_filename (self->data_directory, "catalogue.db", NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || ear_catalogue_needs_update (path))
    return;

  reading = g_new0 (Reading, 1);
  reading->path = g_steal_pointer (&path);
  reading->context = g_main_context_ref_thread_default ();
  self->reading = g_thread_new ("catalogue-open", read_catalogue, reading);
}

static gboolean
make_data_directory (EarLibrary *self, GError **error)
{
  if (g_mkdir_with_parents (self->data_directory, 0700) == 0)
    return TRUE;
  ear_durable_set_error (error, errno, self->data_directory);

  return FALSE;
}

/* Locks the library against other processes that ask for the lock, until it is closed.
 * Opening the library takes the lock if possible, and works without it: there is only one
 * Earmark on a session bus, and files used by two processes are safe, if slow. A process
 * without the bus must ask for the lock first.
 * @self: a library that is not open
 * @error: return location for an `EAR_ERROR_BUSY` if another process has the library open
 * Returns: whether no other process has the library open */
gboolean
ear_library_lock (EarLibrary *self, GError **error)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  if (self->lock >= 0)
    return TRUE;
  if (!make_data_directory (self, error))
    return FALSE;
  path = g_build_filename (self->data_directory, "lock", NULL);
  self->lock = ear_durable_try_lock (path, error);

  return self->lock >= 0;
}

/* Opens the catalogue, so that lists have rows at once. Fast; fetches nothing.
 * Returns: %FALSE if the data directory is unusable */
gboolean
ear_library_open (EarLibrary *self, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *state_directory = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  if (!make_data_directory (self, error))
    return FALSE;
  ear_library_lock (self, NULL);
  path = g_build_filename (self->data_directory, "catalogue.db", NULL);
  state_directory = g_build_filename (self->data_directory, "state", NULL);
  self->catalogue = open_catalogue (self, path, error);
  if (self->catalogue == NULL)
    return FALSE;

  self->podcasts = g_object_ref (ear_catalogue_get_podcasts (self->catalogue));
  self->state = ear_userdata_store_new (state_directory);
  self->refresher = ear_refresher_new (self->catalogue, self->http, self->keyring);
  set_up_schedule (self);
  ear_history_open (self->history, self->catalogue, self->state);
  set_up_downloader (self);
  set_up_documents (self);
  self->upkeep = ear_upkeep_new (self->catalogue, self->state, self->player, self->refresher);
  set_up_chapters (self);
  set_up_listening (self);
  make_parts (self);
  ear_library_follow_parts (self);
  ear_library_notify_parts (self);

  return TRUE;
}

/* In the background, startup causes no checks before they are due.
 * @self: a library that is not started
 * @unattended: whether it starts in the background */
void
ear_library_set_unattended (EarLibrary *self, gboolean unattended)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  self->unattended = unattended;
}

/* Returns memory of startup to the system: many small freed blocks between those in use,
 * which the C library would keep. Some 3 MB, in half a millisecond. */
static void
give_back_small_pieces (void)
{
#ifdef HAVE_MALLOC_TRIM
  malloc_trim (0);
#endif
}

static gboolean
rested_cb (gpointer user_data)
{
  EarLibrary *self = user_data;

  ear_library_save_memory (self);
  self->settling = 0;

  return G_SOURCE_REMOVE;
}

/* Waits for running refreshes, which use memory and keep the main loop busy. */
static gboolean
settled_cb (gpointer user_data)
{
  EarLibrary *self = user_data;

  if (ear_refresher_get_refreshing (self->refresher))
    return G_SOURCE_CONTINUE;
  ear_catalogue_save_memory (self->catalogue);
  give_back_small_pieces ();
  self->settling = g_timeout_add_full (G_PRIORITY_LOW, RESTED_MS, rested_cb, self, NULL);

  return G_SOURCE_REMOVE;
}

/* Starts the slow work after the first frame: loads the listener's data, refreshes feeds,
 * and opens the last episode in the player.
 * @welcome: (nullable): an OPML file to follow at the very first start */
void
ear_library_start (EarLibrary *self, GFile *welcome)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->subscriptions != NULL);

  ear_subscriptions_start (self->subscriptions, welcome);
  ear_catalogue_look_through (self->catalogue);
  ear_upkeep_start (self->upkeep, UPKEEP_PAUSE_MS);
  if (self->settling == 0)
    self->settling = g_timeout_add_full (G_PRIORITY_LOW, SETTLED_MS, settled_cb, self, NULL);
}

/* Starts like [method@EarLibrary.start], but for one command without a listener: nothing
 * is opened in the player, fetched automatically, copied or checked. */
void
ear_library_start_headless (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->subscriptions != NULL);

  self->errand = TRUE;
  ear_subscriptions_start (self->subscriptions, NULL);
}

/* Frees caches, as there is no window any more or memory is low. */
void
ear_library_save_memory (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  ear_cover_cache_save_memory (self->covers);
  if (self->catalogue != NULL)
    ear_catalogue_save_memory (self->catalogue);
  give_back_small_pieces ();
}

/* Data of writes in parallel, on threads that do not wait for each other: a disk that is
 * slow with a download must not delay other writes until the program is killed. */
typedef struct
{
  guint n_left;
  GError *error; /* (nullable) */
} Closing;

static void
closing_free (gpointer data)
{
  Closing *closing = data;

  g_clear_error (&closing->error);
  g_free (closing);
}

/* @task: (transfer full): the task of closing */
static void
end_part (GTask *task, GError *error)
{
  g_autoptr (GTask) held = task;
  Closing *closing = g_task_get_task_data (task);

  if (closing->error == NULL)
    closing->error = error;
  else
    g_clear_error (&error);
  if (--closing->n_left > 0)
    return;
  if (closing->error != NULL)
    g_task_return_error (task, g_steal_pointer (&closing->error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
catalogue_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarLibrary *self = g_task_get_source_object (user_data);
  GError *error = NULL;

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, &error);
  ear_catalogue_close (EAR_CATALOGUE (source));
  g_clear_fd (&self->lock, NULL);
  end_part (user_data, error);
}

static void
settings_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *self = g_task_get_source_object (task);

  if (self->catalogue == NULL)
    end_part (g_steal_pointer (&task), NULL);
  else
    ear_catalogue_flush_async (self->catalogue, NULL, catalogue_flushed_cb,
                               g_steal_pointer (&task));
}

static void
state_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *self = g_task_get_source_object (task);
  Closing *closing = g_task_get_task_data (task);

  ear_userdata_store_flush_finish (EAR_USERDATA_STORE (source), result, &closing->error);
  ear_settings_flush_async (self->settings, settings_flushed_cb, g_steal_pointer (&task));
}

static void
downloader_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_downloader_stop_finish (EAR_DOWNLOADER (source), result);
  end_part (user_data, NULL);
}

/* Stops playback and requests, stores the position, and writes all pending data. The
 * library cannot be used afterwards.
 * @callback: called when everything is on the disk */
void
ear_library_close_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Closing *closing;

  g_return_if_fail (EAR_IS_LIBRARY (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_library_close_async);
  closing = g_new0 (Closing, 1);
  closing->n_left = 1;
  g_task_set_task_data (task, closing, closing_free);
  if (self->catalogue == NULL)
    {
      ear_settings_flush_async (self->settings, settings_flushed_cb, task);
      return;
    }
  /* Starts writing the settings while the rest is being stopped. */
  ear_playback_settings_flush (self->playback_settings);
  ear_settings_apply (self->settings);

  g_clear_object (&self->schedule);
  ear_subscriptions_stop (self->subscriptions);
  ear_refresher_cancel (self->refresher, NULL);
  ear_playback_controller_stop (self->playback_controller);
  ear_history_close (self->history);
  ear_listening_meter_keep (self->listening_meter);
  if (self->upkeep != NULL)
    ear_upkeep_stop (self->upkeep);
  g_clear_object (&self->upkeep);
  ear_player_stop (self->player);
  ear_documents_stop (self->documents);
  ear_auto_downloads_stop (self->auto_downloads);
  ear_download_cleaner_stop (self->cleaner);
  ear_downloads_folder_stop (self->downloads_folder);
  closing->n_left = 2;
  ear_downloader_stop_async (self->downloader, downloader_stopped_cb, g_object_ref (task));
  ear_userdata_store_flush_async (self->state, NULL, state_flushed_cb, task);
}

gboolean
ear_library_close_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
