/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-country.h"
#include "ear-directory.h"
#include "ear-property.h"

#include <glib/gstdio.h>

#define USER_AGENT "Earmark/" EAR_VERSION " (+https://earmark-app.github.io)"

/* Creates and connects the parts that fetch, store and play podcasts. See the header for
 * its properties. */
G_DEFINE_FINAL_TYPE (EarLibrary, ear_library, G_TYPE_OBJECT)

/* Parts that are properties, for templates */
static const struct
{
  const char *name;
  GType (*get_type) (void);
  gsize offset;
  gboolean opened; /* %NULL until the library is open */
} parts[] = {
  { "player", ear_player_get_type, G_STRUCT_OFFSET (EarLibrary, player), FALSE },
  { "order", ear_play_order_get_type, G_STRUCT_OFFSET (EarLibrary, order), FALSE },
  { "history", ear_history_get_type, G_STRUCT_OFFSET (EarLibrary, history), FALSE },
  { "playback-settings", ear_playback_settings_get_type,
    G_STRUCT_OFFSET (EarLibrary, playback_settings), FALSE },
  { "settings", ear_settings_get_type, G_STRUCT_OFFSET (EarLibrary, settings), FALSE },
  { "covers", ear_cover_cache_get_type, G_STRUCT_OFFSET (EarLibrary, covers), FALSE },
  { "notices", ear_notices_get_type, G_STRUCT_OFFSET (EarLibrary, notices), FALSE },
  { "catalogue", ear_catalogue_get_type, G_STRUCT_OFFSET (EarLibrary, catalogue), TRUE },
  { "subscriptions", ear_subscriptions_get_type, G_STRUCT_OFFSET (EarLibrary, subscriptions),
    TRUE },
  { "refresher", ear_refresher_get_type, G_STRUCT_OFFSET (EarLibrary, refresher), TRUE },
  { "schedule", ear_refresh_schedule_get_type, G_STRUCT_OFFSET (EarLibrary, schedule), TRUE },
  { "arrivals", ear_arrivals_get_type, G_STRUCT_OFFSET (EarLibrary, arrivals), TRUE },
  { "importer", ear_importer_get_type, G_STRUCT_OFFSET (EarLibrary, importer), TRUE },
  { "downloader", ear_downloader_get_type, G_STRUCT_OFFSET (EarLibrary, downloader), TRUE },
  { "downloads-folder", ear_downloads_folder_get_type,
    G_STRUCT_OFFSET (EarLibrary, downloads_folder), TRUE },
  { "documents", ear_documents_get_type, G_STRUCT_OFFSET (EarLibrary, documents), TRUE },
  { "logins", ear_logins_get_type, G_STRUCT_OFFSET (EarLibrary, logins), TRUE },
  { "playback-controller", ear_playback_controller_get_type,
    G_STRUCT_OFFSET (EarLibrary, playback_controller), TRUE },
  { "sleep-timer", ear_sleep_timer_get_type, G_STRUCT_OFFSET (EarLibrary, sleep_timer), TRUE },
  { "chapter-control", ear_chapter_control_get_type, G_STRUCT_OFFSET (EarLibrary, chapter_control),
    TRUE },
  { "listening", ear_listening_get_type, G_STRUCT_OFFSET (EarLibrary, listening), TRUE },
  { "listening-meter", ear_listening_meter_get_type, G_STRUCT_OFFSET (EarLibrary, listening_meter),
    TRUE },
  { "queue", ear_queue_get_type, G_STRUCT_OFFSET (EarLibrary, queue), TRUE },
  { "bookmarks", ear_bookmarks_get_type, G_STRUCT_OFFSET (EarLibrary, bookmarks), TRUE },
  { "reading-list", ear_reading_list_get_type, G_STRUCT_OFFSET (EarLibrary, reading_list), TRUE },
  { "lists", ear_lists_get_type, G_STRUCT_OFFSET (EarLibrary, lists), TRUE },
  { "backups", ear_backups_get_type, G_STRUCT_OFFSET (EarLibrary, backups), TRUE },
  { "podcasts", g_list_model_get_type, G_STRUCT_OFFSET (EarLibrary, podcasts), TRUE },
};

/* Notifies the properties that are set when the library is opened. */
void
ear_library_notify_parts (EarLibrary *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].opened)
      g_object_notify (G_OBJECT (self), parts[i].name);
}

static void
ear_library_dispose (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);

  g_clear_handle_id (&self->settling, g_source_remove);
  ear_library_forget_ahead (self);
  if (self->upkeep != NULL)
    ear_upkeep_stop (self->upkeep);
  g_clear_object (&self->upkeep);
  g_clear_object (&self->backups);
  g_clear_object (&self->merger);
  g_clear_object (&self->importer);
  g_clear_object (&self->bookmarks);
  g_clear_object (&self->reading_list);
  g_clear_object (&self->link_collector);
  g_clear_object (&self->sleep_timer);
  g_clear_object (&self->chapter_control);
  g_clear_object (&self->skipped_chapters);
  g_clear_object (&self->listening_meter);
  g_clear_object (&self->listening);
  g_clear_object (&self->listening_records);
  g_clear_object (&self->playback_controller);
  g_clear_object (&self->queue);
  g_clear_object (&self->lists);
  g_clear_object (&self->history);
  g_clear_object (&self->playback_settings);
  g_clear_object (&self->skip_ends);
  g_clear_object (&self->arrivals);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->logins);
  g_clear_object (&self->schedule);
  g_clear_object (&self->refresher);
  g_clear_object (&self->documents);
  g_clear_object (&self->auto_downloads);
  g_clear_object (&self->cleaner);
  g_clear_object (&self->downloads_folder);
  g_clear_object (&self->downloader);
  g_clear_object (&self->order);
  g_clear_object (&self->player);
  g_clear_object (&self->covers);
  /* Stop requests while the writer that they wait for still exists. */
  if (self->http != NULL)
    ear_http_stop (self->http);
  g_clear_pointer (&self->directories, g_ptr_array_unref);
  g_clear_object (&self->http);
  g_clear_object (&self->state);
  g_clear_object (&self->podcasts);
  g_clear_object (&self->catalogue);
  g_clear_fd (&self->lock, NULL);
  g_clear_object (&self->settings);
  g_clear_object (&self->notices);
  g_clear_object (&self->keyring);
  g_clear_object (&self->network);
  g_clear_object (&self->memory);
  g_clear_pointer (&self->data_directory, g_free);
  g_clear_pointer (&self->cache_directory, g_free);

  G_OBJECT_CLASS (ear_library_parent_class)->dispose (object);
}

static void
ear_library_class_init (EarLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  EarProperty properties[G_N_ELEMENTS (parts)];

  object_class->dispose = ear_library_dispose;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    properties[i] = (EarProperty){ parts[i].name, parts[i].get_type (), G_PARAM_READABLE,
                                   (glong) parts[i].offset };
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_library_init (EarLibrary *self)
{
  self->lock = -1;
}

/* @data_directory: the folder of `state/` and `catalogue.db`
 * @cache_directory: the folder of covers and documents */
EarLibrary *
ear_library_new (const char *data_directory, const char *cache_directory)
{
  EarLibrary *self = g_object_new (EAR_TYPE_LIBRARY, NULL);
  g_autofree char *covers_directory = g_build_filename (cache_directory, "covers", NULL);

  self->data_directory = g_strdup (data_directory);
  self->cache_directory = g_strdup (cache_directory);
  self->settings = ear_settings_new ();
  self->notices = ear_notices_new ();
  self->http = ear_http_new (USER_AGENT);
  self->covers = ear_cover_cache_new (self->http, covers_directory);
  self->player = ear_player_new (USER_AGENT);
  self->order = ear_play_order_new ();
  self->history = ear_history_new (self->player, self->notices);
  self->keyring = ear_keyring_new ();
  self->network = g_object_ref (g_network_monitor_get_default ());
  self->memory = g_memory_monitor_dup_default ();

  g_object_bind_property (self->settings, "volume", self->player, "volume",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  self->playback_settings = ear_playback_settings_new (self->player, self->settings);
  self->skip_ends = ear_skip_ends_new (self->player, self->notices);
  g_signal_connect_object (self->memory, "low-memory-warning", G_CALLBACK (ear_library_save_memory),
                           self, G_CONNECT_SWAPPED);

  return self;
}

EAR_DEFINE_GET (EarLibrary, ear_library, const char *, data_directory)

EAR_DEFINE_GET (EarLibrary, ear_library, EarPlayer *, player)
EAR_DEFINE_GET (EarLibrary, ear_library, EarPlayOrder *, order)
EAR_DEFINE_GET (EarLibrary, ear_library, EarHistory *, history)
EAR_DEFINE_GET (EarLibrary, ear_library, EarSettings *, settings)
EAR_DEFINE_GET (EarLibrary, ear_library, EarCoverCache *, covers)
EAR_DEFINE_GET (EarLibrary, ear_library, EarNotices *, notices)
EAR_DEFINE_GET (EarLibrary, ear_library, EarCatalogue *, catalogue)
EAR_DEFINE_GET (EarLibrary, ear_library, EarSubscriptions *, subscriptions)
EAR_DEFINE_GET (EarLibrary, ear_library, EarRefresher *, refresher)
EAR_DEFINE_GET (EarLibrary, ear_library, EarRefreshSchedule *, schedule)
EAR_DEFINE_GET (EarLibrary, ear_library, EarArrivals *, arrivals)
EAR_DEFINE_GET (EarLibrary, ear_library, EarImporter *, importer)
EAR_DEFINE_GET (EarLibrary, ear_library, EarDownloader *, downloader)
EAR_DEFINE_GET (EarLibrary, ear_library, EarDownloadsFolder *, downloads_folder)
EAR_DEFINE_GET (EarLibrary, ear_library, EarDocuments *, documents)
EAR_DEFINE_GET (EarLibrary, ear_library, EarLogins *, logins)
EAR_DEFINE_GET (EarLibrary, ear_library, EarPlaybackController *, playback_controller)
EAR_DEFINE_GET (EarLibrary, ear_library, EarSleepTimer *, sleep_timer)
EAR_DEFINE_GET (EarLibrary, ear_library, EarChapterControl *, chapter_control)
EAR_DEFINE_GET (EarLibrary, ear_library, EarListening *, listening)
EAR_DEFINE_GET (EarLibrary, ear_library, EarQueue *, queue)
EAR_DEFINE_GET (EarLibrary, ear_library, EarBookmarks *, bookmarks)
EAR_DEFINE_GET (EarLibrary, ear_library, EarReadingList *, reading_list)
EAR_DEFINE_GET (EarLibrary, ear_library, EarLists *, lists)
EAR_DEFINE_GET (EarLibrary, ear_library, EarBackups *, backups)
EAR_DEFINE_GET (EarLibrary, ear_library, GListModel *, podcasts)

/* The directories, and the environment variables that name another URL: a mirror, or a
 * stand-in. */
static const struct
{
  const EarDirectoryService *service;
  const char *variable;
} services[] = {
  { &ear_directory_itunes, "EARMARK_ITUNES" },
  { &ear_directory_fyyd, "EARMARK_FYYD" },
};

static void
country_changed_cb (EarLibrary *self)
{
  g_autofree char *chosen = NULL;

  g_object_get (self->settings, "country", &chosen, NULL);
  for (guint i = 0; i < self->directories->len; i++)
    ear_directory_set_country (self->directories->pdata[i], ear_country_find (chosen));
}

/* Returns one object per service for all callers, as it limits the rate of requests. */
static GPtrArray *
get_directories (EarLibrary *self)
{
  if (self->directories != NULL)
    return self->directories;

  self->directories = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (services); i++)
    g_ptr_array_add (self->directories, ear_directory_new (self->http, services[i].service,
                                                           g_getenv (services[i].variable)));
  g_signal_connect_object (self->settings, "notify::country", G_CALLBACK (country_changed_cb), self,
                           G_CONNECT_SWAPPED);
  country_changed_cb (self);

  return self->directories;
}

/* Returns: (transfer full): a new discovery, which knows the followed podcasts */
EarDiscovery *
ear_library_create_discovery (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_discovery_new (self->http, get_directories (self), ear_library_get_podcasts (self));
}

/* @self: an open library
 * Returns: (transfer full): a new object with the progress in a series */
EarSeries *
ear_library_create_series (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_series_new (self->catalogue, self->settings);
}

EarChapterFinder *
ear_library_create_chapter_finder (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_chapter_finder_new (self->catalogue, self->downloader, self->documents, self->covers);
}
