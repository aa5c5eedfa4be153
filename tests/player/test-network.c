/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Network outages, and suspension of the computer. */

#include "player-fixture.h"

#include "ear-player-internal.h"
#include "ear-test-network.h"

static gboolean
is_waiting (PlayerFixture *fixture)
{
  gboolean waiting;

  g_object_get (fixture->player, "waiting", &waiting, NULL);

  return waiting;
}

static guint16
take_server_away (PlayerFixture *fixture)
{
  g_autoptr (GUri) uri = g_uri_parse (ear_test_server_get_base_url (fixture->server), G_URI_FLAGS_NONE, NULL);

  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);

  return (guint16) g_uri_get_port (uri);
}

static void
bring_server_back (PlayerFixture *fixture, guint16 port)
{
  g_autoptr (GError) error = NULL;

  fixture->server = ear_test_server_new ();
  ear_test_server_set_root (fixture->server, g_getenv ("EAR_CLIPS"));
  ear_test_server_set_port (fixture->server, port);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
}

/* Plays from 30 s, with little data ahead. */
static void
play (PlayerFixture *fixture, EarTestNetwork *network)
{
  ear_player_set_network (fixture->player, G_NETWORK_MONITOR (network));
  player_fixture_open (fixture, "/~slow=20000/minute.cbr.mp3", 30);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
}

/* The player waits, reports it, retries in vain, and continues at the same position when
 * the network returns. */
static void
test_back (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  guint16 port;
  double reached;

  play (fixture, network);
  ear_test_network_set_available (network, FALSE);
  port = take_server_away (fixture);
  PLAYER_WAIT_UNTIL (is_waiting (fixture));
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_LOADING);
  reached = player_fixture_position (fixture);
  g_assert_cmpfloat (reached, >, 30);
  player_fixture_wait (3500);
  g_assert_true (is_waiting (fixture));
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_LOADING);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), reached, 0.01);

  bring_server_back (fixture, port);
  ear_test_network_set_available (network, TRUE);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_false (is_waiting (fixture));
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), reached);
  g_assert_cmpuint (fixture->ended, ==, 0);
}

/* The network returns without a signal from the monitor. */
static void
test_unsaid (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  guint16 port;

  play (fixture, network);
  ear_test_network_set_available (network, FALSE);
  port = take_server_away (fixture);
  PLAYER_WAIT_UNTIL (is_waiting (fixture));
  bring_server_back (fixture, port);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_false (is_waiting (fixture));
}

/* Pausing ends the wait, and playback does not start by itself. */
static void
test_pause (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  guint16 port;
  double reached;

  play (fixture, network);
  ear_test_network_set_available (network, FALSE);
  port = take_server_away (fixture);
  PLAYER_WAIT_UNTIL (is_waiting (fixture));
  reached = player_fixture_position (fixture);
  ear_player_pause (fixture->player);
  g_assert_false (is_waiting (fixture));
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  bring_server_back (fixture, port);
  ear_test_network_set_available (network, TRUE);
  player_fixture_wait (1500);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), reached, 0.01);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
}

/* The wait has a limit. */
static void
test_patience (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);

  play (fixture, network);
  ear_test_network_set_available (network, FALSE);
  take_server_away (fixture);
  PLAYER_WAIT_UNTIL (is_waiting (fixture));
  fixture->player->waiting_since -= 10 * 60 * G_USEC_PER_SEC;
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_false (is_waiting (fixture));
  bring_server_back (fixture, 0);
}

/* Connections from before a suspension are dropped, whatever has arrived. */
static void
test_suspended (PlayerFixture *fixture, gconstpointer data)
{
  double reached;

  player_fixture_open (fixture, "/minute.cbr.mp3", 30);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
  fixture->player->suspended -= 60 * G_USEC_PER_SEC;
  PLAYER_WAIT_UNTIL (ear_test_sound_get_sinks (fixture->sound) == 2);
  reached = player_fixture_position (fixture);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), reached);

  /* If paused, when playback continues */
  ear_player_pause (fixture->player);
  reached = player_fixture_position (fixture);
  fixture->player->suspended -= 60 * G_USEC_PER_SEC;
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 3);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), reached);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, func) \
  g_test_add ("/player/network" path, PlayerFixture, NULL, player_fixture_set_up, func, player_fixture_tear_down)

  ADD ("/back", test_back);
  ADD ("/unsaid", test_unsaid);
  ADD ("/pause", test_pause);
  ADD ("/patience", test_patience);
  ADD ("/suspended", test_suspended);

  return g_test_run ();
}
