/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Seeks that land at a wrong position, as those of Ogg over HTTP do by chance. */

#include "player-fixture.h"

#define LATE 2.5

/* Seeks made to a position that is missed every time. */
#define TRIES 3

static void
play (PlayerFixture *fixture, const char *path)
{
  player_fixture_open (fixture, path, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 100);
  fixture->lowest = G_MAXINT64;
}

/* Seeks to @place, and waits for the end of a seek. */
static void
jump (PlayerFixture *fixture, double place)
{
  guint seeked = fixture->seeked;

  ear_player_seek (fixture->player, (gint64) (place * G_USEC_PER_SEC));
  PLAYER_WAIT_UNTIL (fixture->seeked > seeked);
}

/* Asserts that the sound starts at @place and continues. */
static void
check_heard (PlayerFixture *fixture, double place)
{
  double first, lowest, highest;

  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  PLAYER_WAIT_UNTIL (ear_test_sound_get_heard (fixture->sound) >= 300000);
  g_assert_true (ear_test_sound_read_range (fixture->sound, &first, &lowest, &highest));
  g_test_message ("heard %.3f to %.3f s, first %.3f s", lowest, highest, first);
  PLAYER_ASSERT_NEAR (first, place, 0.3);
  g_assert_cmpfloat (lowest, >=, place - 0.3);
  player_fixture_agree (fixture, 0.2);
}

/* A seek that lands late by chance is repeated, unnoticed. */
static void
test_late (PlayerFixture *fixture, gconstpointer data)
{
  play (fixture, data);
  ear_test_sound_mislead (fixture->sound, 1, LATE);
  ear_player_pause (fixture->player);
  player_fixture_wait (50);
  ear_test_sound_clear (fixture->sound);
  jump (fixture, 20);
  g_assert_cmpint (fixture->seeked_position, ==, 20 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);

  ear_player_play (fixture->player);
  check_heard (fixture, 20);
  g_assert_cmpuint (fixture->seeked, ==, 1);

  /* The same during playback. */
  ear_test_sound_mislead (fixture->sound, 2, LATE);
  jump (fixture, 40);
  PLAYER_ASSERT_NEAR ((double) fixture->seeked_position, 40e6, 0.1e6);
  ear_test_sound_clear (fixture->sound);
  check_heard (fixture, 40);
  g_assert_cmpuint (fixture->seeked, ==, 2);
}

/* A saved position is found as well. */
static void
test_opened (PlayerFixture *fixture, gconstpointer data)
{
  ear_test_sound_mislead (fixture->sound, 1, LATE);
  player_fixture_open (fixture, "/minute.m4a", 20);
  ear_player_play (fixture->player);
  check_heard (fixture, 20);
  g_assert_true (ear_player_get_restored (fixture->player));
  g_assert_cmpint (fixture->lowest, >=, 20 * G_USEC_PER_SEC);
  g_assert_cmpuint (fixture->seeked, ==, 0);
  g_assert_cmpuint (ear_test_sound_get_jumps (fixture->sound), ==, 2);
  g_assert_cmpstr (fixture->states->str, ==, "DLP");
}

/* A demuxer that cannot do better gets a few tries, and is then trusted. */
static void
test_always (PlayerFixture *fixture, gconstpointer data)
{
  play (fixture, "/minute.m4a");
  for (guint i = 1; i <= 2; i++)
    {
      ear_test_sound_mislead (fixture->sound, G_MAXUINT, LATE);
      jump (fixture, 20 * i);
      ear_test_sound_clear (fixture->sound);
      check_heard (fixture, 20 * i + LATE);
      g_assert_cmpuint (fixture->seeked, ==, i);
      g_assert_cmpuint (ear_test_sound_get_jumps (fixture->sound), ==, TRIES);
    }
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 1);
}

/* An error that the listener does not notice is not corrected. */
static void
test_little (PlayerFixture *fixture, gconstpointer data)
{
  const double *by = data;

  play (fixture, "/minute.m4a");
  ear_test_sound_mislead (fixture->sound, G_MAXUINT, *by);
  jump (fixture, 20);
  ear_test_sound_clear (fixture->sound);
  /* Sound that is too early is left out. */
  check_heard (fixture, 20 + MAX (*by, 0));
  g_assert_cmpuint (ear_test_sound_get_jumps (fixture->sound), ==, 1);
}

/* A new seek of the listener replaces one that has to be repeated. */
static void
test_newer (PlayerFixture *fixture, gconstpointer data)
{
  play (fixture, "/minute.m4a");
  ear_test_sound_mislead (fixture->sound, 1, LATE);
  ear_player_seek (fixture->player, 20 * G_USEC_PER_SEC);
  /* Poll without waiting: the repeated seek may be very fast. */
  while (ear_test_sound_get_jumps (fixture->sound) < 2 && fixture->seeked == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (ear_test_sound_get_jumps (fixture->sound), ==, 2);
  jump (fixture, 40);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  ear_test_sound_clear (fixture->sound);
  check_heard (fixture, 40);
  g_assert_cmpint (fixture->lowest, >=, 20 * G_USEC_PER_SEC);
  g_assert_cmpuint (fixture->seeked, ==, 1);
}

/* At an entirely wrong position, the media is opened again. */
static void
test_lost (PlayerFixture *fixture, gconstpointer data)
{
  play (fixture, "/minute.m4a");
  ear_test_sound_mislead (fixture->sound, 1, 10);
  jump (fixture, 20);
  ear_test_sound_clear (fixture->sound);
  check_heard (fixture, 20);
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 2);
}

#define ADD(path, data, function) \
  g_test_add ("/player/landing" path, PlayerFixture, data, player_fixture_set_up, function, player_fixture_tear_down)

int
main (int argc, char *argv[])
{
  static const double little = 0.2;
  static const double early = -LATE;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("/late/opus", "/minute.opus", test_late);
  ADD ("/late/mp3", "/minute.cbr.mp3", test_late);
  ADD ("/late/m4a", "/minute.m4a", test_late);
  ADD ("/opened", NULL, test_opened);
  ADD ("/always", NULL, test_always);
  ADD ("/little", &little, test_little);
  ADD ("/early", &early, test_little);
  ADD ("/newer", NULL, test_newer);
  ADD ("/lost", NULL, test_lost);

  return g_test_run ();
}
