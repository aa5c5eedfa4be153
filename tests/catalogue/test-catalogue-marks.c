/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-catalogue-private.h"

/* The listener's marks and settings: of one episode, of many, and from the state files */

static EarMarks *
finish (Fixture *fixture, GAsyncResult **result)
{
  g_autoptr (GError) error = NULL;

  EAR_TEST_WAIT_UNTIL (*result != NULL);
  EarMarks *marks = ear_catalogue_write_finish (fixture->catalogue, *result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (marks);
  g_clear_object (result);

  return marks;
}

static void
begin (Fixture *fixture, const EarMarkTarget *target, gboolean listened, GAsyncResult **result)
{
  ear_catalogue_mark_async (fixture->catalogue, target, EAR_MARK_LISTENED, listened, ear_test_result_cb, result);
}

static EarMarks *
mark_query (Fixture *fixture, EarPodcast *podcast, EarEpisodeFilter filter, const char *search,
            EarEpisode *older_than, gboolean listened)
{
  const gint64 id = podcast != NULL ? ear_podcast_get_id (podcast) : 0;
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (id, filter, EAR_SORT_TITLE, search);
  g_autoptr (GAsyncResult) result = NULL;

  begin (fixture, &(EarMarkTarget) { .query = query, .older_than = older_than }, listened, &result);

  return finish (fixture, &result);
}

static EarMarks *
mark_ids (Fixture *fixture, GArray *ids, EarEpisode *older_than, gboolean listened)
{
  g_autoptr (GAsyncResult) result = NULL;

  begin (fixture, &(EarMarkTarget) { .ids = ids, .older_than = older_than }, listened, &result);

  return finish (fixture, &result);
}

/* Episodes of a list are marked at once; marked ones are not touched. */
static void
test_ids (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", "a", 5);
  g_autoptr (EarEpisode) first = get_episode (fixture->catalogue, podcast, "a-5");
  g_autoptr (EarEpisode) second = get_episode (fixture->catalogue, podcast, "a-4");
  g_autoptr (EarEpisode) other = get_episode (fixture->catalogue, podcast, "a-1");
  g_autoptr (GArray) ids = ear_ids_new ();
  const gint64 wanted[] = { ear_episode_get_id (second), ear_episode_get_id (first), 12345 };

  set_mark (fixture, podcast, "a-4", EAR_MARK_LISTENED, TRUE, 10);
  fixture_forget (fixture);
  g_array_append_vals (ids, wanted, G_N_ELEMENTS (wanted));
  g_autoptr (EarMarks) marks = mark_ids (fixture, ids, NULL, TRUE);
  g_assert_true (ear_episode_get_listened (first));
  g_assert_false (ear_episode_get_listened (other));
  assert_log (fixture, "changed 1; ");
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  g_assert_cmpuint (marks->ids->len, ==, 1);
  g_assert_cmpint (g_array_index (marks->ids, gint64, 0), ==, ear_episode_get_id (first));
  const EarMarkedPodcast *marked = g_ptr_array_index (marks->podcasts, 0);
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
  assert_number (fixture, "SELECT listened_updated FROM episode WHERE guid = 'a-4'", 10);

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
  EarPodcast *podcast = fill (fixture, "a", "a", 5);
  EarPodcast *other = fill (fixture, "b", "b", 3);
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
  EarPodcast *podcast = fill (fixture, "a", "a", 3);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a-2");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  EarEpisodeState position = { .position = 7, .position_updated = 10 };

  ear_catalogue_set_state (fixture->catalogue, episode, &position);
  begin (fixture, &(EarMarkTarget) { .query = query }, TRUE, &result);
  set_listened (fixture->catalogue, episode, FALSE);
  g_autoptr (EarMarks) marks = finish (fixture, &result);
  g_assert_cmpuint (marks->ids->len, ==, 3);
  g_assert_false (ear_episode_get_listened (episode));
  flush (fixture->catalogue);
  g_assert_false (ear_episode_get_listened (episode));
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-2");

  /* A position that is still to be stored does not keep the mark from showing afterwards. */
  position.position_updated = 20;
  begin (fixture, &(EarMarkTarget) { .query = query }, TRUE, &result);
  ear_catalogue_set_state (fixture->catalogue, episode, &position);
  g_autoptr (EarMarks) again = finish (fixture, &result);
  g_assert_cmpuint (again->ids->len, ==, 1);
  flush (fixture->catalogue);
  g_assert_true (ear_episode_get_listened (episode));
}

/* Marks of which one could not be stored are neither stored nor shown any more. */
static void
test_failing (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "a", "a", 3);
  g_autoptr (GArray) ids = run_query (fixture->catalogue, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 0);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a-3");
  g_autoptr (GAsyncResult) result = NULL, closed = NULL;
  g_autoptr (GError) error = NULL;

  fill_disk (fixture, "UPDATE ON episode WHEN NEW.guid = 'a-2'");
  begin (fixture, &(EarMarkTarget) { .ids = ids }, TRUE, &result);
  g_assert_true (ear_episode_get_listened (episode));
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_null (ear_catalogue_write_finish (fixture->catalogue, result, &error));
  g_assert_nonnull (error);
  g_assert_false (ear_episode_get_listened (episode));
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 3);
  assert_query (fixture, NULL, EAR_FILTER_UNPLAYED, EAR_SORT_NEWEST, NULL, "a-3 a-2 a-1");

  g_clear_error (&error);
  ear_catalogue_close (fixture->catalogue);
  begin (fixture, &(EarMarkTarget) { .ids = ids }, TRUE, &closed);
  EAR_TEST_WAIT_UNTIL (closed != NULL);
  g_assert_null (ear_catalogue_write_finish (fixture->catalogue, closed, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

static void
apply (Fixture *fixture, EarPodcast *podcast, GHashTable *states)
{
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
}

static void
add_state (GHashTable *states, const char *guid, EarEpisodeState state)
{
  g_hash_table_insert (states, g_strdup (guid), g_memdup2 (&state, sizeof state));
}

/* All marks, of a stored episode and of one that is still to come */
static void
test_every_mark (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "a", 1);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "a-1");
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  EarEpisodeState state = { 0 };

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      state.values[i] = 1;
      state.updated[i] = 100 + i;
    }
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  add_state (states, "b", state);
  apply (fixture, podcast, states);
  store_one (fixture->catalogue, podcast, make_episode ("b", "B", NEWEST + 1, NULL));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const char *name = ear_mark_types[i].name;
      g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM episode WHERE %s = 1 AND %s_updated = %u", name, name, 100 + i);

      g_assert_cmpint (ear_episode_get_mark (episode, i), ==, 1);
      assert_number (fixture, sql, 2);
    }

  /* An equal value is stored with its new stamp, without a signal. */
  fixture_forget (fixture);
  set_mark (fixture, podcast, "a-1", EAR_MARK_LISTENED, 1, 500);
  assert_log (fixture, "");
  assert_number (fixture, "SELECT listened_updated FROM episode WHERE guid = 'a-1'", 500);
}

/* The newer value of each member of state files, also before the feed has the episode */
static void
test_apply_state (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fill (fixture, "one", "e", 2);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, "e-1");
  const EarEpisodeState own = { .listened = TRUE, .listened_updated = 100, .position = 9, .position_updated = 100 };

  ear_catalogue_set_state (fixture->catalogue, episode, &own);
  fixture_forget (fixture);

  add_state (states, "e-1",
             (EarEpisodeState) { .listened = FALSE, .listened_updated = 50, .position = 4, .position_updated = 200,
                                 .liked = TRUE, .liked_updated = 1 });
  add_state (states, "later", (EarEpisodeState) { .listened = TRUE, .listened_updated = 5, .liked = TRUE });
  add_state (states, "never", (EarEpisodeState) { 0 });
  apply (fixture, podcast, states);
  assert_log (fixture, "changed 1; ");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  g_assert_cmpint (ear_episode_get_position (episode), ==, 4);

  fixture_forget (fixture);
  apply (fixture, podcast, states);
  assert_log (fixture, "");

  /* Pending states survive a restart. */
  g_clear_object (&episode);
  fixture_reopen (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  store_one (fixture->catalogue, podcast, make_episode ("later", "Later", NEWEST, NULL));
  episode = get_episode (fixture->catalogue, podcast, "later");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_false (ear_episode_get_liked (episode));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 1);
  assert_number (fixture, "SELECT count (*) FROM waiting_state", 0);

  /* A value of a clock that was ahead is older than one from the files with a stamp. */
  const gint64 now = g_get_real_time ();
  const gint64 ahead = now + 3 * G_TIME_SPAN_DAY;
  const EarEpisodeState later = { .listened = TRUE, .listened_updated = ahead, .liked = TRUE, .liked_updated = ahead };
  g_hash_table_remove_all (states);
  ear_catalogue_set_state (fixture->catalogue, episode, &later);
  add_state (states, "later", (EarEpisodeState) { .listened = FALSE, .listened_updated = now, .liked = FALSE, .liked_updated = 1 });
  apply (fixture, podcast, states);
  g_assert_false (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  assert_number (fixture, "SELECT listened_updated FROM episode WHERE guid = 'later'", now);
}

static gboolean
set_setting (Fixture *fixture, EarPodcast *podcast, EarPodcastSetting setting, int value,
             gint64 stamp)
{
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  settings.updated[setting] = stamp;

  return ear_catalogue_set_settings (fixture->catalogue, podcast, &settings);
}

/* Settings of a podcast are known at the next start, and purged with it. Settings of a later version,
 * or of another program, are left alone. */
static void
test_settings (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  const char *address = ear_test_format ("%s", ear_podcast_get_address (podcast));

  g_assert_true (set_setting (fixture, podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL, 15, 20));
  g_assert_true (set_setting (fixture, podcast, EAR_PODCAST_SETTING_SORT, 2, 20));
  g_assert_false (set_setting (fixture, podcast, EAR_PODCAST_SETTING_SORT, 1, 20));
  g_assert_false (set_setting (fixture, podcast, EAR_PODCAST_SETTING_SORT, 1, 19));
  g_assert_cmpint (ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL), ==, 15);

  fixture_reopen (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpint (ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL), ==, 15);
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "title");
  g_assert_true (ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_NOTIFICATIONS));
  g_assert_cmpint (ear_podcast_get_settings (podcast)->updated[EAR_PODCAST_SETTING_SORT], ==, 20);

  fixture_close (fixture);
  execute (fixture->path,
           "DELETE FROM podcast_setting;"
           "INSERT INTO podcast_setting SELECT id, 'filter', 77, 5 FROM podcast;"
           "INSERT INTO podcast_setting SELECT id, 'speed', 150, 8e15 FROM podcast;"
           "INSERT INTO podcast_setting SELECT id, 'sort', -1, 5 FROM podcast;"
           "INSERT INTO podcast_setting SELECT id, 'notifications', 'no', 5 FROM podcast;"
           "INSERT INTO podcast_setting VALUES (4711, 'sort', 1, 5)");
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpstr (ear_podcast_get_filter (podcast), ==, "all");
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");

  /* A value stored while the clock was ahead is older than one of another computer. */
  g_assert_cmpint (ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_SPEED), ==, 150);
  g_assert_true (set_setting (fixture, podcast, EAR_PODCAST_SETTING_SPEED, 120,
                              g_get_real_time ()));
  g_assert_cmpint (ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_SPEED), ==, 120);
  assert_number (fixture, "SELECT value FROM podcast_setting WHERE setting = 'speed'", 120);

  fixture->catalogue->purge_delay = 1;
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 0);
  assert_number (fixture, "SELECT count (*) FROM podcast_setting WHERE podcast <> 4711", 0);
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-marks/ids", test_ids },
    { "/catalogue-marks/query", test_query },
    { "/catalogue-marks/marked-since", test_marked_since },
    { "/catalogue-marks/failing", test_failing },
    { "/catalogue-state/every-mark", test_every_mark },
    { "/catalogue-state/apply-state", test_apply_state },
    { "/catalogue-state/settings", test_settings },
  };

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
