/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-download-rules.h"
#include "ear-error.h"

/* Downloads from a server that works, is slow or is broken */

static void
begin (Fixture *fixture, const char *way)
{
  follow_lamps (fixture, 3, way);
  get_downloader (fixture)->pause_scale = 0.002;
}

/* Serves an episode in another way. */
static void
put_way (Fixture *fixture, guint i, const char *way)
{
  g_autofree char *path = g_strdup_printf ("/audio/%u.mp3", i);

  ear_test_server_put_way (fixture->server, path, way);
}

static void
remove_download (Fixture *fixture, EarEpisode *episode)
{
  ear_downloader_remove (get_downloader (fixture), episode);
  assert_state (episode, EAR_DOWNLOAD_NONE);
}

static void
expect_failure (EarEpisode *episode, EarError code)
{
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, (int) code);
}

/* Waits until a filter shows the episode of this number, or none. */
static void
expect_filter (Fixture *fixture, EarEpisodeFilter filter, const char *expected)
{
  const gint64 podcast =
    filter == EAR_FILTER_DOWNLOADED ? ear_podcast_get_id (get_podcast (fixture)) : 0;
  g_autoptr (EarEpisodeList) list = list_episodes (fixture, podcast, filter, NULL);

  EAR_TEST_WAIT_UNTIL (are_episodes (list, expected));
}

static void
test_download (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "");
  EarEpisode *episode = get_lamp (fixture, 2);
  assert_state (episode, EAR_DOWNLOAD_NONE);
  g_assert_null (ear_downloader_dup_file (get_downloader (fixture), episode));

  request (fixture, 2);
  g_assert_true (is_running (episode));
  g_assert_cmpuint (ear_downloader_get_n_active (get_downloader (fixture)), ==, 1);
  /* A second request changes nothing. */
  download (fixture, 2);
  g_assert_cmpuint (ear_downloader_get_n_active (get_downloader (fixture)), ==, 0);
  expect_sound (fixture, 2);
  g_assert_cmpuint (count_requests (fixture, "/audio/2.mp3"), ==, 1);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "2");
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "2");
  request (fixture, 2);
  ear_test_spin (50);
  g_assert_cmpuint (count_requests (fixture, "/audio/2.mp3"), ==, 1);

  /* A file that is cut off arrives in several attempts. */
  put_sounds (fixture, 1, "/~times=2/~cut=150000");
  request (fixture, 1);
  expect_sound (fixture, 1);
}

/* A session that ends in the middle: the next one resumes the download. */
static void
test_next_session (Fixture *fixture, gconstpointer data)
{
  begin (fixture, SLOW);
  wait_for_progress (request (fixture, 1), 0.4);
  close_library (fixture);

  put_sounds (fixture, 1, "");
  ear_test_server_clear_log (fixture->server);
  open_and_wait (fixture, NULL);
  expect_sound (fixture, 1);
  g_assert_cmpuint (count_requests (fixture, "/audio/1.mp3"), >, 0);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "1");

  /* The session after that has the file. */
  close_library (fixture);
  ear_test_server_clear_log (fixture->server);
  open_and_wait (fixture, NULL);
  g_assert_true (is_done (get_lamp (fixture, 1)));
  ear_test_spin (100);
  g_assert_true (is_done (get_lamp (fixture, 1)));
  g_assert_cmpuint (count_requests (fixture, "/audio/1.mp3"), ==, 0);

  /* The catalogue is lost; downloads are recognized once the feed is fetched again. */
  restart_without_catalogue (fixture);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "1");
  expect_sound (fixture, 1);

  /* Without its record, the file stays, and is not downloaded. */
  g_autofree char *record = dup_record_path (fixture, get_lamp (fixture, 1), ".json");
  g_autofree char *file = ear_downloader_dup_file (get_downloader (fixture), get_lamp (fixture, 1));
  close_library (fixture);
  write_text (record, "{");
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (fixture->notices->len > 0);
  g_assert_nonnull (strstr (fixture->notices->str, "1 download"));
  g_assert_false (is_missing (file));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "");
}

/* Faults that persist end the attempts: some at once, others after five of them. */
static void
test_failures (Fixture *fixture, gconstpointer data)
{
  /* The requests are not counted where the feed is asked for another URL. */
  static const struct { const char *way; EarError code; guint n_requests; } cases[] = {
    { "/~status=404/sound/1.mp3", EAR_ERROR_NOT_FOUND },
    { "/~status=500/sound/1.mp3", EAR_ERROR_SERVER, 5 },
    { "/~html/sound/1.mp3", EAR_ERROR_WEB_PAGE },
  };

  begin (fixture, "");
  EarEpisode *episode = get_lamp (fixture, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].way);
      put_way (fixture, 1, cases[i].way);
      ear_test_server_clear_log (fixture->server);
      request (fixture, 1);
      g_assert_null (ear_episode_get_download_error (episode));
      expect_failure (episode, cases[i].code);
      if (cases[i].n_requests > 0)
        g_assert_cmpuint (count_requests (fixture, "/audio/1.mp3"), ==, cases[i].n_requests);
      expect_filter (fixture, EAR_FILTER_DOWNLOADED, "");
      expect_filter (fixture, EAR_FILTER_DOWNLOADS, "1");
    }

  /* Refreshing the feed does not clear the error. */
  put_feed (fixture, 1, 4);
  refresh (fixture);
  g_assert_nonnull (get_lamp (fixture, 4));
  expect_failure (episode, EAR_ERROR_WEB_PAGE);

  put_sounds (fixture, 1, "");
  request (fixture, 1);
  expect_sound (fixture, 1);
}

/* --- URLs that expire --------------------------------------------------------------- */

/* One episode, at a signed URL */
static void
put_signed (Fixture *fixture, const char *path, const char *way)
{
  g_autofree char *plain = g_strndup (path, strcspn (path, "?"));

  ear_test_server_put_way (fixture->server, plain, way);
  put_format (fixture, "/feed.xml",
              RSS ("The Lighthouse Hour",
                   "<item><guid>lamp-1</guid><title>Lamp 1</title>"
                   "<pubDate>Mon, 02 Jan 2024 12:00:00 +0000</pubDate>"
                   "<enclosure url=\"%s\" type=\"audio/mpeg\" length=\"1000\"/></item>"),
              path);
}

static EarEpisode *
begin_signed (Fixture *fixture, const char *way)
{
  begin (fixture, "");
  put_signed (fixture, "/one.mp3?token=1", way);
  refresh (fixture);
  ear_test_server_clear_log (fixture->server);

  return get_lamp (fixture, 1);
}

/* The URL expires in the middle of a download, which continues at the feed's new one. */
static void
test_expired (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = begin_signed (fixture, SLOW "/sound/1.mp3");

  request (fixture, 1);
  wait_for_progress (episode, 0.4);
  put_signed (fixture, "/one.mp3?token=1", "/~status=403/sound/1.mp3");
  put_signed (fixture, "/two.mp3?token=2", "/sound/1.mp3");
  ear_test_server_close_connections (fixture->server);
  expect_sound (fixture, 1);
  expect_resumed (fixture, "/two.mp3?token=2");
  g_assert_cmpuint (count_requests (fixture, "/feed.xml"), ==, 1);
}

/* Every status that servers answer to an expired URL */
static void
test_expired_statuses (Fixture *fixture, gconstpointer way)
{
  begin_signed (fixture, way);
  put_signed (fixture, "/two.mp3?token=2", "/sound/1.mp3");
  request (fixture, 1);
  expect_sound (fixture, 1);
  g_assert_cmpuint (count_requests (fixture, "/two.mp3?token=2"), ==, 1);
}

/* The feed has no new URL, or @other, which is refused as well: it is fetched once. A later one
 * restarts the download. */
static void
test_expired_for_good (Fixture *fixture, gconstpointer other)
{
  begin_signed (fixture, "/~status=403/sound/1.mp3");
  if (other != NULL)
    put_signed (fixture, other, "/~status=410/sound/1.mp3");
  expect_failure (request (fixture, 1), other != NULL ? EAR_ERROR_GONE : EAR_ERROR_FORBIDDEN);
  g_assert_cmpuint (count_requests (fixture, "/feed.xml"), ==, 1);
  if (other != NULL)
    g_assert_cmpuint (count_requests (fixture, other), ==, 1);
  const guint n_requests = count_requests (fixture, NULL);
  ear_test_spin (200);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, n_requests);

  put_signed (fixture, "/three.mp3?token=3", "/sound/1.mp3");
  refresh (fixture);
  expect_sound (fixture, 1);
}

/* The download is paused and canceled while the feed is fetched. */
static void
test_expired_given_up (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = begin_signed (fixture, "/~status=404/sound/1.mp3");

  ear_test_server_put_way (fixture->server, "/feed.xml", "/~hold/other.xml");
  request (fixture, 1);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, "/feed.xml") == 1);
  g_assert_true (is_running (episode));
  ear_downloader_pause (get_downloader (fixture), episode);
  assert_state (episode, EAR_DOWNLOAD_PAUSED);
  remove_download (fixture, episode);
  ear_test_server_set_holding (fixture->server, FALSE);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (get_podcast (fixture)));
  assert_state (episode, EAR_DOWNLOAD_NONE);
}

/* Bytes left of a download that waits for its next attempt: all of them, if it restarts from
 * zero. If the server names no length, only the feed tells the size. */
static void
test_left (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *way; gint64 size; gboolean restarts; } cases[] = {
    { "/~noetag/~nodate/~cut=150000/sound/2.mp3", SOUND_SIZE, TRUE },
    { "/~cut=150000/sound/2.mp3", SOUND_SIZE, FALSE },
    { "/~nolength/~cut=150000/sound/2.mp3", 1000, FALSE },
  };

  follow_lamps (fixture, G_N_ELEMENTS (cases), "");
  EarDownloader *downloader = get_downloader (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].way);
      if (i > 0)
        remove_download (fixture, get_lamp (fixture, i));
      put_way (fixture, i + 1, cases[i].way);
      EarEpisode *episode = request (fixture, i + 1);
      const EarDownloadItem *item = ear_downloader_find_item (downloader, episode);
      EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_WAITING &&
                           item->error != NULL);
      const gint64 left = ear_test_get_int64 (downloader, "left");
      g_assert_cmpint (item->record->size, ==, cases[i].size);
      g_assert_true (cases[i].restarts ? left == SOUND_SIZE : left < SOUND_SIZE);
    }
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autofree char *records = g_build_filename (fixture->data, "downloads", ".earmark", NULL);

  follow_lamps (fixture, 3, "");
  EarEpisode *episode = download (fixture, 3);
  g_autofree char *file = ear_downloader_dup_file (get_downloader (fixture), episode);
  g_autofree char *record = dup_record_path (fixture, episode, ".json");
  g_assert_null (fixture->undo);

  remove_download (fixture, episode);
  g_assert_nonnull (fixture->undo);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");
  EAR_TEST_WAIT_UNTIL (file_has (record, "\"removed\""));
  g_autofree char *removed = read_text (record);

  /* Undo restores it without a request. */
  ear_test_server_clear_log (fixture->server);
  ear_undo_run (fixture->undo);
  expect_sound (fixture, 3);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 0);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "3");

  /* No file is left once undo has expired. */
  get_downloader (fixture)->pause_scale = 0.002;
  remove_download (fixture, episode);
  EAR_TEST_WAIT_UNTIL (is_missing (file));
  close_library (fixture);
  g_assert_cmpuint (count_files (records, NULL), ==, 0);

  /* After a crash it stays removed, although its file was still there for Undo. */
  write_text (file, "sound");
  write_text (record, removed);
  open_and_wait (fixture, NULL);
  wait_until_loaded (fixture);
  EAR_TEST_WAIT_UNTIL (is_missing (file) && count_files (records, NULL) == 0);
  assert_state (get_lamp (fixture, 3), EAR_DOWNLOAD_NONE);
}

/* Undo continues a download that was canceled in its middle. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  follow_lamps (fixture, 1, SLOW);
  EarEpisode *episode = request (fixture, 1);
  wait_for_progress (episode, 0.4);
  remove_download (fixture, episode);
  ear_test_spin (100);
  assert_state (episode, EAR_DOWNLOAD_NONE);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  put_sounds (fixture, 1, "");
  ear_undo_run (fixture->undo);
  expect_sound (fixture, 1);
  expect_resumed (fixture, "/audio/1.mp3");
}

/* Downloads are canceled and requested again before the running request has ended. */
static void
test_change_of_mind (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "/~slow=1000000");
  EarEpisode *episode = request (fixture, 1);
  for (guint i = 0; i < 5; i++)
    {
      remove_download (fixture, episode);
      if (i % 2 == 0)
        request (fixture, 1);
      else
        ear_undo_run (fixture->undo);
      ear_test_spin (i * 20);
    }
  expect_sound (fixture, 1);
  remove_download (fixture, episode);
  request (fixture, 1);
  ear_undo_run (fixture->undo);
  expect_sound (fixture, 1);
}

/* Two slow downloads delay neither a third one from their host nor its feeds. */
static void
test_slow_host (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "");
  put_way (fixture, 1, "/~stall=100000/sound/1.mp3");
  put_way (fixture, 2, "/~stall=100000/sound/1.mp3");
  request (fixture, 1);
  request (fixture, 2);
  download (fixture, 3);
  g_assert_true (is_running (get_lamp (fixture, 1)));
  g_assert_true (is_running (get_lamp (fixture, 2)));

  refresh (fixture);
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_true (is_running (get_lamp (fixture, 1)));
}

/* Downloading many adds only missing ones; undo removes those, and keeps earlier ones. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder =
      g_build_filename (fixture->data, "downloads", "The Lighthouse Hour", NULL);

  begin (fixture, "/~slow=2000000");
  EarDownloader *downloader = get_downloader (fixture);
  g_autoptr (GArray) ids = dup_ids (LAMPS (1, 2, 3));
  g_assert_cmpuint (ear_downloader_remove_all (downloader), ==, 0);
  g_assert_null (fixture->undo);
  download (fixture, 3);

  ear_downloader_download_many (downloader, ids);
  EAR_TEST_WAIT_UNTIL (fixture->undo != NULL);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "2 episodes are being downloaded");
  ear_undo_run (fixture->undo);
  for (guint i = 1; i <= 2; i++)
    EAR_TEST_WAIT_UNTIL (ear_episode_get_download (get_lamp (fixture, i)) == EAR_DOWNLOAD_NONE);
  g_assert_true (is_done (get_lamp (fixture, 3)));

  ear_downloader_download_many (downloader, ids);
  expect_sound (fixture, 1);
  expect_sound (fixture, 2);
  g_clear_object (&fixture->undo);
  ear_downloader_remove_many (downloader, ids);
  EAR_TEST_WAIT_UNTIL (fixture->undo != NULL);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "3 downloads removed");
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  /* A notice reports that there is nothing to remove. */
  ear_downloader_remove_many (downloader, ids);
  EAR_TEST_WAIT_UNTIL (strstr (fixture->notices->str, "No downloads") != NULL);
  ear_undo_run (fixture->undo);
  for (guint i = 1; i <= 3; i++)
    EAR_TEST_WAIT_UNTIL (is_done (get_lamp (fixture, i)));
  ear_downloader_download_many (downloader, ids);
  EAR_TEST_WAIT_UNTIL (strstr (fixture->notices->str, "Nothing to download") != NULL);

  g_assert_cmpuint (ear_downloader_remove_all (downloader), ==, 3);
  assert_state (get_lamp (fixture, 1), EAR_DOWNLOAD_NONE);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "3 downloads removed");
  EAR_TEST_WAIT_UNTIL (is_missing (folder));
  ear_undo_run (fixture->undo);
  expect_sound (fixture, 1);
  expect_sound (fixture, 2);
}

/* A download that is paused while its file gets a name is complete, also later. */
static void
test_paused_at_end (Fixture *fixture, gconstpointer data)
{
  begin (fixture, "");
  EarEpisode *episode = request (fixture, 1);
  const EarDownloadItem *item = ear_downloader_find_item (get_downloader (fixture), episode);
  while (item->record->done == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (item->record->file);
  ear_downloader_pause (get_downloader (fixture), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));

  restart (fixture);
  wait_until_loaded (fixture);
  item = ear_downloader_find_item (get_downloader (fixture), get_lamp (fixture, 1));
  g_assert_nonnull (item->record->file);
  g_assert_false (item->record->paused);
}

/* A file deleted by another program counts as not downloaded, and playing streams it again. The
 * files of an unfollowed podcast stay while undo is offered. */
static void
test_removed_by_hand (Fixture *fixture, gconstpointer data)
{
  follow_lamps (fixture, 1, "");
  EarEpisode *episode = download (fixture, 1);
  g_autofree char *file = ear_downloader_dup_file (get_downloader (fixture), episode);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_null (ear_downloader_dup_file (get_downloader (fixture), episode));
  assert_state (episode, EAR_DOWNLOAD_NONE);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  /* The episode can be downloaded again at once. */
  request (fixture, 1);
  expect_sound (fixture, 1);

  ear_subscriptions_unfollow (fixture->parts->subscriptions, get_podcast (fixture));
  ear_test_spin (50);
  g_assert_false (is_missing (file));
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "1");
  g_signal_emit_by_name (fixture->parts->catalogue, "podcast-forgotten",
                         ear_podcast_get_address (get_podcast (fixture)));
  EAR_TEST_WAIT_UNTIL (is_missing (file));
}

/* The extension fits the content, whatever the feed, the URL and the server say. */
static void
test_endings (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "/book", "/2024-01-02 Lamp 1.m4a" },
    { "/~type=text%2Fplain/sound/1.mp3", "/2024-01-02 Lamp 1.mp3" },
  };
  g_autoptr (GBytes) book = g_bytes_new ("\0\0\0\x10" "ftypM4A \0\0\0\0", 16);

  begin (fixture, "");
  ear_test_server_put_bytes (fixture->server, "/book", "audio/mpeg", book);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i][0]);
      put_way (fixture, 1, cases[i][0]);
      EarEpisode *episode = download (fixture, 1);
      g_autofree char *path = ear_downloader_dup_file (get_downloader (fixture), episode);
      g_assert_true (g_str_has_suffix (path, cases[i][1]));
      remove_download (fixture, episode);
      EAR_TEST_WAIT_UNTIL (is_missing (path));
    }
}

static void
test_policy (void)
{
  static const struct { int code; guint tries; gint64 retry_after, pause; } cases[] = {
    { EAR_ERROR_INCOMPLETE, 1, 0, 5 },
    { EAR_ERROR_TIMED_OUT, 2, 0, 30 },
    { EAR_ERROR_UNREACHABLE, 4, 0, 600 },
    { EAR_ERROR_UNREACHABLE, 5, 0, -1 },
    { EAR_ERROR_SERVER, 1, 0, 5 },
    { EAR_ERROR_BUSY, 1, 0, 5 },
    { EAR_ERROR_BUSY, 1, 90, 90 },
    { EAR_ERROR_BUSY, 1, 604800, -1 },
    { EAR_ERROR_OFFLINE, 1, 0, 5 },
    { EAR_ERROR_OFFLINE, 1000, 0, 600 },
    { EAR_ERROR_NOT_FOUND, 1, 0, -1 },
    { EAR_ERROR_NO_SPACE, 1, 0, 60 },
    { EAR_ERROR_NO_SPACE, 1000, 0, 60 },
    { EAR_ERROR_WEB_PAGE, 1, 0, -1 },
    { EAR_ERROR_UNAUTHORIZED, 1, 0, -1 },
  };
  g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, cases[i].code, "");

      g_assert_cmpint (
        ear_download_policy_get_pause (error, cases[i].tries, cases[i].retry_after), ==,
        cases[i].pause);
    }
  g_assert_cmpint (ear_download_policy_get_pause (other, 1, 0), ==, -1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD_WITH(name, data, func) \
  g_test_add ("/downloads/" name, Fixture, data, set_up, func, tear_down)
#define ADD(name, func) ADD_WITH (name, NULL, func)
  g_test_add_func ("/downloads/policy", test_policy);
  ADD ("download", test_download);
  ADD ("next-session", test_next_session);
  ADD ("failures", test_failures);
  ADD ("expired", test_expired);
  ADD_WITH ("expired/401", "/~status=401/sound/1.mp3", test_expired_statuses);
  ADD_WITH ("expired/404", "/~status=404/sound/1.mp3", test_expired_statuses);
  ADD_WITH ("expired/page", "/~html/sound/1.mp3", test_expired_statuses);
  ADD ("expired/for-good", test_expired_for_good);
  ADD_WITH ("expired/at-once", "/two.mp3?token=2", test_expired_for_good);
  ADD ("expired/given-up", test_expired_given_up);
  ADD ("left", test_left);
  ADD ("remove", test_remove);
  ADD ("cancel", test_cancel);
  ADD ("change-of-mind", test_change_of_mind);
  ADD ("slow-host", test_slow_host);
  ADD ("many", test_many);
  ADD ("paused-at-end", test_paused_at_end);
  ADD ("removed-by-hand", test_removed_by_hand);
  ADD ("endings", test_endings);

  return g_test_run ();
}
