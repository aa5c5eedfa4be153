/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library-private.h"

#include "ear-library-enums.h"

#include <errno.h>
#include <glib/gi18n-lib.h>


#define USER_AGENT "Earmark/" EAR_VERSION " (+https://earmark-app.github.io)"

/* Until copies are thought of, and between two thoughts: who looks in for a moment pays nothing. */
#define UPKEEP_PAUSE_MS (2 * 60 * 1000)

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
  PROP_EPISODE,
  PROP_ONLINE,
  PROP_REFRESHING,
  PROP_REFRESH_TOTAL,
  PROP_REFRESH_DONE,
  PROP_CAN_GO_NEXT,
  PROP_CAN_GO_PREVIOUS,
  PROP_N_NEW,
  PROP_N_IN_PROGRESS,
  PROP_IMPORT,
  PROP_REFRESH_PAUSE,
} EarLibraryProperty;

static GParamSpec *props[PROP_REFRESH_PAUSE + 1];

enum
{
  SIGNAL_NOTICE,
  SIGNAL_UNDO_OFFERED,
  SIGNAL_DAMAGED,
  SIGNAL_STARTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/**
 * ear_library_give_notice:
 * @self: the library
 * @message: a translated sentence
 * @lasting: whether it is to stay until it was seen
 */
void
ear_library_give_notice (EarLibrary *self, const char *message, gboolean lasting)
{
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, message, lasting);
}

/**
 * ear_library_offer_undo:
 * @self: the library
 * @undo: what was done
 *
 * Offers to take something back.
 */
void
ear_library_offer_undo (EarLibrary *self, EarUndo *undo)
{
  g_signal_emit (self, signals[SIGNAL_UNDO_OFFERED], 0, undo);
}

/* Puts what was in the player the last time back into it, silent, once its row is there. */
static void
restore_last_episode (EarLibrary *self)
{
  EarPodcast *podcast;
  g_autoptr (EarEpisode) episode = NULL;

  if (self->last_guid == NULL || ear_player_get_episode (self->player) != NULL)
    return;
  podcast = ear_catalogue_find_known (self->catalogue, self->last_address);
  if (podcast == NULL)
    return;
  episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, self->last_guid);
  if (episode == NULL)
    return;

  if (self->last_position > 0)
    ear_episode_set_position (episode, self->last_position);
  if (!ear_episode_get_listened (episode))
    {
      EarEnclosure *enclosure = ear_episode_get_enclosure (episode);

      ear_play_order_set (self->order, NULL, episode);
      ear_player_open (self->player, episode, enclosure != NULL ? enclosure->address : NULL, ear_episode_get_position (episode));
      ear_library_tell_player (self);
    }
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);
}

static void
now_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->state == NULL)
    return;
  if (ear_state_store_load_now_finish (EAR_STATE_STORE (source), result,
                                       &self->last_address, &self->last_guid, &self->last_position, &error))
    restore_last_episode (self);
}

static void
started_cb (EarLibrary *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  g_signal_emit (self, signals[SIGNAL_STARTED], 0);
  if (self->errand)
    return;

  /* In this order: what the files say is merged before anything new is written to them. */
  ear_state_store_load_now_async (self->state, self->cancellable, now_loaded_cb, g_object_ref (self));
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      ear_library_load_podcast (self, podcast);
    }
  /* It may be closed again already. */
  if (self->schedule != NULL && self->unattended)
    ear_refresh_schedule_begin (self->schedule);
  else if (self->schedule != NULL)
    ear_refresh_schedule_start (self->schedule);
}

static void
followed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* An import has counts of its own. */
  const gboolean counted = self->import == NULL || ear_import_get_finished (self->import);

  ear_library_load_podcast (self, podcast);
  ear_refresher_refresh (self->refresher, podcast, counted ? EAR_REFRESH_ONE : EAR_REFRESH_SCHEDULED);
}

/* Nobody asks for its feed any more. */
static void
forgotten_cb (EarLibrary *self, const char *address)
{
  if (ear_catalogue_find_known (self->catalogue, address) == NULL)
    ear_keyring_forget (self->keyring, address);
}

static void
unfollowed_cb (EarLibrary *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  ear_refresher_cancel (self->refresher, podcast);
  if (episode != NULL && ear_episode_get_podcast (episode) == podcast)
    {
      ear_position_keeper_save (self->keeper);
      ear_player_stop (self->player);
      ear_play_order_set (self->order, NULL, NULL);
    }
}

static void
episodes_inserted_cb (EarLibrary *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL && !g_hash_table_contains (self->grown, podcast))
    g_hash_table_add (self->grown, g_object_ref (podcast));
  restore_last_episode (self);
}

/* What the listener did is known under the new names, too. */
static void
episodes_renamed_cb (EarLibrary *self, gint64 podcast_id, GHashTable *names)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL)
    ear_state_store_add_names (self->state, ear_podcast_get_address (podcast), names);
}

static void
refreshed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* New rows may be old acquaintances: the catalogue was lost, or the feed came back. */
  if (g_hash_table_remove (self->grown, podcast))
    ear_library_load_podcast (self, podcast);
  ear_library_tell_player (self);
  ear_library_tell_arrivals (self, podcast);
}

static void
moved_cb (EarLibrary *self, EarPodcast *podcast, const char *address)
{
  /* Nobody follows again what was unfollowed in the meantime, or only looked at. */
  if (self->subscriptions != NULL && ear_podcast_get_followed (podcast))
    ear_subscriptions_set_feed_address (self->subscriptions, podcast, address);
}

static void
state_changed_cb (EarLibrary *self, const char *address, GHashTable *states)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL)
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

static void
state_damaged_cb (EarLibrary *self, const char *file, const char *set_aside, gboolean restored)
{
  g_autofree char *name = g_path_get_basename (set_aside);
  g_autofree char *message = NULL;

  if (restored)
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (_("A file with your listening history was damaged. What the last backup has of it was restored. "
                                 "It is kept as “%s”"), name);
  else
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (_("A file with your listening history was damaged. It is kept as “%s”"), name);
  ear_library_give_notice (self, message, TRUE);
}

static void
state_failed_cb (EarLibrary *self, const GError *error)
{
  ear_library_give_notice (self, _("Your place could not be saved. Is the disk full?"), TRUE);
}

static void
catalogue_damaged_cb (EarLibrary *self, const char *set_aside)
{
  if (ear_catalogue_is_restored (self->catalogue))
    ear_library_give_notice (self, _("The list of episodes was damaged. An earlier copy has taken its place. Your listening history is safe"), TRUE);
  else
    ear_library_give_notice (self, _("The list of episodes was damaged and is fetched anew. Your listening history is safe"), TRUE);
}

static void
catalogue_damage_found_cb (EarLibrary *self)
{
  g_signal_emit (self, signals[SIGNAL_DAMAGED], 0);
}

/* Told once when it begins, and when all is as before. */
static void
indexing_cb (EarLibrary *self, double indexed)
{
  if (indexed <= 0)
    ear_library_give_notice (self, _("The search index was damaged and is made anew. Older episodes may not be found for a while"), FALSE);
  else if (indexed >= 1)
    ear_library_give_notice (self, _("All episodes can be searched again"), FALSE);
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
refresh_paused_cb (EarLibrary *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESH_PAUSE]);
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
    case PROP_CAN_GO_NEXT:
      g_value_set_boolean (value, ear_library_get_can_go_next (self));
      break;
    case PROP_CAN_GO_PREVIOUS:
      g_value_set_boolean (value, ear_library_get_can_go_previous (self));
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
  self->http = ear_http_new (USER_AGENT);
  self->covers = ear_cover_cache_new (self->http, covers_directory);
  self->player = ear_player_new (USER_AGENT);
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
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->catalogue != NULL)
    g_signal_handlers_disconnect_by_data (self->catalogue, self);
  if (self->upkeep != NULL)
    ear_upkeep_stop (self->upkeep);
  g_clear_object (&self->upkeep);
  g_clear_object (&self->keeper);
  g_clear_object (&self->import);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->schedule);
  g_clear_object (&self->refresher);
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
  g_clear_object (&self->settings);
  g_clear_object (&self->keyring);
  g_clear_object (&self->network);
  g_clear_object (&self->memory);
  g_hash_table_remove_all (self->grown);
  g_hash_table_remove_all (self->arrived);

  G_OBJECT_CLASS (ear_library_parent_class)->dispose (object);
}

static void
ear_library_finalize (GObject *object)
{
  EarLibrary *self = EAR_LIBRARY (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->grown, g_hash_table_unref);
  g_clear_pointer (&self->arrived, g_hash_table_unref);
  g_clear_pointer (&self->data_directory, g_free);
  g_clear_pointer (&self->cache_directory, g_free);
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);

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
  props[PROP_PODCASTS] = g_param_spec_object ("podcasts", NULL, NULL, G_TYPE_LIST_MODEL, readable);
  props[PROP_PLAYER] = g_param_spec_object ("player", NULL, NULL, EAR_TYPE_PLAYER, readable);
  props[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, EAR_TYPE_SETTINGS, readable);
  props[PROP_COVERS] = g_param_spec_object ("covers", NULL, NULL, EAR_TYPE_COVER_CACHE, readable);
  props[PROP_EPISODE] = g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE, readable);
  props[PROP_IMPORT] = g_param_spec_object ("import", NULL, NULL, EAR_TYPE_IMPORT, readable);
  props[PROP_ONLINE] = g_param_spec_boolean ("online", NULL, NULL, TRUE, readable);
  props[PROP_REFRESHING] = g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, readable);
  props[PROP_REFRESH_TOTAL] = g_param_spec_uint ("refresh-total", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_REFRESH_DONE] = g_param_spec_uint ("refresh-done", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_REFRESH_PAUSE] =
    g_param_spec_enum ("refresh-pause", NULL, NULL, EAR_TYPE_REFRESH_PAUSE, EAR_REFRESH_PAUSE_NONE, readable);
  props[PROP_CAN_GO_NEXT] = g_param_spec_boolean ("can-go-next", NULL, NULL, FALSE, readable);
  props[PROP_CAN_GO_PREVIOUS] = g_param_spec_boolean ("can-go-previous", NULL, NULL, FALSE, readable);
  props[PROP_N_NEW] = g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, readable);
  props[PROP_N_IN_PROGRESS] = g_param_spec_uint ("n-in-progress", NULL, NULL, 0, G_MAXUINT, 0, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarLibrary::notice:
   * @self: the library
   * @message: a translated sentence for the listener
   * @lasting: whether it is to stay until it was seen
   */
  signals[SIGNAL_NOTICE] =
    g_signal_new ("notice", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  /**
   * EarLibrary::undo-offered:
   * @self: the library
   * @undo: what was done, and can be taken back
   *
   * One without a message is not worth a toast.
   */
  signals[SIGNAL_UNDO_OFFERED] =
    g_signal_new ("undo-offered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, EAR_TYPE_UNDO);
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
  signals[SIGNAL_STARTED] =
    g_signal_new ("started", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ear_library_init (EarLibrary *self)
{
  self->cancellable = g_cancellable_new ();
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

static void
set_up_schedule (EarLibrary *self)
{
  g_autoptr (GPowerProfileMonitor) power = g_power_profile_monitor_dup_default ();

  self->schedule = ear_refresh_schedule_new (self->refresher, self->network, power);
  g_object_bind_property (self->settings, "refresh-interval", self->schedule, "interval", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->settings, "refresh-on-metered", self->schedule, "on-metered", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->schedule, "notify::pause", G_CALLBACK (refresh_paused_cb), self, G_CONNECT_SWAPPED);
}

/**
 * ear_library_open:
 * @self: the library
 * @error: return location
 *
 * Opens the catalogue, so that lists have rows at once. Quick; nothing is fetched.
 *
 * Returns: %FALSE if the data directory cannot be used at all
 */
gboolean
ear_library_open (EarLibrary *self, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *state_directory = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  if (g_mkdir_with_parents (self->data_directory, 0700) != 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", self->data_directory, g_strerror (code));
      return FALSE;
    }
  path = g_build_filename (self->data_directory, "catalogue.db", NULL);
  state_directory = g_build_filename (self->data_directory, "state", NULL);
  self->catalogue = ear_catalogue_open (path, error);
  if (self->catalogue == NULL)
    return FALSE;

  self->state = ear_state_store_new (state_directory);
  self->refresher = ear_refresher_new (self->catalogue, self->http, self->keyring);
  set_up_schedule (self);
  self->keeper = ear_position_keeper_new (self->player, self->catalogue, self->state);
  self->subscriptions = ear_subscriptions_new (self->catalogue, self->state);
  self->upkeep = ear_upkeep_new (self->catalogue, self->state, self->player, self->refresher);
  g_signal_connect_swapped (self->catalogue, "notify", G_CALLBACK (forward_notify_cb), self);
  g_signal_connect_swapped (self->catalogue, "damaged", G_CALLBACK (catalogue_damaged_cb), self);
  g_signal_connect_swapped (self->catalogue, "indexing", G_CALLBACK (indexing_cb), self);
  g_signal_connect_swapped (self->catalogue, "damage-found", G_CALLBACK (catalogue_damage_found_cb), self);
  g_signal_connect_swapped (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_inserted_cb), self);
  g_signal_connect_swapped (self->catalogue, "episodes-arrived", G_CALLBACK (ear_library_note_arrivals), self);
  g_signal_connect_swapped (self->catalogue, "episodes-renamed", G_CALLBACK (episodes_renamed_cb), self);
  g_signal_connect_swapped (self->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), self);
  g_signal_connect_swapped (self->state, "podcast-changed", G_CALLBACK (state_changed_cb), self);
  ear_library_follow_settings (self);
  g_signal_connect_swapped (self->state, "damaged", G_CALLBACK (state_damaged_cb), self);
  g_signal_connect_swapped (self->state, "failed", G_CALLBACK (state_failed_cb), self);
  g_signal_connect_object (self->refresher, "notify::refreshing", G_CALLBACK (forward_notify_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::total", G_CALLBACK (refresh_progressed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::done", G_CALLBACK (refresh_progressed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (refreshed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "started", G_CALLBACK (started_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "followed", G_CALLBACK (followed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "unfollowed", G_CALLBACK (unfollowed_cb), self, G_CONNECT_SWAPPED);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCASTS]);

  return TRUE;
}

/**
 * ear_library_start:
 * @self: an open library
 * @welcome: (nullable): an OPML file to follow on the very first start
 *
 * Begins what takes time: reads the listened state, refreshes the feeds, puts the last
 * episode back into the player. Called after the first frame.
 */
void
ear_library_start (EarLibrary *self, GFile *welcome)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->subscriptions != NULL);

  ear_subscriptions_start (self->subscriptions, welcome);
  ear_catalogue_look_through (self->catalogue);
  ear_upkeep_start (self->upkeep, UPKEEP_PAUSE_MS);
}

/**
 * ear_library_start_for_errand:
 * @self: an open library
 *
 * Begins as [method@EarLibrary.start] does, for one piece of work that somebody waits for and
 * nobody listens to: nothing is put into the player, fetched by itself, copied or looked through.
 */
void
ear_library_start_for_errand (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (self->subscriptions != NULL);

  self->errand = TRUE;
  ear_subscriptions_start (self->subscriptions, NULL);
}

static void
catalogue_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  gboolean written = ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, &error);

  ear_catalogue_close (EAR_CATALOGUE (source));
  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
state_flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  EarLibrary *self = g_task_get_source_object (task);

  if (!ear_state_store_flush_finish (EAR_STATE_STORE (source), result, &error))
    g_warning ("The listened state could not be written: %s", error->message);
  ear_catalogue_flush_async (self->catalogue, NULL, catalogue_flushed_cb, g_steal_pointer (&task));
}

/**
 * ear_library_close_async:
 * @self: the library
 * @callback: called when everything is on the disk
 * @user_data: data of the caller
 *
 * Stops playing and fetching, keeps the position, and writes all that is not written
 * yet. The library is of no use afterwards.
 */
void
ear_library_close_async (EarLibrary *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_library_close_async);
  if (self->catalogue == NULL)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->schedule);
  ear_refresher_cancel (self->refresher, NULL);
  ear_position_keeper_save (self->keeper);
  g_clear_object (&self->keeper);
  if (self->upkeep != NULL)
    ear_upkeep_stop (self->upkeep);
  g_clear_object (&self->upkeep);
  ear_player_stop (self->player);
  ear_state_store_flush_async (self->state, NULL, state_flushed_cb, task);
}

/**
 * ear_library_close_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: whether everything was written
 */
gboolean
ear_library_close_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
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
