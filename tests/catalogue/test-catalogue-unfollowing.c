/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-catalogue-private.h"

/* Unfollowed podcasts are hidden, and purged later. */

static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);
  g_autoptr (GPtrArray) others = make_episodes ("o", 2, NEWEST);
  g_autoptr (EarEpisode) playing = NULL;
  gint64 id = ear_podcast_get_id (podcast);

  store (fixture->catalogue, podcast, episodes);
  store (fixture->catalogue, other, others);
  flush (fixture->catalogue);
  playing = get_episode (fixture->catalogue, podcast, "e-2");
  fixture_forget (fixture);

  g_object_ref (podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (ear_catalogue_get_podcast (fixture->catalogue, id));
  g_assert_null (ear_catalogue_find_podcast (fixture->catalogue, "https://example.org/one"));
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 1);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "removed 1: 3; ");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "o-2 o-1");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "o-2 o-1");

  /* A late batch is not announced. */
  fixture_forget (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("late", "Late", NEWEST + DAY, NULL));
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");

  /* Undo: everything is back at once, with the same objects. */
  g_assert_true (follow (fixture, "one") == podcast);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 4; ");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-2 e-1");
  g_autoptr (EarEpisode) again = get_episode (fixture->catalogue, podcast, "e-2");
  g_assert_true (again == playing);
  g_object_unref (podcast);
}

static void
forgotten_cb (char **forgotten, const char *address)
{
  g_assert_null (*forgotten);
  *forgotten = g_strdup (address);
}

static void
test_purge (Fixture *fixture, gconstpointer data)
{
  g_autofree char *forgotten = NULL;
  g_autofree char *address = NULL;

  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 1200, NEWEST);
  g_autoptr (GPtrArray) others = make_episodes ("o", 3, NEWEST);
  gint64 id = ear_podcast_get_id (podcast);

  store (fixture->catalogue, podcast, episodes);
  store (fixture->catalogue, other, others);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  address = g_strdup (ear_podcast_get_address (podcast));
  ear_catalogue_follow (fixture->catalogue, address, NULL);
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (forgotten);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 1);
  g_assert_cmpstr (forgotten, ==, address);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), ==, 3);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM notes"), ==, 3);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_check"), ==, 1);
  wait_for_number (fixture, "SELECT count (*) FROM episode_text WHERE episode_text MATCH 'words'", 3);

  /* Followed again, it is a new podcast, whatever is left of the old one. */
  podcast = follow (fixture, "one");
  g_assert_cmpint (ear_podcast_get_id (podcast), >, id);
  store_one (fixture->catalogue, podcast, make_episode ("e-1", "E", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);
}

/* A podcast unfollowed before a restart stays hidden, can still come back, and is purged
 * later. */
static void
test_purge_after_restart (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  fixture_close (fixture);
  fixture_open (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 0);
  podcast = follow (fixture, "one");
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "e-3 e-2 e-1");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
}

/* A podcast that was purged in part before the exit is fetched in full, without its old
 * ETag. */
static void
test_purge_interrupted (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3000, NEWEST);
  g_autoptr (EarFeedCheck) check = NULL;
  g_autofree char *forgotten = NULL;

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  while (forgotten == NULL)
    g_main_context_iteration (NULL, TRUE);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), <, 3000);

  fixture_open (fixture);
  podcast = follow (fixture, "one");
  check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_null (check != NULL ? check->etag : NULL);
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3000);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode WHERE fresh"), ==, 1);
}

#define FILL_DISK "CREATE TRIGGER full BEFORE INSERT ON podcast BEGIN SELECT raise (ABORT, 'full'); END"

/* Podcasts that could not be stored because the disk was full are stored once there is
 * space. Until then no more errors are reported, and nothing else is affected. */
static void
test_added_late (Fixture *fixture, gconstpointer data)
{
  flush (fixture->catalogue);
  read_number (fixture->path, FILL_DISK);
  follow (fixture, "stays");
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "failed 0, episodes lost; ");
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "failed 0, episodes lost; ");

  read_number (fixture->path, "DROP TRIGGER full");
  flush (fixture->catalogue);
  g_autofree char *followed = read_text (fixture->path, "SELECT group_concat (title, ' ' ORDER BY id) FROM podcast WHERE hidden = 0");
  g_assert_cmpstr (followed, ==, "stays");
}

/* The same when nothing else is written until the exit */
static void
test_added_at_end (Fixture *fixture, gconstpointer data)
{
  flush (fixture->catalogue);
  read_number (fixture->path, FILL_DISK);
  follow (fixture, "one");
  flush (fixture->catalogue);
  read_number (fixture->path, "DROP TRIGGER full");
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast"), ==, 1);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-unfollowing/unfollow", test_unfollow },
    { "/catalogue-unfollowing/purge", test_purge },
    { "/catalogue-unfollowing/purge-after-restart", test_purge_after_restart },
    { "/catalogue-unfollowing/purge-interrupted", test_purge_interrupted },
    { "/catalogue-unfollowing/added-late", test_added_late },
    { "/catalogue-unfollowing/added-at-end", test_added_at_end },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
