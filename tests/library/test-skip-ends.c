/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-wait.h"
#include "playing-fixture.h"

/* Skipped starts and ends of episodes, and when they are played all the same */

/* Forty seconds are long enough for ten of them to be skipped. */
static void
set_up_ends (Fixture *fixture, gconstpointer data)
{
  playing_fixture_set_up (fixture, data);
  lengthen_first (fixture, 40 * SECOND);
  g_object_set (fixture->parts->settings, "continuous", FALSE, NULL);
}

/* Plays the episode from its stored position, after another one. */
static void
play (Fixture *fixture, EarEpisode *episode)
{
  playing_fixture_play (fixture, fixture->second, 20 * SECOND);
  play_episode (fixture, episode);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
}

/* Seeks in an episode that is not in the player. */
static void
go_into (Fixture *fixture, EarEpisode *episode, gint64 position)
{
  playing_fixture_play (fixture, fixture->second, 20 * SECOND);
  playing_fixture_play (fixture, episode, position);
}

static void
pause_and_resume (Fixture *fixture)
{
  ear_player_pause (fixture->player);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  ear_player_play (fixture->player);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
}

/* Playing continues for a while, without a notice. */
static void
assert_goes_on (Fixture *fixture)
{
  const gint64 position = ear_player_get_position (fixture->player);

  wait_past (fixture, position + SECOND / 2);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PLAYING);
  g_assert_false (ear_episode_get_listened (ear_player_get_episode (fixture->player)));
  g_assert_cmpstr (fixture->notices->str, ==, "");
}

/* A seek into the skipped end plays it, from wherever it starts, and so does returning to
 * a position there. */
static void
test_end_chosen (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = fixture->first;
  EarPlaybackController *control = fixture->control;

  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 10);
  go_into (fixture, episode, 33 * SECOND);
  assert_goes_on (fixture);
  play (fixture, episode);
  g_assert_cmpint (ear_player_get_position (fixture->player), >, 33 * SECOND);
  assert_goes_on (fixture);
  ear_playback_controller_leave (control, ear_episode_get_podcast (episode));
  ear_playback_controller_return (control);
  ear_playback_controller_toggle (control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  assert_goes_on (fixture);

  /* After going back, playing ends before the skipped end. */
  ear_player_seek (fixture->player, 29 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  g_assert_cmpstr (fixture->notices->str, ==, "The last 10 seconds were skipped\n");
  g_assert_true (ear_episode_get_listened (episode));
}

/* The beginning of the skipped end is not known before the file is opened. */
static void
test_end_found_late (Fixture *fixture, gconstpointer data)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 10);
  ear_episode_set_duration (fixture->first, 90 * SECOND);
  go_into (fixture, fixture->first, 33 * SECOND);
  g_assert_cmpint (ear_player_get_duration (fixture->player), ==, 40 * SECOND);
  assert_goes_on (fixture);
}

/* Changing the length of the skipped end while inside it does not move the position. */
static void
test_end_set (Fixture *fixture, gconstpointer data)
{
  static const EarPodcastSetting settings[] = { EAR_PODCAST_SETTING_SKIP_END,
                                                EAR_PODCAST_SETTING_SKIP_START };
  static const int values[] = { 10, 0 };

  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 9);
  go_into (fixture, fixture->first, 33 * SECOND);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      set_podcast_setting (fixture, settings[i], values[i]);
      assert_goes_on (fixture);
      pause_and_resume (fixture);
      assert_goes_on (fixture);
    }
}

/* A notice says once that the start was skipped, as the setting may be old. */
static void
test_start (Fixture *fixture, gconstpointer data)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  play (fixture, fixture->first);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");
  g_string_truncate (fixture->notices, 0);
  pause_and_resume (fixture);
  assert_goes_on (fixture);

  /* A seek to the very beginning plays it. */
  go_into (fixture, fixture->first, 0);
  ASSERT_POSITION (fixture, 0);
  assert_goes_on (fixture);
}

/* Short episodes skip nothing, even if only the media tells their length. */
static void
test_start_of_short (Fixture *fixture, gconstpointer data)
{
  static const int starts[] = { 15, 28, 39, 600 };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, starts[i]);
      ear_episode_set_duration (fixture->first, EAR_DURATION_UNKNOWN);
      ear_episode_set_position (fixture->first, 0);
      play (fixture, fixture->first);
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) < 2 * SECOND);
      wait_for_state (fixture, EAR_PLAYER_PLAYING);
      assert_goes_on (fixture);
    }
}

/* A server without range requests is read up to the end of the skipped start. */
static void
test_start_read_to (Fixture *fixture, gconstpointer data)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  ear_test_server_put_way (fixture->server, "/first.wav", "/~norange/first.wav");
  play (fixture, fixture->first);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");
}

static void
play_to_the_end (Fixture *fixture, EarEpisode *episode, gint64 length)
{
  go_into (fixture, episode, length - 3 * SECOND / 2);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
}

/* Playing again after the end skips the start again. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  play_to_the_end (fixture, fixture->first, 40 * SECOND);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");

  /* A seek to the beginning plays it. */
  play_to_the_end (fixture, fixture->first, 40 * SECOND);
  ear_playback_controller_seek (fixture->control, fixture->first, fixture->list, 0);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, 0);
}

/* Playing again also skips the first chapter if the listener skips such chapters. */
static void
test_again_chapter (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = fixture->second;

  ear_chapter_control_set_skips (fixture->parts->chapter_control, ear_episode_get_podcast (episode),
                                 "A", TRUE);
  playing_fixture_play (fixture, episode, 57 * SECOND / 2);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_past (fixture, SECOND);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 12 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "“A” was skipped\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add ("/skip-ends" path, Fixture, NULL, set_up_ends, test, playing_fixture_tear_down)
  ADD ("/end-chosen", test_end_chosen);
  ADD ("/end-found-late", test_end_found_late);
  ADD ("/end-set", test_end_set);
  ADD ("/start", test_start);
  ADD ("/start-of-short", test_start_of_short);
  ADD ("/start-read-to", test_start_read_to);
  ADD ("/again", test_again);
  ADD ("/again-chapter", test_again_chapter);

  return g_test_run ();
}
