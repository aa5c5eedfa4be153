/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "downloads-fixture.h"
#include "ear-download-rules.h"
#include "ear-error.h"
#include "ear-test-network.h"

/* Episodes that Earmark downloads, queues and removes by itself */

/* Episodes of the last days, so that later ones are news */
static void
begin (Fixture *fixture, guint last)
{
  put_news (fixture, "lamp", 1, last, NULL, NULL);
  put_sounds (fixture, last, "");
  fetch (fixture, "/lamp.xml");
}

/* Fetches the feed with more episodes. */
static void
extend (Fixture *fixture, guint last)
{
  put_news (fixture, "lamp", 1, last, NULL, NULL);
  put_sounds (fixture, last, "");
  refresh (fixture);
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
}

/* Sets how many episodes of the podcast are downloaded automatically. */
static void
set_newest (Fixture *fixture, int n)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, n);
}

/* @expected: a digit for each downloaded episode */
static gboolean
are_there (Fixture *fixture, const char *expected)
{
  const guint n = ear_podcast_get_n_episodes (get_podcast (fixture));
  g_autoptr (GString) there = g_string_new (NULL);

  for (guint i = 1; i <= n; i++)
    if (is_done (get_lamp (fixture, i)))
      g_string_append_printf (there, "%u", i);

  return g_str_equal (there->str, expected);
}

/* Checks the downloads, also a little later. */
static void
expect (Fixture *fixture, const char *expected)
{
  EAR_TEST_WAIT_UNTIL (are_there (fixture, expected) &&
                       ear_downloader_get_n_active (get_downloader (fixture)) == 0);
  ear_test_spin (400);
  g_assert_true (are_there (fixture, expected));
}

static void
test_newest (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 5);
  expect (fixture, "");
  set_newest (fixture, 2);
  expect (fixture, "45");

  /* A newer episode replaces the oldest download. */
  extend (fixture, 6);
  expect (fixture, "56");

  /* A played episode does not count: the next newest is downloaded in its stead. */
  set_mark (fixture, 6, EAR_MARK_LISTENED, TRUE);
  expect (fixture, "456");

  /* The listener raises the number of downloads, then lowers it. */
  set_newest (fixture, 4);
  expect (fixture, "23456");
  set_newest (fixture, 1);
  expect (fixture, "56");
  set_newest (fixture, 0);
  extend (fixture, 7);
  expect (fixture, "56");

  /* A podcast can override the default, and return to it. */
  EarSettings *settings = fixture->parts->settings;
  g_object_set (settings, "download-newest", 1, NULL);
  extend (fixture, 8);
  expect (fixture, "56");
  set_newest (fixture, EAR_SETTING_INHERIT);
  expect (fixture, "68");
  g_object_set (settings, "download-newest", 3, NULL);
  expect (fixture, "5678");
  g_object_set (settings, "download-newest", 0, NULL);
  extend (fixture, 9);
  expect (fixture, "5678");
  set_newest (fixture, 1);
  expect (fixture, "69");
}

/* A series downloads the episodes that come next, wherever the listener is in it. */
static void
test_series (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 7);
  set_newest (fixture, 2);
  expect (fixture, "67");
  ear_subscriptions_set_series (fixture->parts->subscriptions, get_podcast (fixture), TRUE);
  expect (fixture, "12");
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  expect (fixture, "123");
  /* The listener continues at a later episode: the ones before it are removed. */
  set_mark (fixture, 5, EAR_MARK_POSITION, 10 * G_USEC_PER_SEC);
  expect (fixture, "156");
  set_mark (fixture, 6, EAR_MARK_REMOVED, TRUE);
  expect (fixture, "157");
}

/* Automatic removal spares episodes that were downloaded by hand, liked, started, or are
 * in Up Next or in a list. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 4);
  request (fixture, 1);
  expect (fixture, "1");
  set_newest (fixture, 4);
  expect (fixture, "1234");
  set_mark (fixture, 2, EAR_MARK_LIKED, TRUE);
  set_mark (fixture, 3, EAR_MARK_QUEUED, 1000);
  set_mark (fixture, 4, EAR_MARK_POSITION, 10 * G_USEC_PER_SEC);
  extend (fixture, 8);
  expect (fixture, "12345678");
  set_mark (fixture, 2, EAR_MARK_LIKED, FALSE);
  expect (fixture, "1345678");
  ear_lists_create (fixture->parts->lists, "Mine", NULL, LAMPS (3));
  set_mark (fixture, 3, EAR_MARK_QUEUED, 0);
  /* A finished episode makes the next one download. */
  set_mark (fixture, 4, EAR_MARK_REMOVED, TRUE);
  set_mark (fixture, 8, EAR_MARK_REMOVED, TRUE);
  expect (fixture, "13567");
}

/* Returns: whether the third download is removed at its end. @inherited: the default */
static gboolean
drops (Fixture *fixture, gboolean inherited)
{
  g_object_set (fixture->parts->settings, "remove-played", inherited, NULL);

  return ear_download_rules_drop_played (fixture->parts->settings, fixture->parts->lists,
                                         get_lamp (fixture, 3));
}

/* The podcast's setting, or the default, removes played episodes, but no liked or listed ones. */
static void
test_played (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 3);
  set_newest (fixture, 1);
  expect (fixture, "3");
  g_assert_false (drops (fixture, TRUE));
  set_mark (fixture, 3, EAR_MARK_LISTENED, TRUE);
  expect (fixture, "23");
  g_assert_true (drops (fixture, TRUE));
  g_assert_false (drops (fixture, FALSE));
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_REMOVE_PLAYED, FALSE);
  g_assert_false (drops (fixture, TRUE));
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_REMOVE_PLAYED, TRUE);
  g_assert_true (drops (fixture, FALSE));

  set_mark (fixture, 3, EAR_MARK_LIKED, TRUE);
  g_assert_false (drops (fixture, FALSE));
  set_mark (fixture, 3, EAR_MARK_LIKED, FALSE);
  g_assert_true (drops (fixture, FALSE));
  ear_lists_create (fixture->parts->lists, "Mine", NULL, LAMPS (3));
  EAR_TEST_WAIT_UNTIL (ear_lists_contain (fixture->parts->lists, get_lamp (fixture, 3)));
  g_assert_false (drops (fixture, FALSE));
}

/* A download that the listener removed does not come back by itself, also not in the next
 * session, but it does on request. */
static void
test_declined (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 4);
  set_newest (fixture, 2);
  expect (fixture, "34");
  ear_downloader_remove (get_downloader (fixture), get_lamp (fixture, 3));
  expect (fixture, "4");
  ear_undo_run (fixture->undo);
  expect (fixture, "34");
  ear_downloader_remove (get_downloader (fixture), get_lamp (fixture, 3));
  expect (fixture, "4");

  restart (fixture);
  wait_until_loaded (fixture);
  expect (fixture, "4");
  request (fixture, 3);
  expect (fixture, "34");
}

/* On a metered network only requested downloads run. */
static void
test_metered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);

  begin (fixture, 3);
  EarDownloader *downloader = get_downloader (fixture);
  g_set_object (&downloader->services.network, G_NETWORK_MONITOR (network));
  ear_test_network_set_metered (network, TRUE);
  set_newest (fixture, 2);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_n_active (downloader) == 2);
  ear_test_spin (300);
  g_assert_cmpuint (count_requests (fixture, "/audio/3.mp3"), ==, 0);
  download (fixture, 1);
  g_assert_cmpuint (count_requests (fixture, "/audio/3.mp3"), ==, 0);

  ear_test_network_set_metered (network, FALSE);
  ear_downloader_run_queue (downloader);
  expect (fixture, "123");
}

/* New episodes join the end of Up Next, oldest first, and offer no undo, which would replace an
 * earlier one. A podcast can override the default, and return to it. */
static void
test_up_next (Fixture *fixture, gconstpointer data)
{
  static const struct { gboolean by_default; int own; guint last; const char *queue; } cases[] = {
    { FALSE, TRUE, 9, "1 3 4 5 6 7 8 9" },
    { FALSE, FALSE, 10, "1 3 4 5 6 7 8 9" },
    { TRUE, FALSE, 11, "1 3 4 5 6 7 8 9" },
    { TRUE, EAR_SETTING_INHERIT, 12, "1 3 4 5 6 7 8 9 12" },
    { FALSE, TRUE, 13, "1 3 4 5 6 7 8 9 12 13" },
  };

  begin (fixture, 2);
  set_mark (fixture, 1, EAR_MARK_QUEUED, g_get_real_time ());
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "1"));
  g_clear_object (&fixture->undo);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_object_set (fixture->parts->settings, "queue-new", cases[i].by_default, NULL);
      set_podcast_setting (fixture, EAR_PODCAST_SETTING_QUEUE_NEW, cases[i].own);
      extend (fixture, cases[i].last);
      EAR_TEST_WAIT_UNTIL (is_queue (fixture, cases[i].queue));
      ear_test_spin (300);
      g_assert_true (is_queue (fixture, cases[i].queue));
    }
  g_assert_null (fixture->undo);
}

/* Old downloads are removed, and a file dated by a wrong clock has no known age. */
static void
test_old (Fixture *fixture, gconstpointer data)
{
  const gint64 now = EAR_CLOCK_FLOOR + 100 * G_TIME_SPAN_DAY;

  g_assert_false (ear_download_policy_is_old (now - 99 * G_TIME_SPAN_DAY, 0, now));
  g_assert_true (ear_download_policy_is_old (now - 7 * G_TIME_SPAN_DAY, 7, now));
  g_assert_false (ear_download_policy_is_old (now - 7 * G_TIME_SPAN_DAY + 1, 7, now));
  g_assert_false (ear_download_policy_is_old (now + G_TIME_SPAN_DAY, 7, now));
  g_assert_false (ear_download_policy_is_old (0, 7, now));

  begin (fixture, 4);
  set_newest (fixture, 4);
  expect (fixture, "1234");
  for (guint i = 1; i <= 3; i++)
    {
      const EarDownloadItem *item =
        ear_downloader_find_item (get_downloader (fixture), get_lamp (fixture, i));

      item->record->done -= 8 * G_TIME_SPAN_DAY;
    }
  set_mark (fixture, 2, EAR_MARK_LIKED, TRUE);

  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, "1234");
  g_clear_object (&fixture->undo);
  g_object_set (fixture->parts->settings, "remove-after", 7, NULL);
  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, "24");
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 old downloads removed");

  /* Undo keeps the episodes for the full number of days again. */
  ear_undo_run (fixture->undo);
  expect (fixture, "1234");
  ear_auto_downloads_remove_old (fixture->library->auto_downloads);
  expect (fixture, "1234");
}

/* Without enough free space all downloads wait, with one notice, until there is more. */
static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 3);
  EarDownloader *downloader = get_downloader (fixture);
  g_object_set (fixture->parts->settings, "keep-free", 10000000, NULL);
  for (guint i = 1; i <= 3; i++)
    request (fixture, i);
  EAR_TEST_WAIT_UNTIL (fixture->notices->len > 0);
  ear_test_spin (300);
  g_assert_cmpstr (fixture->notices->str, ==,
                   "Disk space is low. Downloads resume once there is more.\n");
  g_assert_cmpuint (ear_downloader_get_n_active (downloader), ==, 3);
  g_assert_cmpuint (count_requests (fixture, "/audio/3.mp3"), ==, 0);

  g_object_set (fixture->parts->settings, "keep-free", 1, NULL);
  expect (fixture, "123");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/auto-downloads/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("newest", test_newest);
  ADD ("series", test_series);
  ADD ("kept", test_kept);
  ADD ("played", test_played);
  ADD ("declined", test_declined);
  ADD ("metered", test_metered);
  ADD ("up-next", test_up_next);
  ADD ("old", test_old);
  ADD ("no-space", test_no_space);

  return g_test_run ();
}
