/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The verbs of the player, and its notifications. */

#include "player-fixture.h"

#include <math.h>

static void
count_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (*(guint *) user_data)++;
}

/* Setting a property notifies once; setting the same value again does not. */
static void
check_notify (EarPlayer *player, const char *name, GType type, double first, double second)
{
  g_autofree char *signal = g_strconcat ("notify::", name, NULL);
  double values[] = { first, second };
  guint count = 0;

  g_signal_connect (player, signal, G_CALLBACK (count_cb), &count);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, type);
      if (type == G_TYPE_DOUBLE)
        g_value_set_double (&value, values[i]);
      else if (type == G_TYPE_UINT)
        g_value_set_uint (&value, (guint) values[i]);
      else
        g_value_set_boolean (&value, values[i] != 0);

      g_object_set_property (G_OBJECT (player), name, &value);
      g_assert_cmpuint (count, ==, i + 1);
      g_object_set_property (G_OBJECT (player), name, &value);
      g_assert_cmpuint (count, ==, i + 1);
    }
  g_signal_handlers_disconnect_by_data (player, &count);
}

static void
test_new (void)
{
  EarPlayer *player = ear_player_new ("Earmark/test");

  g_assert_cmpint (ear_player_get_state (player), ==, EAR_PLAYER_EMPTY);
  g_assert_null (ear_player_get_episode (player));
  g_assert_null (ear_player_get_error (player));
  g_assert_true (ear_player_get_restored (player));
  g_assert_finalize_object (player);
}

static void
test_properties (void)
{
  g_autoptr (EarPlayer) player = ear_player_new (NULL);

  check_notify (player, "rate", G_TYPE_DOUBLE, 1.5, 1);
  check_notify (player, "volume", G_TYPE_DOUBLE, 0.5, 1);
  check_notify (player, "muted", G_TYPE_BOOLEAN, TRUE, FALSE);

  ear_player_set_rate (player, NAN);
  g_assert_cmpfloat (ear_player_get_rate (player), ==, 1);
  ear_player_set_rate (player, -3);
  g_assert_cmpfloat (ear_player_get_rate (player), ==, 0.5);
  ear_player_set_volume (player, NAN);
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 1);
  ear_player_set_volume (player, 7);
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 1);
}

/* An empty player accepts every call, and does nothing. */
static void
test_empty (PlayerFixture *fixture, gconstpointer data)
{
  ear_player_play (fixture->player);
  ear_player_pause (fixture->player);
  ear_player_seek (fixture->player, 5);
  ear_player_skip (fixture->player, -5);
  ear_player_stop (fixture->player);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_EMPTY);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  g_assert_cmpstr (fixture->states->str, ==, "");
  g_assert_cmpuint (fixture->seeked, ==, 0);
}

/* The player sends no request before the listener plays. */
static void
test_lazy (PlayerFixture *fixture, gconstpointer data)
{
  ear_episode_set_duration (fixture->episode, 60 * G_USEC_PER_SEC);
  player_fixture_open (fixture, "/minute.cbr.mp3", 20);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->episode);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 20 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_duration (fixture->player), ==, 60 * G_USEC_PER_SEC);
  g_assert_true (ear_player_get_seekable (fixture->player));
  g_assert_false (ear_player_get_restored (fixture->player));

  ear_player_pause (fixture->player);
  ear_player_skip (fixture->player, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (fixture->seeked, ==, 1);
  g_assert_cmpint (fixture->seeked_position, ==, 30 * G_USEC_PER_SEC);
  ear_player_skip (fixture->player, G_MAXINT64);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 60 * G_USEC_PER_SEC);
  ear_player_skip (fixture->player, G_MININT64);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  ear_player_seek (fixture->player, 31 * G_USEC_PER_SEC);
  /* The listener chose the position, so it may be stored. */
  g_assert_true (ear_player_get_restored (fixture->player));

  player_fixture_wait (100);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/minute.cbr.mp3"), ==, 0);
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 0);

  ear_player_play (fixture->player);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_LOADING);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 31);
  g_assert_cmpstr (fixture->states->str, ==, "DLP");
}

/* The duration is unknown, but no episode lasts a year: once it is known, the position
 * becomes the end. */
static void
test_far_away (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/minute.cbr.mp3", 1e12);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, EAR_POSITION_LIMIT);

  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  ear_player_skip (fixture->player, G_MAXINT64);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, EAR_POSITION_LIMIT);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (fixture->ended == 1);
}

static void
test_pause (PlayerFixture *fixture, gconstpointer data)
{
  double before;

  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);

  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  before = player_fixture_position (fixture);
  player_fixture_wait (50);
  ear_test_sound_clear (fixture->sound);
  player_fixture_wait (250);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), before, 0.001);

  /* A seek while paused is silent too, and playback starts there. */
  ear_player_seek (fixture->player, 45 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  player_fixture_wait (150);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 45, 0.15);

  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 45);
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 1);
}

/* Paused before it was open, the player opens and waits silently at the position. */
static void
test_pause_at_once (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/minute.opus", 33);
  ear_player_play (fixture->player);
  ear_player_pause (fixture->player);
  PLAYER_WAIT_UNTIL (ear_player_get_restored (fixture->player));
  player_fixture_wait (100);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 33, 0.01);
  g_assert_cmpstr (fixture->states->str, ==, "DLD");
}

/* Twenty seeks at once make one or two, and the last one wins. */
static void
test_burst (PlayerFixture *fixture, gconstpointer data)
{
  guint requests;

  player_fixture_open (fixture, data, 2);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  requests = ear_test_server_count_requests (fixture->server, data);
  fixture->lowest = G_MAXINT64;

  for (guint i = 1; i <= 20; i++)
    {
      ear_player_seek (fixture->player, (20 + i) * G_USEC_PER_SEC);
      g_assert_cmpint (ear_player_get_position (fixture->player), ==, (20 + i) * G_USEC_PER_SEC);
    }
  PLAYER_WAIT_UNTIL (fixture->seeked >= 1);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 200);
  g_assert_cmpuint (fixture->seeked, ==, 1);
  PLAYER_ASSERT_NEAR ((double) fixture->seeked_position, 40e6, 0.2e6);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 40);
  g_assert_cmpint (fixture->lowest, >=, 20.8 * G_USEC_PER_SEC);
  /* The demuxer of Ogg searches in steps. */
  requests = ear_test_server_count_requests (fixture->server, data) - requests;
  g_assert_cmpuint (requests, <=, g_str_has_suffix (data, ".opus") ? 40 : 6);
}

/* Dragging the scrubber: new seeks while others are in progress. */
static void
test_drag (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);

  for (guint i = 0; i < 40; i++)
    {
      ear_player_seek (fixture->player, (50 - i) * G_USEC_PER_SEC);
      player_fixture_wait (i % 3 * 12);
    }
  ear_player_seek (fixture->player, 25 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked_position > 24 * G_USEC_PER_SEC && fixture->seeked_position < 26 * G_USEC_PER_SEC);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), 25);
}

/* Skips add up, even while the first is in progress. */
static void
test_skips (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  for (guint i = 0; i < 3; i++)
    ear_player_skip (fixture->player, 10 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 30.3, 0.6);
  ear_player_skip (fixture->player, -2 * 60 * (gint64) G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  PLAYER_WAIT_UNTIL (fixture->seeked == 2);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 0);
}

static void
test_end (PlayerFixture *fixture, gconstpointer data)
{
  EarTimeToneReading last;

  player_fixture_hurry (fixture);
  player_fixture_open (fixture, data, 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (fixture->ended == 1);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_ENDED);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 60, 0.3);
  g_assert_true (ear_player_get_restored (fixture->player));
  g_assert_true (ear_test_sound_read_last (fixture->sound, &last) || last.level < 0.1);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), >=, 59.8 * G_USEC_PER_SEC);

  /* After the end, playback restarts. */
  ear_player_play (fixture->player);
  g_assert_cmpuint (fixture->seeked, ==, 1);
  g_assert_cmpint (fixture->seeked_position, ==, 0);
  PLAYER_WAIT_UNTIL (fixture->ended == 2);
  /* At this speed the player may have to wait for the server now and then. */
  while (g_string_replace (fixture->states, "LPLP", "LP", 0) > 0)
    ;
  g_assert_cmpstr (fixture->states->str, ==, "DLPNLPN");

  /* A skip past the end does nothing. */
  ear_player_skip (fixture->player, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_ENDED);
  g_assert_cmpuint (fixture->seeked, ==, 2);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 60, 0.3);

  /* A skip back from the end pauses there. */
  ear_player_skip (fixture->player, -10 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 50, 0.3);
  player_fixture_wait (50);
  g_assert_cmpuint (fixture->ended, ==, 2);
}

/* A seek to the end ends playback, once. */
static void
test_jump_to_end (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, data, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  PLAYER_WAIT_UNTIL (ear_player_get_duration (fixture->player) > 0);
  ear_player_skip (fixture->player, 3600 * (gint64) G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->ended == 1);
  player_fixture_wait (50);
  g_assert_cmpuint (fixture->ended, ==, 1);
}

/* An episode left in its last second starts at the beginning. */
static void
test_left_at_end (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/minute.m4a", 59.5);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 0);
}

/* The next episode takes over at once, and events of the previous one do
 * not affect it. */
static void
test_switch (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) other = ear_episode_new (2, NULL, "other");

  player_fixture_open (fixture, "/minute.cbr.mp3", 50);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  for (guint i = 0; i < 12; i++)
    {
      player_fixture_open (fixture, i % 2 ? "/minute.opus" : "/minute.m4a", 5 + 2 * i);
      player_fixture_wait (i * i);
    }
  g_assert_cmpint (ear_player_get_state (fixture->player), !=, EAR_PLAYER_PAUSED);
  player_fixture_open (fixture, "/minute.wav", 15);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 15);

  ear_player_pause (fixture->player);
  ear_player_open (fixture->player, other, NULL, "http://127.0.0.1:9/", 0);
  g_assert_true (ear_player_get_episode (fixture->player) == other);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
}

static void
test_stop (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/minute.cbr.mp3", 50);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  ear_player_stop (fixture->player);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_EMPTY);
  g_assert_null (ear_player_get_episode (fixture->player));
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  g_assert_cmpint (ear_player_get_duration (fixture->player), ==, 0);
  ear_test_sound_clear (fixture->sound);
  player_fixture_wait (100);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);
}

/* Drops players while they open, seek and play, without running the main loop. */
static void
test_drop (PlayerFixture *fixture, gconstpointer data)
{
  static const guint waits[] = { 0, 1, 5, 20, 60, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
    {
      EarPlayer *player = ear_player_new (NULL);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/minute.cbr.mp3");

      ear_player_set_sink (player, ear_test_sound_make_sink, G_OBJECT (fixture->sound));
      ear_player_open (player, fixture->episode, NULL, address, 30 * G_USEC_PER_SEC);
      ear_player_play (player);
      if (waits[i] > 0)
        player_fixture_wait (waits[i]);
      ear_player_seek (player, 40 * G_USEC_PER_SEC);
      g_assert_finalize_object (player);
    }
}

/* The position notifies at its interval, and not at all when paused. */
static void
test_interval (PlayerFixture *fixture, gconstpointer data)
{
  guint count = 0;

  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);

  g_signal_connect (fixture->player, "notify::position", G_CALLBACK (count_cb), &count);
  player_fixture_wait (600);
  g_assert_cmpuint (count, >=, 1);
  g_assert_cmpuint (count, <=, 4);

  ear_player_pause (fixture->player);
  count = 0;
  player_fixture_wait (150);
  g_assert_cmpuint (count, ==, 0);
  g_signal_handlers_disconnect_by_data (fixture->player, &count);
}

static gboolean
is_muted (EarPlayer *player)
{
  gboolean muted;

  g_object_get (player, "muted", &muted, NULL);

  return muted;
}

/* A higher volume unmutes, by whichever call; a lower one does not. */
static void
test_louder (void)
{
  g_autoptr (EarPlayer) player = ear_player_new (NULL);

  ear_player_set_volume (player, 0.5);
  g_object_set (player, "muted", TRUE, NULL);
  ear_player_set_volume (player, 0.25);
  ear_player_step_volume (player, -0.125);
  g_assert_true (is_muted (player));
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 0.125);

  /* The first step restores the volume, the next one raises it. */
  ear_player_step_volume (player, 0.125);
  g_assert_false (is_muted (player));
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 0.125);
  ear_player_step_volume (player, 0.125);
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 0.25);

  g_object_set (player, "muted", TRUE, NULL);
  ear_player_set_volume (player, 0.5);
  g_assert_false (is_muted (player));

  /* From volume 0, the first step raises the volume. */
  g_object_set (player, "muted", TRUE, NULL);
  ear_player_step_volume (player, -1);
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 0);
  ear_player_step_volume (player, 0.125);
  g_assert_false (is_muted (player));
  g_assert_cmpfloat (ear_player_get_volume (player), ==, 0.125);

  /* At full volume, a step only unmutes. */
  ear_player_set_volume (player, 1);
  g_object_set (player, "muted", TRUE, NULL);
  ear_player_step_volume (player, 0.125);
  g_assert_false (is_muted (player));
}

/* Half of the volume's scale is an eighth of the amplitude. */
static void
test_volume (PlayerFixture *fixture, gconstpointer data)
{
  EarTimeToneReading loud, soft;

  player_fixture_open (fixture, "/minute.wav", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &loud));

  ear_player_set_volume (fixture->player, 0.5);
  player_fixture_wait (250);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &soft));
  PLAYER_ASSERT_NEAR (loud.level / soft.level, 8, 1);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.5);

  g_object_set (fixture->player, "muted", TRUE, NULL);
  player_fixture_wait (250);
  player_fixture_fresh (fixture, 200);
  g_assert_false (ear_test_sound_read (fixture->sound, &soft));
  g_assert_cmpfloat (soft.level, <, 0.001);
}

/* A fade is audible, also for the next episode, and does not change the volume. */
static void
test_fade (PlayerFixture *fixture, gconstpointer data)
{
  EarTimeToneReading loud, soft;

  ear_player_set_volume (fixture->player, 0.8);
  player_fixture_open (fixture, "/minute.wav", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &loud));

  ear_player_set_fade (fixture->player, 0.5);
  player_fixture_wait (250);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &soft));
  PLAYER_ASSERT_NEAR (loud.level / soft.level, 8, 1);

  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &soft));
  PLAYER_ASSERT_NEAR (loud.level / soft.level, 8, 1.5);

  ear_player_set_fade (fixture->player, 1);
  player_fixture_wait (250);
  player_fixture_fresh (fixture, 200);
  g_assert_true (ear_test_sound_read (fixture->sound, &soft));
  PLAYER_ASSERT_NEAR (loud.level / soft.level, 1, 0.2);
  g_assert_cmpfloat (ear_player_get_volume (fixture->player), ==, 0.8);
}

/* At first, the duration may be that of a page before the last one. */
static void
check_inside_cb (PlayerFixture *fixture)
{
  if (ear_player_get_duration (fixture->player) < 61 * G_USEC_PER_SEC)
    g_assert_cmpint (ear_player_get_position (fixture->player), <=, ear_player_get_duration (fixture->player) + G_USEC_PER_SEC);
}

/* The feed claims two minutes, the sound has one, and the listener seeks to the second
 * minute before it is open. */
static void
test_overstated (PlayerFixture *fixture, gconstpointer path)
{
  static const char *const signals[] = { "notify::duration", "notify::position", "notify::state", "seeked" };

  ear_episode_set_duration (fixture->episode, 120 * G_USEC_PER_SEC);
  player_fixture_open (fixture, path, 0);
  ear_player_seek (fixture->player, 100 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 100 * G_USEC_PER_SEC);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (fixture->player, signals[i], G_CALLBACK (check_inside_cb), fixture);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_ENDED);

  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 60, 1);
  g_assert_cmpuint (fixture->ended, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func) \
  g_test_add ("/player/control" path, PlayerFixture, data, player_fixture_set_up, func, player_fixture_tear_down)

  g_test_add_func ("/player/control/new", test_new);
  g_test_add_func ("/player/control/properties", test_properties);
  g_test_add_func ("/player/control/louder", test_louder);
  ADD ("/empty", NULL, test_empty);
  ADD ("/lazy", NULL, test_lazy);
  ADD ("/far-away", NULL, test_far_away);
  ADD ("/pause", NULL, test_pause);
  ADD ("/pause-at-once", NULL, test_pause_at_once);
  ADD ("/burst/mp3", "/minute.cbr.mp3", test_burst);
  ADD ("/burst/opus", "/minute.opus", test_burst);
  ADD ("/burst/m4a", "/minute.m4a", test_burst);
  ADD ("/drag/mp3", "/minute.cbr.mp3", test_drag);
  ADD ("/drag/opus", "/minute.opus", test_drag);
  ADD ("/drag/no-ranges", "/~norange/minute.cbr.mp3", test_drag);
  ADD ("/drag/slow", "/~slow=400000/minute.cbr.mp3", test_drag);
  ADD ("/skips", NULL, test_skips);
  ADD ("/end/mp3", "/minute.cbr.mp3", test_end);
  ADD ("/end/opus", "/minute.opus", test_end);
  ADD ("/end/m4a", "/minute.late.m4a", test_end);
  ADD ("/jump-to-end/mp3", "/minute.cbr.mp3", test_jump_to_end);
  ADD ("/jump-to-end/opus", "/minute.opus", test_jump_to_end);
  ADD ("/jump-to-end/m4a", "/minute.m4a", test_jump_to_end);
  ADD ("/left-at-end", NULL, test_left_at_end);
  ADD ("/overstated/mp3", "/minute.cbr.mp3", test_overstated);
  ADD ("/overstated/opus", "/minute.opus", test_overstated);
  ADD ("/overstated/m4a", "/minute.m4a", test_overstated);
  ADD ("/switch", NULL, test_switch);
  ADD ("/stop", NULL, test_stop);
  ADD ("/drop", NULL, test_drop);
  ADD ("/interval", NULL, test_interval);
  ADD ("/volume", NULL, test_volume);
  ADD ("/fade", NULL, test_fade);

  return g_test_run ();
}
