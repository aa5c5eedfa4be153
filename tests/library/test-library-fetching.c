/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "served-library.h"

#include <signal.h>
#include <sys/resource.h>

/* Feeds that are slow, broken or missing */

static void
test_first_rows_of_slow_feed (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 400);
  open_library (fixture, NULL);
  follow (fixture, "/~slow=20000/feed.xml");
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 1));
  g_assert_true (ear_podcast_get_refreshing (get_podcast (fixture)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), <, 400);
  g_assert_cmpstr (ear_podcast_get_title (get_podcast (fixture)), ==, "The Lighthouse Hour");
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
}

static void
test_not_modified (Fixture *fixture, gconstpointer data)
{
  guint before, changes = 0;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (count_signal_cb), &changes);

  before = ear_test_server_count_requests (fixture->server, "/feed.xml");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), ==, before + 1);
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/feed.xml");
  g_assert_cmpuint (request->status, ==, 304);
  g_assert_cmpuint (changes, ==, 0);

  /* Two more episodes add two rows in a single change. */
  put_feed (fixture, 1, 12);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 12));
  g_assert_cmpuint (changes, <=, 2);
}

static void
test_garbage_keeps_episodes (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));

  ear_test_server_put (fixture->server, "/feed.xml", "text/html", "<!DOCTYPE html><html><body>Parked domain</body></html>");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_WEB_PAGE);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);

  /* A shrinking feed removes no episodes, and a repaired feed clears its error. */
  put_feed (fixture, 9, 10);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
}

static void
test_cut_feed_keeps_what_came (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 100);
  open_library (fixture, NULL);
  follow (fixture, "/~cut=4000/feed.xml");
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_INCOMPLETE);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), >, 10);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), <, 100);
}

static void
test_network_returns (Fixture *fixture, gconstpointer data)
{
  guint16 port;
  g_autoptr (GUri) base = g_uri_parse (ear_test_server_get_base_url (fixture->server), G_URI_FLAGS_NONE, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");

  port = g_uri_get_port (base);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);

  open_library (fixture, NULL);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_UNREACHABLE);

  fixture->server = ear_test_server_new ();
  ear_test_server_set_port (fixture->server, port);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  put_feed (fixture, 1, 4);
  /* The podcast fills without another request. */
  g_signal_emit_by_name (fixture->library->services.network, "network-changed", TRUE);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 4);
}

static void
set_room (rlim_t bytes)
{
  const struct rlimit limit = { bytes, RLIM_INFINITY };

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

static gboolean
is_at_rest (Fixture *fixture)
{
  return !ear_refresher_get_refreshing (fixture->library->services.refresher);
}

/* A full disk is reported once; when there is space again, all lost episodes are stored,
 * also those of podcasts followed meanwhile. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast, *later;
  guint n_notices = 0;

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/later.xml", "/feed.xml");
  open_library (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (count_signal_cb), &n_notices);
  podcast = follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));

  put_feed (fixture, 1, 20);
  set_room (8192);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (n_notices == 1);
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  later = follow (fixture, "/later.xml");
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  g_assert_cmpuint (n_notices, ==, 1);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);

  set_room (RLIM_INFINITY);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), later, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 20);
  g_assert_cmpuint (ear_podcast_get_n_episodes (later), ==, 20);
  g_assert_cmpuint (n_notices, ==, 1);
}

static void
fail (Fixture *fixture)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_SPACE, "No room");

  g_signal_emit_by_name (fixture->library->services.catalogue, "failed", error, TRUE);
}

static void
note_notice_cb (Fixture *fixture, const char *message, gboolean lasting)
{
  g_string_append (fixture->told, lasting ? "lasting\n" : "passing\n");
}

/* Only some episodes fit: the loss is reported once. */
static void
test_little_room (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  open_library (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (note_notice_cb), fixture);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_signal_connect_swapped (fixture->library->services.catalogue, "episodes-inserted", G_CALLBACK (fail), fixture);
  for (guint last = 8; last <= 12; last += 2)
    {
      put_feed (fixture, 1, last);
      ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
      EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
      g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, last);
      g_assert_cmpstr (fixture->told->str, ==, "passing\n");
    }
}

static void
closed_in_vain_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_library_close_finish (EAR_LIBRARY (source), result, user_data);
}

/* Closing the library reports data that could not be written. */
static void
test_closed_without_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  put_feed (fixture, 1, 5);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));

  set_room (16);
  listen_to (fixture, 0);
  ear_library_close_async (fixture->library, closed_in_vain_cb, &error);
  EAR_TEST_WAIT_UNTIL (error != NULL);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  set_room (RLIM_INFINITY);
  g_clear_object (&fixture->library);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add ("/library-fetching/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("first-rows-of-slow-feed", test_first_rows_of_slow_feed);
  ADD ("not-modified", test_not_modified);
  ADD ("garbage-keeps-episodes", test_garbage_keeps_episodes);
  ADD ("cut-feed-keeps-what-came", test_cut_feed_keeps_what_came);
  ADD ("network-returns", test_network_returns);
  ADD ("no-room", test_no_room);
  ADD ("closed-without-room", test_closed_without_room);
  ADD ("little-room", test_little_room);
#undef ADD

  return g_test_run ();
}
