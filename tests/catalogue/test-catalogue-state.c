/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-catalogue-private.h"

/* The catalogue's copy of the listener's marks and settings */

/* An equal value is stored with its new stamp, without a signal. */
static void
test_state_again (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState state = { .listened = TRUE, .listened_updated = 10 };

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "a");
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  flush (fixture->catalogue);
  fixture_forget (fixture);
  state.listened_updated = 20;
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");
  g_assert_cmpint (read_number (fixture->path, "SELECT listened_updated FROM episode"), ==, 20);
}

static EarEpisodeState
make_state (gint64 stamp)
{
  EarEpisodeState state = { 0 };

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      state.values[i] = 1;
      state.updated[i] = stamp + i;
    }

  return state;
}

static gint64
read_column (Fixture *fixture, EarMark mark, const char *suffix, const char *guid)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s%s FROM episode WHERE guid = '%s'", ear_mark_get_name (mark), suffix, guid);

  return read_number (fixture->path, sql);
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
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const EarEpisodeState state = make_state (100);
  g_autoptr (EarEpisode) episode = NULL;

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "a");
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
  add_state (states, "b", state);
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  store_one (fixture->catalogue, podcast, make_episode ("b", "B", NEWEST + 1, NULL));
  flush (fixture->catalogue);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      g_assert_cmpint (ear_episode_get_mark (episode, i), ==, 1);
      g_assert_cmpint (read_column (fixture, i, "", "a"), ==, 1);
      g_assert_cmpint (read_column (fixture, i, "_updated", "a"), ==, 100 + i);
      g_assert_cmpint (read_column (fixture, i, "", "b"), ==, 1);
      g_assert_cmpint (read_column (fixture, i, "_updated", "b"), ==, 100 + i);
    }
}

/* From the state files: the newer value of each member, also before the feed brings the
 * episode */
static void
test_apply_state (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2, NEWEST);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState own = { .listened = TRUE, .listened_updated = 100, .position = 9, .position_updated = 100 };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "e-1");
  ear_catalogue_set_state (fixture->catalogue, episode, &own);
  flush (fixture->catalogue);
  fixture_forget (fixture);

  add_state (states, "e-1",
             (EarEpisodeState) { .listened = FALSE, .listened_updated = 50, .position = 4, .position_updated = 200,
                                 .liked = TRUE, .liked_updated = 1 });
  add_state (states, "later", (EarEpisodeState) { .listened = TRUE, .listened_updated = 5, .liked = TRUE });
  add_state (states, "never", (EarEpisodeState) { 0 });
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "changed 1: 1; ");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  g_assert_cmpint (ear_episode_get_position (episode), ==, 4);

  fixture_forget (fixture);
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "");

  /* Pending states survive a restart. */
  g_clear_object (&episode);
  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_get_podcast (fixture->catalogue, 1);
  store_one (fixture->catalogue, podcast, make_episode ("later", "Later", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "later");
  g_assert_true (ear_episode_get_listened (episode));
  g_assert_false (ear_episode_get_liked (episode));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 3);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 1);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM waiting_state"), ==, 0);
}

/* A value stored while the clock was ahead counts as older than one from the files,
 * unless that one has no stamp. */
static void
test_apply_after_clock (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time ();
  const gint64 ahead = now + 3 * G_TIME_SPAN_DAY;
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 1, NEWEST);
  g_autoptr (GHashTable) states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (EarEpisode) episode = NULL;
  EarEpisodeState own = { .listened = TRUE, .listened_updated = ahead, .liked = TRUE, .liked_updated = ahead };

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);
  episode = get_episode (fixture->catalogue, podcast, "e-1");
  ear_catalogue_set_state (fixture->catalogue, episode, &own);
  flush (fixture->catalogue);

  add_state (states, "e-1", (EarEpisodeState) { .listened = FALSE, .listened_updated = now, .liked = FALSE, .liked_updated = 1 });
  ear_catalogue_apply_state (fixture->catalogue, ear_podcast_get_id (podcast), states);
  flush (fixture->catalogue);
  g_assert_false (ear_episode_get_listened (episode));
  g_assert_true (ear_episode_get_liked (episode));
  g_assert_cmpint (read_number (fixture->path, "SELECT listened_updated FROM episode"), ==, now);
}

/* Settings of a podcast are known at the next start, and purged with it. */
static void
test_settings (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = 15;
  settings.updated[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = 20;
  settings.values[EAR_PODCAST_SETTING_SORT] = 2;
  settings.updated[EAR_PODCAST_SETTING_SORT] = 20;
  g_assert_true (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  g_assert_false (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  settings.values[EAR_PODCAST_SETTING_SORT] = 1;
  settings.updated[EAR_PODCAST_SETTING_SORT] = 19;
  g_assert_false (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
  g_assert_cmpint (ear_podcast_get_refresh_interval (podcast), ==, 15);

  fixture_close (fixture);
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpint (ear_podcast_get_refresh_interval (podcast), ==, 15);
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "title");
  g_assert_true (ear_podcast_get_notifications (podcast));
  g_assert_cmpint (ear_podcast_get_settings (podcast)->updated[EAR_PODCAST_SETTING_SORT], ==, 20);

  ear_catalogue_set_purge_delay (fixture->catalogue, 1);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  wait_for_number (fixture, "SELECT count (*) FROM podcast", 0);
  g_assert_cmpint (read_number (fixture->path, "SELECT count (*) FROM podcast_setting"), ==, 0);
}

/* Settings of a later version, or of another program, are left alone. */
static void
test_foreign_settings (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));
  g_autoptr (EarDatabase) database = NULL;
  g_autoptr (GError) error = NULL;

  fixture_close (fixture);
  database = ear_database_open (fixture->path, EAR_DATABASE_READ_WRITE, &error);
  g_assert_no_error (error);
  ear_database_exec (database,
                     "INSERT INTO podcast_setting SELECT id, 'filter', 77, 5 FROM podcast;"
                     "INSERT INTO podcast_setting SELECT id, 'speed', 150, 5 FROM podcast;"
                     "INSERT INTO podcast_setting SELECT id, 'sort', -1, 5 FROM podcast;"
                     "INSERT INTO podcast_setting SELECT id, 'notifications', 'no', 5 FROM podcast;"
                     "INSERT INTO podcast_setting VALUES (4711, 'sort', 1, 5)");
  ear_database_finish (database, &error);
  g_assert_no_error (error);
  ear_database_close (g_steal_pointer (&database));
  fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_cmpstr (ear_podcast_get_filter (podcast), ==, "all");
  g_assert_cmpstr (ear_podcast_get_sort (podcast), ==, "newest");
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-state/state-again", test_state_again },
    { "/catalogue-state/every-mark", test_every_mark },
    { "/catalogue-state/apply-state", test_apply_state },
    { "/catalogue-state/apply-after-clock", test_apply_after_clock },
    { "/catalogue-state/settings", test_settings },
    { "/catalogue-state/foreign-settings", test_foreign_settings },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
