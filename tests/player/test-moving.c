/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A stream whose download completes during playback: the player switches to the file at
 * the next silence, and at the same position. */

#include "player-fixture.h"

#include <string.h>

#define ADDRESS "/~slow=40000/minute.cbr.mp3"

/* Plays from 10 s, with little data ahead. */
static void
play (PlayerFixture *fixture)
{
  player_fixture_open (fixture, ADDRESS, 10);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 500);
  player_fixture_agree (fixture, 0.15);
}

/* Announces a downloaded file to the player. */
static void
bring_file (PlayerFixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), name, NULL);

  ear_player_set_place (fixture->player, path, NULL);
}

static guint
count_requests (PlayerFixture *fixture)
{
  return ear_test_server_count_requests (fixture->server, ADDRESS);
}

static void
expect_sound (PlayerFixture *fixture, double place)
{
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 500);
  PLAYER_ASSERT_NEAR (player_fixture_agree (fixture, 0.15), place, 1.5);
}

/* The switch waits for a pause and is not audible. */
static void
test_pause (PlayerFixture *fixture, gconstpointer data)
{
  gint64 paused;
  guint n;

  play (fixture);
  n = count_requests (fixture);
  g_string_truncate (fixture->states, 0);
  bring_file (fixture, "minute.cbr.mp3");
  player_fixture_wait (600);
  g_assert_cmpstr (fixture->states->str, ==, "");

  ear_player_pause (fixture->player);
  paused = ear_player_get_position (fixture->player);
  player_fixture_wait (200);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, paused);
  g_assert_true (ear_player_get_restored (fixture->player));
  ear_player_play (fixture->player);
  expect_sound (fixture, (double) paused / G_USEC_PER_SEC);
  g_assert_cmpuint (count_requests (fixture), ==, n);
  g_assert_cmpuint (fixture->seeked, ==, 0);
}

/* The file arrives while paused. */
static void
test_paused (PlayerFixture *fixture, gconstpointer data)
{
  gint64 paused;
  guint n;

  play (fixture);
  ear_player_pause (fixture->player);
  player_fixture_wait (200);
  paused = ear_player_get_position (fixture->player);
  n = count_requests (fixture);
  bring_file (fixture, "minute.cbr.mp3");
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - paused), <, G_USEC_PER_SEC / 10);
  ear_player_play (fixture->player);
  expect_sound (fixture, (double) paused / G_USEC_PER_SEC);
  g_assert_cmpuint (count_requests (fixture), ==, n);
}

static void
test_seek (PlayerFixture *fixture, gconstpointer data)
{
  guint n;

  play (fixture);
  n = count_requests (fixture);
  bring_file (fixture, "minute.cbr.mp3");
  ear_player_seek (fixture->player, 50 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  g_assert_cmpint (fixture->seeked_position, ==, 50 * G_USEC_PER_SEC);
  expect_sound (fixture, 50);
  g_assert_cmpuint (count_requests (fixture), ==, n);
}

/* The server stalls after five seconds of sound: playback continues from the file. */
static void
test_stall (PlayerFixture *fixture, gconstpointer data)
{
  ear_player_set_timeout (fixture->player, 20);
  player_fixture_open (fixture, "/~stall=40000/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  bring_file (fixture, "minute.cbr.mp3");
  PLAYER_WAIT_UNTIL (player_fixture_position (fixture) > 7);
  g_assert_null (strchr (fixture->states->str, 'F'));
  player_fixture_agree (fixture, 0.15);
}

/* The player is already waiting when the file arrives. */
static void
test_stalled (PlayerFixture *fixture, gconstpointer data)
{
  double place;

  ear_player_set_timeout (fixture->player, 20);
  player_fixture_open (fixture, "/~stall=24000/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_await (fixture, EAR_PLAYER_LOADING);
  place = player_fixture_position (fixture);
  bring_file (fixture, "minute.cbr.mp3");
  expect_sound (fixture, place);
}

/* Removing the file does not stop playback. */
static void
test_removed (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/minute.cbr.mp3");

  play (fixture);
  bring_file (fixture, "minute.cbr.mp3");
  ear_player_set_place (fixture->player, NULL, address);
  ear_player_pause (fixture->player);
  ear_player_play (fixture->player);
  expect_sound (fixture, 10);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/player/moving/" name, PlayerFixture, NULL, player_fixture_set_up, func, player_fixture_tear_down)
  ADD ("pause", test_pause);
  ADD ("paused", test_paused);
  ADD ("seek", test_seek);
  ADD ("stall", test_stall);
  ADD ("stalled", test_stalled);
  ADD ("removed", test_removed);

  return g_test_run ();
}
