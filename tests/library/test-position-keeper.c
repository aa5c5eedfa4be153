/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"

/* The state stored for an episode when another one enters the player */

#define MINUTE (60 * G_TIME_SPAN_SECOND)

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarEpisodeList *list; /* a long episode and a short one */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-keeper-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  /* No sound is served at these URLs. */
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml",
                       "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>P</title>"
                       "<item><guid>long</guid><title>Long</title><itunes:duration>3600</itunes:duration>"
                       "<enclosure url=\"/long.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
                       "<item><guid>short</guid><title>Short</title><itunes:duration>600</itunes:duration>"
                       "<enclosure url=\"/short.mp3\" type=\"audio/mpeg\" length=\"1\"/></item></channel></rss>");
  fixture->library = library_fixture_open (fixture->folder);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_assert_nonnull (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL));
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* The player's length of one episode is not stored for the previous one. */
static void
test_duration (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), first,
                                NULL);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), second,
                                NULL);
  g_assert_cmpint (ear_episode_get_duration (first), ==, 60 * MINUTE);
  g_assert_cmpint (ear_episode_get_duration (second), ==, 10 * MINUTE);
}

/* A failed episode keeps its position when the listener goes to another one. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);

  ear_history_set_mark (ear_library_get_history (fixture->library), first, EAR_MARK_POSITION,
                        24 * MINUTE);
  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), first, NULL,
                                25 * MINUTE);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_FAILED);
  ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), first, NULL,
                                26 * MINUTE);
  g_assert_cmpint (ear_episode_get_position (first), ==, 26 * MINUTE);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_FAILED);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), second,
                                NULL);
  g_assert_cmpint (ear_episode_get_position (first), ==, 26 * MINUTE);
}

/* Rows show the position every five seconds of the episode, at any speed. */
static void
test_often (PlayingFixture *fixture, gconstpointer data)
{
  gint64 behind = 0;

  ear_player_set_rate (fixture->player, 4);
  playing_fixture_play (fixture, fixture->overstated, G_TIME_SPAN_SECOND);
  while (ear_player_get_position (fixture->player) < 22 * G_TIME_SPAN_SECOND)
    {
      ear_test_spin (20);
      behind = MAX (behind, ear_player_get_position (fixture->player) - ear_episode_get_position (fixture->overstated));
    }
  g_assert_cmpint (behind, >, 4 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (behind, <, 10 * G_TIME_SPAN_SECOND);
}

/* --- Started episodes --------------------------------------------------------------- */

#define SECOND G_TIME_SPAN_SECOND

static void
play_until (PlayingFixture *fixture, gint64 position)
{
  ear_playback_controller_play (fixture->control, ear_player_get_episode (fixture->player), NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) >= position);
}

/* An episode has a position once 30 seconds of it were heard, in any number of pieces: a
 * pause alone starts nothing. */
static void
test_started (PlayingFixture *fixture, gconstpointer data)
{
  playing_fixture_lengthen (fixture, MINUTE);
  playing_fixture_play (fixture, fixture->first, 0);
  ear_player_set_rate (fixture->player, 4);
  play_until (fixture, 10 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
  play_until (fixture, 20 * SECOND);
  ear_playback_controller_play (fixture->control, fixture->second, fixture->list);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);

  /* The episode plays from its beginning, and its 30 seconds are counted again. */
  ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  g_assert_cmpint (ear_player_get_position (fixture->player), <, 10 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->first) > 0);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 29 * SECOND);
  ear_player_pause (fixture->player);
  /* The pipeline stops some time after the position was stored. */
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) -
                        ear_episode_get_position (fixture->first)), <, SECOND / 10);
}

/* A position chosen by the listener counts as soon as it plays. */
static void
test_moved (PlayingFixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->second, 0);
  ear_player_seek (fixture->player, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->second) > 12 * SECOND);

  playing_fixture_play (fixture, fixture->first, 0);
  ear_player_pause (fixture->player);
  ear_player_seek (fixture->player, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) == 12 * SECOND);
  ear_test_spin (100);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
  play_until (fixture, 13 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), >, 12 * SECOND);
}

/* The skipped start is not a seek by the listener. */
static void
test_skipped_start (PlayingFixture *fixture, gconstpointer data)
{
  playing_fixture_lengthen (fixture, MINUTE);
  playing_fixture_set_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 5);
  ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > 7 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
}

/* A started episode keeps its position, however little of it is played now. */
static void
test_stays_started (PlayingFixture *fixture, gconstpointer data)
{
  ear_history_set_mark (ear_library_get_history (fixture->library), fixture->second,
                        EAR_MARK_POSITION, 15 * SECOND);
  ear_playback_controller_play (fixture->control, fixture->second, fixture->list);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > 15 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->second), >, 15 * SECOND);
  ear_player_seek (fixture->player, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->second) < 4 * SECOND);
  g_assert_cmpint (ear_episode_get_position (fixture->second), >, 2 * SECOND);
}

/* After a restart, an episode that was not started is in the player at its position, and
 * is still not started. */
static void
test_not_started_restart (PlayingFixture *fixture, gconstpointer data)
{
  EarEpisode *episode;

  playing_fixture_play (fixture, fixture->second, 0);
  play_until (fixture, 3 * SECOND);
  ear_player_pause (fixture->player);
  g_clear_object (&fixture->list);
  g_clear_object (&fixture->overstated);
  g_clear_object (&fixture->first);
  g_clear_object (&fixture->second);
  library_fixture_close (&fixture->library);
  fixture->library = library_fixture_open (fixture->folder);
  fixture->player = ear_library_get_player (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) != NULL);
  episode = ear_player_get_episode (fixture->player);
  g_assert_cmpstr (ear_episode_get_guid (episode), ==, "second");
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 3 * SECOND);
  g_assert_cmpint (ear_episode_get_position (episode), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/position-keeper/duration", Fixture, NULL, set_up, test_duration, tear_down);
  g_test_add ("/position-keeper/failed", Fixture, NULL, set_up, test_failed, tear_down);
  g_test_add ("/position-keeper/often", PlayingFixture, NULL, playing_fixture_set_up, test_often, playing_fixture_tear_down);

#define ADD(name, test)                                                                            \
  g_test_add ("/position-keeper/" name, PlayingFixture, NULL, playing_fixture_set_up, test,        \
              playing_fixture_tear_down)
  ADD ("started", test_started);
  ADD ("moved", test_moved);
  ADD ("skipped-start", test_skipped_start);
  ADD ("stays-started", test_stays_started);
  ADD ("not-started-restart", test_not_started_restart);

  return g_test_run ();
}
