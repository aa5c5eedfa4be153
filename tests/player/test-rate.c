/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Speed, changed during playback, while paused, and across seeks and episodes: whether
 * the sound plays at that speed with the recorded pitch, and whether the reported
 * position is the audible one. */

#include "player-fixture.h"

/* Largest difference of reported and audible position. */
#define MARGIN 0.2

static const char *const clips[] = { "/minute.cbr.mp3", "/minute.opus", "/minute.m4a", "/minute.wav" };

static void
play (PlayerFixture *fixture, const char *path, double position)
{
  player_fixture_open (fixture, path, position);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
}

/* Measures the audible speed. */
static double
hear_rate (PlayerFixture *fixture)
{
  double from = player_fixture_agree (fixture, MARGIN);
  gint64 start = g_get_monotonic_time ();
  double to;

  player_fixture_wait (600);
  to = player_fixture_hear (fixture);

  return (to - from) / ((double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
}

static void
check_rate (PlayerFixture *fixture, double rate)
{
  double heard = hear_rate (fixture);

  /* Retry on a busy computer. */
  for (guint i = 0; i < 3 && ABS (heard / rate - 1) > 0.12; i++)
    heard = hear_rate (fixture);
  g_test_message ("at %.2f it goes by at %.3f", rate, heard);
  PLAYER_ASSERT_NEAR (heard / rate, 1.0, 0.12);
  player_fixture_agree (fixture, MARGIN);
}

static void
test_change (PlayerFixture *fixture, gconstpointer data)
{
  static const double rates[] = { 1.5, 2.0, 0.8, 1.0 };
  guint sinks;

  play (fixture, data, 5);
  /* More than one if the demuxer of Ogg lost the position at first. */
  sinks = ear_test_sound_get_sinks (fixture->sound);
  for (gsize i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      double before = player_fixture_hear (fixture);
      double old_rate = ear_player_get_rate (fixture->player);
      gint64 start = g_get_monotonic_time ();
      double passed, went;

      ear_player_set_rate (fixture->player, rates[i]);
      player_fixture_wait (250);
      /* No jump, gap or wait: playback continued at one of the two speeds. */
      went = player_fixture_hear (fixture) - before;
      passed = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
      g_assert_cmpfloat (went, >, passed * MIN (rates[i], old_rate) - 0.35);
      g_assert_cmpfloat (went, <, passed * MAX (rates[i], old_rate) + 0.35);
      check_rate (fixture, rates[i]);
    }
  g_assert_cmpuint (fixture->seeked, ==, 0);
  g_assert_cmpstr (fixture->states->str, ==, "DLP");
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, sinks);
}

static void
test_limits (PlayerFixture *fixture, gconstpointer data)
{
  ear_player_set_rate (fixture->player, 100);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 4);
  play (fixture, "/minute.cbr.mp3", 0);
  check_rate (fixture, 4);
  ear_player_set_rate (fixture->player, 0);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 0.5);
  player_fixture_wait (250);
  check_rate (fixture, 0.5);
}

/* A speed set before anything is open applies to media opened later, to seeks and to
 * the next episode. */
static void
test_kept (PlayerFixture *fixture, gconstpointer data)
{
  ear_player_set_rate (fixture->player, 1.7);
  play (fixture, "/minute.cbr.mp3", 12);
  check_rate (fixture, 1.7);

  ear_player_seek (fixture->player, 40 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  check_rate (fixture, 1.7);
  g_assert_cmpfloat (player_fixture_position (fixture), >, 41);

  /* The next episode replaces the current one at once. */
  player_fixture_open (fixture, "/minute.opus", 30);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  check_rate (fixture, 1.7);
  g_assert_cmpfloat (player_fixture_position (fixture), <, 35);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1.7);
}

static void
test_paused (PlayerFixture *fixture, gconstpointer data)
{
  gint64 start;
  double paused, reached, elapsed;

  play (fixture, "/minute.m4a", 20);
  ear_player_pause (fixture->player);
  player_fixture_wait (100);
  paused = player_fixture_position (fixture);
  ear_player_set_rate (fixture->player, 2);
  player_fixture_wait (100);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), paused, 0.001);

  start = g_get_monotonic_time ();
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 250);
  check_rate (fixture, 2);
  reached = player_fixture_position (fixture);
  elapsed = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  g_assert_cmpfloat (reached, >, paused + 1);
  g_assert_cmpfloat (reached, <, paused + 2 * elapsed + 0.3);
}

/* Many changes in a row, as from a slider, keep the position right. */
static void
test_many_changes (PlayerFixture *fixture, gconstpointer data)
{
  play (fixture, "/minute.cbr.mp3", 8);
  for (guint i = 0; i < 60; i++)
    {
      ear_player_set_rate (fixture->player, 0.5 + (i * 7 % 36) / 10.0);
      player_fixture_wait (15);
    }
  ear_player_set_rate (fixture->player, 1.2);
  player_fixture_wait (400);
  check_rate (fixture, 1.2);
}

/* The end is detected at any speed. */
static void
test_end (PlayerFixture *fixture, gconstpointer data)
{
  EarTimeToneReading last;

  ear_player_set_rate (fixture->player, 3);
  play (fixture, "/minute.cbr.mp3", 58);
  PLAYER_WAIT_UNTIL (fixture->ended == 1);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 60, 0.2);
  g_assert_true (ear_test_sound_read_last (fixture->sound, &last));
  PLAYER_ASSERT_NEAR (last.time, 59.8, MARGIN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func) \
  g_test_add ("/player/rate" path, PlayerFixture, data, player_fixture_set_up, func, player_fixture_tear_down)

  ADD ("/change/mp3", clips[0], test_change);
  ADD ("/change/opus", clips[1], test_change);
  ADD ("/change/m4a", clips[2], test_change);
  ADD ("/change/wav", clips[3], test_change);
  ADD ("/limits", NULL, test_limits);
  ADD ("/kept", NULL, test_kept);
  ADD ("/paused", NULL, test_paused);
  ADD ("/many-changes", NULL, test_many_changes);
  ADD ("/end", NULL, test_end);

  return g_test_run ();
}
