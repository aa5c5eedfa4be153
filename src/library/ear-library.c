/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-library-enums.h"

#include <glib/gstdio.h>

#define USER_AGENT "Earmark/" EAR_VERSION " (+https://earmark-app.github.io)"

/**
 * EarLibrary:
 *
 * Joins what fetches, reads, keeps and plays podcasts. See the header for its
 * properties and signals.
 */
G_DEFINE_FINAL_TYPE (EarLibrary, ear_library, G_TYPE_OBJECT)

typedef enum
{
  PROP_DATA_DIRECTORY = 1,
  PROP_CACHE_DIRECTORY,
  PROP_PODCASTS,
  PROP_PLAYER,
  PROP_SETTINGS,
  PROP_COVERS,
  PROP_NOTICES,
  PROP_HISTORY,
  PROP_EPISODE,
  PROP_ONLINE,
  PROP_REFRESHING,
  PROP_REFRESH_TOTAL,
  PROP_REFRESH_DONE,
  PROP_REFRESH_WAITING,
  PROP_CAN_GO_NEXT,
  PROP_CAN_GO_PREVIOUS,
  PROP_DOWNLOADER,
  PROP_N_DOWNLOADS,
  PROP_DOWNLOADING,
  PROP_N_NEW,
  PROP_N_IN_PROGRESS,
  PROP_IMPORT,
  PROP_REFRESH_PAUSE,
} EarLibraryProperty;

static GParamSpec *props[PROP_REFRESH_PAUSE + 1];

enum
{
  SIGNAL_DAMAGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
catalogue_damage_found_cb (EarLibrary *self)
{
  g_signal_emit (self, signals[SIGNAL_DAMAGED], 0);
}

static void
network_changed_cb (EarLibrary *self, gboolean available)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ONLINE]);
}

static void
forward_notify_cb (EarLibrary *self, GParamSpec *pspec)
{
  g_object_notify (G_OBJECT (self), pspec->name);
}

static void
refresh_progressed_cb (EarLibrary *self, GParamSpec *pspec)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[g_str_equal (pspec->name, "total") ? PROP_REFRESH_TOTAL : PROP_REFRESH_DONE]);
}

static void
waiting_cb (EarLibrary *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESH_WAITING]);
}

static void
downloads_counted_cb (EarLibrary *self, GParamSpec *pspec)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[g_str_equal (pspec->name, "running") ? PROP_DOWNLOADING : PROP_N_DOWNLOADS]);
}

static void
refresh_paused_cb (EarLibrary *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESH_PAUSE]);
}

/**
 * ear_library_forward_parts:
 * @self: a library that is being opened
 *
 * From now on its properties notify as those of its parts do that they are made of, and its
 * [signal@EarLibrary::damaged] tells what the catalogue does.
 */
void
ear_library_forward_parts (EarLibrary *self)
{
  g_signal_connect_swapped (self->catalogue, "notify", G_CALLBACK (forward_notify_cb), self);
  g_signal_connect_swapped (self->catalogue, "damage-found", G_CALLBACK (catalogue_damage_found_cb), self);
  g_signal_connect_object (self->schedule, "notify::pause", G_CALLBACK (refresh_paused_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "notify::n-active", G_CALLBACK (downloads_counted_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "notify::running", G_CALLBACK (downloads_counted_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::refreshing", G_CALLBACK (forward_notify_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::total", G_CALLBACK (refresh_progressed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::done", G_CALLBACK (refresh_progressed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::waiting", G_CALLBACK (waiting_cb), self, G_CONNECT_SWAPPED);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCASTS]);
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
    case PROP_PODCASTS:
      g_value_set_object (value, ear_library_get_podcasts (self));
      break;
    case PROP_PLAYER:
      g_value_set_object (value, self->player);
      break;
    case PROP_SETTINGS:
      g_value_set_object (value, self->settings);
      break;
    case PROP_COVERS:
      g_value_set_object (value, self->covers);
      break;
    case PROP_HISTORY:
      g_value_set_object (value, self->history);
      break;
    case PROP_NOTICES:
      g_value_set_object (value, self->notices);
      break;
    case PROP_EPISODE:
      g_value_set_object (value, ear_library_get_episode (self));
      break;
    case PROP_IMPORT:
      g_value_set_object (value, self->import);
      break;
    case PROP_ONLINE:
      g_value_set_boolean (value, ear_library_get_online (self));
      break;
    case PROP_REFRESHING:
      g_value_set_boolean (value, self->refresher != NULL && ear_refresher_get_refreshing (self->refresher));
      break;
    case PROP_REFRESH_TOTAL:
      g_value_set_uint (value, self->refresher != NULL ? ear_refresher_get_total (self->refresher) : 0);
      break;
    case PROP_REFRESH_PAUSE:
      g_value_set_enum (value, self->schedule != NULL ? ear_refresh_schedule_get_pause (self->schedule) : EAR_REFRESH_PAUSE_NONE);
      break;
    case PROP_REFRESH_DONE:
      g_value_set_uint (value, self->refresher != NULL ? ear_refresher_get_done (self->refresher) : 0);
      break;
    case PROP_REFRESH_WAITING:
      g_value_set_boxed (value, self->refresher != NULL ? ear_refresher_get_waiting (self->refresher) : NULL);
      break;
    case PROP_CAN_GO_NEXT:
      g_value_set_boolean (value, ear_library_get_can_go_next (self));
      break;
    case PROP_CAN_GO_PREVIOUS:
      g_value_set_boolean (value, ear_library_get_can_go_previous (self));
      break;
    case PROP_DOWNLOADER:
      g_value_set_object (value, self->downloader);
      break;
    case PROP_N_DOWNLOADS:
      g_value_set_uint (value, ear_library_get_n_downloads (self));
      break;
    case PROP_DOWNLOADING:
      g_value_set_boolean (value, ear_library_get_downloading (self));
      break;
    case PROP_N_NEW:
      g_value_set_uint (value, self->catalogue != NULL ? ear_catalogue_get_n_new (self->catalogue) : 0);
      break;
    case PROP_N_IN_PROGRESS:
      g_value_set_uint (value, self->catalogue != NULL ? ear_catalogue_get_n_in_progress (self->catalogue) : 0);
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
  self->history = ear_history_new (self->player, self->notices);
  self->order = ear_play_order_new ();
  self->keyring = ear_keyring_new ();
  ear_library_follow_player (self);
  self->network = g_object_ref (g_network_monitor_get_default ());
  self->memory = g_memory_monitor_dup_default ();

  g_object_bind_property (self->settings, "volume", self->player, "volume", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (self->settings, "rate", self->player, "rate", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_signal_connect_object (self->player, "notify::episode", G_CALLBACK (forward_notify_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->order, "notify", G_CALLBACK (forward_notify_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->memory, "low-memory-warning", G_CALLBACK (ear_library_save_memory), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->network, "network-changed", G_CALLBACK (network_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
ear_library_dispose (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->settling, g_source_remove);
  ear_library_forget_ahead (self);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->catalogue != NULL)
    g_signal_handlers_disconnect_by_data (self->catalogue, self);
  if (self->upkeep != NULL)
    ear_upkeep_stop (self->upkeep);
  g_clear_object (&self->upkeep);
  g_clear_object (&self->history);
  g_clear_object (&self->import);
  g_clear_object (&self->subscriptions);
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
  g_hash_table_remove_all (self->newcomers);
  g_hash_table_remove_all (self->former);
  g_hash_table_remove_all (self->grown);
  g_hash_table_remove_all (self->arrived);

  G_OBJECT_CLASS (ear_library_parent_class)->dispose (object);
}

static void
ear_library_finalize (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->newcomers, g_hash_table_unref);
  g_clear_pointer (&self->former, g_hash_table_unref);
  g_clear_pointer (&self->grown, g_hash_table_unref);
  g_clear_pointer (&self->arrived, g_hash_table_unref);
  g_clear_pointer (&self->data_directory, g_free);
  g_clear_pointer (&self->cache_directory, g_free);
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);
  g_clear_pointer (&self->tried_media, g_free);

  G_OBJECT_CLASS (ear_library_parent_class)->finalize (object);
}

static void
make_signals (EarLibraryClass *klass)
{
  /**
   * EarLibrary::damaged:
   * @self: the library
   *
   * The list of episodes was found to be damaged while it is used. It is mended when the
   * library is closed and another one opened.
   */
  signals[SIGNAL_DAMAGED] =
    g_signal_new ("damaged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * EarLibrary::episodes-arrived:
   * @self: the library
   * @podcast: a followed podcast
   * @episodes: (element-type EarEpisode): a few of them, newest first
   * @n_episodes: how many there are
   *
   * A check of a podcast, once it has ended, has brought episodes that are news. What the
   * first fetch of a podcast, an import, older pages of a feed or a catalogue that is being
   * rebuilt bring is none.
   */
  g_signal_new ("episodes-arrived", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 3, EAR_TYPE_PODCAST, G_TYPE_PTR_ARRAY, G_TYPE_UINT);
  /**
   * EarLibrary::started:
   * @self: the library
   *
   * What is followed is known from now on.
   */
  g_signal_new ("started", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  props[PROP_PODCASTS] = g_param_spec_object ("podcasts", NULL, NULL, G_TYPE_LIST_MODEL, readable);
  props[PROP_PLAYER] = g_param_spec_object ("player", NULL, NULL, EAR_TYPE_PLAYER, readable);
  props[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, EAR_TYPE_SETTINGS, readable);
  props[PROP_COVERS] = g_param_spec_object ("covers", NULL, NULL, EAR_TYPE_COVER_CACHE, readable);
  props[PROP_HISTORY] = g_param_spec_object ("history", NULL, NULL, EAR_TYPE_HISTORY, readable);
  props[PROP_NOTICES] = g_param_spec_object ("notices", NULL, NULL, EAR_TYPE_NOTICES, readable);
  props[PROP_EPISODE] = g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE, readable);
  props[PROP_IMPORT] = g_param_spec_object ("import", NULL, NULL, EAR_TYPE_IMPORT, readable);
  props[PROP_ONLINE] = g_param_spec_boolean ("online", NULL, NULL, TRUE, readable);
  props[PROP_REFRESHING] = g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, readable);
  props[PROP_REFRESH_TOTAL] = g_param_spec_uint ("refresh-total", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_REFRESH_DONE] = g_param_spec_uint ("refresh-done", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_REFRESH_WAITING] = g_param_spec_boxed ("refresh-waiting", NULL, NULL, G_TYPE_STRV, readable);
  props[PROP_REFRESH_PAUSE] =
    g_param_spec_enum ("refresh-pause", NULL, NULL, EAR_TYPE_REFRESH_PAUSE, EAR_REFRESH_PAUSE_NONE, readable);
  props[PROP_CAN_GO_NEXT] = g_param_spec_boolean ("can-go-next", NULL, NULL, FALSE, readable);
  props[PROP_CAN_GO_PREVIOUS] = g_param_spec_boolean ("can-go-previous", NULL, NULL, FALSE, readable);
  props[PROP_DOWNLOADER] = g_param_spec_object ("downloader", NULL, NULL, EAR_TYPE_DOWNLOADER, readable);
  props[PROP_N_DOWNLOADS] = g_param_spec_uint ("n-downloads", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_DOWNLOADING] = g_param_spec_boolean ("downloading", NULL, NULL, FALSE, readable);
  props[PROP_N_NEW] = g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_N_IN_PROGRESS] = g_param_spec_uint ("n-in-progress", NULL, NULL, 0, G_MAXUINT, 0, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
  make_signals (klass);
}

static void
ear_library_init (EarLibrary *self)
{
  self->lock = -1;
  self->cancellable = g_cancellable_new ();
  self->newcomers = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->former = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->grown = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->arrived = ear_library_new_arrivals ();
}

/**
 * ear_library_new:
 * @data_directory: where the listener's data and the catalogue live
 * @cache_directory: where what can be fetched again lives
 *
 * Returns: (transfer full): a library that has to be opened
 */
EarLibrary *
ear_library_new (const char *data_directory, const char *cache_directory)
{
  return g_object_new (EAR_TYPE_LIBRARY,
                       "data-directory", data_directory,
                       "cache-directory", cache_directory,
                       NULL);
}

/**
 * ear_library_get_podcasts:
 * @self: the library
 *
 * Returns: (transfer none) (nullable): the followed podcasts by title, a list of [class@EarPodcast]
 */
GListModel *
ear_library_get_podcasts (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->catalogue != NULL ? ear_catalogue_get_podcasts (self->catalogue) : NULL;
}

/**
 * ear_library_get_player:
 * @self: the library
 *
 * Returns: (transfer none): the player
 */
EarPlayer *
ear_library_get_player (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->player;
}

/**
 * ear_library_get_settings:
 * @self: the library
 *
 * Returns: (transfer none): the settings
 */
EarSettings *
ear_library_get_settings (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->settings;
}

/**
 * ear_library_get_covers:
 * @self: the library
 *
 * Returns: (transfer none): the covers
 */
EarCoverCache *
ear_library_get_covers (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->covers;
}

EarHistory *
ear_library_get_history (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->history;
}

EarNotices *
ear_library_get_notices (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->notices;
}

/**
 * ear_library_get_episode:
 * @self: the library
 *
 * Returns: (transfer none) (nullable): the episode in the player
 */
EarEpisode *
ear_library_get_episode (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return self->player != NULL ? ear_player_get_episode (self->player) : NULL;
}

/**
 * ear_library_get_online:
 * @self: the library
 *
 * Returns: whether the system has a network; a guess, never a reason not to try
 */
gboolean
ear_library_get_online (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  return g_network_monitor_get_network_available (self->network);
}

/**
 * ear_library_get_can_go_next:
 * @self: the library
 *
 * Returns: whether another episode follows in the list that is played from
 */
gboolean
ear_library_get_can_go_next (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  return ear_play_order_get_can_go_next (self->order);
}

/**
 * ear_library_get_can_go_previous:
 * @self: the library
 *
 * Returns: whether another episode comes before in the list that is played from
 */
gboolean
ear_library_get_can_go_previous (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  return ear_play_order_get_can_go_previous (self->order);
}
