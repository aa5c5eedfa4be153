/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-country.h"
#include "ear-directory.h"
#include "ear-durable.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-show-notes.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

#define USER_AGENT "Earmark/" EAR_VERSION " (+https://earmark-app.github.io)"

/* Creates and connects the parts that fetch, store and play podcasts. See the header for
 * its properties. */
G_DEFINE_FINAL_TYPE (EarLibrary, ear_library, G_TYPE_OBJECT)

static void
ear_library_release (EarLibrary *self)
{
  g_clear_handle_id (&self->complete_source, g_source_remove);
  g_clear_handle_id (&self->settle_source, g_source_remove);
  /* A catalogue that was opened ahead is not needed. */
  if (self->reading != NULL)
    self->catalogue = g_thread_join (g_steal_pointer (&self->reading));
  if (self->backups != NULL)
    ear_backups_stop (self->backups);
  g_clear_object (&self->merger);
  g_clear_object (&self->auto_downloads);
  /* Stop requests while the writer that they wait for still exists. */
  if (self->http != NULL)
    ear_http_stop (self->http);
  g_clear_pointer (&self->directories, g_ptr_array_unref);
  ear_services_clear (&self->services);
  g_clear_fd (&self->lock, NULL);
  g_clear_object (&self->memory);
  g_clear_pointer (&self->data_directory, g_free);
}

static void
ear_library_class_init (EarLibraryClass *klass)
{
#define PROPERTY(Class, name, get_type) EAR_READABLE (EarLibrary, name, get_type ()),
  const EarProperty properties[] = { EAR_SERVICES (PROPERTY) };
#undef PROPERTY

  ear_class_set_release (klass, ear_library_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_library_init (EarLibrary *self)
{
  self->lock = -1;
}

/* @data_directory: the folder of `state/` and `catalogue.db`
 * @cache_directory: the folder of covers */
EarLibrary *
ear_library_new (const char *data_directory, const char *cache_directory)
{
  EarLibrary *self = g_object_new (EAR_TYPE_LIBRARY, NULL);
  g_autofree char *covers_directory = g_build_filename (cache_directory, "covers", NULL);

  self->data_directory = g_strdup (data_directory);
  self->settings = ear_settings_new ();
  self->notices = ear_notices_new ();
  self->http = ear_http_new (USER_AGENT);
  self->covers = ear_cover_cache_new (self->http, covers_directory);
  self->player = ear_player_new (USER_AGENT);
  self->keyring = ear_keyring_new ();
  ear_http_set_keyring (self->http, self->keyring);
  self->network = g_object_ref (g_network_monitor_get_default ());
  self->memory = g_memory_monitor_dup_default ();

  g_object_bind_property (self->settings, "volume", self->player, "volume",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  ear_connect (self->memory, "low-memory-warning", ear_library_save_memory, self);

  return self;
}

EAR_DEFINE_GET (EarLibrary, ear_library, const char *, data_directory)

#define DEFINE_GET(Class, name, get_type)                                                          \
  Class *ear_library_get_##name (EarLibrary *self)                                                 \
  {                                                                                                \
    g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);                                            \
                                                                                                   \
    return self->name;                                                                             \
  }
EAR_SERVICES (DEFINE_GET)
#undef DEFINE_GET

/* The directories, and the environment variables that name another URL: a mirror, or a
 * stand-in. */
static const struct
{
  const EarDirectoryService *service;
  const char *variable;
} directories[] = {
  { &ear_directory_itunes, "EARMARK_ITUNES" },
  { &ear_directory_fyyd, "EARMARK_FYYD" },
};

static void
country_changed_cb (EarLibrary *self)
{
  g_autofree char *chosen = ear_settings_dup_string (self->settings, "country");

  for (guint i = 0; i < self->directories->len; i++)
    ear_directory_set_country (self->directories->pdata[i], ear_country_find (chosen));
}

/* Returns: (transfer full): a new discovery, which knows the followed podcasts. All share one
 *   object per service, as it limits the rate of requests. */
EarDiscovery *
ear_library_create_discovery (EarLibrary *self)
{
  if (self->directories == NULL)
    {
      self->directories = g_ptr_array_new_with_free_func (g_object_unref);
      for (gsize i = 0; i < G_N_ELEMENTS (directories); i++)
        g_ptr_array_add (self->directories, ear_directory_new (self->http, directories[i].service,
                                                               g_getenv (directories[i].variable)));
      ear_connect (self->settings, "notify::country", country_changed_cb, self);
      country_changed_cb (self);
    }

  return ear_discovery_new (&self->services, self->directories);
}

/* Returns: (transfer full): a new object with the progress in a series */
EarSeries *
ear_library_create_series (EarLibrary *self)
{
  return ear_series_new (&self->services);
}

EarChapterFinder *
ear_library_create_chapter_finder (EarLibrary *self)
{
  return ear_chapter_finder_new (&self->services);
}

/* Reports problems with files to the listener: damage and full disks. */

static void
complete_files_cb (gpointer user_data)
{
  EarLibrary *self = user_data;

  self->complete_source = 0;
  ear_history_complete_files (self->history);
}

/* Completes all files at once, as there is one per podcast, and a crash may damage many. */
static void
state_damaged_cb (EarLibrary *self, const char *set_aside, gboolean restored)
{
  g_autofree char *name = g_path_get_basename (set_aside);

  ear_notices_add (
      self->notices, TRUE,
      restored
          /* Translators: %s is the name of a file. */
          ? _("A file with your listening history was damaged. It was restored as far as possible. "
              "The damaged file was kept as “%s”.")
          /* Translators: %s is the name of a file. */
          : _("A file with your listening history was damaged. It was kept as “%s”."),
      name);
  if (self->complete_source == 0)
    self->complete_source = g_idle_add_once (complete_files_cb, self);
}

static void
state_failed_cb (EarLibrary *self, const GError *error)
{
  ear_notices_add (self->notices, TRUE, _("Your changes could not be saved. Is the disk full?"));
}

static void
catalogue_failed_cb (EarLibrary *self, const GError *error, gboolean episodes)
{
  if (!episodes || !g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE) ||
      self->no_space_reported)
    return;
  self->no_space_reported = TRUE;
  ear_notices_add (self->notices, FALSE, _("New episodes could not be saved. Is the disk full?"));
}

static void
catalogue_damaged_cb (EarLibrary *self, const char *set_aside)
{
  ear_notices_add (
      self->notices, TRUE,
      ear_catalogue_is_restored (self->catalogue)
          ? _("The list of episodes was damaged and replaced by an earlier copy. Your "
               "listening history is safe.")
          : _("The list of episodes was damaged and is being fetched again. Your "
               "listening history is safe."));
}

/* Passes events from one part of the library to others. */

static void
started_cb (EarLibrary *self)
{
  if (self->headless)
    {
      ear_sync_start (self->sync);
      return;
    }

  ear_downloader_start (self->downloader);
  /* In this order: the stored state is merged before anything new is written. */
  ear_playback_controller_restore (self->playback_controller);
  ear_subscriptions_load_states (self->subscriptions);
  ear_sync_start (self->sync);
  ear_refresher_start (self->refresher, !self->in_background);
}

static void
followed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* An import shows its own progress. */
  const gboolean counted = ear_importer_get_finished (self->importer);

  ear_downloader_apply (self->downloader, podcast);
  ear_refresher_refresh (self->refresher, podcast,
                         counted ? EAR_REFRESH_ONE : EAR_REFRESH_SCHEDULED);
}

static void
unfollowed_cb (EarLibrary *self, EarPodcast *podcast)
{
  ear_refresher_cancel (self->refresher, podcast);
  ear_downloader_apply (self->downloader, podcast);
  ear_playback_controller_leave (self->playback_controller, podcast);
}

/* Removes the login and the downloads of a podcast whose unfollowing cannot be undone any
 * more. */
static void
forgotten_cb (EarLibrary *self, const char *address)
{
  if (ear_catalogue_find_known (self->catalogue, address) == NULL)
    ear_keyring_forget (self->keyring, address);
  ear_downloader_forget (self->downloader, address);
}

static void
state_changed_cb (EarLibrary *self, const char *address, GHashTable *states)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL)
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

/* Adds new episodes to Up Next if the podcast or the defaults ask for it. */
static void
arrived_cb (EarLibrary *self, EarPodcast *podcast, GPtrArray *episodes)
{
  if (ear_settings_get_for (self->settings, podcast, EAR_PODCAST_SETTING_QUEUE_NEW))
    ear_queue_add_new (self->queue, episodes);
}

/* Starts to pass events between the parts, and to report problems. */
static void
connect_parts (EarLibrary *self)
{
  ear_connect (self->catalogue, "damaged", catalogue_damaged_cb, self);
  ear_connect (self->catalogue, "failed", catalogue_failed_cb, self);
  ear_connect (self->catalogue, "episodes-renamed", ear_userdata_store_keep, self->state);
  ear_connect (self->catalogue, "podcast-forgotten", forgotten_cb, self);
  ear_connect (self->refresher, "episodes-arrived", arrived_cb, self);
  ear_connect (self->state, "damaged", state_damaged_cb, self);
  ear_connect (self->state, "failed", state_failed_cb, self);
  ear_connect (self->state, "podcast-changed", state_changed_cb, self);
  ear_connect (self->subscriptions, "followed", followed_cb, self);
  ear_connect (self->subscriptions, "unfollowed", unfollowed_cb, self);
  ear_connect (self->subscriptions, "returned", ear_playback_controller_return,
               self->playback_controller);
  /* Requests made by other handlers of `started` come before those of the library. */
  g_signal_connect_object (self->subscriptions, "started", G_CALLBACK (started_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/* Opens, starts and closes the library. */

/* Milliseconds until the first check for due copies, and between checks: a short session
 * makes none. */
#define BACKUPS_PAUSE_MS (2 * 60 * 1000)

/* Milliseconds until the first list has its widgets and servers have answered */
#define SETTLED_MS 3000

/* Creates the parts, each with the others that it needs. */
static void
create_parts (EarLibrary *self)
{
  const EarServices *services = &self->services;
  g_autofree char *state_directory = g_build_filename (self->data_directory, "state", NULL);
  g_autofree char *documents = g_build_filename (self->data_directory, "documents", NULL);
  g_autofree char *downloads = g_build_filename (self->data_directory, "downloads", NULL);
  g_autofree char *sync = g_build_filename (self->data_directory, "sync.ini", NULL);
  g_autoptr (GPowerProfileMonitor) power = g_power_profile_monitor_dup_default ();

  self->state = ear_userdata_store_new (state_directory, EAR_USERDATA_DELAY);
  self->history = ear_history_new (services);
  self->refresher = ear_refresher_new (services, power);
  self->downloader = ear_downloader_new (services, downloads);
  self->documents = ear_documents_new (services, documents);
  self->chapter_control = ear_chapter_control_new (services);
  self->listening = ear_listening_new (services);
  self->queue = ear_queue_new (services);
  self->order = ear_play_order_new (ear_queue_get_list (services->queue));
  self->lists = ear_lists_new (services);
  self->logins = ear_logins_new (services);
  self->playback_controller = ear_playback_controller_new (services);
  self->bookmarks = ear_bookmarks_new (services);
  self->reading_list = ear_reading_list_new (services);
  self->sleep_timer = ear_sleep_timer_new (services);
  self->subscriptions = ear_subscriptions_new (services);
  self->playback_settings = ear_playback_settings_new (services);
  self->importer = ear_importer_new (services);
  self->auto_downloads = ear_auto_downloads_new (services);
  self->merger = ear_podcast_merger_new (services);
  self->backups = ear_backups_new (services);
  self->sync = ear_sync_new (services, sync);
}

static gpointer
read_catalogue (gpointer data)
{
  g_autofree char *path = data;

  return ear_catalogue_read (path, g_main_context_default (), NULL);
}

/* Starts to open the catalogue on a thread, for [method@EarLibrary.open], which must be
 * called soon. Does nothing if there is no catalogue. */
void
ear_library_open_ahead (EarLibrary *self)
{
  g_autofree char *path = NULL;

  g_return_if_fail (self->catalogue == NULL && self->reading == NULL);

  path = g_build_filename (self->data_directory, "catalogue.db", NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    self->reading = g_thread_new ("catalogue-open", read_catalogue, g_steal_pointer (&path));
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
 * Returns: whether no other process has the library open */
gboolean
ear_library_lock (EarLibrary *self, GError **error)
{
  g_autofree char *path = NULL;

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

  if (!make_data_directory (self, error))
    return FALSE;
  ear_library_lock (self, NULL);
  path = g_build_filename (self->data_directory, "catalogue.db", NULL);
  if (self->reading != NULL)
    self->catalogue = g_thread_join (g_steal_pointer (&self->reading));
  /* A second attempt returns the error that the thread had. */
  if (self->catalogue == NULL)
    self->catalogue = ear_catalogue_read (path, g_main_context_default (), error);
  if (self->catalogue == NULL)
    return FALSE;

  ear_catalogue_set_notes_funcs (self->catalogue, ear_show_notes_to_text,
                                 ear_show_notes_list_links);
  ear_catalogue_begin (self->catalogue);
  self->podcasts = g_object_ref (ear_catalogue_get_podcasts (self->catalogue));
  create_parts (self);
  connect_parts (self);

  return TRUE;
}

/* Waits for running refreshes, which use memory and keep the main loop busy. */
static gboolean
settled_cb (gpointer user_data)
{
  EarLibrary *self = user_data;

  if (ear_refresher_get_refreshing (self->refresher))
    return G_SOURCE_CONTINUE;
  ear_library_save_memory (self);
  self->settle_source = 0;

  return G_SOURCE_REMOVE;
}

/* Starts the slow work after the first frame: loads the listener's data, refreshes feeds,
 * and opens the last episode in the player.
 * @welcome: (nullable): an OPML file to follow at the very first start
 * @in_background: whether podcasts are not checked before they are due */
void
ear_library_start (EarLibrary *self, GFile *welcome, gboolean in_background)
{
  g_return_if_fail (self->subscriptions != NULL);

  self->in_background = in_background;
  ear_subscriptions_start (self->subscriptions, welcome);
  ear_catalogue_check_integrity (self->catalogue);
  ear_backups_start (self->backups, BACKUPS_PAUSE_MS);
  if (self->settle_source == 0)
    self->settle_source = g_timeout_add_full (G_PRIORITY_LOW, SETTLED_MS, settled_cb, self, NULL);
}

/* Starts like [method@EarLibrary.start], but for one command without a listener: nothing
 * is opened in the player, fetched automatically, copied or checked. */
void
ear_library_start_headless (EarLibrary *self)
{
  g_return_if_fail (self->subscriptions != NULL);

  self->headless = TRUE;
  ear_subscriptions_start (self->subscriptions, NULL);
}

/* Frees caches, as there is no window any more or memory is low. */
void
ear_library_save_memory (EarLibrary *self)
{
  ear_cover_cache_save_memory (self->covers);
  if (self->catalogue != NULL)
    ear_catalogue_save_memory (self->catalogue);
#ifdef HAVE_MALLOC_TRIM
  /* Returns memory of startup to the system: many small freed blocks between those in use,
   * which the C library would keep. Some 3 MB, in half a millisecond. */
  malloc_trim (0);
#endif
}

/* The downloads end beside the other writes: a disk that is slow with a download must not
 * delay those until the program is killed. */
static void
part_ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLibrary *self = g_task_get_source_object (task);

  if (--self->n_closing > 0)
    return;
  if (self->closing_error != NULL)
    g_task_return_error (task, g_steal_pointer (&self->closing_error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
catalogue_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarLibrary *self = g_task_get_source_object (user_data);

  ear_catalogue_write_finish (EAR_CATALOGUE (source), result,
                              self->closing_error == NULL ? &self->closing_error : NULL);
  ear_catalogue_close (EAR_CATALOGUE (source));
  g_clear_fd (&self->lock, NULL);
  part_ended_cb (source, result, user_data);
}

static void
state_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarLibrary *self = g_task_get_source_object (user_data);

  ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, &self->closing_error);
  ear_catalogue_flush_async (self->catalogue, NULL, catalogue_flushed_cb, user_data);
}

/* Stops playback and requests, stores the position, and writes all pending data. The
 * library cannot be used afterwards. */
void
ear_library_close_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_library_close_async);
  self->n_closing = 1;
  ear_settings_apply (self->settings);
  if (self->catalogue == NULL)
    {
      part_ended_cb (NULL, NULL, task);
      return;
    }

  ear_sync_stop (self->sync);
  ear_subscriptions_stop (self->subscriptions);
  ear_refresher_stop (self->refresher);
  ear_playback_controller_stop (self->playback_controller);
  if (self->complete_source != 0)
    {
      g_clear_handle_id (&self->complete_source, g_source_remove);
      complete_files_cb (self);
    }
  ear_history_close (self->history);
  ear_listening_keep (self->listening);
  ear_backups_stop (self->backups);
  ear_player_stop (self->player);
  ear_documents_stop (self->documents);
  ear_auto_downloads_stop (self->auto_downloads);
  self->n_closing = 2;
  ear_downloader_stop_async (self->downloader, part_ended_cb, g_object_ref (task));
  ear_userdata_store_ask_async (self->state, EAR_USERDATA_FLUSH, state_flushed_cb, task);
}

gboolean
ear_library_close_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
