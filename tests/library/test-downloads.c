/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "downloads-fixture.h"
#include "ear-download-rules.h"
#include "ear-downloader-private.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Downloads from a server that works, is slow or is broken */

#define SOUND_SIZE 400000

static char *
dup_title (guint i)
{
  return g_strdup_printf ("Lamp %u", i);
}

/* Serves three episodes, with their sound behind these wrappers. */
static void
put_podcast (Fixture *fixture, const char *wrappers)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>The Lighthouse Hour</title>");

  for (guint i = 3; i > 0; i--)
    {
      g_autofree char *path = g_strdup_printf ("/%u.mp3", i);
      g_autofree char *title = dup_title (i);
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);

      g_string_append_printf (feed,
                              "<item><guid>lamp-%u</guid><title>%s</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                              "<enclosure url=\"%s%s\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
                              i, title, i, wrappers, path);
      ear_test_server_put_bytes (fixture->server, path, "audio/mpeg", sound);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static void
begin (Fixture *fixture, const char *wrappers)
{
  put_podcast (fixture, wrappers);
  open_and_wait (fixture, NULL);
  fixture->library->services.downloader->pause_scale = 0.002;
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static char *
dup_file (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->data, "downloads", "The Lighthouse Hour", name, NULL);
}

static void
assert_sound (Fixture *fixture, const char *name, guint i)
{
  g_autofree char *path = dup_file (fixture, name);
  g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (sound, NULL), g_bytes_get_size (sound));
}

static gboolean
is_missing (const char *path)
{
  return !g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Waits until a filter shows these titles. */
static void
expect_filter (Fixture *fixture, EarEpisodeFilter filter, const char *expected)
{
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (filter == EAR_FILTER_DOWNLOADED ? ear_podcast_get_id (get_podcast (fixture)) : 0, filter,
                             EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  const guint n = *expected != '\0' ? (guint) (strchr (expected, ',') != NULL) + 1 : 0;
  g_autoptr (GString) titles = g_string_new (NULL);

  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (list) && g_list_model_get_n_items (G_LIST_MODEL (list)) == n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append_printf (titles, "%s%s", i > 0 ? "," : "", ear_episode_get_title (episode));
    }
  g_assert_cmpstr (titles->str, ==, expected);
}

static void
told_cb (EarNotices *notices, const char *message, gboolean lasting, GString *told)
{
  g_string_append_printf (told, "%s\n", message);
}

static void
test_download (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *path = NULL;
  guint n_active = 1;

  begin (fixture, "");
  episode = dup_episode (fixture, 2);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  g_assert_null (ear_downloader_dup_file (ear_library_get_downloader (fixture->library), episode));

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  g_assert_true (is_running (episode));
  g_object_get (ear_library_get_downloader (fixture->library), "n-active", &n_active, NULL);
  g_assert_cmpuint (n_active, ==, 1);
  /* A second request changes nothing. */
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  g_object_get (ear_library_get_downloader (fixture->library), "n-active", &n_active, NULL);
  g_assert_cmpuint (n_active, ==, 0);
  assert_sound (fixture, "2024-01-02 Lamp 2.mp3", 2);
  path = ear_downloader_dup_file (ear_library_get_downloader (fixture->library), episode);
  g_assert_true (g_str_has_suffix (path, "/2024-01-02 Lamp 2.mp3"));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.mp3"), ==, 1);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "Lamp 2");
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "Lamp 2");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  ear_test_spin (50);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.mp3"), ==, 1);
}

static void
test_cut_off (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "/~times=2/~cut=150000");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
}

/* A session that ends in the middle: the next one resumes the download. */
static void
test_next_session (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarTestRequest) request = NULL;

  begin (fixture, "/~slow=3000000,200000,60000");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.4);
  g_clear_object (&episode);
  library_fixture_close (&fixture->library);

  ear_test_server_put_way (fixture->server, "/~slow=3000000,200000,60000/1.mp3", "/1.mp3");
  ear_test_server_clear_log (fixture->server);
  open_and_wait (fixture, NULL);
  episode = dup_episode (fixture, 1);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  request = ear_test_server_dup_last_request (fixture->server, "/~slow=3000000,200000,60000/1.mp3");
  g_assert_nonnull (request);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "Lamp 1");

  /* The session after that has the file. */
  g_clear_object (&episode);
  library_fixture_close (&fixture->library);
  ear_test_server_clear_log (fixture->server);
  open_and_wait (fixture, NULL);
  episode = dup_episode (fixture, 1);
  g_assert_true (is_done (episode));
  ear_test_spin (100);
  g_assert_true (is_done (episode));
  g_assert_null (ear_test_server_dup_last_request (fixture->server, "/~slow=3000000,200000,60000/1.mp3"));
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "/~status=404");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_NOT_FOUND);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "");
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "Lamp 1");

  ear_test_server_put_way (fixture->server, "/~status=404/1.mp3", "/1.mp3");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  g_assert_null (ear_episode_get_download_error (episode));
  EAR_TEST_WAIT_UNTIL (is_done (episode));
}

/* A fault that persists ends the attempts. */
static void
test_given_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "/~status=500");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_SERVER);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/~status=500/1.mp3"), ==, 5);
}

static void
test_web_page (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "/~html");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_WEB_PAGE);
}

/* --- Addresses that expire ---------------------------------------------------------- */

/* One episode, at a signed URL; the sound itself is at /1.mp3. */
static void
put_signed (Fixture *fixture, const char *path, const char *way)
{
  g_autofree char *plain = g_strndup (path, strcspn (path, "?"));
  g_autofree char *feed =
      g_strdup_printf ("<rss version=\"2.0\"><channel><title>The Lighthouse "
                       "Hour</title><item><guid>lamp-1</guid><title>Lamp 1</title>"
                       "<pubDate>Mon, 01 Jan 2024 12:00:00 +0000</pubDate><enclosure url=\"%s\" "
                       "type=\"audio/mpeg\" length=\"1000\"/></item>"
                       "</channel></rss>",
                       path);

  ear_test_server_put_way (fixture->server, plain, way);
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed);
}

static EarEpisode *
begin_signed (Fixture *fixture, const char *way)
{
  begin (fixture, "");
  put_signed (fixture, "/one.mp3?token=1", way);
  ear_refresher_refresh (fixture->library->services.refresher, get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_refresher_get_refreshing (fixture->library->services.refresher));
  ear_test_server_clear_log (fixture->server);

  return dup_episode (fixture, 1);
}

/* The URL expires in the middle of a download, which continues at the feed's new one. */
static void
test_expired (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = begin_signed (fixture, "/~slow=3000000,200000,60000/1.mp3");
  g_autoptr (EarTestRequest) request = NULL;

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.4);
  put_signed (fixture, "/one.mp3?token=1", "/~status=403/1.mp3");
  put_signed (fixture, "/two.mp3?token=2", "/1.mp3");
  ear_test_server_close_connections (fixture->server);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  request = ear_test_server_dup_last_request (fixture->server, "/two.mp3?token=2");
  g_assert_cmpuint (request->status, ==, 206);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), ==, 1);
}

/* Every status that servers answer to an expired URL */
static void
test_expired_statuses (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = begin_signed (fixture, data);

  put_signed (fixture, "/two.mp3?token=2", "/1.mp3");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/two.mp3?token=2"), ==, 1);
}

/* The feed has no other URL: it is fetched once, not forever. A later refresh with a new
 * URL restarts the download. */
static void
test_expired_for_good (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = begin_signed (fixture, "/~status=403/1.mp3");
  guint n_tries;

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_FORBIDDEN);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), ==, 1);
  n_tries = ear_test_server_count_requests (fixture->server, "/one.mp3?token=1");
  ear_test_spin (200);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/one.mp3?token=1"), ==,
                    n_tries);

  put_signed (fixture, "/two.mp3?token=2", "/1.mp3");
  ear_refresher_refresh (fixture->library->services.refresher, get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
}

/* Each new URL is refused as well. */
static void
test_expired_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = begin_signed (fixture, "/~status=410/1.mp3");

  put_signed (fixture, "/two.mp3?token=2", "/~status=410/1.mp3");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_GONE);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), ==, 1);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/two.mp3?token=2"), ==, 1);
}

/* The download is paused and canceled while the feed is fetched. */
static void
test_expired_given_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = begin_signed (fixture, "/~status=404/1.mp3");

  ear_test_server_put_way (fixture->server, "/feed.xml", "/~hold/other.xml");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, "/feed.xml") == 1);
  g_assert_true (is_running (episode));
  ear_downloader_pause (ear_library_get_downloader (fixture->library), episode);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_PAUSED);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  ear_test_server_set_holding (fixture->server, FALSE);
  EAR_TEST_WAIT_UNTIL (!ear_refresher_get_refreshing (fixture->library->services.refresher));
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
}

/* A download that restarts from zero has all its bytes left. */
static void
test_left (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) kept = NULL;
  g_autoptr (EarEpisode) lost = NULL;
  gint64 left;

  begin (fixture, "");
  fixture->library->services.downloader->pause_scale = 1.0;
  ear_test_server_put_way (fixture->server, "/1.mp3", "/~noetag/~nodate/~cut=150000/2.mp3");
  lost = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), lost);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (lost) == EAR_DOWNLOAD_WAITING);
  g_object_get (fixture->library->services.downloader, "left", &left, NULL);
  g_assert_cmpint (left, ==, SOUND_SIZE);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), lost);

  ear_test_server_put_way (fixture->server, "/3.mp3", "/~cut=150000/2.mp3");
  kept = dup_episode (fixture, 3);
  ear_downloader_download (ear_library_get_downloader (fixture->library), kept);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (kept) == EAR_DOWNLOAD_WAITING);
  g_object_get (fixture->library->services.downloader, "left", &left, NULL);
  g_assert_cmpint (left, <, SOUND_SIZE);
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *file = dup_file (fixture, "2024-01-03 Lamp 3.mp3");

  begin (fixture, "");
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 3);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  g_assert_null (undo);

  fixture->library->services.downloader->pause_scale = 1.0;
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  g_assert_nonnull (undo);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  /* Undo restores it without a request. */
  ear_test_server_clear_log (fixture->server);
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-03 Lamp 3.mp3", 3);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 0);
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "Lamp 3");

  /* No file is left once undo has expired. */
  fixture->library->services.downloader->pause_scale = 0.002;
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_missing (file));
  library_fixture_close (&fixture->library);
  {
    g_autofree char *records = g_build_filename (fixture->data, "downloads", ".earmark", NULL);
    g_autoptr (GDir) dir = g_dir_open (records, 0, NULL);

    g_assert_null (g_dir_read_name (dir));
  }
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture, "/~slow=3000000,200000,60000");
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.4);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  ear_test_spin (100);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  ear_test_server_put_way (fixture->server, "/~slow=3000000,200000,60000/1.mp3", "/1.mp3");
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
}

/* Downloads that are canceled and requested again before the running request has
 * ended. */
static void
test_change_of_mind (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture, "/~slow=1000000");
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  for (guint i = 0; i < 5; i++)
    {
      ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
      if (i % 2 == 0)
        ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
      else
        ear_undo_run (undo);
      ear_test_spin (i * 20);
    }
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
}

/* Two slow downloads delay neither a third one from their host nor its feeds. */
static void
test_slow_host (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episodes[3];

  begin (fixture, "");
  ear_test_server_put_way (fixture->server, "/1.mp3", "/~stall=100000/slow.mp3");
  ear_test_server_put_way (fixture->server, "/2.mp3", "/~stall=100000/slow.mp3");
  {
    g_autoptr (GBytes) sound = make_sound (1, SOUND_SIZE);

    ear_test_server_put_bytes (fixture->server, "/slow.mp3", "audio/mpeg", sound);
  }
  for (guint i = 0; i < 3; i++)
    {
      episodes[i] = dup_episode (fixture, i + 1);
      ear_downloader_download (ear_library_get_downloader (fixture->library), episodes[i]);
    }
  EAR_TEST_WAIT_UNTIL (is_done (episodes[2]));
  g_assert_true (is_running (episodes[0]));
  g_assert_true (is_running (episodes[1]));

  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (fixture->library->services.refresher, get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_refresher_get_refreshing (fixture->library->services.refresher));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_true (is_running (episodes[0]));
  for (guint i = 0; i < 3; i++)
    g_object_unref (episodes[i]);
}

/* Each host runs a limited number of downloads, so that the first ones finish first. */
static void
test_host_limit (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episodes[3];

  begin (fixture, "/~slow=800000");
  fixture->library->services.downloader->host_limit = 1;
  for (guint i = 0; i < 3; i++)
    {
      episodes[i] = dup_episode (fixture, i + 1);
      ear_downloader_download (ear_library_get_downloader (fixture->library), episodes[i]);
    }
  g_assert_true (is_running (episodes[0]));
  g_assert_cmpint (ear_episode_get_download (episodes[1]), ==, EAR_DOWNLOAD_WAITING);
  EAR_TEST_WAIT_UNTIL (is_done (episodes[0]));
  g_assert_false (is_done (episodes[1]));
  g_assert_cmpint (ear_episode_get_download (episodes[2]), ==, EAR_DOWNLOAD_WAITING);
  EAR_TEST_WAIT_UNTIL (is_done (episodes[1]) && is_done (episodes[2]));
  for (guint i = 0; i < 3; i++)
    g_object_unref (episodes[i]);
}

static void
test_remove_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (EarEpisode) second = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *folder = dup_file (fixture, NULL);

  begin (fixture, "");
  follow_undo (fixture, &undo);
  first = dup_episode (fixture, 1);
  second = dup_episode (fixture, 2);
  g_assert_cmpuint (ear_downloader_remove_all (ear_library_get_downloader (fixture->library)), ==, 0);
  g_assert_null (undo);
  ear_downloader_download (ear_library_get_downloader (fixture->library), first);
  ear_downloader_download (ear_library_get_downloader (fixture->library), second);
  EAR_TEST_WAIT_UNTIL (is_done (first) && is_done (second));
  g_assert_cmpuint (ear_downloader_remove_all (ear_library_get_downloader (fixture->library)), ==, 2);
  g_assert_cmpint (ear_episode_get_download (first), ==, EAR_DOWNLOAD_NONE);
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 downloads removed");
  EAR_TEST_WAIT_UNTIL (is_missing (folder));
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (first) && is_done (second));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  assert_sound (fixture, "2024-01-02 Lamp 2.mp3", 2);
}

/* Downloading many at once adds only missing ones; undo removes those, and keeps earlier
 * ones. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (EarUndo) undo = NULL;
  EarEpisode *episodes[3];

  begin (fixture, "/~slow=2000000");
  follow_undo (fixture, &undo);
  for (guint i = 0; i < 3; i++)
    {
      gint64 id;

      episodes[i] = dup_episode (fixture, i + 1);
      id = ear_episode_get_id (episodes[i]);
      g_array_append_val (ids, id);
    }
  ear_downloader_download (ear_library_get_downloader (fixture->library), episodes[2]);
  EAR_TEST_WAIT_UNTIL (is_done (episodes[2]));

  ear_downloader_download_many (ear_library_get_downloader (fixture->library), ids);
  EAR_TEST_WAIT_UNTIL (undo != NULL);
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "2 episodes are being downloaded");
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episodes[0]) == EAR_DOWNLOAD_NONE &&
                       ear_episode_get_download (episodes[1]) == EAR_DOWNLOAD_NONE);
  g_assert_true (is_done (episodes[2]));

  ear_downloader_download_many (ear_library_get_downloader (fixture->library), ids);
  EAR_TEST_WAIT_UNTIL (is_done (episodes[0]) && is_done (episodes[1]));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
  g_clear_object (&undo);
  ear_downloader_remove_many (ear_library_get_downloader (fixture->library), ids);
  EAR_TEST_WAIT_UNTIL (undo != NULL);
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "3 downloads removed");
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  /* A notice reports that there is nothing to remove. */
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), fixture->told);
  ear_downloader_remove_many (ear_library_get_downloader (fixture->library), ids);
  EAR_TEST_WAIT_UNTIL (strstr (fixture->told->str, "No downloads") != NULL);
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (episodes[0]) && is_done (episodes[1]) && is_done (episodes[2]));
  ear_downloader_download_many (ear_library_get_downloader (fixture->library), ids);
  EAR_TEST_WAIT_UNTIL (strstr (fixture->told->str, "Nothing to download") != NULL);
  for (guint i = 0; i < 3; i++)
    g_object_unref (episodes[i]);
}

/* A download that is paused while its file gets a name is complete, also in the next
 * session. */
static void
test_paused_at_end (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader;
  const EarDownloadItem *item;
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarEpisode) again = NULL;

  begin (fixture, "");
  downloader = ear_library_get_downloader (fixture->library);
  episode = dup_episode (fixture, 1);
  ear_downloader_download (downloader, episode);
  item = ear_downloader_find_item (downloader, episode);
  while (item->record->done == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (item->record->file);
  ear_downloader_pause (downloader, episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  downloader = ear_library_get_downloader (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (downloader));
  again = dup_episode (fixture, 1);
  item = ear_downloader_find_item (downloader, again);
  g_assert_nonnull (item->record->file);
  g_assert_false (item->record->paused);
}

/* A file deleted by another program counts as not downloaded, and playing streams it
 * again. */
static void
test_removed_by_hand (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *file = dup_file (fixture, "2024-01-01 Lamp 1.mp3");

  begin (fixture, "");
  fixture->library->services.downloader->pause_scale = 1.0;
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_null (ear_downloader_dup_file (ear_library_get_downloader (fixture->library), episode));
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  expect_filter (fixture, EAR_FILTER_DOWNLOADS, "");

  /* The episode can be downloaded again at once. */
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  assert_sound (fixture, "2024-01-01 Lamp 1.mp3", 1);
}

/* The catalogue is lost; downloads are recognized once the feed is fetched again. */
static void
test_lost_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);

  begin (fixture, "");
  episode = dup_episode (fixture, 2);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  g_clear_object (&episode);
  library_fixture_close (&fixture->library);
  g_assert_cmpint (g_unlink (catalogue), ==, 0);

  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "Lamp 2");
  episode = dup_episode (fixture, 2);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
}

static void
test_unfollowed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *file = dup_file (fixture, "2024-01-01 Lamp 1.mp3");

  begin (fixture, "");
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));

  /* The files stay while undo is offered. */
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  ear_test_spin (50);
  g_assert_false (is_missing (file));
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "Lamp 1");

  g_signal_emit_by_name (fixture->library->services.catalogue, "podcast-forgotten", ear_podcast_get_address (get_podcast (fixture)));
  EAR_TEST_WAIT_UNTIL (is_missing (file));
}

static void
test_damaged_record (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *key = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autofree char *file = dup_file (fixture, "2024-01-01 Lamp 1.mp3");

  begin (fixture, "");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  key = ear_episode_dup_key (episode);
  name = g_strconcat (key, ".json", NULL);
  path = g_build_filename (fixture->data, "downloads", ".earmark", name, NULL);
  g_clear_object (&episode);
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_set_contents (path, "{", -1, NULL));

  make_library (fixture);
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), fixture->told);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (fixture->told->len > 0);
  g_assert_nonnull (strstr (fixture->told->str, "1 download"));
  g_assert_false (is_missing (file));
  expect_filter (fixture, EAR_FILTER_DOWNLOADED, "");
}

/* The extension of a file fits its content, whatever the feed, the URL and the server
 * call it. */
static void
test_endings (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    const char *way;
    const char *file;
  } kinds[] = {
    { "\0\0\0\x10"
      "ftypM4A \0\0\0\0",
      16, "/sound", "2024-01-01 Lamp 1.m4a" },
    { "OggS\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1\x13OpusHead", 36, "/sound",
      "2024-01-01 Lamp 1.opus" },
    { "\xff\xfb\x90\x64", 4, "/~type=application%2Foctet-stream%3B%20charset=utf-8/sound",
      "2024-01-01 Lamp 1.mp3" },
    { "\xff\xfb\x90\x64", 4, "/~type=video%2Fmp4/sound", "2024-01-01 Lamp 1.mp3" },
    { "\xff\xfb\x90\x64", 4, "/~type=text%2Fplain/sound", "2024-01-01 Lamp 1.mp3" },
  };

  begin (fixture, "");
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, 1);
      g_autofree guint8 *sound = g_malloc0 (20000);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *path = NULL;
      g_autofree char *expected = dup_file (fixture, kinds[i].file);

      /* MP3 frames of 417 bytes */
      for (gsize position = 0; position + 417 < 20000;
           position += kinds[i].length == 4 ? 417 : 20000)
        memcpy (sound + position, kinds[i].bytes, kinds[i].length);
      bytes = g_bytes_new (sound, 20000);
      ear_test_server_put_bytes (fixture->server, "/sound", "audio/mpeg", bytes);
      ear_test_server_put_way (fixture->server, "/1.mp3", kinds[i].way);
      ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
      EAR_TEST_WAIT_UNTIL (is_done (episode));
      path = ear_downloader_dup_file (ear_library_get_downloader (fixture->library), episode);
      g_assert_cmpstr (path, ==, expected);
      ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
      EAR_TEST_WAIT_UNTIL (is_missing (expected));
    }
}

static void
test_policy (void)
{
  static const struct
  {
    int code;
    guint tries;
    gint64 retry_after;
    gint64 pause;
  } cases[] = {
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

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, cases[i].code, "");

      g_assert_cmpint (ear_download_policy_get_pause (error, cases[i].tries, cases[i].retry_after), ==, cases[i].pause);
    }
  {
    g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "");

    g_assert_cmpint (ear_download_policy_get_pause (error, 1, 0), ==, -1);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/downloads/" name, Fixture, NULL, set_up, func, tear_down)
  g_test_add_func ("/downloads/policy", test_policy);
  ADD ("download", test_download);
  ADD ("cut-off", test_cut_off);
  ADD ("next-session", test_next_session);
  ADD ("failed", test_failed);
  ADD ("given-up", test_given_up);
  ADD ("web-page", test_web_page);
  ADD ("expired", test_expired);
  g_test_add ("/downloads/expired/401", Fixture, "/~status=401/1.mp3", set_up,
              test_expired_statuses, tear_down);
  g_test_add ("/downloads/expired/404", Fixture, "/~status=404/1.mp3", set_up,
              test_expired_statuses, tear_down);
  g_test_add ("/downloads/expired/page", Fixture, "/~html/1.mp3", set_up, test_expired_statuses,
              tear_down);
  ADD ("expired/for-good", test_expired_for_good);
  ADD ("expired/at-once", test_expired_at_once);
  ADD ("expired/given-up", test_expired_given_up);
  ADD ("left", test_left);
  ADD ("remove", test_remove);
  ADD ("cancel", test_cancel);
  ADD ("change-of-mind", test_change_of_mind);
  ADD ("slow-host", test_slow_host);
  ADD ("host-limit", test_host_limit);
  ADD ("remove-all", test_remove_all);
  ADD ("many", test_many);
  ADD ("paused-at-end", test_paused_at_end);
  ADD ("removed-by-hand", test_removed_by_hand);
  ADD ("lost-catalogue", test_lost_catalogue);
  ADD ("unfollowed", test_unfollowed);
  ADD ("damaged-record", test_damaged_record);
  ADD ("endings", test_endings);

  return g_test_run ();
}
