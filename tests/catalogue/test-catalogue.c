/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-catalogue-private.h"

#include <glib/gstdio.h>

static void
test_new (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarCatalogue) closed = g_object_new (EAR_TYPE_CATALOGUE, NULL);

  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 0);
  g_assert_null (ear_catalogue_dup_episode (fixture->catalogue, 1));
  assert_number (fixture, "PRAGMA application_id", 0x4541524d);
  assert_number (fixture, "PRAGMA user_version", 17);
  ear_test_assert_text (read_text (fixture->path, "PRAGMA journal_mode"), "wal");

  /* A catalogue that was never opened accepts all calls and does nothing. */
  g_assert_null (ear_catalogue_dup_episode (closed, 1));
  ear_catalogue_begin_response (closed, 1);
  flush (closed);
  g_assert_finalize_object (g_steal_pointer (&closed));
}

static EarPodcast *
find (Fixture *fixture, const char *address)
{
  return ear_catalogue_find_podcast (fixture->catalogue, address);
}

/* Stores a response without content, with these members. */
#define check(fixture, podcast, ...) \
  ear_catalogue_store_check ((fixture)->catalogue, ear_podcast_get_id (podcast), NULL, \
                             &(EarFeedCheck) { __VA_ARGS__ })

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  EarPodcast *zebra = follow (fixture, "Zebra");
  EarPodcast *apple = follow (fixture, "apple");
  g_autoptr (EarPodcast) first = g_list_model_get_item (podcasts, 0);
  const gint64 id = ear_podcast_get_id (zebra);

  g_assert_true (first == apple);
  g_assert_true (follow (fixture, "Zebra") == zebra);
  g_assert_cmpuint (g_list_model_get_n_items (podcasts), ==, 2);
  g_assert_true (ear_catalogue_get_podcast (fixture->catalogue, id) == zebra);

  fixture_reopen (fixture);
  zebra = ear_catalogue_get_podcast (fixture->catalogue, id);
  g_assert_cmpstr (ear_podcast_get_title (zebra), ==, "Zebra");
  g_assert_cmpstr (ear_podcast_get_address (zebra), ==, "https://example.org/Zebra");
  g_assert_cmpint (ear_podcast_get_id (follow (fixture, "pear")), >, id);
}

/* A podcast is found by any spelling of its addresses; an exact match is preferred. */
static void
test_addresses (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, "https://example.org/feed", "One");
  const gint64 id = ear_podcast_get_id (podcast);

  g_assert_true (find (fixture, "https://example.org/feed") == podcast);
  g_assert_true (find (fixture, "http://www.example.org//feed/") == podcast);
  g_assert_true (ear_catalogue_follow (fixture->catalogue, "http://example.org/feed", NULL) == podcast);
  g_assert_true (ear_catalogue_preview (fixture->catalogue, "http://example.org/feed/", NULL) == podcast);
  g_assert_null (find (fixture, "https://example.org/feed?token=1"));
  g_assert_null (find (fixture, "https://me:secret@example.org/feed"));
  g_assert_null (ear_catalogue_find_known (fixture->catalogue, "http://example.org/feed"));

  check (fixture, podcast, .feed_address = (char *) "https://cdn.example/one");
  g_assert_true (find (fixture, "http://cdn.example/one/") == podcast);
  check (fixture, podcast, .feed_address = (char *) "https://cdn.example/two");
  g_assert_true (find (fixture, "https://cdn.example/two") == podcast);
  g_assert_null (find (fixture, "https://cdn.example/one"));
  EarPodcast *other = ear_catalogue_follow (fixture->catalogue, "https://cdn.example/one", "Other");
  g_assert_true (other != podcast);
  g_assert_true (find (fixture, "http://cdn.example/one") == other);

  /* An unfollowed podcast is only found by its exact address, until it is purged. */
  fixture->catalogue->purge_delay = 1;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (find (fixture, "http://example.org/feed"));
  g_assert_true (ear_catalogue_follow (fixture->catalogue, "https://example.org/feed", NULL) == podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  EAR_TEST_WAIT_UNTIL (ear_catalogue_lookup_podcast (fixture->catalogue, id) == NULL);
  g_assert_null (find (fixture, "https://example.org/feed"));
  g_assert_null (find (fixture, "https://cdn.example/two"));
  g_assert_true (find (fixture, "https://cdn.example/one") == other);
}

/* A refresh without changes writes nothing and emits no signal. */
static void
test_unchanged (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 50, NEWEST);
  const char *log_path = ear_test_format ("%s-wal", fixture->path);
  const gint64 start = g_get_monotonic_time ();
  GStatBuf before, after;

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  fixture_forget (fixture);
  g_assert_cmpint (g_stat (log_path, &before), ==, 0);

  store (fixture->catalogue, podcast, episodes);
  assert_log (fixture, "");
  g_assert_cmpint (g_stat (log_path, &after), ==, 0);
  /* Two seconds later the file is optimized, which a delayed thread would see. */
  if (g_get_monotonic_time () - start < G_USEC_PER_SEC)
    {
      g_assert_cmpint (before.st_size, ==, after.st_size);
      g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);
      g_assert_cmpint (before.st_mtim.tv_sec, ==, after.st_mtim.tv_sec);
    }

  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  assert_log (fixture, "");
}

/* 304 responses cause no signal; the time is known at once. A 304 response and a move are stored
 * together, in either order: the ETag of one server is not sent to the other. */
static void
test_not_modified (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcasts[] = { follow (fixture, "one"), follow (fixture, "two") };
  char *moved = (char *) "https://elsewhere.example/feed";

  for (guint i = 0; i < G_N_ELEMENTS (podcasts); i++)
    finish_answer (fixture->catalogue, podcasts[i], "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  for (guint i = 0; i < G_N_ELEMENTS (podcasts); i++)
    check (fixture, podcasts[i], .checked = 1800000000);
  g_assert_cmpint (ear_podcast_get_checked (podcasts[1]), ==, 1800000000);
  assert_number (fixture, "SELECT count (*) FROM podcast_check WHERE checked = 1800000000", 2);
  g_autoptr (EarFeedCheck) known = ear_catalogue_dup_check (fixture->catalogue, podcasts[0]);
  g_assert_cmpstr (known->etag, ==, "\"tag\"");
  g_assert_cmpint (known->checked, ==, 1800000000);
  assert_log (fixture, "");

  check (fixture, podcasts[0], .checked = 1900000000);
  check (fixture, podcasts[1], .feed_address = moved);
  check (fixture, podcasts[0], .feed_address = moved);
  check (fixture, podcasts[1], .checked = 1900000000);
  /* Gives the writer time to take and postpone them. */
  g_usleep (100000);
  assert_number (fixture, "SELECT count (*) FROM podcast_check WHERE etag IS NULL AND checked = 1900000000"
                          " AND feed_address = 'https://elsewhere.example/feed'", 2);
}

/* An edit keeps the row, the listener's marks, and the live object; a new date moves the row. */
static void
test_edit (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 3);

  assert_log (fixture, "inserted 1: 3; ");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_newest (fixture, podcast, "e-3 e-2 e-1");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, NULL, "e-1 e-2 e-3");
  /* Without a function for links, nothing is scanned. */
  scan (fixture->catalogue);
  assert_number (fixture, "SELECT count (links) FROM episode", 0);

  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e-2");
  g_autoptr (GString) notified = g_string_new (NULL);

  set_mark (fixture, podcast, "e-2", EAR_MARK_POSITION, 5, 100);
  finish_answer (fixture->catalogue, podcast, "One", NULL, FALSE);
  fixture_forget (fixture);

  g_signal_connect (episode, "notify", G_CALLBACK (notify_cb), notified);
  store_one (fixture->catalogue, podcast, make_episode ("e-2", "New title", NEWEST - DAY, "<p>Zebras</p>"));
  assert_log (fixture, "changed 1; ");
  g_assert_nonnull (strstr (notified->str, "name title "));
  g_assert_cmpstr (ear_episode_get_title (episode), ==, "New title");
  g_assert_cmpint (ear_episode_get_position (episode), ==, 5);
  ear_test_assert_text (load_notes (fixture->catalogue, episode, NULL), "<p>Zebras</p>");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "zebras", "e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-1");
  assert_query (fixture, podcast, EAR_FILTER_IN_PROGRESS, EAR_SORT_NEWEST, NULL, "e-2");

  store_one (fixture->catalogue, podcast, make_episode ("e-1", "Episode 1 of e", NEWEST + DAY, "<p>Words of the <b>notes</b></p>"));
  assert_newest (fixture, podcast, "e-1 e-3 e-2");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-1 e-3");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_OLDEST, "words", "e-3 e-1");
}

/* All holders of an episode share one object, which is freed with the last of them. */
static void
test_identity_map (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "a", 1);
  EarEpisode *episode = get_episode (fixture->catalogue, podcast, "a-1");
  const gint64 id = ear_episode_get_id (episode);
  EarEpisode *again = ear_catalogue_dup_episode (fixture->catalogue, id);

  g_assert_true (episode == again);
  g_assert_true (ear_episode_get_podcast (episode) == podcast);
  g_assert_true (ear_catalogue_lookup_live (fixture->catalogue, id) == episode);
  g_object_unref (again);
  g_assert_finalize_object (episode);
  g_assert_null (ear_catalogue_lookup_live (fixture->catalogue, id));

  /* An episode may outlive the catalogue. */
  episode = ear_catalogue_dup_episode (fixture->catalogue, id);
  fixture_close (fixture);
  g_assert_finalize_object (episode);
}

/* --- Unfollowed podcasts are hidden, and purged later --------------------------------- */

static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 3);
  g_autoptr (EarEpisode) playing = get_episode (fixture->catalogue, podcast, "e-2");
  const gint64 id = ear_podcast_get_id (podcast);

  fill (fixture, "two", "o", 2);
  fixture_forget (fixture);
  g_object_ref (podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (ear_catalogue_get_podcast (fixture->catalogue, id));
  g_assert_null (find (fixture, "https://example.org/one"));
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 1);
  assert_log (fixture, "hidden 1; ");
  assert_newest (fixture, NULL, "o-2 o-1");
  assert_newest (fixture, podcast, "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "o-2 o-1");

  /* A late batch is not announced. */
  fixture_forget (fixture);
  store_one (fixture->catalogue, podcast, make_episode ("late", "Late", NEWEST + DAY, NULL));
  assert_log (fixture, "");

  /* Undo: everything is back at once, with the same objects. */
  g_assert_true (follow (fixture, "one") == podcast);
  assert_log (fixture, "inserted 1; ");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "e-3 e-2 e-1");
  g_autoptr (EarEpisode) again = get_episode (fixture->catalogue, podcast, "e-2");
  g_assert_true (again == playing);
  g_object_unref (podcast);

  /* Unfollowed before a restart, it stays hidden, and can still come back. */
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_clear_object (&again);
  g_clear_object (&playing);
  fixture_reopen (fixture);
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 1);
  podcast = follow (fixture, "one");
  assert_newest (fixture, podcast, "late e-3 e-2 e-1");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
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
  EarPodcast *podcast = fill (fixture, "one", "e", 1200);
  const gint64 id = ear_podcast_get_id (podcast);

  fill (fixture, "two", "o", 3);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));
  ear_catalogue_follow (fixture->catalogue, address, NULL);
  fixture->catalogue->purge_delay = 1;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (forgotten);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 1);
  g_assert_cmpstr (forgotten, ==, address);
  assert_number (fixture, "SELECT count (*) FROM episode", 3);
  assert_number (fixture, "SELECT count (*) FROM notes", 3);
  assert_number (fixture, "SELECT count (*) FROM podcast_check", 1);
  wait_for_number (fixture, "SELECT count (*) FROM episode_text WHERE episode_text MATCH 'words'", 3);

  /* Followed again, it is a new podcast, whatever is left of the old one. */
  podcast = follow (fixture, "one");
  g_assert_cmpint (ear_podcast_get_id (podcast), >, id);
  store_one (fixture->catalogue, podcast, make_episode ("e-1", "E", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);
}

/* A podcast that was purged in part is fetched in full, without its old ETag. */
static void
test_purge_interrupted (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3000, NEWEST);
  g_autofree char *forgotten = NULL;

  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_signal_connect_swapped (fixture->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), &forgotten);
  fixture->catalogue->purge_delay = 1;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  EAR_TEST_WAIT_UNTIL (forgotten != NULL);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM episode"), <, 3000);

  fixture_open (fixture);
  podcast = follow (fixture, "one");
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_null (check != NULL ? check->etag : NULL);
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", NULL, TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3000);
  assert_number (fixture, "SELECT count (*) FROM episode WHERE fresh", 1);
}

/* A podcast that met a full disk is stored at the exit at the latest. */
static void
test_added_at_end (Fixture *fixture, gconstpointer data)
{
  fill_disk (fixture, "INSERT ON podcast");
  follow (fixture, "one");
  flush (fixture->catalogue);
  free_disk (fixture);
  fixture_close (fixture);
  assert_number (fixture, "SELECT count (*) FROM podcast", 1);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue/new", test_new },
    { "/catalogue/follow", test_follow },
    { "/catalogue/unchanged", test_unchanged },
    { "/catalogue/not-modified", test_not_modified },
    { "/catalogue/edit", test_edit },
    { "/catalogue/addresses", test_addresses },
    { "/catalogue/identity-map", test_identity_map },
    { "/catalogue-unfollowing/unfollow", test_unfollow },
    { "/catalogue-unfollowing/purge", test_purge },
    { "/catalogue-unfollowing/purge-interrupted", test_purge_interrupted },
    { "/catalogue-unfollowing/added-at-end", test_added_at_end },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
