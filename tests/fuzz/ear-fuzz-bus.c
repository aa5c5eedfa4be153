/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-mpris.h"
#include "ear-player-private.h"
#include "ear-search-provider.h"
#include "ear-test-bus.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "ear-sleep-timer.h"
#include "library-fixture.h"

#include <gst/gst.h>
#include <string.h>

/* Calls of other programs over the session bus, with arguments of the correct type and
 * any content. The library, its player and the bus live as long as the process: opening
 * them takes longer than thousands of calls. */

#define PLAYER_PATH "/org/mpris/MediaPlayer2"
#define SEARCH_PATH EAR_RESOURCE_BASE "/SearchProvider"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define TRACKS "org.mpris.MediaPlayer2.TrackList"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define ACTION "org.gtk.Actions"
#define SEARCH "org.gnome.Shell.SearchProvider2"

typedef struct
{
  const char *interface;
  const char *method;
  const char *type; /* of the arguments */
} Method;

static const Method methods[] = {
  { PLAYER, "Seek", "(x)" },
  { PLAYER, "SetPosition", "(ox)" },
  { PLAYER, "OpenUri", "(s)" },
  { TRACKS, "GetTracksMetadata", "(ao)" },
  { TRACKS, "AddTrack", "(sob)" },
  { TRACKS, "RemoveTrack", "(o)" },
  { TRACKS, "GoTo", "(o)" },
  { PROPERTIES, "Get", "(ss)" },
  { PROPERTIES, "Set", "(ssv)" },
  { SEARCH, "GetInitialResultSet", "(as)" },
  { SEARCH, "GetSubsearchResultSet", "(asas)" },
  { SEARCH, "GetResultMetas", "(as)" },
  { SEARCH, "ActivateResult", "(sasu)" },
  { SEARCH, "LaunchSearch", "(asu)" },
  /* Numeric properties of the player */
  { PLAYER, "Rate", "d" },
  { PLAYER, "Volume", "d" },
  /* Application actions without the window: their parameters reach the functions behind
   * them */
  { ACTION, "seek-by", "x" },
  { ACTION, "sleep", "s" },
  { ACTION, "open-episode-at", "(sx)" },
};

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
  EarSearchProvider *provider;
  char *folder;
} Session;

static Session *session;

static const char feed[] = "<rss version=\"2.0\"><channel><title>The Lighthouse Hour</title>"
                           "<item><guid>1</guid><title>Lamp</title><enclosure url=\"/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item>"
                           "<item><guid>2</guid><title>Fog</title><description>At 0:30 the horn</description>"
                           "<enclosure url=\"/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item></channel></rss>";

/* Returns: a minute of silence */
static GBytes *
create_sound (void)
{
  static const guint8 head[] = "RIFF\x24\xa6\x0e\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\20\0data\0\xa6\x0e";
  const gsize length = 60 * 8000 * 2;
  guint8 *data = g_malloc0 (sizeof head + length);

  memcpy (data, head, sizeof head);

  return g_bytes_new_take (data, sizeof head + length);
}

static GstElement *
make_sink_cb (GObject *owner)
{
  return gst_element_factory_make ("fakesink", NULL);
}

static char *
describe_cb (EarEpisode *episode)
{
  return g_strdup ("An episode");
}

static gboolean
has_rows (void)
{
  return g_list_model_get_n_items (G_LIST_MODEL (session->list)) == 2;
}

static void
end_session (void)
{
  g_clear_object (&session->provider);
  g_clear_object (&session->mpris);
  g_clear_object (&session->list);
  ear_player_stop (ear_library_get_player (session->library));
  library_fixture_close (&session->library);
  g_clear_object (&session->application);
  ear_test_server_stop (session->server);
  g_clear_object (&session->server);
  g_clear_object (&session->ours);
  g_clear_object (&session->theirs);
  ear_test_bus_stop (session->bus);
  ear_test_folder_remove (session->folder);
  g_clear_pointer (&session->folder, g_free);
  g_clear_pointer (&session, g_free);
}

static void
begin_session (void)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);
  g_autoptr (GBytes) sound = create_sound ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *address = NULL;
  g_autofree char *data = NULL;
  g_autofree char *cache = NULL;

  /* The fuzzer runs without the environment variables of the tests. */
  g_setenv ("GSETTINGS_BACKEND", "memory", FALSE);
  g_setenv ("GSETTINGS_SCHEMA_DIR", SCHEMAS, FALSE);
  gst_init (NULL, NULL);
  session = g_new0 (Session, 1);
  session->bus = ear_test_bus_start ();
  session->ours = ear_test_bus_connect (session->bus);
  session->theirs = ear_test_bus_connect (session->bus);
  session->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (session->server, &error));
  ear_test_server_put (session->server, "/feed.xml", "application/rss+xml", feed);
  ear_test_server_put_bytes (session->server, "/tone.wav", "audio/x-wav", sound);

  session->folder = g_dir_make_tmp ("earmark-fuzz-XXXXXX", NULL);
  data = g_build_filename (session->folder, "data", NULL);
  cache = g_build_filename (session->folder, "cache", NULL);
  session->library = ear_library_new (data, cache);
  ear_player_set_sink (ear_library_get_player (session->library), make_sink_cb, NULL);
  g_assert_true (ear_library_open (session->library, &error));
  ear_library_start (session->library, NULL, FALSE);
  address = ear_test_server_dup_url (session->server, 1, "/feed.xml");
  ear_subscriptions_follow (ear_library_get_subscriptions (session->library), address, NULL);
  session->list = ear_episode_list_new_with_query (ear_library_get_catalogue (session->library), query);
  EAR_TEST_WAIT_UNTIL (has_rows ());

  session->application = g_application_new ("org.example.Fuzz", G_APPLICATION_NON_UNIQUE);
  session->mpris = ear_mpris_new (session->library, session->application, session->ours);
  session->provider = ear_search_provider_new (session->application, session->ours, data, cache, describe_cb);
  ear_search_provider_set_library (session->provider, session->library);
  episode = g_list_model_get_item (G_LIST_MODEL (session->list), 0);
  ear_playback_controller_play (ear_library_get_playback_controller (session->library), episode,
                                session->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_seekable (ear_library_get_player (session->library)));
  atexit (end_session);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  /* A call may fail, but must be answered. */
  g_assert_false (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY));
  g_assert_false (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT));
  *(gboolean *) user_data = TRUE;
}

static void
call (const Method *method, GVariant *arguments)
{
  const gboolean is_search = strcmp (method->interface, SEARCH) == 0;
  EarPlayer *player = ear_library_get_player (session->library);
  gboolean done = FALSE;

  g_dbus_connection_call (session->theirs, g_dbus_connection_get_unique_name (session->ours), is_search ? SEARCH_PATH : PLAYER_PATH,
                          method->interface, method->method, arguments, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, 10000, NULL, called_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (ear_player_get_rate (player) >= 0.5 && ear_player_get_rate (player) <= 4);
  g_assert_true (ear_player_get_volume (player) >= 0 && ear_player_get_volume (player) <= 1);
  g_assert_true (ear_player_get_position (player) >= 0 && ear_player_get_position (player) <= EAR_POSITION_LIMIT);
}

static void
activate (const char *action, GVariant *parameter)
{
  EarPlayer *player = ear_library_get_player (session->library);
  const char *key;
  gint64 time;

  if (strcmp (action, "seek-by") == 0)
    {
      ear_player_skip (player, g_variant_get_int64 (parameter));
    }
  else if (strcmp (action, "sleep") == 0)
    {
      ear_sleep_timer_choose (ear_library_get_sleep_timer (session->library), g_variant_get_string (parameter, NULL));
    }
  else
    {
      g_variant_get (parameter, "(&sx)", &key, &time);
      ear_address_is_hash (key);
      ear_player_seek (player, time);
    }
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

/* The first byte selects the method; the others are its arguments in GVariant's
 * serialization. */
void
ear_fuzz_bus (const guint8 *data, gsize length)
{
  const Method *method = length > 0 ? &methods[data[0] % G_N_ELEMENTS (methods)] : NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) raw = NULL;
  g_autoptr (GVariant) arguments = NULL;

  if (method == NULL)
    return;
  if (session == NULL)
    begin_session ();
  bytes = g_bytes_new (data + 1, length - 1);
  raw = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (method->type), bytes, FALSE));
  arguments = g_variant_get_normal_form (raw);
  if (strcmp (method->interface, ACTION) == 0)
    {
      activate (method->method, arguments);
    }
  else if (*method->type == '(')
    {
      call (method, arguments);
    }
  else
    {
      const Method set = { PROPERTIES, "Set", NULL };

      call (&set, g_variant_new ("(ssv)", PLAYER, method->method, arguments));
    }
}
