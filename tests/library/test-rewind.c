/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller.h"
#include "ear-playback-controller.h"
#include "ear-test-wait.h"
#include "playing-fixture.h"

/* The position at which playing resumes after a pause */

#define SECOND G_TIME_SPAN_SECOND
#define HOUR G_TIME_SPAN_HOUR

static void
test_grades (void)
{
  static const struct
  {
    gint64 pause;
    guint seconds;
  } cases[] = {
    { G_MININT64, 0 }, { -1, 0 }, { 0, 0 }, { 14 * SECOND, 0 }, { 15 * SECOND, 2 }, { 59 * SECOND, 2 },
    { 60 * SECOND, 5 }, { 600 * SECOND, 10 }, { HOUR, 15 }, { 24 * HOUR, 20 }, { G_MAXINT64, 20 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (ear_playback_controller_get_rewind (cases[i].pause), ==, cases[i].seconds * SECOND);
}

/* Sets an episode as left some time ago. */
static void
leave (EarEpisode *episode, gint64 position, gint64 ago)
{
  ear_episode_set_heard (episode, g_get_real_time () - ago);
  ear_episode_set_position (episode, position);
}

static void
test_another_time (PlayingFixture *fixture, gconstpointer data)
{
  leave (fixture->first, 18 * SECOND, 2 * HOUR);
  ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  PLAYING_ASSERT_PLACE (fixture, 3 * SECOND);

  /* No rewind beyond the beginning, with the setting off, or to a chosen position */
  leave (fixture->overstated, 18 * SECOND, 48 * HOUR);
  ear_playback_controller_play (fixture->control, fixture->overstated, fixture->list);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  g_object_set (ear_library_get_settings (fixture->library), "rewind-after-pause", FALSE, NULL);
  leave (fixture->first, 18 * SECOND, 2 * HOUR);
  ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 18 * SECOND);
  g_object_set (ear_library_get_settings (fixture->library), "rewind-after-pause", TRUE, NULL);
  leave (fixture->second, 18 * SECOND, 48 * HOUR);
  ear_playback_controller_seek (fixture->control, fixture->second, fixture->list, 20 * SECOND);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 20 * SECOND);
}

/* Repeated attempts to play a failing episode do not rewind each time. */
static void
test_failing (PlayingFixture *fixture, gconstpointer data)
{
  ear_test_server_put (fixture->server, "/first.wav", "text/html", "<p>Gone");
  leave (fixture->first, 18 * SECOND, 2 * HOUR);
  for (guint i = 0; i < 3; i++)
    {
      ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
      EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED);
      g_assert_cmpint (ear_player_get_position (fixture->player), ==, 3 * SECOND);
    }
}

static void
pause_for (PlayingFixture *fixture, gint64 length)
{
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PAUSED);
  ear_playback_controller_lengthen_pause (fixture->control, length);
}

static void
test_pause (PlayingFixture *fixture, gconstpointer data)
{
  gint64 before;

  playing_fixture_play (fixture, fixture->first, 20 * SECOND);
  pause_for (fixture, 0);
  before = ear_player_get_position (fixture->player);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  /* The audio clock, stopped and restarted, may be a fraction of a millisecond behind. */
  g_assert_cmpint (ear_player_get_position (fixture->player), >, before - SECOND / 100);

  /* Every way to resume rewinds. */
  pause_for (fixture, 20 * 60 * SECOND);
  before = ear_player_get_position (fixture->player);
  ear_playback_controller_resume_async (fixture->control, NULL, NULL);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - before + 10 * SECOND), <, SECOND / 10);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  PLAYING_ASSERT_PLACE (fixture, before - 10 * SECOND);

  /* A seek during the pause sets the position. */
  pause_for (fixture, 20 * 60 * SECOND);
  ear_player_seek (fixture->player, 25 * SECOND);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  PLAYING_ASSERT_PLACE (fixture, 25 * SECOND);
}

/* A click on a sentence, a chapter or a time in the notes plays exactly from there, also
 * while paused. */
static void
test_chosen (PlayingFixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->first, 20 * SECOND);
  pause_for (fixture, 20 * 60 * SECOND);
  ear_playback_controller_seek (fixture->control, fixture->first, fixture->list, 10 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  PLAYING_ASSERT_PLACE (fixture, 10 * SECOND);
}

/* The rewind shows no notice of a skipped beginning; a listener who went into one
 * stays there. */
static void
test_ends (PlayingFixture *fixture, gconstpointer data)
{
  static const struct
  {
    int left, found;
  } cases[] = { { 10, 5 }, { 5, 0 }, { 20, 15 }, { 33, 30 } };
  g_autofree char *told = NULL;

  playing_fixture_lengthen (fixture, 40 * SECOND);
  playing_fixture_set_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      if (cases[i].left == 33)
        {
          playing_fixture_set_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 0);
          playing_fixture_set_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 10);
        }
      playing_fixture_play (fixture, fixture->second, 15 * SECOND);
      leave (fixture->first, cases[i].left * SECOND, 120 * SECOND);
      g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (g_set_str), &told);
      ear_playback_controller_play (fixture->control, fixture->first, fixture->list);
      g_assert_cmpint (ear_player_get_position (fixture->player), ==, cases[i].found * SECOND);
      EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
      ear_player_seek (fixture->player, cases[i].left * SECOND);
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > cases[i].left * SECOND + SECOND / 10);
      g_signal_handlers_disconnect_by_func (ear_library_get_notices (fixture->library), g_set_str, &told);
      g_assert_cmpstr (told, ==, NULL);

      pause_for (fixture, 120 * SECOND);
      ear_playback_controller_toggle (fixture->control, NULL, NULL);
      EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
      PLAYING_ASSERT_PLACE (fixture, cases[i].found * SECOND);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rewind/grades", test_grades);
  g_test_add ("/rewind/another-time", PlayingFixture, NULL, playing_fixture_set_up, test_another_time, playing_fixture_tear_down);
  g_test_add ("/rewind/failing", PlayingFixture, NULL, playing_fixture_set_up, test_failing, playing_fixture_tear_down);
  g_test_add ("/rewind/pause", PlayingFixture, NULL, playing_fixture_set_up, test_pause, playing_fixture_tear_down);
  g_test_add ("/rewind/chosen", PlayingFixture, NULL, playing_fixture_set_up, test_chosen, playing_fixture_tear_down);
  g_test_add ("/rewind/ends", PlayingFixture, NULL, playing_fixture_set_up, test_ends, playing_fixture_tear_down);

  return g_test_run ();
}
