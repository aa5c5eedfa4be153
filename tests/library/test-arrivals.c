/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* News reported by a library: a line for each signal, with the title of the podcast, the
 * number of episodes, and titles of episodes. */

static void
arrived_cb (EarRefresher *refresher, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_true (ear_podcast_get_followed (podcast));
  g_string_append_printf (fixture->told, "%s %u:", ear_podcast_get_title (podcast), n_episodes);
  for (guint i = 0; i < MIN (episodes->len, EAR_REFRESHER_NAMED); i++)
    g_string_append_printf (fixture->told, " %s", ear_episode_get_title (g_ptr_array_index (episodes, i)));
  g_string_append_c (fixture->told, '\n');
}

static void
assert_told (Fixture *fixture, const char *expected)
{
  g_assert_cmpstr (fixture->told->str, ==, expected);
  g_string_set_size (fixture->told, 0);
}

static void
open_told (Fixture *fixture)
{
  make_library (fixture);
  open_library (fixture, NULL);
  g_signal_connect (ear_library_get_refresher (fixture->library), "episodes-arrived", G_CALLBACK (arrived_cb), fixture);
}

/* Episode N is N hours younger than the oldest one, so that all are from the last
 * days. */
static void
append_item (GString *feed, const char *name, guint number, const char *notes)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) published = g_date_time_add_hours (now, (int) number - 100);
  g_autofree char *date = g_date_time_format (published, "%a, %d %b %Y %H:00:00 +0000");

  g_string_append_printf (feed,
                          "<item><guid>%s%u</guid><title>%s%u</title><pubDate>%s</pubDate><description>%s</description>"
                          "<enclosure url=\"/audio/%s%u.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>",
                          name, number, name, number, date, notes, name, number);
}

static void
put_podcast (Fixture *fixture, const char *name, guint first, guint last, const char *head, const char *notes)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>");
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);

  g_string_append_printf (feed, "<title>%c</title>%s", name[0], head);
  for (guint i = last; i >= first && i > 0; i--)
    append_item (feed, name, i, notes);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, path, "application/rss+xml", feed->str);
}

static EarPodcast *
follow_and_wait (Fixture *fixture, const char *path)
{
  EarPodcast *podcast = follow (fixture, path);

  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast) && ear_podcast_get_checked (podcast) > 0);

  return podcast;
}

static void
refresh (Fixture *fixture)
{
  EarPodcast *podcast;

  EAR_TEST_WAIT_UNTIL (is_refreshed (fixture));
  podcast = get_podcast (fixture);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  g_assert_true (ear_podcast_get_refreshing (podcast));
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
}

static void
test_news (Fixture *fixture, gconstpointer data)
{
  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  follow_and_wait (fixture, "/a.xml");
  assert_told (fixture, "");

  put_podcast (fixture, "a", 1, 4, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a4\n");

  /* Edited episodes and an unchanged feed are no news. */
  put_podcast (fixture, "a", 1, 4, "", "Other notes");
  refresh (fixture);
  put_podcast (fixture, "a", 2, 4, "", "Other notes");
  refresh (fixture);
  put_podcast (fixture, "a", 1, 4, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "");

  /* Several batches of one refresh are one piece of news. */
  put_podcast (fixture, "a", 1, 64, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 60: a64 a63 a62 a61 a60\n");

  /* A restart does not report them again. */
  library_fixture_close (&fixture->library);
  open_told (fixture);
  refresh (fixture);
  assert_told (fixture, "");
}

static void
test_listened_elsewhere (Fixture *fixture, gconstpointer data)
{
  put_podcast (fixture, "a", 1, 5, "", "Notes");
  open_told (fixture);
  EarPodcast *podcast = follow_and_wait (fixture, "/a.xml");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (list)) == 5);
  g_autoptr (EarEpisode) newest = g_list_model_get_item (G_LIST_MODEL (list), 0);
  ear_history_set_mark (ear_library_get_history (fixture->library), newest, EAR_MARK_LISTENED, TRUE);
  g_clear_object (&newest);
  g_clear_object (&list);
  library_fixture_close (&fixture->library);

  /* The catalogue is lost, and the feed lacks its newest episode for a while. */
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  put_podcast (fixture, "a", 1, 4, "", "Notes");
  open_told (fixture);
  refresh (fixture);
  refresh (fixture);
  assert_told (fixture, "");

  put_podcast (fixture, "a", 1, 6, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a6\n");
}

static void
test_older_pages (Fixture *fixture, gconstpointer data)
{
  const char *next = "<atom:link rel=\"next\" href=\"/b.xml\"/>";

  /* The server of the second page is too busy at first. */
  const char *busy = "<atom:link rel=\"next\" href=\"/~status=503/b.xml\"/>";

  put_podcast (fixture, "a", 10, 12, busy, "Notes");
  open_told (fixture);
  EarPodcast *podcast = follow_and_wait (fixture, "/a.xml");
  put_podcast (fixture, "a", 10, 12, busy, "Other notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);

  put_podcast (fixture, "b", 1, 9, "", "Notes");
  put_podcast (fixture, "a", 10, 13, next, "Notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 13);
  assert_told (fixture, "a 1: a13\n");
}

/* So many episodes are new that the last known one is on the second page. */
static void
test_news_on_pages (Fixture *fixture, gconstpointer data)
{
  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  EarPodcast *podcast = follow_and_wait (fixture, "/a.xml");

  put_podcast (fixture, "a", 21, 22, "<atom:link rel=\"next\" href=\"/b.xml\"/>", "Notes");
  put_podcast (fixture, "b", 19, 20, "", "Notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 7);
  assert_told (fixture, "a 4: a22 a21 b20 b19\n");
}

static void
test_rebuilt (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);

  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  follow_and_wait (fixture, "/a.xml");
  library_fixture_close (&fixture->library);

  g_assert_cmpint (g_unlink (path), ==, 0);
  put_podcast (fixture, "a", 1, 5, "", "Notes");
  open_told (fixture);
  EAR_TEST_WAIT_UNTIL (is_refreshed (fixture));
  assert_told (fixture, "");
  put_podcast (fixture, "a", 1, 6, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a6\n");
}

static void
test_restored (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *copy = g_build_filename (fixture->data, "catalogue.db.copy", NULL);
  g_autofree char *contents = NULL;
  gsize length;

  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  follow_and_wait (fixture, "/a.xml");
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (copy, contents, (gssize) length, NULL));
  put_podcast (fixture, "a", 1, 5, "", "Notes");
  open_told (fixture);
  refresh (fixture);
  assert_told (fixture, "a 2: a5 a4\n");
  library_fixture_close (&fixture->library);

  /* An earlier copy replaces the catalogue, and one session has no network. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  ear_test_server_put (fixture->server, "/a.xml", "text/html", "<html><body>Log in to this network</body></html>");
  open_told (fixture);
  refresh (fixture);
  g_assert_nonnull (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 3);
  library_fixture_close (&fixture->library);

  put_podcast (fixture, "a", 1, 6, "", "Notes");
  open_told (fixture);
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 6);
  assert_told (fixture, "");
  put_podcast (fixture, "a", 1, 7, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a7\n");
}

/* The feed has the same episodes as the restored copy. */
static void
test_restored_unchanged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *copy = g_build_filename (fixture->data, "catalogue.db.copy", NULL);

  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  follow_and_wait (fixture, "/a.xml");
  library_fixture_close (&fixture->library);
  g_assert_cmpint (g_rename (path, copy), ==, 0);

  open_told (fixture);
  refresh (fixture);
  put_podcast (fixture, "a", 1, 4, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a4\n");
}

static void
test_only_followed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/a.xml");

  put_podcast (fixture, "a", 1, 3, "", "Notes");
  open_told (fixture);
  EarPodcast *podcast = ear_subscriptions_preview (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast) && ear_podcast_get_checked (podcast) > 0);
  put_podcast (fixture, "a", 1, 4, "", "Notes");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_told (fixture, "");

  follow_and_wait (fixture, "/a.xml");
  assert_told (fixture, "");
  put_podcast (fixture, "a", 1, 5, "", "Notes");
  refresh (fixture);
  assert_told (fixture, "a 1: a5\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add ("/arrivals/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("news", test_news);
  ADD ("listened-elsewhere", test_listened_elsewhere);
  ADD ("older-pages", test_older_pages);
  ADD ("news-on-pages", test_news_on_pages);
  ADD ("rebuilt", test_rebuilt);
  ADD ("restored", test_restored);
  ADD ("restored-unchanged", test_restored_unchanged);
  ADD ("only-followed", test_only_followed);
#undef ADD

  return g_test_run ();
}
