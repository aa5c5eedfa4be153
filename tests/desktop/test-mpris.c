/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-library.h"
#include "ear-mpris.h"
#include "ear-mpris-metadata.h"
#include "ear-player-private.h"
#include "ear-suspend-inhibitor.h"
#include "ear-test-bus.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

#define NAME "org.mpris.MediaPlayer2." EAR_APP_ID
#define PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define TRACKS "org.mpris.MediaPlayer2.TrackList"

/* A library with the demo podcast's first episodes on a private bus, and a D-Bus client
 * with a connection of its own, like any other program. */
typedef struct
{
  EarTestBus *bus;
  GDBusConnection *ours;
  GDBusConnection *theirs;
  GApplication *application;
  EarTestServer *server;
  EarLibrary *library;
  EarEpisodeList *list;
  EarMpris *mpris;
  char *folder;
  GPtrArray *changes;   /* (element-type GVariant): every a{sv} of PropertiesChanged */
  GArray *seeked;       /* (element-type gint64) */
  guint n_replaced; /* signals TrackListReplaced */
  guint n_activated;
  guint n_quit;
} Fixture;

static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* The service runs in this process too, so a blocking call would deadlock. */
static GVariant *
call (Fixture *fixture, const char *interface, const char *method, GVariant *parameters, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_dbus_connection_call (fixture->theirs, NAME, PATH, interface, method, parameters, NULL,
                          G_DBUS_CALL_FLAGS_NONE, 10000, NULL, called_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return g_dbus_connection_call_finish (fixture->theirs, result, error);
}

static void
call_player (Fixture *fixture, const char *method, GVariant *parameters)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = call (fixture, PLAYER, method, parameters, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reply);
}

static GVariant *
get (Fixture *fixture, const char *interface, const char *property)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
    call (fixture, "org.freedesktop.DBus.Properties", "Get", g_variant_new ("(ss)", interface, property), &error);
  g_autoptr (GVariant) boxed = NULL;

  g_assert_no_error (error);
  boxed = g_variant_get_child_value (reply, 0);

  return g_variant_get_variant (boxed);
}

static char *
get_status (Fixture *fixture)
{
  g_autoptr (GVariant) value = get (fixture, PLAYER, "PlaybackStatus");

  return g_variant_dup_string (value, NULL);
}

static gint64
get_position (Fixture *fixture)
{
  g_autoptr (GVariant) value = get (fixture, PLAYER, "Position");

  return g_variant_get_int64 (value);
}

static gboolean
get_boolean (Fixture *fixture, const char *property)
{
  g_autoptr (GVariant) value = get (fixture, PLAYER, property);

  return g_variant_get_boolean (value);
}

static void
set (Fixture *fixture, const char *property, GVariant *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
    call (fixture, "org.freedesktop.DBus.Properties", "Set", g_variant_new ("(ssv)", PLAYER, property, value), &error);

  g_assert_no_error (error);
}

static void
signal_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
           const char *name, GVariant *parameters, gpointer user_data)
{
  Fixture *fixture = user_data;

  if (g_str_equal (name, "Seeked"))
    {
      gint64 position;

      g_variant_get (parameters, "(x)", &position);
      g_array_append_val (fixture->seeked, position);
    }
  else if (g_str_equal (name, "TrackListReplaced"))
    fixture->n_replaced++;
  else if (g_str_equal (name, "PropertiesChanged"))
    g_ptr_array_add (fixture->changes, g_variant_get_child_value (parameters, 1));
}

static gboolean
was_announced (Fixture *fixture, const char *property)
{
  for (guint i = 0; i < fixture->changes->len; i++)
    {
      g_autoptr (GVariant) value = g_variant_lookup_value (g_ptr_array_index (fixture->changes, i), property, NULL);

      if (value != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
activate_cb (Fixture *fixture)
{
  fixture->n_activated++;
}

static void
quit_cb (Fixture *fixture)
{
  fixture->n_quit++;
}

static gboolean
has_rows (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) >= 4;
}

static gboolean
has_owner (Fixture *fixture, const char *name)
{
  g_autoptr (GVariant) reply =
    g_dbus_connection_call_sync (fixture->theirs, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "NameHasOwner", g_variant_new ("(s)", name), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  gboolean owned;

  g_variant_get (reply, "(b)", &owned);

  return owned;
}

static gboolean
is_named (Fixture *fixture)
{
  return has_owner (fixture, NAME);
}

static void
put_feed (Fixture *fixture)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                                           " xmlns:psc=\"http://podlove.org/simple-chapters\"><channel>"
                                           "<title>The Lighthouse Hour</title><itunes:author>Ada &amp; Bo</itunes:author>"
                                           "<itunes:image href=\"/cover.png\"/>");

  for (guint i = 1; i <= 3; i++)
    g_string_append_printf (feed,
                            "<item><guid>%u</guid><title>Lamp %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                            "<link>/lamp/%u</link><itunes:episode>%u</itunes:episode>"
                            "<enclosure url=\"/audio/tone.wav\" type=\"audio/x-wav\" length=\"1\"/>%s</item>",
                            i, i, i, i, i,
                            i == 1 ? "<psc:chapters><psc:chapter start=\"0\" title=\"A\"/><psc:chapter start=\"20\" title=\"B\"/>"
                                     "<psc:chapter start=\"40\" title=\"C\"/></psc:chapters>" : "");
  /* An episode without media, which Next skips. */
  g_string_append (feed, "<item><guid>post</guid><title>A post</title><pubDate>Mon, 01 Jan 2024 18:00:00 +0000</pubDate></item>");
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

/* Serves a WAV file with 60 s of a quiet square wave. */
static void
put_audio (Fixture *fixture)
{
  const guint32 rate = 8000, seconds = 60, bytes = rate * seconds * 2;
  g_autofree guint8 *data = g_malloc0 (44 + bytes);
  guint32 values[] = { GUINT32_TO_LE (36 + bytes), GUINT32_TO_LE (16), GUINT32_TO_LE (rate), GUINT32_TO_LE (rate * 2), GUINT32_TO_LE (bytes) };

  memcpy (data, "RIFF....WAVEfmt ....\1\0\1\0........\2\0\20\0data....", 44);
  memcpy (data + 4, &values[0], 4);
  memcpy (data + 16, &values[1], 4);
  memcpy (data + 24, &values[2], 4);
  memcpy (data + 28, &values[3], 4);
  memcpy (data + 40, &values[4], 4);
  for (guint32 i = 0; i < bytes; i += 2)
    data[44 + i + 1] = (i / 16) % 2 ? 2 : 0;
  g_autoptr (GBytes) audio = g_bytes_new_take (g_steal_pointer (&data), 44 + bytes);
  ear_test_server_put_bytes (fixture->server, "/audio/tone.wav", "audio/x-wav", audio);
}

/* A silent sink in real time. */
static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *address = NULL;
  g_autofree char *data_folder = NULL;
  g_autofree char *cache_folder = NULL;
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);
  g_autoptr (GSimpleAction) quit = g_simple_action_new ("quit", NULL);

  fixture->bus = ear_test_bus_start ();
  fixture->ours = ear_test_bus_connect (fixture->bus);
  fixture->theirs = ear_test_bus_connect (fixture->bus);
  fixture->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  fixture->seeked = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_dbus_connection_signal_subscribe (fixture->theirs, NAME, NULL, NULL, PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, signal_cb, fixture, NULL);

  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  put_feed (fixture);
  put_audio (fixture);

  fixture->folder = g_dir_make_tmp ("earmark-mpris-XXXXXX", NULL);
  data_folder = g_build_filename (fixture->folder, "data", NULL);
  cache_folder = g_build_filename (fixture->folder, "cache", NULL);
  fixture->library = ear_library_new (data_folder, cache_folder);
  ear_player_set_sink (ear_library_get_player (fixture->library), make_sink_cb, NULL);
  g_assert_true (ear_library_open (fixture->library, &error));
  ear_library_start (fixture->library, NULL, FALSE);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (has_rows (fixture));

  fixture->application = g_application_new ("org.example.Mpris", G_APPLICATION_NON_UNIQUE);
  g_signal_connect_swapped (fixture->application, "activate", G_CALLBACK (activate_cb), fixture);
  g_signal_connect_swapped (quit, "activate", G_CALLBACK (quit_cb), fixture);
  g_action_map_add_action (G_ACTION_MAP (fixture->application), G_ACTION (quit));
  g_assert_true (g_application_register (fixture->application, NULL, &error));
  fixture->mpris = ear_mpris_new (fixture->library, fixture->application, fixture->ours);
  EAR_TEST_WAIT_UNTIL (is_named (fixture));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->mpris);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  g_clear_object (&fixture->application);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  g_clear_object (&fixture->ours);
  g_clear_object (&fixture->theirs);
  ear_test_bus_stop (fixture->bus);
  g_ptr_array_unref (fixture->changes);
  g_array_unref (fixture->seeked);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarEpisode *
play (Fixture *fixture, guint row)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), row);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                fixture->list);

  return episode;
}

static gboolean
is_playing (Fixture *fixture)
{
  return ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_PLAYING;
}

static gboolean
is_paused (Fixture *fixture)
{
  return ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_PAUSED;
}

static gboolean
is_seekable (Fixture *fixture)
{
  return is_playing (fixture) && ear_player_get_seekable (ear_library_get_player (fixture->library)) &&
         ear_player_get_duration (ear_library_get_player (fixture->library)) > 0;
}

static gboolean
has_seeked (Fixture *fixture)
{
  return fixture->seeked->len > 0;
}

static void
test_root (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) entry = get (fixture, "org.mpris.MediaPlayer2", "DesktopEntry");
  g_autoptr (GVariant) identity = get (fixture, "org.mpris.MediaPlayer2", "Identity");
  g_autoptr (GVariant) track_list = get (fixture, "org.mpris.MediaPlayer2", "HasTrackList");
  g_autoptr (GVariant) raised = NULL;
  g_autoptr (GVariant) quit = NULL;

  g_assert_cmpstr (g_variant_get_string (entry, NULL), ==, EAR_APP_ID);
  g_assert_cmpstr (g_variant_get_string (identity, NULL), ==, "Earmark");
  g_assert_true (g_variant_get_boolean (track_list));
  raised = call (fixture, "org.mpris.MediaPlayer2", "Raise", NULL, NULL);
  g_assert_cmpuint (fixture->n_activated, ==, 1);
  quit = call (fixture, "org.mpris.MediaPlayer2", "Quit", NULL, NULL);
  g_assert_cmpuint (fixture->n_quit, ==, 1);
}

static gboolean
is_in_player (Fixture *fixture, const char *title)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (fixture->library));

  return episode != NULL && g_strcmp0 (ear_episode_get_title (episode), title) == 0 && is_seekable (fixture);
}

static gboolean
is_heard (EarEpisode *episode)
{
  return ear_episode_get_position (episode) > 0;
}

/* With an empty player, Play resumes the last episode, else it starts the newest one. */
static void
test_plays_something (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);
  g_autoptr (EarEpisode) third = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  g_assert_true (get_boolean (fixture, "CanPlay"));
  g_assert_false (get_boolean (fixture, "CanPause"));
  call_player (fixture, "PlayPause", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 3"));

  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), second,
                                NULL, 20 * G_USEC_PER_SEC);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 2"));
  /* Keep the catalogue's writer busy when the position is stored. */
  for (guint i = 0; i < 3000; i++)
    ear_catalogue_set_duration (ear_library_get_catalogue (fixture->library), first,
                                (60 + i % 2) * G_TIME_SPAN_SECOND);
  EAR_TEST_WAIT_UNTIL (is_heard (second));
  ear_player_pause (player);
  ear_player_stop (player);
  g_assert_null (ear_player_get_episode (ear_library_get_player (fixture->library)));
  call_player (fixture, "Play", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 2"));
  g_assert_cmpint (get_position (fixture), >=, 20 * (gint64) G_USEC_PER_SEC);

  /* The last episode was played to its end: the newest unplayed one follows. */
  ear_player_stop (player);
  ear_history_set_mark (ear_library_get_history (fixture->library), second, EAR_MARK_LISTENED, TRUE);
  call_player (fixture, "Play", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 3"));

  /* If no last episode is left, Up Next comes first. */
  ear_player_stop (player);
  ear_history_set_mark (ear_library_get_history (fixture->library), third, EAR_MARK_LISTENED, TRUE);
  g_ptr_array_add (episodes, first);
  ear_queue_add_last (ear_library_get_queue (fixture->library), episodes);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (ear_library_get_queue (fixture->library)))) == 1);
  call_player (fixture, "Play", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 1"));
}

static guint
count_tracks (Fixture *fixture)
{
  g_autoptr (GVariant) tracks = get (fixture, TRACKS, "Tracks");

  return (guint) g_variant_n_children (tracks);
}

/* The track list holds the current episode and Up Next, announces changes, and
 * can be navigated. */
static void
test_track_list (Fixture *fixture, gconstpointer data)
{
  static const char *const titles[] = { "Lamp 1", "Lamp 3", "Lamp 2" };
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);
  g_autoptr (EarEpisode) third = g_list_model_get_item (G_LIST_MODEL (fixture->list), 3);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();
  g_autoptr (GVariant) tracks = NULL;
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) track = NULL;
  g_autoptr (GVariant) gone = NULL;
  g_autoptr (GVariant) unchanged = NULL;

  g_assert_cmpuint (count_tracks (fixture), ==, 0);
  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture));
  g_assert_cmpuint (count_tracks (fixture), ==, 1);
  fixture->n_replaced = 0;
  g_ptr_array_add (episodes, third);
  g_ptr_array_add (episodes, second);
  ear_queue_add_last (ear_library_get_queue (fixture->library), episodes);
  EAR_TEST_WAIT_UNTIL (fixture->n_replaced > 0 && count_tracks (fixture) == 3);

  tracks = get (fixture, TRACKS, "Tracks");
  all = call (fixture, TRACKS, "GetTracksMetadata", g_variant_new ("(@ao)", tracks), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autoptr (GVariant) list = g_variant_get_child_value (all, 0);
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      const char *title = NULL;

      g_assert_true (g_variant_lookup (one, "xesam:title", "&s", &title));
      g_assert_cmpstr (title, ==, titles[i]);
    }

  /* Clients cannot edit the list, nor go to a track outside it. */
  track = g_variant_get_child_value (tracks, 2);
  unchanged = call (fixture, TRACKS, "RemoveTrack", g_variant_new ("(@o)", track), NULL);
  g_assert_nonnull (unchanged);
  g_clear_pointer (&unchanged, g_variant_unref);
  unchanged = call (fixture, TRACKS, "GoTo", g_variant_new ("(o)", "/org/mpris/MediaPlayer2/TrackList/NoTrack"), NULL);
  g_assert_cmpuint (count_tracks (fixture), ==, 3);
  g_assert_true (is_in_player (fixture, "Lamp 1"));
  gone = call (fixture, TRACKS, "GoTo", g_variant_new ("(@o)", track), NULL);
  EAR_TEST_WAIT_UNTIL (is_in_player (fixture, "Lamp 2"));
  g_assert_cmpuint (count_tracks (fixture), ==, 2);
}

/* Next and Previous keep a paused player paused, as the specification demands. */
static void
test_next_stays_paused (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);

  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture));
  call_player (fixture, "Pause", NULL);
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_duration (player) > 0 && ear_player_get_state (player) == EAR_PLAYER_PAUSED);
  g_assert_cmpstr (ear_episode_get_title (ear_player_get_episode (player)), ==, "Lamp 2");
  call_player (fixture, "Previous", NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_duration (player) > 0 && ear_player_get_state (player) == EAR_PLAYER_PAUSED);
  g_assert_cmpstr (ear_episode_get_title (ear_player_get_episode (player)), ==, "Lamp 1");
  call_player (fixture, "Play", NULL);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture));
}

static void
test_nothing_to_play (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);
  g_autofree char *status = get_status (fixture);
  g_autoptr (GVariant) metadata = get (fixture, PLAYER, "Metadata");

  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), podcast);
  g_assert_cmpstr (status, ==, "Stopped");
  g_assert_cmpuint (g_variant_n_children (metadata), ==, 0);
  g_assert_false (get_boolean (fixture, "CanPlay"));
  g_assert_false (get_boolean (fixture, "CanSeek"));
  g_assert_false (get_boolean (fixture, "CanGoNext"));
  g_assert_true (get_boolean (fixture, "CanControl"));
  /* All methods are harmless with an empty player. */
  call_player (fixture, "PlayPause", NULL);
  call_player (fixture, "Play", NULL);
  call_player (fixture, "Stop", NULL);
  call_player (fixture, "Next", NULL);
  call_player (fixture, "Seek", g_variant_new ("(x)", G_MAXINT64));
  call_player (fixture, "SetPosition", g_variant_new ("(ox)", "/", G_MININT64));
}

/* The name of an episode without a title is its podcast's. */
static void
test_untitled (void)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, "https://example.org/feed");
  g_autoptr (EarEpisode) episode = ear_episode_new (7, podcast, "guid");
  g_autoptr (GVariant) metadata = NULL;
  const char *text;

  ear_podcast_set_title (podcast, "Lamps");
  metadata = g_variant_ref_sink (ear_mpris_metadata_new (episode, 0, NULL));
  g_assert_true (g_variant_lookup (metadata, "xesam:title", "&s", &text));
  g_assert_cmpstr (text, ==, "Lamps");
}

static void
test_play_and_pause (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = play (fixture, 0);
  g_autofree char *track_id = ear_mpris_metadata_dup_track_id (episode);
  const char *text;

  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  EAR_TEST_WAIT_UNTIL (was_announced (fixture, "PlaybackStatus") && was_announced (fixture, "Metadata") &&
                       was_announced (fixture, "CanSeek"));
  g_autofree char *playing = get_status (fixture);
  g_assert_cmpstr (playing, ==, "Playing");
  g_autoptr (GVariant) metadata = get (fixture, PLAYER, "Metadata");
  g_assert_true (g_variant_lookup (metadata, "mpris:trackid", "&o", &text));
  g_assert_cmpstr (text, ==, track_id);
  g_assert_true (g_variant_lookup (metadata, "xesam:title", "&s", &text));
  g_assert_cmpstr (text, ==, "Lamp 1");
  g_assert_true (g_variant_lookup (metadata, "xesam:album", "&s", &text));
  g_assert_cmpstr (text, ==, "The Lighthouse Hour");
  g_autofree const char **artists = NULL;
  g_assert_true (g_variant_lookup (metadata, "xesam:artist", "^a&s", &artists));
  g_assert_cmpstr (artists[0], ==, "Ada & Bo");
  gint64 length;
  g_assert_true (g_variant_lookup (metadata, "mpris:length", "x", &length));
  g_assert_cmpint (length, ==, 60 * (gint64) G_USEC_PER_SEC);
  g_assert_false (was_announced (fixture, "Position"));

  call_player (fixture, "PlayPause", NULL);
  EAR_TEST_WAIT_UNTIL (is_paused (fixture));
  g_autofree char *paused = get_status (fixture);
  g_assert_cmpstr (paused, ==, "Paused");

  /* Stop keeps the position, from which Play continues. */
  call_player (fixture, "Stop", NULL);
  g_autofree char *stopped = get_status (fixture);
  g_assert_cmpstr (stopped, ==, "Stopped");
  call_player (fixture, "Play", NULL);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture));
}

static void
test_seek (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = play (fixture, 0);
  g_autofree char *track_id = ear_mpris_metadata_dup_track_id (episode);

  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  call_player (fixture, "Pause", NULL);
  EAR_TEST_WAIT_UNTIL (is_paused (fixture));
  ear_test_spin (100);
  /* Signals sent before the reply arrive before it. */
  get_position (fixture);
  g_array_set_size (fixture->seeked, 0);

  call_player (fixture, "SetPosition", g_variant_new ("(ox)", track_id, 30 * (gint64) G_USEC_PER_SEC));
  EAR_TEST_WAIT_UNTIL (has_seeked (fixture));
  g_assert_cmpint (ABS (g_array_index (fixture->seeked, gint64, 0) - 30 * (gint64) G_USEC_PER_SEC), <, G_USEC_PER_SEC / 5);
  g_assert_cmpint (ABS (get_position (fixture) - 30 * (gint64) G_USEC_PER_SEC), <, G_USEC_PER_SEC / 5);

  g_array_set_size (fixture->seeked, 0);
  call_player (fixture, "Seek", g_variant_new ("(x)", -10 * (gint64) G_USEC_PER_SEC));
  EAR_TEST_WAIT_UNTIL (has_seeked (fixture));
  g_assert_cmpint (ABS (get_position (fixture) - 20 * (gint64) G_USEC_PER_SEC), <, G_USEC_PER_SEC / 5);

  /* Late or invalid calls move nothing. */
  g_array_set_size (fixture->seeked, 0);
  call_player (fixture, "SetPosition", g_variant_new ("(ox)", "/org/example/another", (gint64) 0));
  call_player (fixture, "SetPosition", g_variant_new ("(ox)", track_id, (gint64) -1));
  call_player (fixture, "SetPosition", g_variant_new ("(ox)", track_id, 61 * (gint64) G_USEC_PER_SEC));
  ear_test_spin (200);
  g_assert_cmpuint (fixture->seeked->len, ==, 0);

  /* A seek before the beginning leads to the beginning. */
  call_player (fixture, "Seek", g_variant_new ("(x)", -G_MAXINT64 / 2));
  EAR_TEST_WAIT_UNTIL (has_seeked (fixture));
  g_assert_cmpint (get_position (fixture), <, G_USEC_PER_SEC / 5);
}

static gboolean
is_second (Fixture *fixture)
{
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (fixture->library));

  return episode != NULL && g_strcmp0 (ear_episode_get_title (episode), "Lamp 2") == 0 && is_seekable (fixture);
}

static void
test_next_and_previous (Fixture *fixture, gconstpointer data)
{
  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  g_assert_true (get_boolean (fixture, "CanGoNext"));
  g_assert_false (get_boolean (fixture, "CanGoPrevious"));
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  g_assert_true (get_boolean (fixture, "CanGoPrevious"));

  /* A seek past the end acts like Next. */
  call_player (fixture, "Previous", NULL);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  call_player (fixture, "Seek", g_variant_new ("(x)", 600 * (gint64) G_USEC_PER_SEC));
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  call_player (fixture, "Next", NULL);
  ear_test_spin (50);
  g_assert_false (get_boolean (fixture, "CanGoNext"));
}

/* Whether the first episode plays, at @seconds */
static gboolean
is_in_first_at (Fixture *fixture, gint64 seconds)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  const gint64 position = ear_player_get_position (player);

  return ear_player_get_episode (player) != NULL && g_strcmp0 (ear_episode_get_title (ear_player_get_episode (player)), "Lamp 1") == 0 &&
         is_seekable (fixture) && position >= seconds * G_USEC_PER_SEC && position < (seconds + 3) * G_USEC_PER_SEC;
}

static gboolean
has_next_chapter (Fixture *fixture)
{
  gboolean has_next;

  g_object_get (ear_library_get_chapter_control (fixture->library), "has-next", &has_next, NULL);

  return has_next;
}

/* With the setting, Next and Previous change the chapter, and from the last and first
 * chapter the episode. */
static void
test_chapters (Fixture *fixture, gconstpointer data)
{
  EarSettings *settings = ear_library_get_settings (fixture->library);

  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture) && has_next_chapter (fixture));
  g_assert_false (get_boolean (fixture, "CanGoPrevious"));
  g_ptr_array_set_size (fixture->changes, 0);
  g_object_set (settings, "media-keys-chapters", TRUE, NULL);
  EAR_TEST_WAIT_UNTIL (was_announced (fixture, "CanGoPrevious"));
  g_assert_true (get_boolean (fixture, "CanGoPrevious"));

  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_first_at (fixture, 20));
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_first_at (fixture, 40));
  call_player (fixture, "Previous", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_first_at (fixture, 20));
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_first_at (fixture, 40));
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));

  /* The second episode has no chapters. */
  g_assert_true (get_boolean (fixture, "CanGoNext"));
  call_player (fixture, "Previous", NULL);
  EAR_TEST_WAIT_UNTIL (is_in_first_at (fixture, 40));
  g_object_set (settings, "media-keys-chapters", FALSE, NULL);
  call_player (fixture, "Next", NULL);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
}

static void
play_to_the_end (Fixture *fixture, guint row)
{
  play (fixture, row);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  g_ptr_array_set_size (fixture->changes, 0);
  ear_player_seek (ear_library_get_player (fixture->library), 59 * (gint64) G_USEC_PER_SEC);
}

static gboolean
has_ended (Fixture *fixture)
{
  return ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_ENDED;
}

static void
test_continues (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);

  /* The second episode is partly played and resumes there. */
  play (fixture, 2);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  ear_player_seek (ear_library_get_player (fixture->library), 20 * (gint64) G_USEC_PER_SEC);
  EAR_TEST_WAIT_UNTIL (is_heard (second));

  play_to_the_end (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  g_assert_cmpint (get_position (fixture), >=, 20 * (gint64) G_USEC_PER_SEC);
  g_assert_true (ear_episode_get_listened (first));
  g_assert_cmpint (ear_episode_get_position (first), ==, 0);

  /* The desktop sees uninterrupted playback, with new metadata. */
  EAR_TEST_WAIT_UNTIL (was_announced (fixture, "Metadata"));
  for (guint i = 0; i < fixture->changes->len; i++)
    {
      const char *status;

      if (g_variant_lookup (g_ptr_array_index (fixture->changes, i), "PlaybackStatus", "&s", &status))
        g_assert_cmpstr (status, ==, "Playing");
    }
}

static void
test_ends (Fixture *fixture, gconstpointer data)
{
  EarSettings *settings = ear_library_get_settings (fixture->library);

  /* The last episode has no successor. */
  play_to_the_end (fixture, 3);
  EAR_TEST_WAIT_UNTIL (has_ended (fixture));

  g_object_set (settings, "continuous", FALSE, NULL);
  play_to_the_end (fixture, 0);
  EAR_TEST_WAIT_UNTIL (has_ended (fixture));
  ear_test_spin (50);
  g_assert_true (has_ended (fixture));
  g_assert_cmpstr (ear_episode_get_title (ear_player_get_episode (ear_library_get_player (fixture->library))), ==, "Lamp 1");
  g_object_set (settings, "continuous", TRUE, NULL);
}

/* An episode that was not started from a list, for example from a notification, is
 * followed by the later ones of its podcast. */
static void
test_continues_in_the_podcast (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), first,
                                NULL);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture) && get_boolean (fixture, "CanGoNext"));
  ear_player_seek (ear_library_get_player (fixture->library), 59 * (gint64) G_USEC_PER_SEC);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
}

/* Each property of the new episode is announced once, and no announcement is empty. */
static void
test_announces_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) said = g_string_new (NULL);

  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  ear_test_spin (300);
  g_ptr_array_set_size (fixture->changes, 0);
  play (fixture, 2);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  ear_test_spin (300);
  for (guint i = 0; i < fixture->changes->len; i++)
    {
      GVariant *changes = g_ptr_array_index (fixture->changes, i);
      g_autoptr (GVariant) metadata = g_variant_lookup_value (changes, "Metadata", NULL);
      g_autofree char *text = g_variant_print (changes, FALSE);

      g_test_message ("%s", text);
      g_assert_cmpuint (g_variant_n_children (changes), >, 0);
      if (metadata != NULL)
        g_string_append_c (said, 'm');
    }
  g_assert_cmpstr (said->str, ==, "m");
}

static void
test_rate_and_volume (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player = ear_library_get_player (fixture->library);
  gboolean muted;

  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  set (fixture, "Rate", g_variant_new_double (1.5));
  g_assert_cmpfloat (ear_player_get_rate (player), ==, 1.5);
  set (fixture, "Rate", g_variant_new_double (99));
  g_assert_cmpfloat (ear_player_get_rate (player), <=, 4);
  set (fixture, "Volume", g_variant_new_double (0.5));
  g_assert_cmpfloat_with_epsilon (ear_player_get_volume (player), 0.5, 0.001);
  set (fixture, "Volume", g_variant_new_double (-3));
  g_assert_cmpfloat_with_epsilon (ear_player_get_volume (player), 0, 0.001);
  /* MPRIS has no mute, so setting the volume unmutes. */
  g_object_set (player, "muted", TRUE, NULL);
  set (fixture, "Volume", g_variant_new_double (0.25));
  g_object_get (player, "muted", &muted, NULL);
  g_assert_false (muted);
  EAR_TEST_WAIT_UNTIL (was_announced (fixture, "Rate") && was_announced (fixture, "Volume"));
  set (fixture, "Rate", g_variant_new_double (1));
  set (fixture, "Volume", g_variant_new_double (1));
  set (fixture, "Rate", g_variant_new_double (0));
  EAR_TEST_WAIT_UNTIL (is_paused (fixture));
}

static void
spawned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
playerctl (Fixture *fixture, const char *command, const char *argument)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  char *output = NULL;

  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS", ear_test_bus_get_address (fixture->bus), TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, "playerctl", "-p", EAR_APP_ID, command, argument, NULL);
  g_assert_nonnull (process);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, spawned_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_subprocess_communicate_utf8_finish (process, result, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (process));

  return g_strstrip (output);
}

static void
test_playerctl (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_find_program_in_path ("playerctl");

  if (program == NULL)
    {
      g_test_skip ("playerctl is not installed");
      return;
    }
  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_seekable (fixture));
  g_autofree char *status = playerctl (fixture, "status", NULL);
  g_assert_cmpstr (status, ==, "Playing");
  g_autofree char *title = playerctl (fixture, "metadata", "title");
  g_assert_cmpstr (title, ==, "Lamp 1");
  g_autofree char *paused = playerctl (fixture, "pause", NULL);
  EAR_TEST_WAIT_UNTIL (is_paused (fixture));
  g_autofree char *moved = playerctl (fixture, "position", "25");
  EAR_TEST_WAIT_UNTIL (ABS (get_position (fixture) - 25 * (gint64) G_USEC_PER_SEC) < G_USEC_PER_SEC * 3 / 10);
  g_autofree char *position = playerctl (fixture, "position", NULL);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (position, NULL), 25, 0.3);
}

/* A desktop portal that grants each request and counts them. */
typedef struct
{
  guint n_inhibited;
  guint n_closed;
} Portal;

static void
portal_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
           GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Portal *portal = user_data;

  if (g_str_equal (method, "Inhibit"))
    {
      guint flags;

      g_variant_get (parameters, "(su@a{sv})", NULL, &flags, NULL);
      g_assert_cmpuint (flags, ==, 4);
      portal->n_inhibited++;
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", "/org/freedesktop/portal/desktop/request/1"));
    }
  else
    {
      portal->n_closed++;
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
}

static gboolean
is_inhibited (Fixture *fixture)
{
  return ear_suspend_inhibitor_get_active (g_object_get_data (G_OBJECT (fixture->library), "inhibitor"));
}

static void
test_inhibit (Fixture *fixture, gconstpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = portal_cb };
  const char *xml = "<node><interface name='org.freedesktop.portal.Inhibit'><method name='Inhibit'><arg type='s' direction='in'/>"
                    "<arg type='u' direction='in'/><arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method></interface>"
                    "<interface name='org.freedesktop.portal.Request'><method name='Close'/></interface></node>";
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (xml, NULL);
  Portal portal = { 0 };
  guint name;

  g_dbus_connection_register_object (fixture->theirs, "/org/freedesktop/portal/desktop", info->interfaces[0], &vtable, &portal, NULL, NULL);
  g_dbus_connection_register_object (fixture->theirs, "/org/freedesktop/portal/desktop/request/1", info->interfaces[1], &vtable, &portal, NULL, NULL);
  name = g_bus_own_name_on_connection (fixture->theirs, "org.freedesktop.portal.Desktop", G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
  EAR_TEST_WAIT_UNTIL (has_owner (fixture, "org.freedesktop.portal.Desktop"));

  EarSuspendInhibitor *inhibitor = ear_suspend_inhibitor_new (ear_library_get_player (fixture->library), fixture->ours);
  g_object_set_data (G_OBJECT (fixture->library), "inhibitor", inhibitor);
  ear_test_spin (50);
  g_assert_false (is_inhibited (fixture));
  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_inhibited (fixture));
  g_assert_cmpuint (portal.n_inhibited, ==, 1);

  /* The inhibitor lasts from one episode to the next. */
  play_to_the_end (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_second (fixture));
  g_assert_true (is_inhibited (fixture));
  g_assert_cmpuint (portal.n_inhibited, ==, 1);
  g_assert_cmpuint (portal.n_closed, ==, 0);

  g_assert_finalize_object (inhibitor);
  EAR_TEST_WAIT_UNTIL (portal.n_closed > 0);
  g_assert_cmpuint (portal.n_closed, ==, 1);
  g_bus_unown_name (name);
}

/* A library that is opened again can own the same name. */
static void
test_goes_while_a_cover_comes (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/cover.png", "/~mute/cover.png");
  play (fixture, 0);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture));
  g_assert_finalize_object (fixture->mpris);
  g_assert_false (is_named (fixture));
  fixture->mpris = ear_mpris_new (fixture->library, fixture->application, fixture->ours);
  EAR_TEST_WAIT_UNTIL (is_named (fixture));
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/mpris/root", test_root);
  ADD ("/mpris/nothing-to-play", test_nothing_to_play);
  ADD ("/mpris/plays-something", test_plays_something);
  ADD ("/mpris/play-and-pause", test_play_and_pause);
  ADD ("/mpris/seek", test_seek);
  ADD ("/mpris/next-and-previous", test_next_and_previous);
  ADD ("/mpris/next-stays-paused", test_next_stays_paused);
  ADD ("/mpris/track-list", test_track_list);
  ADD ("/mpris/chapters", test_chapters);
  ADD ("/mpris/continues", test_continues);
  ADD ("/mpris/ends", test_ends);
  ADD ("/mpris/continues-in-the-podcast", test_continues_in_the_podcast);
  ADD ("/mpris/announces-once", test_announces_once);
  ADD ("/mpris/rate-and-volume", test_rate_and_volume);
  ADD ("/mpris/playerctl", test_playerctl);
  ADD ("/mpris/goes-while-a-cover-comes", test_goes_while_a_cover_comes);
  ADD ("/inhibit/portal", test_inhibit);
  g_test_add_func ("/mpris/untitled", test_untitled);

  return g_test_run ();
}
