/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mpris-tracks.h"

#include "ear-mpris-interfaces.h"
#include "ear-mpris-metadata.h"

#define INTERFACE "org.mpris.MediaPlayer2.TrackList"

/* Limit of the tracks on the bus. Up Next may be longer. */
#define MOST_TRACKS 100

/* Track of an empty player, as the specification defines it */
#define NO_TRACK "/org/mpris/MediaPlayer2/TrackList/NoTrack"

/**
 * EarMprisTracks:
 *
 * Up Next on the session bus: the interface TrackList of the Media Player Remote
 * Interfacing Specification 2.2. Lists the current episode, unless it is in Up Next, and
 * then Up Next. Clients can read the list and play one of its tracks, but not edit it.
 */
struct _EarMprisTracks
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GDBusConnection *connection;
  char *object_path;
  GVariant *announced; /* (nullable): tracks announced last */
  guint id;
  guint change_id;
};

G_DEFINE_FINAL_TYPE (EarMprisTracks, ear_mpris_tracks, G_TYPE_OBJECT)

static GPtrArray *
list_episodes (EarMprisTracks *self)
{
  GListModel *queue = G_LIST_MODEL (ear_queue_get_list (ear_library_get_queue (self->library)));
  EarEpisode *current = ear_player_get_episode (ear_library_get_player (self->library));
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < MIN (g_list_model_get_n_items (queue), MOST_TRACKS); i++)
    {
      EarEpisode *episode = g_list_model_get_item (queue, i);

      if (episode != NULL)
        g_ptr_array_add (episodes, episode);
    }
  if (current != NULL && !g_ptr_array_find (episodes, current, NULL))
    g_ptr_array_insert (episodes, 0, g_object_ref (current));

  return episodes;
}

static GVariant *
create_tracks (EarMprisTracks *self)
{
  g_autoptr (GPtrArray) episodes = list_episodes (self);
  g_auto (GVariantBuilder) tracks = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_OBJECT_PATH_ARRAY);

  for (guint i = 0; i < episodes->len; i++)
    {
      g_autofree char *id = ear_mpris_metadata_dup_track_id (g_ptr_array_index (episodes, i));

      g_variant_builder_add (&tracks, "o", id);
    }

  return g_variant_builder_end (&tracks);
}

static EarEpisode *
find_episode (GPtrArray *episodes, const char *track)
{
  for (guint i = 0; i < episodes->len; i++)
    {
      g_autofree char *id = ear_mpris_metadata_dup_track_id (g_ptr_array_index (episodes, i));

      if (g_str_equal (id, track))
        return g_ptr_array_index (episodes, i);
    }

  return NULL;
}

/* Metadata of the requested tracks that are on the list, in the requested order. */
static GVariant *
create_metadata (EarMprisTracks *self, GVariant *wanted)
{
  g_autoptr (GPtrArray) episodes = list_episodes (self);
  g_auto (GVariantBuilder) all = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));
  GVariantIter iter;
  const char *track;

  g_variant_iter_init (&iter, wanted);
  for (guint i = 0; i < 2 * MOST_TRACKS && g_variant_iter_next (&iter, "&o", &track); i++)
    {
      EarEpisode *episode = find_episode (episodes, track);

      if (episode != NULL)
        g_variant_builder_add_value (&all, ear_mpris_metadata_new (episode, ear_episode_get_duration (episode), NULL));
    }

  return g_variant_builder_end (&all);
}

static void
go_to (EarMprisTracks *self, const char *track)
{
  g_autoptr (GPtrArray) episodes = list_episodes (self);
  EarEpisode *episode = find_episode (episodes, track);

  if (episode != NULL)
    ear_playback_controller_play (ear_library_get_playback_controller (self->library), episode,
                                  NULL);
}

/* AddTrack and RemoveTrack do nothing, as the specification demands if
 * CanEditTracks is false. */
static void
handle_method_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
                  GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  EarMprisTracks *self = user_data;
  GVariant *reply = NULL;

  if (g_str_equal (method, "GetTracksMetadata"))
    {
      g_autoptr (GVariant) wanted = g_variant_get_child_value (parameters, 0);

      reply = g_variant_new ("(@aa{sv})", create_metadata (self, wanted));
    }
  else if (g_str_equal (method, "GoTo"))
    {
      const char *track;

      g_variant_get (parameters, "(&o)", &track);
      go_to (self, track);
    }
  g_dbus_method_invocation_return_value (invocation, reply);
}

static GVariant *
get_property_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
                 GError **error, gpointer user_data)
{
  if (g_str_equal (name, "Tracks"))
    return create_tracks (user_data);

  /* CanEditTracks */
  return g_variant_new_boolean (FALSE);
}

static const GDBusInterfaceVTable vtable = {
  .method_call = handle_method_cb,
  .get_property = get_property_cb,
};

static gboolean
tell_change_cb (gpointer user_data)
{
  EarMprisTracks *self = user_data;
  EarEpisode *current = ear_player_get_episode (ear_library_get_player (self->library));
  g_auto (GVariantBuilder) changed = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) tracks = g_variant_ref_sink (create_tracks (self));
  g_autofree char *track = current != NULL ? ear_mpris_metadata_dup_track_id (current) : g_strdup (NO_TRACK);

  self->change_id = 0;
  g_dbus_connection_emit_signal (self->connection, NULL, self->object_path, INTERFACE, "TrackListReplaced",
                                 g_variant_new ("(@aoo)", tracks, track), NULL);
  if (self->announced != NULL && g_variant_equal (self->announced, tracks))
    return G_SOURCE_REMOVE;
  g_clear_pointer (&self->announced, g_variant_unref);
  self->announced = g_variant_ref (tracks);
  /* Contains the value, although the specification only invalidates this property:
   * clients may take a signal without values for no change. */
  g_variant_builder_add (&changed, "{sv}", "Tracks", tracks);
  g_dbus_connection_emit_signal (self->connection, NULL, self->object_path,
                                 "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                 g_variant_new ("(s@a{sv}@as)", INTERFACE,
                                                g_variant_builder_end (&changed),
                                                g_variant_new_strv (NULL, 0)),
                                 NULL);

  return G_SOURCE_REMOVE;
}

static void
changed_cb (EarMprisTracks *self)
{
  if (self->change_id == 0)
    self->change_id = g_idle_add_full (G_PRIORITY_DEFAULT, tell_change_cb, self, NULL);
}

static void
ear_mpris_tracks_dispose (GObject *object)
{
  EarMprisTracks *self = EAR_MPRIS_TRACKS (object);

  g_clear_handle_id (&self->change_id, g_source_remove);
  if (self->id != 0)
    g_dbus_connection_unregister_object (self->connection, self->id);
  self->id = 0;
  g_clear_pointer (&self->announced, g_variant_unref);
  g_clear_object (&self->connection);
  g_clear_object (&self->library);
  g_clear_pointer (&self->object_path, g_free);

  G_OBJECT_CLASS (ear_mpris_tracks_parent_class)->dispose (object);
}

static void
ear_mpris_tracks_class_init (EarMprisTracksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_mpris_tracks_dispose;
}

static void
ear_mpris_tracks_init (EarMprisTracks *self)
{
}

/* Registers the list at the object path of the player. */
EarMprisTracks *
ear_mpris_tracks_new (EarLibrary *library, GDBusConnection *connection, const char *object_path, GError **error)
{
  g_autoptr (EarMprisTracks) self = g_object_new (EAR_TYPE_MPRIS_TRACKS, NULL);

  self->library = g_object_ref (library);
  self->connection = g_object_ref (connection);
  self->object_path = g_strdup (object_path);
  self->id = g_dbus_connection_register_object (connection, object_path, (GDBusInterfaceInfo *) &org_mpris_media_player2_track_list_interface,
                                                &vtable, self, NULL, error);
  if (self->id == 0)
    return NULL;
  g_signal_connect_object (ear_queue_get_list (ear_library_get_queue (library)), "items-changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_player (library), "notify::episode", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);

  return g_steal_pointer (&self);
}
