/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-library.h"
#include "ear-notification-text.h"
#include "ear-notifier.h"
#include "ear-test-bus.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "notification-daemon.h"

#define APPLICATION "io.github.earmark_app.Notifier"
#define BREATH 50

/* connection of the notification daemon, for all tests */
static GDBusConnection *theirs;

/* A library with podcasts that get new episodes, an application on the bus, and a
 * notification daemon. GNOTIFICATION_BACKEND selects GIO's backend. */
typedef struct
{
  NotificationDaemon *daemon;
  GApplication *application;
  EarTestServer *server;
  EarLibrary *library;
  EarNotifier *notifier;
  char *folder;
  GString *done; /* activated actions, with their targets */
} Fixture;

static void
activated_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autofree char *name = g_action_print_detailed_name (g_action_get_name (G_ACTION (action)), parameter);

  g_string_append (fixture->done, name);
}

static void
append_item (GString *feed, const char *name, guint number)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) published = g_date_time_add_hours (now, (int) number - 50);
  g_autofree char *date = g_date_time_format (published, "%a, %d %b %Y %H:00:00 +0000");

  g_string_append_printf (feed,
                          "<item><guid>%s%u</guid><title>%s%u</title><pubDate>%s</pubDate>"
                          "<enclosure url=\"/audio/%s%u.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>",
                          name, number, name, number, date, name, number);
}

static void
put_feed (Fixture *fixture, const char *name, guint n_episodes)
{
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel>");

  g_string_append_printf (feed, "<title>Podcast %s</title><image><url>/cover.png</url></image>", name);
  for (guint i = n_episodes; i > 0; i--)
    append_item (feed, name, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, path, "application/rss+xml", feed->str);
}

static EarPodcast *
follow (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);
  EarPodcast *podcast;

  put_feed (fixture, name, 2);
  podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast) && ear_podcast_get_checked (podcast) > 0);

  return podcast;
}

static void
refresh (Fixture *fixture, EarPodcast *podcast)
{
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
}

static void
open_library (Fixture *fixture)
{
  fixture->library = library_fixture_open (fixture->folder);
  fixture->notifier = ear_notifier_new (fixture->library, fixture->application);
  ear_notifier_set_breath (fixture->notifier, BREATH);
}

static void
close_library (Fixture *fixture)
{
  g_assert_finalize_object (g_steal_pointer (&fixture->notifier));
  library_fixture_close (&fixture->library);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const GActionEntry entries[] = {
    { "show-episode", activated_cb, "s" },
    { "play-episode", activated_cb, "s" },
    { "show-new", activated_cb },
  };
  g_autoptr (GError) error = NULL;

  if (data == NULL)
    fixture->daemon = notification_daemon_new (theirs);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  fixture->folder = g_dir_make_tmp ("earmark-notifier-XXXXXX", NULL);
  fixture->done = g_string_new (NULL);

  fixture->application = g_application_new (APPLICATION, G_APPLICATION_DEFAULT_FLAGS);
  g_action_map_add_action_entries (G_ACTION_MAP (fixture->application), entries, G_N_ELEMENTS (entries), fixture);
  g_assert_true (g_application_register (fixture->application, NULL, &error));
  open_library (fixture);
}

static void
pinged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  *(gboolean *) user_data = TRUE;
}

/* Waits until GIO has received its replies: before that it cannot
 * withdraw a notification. */
static void
wait_for_replies (Fixture *fixture)
{
  gboolean pinged = FALSE;

  g_dbus_connection_call (g_application_get_dbus_connection (fixture->application), "org.freedesktop.Notifications",
                          "/org/freedesktop/Notifications", "org.freedesktop.DBus.Peer", "Ping", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, pinged_cb, &pinged);
  EAR_TEST_WAIT_UNTIL (pinged);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_library (fixture);
  /* GIO crashes if the daemon or the bus disappears while a notification is shown. */
  wait_for_replies (fixture);
  g_application_withdraw_notification (fixture->application, EAR_NOTIFIER_ID);
  EAR_TEST_WAIT_UNTIL (notification_daemon_get_n_shown (fixture->daemon) == 0);
  g_clear_object (&fixture->application);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  g_clear_pointer (&fixture->daemon, notification_daemon_free);
  g_string_free (fixture->done, TRUE);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static EarEpisode *
dup_newest (Fixture *fixture, EarPodcast *podcast)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (list)) > 0);

  return g_list_model_get_item (G_LIST_MODEL (list), 0);
}

/* Waits until exactly one notification is shown, with this title. */
static const Notification *
wait_for (Fixture *fixture, const char *title)
{
  const Notification *notification;

  EAR_TEST_WAIT_UNTIL ((notification = notification_daemon_get (fixture->daemon, APPLICATION)) != NULL &&
                       g_str_equal (notification->title, title));
  wait_for_replies (fixture);

  return notification;
}

static void
wait_until_gone (Fixture *fixture)
{
  EAR_TEST_WAIT_UNTIL (notification_daemon_get_n_shown (fixture->daemon) == 0);
}

static void
wait_until_done (Fixture *fixture, const char *action)
{
  EAR_TEST_WAIT_UNTIL (g_str_equal (fixture->done->str, action));
  g_string_set_size (fixture->done, 0);
}

static void
test_one (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "a");
  const Notification *notification;

  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  notification = wait_for (fixture, "a3");
  g_autoptr (EarEpisode) episode = dup_newest (fixture, podcast);
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *play = g_strdup_printf ("app.play-episode::%s", key);
  g_autofree char *show = g_strdup_printf ("app.show-episode::%s", key);
  g_autofree char *button = g_strdup_printf ("Play=%s", play);

  g_assert_cmpstr (notification->body, ==, "Podcast a");
  g_assert_cmpstr (notification->buttons, ==, button);
  g_assert_false (notification->is_quiet);
  notification_daemon_activate (fixture->daemon, APPLICATION, play);
  wait_until_done (fixture, play + strlen ("app."));

  put_feed (fixture, "a", 3);
  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
  put_feed (fixture, "a", 4);
  refresh (fixture, podcast);
  wait_for (fixture, "a4");
  g_clear_object (&episode);
  episode = dup_newest (fixture, podcast);
  g_free (key);
  key = ear_episode_dup_key (episode);
  g_free (show);
  show = g_strdup_printf ("show-episode::%s", key);
  notification_daemon_activate (fixture->daemon, APPLICATION, NULL);
  wait_until_done (fixture, show);
}

/* The Play button plays the newest episode, whichever podcast arrived last. */
static void
assert_plays_newest (Fixture *fixture, EarPodcast *podcast, const Notification *notification)
{
  g_autoptr (EarEpisode) newest = dup_newest (fixture, podcast);
  g_autofree char *key = ear_episode_dup_key (newest);
  g_autofree char *button = g_strdup_printf ("Play=app.play-episode::%s", key);

  g_assert_cmpstr (notification->buttons, ==, button);
}

static void
test_several (Fixture *fixture, gconstpointer data)
{
  EarPodcast *first = follow (fixture, "a");
  EarPodcast *second = follow (fixture, "b");
  const Notification *notification;

  put_feed (fixture, "a", 9);
  refresh (fixture, first);
  notification = wait_for (fixture, "7 New Episodes");
  g_assert_cmpstr (notification->body, ==, "Podcast a");
  assert_plays_newest (fixture, first, notification);

  /* The notification is replaced, with low priority. */
  put_feed (fixture, "b", 3);
  refresh (fixture, second);
  notification = wait_for (fixture, "8 New Episodes");
  g_assert_cmpstr (notification->body, ==, "Podcast b: 1 new\nPodcast a: 7 new");
  assert_plays_newest (fixture, first, notification);
  g_assert_true (notification->is_quiet);

  /* A played episode is no longer offered. */
  g_autoptr (EarEpisode) heard = dup_newest (fixture, first);
  g_autofree char *key = ear_episode_dup_key (heard);
  ear_history_set_mark (ear_library_get_history (fixture->library), heard, EAR_MARK_LISTENED, TRUE);
  notification = wait_for (fixture, "7 New Episodes");
  g_assert_true (notification->is_quiet);
  g_assert_cmpstr (notification->buttons, !=, "");
  g_assert_null (strstr (notification->buttons, key));
  notification_daemon_activate (fixture->daemon, APPLICATION, NULL);
  wait_until_done (fixture, "show-new");
}

static void
test_checked_together (Fixture *fixture, gconstpointer data)
{
  static const char *const feeds[] = { "a", "b", "c", "d", "e", "f" };
  const Notification *notification;

  for (gsize i = 0; i < G_N_ELEMENTS (feeds); i++)
    follow (fixture, feeds[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (feeds); i++)
    put_feed (fixture, feeds[i], 3);
  ear_refresher_refresh_all (ear_library_get_refresher (fixture->library), EAR_REFRESH_ALL);
  notification = wait_for (fixture, "6 New Episodes");
  g_assert_true (g_str_has_suffix (notification->body, "\nand 2 more podcasts"));
  g_assert_cmpuint (notification_daemon_get_n_shown (fixture->daemon), ==, 1);
  g_assert_false (notification->is_quiet);
}

static void
test_heard (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "a");

  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  wait_for (fixture, "a3");
  g_autoptr (EarEpisode) marked = dup_newest (fixture, podcast);
  ear_history_set_mark (ear_library_get_history (fixture->library), marked, EAR_MARK_LISTENED, TRUE);
  wait_until_gone (fixture);

  put_feed (fixture, "a", 4);
  refresh (fixture, podcast);
  wait_for (fixture, "a4");
  g_autoptr (EarEpisode) played = dup_newest (fixture, podcast);
  ear_episode_set_playback (played, EAR_PLAYBACK_PLAYING);
  wait_until_gone (fixture);

  put_feed (fixture, "a", 5);
  refresh (fixture, podcast);
  wait_for (fixture, "a5");
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), podcast);
  wait_until_gone (fixture);
}

static void
test_watched (Fixture *fixture, gconstpointer data)
{
  EarPodcast *first = follow (fixture, "a");
  EarPodcast *second = follow (fixture, "b");
  g_autofree char *watched = ear_address_hash (ear_podcast_get_address (first), NULL);

  /* Episodes in the watched view cause no notification. */
  ear_notifier_set_watched (fixture->notifier, watched);
  put_feed (fixture, "a", 3);
  refresh (fixture, first);
  put_feed (fixture, "b", 3);
  refresh (fixture, second);
  wait_for (fixture, "b3");

  /* Episodes in another view or without a focused window do, and watching the
   * view withdraws it. */
  ear_notifier_set_watched (fixture->notifier, "history");
  put_feed (fixture, "a", 4);
  refresh (fixture, first);
  wait_for (fixture, "2 New Episodes");
  ear_notifier_set_watched (fixture->notifier, NULL);
  ear_notifier_set_watched (fixture->notifier, "new");
  wait_until_gone (fixture);

  put_feed (fixture, "a", 5);
  refresh (fixture, first);
  ear_notifier_set_watched (fixture->notifier, NULL);
  put_feed (fixture, "a", 6);
  refresh (fixture, first);
  wait_for (fixture, "a6");
  ear_notifier_set_watched (fixture->notifier, watched);
  wait_until_gone (fixture);
}

static void
test_switched_off (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "a");

  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  wait_for (fixture, "a3");
  g_object_set (ear_library_get_settings (fixture->library), "notifications", FALSE, NULL);
  wait_until_gone (fixture);

  put_feed (fixture, "a", 4);
  refresh (fixture, podcast);
  g_object_set (ear_library_get_settings (fixture->library), "notifications", TRUE, NULL);
  put_feed (fixture, "a", 5);
  refresh (fixture, podcast);
  wait_for (fixture, "a5");
}

static void
test_podcast_switched_off (Fixture *fixture, gconstpointer data)
{
  EarPodcast *first = follow (fixture, "a");
  EarPodcast *second = follow (fixture, "b");

  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), first, EAR_PODCAST_SETTING_NOTIFICATIONS, FALSE);
  put_feed (fixture, "a", 3);
  refresh (fixture, first);
  put_feed (fixture, "b", 3);
  refresh (fixture, second);
  wait_for (fixture, "b3");
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), second, EAR_PODCAST_SETTING_NOTIFICATIONS, FALSE);
  wait_until_gone (fixture);
}

/* A notification of an earlier session stays until it is seen, and is not sent again. */
static void
test_restarted (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "a");
  guint n_asked;

  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  wait_for (fixture, "a3");
  n_asked = notification_daemon_get_n_asked (fixture->daemon);
  close_library (fixture);
  open_library (fixture);
  podcast = follow (fixture, "b");
  refresh (fixture, podcast);
  ear_refresher_refresh_all (ear_library_get_refresher (fixture->library), EAR_REFRESH_ALL);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
  ear_test_spin (4 * BREATH);
  wait_for (fixture, "a3");
  g_assert_cmpuint (notification_daemon_get_n_asked (fixture->daemon), ==, n_asked);

  ear_notifier_set_watched (fixture->notifier, "new");
  wait_until_gone (fixture);
}

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, NULL);

  g_assert_nonnull (image);
  *(gboolean *) user_data = TRUE;
}

static void
test_cover (Fixture *fixture, gconstpointer data)
{
  static const guint8 picture[] = {
    0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
    0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, 'I', 'D', 'A', 'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01,
    0x01, 0x00, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82,
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static (picture, sizeof picture);
  EarPodcast *podcast = follow (fixture, "a");
  const char *backend = g_getenv ("GNOTIFICATION_BACKEND");
  gboolean loaded = FALSE;

  ear_test_server_put_bytes (fixture->server, "/cover.png", "image/png", bytes);
  ear_cover_cache_load_async (ear_library_get_covers (fixture->library), ear_podcast_get_facts (podcast)->image, EAR_COVER_LARGE,
                              NULL, cover_loaded_cb, &loaded);
  EAR_TEST_WAIT_UNTIL (loaded);
  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  /* The freedesktop.org backend only accepts icon files, and there is none
   * it could read. */
  g_assert_true (wait_for (fixture, "a3")->has_icon == (g_strcmp0 (backend, "freedesktop") != 0));
}

/* Without a notification daemon nothing is sent, and nothing is logged. */
static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "a");

  put_feed (fixture, "a", 3);
  refresh (fixture, podcast);
  ear_test_spin (4 * BREATH);
  fixture->daemon = notification_daemon_new (theirs);
  put_feed (fixture, "a", 4);
  refresh (fixture, podcast);
  wait_for (fixture, "2 New Episodes");
}

static void
assert_clean (const char *text, gsize limit, const char *expected)
{
  g_autofree char *clean = ear_notification_text_clean (text, limit);

  g_assert_cmpstr (clean, ==, expected);
  g_assert_true (g_utf8_validate (clean, -1, NULL));
}

static void
test_text (void)
{
  g_autoptr (GString) tower = g_string_new ("a");

  assert_clean (NULL, 10, "");
  assert_clean ("  Lamps\r\n\tof the\vsea ", 100, "Lamps of the sea");
  assert_clean ("<img src=\"http://example.org/x\"><b>Hi</b> & bye", 100, "‹img src=\"http://example.org/x\"›‹b›Hi‹/b› & bye");
  assert_clean ("abc\u202edef\u2066ghi\u2069", 100, "abcdefghi");
  assert_clean ("0123456789", 10, "0123456789");
  assert_clean ("0123456789a", 10, "0123456789…");
  assert_clean ("012345678 a", 10, "012345678…");
  assert_clean ("012345678e\u0301", 10, "012345678e\u0301");
  assert_clean ("\xff\xfe ab", 10, "\ufffd\ufffd ab");
  assert_clean ("שלום", 10, "שלום");

  for (guint i = 0; i < 100000; i++)
    g_string_append (tower, "\u0301");
  g_autofree char *clean = ear_notification_text_clean (tower->str, 10);
  g_assert_cmpuint (strlen (clean), <, 200);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GDBusConnection) session = NULL;
  g_autoptr (GError) error = NULL;
  EarTestBus *bus;
  int status;

  g_test_init (&argc, &argv, NULL);
  /* GApplication reads the bus address from the environment, which must not change once
   * there are threads. */
  bus = ear_test_bus_start ();
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", ear_test_bus_get_address (bus), TRUE);
  theirs = ear_test_bus_connect (bus);
  /* All tests share one connection, so that the application's name is free for
   * the next test. */
  session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_set_exit_on_close (session, FALSE);

#define ADD(path, data, function) g_test_add ("/notifier/" path, Fixture, data, set_up, function, tear_down)
  g_test_add_func ("/notifier/text", test_text);
  ADD ("one", NULL, test_one);
  ADD ("several", NULL, test_several);
  ADD ("checked-together", NULL, test_checked_together);
  ADD ("heard", NULL, test_heard);
  ADD ("watched", NULL, test_watched);
  ADD ("switched-off", NULL, test_switched_off);
  ADD ("podcast-switched-off", NULL, test_podcast_switched_off);
  ADD ("restarted", NULL, test_restarted);
  ADD ("cover", NULL, test_cover);
  ADD ("nobody", "nobody", test_nobody);
#undef ADD

  status = g_test_run ();
  g_clear_object (&theirs);
  ear_test_bus_stop (bus);

  return status;
}
