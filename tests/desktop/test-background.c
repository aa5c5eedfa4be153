/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "paths.h"

#include <gst/gst.h>

#include "ear-background.h"
#include "ear-player-private.h"
#include "ear-test-bus.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PATH "/org/freedesktop/portal/desktop"

static const char interfaces[] =
  "<node><interface name='org.freedesktop.portal.Background'>"
  "  <method name='RequestBackground'><arg type='s'/><arg type='a{sv}'/><arg type='o' direction='out'/></method>"
  "  <method name='SetStatus'><arg type='a{sv}'/></method>"
  "</interface></node>";

/* A library with a playable episode on a private bus, and a portal whose answers
 * the test controls. */
typedef struct
{
  EarTestBus *bus;
  GDBusConnection *ours;
  GDBusConnection *theirs;
  GDBusNodeInfo *info;
  guint portal; /* registration id, or 0 */
  EarTestServer *server;
  EarLibrary *library;
  EarEpisodeList *list;
  EarBackground *background;
  char *folder;
  char *autostart;    /* path of the autostart file */
  char *sender;       /* sender of the last request */
  char *request;      /* object path of the last request */
  GVariant *options;  /* of the last unanswered request */
  guint n_requests;
  char *status;       /* last status set */
} Fixture;

static void
call_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
         GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autofree char *name = g_strdelimit (g_strdup (sender + 1), ".", '_');
  g_autoptr (GVariant) options = NULL;
  const char *token;

  if (g_str_equal (method, "SetStatus"))
    {
      options = g_variant_get_child_value (parameters, 0);
      g_clear_pointer (&fixture->status, g_free);
      g_assert_true (g_variant_lookup (options, "message", "s", &fixture->status));
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }

  g_assert_null (fixture->options);
  fixture->options = g_variant_get_child_value (parameters, 1);
  g_assert_true (g_variant_lookup (fixture->options, "handle_token", "&s", &token));
  g_free (fixture->request);
  fixture->request = g_strdup_printf (PATH "/request/%s/%s", name, token);
  g_set_str (&fixture->sender, sender);
  fixture->n_requests++;
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", fixture->request));
}

static void
open_portal (Fixture *fixture)
{
  static const GDBusInterfaceVTable table = { .method_call = call_cb };
  g_autoptr (GVariant) reply = NULL;

  fixture->info = g_dbus_node_info_new_for_xml (interfaces, NULL);
  fixture->portal = g_dbus_connection_register_object (fixture->theirs, PATH, fixture->info->interfaces[0], &table, fixture, NULL, NULL);
  reply = g_dbus_connection_call_sync (fixture->theirs, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                       "RequestName", g_variant_new ("(su)", PORTAL, 4u), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  g_assert_nonnull (reply);
}

/* Waits for a request.
 * Returns: whether it asks for autostart */
static gboolean
wait_for_request (Fixture *fixture)
{
  gboolean autostart;

  EAR_TEST_WAIT_UNTIL (fixture->options != NULL);
  g_assert_true (g_variant_lookup (fixture->options, "autostart", "b", &autostart));

  return autostart;
}

static void
answer (Fixture *fixture, guint response, gboolean background, gboolean autostart)
{
  g_auto (GVariantDict) results = G_VARIANT_DICT_INIT (NULL);

  wait_for_request (fixture);
  g_clear_pointer (&fixture->options, g_variant_unref);
  g_variant_dict_insert (&results, "background", "b", background);
  g_variant_dict_insert (&results, "autostart", "b", autostart);
  g_assert_true (g_dbus_connection_emit_signal (fixture->theirs, fixture->sender, fixture->request, "org.freedesktop.portal.Request",
                                                "Response",
                                                g_variant_new ("(u@a{sv})", response, g_variant_dict_end (&results)), NULL));
}

static void
wait_for_status (Fixture *fixture, const char *status)
{
  EAR_TEST_WAIT_UNTIL (g_strcmp0 (fixture->status, status) == 0);
}

static gboolean
has_file (Fixture *fixture)
{
  return g_file_test (fixture->autostart, G_FILE_TEST_EXISTS);
}

static void
set_refresh (Fixture *fixture, gboolean wanted)
{
  g_object_set (ear_library_get_settings (fixture->library), "background-refresh", wanted, NULL);
}

/* Serves a WAV file with ten seconds of silence. */
static void
put_audio (Fixture *fixture)
{
  const guint32 rate = 8000, bytes = rate * 10 * 2;
  g_autofree guint8 *data = g_malloc0 (44 + bytes);
  const guint32 values[] = { GUINT32_TO_LE (36 + bytes), GUINT32_TO_LE (16), GUINT32_TO_LE (rate), GUINT32_TO_LE (rate * 2), GUINT32_TO_LE (bytes) };
  const guint offsets[] = { 4, 16, 24, 28, 40 };

  memcpy (data, "RIFF....WAVEfmt ....\1\0\1\0........\2\0\20\0data....", 44);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    memcpy (data + offsets[i], &values[i], 4);
  g_autoptr (GBytes) audio = g_bytes_new_take (g_steal_pointer (&data), 44 + bytes);
  ear_test_server_put_bytes (fixture->server, "/tone.wav", "audio/x-wav", audio);
}

static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

static void
open_library (Fixture *fixture)
{
  g_autofree char *data = g_build_filename (fixture->folder, "data", NULL);
  g_autofree char *cache = g_build_filename (fixture->folder, "cache", NULL);
  g_autofree char *address = NULL;
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL);

  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>P</title><item><guid>1</guid><title>Lamp &lt;i&gt;1</title>"
                       "<enclosure url=\"/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item></channel></rss>");
  put_audio (fixture);
  fixture->library = ear_library_new (data, cache);
  ear_player_set_sink (ear_library_get_player (fixture->library), make_sink_cb, NULL);
  g_assert_true (ear_library_open (fixture->library, NULL));
  ear_library_start (fixture->library, NULL, FALSE);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 1);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->bus = ear_test_bus_start ();
  fixture->ours = ear_test_bus_connect (fixture->bus);
  fixture->theirs = ear_test_bus_connect (fixture->bus);
  if (data == NULL)
    open_portal (fixture);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  fixture->folder = g_dir_make_tmp ("earmark-background-XXXXXX", NULL);
  fixture->autostart = g_build_filename (g_get_user_config_dir (), "autostart", EAR_APP_ID ".desktop", NULL);
  open_library (fixture);
  fixture->background = ear_background_new (fixture->library, fixture->ours);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  /* The answer to a request may be pending. */
  g_assert_finalize_object (fixture->background);
  /* The settings in memory are shared by all tests. */
  set_refresh (fixture, FALSE);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  g_clear_object (&fixture->ours);
  /* The last request may still be on its way. */
  if (fixture->portal != 0)
    g_dbus_connection_unregister_object (fixture->theirs, fixture->portal);
  g_clear_object (&fixture->theirs);
  ear_test_bus_stop (fixture->bus);
  g_clear_pointer (&fixture->info, g_dbus_node_info_unref);
  g_clear_pointer (&fixture->options, g_variant_unref);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->autostart);
  g_free (fixture->request);
  g_free (fixture->sender);
  g_free (fixture->status);
}

static void
play (Fixture *fixture)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                fixture->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_PLAYING);
}

/* The name of an episode without a title is its podcast's. */
static void
test_untitled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;

  ear_test_server_put (fixture->server, "/untitled.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Lamps</title><item><guid>2</guid>"
                       "<enclosure url=\"/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item></channel></rss>");
  address = ear_test_server_dup_url (fixture->server, 1, "/untitled.xml");
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
  play (fixture);
  g_assert_null (ear_episode_get_title (ear_player_get_episode (ear_library_get_player (fixture->library))));
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, TRUE, FALSE);
  wait_for_status (fixture, "Playing “Lamps”");
}

static gboolean
is_refused (Fixture *fixture)
{
  gboolean refused;

  g_object_get (fixture->background, "refused", &refused, NULL);

  return refused;
}

static void
test_playing (Fixture *fixture, gconstpointer data)
{
  g_autofree const char **command = NULL;
  gboolean activatable;
  const char *reason;

  /* There is no request while there is a window, or nothing plays. */
  play (fixture);
  g_assert_cmpuint (fixture->n_requests, ==, 0);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  g_assert_false (wait_for_request (fixture));
  g_assert_true (g_variant_lookup (fixture->options, "reason", "&s", &reason));
  g_assert_cmpstr (reason, ==, "Earmark plays in the background");
  g_assert_true (g_variant_lookup (fixture->options, "commandline", "^a&s", &command));
  g_assert_cmpstr (command[0], ==, "earmark");
  g_assert_cmpstr (command[1], ==, "--gapplication-service");
  g_assert_true (g_variant_lookup (fixture->options, "dbus-activatable", "b", &activatable));
  g_assert_true (activatable);
  answer (fixture, 0, TRUE, FALSE);
  wait_for_status (fixture, "Playing “Lamp ‹i›1”");
  g_assert_false (is_refused (fixture));

  /* One permission lasts until there is a window again. */
  ear_player_pause (ear_library_get_player (fixture->library));
  wait_for_status (fixture, "Paused");
  play (fixture);
  wait_for_status (fixture, "Playing “Lamp ‹i›1”");
  g_assert_cmpuint (fixture->n_requests, ==, 1);
  g_object_set (fixture->background, "in-background", FALSE, NULL);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, TRUE, FALSE);
  g_assert_cmpuint (fixture->n_requests, ==, 2);
  g_assert_false (has_file (fixture));
}

/* A download continues in the background too; the reason prefers playback. */
static void
test_downloading (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *address = NULL;
  const char *reason;

  ear_test_server_put (fixture->server, "/slow.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Slow</title><item><guid>3</guid>"
                       "<enclosure url=\"/~slow=40000/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item></channel></rss>");
  address = ear_test_server_dup_url (fixture->server, 1, "/slow.xml");
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
  episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  if (g_strcmp0 (ear_episode_get_guid (episode), "3") != 0)
    {
      g_object_unref (episode);
      episode = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);
    }
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_running (ear_library_get_downloader (fixture->library)));
  g_assert_cmpuint (fixture->n_requests, ==, 0);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  g_assert_false (wait_for_request (fixture));
  g_assert_true (g_variant_lookup (fixture->options, "reason", "&s", &reason));
  g_assert_cmpstr (reason, ==, "Earmark downloads episodes in the background");
  answer (fixture, 0, TRUE, FALSE);
  wait_for_status (fixture, "Downloading episodes");
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE);
  wait_for_status (fixture, "Paused");
}

static void
test_refresh (Fixture *fixture, gconstpointer data)
{
  set_refresh (fixture, TRUE);
  g_assert_true (wait_for_request (fixture));
  answer (fixture, 0, TRUE, TRUE);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, TRUE, TRUE);
  wait_for_status (fixture, "Checking for new episodes");
  g_assert_false (is_refused (fixture));
  g_assert_false (has_file (fixture));

  /* Playback does not drop autostart from the request. */
  g_object_set (fixture->background, "in-background", FALSE, NULL);
  play (fixture);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  g_assert_true (wait_for_request (fixture));
  answer (fixture, 0, TRUE, TRUE);

  set_refresh (fixture, FALSE);
  g_assert_false (wait_for_request (fixture));
  answer (fixture, 0, TRUE, FALSE);
}

static void
refused_cb (guint *n_told)
{
  (*n_told)++;
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  guint n_told = 0;

  g_signal_connect_swapped (fixture->background, "notify::refused", G_CALLBACK (refused_cb), &n_told);
  set_refresh (fixture, TRUE);
  answer (fixture, 1, FALSE, FALSE);
  EAR_TEST_WAIT_UNTIL (is_refused (fixture));
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_false (has_file (fixture));

  /* The listener may decide differently the next time. */
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, FALSE, FALSE);
  g_object_set (fixture->background, "in-background", FALSE, NULL);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, TRUE, TRUE);
  EAR_TEST_WAIT_UNTIL (!is_refused (fixture));
  g_assert_cmpuint (n_told, ==, 2);
}

/* The setting changes before the portal answers. */
static void
test_slow_answer (Fixture *fixture, gconstpointer data)
{
  set_refresh (fixture, TRUE);
  g_assert_true (wait_for_request (fixture));
  set_refresh (fixture, FALSE);
  set_refresh (fixture, TRUE);
  set_refresh (fixture, FALSE);
  answer (fixture, 0, TRUE, TRUE);
  g_assert_false (wait_for_request (fixture));
  answer (fixture, 0, TRUE, FALSE);
  g_assert_cmpuint (fixture->n_requests, ==, 2);
}

static void
test_no_answer (Fixture *fixture, gconstpointer data)
{
  set_refresh (fixture, TRUE);
  g_assert_true (wait_for_request (fixture));
}

/* Another peer, and a malformed signal, cannot answer for the portal. */
static void
test_stranger (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sender = NULL;

  set_refresh (fixture, TRUE);
  wait_for_request (fixture);
  g_dbus_connection_emit_signal (fixture->ours, fixture->sender, fixture->request, "org.freedesktop.portal.Request", "Response",
                                 g_variant_new_parsed ("(@u 1, @a{sv} {})"), NULL);
  g_dbus_connection_emit_signal (fixture->theirs, fixture->sender, fixture->request, "org.freedesktop.portal.Request", "Response",
                                 g_variant_new_parsed ("('no', 1)"), NULL);
  answer (fixture, 0, TRUE, TRUE);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  answer (fixture, 0, TRUE, TRUE);
  wait_for_status (fixture, "Checking for new episodes");
  g_assert_false (is_refused (fixture));
}

static void
test_no_portal (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_assert_false (has_file (fixture));
  set_refresh (fixture, TRUE);
  EAR_TEST_WAIT_UNTIL (has_file (fixture));
  g_assert_true (g_file_get_contents (fixture->autostart, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\nExec=" EAR_PROGRAM " --gapplication-service\n"));
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_assert_true (g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE, NULL));
  g_assert_false (is_refused (fixture));

  play (fixture);
  g_object_set (fixture->background, "in-background", TRUE, NULL);
  set_refresh (fixture, FALSE);
  EAR_TEST_WAIT_UNTIL (!has_file (fixture));
  g_assert_false (is_refused (fixture));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, function) g_test_add ("/background/" path, Fixture, data, set_up, function, tear_down)
  ADD ("playing", NULL, test_playing);
  ADD ("downloading", NULL, test_downloading);
  ADD ("untitled", NULL, test_untitled);
  ADD ("refresh", NULL, test_refresh);
  ADD ("refused", NULL, test_refused);
  ADD ("slow-answer", NULL, test_slow_answer);
  ADD ("no-answer", NULL, test_no_answer);
  ADD ("stranger", NULL, test_stranger);
  ADD ("no-portal", "none", test_no_portal);
#undef ADD

  return g_test_run ();
}
