/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-test-wait.h"
#include "playing-fixture.h"

/* Media whose address is good for a while only: playing goes on with the one that the feed has by
 * then. */

#define SECOND G_TIME_SPAN_SECOND

/* @path: where the first episode is from now on */
static void
put_feed (PlayingFixture *fixture, const char *path)
{
  g_autofree char *feed = g_strdup_printf (
      "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel>"
      "<title>P</title><item><guid>first</guid><title>First</title>"
      "<itunes:duration>31</itunes:duration>"
      "<enclosure url=\"%s\" type=\"audio/wav\" length=\"1\"/></item></channel></rss>",
      path);

  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed);
}

static void
refuse_old (PlayingFixture *fixture, const char *status)
{
  g_autofree char *way = g_strdup_printf ("/~status=%s/first.wav", status);

  ear_test_server_put_way (fixture->server, "/new.wav", "/second.wav");
  ear_test_server_put_way (fixture->server, "/first.wav", way);
}

static void
assert_plays (PlayingFixture *fixture, gint64 position)
{
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  PLAYING_ASSERT_PLACE (fixture, position);
  g_assert_null (ear_player_get_error (fixture->player));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/new.wav"), >=, 1);
}

static void
test_begin (PlayingFixture *fixture, gconstpointer data)
{
  put_feed (fixture, "/new.wav");
  refuse_old (fixture, data);
  ear_play_control_seek (fixture->control, fixture->first, fixture->list, 12 * SECOND);
  assert_plays (fixture, 12 * SECOND);
}

/* The address was good when it began. */
static void
test_later (PlayingFixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/first.wav", "/~slow=20000/first.wav");
  playing_fixture_play (fixture, fixture->first, 0);
  put_feed (fixture, "/new.wav");
  refuse_old (fixture, "403");
  ear_player_seek (fixture->player, 25 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, "/new.wav") > 0);
  assert_plays (fixture, 25 * SECOND);
}

/* The feed knows no other address: the reason is said, and the position kept. */
static void
test_in_vain (PlayingFixture *fixture, gconstpointer data)
{
  refuse_old (fixture, "403");
  ear_play_control_seek (fixture->control, fixture->first, fixture->list, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_FORBIDDEN);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 12 * SECOND);
}

/* The new address is refused, too. */
static void
test_again (PlayingFixture *fixture, gconstpointer data)
{
  put_feed (fixture, "/new.wav");
  refuse_old (fixture, "403");
  ear_test_server_put_way (fixture->server, "/new.wav", "/~status=403/first.wav");
  ear_play_control_seek (fixture->control, fixture->first, fixture->list, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_FORBIDDEN);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), <=, 2);
}

/* A listener who goes to another episode meanwhile hears that one. */
static void
test_left (PlayingFixture *fixture, gconstpointer data)
{
  put_feed (fixture, "/new.wav");
  refuse_old (fixture, "403");
  ear_test_server_put_way (fixture->server, "/feed.xml", "/~delay=500/feed.xml");
  ear_play_control_seek (fixture->control, fixture->first, fixture->list, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, "/first.wav") > 0);
  ear_play_control_seek (fixture->control, fixture->second, fixture->list, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > 5 * SECOND);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func) \
  g_test_add ("/renewal" path, PlayingFixture, data, playing_fixture_set_up, func, \
              playing_fixture_tear_down)

  ADD ("/forbidden", "403", test_begin);
  ADD ("/gone", "410", test_begin);
  ADD ("/not-found", "404", test_begin);
  ADD ("/later", NULL, test_later);
  ADD ("/in-vain", NULL, test_in_vain);
  ADD ("/again", NULL, test_again);
  ADD ("/left", NULL, test_left);

  return g_test_run ();
}
