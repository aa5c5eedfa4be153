/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-catalogue-private.h"

/* The lists over all podcasts, and previewed podcasts */

static gint64
get_now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

/* One response of a feed; the fifth episode is of today. */
static void
refresh (Fixture *fixture, EarPodcast *podcast, const char *prefix, guint n, gboolean whole)
{
  g_autoptr (GPtrArray) episodes = make_episodes (prefix, n, get_now () - (5 - n) * DAY);

  store_answer (fixture->catalogue, podcast, episodes, whole);
  flush (fixture->catalogue);
}

/* The podcasts' counts add up to that of the list. */
static void
assert_n_new (Fixture *fixture, guint expected)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  guint sum = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      sum += ear_podcast_get_n_new (podcast);
    }
  g_assert_cmpuint (ear_catalogue_get_n_new (fixture->catalogue), ==, expected);
  g_assert_cmpuint (sum, ==, expected);
}

#define assert_view(fixture, filter, expected) \
  assert_query (fixture, NULL, filter, EAR_SORT_NEWEST, NULL, expected)

static void
listen (Fixture *fixture, EarPodcast *podcast, const char *guid, gboolean listened)
{
  set_mark (fixture, podcast, guid, EAR_MARK_LISTENED, listened, g_get_real_time ());
}

/* The newest episode of a podcast just followed is new, and so are all later ones. */
static void
test_view_new (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  g_assert_true (ear_podcast_get_followed (podcast));
  refresh (fixture, podcast, "a", 3, TRUE);
  assert_view (fixture, EAR_FILTER_NEW, "a-3");
  assert_n_new (fixture, 1);

  refresh (fixture, podcast, "a", 5, TRUE);
  assert_view (fixture, EAR_FILTER_NEW, "a-5 a-4 a-3");
  assert_query (fixture, podcast, EAR_FILTER_NEW, EAR_SORT_OLDEST, NULL, "a-3 a-4 a-5");
  assert_query (fixture, NULL, EAR_FILTER_NEW, EAR_SORT_NEWEST, "episode", "a-5 a-4 a-3");
  assert_n_new (fixture, 3);

  /* Started and played episodes are not new any more; undo makes them new again. */
  set_mark (fixture, podcast, "a-4", EAR_MARK_POSITION, 7, 10);
  listen (fixture, podcast, "a-3", TRUE);
  assert_view (fixture, EAR_FILTER_NEW, "a-5");
  assert_view (fixture, EAR_FILTER_IN_PROGRESS, "a-4");
  assert_n_new (fixture, 1);
  g_assert_cmpuint (ear_catalogue_get_n_in_progress (fixture->catalogue), ==, 1);
  listen (fixture, podcast, "a-3", FALSE);
  assert_view (fixture, EAR_FILTER_NEW, "a-5 a-3");

  /* An unfollowed podcast has no new episodes, until it is followed again. */
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_false (ear_podcast_get_followed (podcast));
  assert_view (fixture, EAR_FILTER_NEW, "");
  assert_n_new (fixture, 0);
  g_assert_cmpuint (ear_catalogue_get_n_in_progress (fixture->catalogue), ==, 0);
  follow (fixture, "one");
  assert_view (fixture, EAR_FILTER_NEW, "a-5 a-3");
  assert_n_new (fixture, 2);
}

/* Old episodes are not new: neither the rest of a first response that was cut off, nor an
 * archive that is added to a feed, nor edited episodes. */
static void
test_not_new (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");

  refresh (fixture, podcast, "a", 1, FALSE);
  assert_view (fixture, EAR_FILTER_NEW, "a-1");
  refresh (fixture, podcast, "a", 4, TRUE);
  assert_view (fixture, EAR_FILTER_NEW, "a-1");
  store_one (fixture->catalogue, podcast, make_episode ("old", "Old", get_now () - 400 * DAY, NULL));
  assert_view (fixture, EAR_FILTER_NEW, "a-1");
  listen (fixture, podcast, "a-1", TRUE);
  store_one (fixture->catalogue, podcast, make_episode ("a-1", "Edited", get_now (), "Other words"));
  assert_view (fixture, EAR_FILTER_NEW, "");

  /* An episode without a date may be new. */
  store_one (fixture->catalogue, podcast, make_episode ("undated", "Undated", EAR_DATE_UNKNOWN, NULL));
  assert_view (fixture, EAR_FILTER_NEW, "undated");
}

static void
test_history (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");

  refresh (fixture, podcast, "a", 4, TRUE);
  refresh (fixture, other, "b", 2, TRUE);
  assert_view (fixture, EAR_FILTER_HISTORY, "");
  set_mark (fixture, podcast, "a-1", EAR_MARK_POSITION, 5, 300);
  set_mark (fixture, other, "b-2", EAR_MARK_POSITION, 5, 200);
  set_mark (fixture, podcast, "a-3", EAR_MARK_POSITION, 0, 400);
  listen (fixture, podcast, "a-3", TRUE);
  listen (fixture, podcast, "a-4", TRUE);
  listen (fixture, podcast, "a-2", TRUE);
  /* Episodes that were only marked have no time of listening. */
  assert_view (fixture, EAR_FILTER_HISTORY, "a-3 a-1 b-2");
  assert_query (fixture, podcast, EAR_FILTER_HISTORY, EAR_SORT_TITLE, NULL, "a-3 a-1");
  assert_query (fixture, NULL, EAR_FILTER_HISTORY, EAR_SORT_OLDEST, "episode", "a-3 a-1 b-2");

  /* The same position at a later time moves it up. */
  fixture_forget (fixture);
  set_mark (fixture, other, "b-2", EAR_MARK_POSITION, 5, 500);
  assert_log (fixture, "changed 2; ");
  assert_view (fixture, EAR_FILTER_HISTORY, "b-2 a-3 a-1");
}

/* Each podcast has its own count. Counts and totals are known at the start, before any write, and
 * notify only when they change. */
static void
test_totals (Fixture *fixture, gconstpointer data)
{
  EarPodcast *one = follow (fixture, "one");
  EarPodcast *two = follow (fixture, "two");
  g_autoptr (GString) notified = g_string_new (NULL);

  refresh (fixture, one, "a", 1, TRUE);
  refresh (fixture, one, "a", 3, TRUE);
  refresh (fixture, two, "b", 2, TRUE);
  assert_n_new (fixture, 4);
  g_assert_cmpuint (ear_podcast_get_n_new (one), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_new (two), ==, 1);
  listen (fixture, two, "b-2", TRUE);
  flush (fixture->catalogue);
  g_assert_cmpuint (ear_podcast_get_n_new (two), ==, 0);
  set_mark (fixture, one, "a-1", EAR_MARK_POSITION, 5, 300);
  set_mark (fixture, one, "a-2", EAR_MARK_POSITION, 5, 300);

  fixture_reopen (fixture);
  one = ear_catalogue_get_podcast (fixture->catalogue, 1);
  g_signal_connect (fixture->catalogue, "notify", G_CALLBACK (notify_cb), notified);
  g_assert_cmpuint (ear_catalogue_get_n_in_progress (fixture->catalogue), ==, 2);
  assert_n_new (fixture, 1);
  listen (fixture, one, "a-2", TRUE);
  flush (fixture->catalogue);
  g_assert_cmpstr (notified->str, ==, "n-in-progress ");
  g_assert_cmpuint (ear_catalogue_get_n_in_progress (fixture->catalogue), ==, 1);
}

/* Episodes of a previewed podcast are in its own list and in no other. */
static void
test_preview (Fixture *fixture, gconstpointer data)
{
  static const char address[] = "https://example.org/one";
  EarPodcast *podcast = ear_catalogue_preview (fixture->catalogue, address, "One");
  const gint64 id = ear_podcast_get_id (podcast);

  g_assert_false (ear_podcast_get_followed (podcast));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "One");
  g_assert_true (ear_catalogue_preview (fixture->catalogue, address, NULL) == podcast);
  g_assert_null (ear_catalogue_find_podcast (fixture->catalogue, address));
  g_assert_true (ear_catalogue_find_known (fixture->catalogue, address) == podcast);
  g_assert_true (ear_catalogue_get_podcast (fixture->catalogue, id) == podcast);
  refresh (fixture, podcast, "a", 3, TRUE);
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 0);
  assert_newest (fixture, podcast, "a-3 a-2 a-1");
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "a-3 a-2 a-1");
  assert_view (fixture, EAR_FILTER_ALL, "");
  assert_view (fixture, EAR_FILTER_NEW, "");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, "words", "");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_autoptr (EarEpisode) newest = get_episode (fixture->catalogue, podcast, "a-3");
  g_assert_false (ear_episode_is_new (newest));

  /* Following it adds it at once, and its newest episode is new, also where it is shown. */
  g_assert_true (follow (fixture, "one") == podcast);
  g_assert_true (ear_podcast_get_followed (podcast));
  g_assert_cmpint (count_podcasts (fixture->catalogue), ==, 1);
  assert_view (fixture, EAR_FILTER_ALL, "a-3 a-2 a-1");
  assert_view (fixture, EAR_FILTER_NEW, "a-3");
  g_assert_true (ear_episode_is_new (newest));
  refresh (fixture, podcast, "a", 4, TRUE);
  assert_view (fixture, EAR_FILTER_NEW, "a-4 a-3");

  /* Ending the preview does not unfollow it. */
  ear_catalogue_end_preview (fixture->catalogue, podcast);
  g_assert_true (ear_podcast_get_followed (podcast));
  fixture_reopen (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_true (ear_podcast_get_followed (podcast));
  g_assert_true (ear_catalogue_preview (fixture->catalogue, address, NULL) == podcast);
  g_assert_true (ear_podcast_get_followed (podcast));
}

/* A previewed podcast is forgotten after a while, or at once if the preview was in an
 * earlier session, unless the listener marked something. */
static void
test_end_preview (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_catalogue_preview (fixture->catalogue, "https://example.org/one", NULL);
  EarPodcast *played = ear_catalogue_preview (fixture->catalogue, "https://example.org/played", NULL);

  refresh (fixture, podcast, "a", 2, TRUE);
  refresh (fixture, played, "b", 2, TRUE);
  ear_catalogue_end_preview (fixture->catalogue, podcast);
  g_assert_null (ear_catalogue_find_known (fixture->catalogue, "https://example.org/one"));
  /* A new preview before it is purged */
  g_assert_true (ear_catalogue_preview (fixture->catalogue, "https://example.org/one", NULL) == podcast);
  assert_newest (fixture, podcast, "a-2 a-1");
  assert_view (fixture, EAR_FILTER_ALL, "");

  set_mark (fixture, played, "b-1", EAR_MARK_POSITION, 5, 300);
  fixture->catalogue->purge_delay = 1;
  ear_catalogue_end_preview (fixture->catalogue, podcast);
  ear_catalogue_end_preview (fixture->catalogue, played);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 1);
  assert_number (fixture, "SELECT count (*) FROM episode", 2);
  assert_number (fixture, "SELECT count (*) FROM notes", 2);

  /* A podcast with a played episode stays known after a restart, though in no list. */
  ear_catalogue_preview (fixture->catalogue, "https://example.org/left", NULL);
  fixture_reopen (fixture);
  played = ear_catalogue_find_known (fixture->catalogue, "https://example.org/played");
  g_assert_nonnull (played);
  g_assert_false (ear_podcast_get_followed (played));
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, played, "b-1");
  g_assert_cmpint (ear_episode_get_position (episode), ==, 5);
  assert_view (fixture, EAR_FILTER_IN_PROGRESS, "");
  g_assert_null (ear_catalogue_find_known (fixture->catalogue, "https://example.org/left"));
}

static void
set_download (Fixture *fixture, EarPodcast *podcast, const char *guid, EarDownloadKind kind, gboolean whole)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  if (guid != NULL)
    g_ptr_array_add (marks, ear_download_mark_new (ear_podcast_get_id (podcast), guid, kind, 0));
  ear_catalogue_set_downloads (fixture->catalogue, marks, whole);
}

/* Finished and requested downloads, until the downloader knows its files */
static void
test_downloads (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *other = follow (fixture, "two");

  refresh (fixture, podcast, "a", 4, TRUE);
  refresh (fixture, other, "b", 3, TRUE);
  fixture_forget (fixture);
  g_autoptr (EarEpisode) there = get_episode (fixture->catalogue, podcast, "a-2");
  g_autoptr (EarEpisode) wanted = get_episode (fixture->catalogue, other, "b-1");
  set_download (fixture, podcast, "a-2", EAR_DOWNLOAD_KIND_THERE, FALSE);
  set_download (fixture, other, "b-1", EAR_DOWNLOAD_KIND_WANTED, FALSE);
  /* A download of an episode that is not stored yet */
  set_download (fixture, podcast, "a-5", EAR_DOWNLOAD_KIND_THERE, FALSE);
  /* Objects change before their rows do. */
  g_assert_cmpint (ear_episode_get_download (there), ==, EAR_DOWNLOAD_DONE);
  g_assert_cmpint (ear_episode_get_download (wanted), ==, EAR_DOWNLOAD_WAITING);
  /* Requested downloads come first. */
  assert_view (fixture, EAR_FILTER_DOWNLOADS, "b-1 a-2");
  assert_view (fixture, EAR_FILTER_DOWNLOADED, "a-2");
  assert_query (fixture, podcast, EAR_FILTER_DOWNLOADED, EAR_SORT_TITLE, NULL, "a-2");
  assert_query (fixture, other, EAR_FILTER_DOWNLOADED, EAR_SORT_OLDEST, NULL, "");
  assert_query (fixture, NULL, EAR_FILTER_DOWNLOADS, EAR_SORT_RANKED, "episode", "b-1 a-2");

  /* The catalogue does not store the progress. */
  ear_episode_set_download (wanted, EAR_DOWNLOAD_RUNNING, NULL);
  set_download (fixture, other, "b-1", EAR_DOWNLOAD_KIND_WANTED, FALSE);
  g_assert_cmpint (ear_episode_get_download (wanted), ==, EAR_DOWNLOAD_RUNNING);

  /* The object of a later episode is marked at once, its row with the next report. */
  refresh (fixture, podcast, "a", 5, TRUE);
  g_autoptr (EarEpisode) late = get_episode (fixture->catalogue, podcast, "a-5");
  g_assert_cmpint (ear_episode_get_download (late), ==, EAR_DOWNLOAD_DONE);
  set_download (fixture, podcast, "a-5", EAR_DOWNLOAD_KIND_THERE, FALSE);
  assert_view (fixture, EAR_FILTER_DOWNLOADED, "a-5 a-2");

  /* In the next session the rows' marks count until the downloader reports its files. */
  g_clear_object (&there);
  g_clear_object (&wanted);
  g_clear_object (&late);
  fixture_reopen (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  there = get_episode (fixture->catalogue, podcast, "a-2");
  g_assert_cmpint (ear_episode_get_download (there), ==, EAR_DOWNLOAD_DONE);
  set_download (fixture, podcast, "a-5", EAR_DOWNLOAD_KIND_THERE, TRUE);
  g_assert_cmpint (ear_episode_get_download (there), ==, EAR_DOWNLOAD_NONE);
  assert_view (fixture, EAR_FILTER_DOWNLOADS, "a-5");
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  assert_view (fixture, EAR_FILTER_DOWNLOADS, "");
  set_download (fixture, NULL, NULL, EAR_DOWNLOAD_KIND_NONE, TRUE);
  assert_number (fixture, "SELECT count (*) FROM episode WHERE download <> 0", 0);
}

static void
rename_podcast (EarPodcast *podcast, const char *title)
{
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();

  facts->title = g_strdup (title);
  ear_podcast_set_facts (podcast, facts);
}

/* The list stays sorted when many podcasts get their titles at once, and changes once. */
static void
test_titles (Fixture *fixture, gconstpointer data)
{
  static const char *const titles[] = { "m", "Delta", "a", "zeta", "c", "Beta", "x", "d" };
  static const char *const sorted[] = { "a", "Beta", "c", "d", "Delta", "m", "x", "zeta" };
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  guint n_changes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    g_ptr_array_add (named, follow (fixture, ear_test_format ("%u", i)));
  g_signal_connect_swapped (podcasts, "items-changed", G_CALLBACK (ear_test_count_cb), &n_changes);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    rename_podcast (g_ptr_array_index (named, i), titles[i]);
  ear_catalogue_place_podcasts (fixture->catalogue);
  g_assert_cmpuint (n_changes, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (sorted); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, sorted[i]);
    }

  /* A title at the same position, or of a podcast outside the list, moves nothing. */
  rename_podcast (g_ptr_array_index (named, 0), "n");
  ear_catalogue_unfollow (fixture->catalogue, g_ptr_array_index (named, 6));
  n_changes = 0;
  ear_catalogue_place_podcasts (fixture->catalogue);
  g_assert_cmpuint (n_changes, ==, 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-views/new", test_view_new },
    { "/catalogue-views/not-new", test_not_new },
    { "/catalogue-views/history", test_history },
    { "/catalogue-views/totals", test_totals },
    { "/catalogue-views/preview", test_preview },
    { "/catalogue-views/end-preview", test_end_preview },
    { "/catalogue-views/titles", test_titles },
    { "/catalogue-views/downloads", test_downloads },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
