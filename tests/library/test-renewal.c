/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "playing-fixture.h"

/* Playing continues at another URL when the known one is refused: the feed has a new one,
 * or a redirect leads to bytes that are not UTF-8. */

/* A redirect to a Latin-1 path, as an old server writes it; and the path in the server's log */
#define RAW_PATH "/m%FCnchen.wav"
#define RAW_REDIRECT "/~redirect=302,raw" RAW_PATH

/* The feed has a new URL for the first episode. */
static void
put_new_feed (Fixture *fixture)
{
  put_text (fixture, "/feed.xml",
            RSS ("P", "<item><guid>first</guid><title>First</title>"
                      "<itunes:duration>31</itunes:duration>"
                      "<enclosure url=\"/new.wav\" type=\"audio/wav\" length=\"1\"/></item>"));
}

static void
refuse_old (Fixture *fixture, const char *status)
{
  g_autofree char *way = g_strdup_printf ("/~status=%s/first.wav", status);

  ear_test_server_put_way (fixture->server, "/new.wav", "/second.wav");
  ear_test_server_put_way (fixture->server, "/first.wav", way);
}

/* Starts the first episode at 12 s. */
static void
start (Fixture *fixture)
{
  ear_playback_controller_seek (fixture->control, fixture->first, fixture->list, 12 * SECOND);
}

/* Starts the episode in vain: its position is kept. */
static void
assert_fails (Fixture *fixture, int code)
{
  ear_test_server_clear_log (fixture->server);
  start (fixture);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, code);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 12 * SECOND);
}

static void
assert_plays (Fixture *fixture, gint64 position)
{
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, position);
  g_assert_null (ear_player_get_error (fixture->player));
  g_assert_cmpuint (count_requests (fixture, "/new.wav"), >=, 1);
}

static void
test_begin (Fixture *fixture, gconstpointer data)
{
  put_new_feed (fixture);
  refuse_old (fixture, data);
  start (fixture);
  assert_plays (fixture, 12 * SECOND);
}

/* The URL still worked when playing began. */
static void
test_later (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/first.wav", "/~slow=40000/first.wav");
  playing_fixture_play (fixture, fixture->first, 0);
  put_new_feed (fixture);
  refuse_old (fixture, "403");
  ear_player_seek (fixture->player, 25 * SECOND);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, "/new.wav") > 0);
  assert_plays (fixture, 25 * SECOND);
}

/* The feed has no other URL, a redirect leads nowhere, or the new URL is refused, too: the error
 * is reported, the position kept, and the server left alone. */
static void
test_in_vain (Fixture *fixture, gconstpointer data)
{
  refuse_old (fixture, "403");
  assert_fails (fixture, EAR_ERROR_FORBIDDEN);

  ear_test_server_put_way (fixture->server, "/first.wav", RAW_REDIRECT);
  assert_fails (fixture, EAR_ERROR_NOT_FOUND);
  g_assert_cmpuint (count_requests (fixture, "/first.wav"), <=, 4);

  put_new_feed (fixture);
  refuse_old (fixture, "403");
  ear_test_server_put_way (fixture->server, "/new.wav", "/~status=403/first.wav");
  assert_fails (fixture, EAR_ERROR_FORBIDDEN);
  g_assert_cmpuint (count_requests (fixture, "/feed.xml"), <=, 2);
}

/* A listener who goes to another episode before the feed or the redirects are known hears it. */
static void
test_left (Fixture *fixture, gconstpointer held)
{
  put_new_feed (fixture);
  refuse_old (fixture, "403");
  if (g_str_equal (held, RAW_PATH))
    ear_test_server_put_way (fixture->server, "/first.wav", RAW_REDIRECT);
  ear_test_server_put_way (fixture->server, "/feed.xml", "/~hold/feed.xml");
  ear_test_server_put_way (fixture->server, RAW_PATH, "/~hold/second.wav");
  ear_test_server_set_holding (fixture->server, TRUE);
  ear_test_server_clear_log (fixture->server);
  start (fixture);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, held) > 0);
  playing_fixture_play (fixture, fixture->second, 3 * SECOND);
  ear_test_server_set_holding (fixture->server, FALSE);
  wait_past (fixture, 5 * SECOND);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->second);
  g_assert_null (ear_player_get_error (fixture->player));
  g_assert_cmpuint (count_requests (fixture, held), ==, 1);
}

/* A file that arrives while the feed is fetched for another URL is played from then on. */
static void
test_downloaded (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "continuous", FALSE, "remove-played", FALSE, NULL);
  put_new_feed (fixture);
  refuse_old (fixture, "403");
  ear_test_server_put_way (fixture->server, "/feed.xml", "/~hold/feed.xml");
  ear_test_server_clear_log (fixture->server);
  start (fixture);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, "/feed.xml") > 0);
  ear_test_server_put_way (fixture->server, "/first.wav", "/first.wav");
  ear_downloader_download (fixture->parts->downloader, fixture->first);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ear_test_server_set_holding (fixture->server, FALSE);
  EAR_TEST_WAIT_UNTIL (
      g_str_has_suffix (ear_episode_get_enclosure (fixture->first)->address, "/new.wav"));
  ear_test_spin (200);

  ear_player_seek (fixture->player, PLAYING_LENGTH - SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpuint (count_requests (fixture, "/new.wav"), ==, 0);
}

static void
test_raw_redirect (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/first.wav", RAW_REDIRECT);
  ear_test_server_put_way (fixture->server, RAW_PATH, "/~slow=40000/second.wav");
  playing_fixture_play (fixture, fixture->first, 12 * SECOND);
  ASSERT_POSITION (fixture, 12 * SECOND);
  g_assert_null (ear_player_get_error (fixture->player));

  g_autoptr (GPtrArray) requests = ear_test_server_dup_requests (fixture->server);
  /* Reopening at another position does not request the redirect again. */
  ear_test_server_clear_log (fixture->server);
  ear_player_seek (fixture->player, 25 * SECOND);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, RAW_PATH) > 0);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpuint (count_requests (fixture, "/first.wav"), ==, 0);

  /* The server never receives the URL as damaged by UTF-8 conversion. */
  for (guint i = 0; i < requests->len; i++)
    g_assert_null (strstr (((EarTestRequest *) requests->pdata[i])->path, "%EF%BF%BD"));

  /* The episode keeps the URL from its feed, which was not fetched. */
  g_assert_true (
      g_str_has_suffix (ear_episode_get_enclosure (fixture->first)->address, "/first.wav"));
  g_assert_cmpuint (count_requests (fixture, "/feed.xml"), ==, 0);
}

/* The redirect ends at another server, which must not receive the first one's password. */
static void
test_raw_redirect_login (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);

  ear_keyring_try (fixture->parts->keyring,
                   ear_podcast_get_address (ear_episode_get_podcast (fixture->first)),
                   ear_episode_get_enclosure (fixture->first)->address, login);
  ear_test_server_put_way (fixture->server, "/first.wav",
                           "/~status=401/~redirect=302,2" RAW_REDIRECT);
  ear_test_server_put_way (fixture->server, RAW_PATH, "/second.wav");
  playing_fixture_play (fixture, fixture->first, 12 * SECOND);
  ASSERT_POSITION (fixture, 12 * SECOND);
  g_assert_cmpuint (count_requests (fixture, RAW_PATH), >, 0);
  g_autoptr (GPtrArray) requests = ear_test_server_dup_requests (fixture->server);
  for (guint i = 0; i < requests->len; i++)
    {
      EarTestRequest *request = requests->pdata[i];

      if (g_str_equal (request->host, "127.0.0.2"))
        g_assert_null (ear_test_request_get_header (request, "authorization"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, func)                                                                      \
  g_test_add ("/renewal" path, Fixture, data, playing_fixture_set_up, func, tear_down)
  ADD ("/forbidden", "403", test_begin);
  ADD ("/gone", "410", test_begin);
  ADD ("/not-found", "404", test_begin);
  ADD ("/later", NULL, test_later);
  ADD ("/in-vain", NULL, test_in_vain);
  ADD ("/left", "/feed.xml", test_left);
  ADD ("/downloaded", NULL, test_downloaded);
  ADD ("/raw-redirect", NULL, test_raw_redirect);
  ADD ("/raw-redirect/login", NULL, test_raw_redirect_login);
  ADD ("/raw-redirect/left", RAW_PATH, test_left);

  return g_test_run ();
}
