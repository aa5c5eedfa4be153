/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history.h"
#include "ear-test-wait.h"
#include "playing-fixture.h"

/* The rules for marking an episode as played */

#define SECOND G_TIME_SPAN_SECOND
#define MINUTE G_TIME_SPAN_MINUTE

static void
test_rules (void)
{
  g_assert_true (ear_listened_rule_is_near_end (60 * MINUTE - 30 * SECOND, 60 * MINUTE));
  g_assert_false (ear_listened_rule_is_near_end (60 * MINUTE - 31 * SECOND, 60 * MINUTE));
  g_assert_true (ear_listened_rule_is_near_end (61 * MINUTE, 60 * MINUTE));
  /* Short episodes */
  g_assert_true (ear_listened_rule_is_near_end (57 * SECOND, MINUTE));
  g_assert_false (ear_listened_rule_is_near_end (56 * SECOND, MINUTE));
  /* Unknown length */
  g_assert_false (ear_listened_rule_is_near_end (MINUTE, 0));
  g_assert_false (ear_listened_rule_is_near_end (MINUTE, EAR_DURATION_UNKNOWN));
  g_assert_false (ear_listened_rule_is_near_end (0, SECOND));

  g_assert_true (ear_listened_rule_is_whole (30 * MINUTE, 0, 0, 0));
  g_assert_true (ear_listened_rule_is_whole (30 * MINUTE, EAR_DURATION_UNKNOWN, -1, 0));
  g_assert_true (ear_listened_rule_is_whole (50 * MINUTE, 60 * MINUTE, 0, 0));
  g_assert_false (ear_listened_rule_is_whole (30 * MINUTE, 60 * MINUTE, 0, 0));
  g_assert_false (ear_listened_rule_is_whole (30 * MINUTE, 60 * MINUTE, -1, 480000));
  g_assert_true (ear_listened_rule_is_whole (G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64));

  /* The duration in the feed is wrong, and the number of bytes is right. */
  g_assert_true (ear_listened_rule_is_whole (MINUTE, 2 * MINUTE, 480000, 480000));
  g_assert_true (ear_listened_rule_is_whole (MINUTE, 60 * MINUTE, 480000, 500000));
  g_assert_true (ear_listened_rule_is_whole (MINUTE, 60 * MINUTE, 480000, 0));
  g_assert_false (ear_listened_rule_is_whole (MINUTE, 2 * MINUTE, 240000, 480000));
}

/* Going to another episode near the end marks this one as played, if the end was reached
 * by playing and not by seeking. */
static void
test_near_end (PlayingFixture *fixture, gconstpointer data)
{
  g_object_set (ear_library_get_settings (fixture->library), "continuous", FALSE, NULL);
  playing_fixture_play (fixture, fixture->first, 20 * SECOND);
  ear_player_seek (fixture->player, PLAYING_LENGTH - SECOND);
  ear_player_pause (fixture->player);
  ear_playback_controller_play (fixture->control, fixture->second, fixture->list);
  g_assert_false (ear_episode_get_listened (fixture->first));

  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 2500 * G_TIME_SPAN_MILLISECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > PLAYING_LENGTH - 450 * G_TIME_SPAN_MILLISECOND);
  ear_player_pause (fixture->player);
  g_assert_false (ear_episode_get_listened (fixture->first) && ear_player_get_state (fixture->player) == EAR_PLAYER_PAUSED);
  ear_playback_controller_play (fixture->control, fixture->second, fixture->list);
  g_assert_true (ear_episode_get_listened (fixture->first));
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
}

/* A file that ends long before its feed's duration is not played whole, whatever size the
 * server reports: the position is stored. */
static void
test_false_end (PlayingFixture *fixture, gconstpointer data)
{
  g_object_set (ear_library_get_settings (fixture->library), "continuous", FALSE, NULL);
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_ENDED);
  g_assert_false (ear_episode_get_listened (fixture->overstated));
  g_assert_cmpint (ear_episode_get_position (fixture->overstated), >=, PLAYING_LENGTH - SECOND);
}

/* A wrong duration in the feed does not make the real end of the file a false one. */
static void
test_wrong_duration (PlayingFixture *fixture, gconstpointer data)
{
  g_object_set (ear_library_get_settings (fixture->library), "continuous", FALSE, NULL);
  playing_fixture_enlarge (fixture);
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_ENDED);
  g_assert_true (ear_episode_get_listened (fixture->overstated));
  g_assert_cmpint (ear_episode_get_position (fixture->overstated), ==, 0);
  g_assert_cmpint (ear_episode_get_duration (fixture->overstated), ==, PLAYING_LENGTH);
}

/* A file that is left just before such a false end is not played, either. */
static void
test_false_near_end (PlayingFixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 2500 * G_TIME_SPAN_MILLISECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > PLAYING_LENGTH - 450 * G_TIME_SPAN_MILLISECOND);
  ear_player_pause (fixture->player);
  ear_playback_controller_play (fixture->control, fixture->second, fixture->list);
  g_assert_false (ear_episode_get_listened (fixture->overstated));
  g_assert_cmpint (ear_episode_get_position (fixture->overstated), >=, PLAYING_LENGTH - SECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/listened/rules", test_rules);
  g_test_add ("/listened/near-end", PlayingFixture, NULL, playing_fixture_set_up, test_near_end, playing_fixture_tear_down);
  g_test_add ("/listened/false-end", PlayingFixture, NULL, playing_fixture_set_up, test_false_end, playing_fixture_tear_down);
  g_test_add ("/listened/wrong-duration", PlayingFixture, NULL, playing_fixture_set_up,
              test_wrong_duration, playing_fixture_tear_down);
  g_test_add ("/listened/false-near-end", PlayingFixture, NULL, playing_fixture_set_up, test_false_near_end, playing_fixture_tear_down);

  return g_test_run ();
}
