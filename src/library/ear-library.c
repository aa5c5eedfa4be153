/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-directory.h"

#include <glib/gstdio.h>

#define USER_AGENT "Earmark/" EAR_VERSION " (+https://earmark-app.github.io)"

/**
 * EarLibrary:
 *
 * Makes what fetches, reads, keeps and plays podcasts, and joins it. See the header for its
 * properties.
 */
G_DEFINE_FINAL_TYPE (EarLibrary, ear_library, G_TYPE_OBJECT)

typedef enum
{
  PROP_DATA_DIRECTORY = 1,
  PROP_CACHE_DIRECTORY,
  PROP_PLAYER,
  PROP_ORDER,
  PROP_HISTORY,
  PROP_SETTINGS,
  PROP_COVERS,
  PROP_NOTICES,
  PROP_CATALOGUE,
  PROP_SUBSCRIPTIONS,
  PROP_REFRESHER,
  PROP_SCHEDULE,
  PROP_ARRIVALS,
  PROP_IMPORTER,
  PROP_DOWNLOADER,
  PROP_LOGINS,
  PROP_PLAY_CONTROL,
  PROP_BACKUPS,
  PROP_PODCASTS,
} EarLibraryProperty;

static GParamSpec *props[PROP_PODCASTS + 1];

/* Tells that the parts are there which it has once it is open. */
void
ear_library_notify_parts (EarLibrary *self)
{
  for (guint i = PROP_CATALOGUE; i <= PROP_PODCASTS; i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[i]);
}

static void
ear_library_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarLibrary *self = EAR_LIBRARY (object);

  switch ((EarLibraryProperty) property_id)
    {
    case PROP_DATA_DIRECTORY:
      g_value_set_string (value, self->data_directory);
      break;
    case PROP_CACHE_DIRECTORY:
      g_value_set_string (value, self->cache_directory);
      break;
    case PROP_PLAYER:
      g_value_set_object (value, self->player);
      break;
    case PROP_ORDER:
      g_value_set_object (value, self->order);
      break;
    case PROP_HISTORY:
      g_value_set_object (value, self->history);
      break;
    case PROP_SETTINGS:
      g_value_set_object (value, self->settings);
      break;
    case PROP_COVERS:
      g_value_set_object (value, self->covers);
      break;
    case PROP_NOTICES:
      g_value_set_object (value, self->notices);
      break;
    case PROP_CATALOGUE:
      g_value_set_object (value, self->catalogue);
      break;
    case PROP_SUBSCRIPTIONS:
      g_value_set_object (value, self->subscriptions);
      break;
    case PROP_REFRESHER:
      g_value_set_object (value, self->refresher);
      break;
    case PROP_SCHEDULE:
      g_value_set_object (value, self->schedule);
      break;
    case PROP_ARRIVALS:
      g_value_set_object (value, self->arrivals);
      break;
    case PROP_IMPORTER:
      g_value_set_object (value, self->importer);
      break;
    case PROP_DOWNLOADER:
      g_value_set_object (value, self->downloader);
      break;
    case PROP_LOGINS:
      g_value_set_object (value, self->logins);
      break;
    case PROP_PLAY_CONTROL:
      g_value_set_object (value, self->play_control);
      break;
    case PROP_BACKUPS:
      g_value_set_object (value, self->backups);
      break;
    case PROP_PODCASTS:
      g_value_set_object (value, ear_library_get_podcasts (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_library_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarLibrary *self = EAR_LIBRARY (object);

  switch (property_id)
    {
    case PROP_DATA_DIRECTORY:
      self->data_directory = g_value_dup_string (value);
      break;
    case PROP_CACHE_DIRECTORY:
      self->cache_directory = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_library_constructed (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);
  g_autofree char *covers_directory = NULL;

  G_OBJECT_CLASS (ear_library_parent_class)->constructed (object);

  covers_directory = g_build_filename (self->cache_directory, "covers", NULL);
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

  g_object_bind_property (self->settings, "volume", self->player, "volume", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (self->settings, "rate", self->player, "rate", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_signal_connect_object (self->memory, "low-memory-warning", G_CALLBACK (ear_library_save_memory), self, G_CONNECT_SWAPPED);
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
  g_clear_object (&self->importer);
  g_clear_object (&self->play_control);
  g_clear_object (&self->history);
  g_clear_object (&self->arrivals);
  g_clear_object (&self->file_notices);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->logins);
  g_clear_object (&self->schedule);
  g_clear_object (&self->refresher);
  g_clear_object (&self->downloader);
  g_clear_object (&self->order);
  g_clear_object (&self->player);
  g_clear_object (&self->covers);
  /* Its requests end here, while the writer that they wait for is still there. */
  if (self->http != NULL)
    ear_http_stop (self->http);
  g_clear_pointer (&self->directories, g_ptr_array_unref);
  g_clear_object (&self->http);
  g_clear_object (&self->state);
  g_clear_object (&self->catalogue);
  g_clear_fd (&self->lock, NULL);
  g_clear_object (&self->settings);
  g_clear_object (&self->notices);
  g_clear_object (&self->keyring);
  g_clear_object (&self->network);
  g_clear_object (&self->memory);

  G_OBJECT_CLASS (ear_library_parent_class)->dispose (object);
}

static void
ear_library_finalize (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);

  g_clear_pointer (&self->data_directory, g_free);
  g_clear_pointer (&self->cache_directory, g_free);

  G_OBJECT_CLASS (ear_library_parent_class)->finalize (object);
}

static void
ear_library_class_init (EarLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_library_get_property;
  object_class->set_property = ear_library_set_property;
  object_class->constructed = ear_library_constructed;
  object_class->dispose = ear_library_dispose;
  object_class->finalize = ear_library_finalize;

  props[PROP_DATA_DIRECTORY] = g_param_spec_string ("data-directory", NULL, NULL, NULL, constructed);
  props[PROP_CACHE_DIRECTORY] = g_param_spec_string ("cache-directory", NULL, NULL, NULL, constructed);
  props[PROP_PLAYER] = g_param_spec_object ("player", NULL, NULL, EAR_TYPE_PLAYER, readable);
  props[PROP_ORDER] = g_param_spec_object ("order", NULL, NULL, EAR_TYPE_PLAY_ORDER, readable);
  props[PROP_HISTORY] = g_param_spec_object ("history", NULL, NULL, EAR_TYPE_HISTORY, readable);
  props[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, EAR_TYPE_SETTINGS, readable);
  props[PROP_COVERS] = g_param_spec_object ("covers", NULL, NULL, EAR_TYPE_COVER_CACHE, readable);
  props[PROP_NOTICES] = g_param_spec_object ("notices", NULL, NULL, EAR_TYPE_NOTICES, readable);
  props[PROP_CATALOGUE] = g_param_spec_object ("catalogue", NULL, NULL, EAR_TYPE_CATALOGUE, readable);
  props[PROP_SUBSCRIPTIONS] = g_param_spec_object ("subscriptions", NULL, NULL, EAR_TYPE_SUBSCRIPTIONS, readable);
  props[PROP_REFRESHER] = g_param_spec_object ("refresher", NULL, NULL, EAR_TYPE_REFRESHER, readable);
  props[PROP_SCHEDULE] = g_param_spec_object ("schedule", NULL, NULL, EAR_TYPE_REFRESH_SCHEDULE, readable);
  props[PROP_ARRIVALS] = g_param_spec_object ("arrivals", NULL, NULL, EAR_TYPE_ARRIVALS, readable);
  props[PROP_IMPORTER] = g_param_spec_object ("importer", NULL, NULL, EAR_TYPE_IMPORTER, readable);
  props[PROP_DOWNLOADER] = g_param_spec_object ("downloader", NULL, NULL, EAR_TYPE_DOWNLOADER, readable);
  props[PROP_LOGINS] = g_param_spec_object ("logins", NULL, NULL, EAR_TYPE_LOGINS, readable);
  props[PROP_PLAY_CONTROL] = g_param_spec_object ("play-control", NULL, NULL, EAR_TYPE_PLAY_CONTROL, readable);
  props[PROP_BACKUPS] = g_param_spec_object ("backups", NULL, NULL, EAR_TYPE_BACKUPS, readable);
  props[PROP_PODCASTS] = g_param_spec_object ("podcasts", NULL, NULL, G_TYPE_LIST_MODEL, readable);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_library_init (EarLibrary *self)
{
  self->lock = -1;
}

EarLibrary *
ear_library_new (const char *data_directory, const char *cache_directory)
{
  return g_object_new (EAR_TYPE_LIBRARY,
                       "data-directory", data_directory,
                       "cache-directory", cache_directory,
                       NULL);
}

/* --- Its parts ------------------------------------------------------------------------ */

EarPlayer *
ear_library_get_player (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->player;
}

EarPlayOrder *
ear_library_get_order (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->order;
}

EarHistory *
ear_library_get_history (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->history;
}

EarSettings *
ear_library_get_settings (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->settings;
}

EarCoverCache *
ear_library_get_covers (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->covers;
}

EarNotices *
ear_library_get_notices (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->notices;
}

EarCatalogue *
ear_library_get_catalogue (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->catalogue;
}

EarSubscriptions *
ear_library_get_subscriptions (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->subscriptions;
}

EarRefresher *
ear_library_get_refresher (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->refresher;
}

EarRefreshSchedule *
ear_library_get_schedule (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->schedule;
}

EarArrivals *
ear_library_get_arrivals (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->arrivals;
}

EarImporter *
ear_library_get_importer (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->importer;
}

EarDownloader *
ear_library_get_downloader (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->downloader;
}

EarLogins *
ear_library_get_logins (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->logins;
}

EarPlayControl *
ear_library_get_play_control (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->play_control;
}

EarBackups *
ear_library_get_backups (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->backups;
}

GListModel *
ear_library_get_podcasts (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->catalogue != NULL ? ear_catalogue_get_podcasts (self->catalogue) : NULL;
}

/* Who is asked, and the variable that names another place for it: a mirror, or a stand-in. */
static const struct
{
  const EarDirectoryService *service;
  const char *variable;
} services[] = {
  { &ear_directory_itunes, "EARMARK_ITUNES" },
  { &ear_directory_fyyd, "EARMARK_FYYD" },
};

/* One object a service, whoever asks: it keeps to the number of requests that is allowed. */
static GPtrArray *
get_directories (EarLibrary *self)
{
  if (self->directories != NULL)
    return self->directories;

  self->directories = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (services); i++)
    g_ptr_array_add (self->directories, ear_directory_new (self->http, services[i].service, g_getenv (services[i].variable)));

  return self->directories;
}

/**
 * ear_library_create_discovery:
 * @self: the library
 *
 * Returns: (transfer full): what finds podcasts, and knows which of them are followed
 */
EarDiscovery *
ear_library_create_discovery (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_discovery_new (self->http, get_directories (self), ear_library_get_podcasts (self));
}
