/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mpris.h"

#include "ear-mpris-interfaces.h"
#include "ear-mpris-metadata.h"
#include "ear-mpris-tracks.h"

#define OBJECT_PATH "/org/mpris/MediaPlayer2"
#define ROOT_INTERFACE "org.mpris.MediaPlayer2"
#define PLAYER_INTERFACE "org.mpris.MediaPlayer2.Player"
#define MINIMUM_RATE 0.5
#define MAXIMUM_RATE 4.0

/* Milliseconds that the metadata of a new episode waits for its duration and its cover */
#define SETTLE_MS 1000

/**
 * EarMpris:
 *
 * The player on the session bus, following the Media Player Remote Interfacing
 * Specification 2.2. Media keys, the shell's media controls and `playerctl` use it. It
 * mirrors the library and the player. Its only state of its own is whether Stop was
 * called, which Earmark treats as a pause that keeps the position.
 */
struct _EarMpris
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GDBusConnection *connection;
  GCancellable *cancellable;
  GHashTable *announced; /* (element-type utf8 GVariant): last value sent of each property */
  EarMprisTracks *tracks; /* (nullable) */
  char *cover_path;
  guint root_id;
  guint player_id;
  guint name_id;
  guint flush_id;
  guint settle_id;        /* source: until then the metadata of a new episode may be incomplete */
  gboolean loading_cover;
  gboolean stopped;

  /* Borrowed */
  GApplication *application;
};

G_DEFINE_FINAL_TYPE (EarMpris, ear_mpris, G_TYPE_OBJECT)

/* Properties announced when they change. The specification says to read Position, so it
 * is not announced. */
static const char *const announced_properties[] = {
  "PlaybackStatus", "Rate", "Metadata", "Volume",
  "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek",
};

static const char *
get_status (EarMpris *self)
{
  switch (ear_player_get_state (ear_library_get_player (self->library)))
    {
    case EAR_PLAYER_PLAYING:
    case EAR_PLAYER_LOADING:
      return "Playing";
    case EAR_PLAYER_PAUSED:
      return self->stopped ? "Stopped" : "Paused";
    case EAR_PLAYER_EMPTY:
    case EAR_PLAYER_ENDED:
    case EAR_PLAYER_FAILED:
    default:
      return "Stopped";
    }
}

static GVariant *
get_root_property_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                      const char *name, GError **error, gpointer user_data)
{
  if (g_str_equal (name, "CanQuit") || g_str_equal (name, "CanRaise") || g_str_equal (name, "HasTrackList"))
    return g_variant_new_boolean (TRUE);
  if (g_str_equal (name, "Identity"))
    return g_variant_new_string ("Earmark");
  if (g_str_equal (name, "DesktopEntry"))
    return g_variant_new_string (EAR_APP_ID);
  if (g_str_equal (name, "SupportedUriSchemes") || g_str_equal (name, "SupportedMimeTypes"))
    return g_variant_new_strv (NULL, 0);

  /* Fullscreen, CanSetFullscreen */
  return g_variant_new_boolean (FALSE);
}

/* Whether the media keys change the chapter, which is a setting, and a chapter
 * follows in @direction */
static gboolean
goes_to_chapter (EarMpris *self, const char *direction)
{
  gboolean wanted, has;

  g_object_get (ear_library_get_settings (self->library), "media-keys-chapters", &wanted, NULL);
  g_object_get (ear_library_get_chapter_control (self->library), direction, &has, NULL);

  return wanted && has;
}

static GVariant *
get_player_property (EarMpris *self, const char *name)
{
  EarPlayer *player = ear_library_get_player (self->library);
  EarEpisode *episode = ear_player_get_episode (player);
  gboolean playable = episode != NULL && ear_episode_get_enclosure (episode) != NULL;

  if (g_str_equal (name, "PlaybackStatus"))
    return g_variant_new_string (get_status (self));
  if (g_str_equal (name, "Rate"))
    return g_variant_new_double (ear_player_get_rate (player));
  if (g_str_equal (name, "Metadata"))
    return ear_mpris_metadata_new (episode, ear_player_get_duration (player), self->cover_path);
  if (g_str_equal (name, "Volume"))
    return g_variant_new_double (ear_player_get_volume (player));
  if (g_str_equal (name, "Position"))
    return g_variant_new_int64 (ear_player_get_position (player));
  if (g_str_equal (name, "MinimumRate"))
    return g_variant_new_double (MINIMUM_RATE);
  if (g_str_equal (name, "MaximumRate"))
    return g_variant_new_double (MAXIMUM_RATE);
  if (g_str_equal (name, "CanGoNext"))
    return g_variant_new_boolean (ear_play_order_get_can_go_next (ear_library_get_order (self->library)) || goes_to_chapter (self, "has-next"));
  if (g_str_equal (name, "CanGoPrevious"))
    return g_variant_new_boolean (ear_play_order_get_can_go_previous (ear_library_get_order (self->library)) ||
                                  goes_to_chapter (self, "has-previous"));
  if (g_str_equal (name, "CanSeek"))
    return g_variant_new_boolean (playable && ear_player_get_seekable (player));
  if (g_str_equal (name, "CanPlay"))
    return g_variant_new_boolean (
        playable || (episode == NULL &&
                     g_list_model_get_n_items (ear_library_get_podcasts (self->library)) > 0));
  if (g_str_equal (name, "CanPause"))
    return g_variant_new_boolean (playable);

  /* CanControl */
  return g_variant_new_boolean (TRUE);
}

static gboolean
is_settling (EarMpris *self)
{
  return self->settle_id != 0 &&
         (self->loading_cover ||
          ear_player_get_state (ear_library_get_player (self->library)) == EAR_PLAYER_LOADING);
}

/* Announces, in one signal, the properties that changed since the last one. */
static gboolean
flush_changes_cb (gpointer user_data)
{
  EarMpris *self = user_data;
  g_auto (GVariantBuilder) changed = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  gboolean any = FALSE;

  self->flush_id = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (announced_properties); i++)
    {
      const char *name = announced_properties[i];
      g_autoptr (GVariant) value = g_variant_ref_sink (get_player_property (self, name));
      GVariant *before = g_hash_table_lookup (self->announced, name);

      if ((before != NULL && g_variant_equal (before, value)) ||
          (g_str_equal (name, "Metadata") && is_settling (self)))
        continue;
      g_variant_builder_add (&changed, "{sv}", name, value);
      g_hash_table_insert (self->announced, (char *) name, g_steal_pointer (&value));
      any = TRUE;
    }

  if (any)
    g_dbus_connection_emit_signal (self->connection, NULL, OBJECT_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                   g_variant_new ("(s@a{sv}@as)", PLAYER_INTERFACE, g_variant_builder_end (&changed),
                                                  g_variant_new_strv (NULL, 0)),
                                   NULL);

  return G_SOURCE_REMOVE;
}

static void
queue_changes (EarMpris *self)
{
  if (self->flush_id == 0)
    self->flush_id = g_idle_add_full (G_PRIORITY_DEFAULT, flush_changes_cb, self, NULL);
}

static void
settled_cb (gpointer user_data)
{
  EarMpris *self = user_data;

  self->settle_id = 0;
  queue_changes (self);
}

static const char *
get_cover_address (EarEpisode *episode)
{
  EarEpisodeFacts *facts = ear_episode_get_facts (episode);

  return facts->image != NULL ? facts->image : ear_podcast_get_facts (ear_episode_get_podcast (episode))->image;
}

static void
update_cover_path (EarMpris *self)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));
  const char *address = episode != NULL ? get_cover_address (episode) : NULL;

  g_free (self->cover_path);
  self->cover_path = address != NULL ? ear_cover_cache_dup_path (ear_library_get_covers (self->library), address) : NULL;
  queue_changes (self);
}

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, &error);
  EarMpris *self = user_data;

  /* The object may have been disposed. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->loading_cover = FALSE;
  if (image != NULL)
    update_cover_path (self);
  else
    queue_changes (self);
}

static void
episode_changed_cb (EarMpris *self)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));
  const char *address = episode != NULL ? get_cover_address (episode) : NULL;

  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();

  g_clear_handle_id (&self->settle_id, g_source_remove);
  if (episode != NULL)
    self->settle_id = g_timeout_add_once (SETTLE_MS, settled_cb, self);
  update_cover_path (self);
  self->loading_cover = address != NULL && self->cover_path == NULL;
  if (self->loading_cover)
    ear_cover_cache_load_async (ear_library_get_covers (self->library), address, EAR_COVER_LARGE,
                                self->cancellable, cover_loaded_cb, self);
}

static void
state_changed_cb (EarMpris *self)
{
  if (ear_player_get_state (ear_library_get_player (self->library)) != EAR_PLAYER_PAUSED)
    self->stopped = FALSE;
  queue_changes (self);
}

static void
seeked_cb (EarMpris *self, gint64 position)
{
  /* Announce the changes that the seek caused before the seek itself. */
  g_clear_handle_id (&self->flush_id, g_source_remove);
  flush_changes_cb (self);
  g_dbus_connection_emit_signal (self->connection, NULL, OBJECT_PATH, PLAYER_INTERFACE, "Seeked",
                                 g_variant_new ("(x)", position), NULL);
}

static void
handle_root_method_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                       const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  EarMpris *self = user_data;

  if (g_str_equal (method, "Raise"))
    g_application_activate (self->application);
  else
    g_action_group_activate_action (G_ACTION_GROUP (self->application), "quit", NULL);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
stop (EarMpris *self)
{
  EarPlayer *player = ear_library_get_player (self->library);

  if (ear_player_get_episode (player) == NULL)
    return;

  self->stopped = TRUE;
  ear_player_pause (player);
  queue_changes (self);
}

/* Changes the episode, and keeps a paused or stopped player from starting. */
static void
go (EarMpris *self, void (*to) (EarPlaybackController *control))
{
  EarPlayer *player = ear_library_get_player (self->library);
  const EarPlayerState before = ear_player_get_state (player);

  to (ear_library_get_playback_controller (self->library));
  if (before != EAR_PLAYER_PLAYING && before != EAR_PLAYER_LOADING)
    ear_player_pause (player);
}

static void
seek_by (EarMpris *self, gint64 offset)
{
  EarPlayer *player = ear_library_get_player (self->library);
  gint64 duration = ear_player_get_duration (player);
  gint64 position = ear_player_get_position (player);
  gint64 target;

  /* @offset comes from an untrusted peer on the bus. */
  if (!ear_player_get_seekable (player) || __builtin_add_overflow (position, offset, &target))
    return;

  if (duration > 0 && target > duration && ear_play_order_get_can_go_next (ear_library_get_order (self->library)))
    go (self, ear_playback_controller_next);
  else
    ear_player_seek (player, CLAMP (target, 0, duration > 0 ? duration : G_MAXINT64));
}

static void
set_position (EarMpris *self, const char *track_id, gint64 position)
{
  EarPlayer *player = ear_library_get_player (self->library);
  EarEpisode *episode = ear_player_get_episode (player);
  g_autofree char *current = episode != NULL ? ear_mpris_metadata_dup_track_id (episode) : NULL;

  /* Ignore late calls: they name another episode, or a position outside this one. */
  if (g_strcmp0 (track_id, current) != 0 || position < 0 || position > ear_player_get_duration (player))
    return;

  ear_player_seek (player, position);
}

static void
next (EarMpris *self)
{
  if (goes_to_chapter (self, "has-next"))
    ear_chapter_control_next (ear_library_get_chapter_control (self->library));
  else
    go (self, ear_playback_controller_next);
}

static void
previous (EarMpris *self)
{
  /* There is no previous chapter at the start of the first one. */
  if (!goes_to_chapter (self, "has-previous") || !ear_chapter_control_previous (ear_library_get_chapter_control (self->library)))
    go (self, ear_playback_controller_previous);
}

static void
handle_player_method_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                         const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  EarMpris *self = user_data;
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));

  if (g_str_equal (method, "OpenUri"))
    {
      g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR, G_DBUS_ERROR_NOT_SUPPORTED,
                                                     "Earmark plays episodes of the podcasts that it follows");
      return;
    }

  if (g_str_equal (method, "Next"))
    next (self);
  else if (g_str_equal (method, "Previous"))
    previous (self);
  else if (g_str_equal (method, "PlayPause") && episode != NULL)
    ear_playback_controller_toggle (ear_library_get_playback_controller (self->library), NULL,
                                    NULL);
  else if (g_str_equal (method, "Play") || g_str_equal (method, "PlayPause"))
    ear_playback_controller_resume_async (ear_library_get_playback_controller (self->library), NULL,
                                          NULL);
  else if (g_str_equal (method, "Pause"))
    ear_player_pause (ear_library_get_player (self->library));
  else if (g_str_equal (method, "Stop"))
    stop (self);
  else if (g_str_equal (method, "Seek"))
    {
      gint64 offset;

      g_variant_get (parameters, "(x)", &offset);
      seek_by (self, offset);
    }
  else if (g_str_equal (method, "SetPosition"))
    {
      const char *track_id;
      gint64 position;

      g_variant_get (parameters, "(&ox)", &track_id, &position);
      set_position (self, track_id, position);
    }
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static GVariant *
get_player_property_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                        const char *property, GError **error, gpointer user_data)
{
  return get_player_property (user_data, property);
}

static gboolean
set_player_property_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                        const char *property, GVariant *value, GError **error, gpointer user_data)
{
  EarMpris *self = user_data;
  EarPlayer *player = ear_library_get_player (self->library);
  double number = g_variant_get_double (value);

  if (number != number)
    {
      g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS, "Not a number");
      return FALSE;
    }

  if (g_str_equal (property, "Volume"))
    ear_player_set_volume (player, CLAMP (number, 0, 1));
  else if (number == 0)
    ear_player_pause (player);
  else
    ear_player_set_rate (player, CLAMP (number, MINIMUM_RATE, MAXIMUM_RATE));

  return TRUE;
}

static const GDBusInterfaceVTable root_vtable = {
  .method_call = handle_root_method_cb,
  .get_property = get_root_property_cb,
};

static const GDBusInterfaceVTable player_vtable = {
  .method_call = handle_player_method_cb,
  .get_property = get_player_property_cb,
  .set_property = set_player_property_cb,
};

static void
ear_mpris_dispose (GObject *object)
{
  EarMpris *self = EAR_MPRIS (object);

  g_clear_handle_id (&self->flush_id, g_source_remove);
  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_handle_id (&self->name_id, g_bus_unown_name);
  if (self->root_id != 0)
    g_dbus_connection_unregister_object (self->connection, self->root_id);
  if (self->player_id != 0)
    g_dbus_connection_unregister_object (self->connection, self->player_id);
  self->root_id = 0;
  self->player_id = 0;
  g_clear_object (&self->tracks);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->library);
  g_clear_object (&self->connection);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->announced, g_hash_table_unref);
  g_clear_pointer (&self->cover_path, g_free);

  G_OBJECT_CLASS (ear_mpris_parent_class)->dispose (object);
}

static void
ear_mpris_class_init (EarMprisClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_mpris_dispose;
}

static void
ear_mpris_init (EarMpris *self)
{
  self->cancellable = g_cancellable_new ();
  self->announced = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_variant_unref);
}

static void
watch_library (EarMpris *self)
{
  static const char *const of_player[] = {
    "notify::rate", "notify::volume", "notify::seekable", "notify::duration",
  };
  EarPlayer *player = ear_library_get_player (self->library);

  for (gsize i = 0; i < G_N_ELEMENTS (of_player); i++)
    g_signal_connect_object (player, of_player[i], G_CALLBACK (queue_changes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_order (self->library), "notify", G_CALLBACK (queue_changes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_chapter_control (self->library), "notify", G_CALLBACK (queue_changes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::media-keys-chapters", G_CALLBACK (queue_changes), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_catalogue (self->library), "notify::n-new", G_CALLBACK (queue_changes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "seeked", G_CALLBACK (seeked_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
}

/**
 * ear_mpris_new:
 * @library: the library with the player
 * @application: the application to raise and quit; must outlive the object
 * @connection: the session bus
 *
 * Registers the player as `org.mpris.MediaPlayer2.` and the application id.
 *
 * Returns: (transfer full): the player on the bus
 */
EarMpris *
ear_mpris_new (EarLibrary *library, GApplication *application, GDBusConnection *connection)
{
  EarMpris *self = g_object_new (EAR_TYPE_MPRIS, NULL);
  g_autoptr (GError) error = NULL;

  self->library = g_object_ref (library);
  self->application = application;
  self->connection = g_object_ref (connection);
  watch_library (self);
  episode_changed_cb (self);

  self->root_id = g_dbus_connection_register_object (connection, OBJECT_PATH, (GDBusInterfaceInfo *) &org_mpris_media_player2_interface,
                                                     &root_vtable, self, NULL, &error);
  if (error == NULL)
    self->player_id = g_dbus_connection_register_object (connection, OBJECT_PATH, (GDBusInterfaceInfo *) &org_mpris_media_player2_player_interface,
                                                         &player_vtable, self, NULL, &error);
  if (error == NULL)
    self->tracks = ear_mpris_tracks_new (library, connection, OBJECT_PATH, &error);
  if (error != NULL)
    g_info ("No media controls: %s", error->message);
  else
    self->name_id = g_bus_own_name_on_connection (connection, ROOT_INTERFACE "." EAR_APP_ID, G_BUS_NAME_OWNER_FLAGS_NONE,
                                                  NULL, NULL, NULL, NULL);

  return self;
}
