/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-wait.h"
#include "playing-fixture.h"

/* The sleep timer */

static void
assert_choice (Fixture *fixture, const char *choice)
{
  g_assert_cmpstr (ear_sleep_timer_get_choice (fixture->parts->sleep_timer), ==, choice);
}

static void
test_choices (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "",     "0",       "-1",   "721",
                                       "1.5",  "15 ",     " 15",  "99999999999999999999",
                                       "0x10", "Episode", "sleep" };
  EarSleepTimer *timer = fixture->parts->sleep_timer;

  assert_choice (fixture, "off");
  ear_sleep_timer_choose (timer, "15");
  assert_choice (fixture, "15");
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 15 * 60);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (ear_sleep_timer_is_choice (wrong[i]));
      ear_sleep_timer_choose (timer, wrong[i]);
      assert_choice (fixture, "15");
    }
  ear_sleep_timer_choose (timer, "episode");
  assert_choice (fixture, "episode");
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 0);
  ear_sleep_timer_choose (timer, "off");
  assert_choice (fixture, "off");

  ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 15 * 60);
  ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 30 * 60);
  for (guint i = 0; i < 100; i++)
    ear_sleep_timer_extend (timer);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 720 * 60);
  ear_sleep_timer_choose (timer, "off");
}

static double
get_fade (Fixture *fixture)
{
  return ear_player_get_fade (fixture->player);
}

/* The sound fades, pauses, and returns to where the fade began; the volume setting
 * stays. */
static void
test_fades (Fixture *fixture, gconstpointer data)
{
  EarSleepTimer *timer = fixture->parts->sleep_timer;
  double lowest = 1, level = 1;
  guint n_told = 0;
  gint64 began;

  playing_fixture_play (fixture, fixture->first, 5 * SECOND);
  ear_player_set_volume (fixture->player, 0.7);
  g_signal_connect_swapped (fixture->player, "notify::volume", G_CALLBACK (count_signal_cb),
                            &n_told);
  ear_sleep_timer_start (timer, 4500 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 5);
  EAR_TEST_WAIT_UNTIL (get_fade (fixture) < 1);
  began = ear_player_get_position (fixture->player);
  while (ear_player_get_state (fixture->player) != EAR_PLAYER_PAUSED)
    {
      lowest = MIN (lowest, get_fade (fixture));
      g_assert_cmpfloat (get_fade (fixture), <=, level);
      level = get_fade (fixture);
      ear_test_spin (20);
    }
  g_assert_cmpfloat (lowest, <, 0.2);
  g_assert_cmpfloat (get_fade (fixture), ==, 1);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.7);
  g_assert_cmpuint (n_told, ==, 0);
  ASSERT_POSITION (fixture, began);
  assert_choice (fixture, "off");
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), ==, 0);
  EAR_TEST_WAIT_UNTIL (ABS (ear_episode_get_position (fixture->first) - began) < SECOND / 2);
}

/* The listener can extend the timer; pausing by hand ends it. */
static void
test_awake (Fixture *fixture, gconstpointer data)
{
  EarSleepTimer *timer = fixture->parts->sleep_timer;
  gint64 place;

  playing_fixture_play (fixture, fixture->first, 5 * SECOND);
  ear_sleep_timer_start (timer, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (get_fade (fixture) < 0.8);
  ear_sleep_timer_extend (timer);
  g_assert_cmpfloat (get_fade (fixture), ==, 1);
  g_assert_cmpuint (ear_sleep_timer_get_remaining (timer), >=, 15 * 60);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PLAYING);

  ear_sleep_timer_start (timer, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (get_fade (fixture) < 0.8);
  ear_player_pause (fixture->player);
  place = ear_player_get_position (fixture->player);
  g_assert_cmpfloat (get_fade (fixture), ==, 1);
  assert_choice (fixture, "off");
  ear_test_spin (1500);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - place), <, SECOND / 10);

  /* While paused the timer ends without moving the position. */
  ear_sleep_timer_start (timer, SECOND / 2);
  EAR_TEST_WAIT_UNTIL (g_str_equal (ear_sleep_timer_get_choice (timer), "off"));
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - place), <, SECOND / 10);
}

/* A seek during the fade sets the final position. */
static void
test_jump (Fixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->first, 15 * SECOND);
  ear_sleep_timer_start (fixture->parts->sleep_timer, 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (get_fade (fixture) < 0.9);
  ear_player_seek (fixture->player, 5 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  EAR_TEST_WAIT_UNTIL (ABS (ear_player_get_position (fixture->player) - 5 * SECOND) < SECOND / 2);
}

/* The episode plays to its end, and no other follows, once. */
static void
test_episode (Fixture *fixture, gconstpointer data)
{
  EarSleepTimer *timer = fixture->parts->sleep_timer;

  ear_sleep_timer_choose (timer, "episode");
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 2 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_test_spin (200);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->first);
  g_assert_true (ear_episode_get_listened (fixture->first));
  assert_choice (fixture, "off");

  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 2 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->second);
}

static gboolean
has_chapters (Fixture *fixture)
{
  return ear_chapters_get_count (
             ear_chapter_control_get_chapters (fixture->parts->chapter_control)) == 2;
}

/* The whole chapter plays, and playing resumes at the beginning of the next one. */
static void
test_chapter (Fixture *fixture, gconstpointer data)
{
  EarSleepTimer *timer = fixture->parts->sleep_timer;

  playing_fixture_play (fixture, fixture->second, 9 * SECOND);
  EAR_TEST_WAIT_UNTIL (has_chapters (fixture));
  ear_sleep_timer_choose (timer, "chapter");
  assert_choice (fixture, "chapter");
  EAR_TEST_WAIT_UNTIL (get_fade (fixture) < 1);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 12 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  EAR_TEST_WAIT_UNTIL (ABS (ear_player_get_position (fixture->player) - 12 * SECOND) < SECOND / 10);
  assert_choice (fixture, "off");

  /* After the last chapter the episode ends, and no other follows. */
  ear_sleep_timer_choose (timer, "chapter");
  playing_fixture_play (fixture, fixture->second, PLAYING_LENGTH - 2 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  assert_choice (fixture, "off");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD_PLAYING_TEST ("/sleep-timer/choices", test_choices);
  ADD_PLAYING_TEST ("/sleep-timer/fades", test_fades);
  ADD_PLAYING_TEST ("/sleep-timer/awake", test_awake);
  ADD_PLAYING_TEST ("/sleep-timer/jump", test_jump);
  ADD_PLAYING_TEST ("/sleep-timer/episode", test_episode);
  ADD_PLAYING_TEST ("/sleep-timer/chapter", test_chapter);

  return g_test_run ();
}
