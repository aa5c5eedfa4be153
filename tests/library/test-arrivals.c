/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "served-library.h"

/* News reported by a library: a line for each signal, with the title of the podcast, the
 * number of episodes, and titles of episodes. */

static void
arrived_cb (EarRefresher *refresher, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes,
            gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_true (ear_podcast_get_followed (podcast));
  g_assert_cmpuint (episodes->len, <=, 200);
  g_string_append_printf (fixture->told, "%s %u:", ear_podcast_get_title (podcast), n_episodes);
  for (guint i = 0; i < MIN (episodes->len, EAR_REFRESHER_NAMED); i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);

      g_string_append_printf (fixture->told, " %s", ear_episode_get_title (episode));
    }
  g_string_append_c (fixture->told, '\n');
}

static void
open_told (Fixture *fixture)
{
  open_library (fixture, NULL);
  g_signal_connect (fixture->parts->refresher, "episodes-arrived", G_CALLBACK (arrived_cb),
                    fixture);
}

static void
open_and_refresh (Fixture *fixture)
{
  open_told (fixture);
  refresh (fixture);
}

/* Serves and follows "/a.xml" with its first episodes. */
static EarPodcast *
begin (Fixture *fixture, guint last)
{
  put_news (fixture, "a", 1, last, NULL, "Notes");
  open_told (fixture);

  return fetch (fixture, "/a.xml");
}

/* Asserts which news were reported since the last call. */
static void
assert_told (Fixture *fixture, const char *expected)
{
  g_assert_cmpstr (fixture->told->str, ==, expected);
  g_string_set_size (fixture->told, 0);
}

/* Fetches the feed with other episodes, or other notes, and asserts the news. */
static void
refresh_with (Fixture *fixture, guint first, guint last, const char *notes, const char *expected)
{
  put_news (fixture, "a", first, last, NULL, notes);
  refresh (fixture);
  assert_told (fixture, expected);
}

static void
test_news (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 3);
  refresh_with (fixture, 1, 4, "Notes", "a 1: a4\n");

  /* Edited episodes and an unchanged feed are no news. */
  refresh_with (fixture, 1, 4, "Other notes", "");
  refresh_with (fixture, 2, 4, "Other notes", "");
  refresh_with (fixture, 1, 4, "Notes", "");

  /* Several batches of one refresh are one piece of news; all are counted, some examined. */
  refresh_with (fixture, 1, 64, "Notes", "a 60: a64 a63 a62 a61 a60\n");
  refresh_with (fixture, 1, 299, "Notes", "a 235: a299 a298 a297 a296 a295\n");

  /* A restart does not report them again. */
  close_library (fixture);
  open_and_refresh (fixture);
  assert_told (fixture, "");
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  const char *next = "<atom:link rel=\"next\" href=\"/b.xml\"/>";

  /* The server of the second page is too busy at first. */
  const char *busy = "<atom:link rel=\"next\" href=\"/~status=503/b.xml\"/>";

  put_news (fixture, "a", 10, 12, busy, "Notes");
  open_told (fixture);
  EarPodcast *podcast = fetch (fixture, "/a.xml");
  put_news (fixture, "a", 10, 12, busy, "Other notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);

  put_news (fixture, "b", 1, 9, NULL, "Notes");
  put_news (fixture, "a", 10, 13, next, "Notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 13);
  assert_told (fixture, "a 1: a13\n");

  /* So many episodes are new that the last known one is on the second page. */
  put_news (fixture, "a", 21, 22, next, "Notes");
  put_news (fixture, "b", 19, 20, NULL, "Notes");
  refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 17);
  assert_told (fixture, "a 4: a22 a21 b20 b19\n");
}

/* The catalogue is lost. */
static void
test_rebuilt (Fixture *fixture, gconstpointer data)
{
  begin (fixture, 3);
  close_library (fixture);
  remove_catalogue (fixture);
  put_news (fixture, "a", 1, 5, NULL, "Notes");
  open_told (fixture);
  EAR_TEST_WAIT_UNTIL (is_refreshed (fixture));
  assert_told (fixture, "");
  refresh_with (fixture, 1, 6, "Notes", "a 1: a6\n");

  /* The catalogue is lost again, and the feed lacks its newest episode, which was heard. */
  g_autoptr (EarEpisode) sixth = dup_by_guid (fixture, get_podcast (fixture), "a-6");
  ear_history_set_mark (fixture->parts->history, sixth, EAR_MARK_LISTENED, TRUE);
  g_clear_object (&sixth);
  close_library (fixture);
  remove_catalogue (fixture);
  put_news (fixture, "a", 1, 5, NULL, "Notes");
  open_and_refresh (fixture);
  refresh (fixture);
  assert_told (fixture, "");
  refresh_with (fixture, 1, 7, "Notes", "a 1: a7\n");
}

/* An earlier copy replaces the catalogue. */
static void
test_restored (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *copy = g_strconcat (path, ".copy", NULL);
  g_autofree char *contents = NULL;
  gsize length;

  begin (fixture, 3);
  close_library (fixture);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpint (g_rename (path, copy), ==, 0);

  /* The feed has the same episodes as the copy. */
  open_and_refresh (fixture);
  refresh_with (fixture, 1, 5, "Notes", "a 2: a5 a4\n");

  /* One session with the copy has no network. */
  close_library (fixture);
  remove_catalogue (fixture);
  g_assert_true (g_file_set_contents (copy, contents, (gssize) length, NULL));
  ear_test_server_put (fixture->server, "/a.xml", "text/html",
                       "<html><body>Log in to this network</body></html>");
  open_and_refresh (fixture);
  g_assert_nonnull (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 3);
  close_library (fixture);

  put_news (fixture, "a", 1, 6, NULL, "Notes");
  open_and_refresh (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 6);
  assert_told (fixture, "");
  refresh_with (fixture, 1, 7, "Notes", "a 1: a7\n");
}

static void
test_only_followed (Fixture *fixture, gconstpointer data)
{
  put_news (fixture, "a", 1, 3, NULL, "Notes");
  open_told (fixture);
  EarPodcast *podcast = ear_subscriptions_preview (fixture->parts->subscriptions,
                                                   get_url (fixture, "/a.xml"), NULL);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_checked (podcast) > 0 && is_at_rest (fixture));
  put_news (fixture, "a", 1, 4, NULL, "Notes");
  ear_refresher_refresh (fixture->parts->refresher, podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_told (fixture, "");

  fetch (fixture, "/a.xml");
  refresh_with (fixture, 1, 5, "Notes", "a 1: a5\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add ("/arrivals/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("news", test_news);
  ADD ("pages", test_pages);
  ADD ("rebuilt", test_rebuilt);
  ADD ("restored", test_restored);
  ADD ("only-followed", test_only_followed);

  return g_test_run ();
}
