/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

/* Marking many episodes, and the marks passed on to the state files */

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static EarMarks *
finish (Fixture *fixture, GAsyncResult **result)
{
  g_autoptr (GError) error = NULL;
  EarMarks *marks;

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  marks = ear_catalogue_mark_finish (fixture->catalogue, *result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (marks);
  g_clear_object (result);

  return marks;
}

static EarMarks *
mark_query (Fixture *fixture, EarPodcast *podcast, EarEpisodeFilter filter, const char *search, EarEpisode *older_than, gboolean listened)
{
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (podcast != NULL ? ear_podcast_get_id (podcast) : 0, filter, EAR_SORT_TITLE, search);
  g_autoptr (GAsyncResult) result = NULL;

  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query, .older_than = older_than }, EAR_MARK_LISTENED, listened, result_cb, &result);

  return finish (fixture, &result);
}

static EarMarks *
mark_ids (Fixture *fixture, GArray *ids, EarEpisode *older_than, gboolean listened)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .ids = ids, .older_than = older_than }, EAR_MARK_LISTENED, listened, result_cb, &result);

  return finish (fixture, &result);
}

static EarPodcast *
fill (Fixture *fixture, const char *name, guint n)
{
  EarPodcast *podcast = follow (fixture, name);
  g_autoptr (GPtrArray) episodes = make_episodes (name, n, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  fixture_forget (fixture);

  return podcast;
}

/* Episodes of a list are marked at once; marked ones are not touched. */
static void
test_ids (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", 5);
  g_autoptr (EarEpisode) first = get_episode (fixture->catalogue, podcast, "a-5");
  g_autoptr (EarEpisode) second = get_episode (fixture->catalogue, podcast, "a-4");
  g_autoptr (EarEpisode) other = get_episode (fixture->catalogue, podcast, "a-1");
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  const gint64 wanted[] = { ear_episode_get_id (second), ear_episode_get_id (first), 12345 };
  EarEpisodeState before = { .listened = TRUE, .listened_updated = 10 };
  const EarMarkedPodcast *marked;

  ear_catalogue_set_state (fixture->catalogue, second, &before);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  g_array_append_vals (ids, wanted, G_N_ELEMENTS (wanted));
  g_autoptr (EarMarks) marks = mark_ids (fixture, ids, NULL, TRUE);
  g_assert_true (ear_episode_get_listened (first));
  g_assert_false (ear_episode_get_listened (other));
  g_assert_cmpstr (fixture->log->str, ==, "changed 1: 1; ");
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  g_assert_cmpuint (marks->ids->len, ==, 1);
  g_assert_cmpint (g_array_index (marks->ids, gint64, 0), ==, ear_episode_get_id (first));
  marked = g_ptr_array_index (marks->podcasts, 0);
  g_assert_cmpstr (marked->address, ==, "https://example.org/a");
  g_assert_cmpstr (marked->title, ==, "a");
  g_assert_cmpstr (g_array_index (marked->episodes, EarMarkedEpisode, 0).guid, ==, "a-5");
  g_assert_cmpstr (g_array_index (marked->episodes, EarMarkedEpisode, 0).title, ==, "Episode 5 of a");
  g_assert_cmpstr (g_array_index (marked->episodes, EarMarkedEpisode, 0).enclosure, ==, "https://example.org/audio/a-5.mp3");

  /* Undo: only the changed ones */
  g_autoptr (EarMarks) back = mark_ids (fixture, marks->ids, NULL, FALSE);
  g_assert_cmpint (back->updated, >=, marks->updated);
  g_assert_false (ear_episode_get_listened (first));
  g_assert_true (ear_episode_get_listened (second));
  g_assert_cmpint (read_number (fixture->path, "SELECT listened_updated FROM episode WHERE guid = 'a-4'"), ==, 10);

  /* Both, limited to episodes older than the given one */
  g_autoptr (EarMarks) older = mark_ids (fixture, ids, second, FALSE);
  g_assert_cmpuint (older->ids->len, ==, 0);
  g_autoptr (EarMarks) newer = mark_ids (fixture, ids, first, FALSE);
  g_assert_cmpuint (newer->ids->len, ==, 1);
  g_assert_false (ear_episode_get_listened (second));
}

/* All results of a query, whatever its sort; then only older ones */
static void
test_query (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", 5);
  EarPodcast *other = fill (fixture, "b", 3);
  g_autoptr (EarEpisode) middle = get_episode (fixture->catalogue, podcast, "a-3");
  g_autoptr (EarEpisode) held = get_episode (fixture->catalogue, podcast, "a-1");

  g_autoptr (EarMarks) older = mark_query (fixture, podcast, EAR_FILTER_ALL, NULL, middle, TRUE);
  g_assert_cmpuint (older->ids->len, ==, 2);
  g_assert_true (ear_episode_get_listened (held));
  g_assert_false (ear_episode_get_listened (middle));
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-5 a-4 a-3");

  /* Across podcasts, the time of publication decides. */
  g_autoptr (EarMarks) everywhere = mark_query (fixture, NULL, EAR_FILTER_UNPLAYED, NULL, middle, TRUE);
  g_assert_cmpuint (everywhere->ids->len, ==, 1);
  assert_query (fixture, other, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "b-3 b-2");

  g_autoptr (EarMarks) found = mark_query (fixture, NULL, EAR_FILTER_ALL, "5 of", NULL, TRUE);
  g_assert_cmpuint (found->ids->len, ==, 1);
  assert_query (fixture, podcast, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-4 a-3");

  g_autoptr (EarMarks) all = mark_query (fixture, NULL, EAR_FILTER_ALL, NULL, NULL, FALSE);
  g_assert_cmpuint (all->ids->len, ==, 4);
  g_assert_cmpuint (all->podcasts->len, ==, 2);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 5);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (other), ==, 3);
  g_autoptr (EarMarks) nothing = mark_query (fixture, NULL, EAR_FILTER_ALL, NULL, NULL, FALSE);
  g_assert_cmpuint (nothing->ids->len, ==, 0);
}

/* A later mark by the listener takes precedence. */
static void
test_marked_since (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", 3);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a-2");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  EarEpisodeState position = { .position = 7, .position_updated = 10 };

  ear_catalogue_set_state (fixture->catalogue, episode, &position);
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, result_cb, &result);
  set_listened (fixture->catalogue, episode, FALSE);
  g_autoptr (EarMarks) marks = finish (fixture, &result);
  g_assert_cmpuint (marks->ids->len, ==, 3);
  g_assert_false (ear_episode_get_listened (episode));
  flush (fixture->catalogue);
  g_assert_false (ear_episode_get_listened (episode));
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-2");

  /* A pending position does not keep a mark from showing. */
  position.position_updated = 20;
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, result_cb, &result);
  ear_catalogue_set_state (fixture->catalogue, episode, &position);
  g_autoptr (EarMarks) again = finish (fixture, &result);
  g_assert_cmpuint (again->ids->len, ==, 1);
  g_assert_true (ear_episode_get_listened (episode));
}

static void
test_failing (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", 3);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  read_number (fixture->path, "CREATE TRIGGER full BEFORE UPDATE ON episode WHEN NEW.guid = 'a-2'"
                              " BEGIN SELECT raise (ABORT, 'full'); END");
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (ear_catalogue_mark_finish (fixture->catalogue, result, &error));
  g_assert_nonnull (error);
  /* All or none */
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-3 a-2 a-1");

  g_clear_object (&result);
  g_clear_error (&error);
  ear_catalogue_close (fixture->catalogue);
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (ear_catalogue_mark_finish (fixture->catalogue, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

/* Marking 20,000 episodes does not block the main thread. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  enum { N_PODCASTS = 20, N_EPISODES = 1000 };
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  gint64 start, before, longest = 0;

  for (guint i = 0; i < N_PODCASTS; i++)
    {
      g_autofree char *name = g_strdup_printf ("p%u", i);

      fill (fixture, name, N_EPISODES);
    }
  start = g_get_monotonic_time ();
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .query = query }, EAR_MARK_LISTENED, TRUE, result_cb, &result);
  longest = g_get_monotonic_time () - start;
  while (result == NULL)
    {
      before = g_get_monotonic_time ();
      if (g_main_context_iteration (NULL, FALSE))
        longest = MAX (longest, g_get_monotonic_time () - before);
      else
        g_usleep (100);
    }
  g_autoptr (EarMarks) marks = finish (fixture, &result);
  g_test_message ("%d episodes marked in %.0f ms, the main thread had to do with it for %.2f ms at most",
                  N_PODCASTS * N_EPISODES, (double) (g_get_monotonic_time () - start) / 1000, (double) longest / 1000);
  g_assert_cmpuint (marks->ids->len, ==, N_PODCASTS * N_EPISODES);
  g_assert_cmpuint (marks->podcasts->len, ==, N_PODCASTS);
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "");
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-marks/ids", test_ids },
    { "/catalogue-marks/query", test_query },
    { "/catalogue-marks/marked-since", test_marked_since },
    { "/catalogue-marks/failing", test_failing },
    { "/catalogue-marks/many", test_many },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
