/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a dropped pipeline comes to rest before it is taken down, and none is left. */

#include "player-fixture.h"

#include "ear-playbin.h"
#include "ear-teardown.h"

typedef struct
{
  GWeakRef playbin;
  EarTempo *tempo;
} Given;

/* Drops a pipeline that is opening. */
static void
give_up (Given *given, PlayerFixture *fixture, const char *path, double patience)
{
  g_autofree char *uri = ear_test_server_dup_url (fixture->server, 1, path);
  g_autoptr (EarSource) source = ear_source_new (uri, NULL, 10);
  g_autoptr (GError) error = NULL;
  GstElement *playbin;

  given->tempo = ear_tempo_new ();
  playbin = ear_playbin_new (source, given->tempo, ear_test_sound_make_sink, G_OBJECT (fixture->sound), &error);
  g_assert_no_error (error);
  g_weak_ref_init (&given->playbin, playbin);
  g_assert_cmpint (gst_element_set_state (playbin, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_ASYNC);
  ear_teardown_begin (playbin, g_object_ref (given->tempo), 0, (gint64) (patience * G_USEC_PER_SEC));
}

static gboolean
is_gone (Given *given)
{
  g_autoptr (GstElement) playbin = g_weak_ref_get (&given->playbin);

  return playbin == NULL;
}

static void
forget (Given *given)
{
  g_weak_ref_clear (&given->playbin);
  g_assert_finalize_object (given->tempo);
}

/* The tempo is dropped last. */
static void
await_end (Given *given)
{
  PLAYER_WAIT_UNTIL (is_gone (given) && G_OBJECT (given->tempo)->ref_count == 1);
}

static void
test_rest (PlayerFixture *fixture, gconstpointer path)
{
  Given given = { 0 };

  give_up (&given, fixture, path, 60);
  await_end (&given);
  g_assert_cmpuint (ear_tempo_get_beginnings (given.tempo), ==, 1);
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), ==, 0);
  forget (&given);
}

static void
check_no_rest (PlayerFixture *fixture, const char *path, double patience)
{
  Given given = { 0 };

  give_up (&given, fixture, path, patience);
  await_end (&given);
  g_assert_cmpuint (ear_tempo_get_beginnings (given.tempo), ==, 0);
  forget (&given);
}

/* This pipeline would never come to rest. */
static void
test_silent (PlayerFixture *fixture, gconstpointer data)
{
  check_no_rest (fixture, "/~mute/minute.cbr.mp3", 0.5);
}

/* A failed pipeline is not waited for. */
static void
test_failed (PlayerFixture *fixture, gconstpointer data)
{
  check_no_rest (fixture, "/~status=404/minute.cbr.mp3", 60);
}

/* No pipeline is left, although the server would make all of them wait longer. */
static void
test_finish (PlayerFixture *fixture, gconstpointer path)
{
  Given given[3] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    give_up (&given[i], fixture, path, 60);
  ear_teardown_finish ();
  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_assert_true (is_gone (&given[i]));
      forget (&given[i]);
    }
  /* A second call has nothing to wait for. */
  ear_teardown_finish ();
}

/* Opening the next episode lets the previous one end by itself. */
static void
test_switch (PlayerFixture *fixture, gconstpointer path)
{
  guint64 sent = 0;

  player_fixture_open (fixture, path, 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, path) == 1);
  player_fixture_open (fixture, "/minute.wav", 10);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  while (sent == 0)
    {
      g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, path);

      sent = request->bytes_sent;
      g_assert_true (sent > 0 || !request->finished);
      player_fixture_wait (10);
    }
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_hear (fixture), 10);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func) \
  g_test_add ("/player/teardown" path, PlayerFixture, data, player_fixture_set_up, func, player_fixture_tear_down)

  ADD ("/rest/mp3", "/~delay=200/minute.cbr.mp3", test_rest);
  ADD ("/rest/opus", "/~delay=200/minute.opus", test_rest);
  ADD ("/rest/m4a", "/~delay=200/minute.m4a", test_rest);
  ADD ("/silent", NULL, test_silent);
  ADD ("/failed", NULL, test_failed);
  ADD ("/finish", "/~mute/minute.cbr.mp3", test_finish);
  ADD ("/switch", "/~delay=500/minute.cbr.mp3", test_switch);

  return g_test_run ();
}
