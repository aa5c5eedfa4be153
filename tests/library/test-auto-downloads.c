/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "downloads-fixture.h"
#include "ear-download-rules.h"
#include "ear-downloader-private.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-network.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Episodes that Earmark downloads, queues and removes by itself */

#define SOUND_SIZE 20000

/* Episode N is N hours younger than the oldest one, so that later ones are news. */
static void
put_podcast (Fixture *fixture, guint last)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel><title>The Lighthouse Hour</title>");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  for (guint i = last; i > 0; i--)
    {
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
      g_autoptr (GDateTime) published = g_date_time_add_hours (now, (int) i - 100);
      g_autofree char *date = g_date_time_format (published, "%a, %d %b %Y %H:00:00 +0000");
      g_autofree char *path = g_strdup_printf ("/%u.mp3", i);

      g_string_append_printf (feed,
                              "<item><guid>lamp-%u</guid><title>Lamp %u</title><pubDate>%s</pubDate>"
                              "<enclosure url=\"%s\" type=\"audio/mpeg\" length=\"1000\"/></item>",
                              i, i, date, path);
      ear_test_server_put_bytes (fixture->server, path, "audio/mpeg", sound);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
begin (Fixture *fixture, guint last)
{
  put_podcast (fixture, last);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static void
refresh (Fixture *fixture, guint last)
{
  put_podcast (fixture, last);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static void
set (Fixture *fixture, EarPodcastSetting setting, int value)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), get_podcast (fixture), setting, value);
}

static void
mark (Fixture *fixture, guint i, EarMark which, gint64 value)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, which, value);
}

/* A digit for each downloaded episode */
static char *
dup_there (Fixture *fixture, guint last)
{
  GString *there = g_string_new (NULL);

  for (guint i = 1; i <= last; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      if (is_done (episode))
        g_string_append_printf (there, "%u", i);
    }

  return g_string_free_and_steal (there);
}

static gboolean
are_there (Fixture *fixture, guint last, const char *expected)
{
  g_autofree char *there = dup_there (fixture, last);

  return g_str_equal (there, expected) && ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)) == 0;
}

/* Checks the downloads, also a little later. */
static void
expect (Fixture *fixture, guint last, const char *expected)
{
  g_autofree char *there = NULL;

  EAR_TEST_WAIT_UNTIL (are_there (fixture, last, expected));
  ear_test_spin (400);
  there = dup_there (fixture, last);
  g_assert_cmpstr (there, ==, expected);
}

static void
test_newest (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 5);
  expect (fixture, 5, "");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 2);
  expect (fixture, 5, "45");

  /* A newer episode replaces the oldest download. */
  refresh (fixture, 6);
  expect (fixture, 6, "56");

  /* A played episode stays or goes as the listener has set; the next newest is downloaded
   * in its stead. */
  mark (fixture, 6, EAR_MARK_LISTENED, TRUE);
  expect (fixture, 6, "456");

  /* The listener raises the number of downloads, then lowers it. */
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 4);
  expect (fixture, 6, "23456");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 1);
  expect (fixture, 6, "56");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 0);
  refresh (fixture, 7);
  expect (fixture, 7, "56");
}

/* A series downloads the episodes that come next, wherever the listener is in it. */
static void
test_series (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 7);
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 2);
  expect (fixture, 7, "67");
  ear_subscriptions_set_series (ear_library_get_subscriptions (fixture->library), get_podcast (fixture), TRUE);
  expect (fixture, 7, "12");
  mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  expect (fixture, 7, "123");
  /* The listener continues at a later episode: the ones before it are removed. */
  mark (fixture, 5, EAR_MARK_POSITION, 10 * G_USEC_PER_SEC);
  expect (fixture, 7, "156");
  mark (fixture, 6, EAR_MARK_REMOVED, TRUE);
  expect (fixture, 7, "157");
}

/* Automatic removal spares episodes that were downloaded by hand, liked, started, or are
 * in Up Next or in a list. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) by_hand = NULL;
  g_autoptr (EarEpisode) in_list = NULL;
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  begin (fixture, 4);
  by_hand = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), by_hand);
  expect (fixture, 4, "1");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 4);
  expect (fixture, 4, "1234");
  mark (fixture, 2, EAR_MARK_LIKED, TRUE);
  mark (fixture, 3, EAR_MARK_QUEUED, 1000);
  mark (fixture, 4, EAR_MARK_POSITION, 10 * G_USEC_PER_SEC);
  refresh (fixture, 8);
  expect (fixture, 8, "12345678");
  mark (fixture, 2, EAR_MARK_LIKED, FALSE);
  expect (fixture, 8, "1345678");
  in_list = dup_episode (fixture, 3);
  g_ptr_array_add (episodes, in_list);
  ear_lists_create (ear_library_get_lists (fixture->library), "Mine", NULL, episodes);
  mark (fixture, 3, EAR_MARK_QUEUED, 0);
  /* A finished episode makes the next one download. */
  mark (fixture, 4, EAR_MARK_REMOVED, TRUE);
  mark (fixture, 8, EAR_MARK_REMOVED, TRUE);
  expect (fixture, 8, "13567");
}

/* The podcast's setting, or else the default, removes played episodes; liked and listed
 * ones stay with any setting. */
static void
test_played (Fixture *fixture, gconstpointer data)
{
  EarLists *lists;
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  begin (fixture, 3);
  lists = ear_library_get_lists (fixture->library);
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 1);
  expect (fixture, 3, "3");
  episode = dup_episode (fixture, 3);
  g_assert_false (ear_download_rules_drop_played (lists, episode, TRUE));
  mark (fixture, 3, EAR_MARK_LISTENED, TRUE);
  expect (fixture, 3, "23");
  g_assert_true (ear_download_rules_drop_played (lists, episode, TRUE));
  g_assert_false (ear_download_rules_drop_played (lists, episode, FALSE));
  set (fixture, EAR_PODCAST_SETTING_REMOVE_PLAYED, FALSE);
  g_assert_false (ear_download_rules_drop_played (lists, episode, TRUE));
  set (fixture, EAR_PODCAST_SETTING_REMOVE_PLAYED, TRUE);
  g_assert_true (ear_download_rules_drop_played (lists, episode, FALSE));

  mark (fixture, 3, EAR_MARK_LIKED, TRUE);
  g_assert_false (ear_download_rules_drop_played (lists, episode, TRUE));
  mark (fixture, 3, EAR_MARK_LIKED, FALSE);
  g_assert_true (ear_download_rules_drop_played (lists, episode, TRUE));
  g_ptr_array_add (episodes, episode);
  ear_lists_create (lists, "Mine", NULL, episodes);
  EAR_TEST_WAIT_UNTIL (ear_lists_contain (lists, episode));
  g_assert_false (ear_download_rules_drop_played (lists, episode, TRUE));
}

/* A download that the listener removed does not come back by itself, also not in the next
 * session, but it does on request. */
static void
test_declined (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) removed = NULL;
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture, 4);
  follow_undo (fixture, &undo);
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 2);
  expect (fixture, 4, "34");
  removed = dup_episode (fixture, 3);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), removed);
  expect (fixture, 4, "4");
  ear_undo_run (undo);
  expect (fixture, 4, "34");
  ear_downloader_remove (ear_library_get_downloader (fixture->library), removed);
  expect (fixture, 4, "4");
  g_clear_object (&removed);
  g_clear_object (&undo);
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)));
  expect (fixture, 4, "4");
  removed = dup_episode (fixture, 3);
  ear_downloader_download (ear_library_get_downloader (fixture->library), removed);
  expect (fixture, 4, "34");
}

/* On a metered network only requested downloads run. */
static void
test_metered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  EarDownloader *downloader;
  g_autoptr (EarEpisode) asked = NULL;

  begin (fixture, 3);
  downloader = ear_library_get_downloader (fixture->library);
  g_set_object (&downloader->network, G_NETWORK_MONITOR (network));
  ear_test_network_set_metered (network, TRUE);
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 2);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_n_active (downloader) == 2);
  ear_test_spin (300);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/3.mp3"), ==, 0);
  asked = dup_episode (fixture, 1);
  ear_downloader_download (downloader, asked);
  EAR_TEST_WAIT_UNTIL (is_done (asked));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/3.mp3"), ==, 0);

  ear_test_network_set_metered (network, FALSE);
  ear_downloader_run_queue (downloader);
  expect (fixture, 3, "123");
}

static char *
dup_queue (Fixture *fixture)
{
  GListModel *list = G_LIST_MODEL (ear_queue_get_list (ear_library_get_queue (fixture->library)));
  GString *queue = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (list, i);

      g_string_append (queue, strrchr (ear_episode_get_guid (episode), '-') + 1);
    }

  return g_string_free_and_steal (queue);
}

static gboolean
is_queue (Fixture *fixture, const char *expected)
{
  g_autofree char *queue = dup_queue (fixture);

  return g_str_equal (queue, expected);
}

/* New episodes join the end of Up Next, oldest first, and offer no undo, which would
 * replace an earlier one. */
static void
test_up_next (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture, 2);
  set (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, TRUE);
  mark (fixture, 1, EAR_MARK_QUEUED, g_get_real_time ());
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "1"));
  follow_undo (fixture, &undo);
  refresh (fixture, 9);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "13456789"));
  g_assert_null (undo);
  set (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, FALSE);
  refresh (fixture, 10);
  ear_test_spin (300);
  g_assert_true (is_queue (fixture, "13456789"));
}

/* A podcast can override the default, and return to it. */
static void
test_default (Fixture *fixture, gconstpointer data)
{
  EarSettings *settings;

  begin (fixture, 5);
  settings = ear_library_get_settings (fixture->library);
  expect (fixture, 5, "");
  g_object_set (settings, "download-newest", 1, NULL);
  expect (fixture, 5, "5");
  g_object_set (settings, "download-newest", 3, NULL);
  expect (fixture, 5, "345");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 0);
  refresh (fixture, 6);
  expect (fixture, 6, "345");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, EAR_DOWNLOAD_NEWEST_INHERIT);
  expect (fixture, 6, "456");
  g_object_set (settings, "download-newest", 0, NULL);
  refresh (fixture, 7);
  expect (fixture, 7, "456");
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 1);
  expect (fixture, 7, "7");
}

static void
test_up_next_default (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 2);
  g_object_set (ear_library_get_settings (fixture->library), "queue-new", TRUE, NULL);
  refresh (fixture, 3);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3"));
  set (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, FALSE);
  refresh (fixture, 4);
  ear_test_spin (300);
  g_assert_true (is_queue (fixture, "3"));
  set (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, EAR_QUEUE_NEW_INHERIT);
  refresh (fixture, 5);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "35"));
  g_object_set (ear_library_get_settings (fixture->library), "queue-new", FALSE, NULL);
  set (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, TRUE);
  refresh (fixture, 6);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "356"));
}

static void
make_old (Fixture *fixture, guint i)
{
  EarDownloader *downloader = ear_library_get_downloader (fixture->library);
  g_autoptr (EarEpisode) episode = dup_episode (fixture, i);
  g_autofree char *key = ear_episode_dup_key (episode);
  EarDownloadItem *item = g_hash_table_lookup (downloader->by_key, key);

  item->record->done -= 8 * G_TIME_SPAN_DAY;
}

static void
test_old (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture, 4);
  set (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, 4);
  expect (fixture, 4, "1234");
  follow_undo (fixture, &undo);
  for (guint i = 1; i <= 3; i++)
    make_old (fixture, i);
  mark (fixture, 2, EAR_MARK_LIKED, TRUE);

  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, 4, "1234");
  g_clear_object (&undo);
  g_object_set (ear_library_get_settings (fixture->library), "remove-after", 7, NULL);
  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, 4, "24");
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 old downloads removed");

  /* Undo keeps the episodes for the full number of days again. */
  ear_undo_run (undo);
  expect (fixture, 4, "1234");
  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, 4, "1234");
}

static void
test_policy (void)
{
  const gint64 now = EAR_CLOCK_FLOOR + 100 * G_TIME_SPAN_DAY;

  g_assert_false (ear_download_policy_is_old (now - 99 * G_TIME_SPAN_DAY, 0, now));
  g_assert_true (ear_download_policy_is_old (now - 7 * G_TIME_SPAN_DAY, 7, now));
  g_assert_false (ear_download_policy_is_old (now - 7 * G_TIME_SPAN_DAY + 1, 7, now));
  g_assert_false (ear_download_policy_is_old (now + G_TIME_SPAN_DAY, 7, now));
  /* A file dated by a wrong clock has no known age. */
  g_assert_false (ear_download_policy_is_old (0, 7, now));
}

/* Without enough free space all downloads wait, one notice is shown, and they resume once
 * there is space. */
static void
told_cb (EarNotices *notices, const char *message, gboolean lasting, GString *told)
{
  g_string_append_printf (told, "%s\n", message);
}

static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader;

  begin (fixture, 3);
  downloader = ear_library_get_downloader (fixture->library);
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), fixture->told);
  g_object_set (downloader, "reserve", G_MAXUINT, NULL);
  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      ear_downloader_download (downloader, episode);
    }
  EAR_TEST_WAIT_UNTIL (fixture->told->len > 0);
  ear_test_spin (300);
  g_assert_cmpstr (fixture->told->str, ==, "Disk space is low. Downloads resume once there is more.\n");
  g_assert_cmpuint (ear_downloader_get_n_active (downloader), ==, 3);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/3.mp3"), ==, 0);

  g_object_set (downloader, "reserve", 1, NULL);
  expect (fixture, 3, "123");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/auto-downloads/" name, Fixture, NULL, set_up, func, tear_down)
  g_test_add_func ("/auto-downloads/policy", test_policy);
  ADD ("newest", test_newest);
  ADD ("series", test_series);
  ADD ("kept", test_kept);
  ADD ("played", test_played);
  ADD ("declined", test_declined);
  ADD ("metered", test_metered);
  ADD ("up-next", test_up_next);
  ADD ("default", test_default);
  ADD ("up-next-default", test_up_next_default);
  ADD ("old", test_old);
  ADD ("no-space", test_no_space);

  return g_test_run ();
}
