/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Network errors, and how playback continues. */

#include "player-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  const char *path;
  EarError code;
} Failure;

static const Failure failures[] = {
  { "/~status=404/minute.cbr.mp3", EAR_ERROR_NOT_FOUND },
  { "/~status=410/minute.cbr.mp3", EAR_ERROR_GONE },
  { "/~status=401/minute.cbr.mp3", EAR_ERROR_UNAUTHORIZED },
  { "/~status=403/minute.cbr.mp3", EAR_ERROR_FORBIDDEN },
  { "/~status=429/minute.cbr.mp3", EAR_ERROR_BUSY },
  { "/~status=503/minute.cbr.mp3", EAR_ERROR_BUSY },
  { "/~status=500/minute.cbr.mp3", EAR_ERROR_SERVER },
  { "/~status=418/minute.cbr.mp3", EAR_ERROR_SERVER },
  { "/~loop/minute.cbr.mp3", EAR_ERROR_REDIRECTS },
  { "/~loop=self/minute.cbr.mp3", EAR_ERROR_REDIRECTS },
  { "/~drop/minute.cbr.mp3", EAR_ERROR_UNREACHABLE },
  { "/~mute/minute.cbr.mp3", EAR_ERROR_TIMED_OUT },
  { "/~redirect=302,tls/minute.cbr.mp3", EAR_ERROR_CERTIFICATE },
  { "/~redirect=302/~status=404/minute.cbr.mp3", EAR_ERROR_NOT_FOUND },
  { "/~header=Location:file%3A%2F%2F%2Fetc%2Fhostname/~status=302/minute.cbr.mp3", EAR_ERROR_UNSAFE_ADDRESS },
  { "/~html/minute.cbr.mp3", EAR_ERROR_WEB_PAGE },
  /* No service uses port 1 of this computer. */
  { "http://127.0.0.1:1/minute.mp3", EAR_ERROR_UNREACHABLE },
  { "https://127.0.0.1:1/minute.mp3", EAR_ERROR_UNREACHABLE },
  { "http://nobody.invalid/minute.mp3", EAR_ERROR_OFFLINE },
};

/* libsoup's server fails if it is stopped while a handshake fails. */
static void
let_server_recover (EarError code)
{
  if (code == EAR_ERROR_CERTIFICATE)
    player_fixture_wait (150);
}

static void
test_failure (PlayerFixture *fixture, gconstpointer data)
{
  const Failure *failure = data;

  player_fixture_expect (fixture, failure->path, failure->code);
  g_assert_cmpstr (fixture->states->str, ==, "DLF");
  /* The URL may contain a secret. */
  g_assert_null (strstr (ear_player_get_error (fixture->player)->message, "minute"));
  let_server_recover (failure->code);
}

static void
test_certificate (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *address = g_strconcat (ear_test_server_get_tls_url (fixture->server), "/minute.cbr.mp3", NULL);

  player_fixture_expect (fixture, address, EAR_ERROR_CERTIFICATE);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/minute.cbr.mp3"), ==, 0);
  let_server_recover (EAR_ERROR_CERTIFICATE);
}

static const char *
last_header (PlayerFixture *fixture, const char *path, const char *name)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, path);

  g_assert_nonnull (request);

  return g_intern_string (ear_test_request_get_header (request, name));
}

static void
play_there (PlayerFixture *fixture, double expected)
{
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), expected);
}

/* If its user agent is rejected, the player asks again as a browser, for
 * the same position. */
static void
test_agent (PlayerFixture *fixture, gconstpointer data)
{
  const char *path = "/~403agent=earmark/minute.cbr.mp3";

  player_fixture_open (fixture, "/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpstr (last_header (fixture, "/minute.cbr.mp3", "User-Agent"), ==, "Earmark/test");
  ear_player_stop (fixture->player);

  player_fixture_open (fixture, path, 20);
  play_there (fixture, 20);
  g_assert_nonnull (strstr (last_header (fixture, path, "User-Agent"), "Mozilla"));
  g_assert_cmpuint (fixture->lowest, >=, 0);
}

static void
test_credentials (PlayerFixture *fixture, gconstpointer data)
{
  const char *path = "/~status=401/minute.opus";

  player_fixture_open (fixture, path, 10);
  ear_player_set_credentials (fixture->player, "listener", "wrong");
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_WRONG_LOGIN);

  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  play_there (fixture, 10);

  /* Credentials belong to one episode, and not to the next one. */
  player_fixture_open (fixture, path, 10);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
}

static void
test_credentials_late (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/~status=401/minute.opus", 10);
  ear_player_play (fixture->player);
  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  play_there (fixture, 10);
}

/* The password goes only to its server, wherever that redirects. */
static void
test_credentials_elsewhere (PlayerFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) requests = NULL;

  player_fixture_open (fixture, "/~redirect=302/~status=401/minute.opus", 10);
  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  play_there (fixture, 10);
  ear_player_stop (fixture->player);
  ear_test_server_clear_log (fixture->server);

  player_fixture_open (fixture, "/~redirect=302,2/~status=401/minute.opus", 10);
  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, >=, 2);
  for (guint i = 0; i < requests->len; i++)
    {
      const EarTestRequest *request = g_ptr_array_index (requests, i);

      if (!g_str_equal (request->host, "127.0.0.1"))
        g_assert_null (ear_test_request_get_header (request, "Authorization"));
    }

  /* Redirects in a loop end with an error. */
  player_fixture_open (fixture, "/~loop/minute.opus", 0);
  ear_player_set_credentials (fixture->player, EAR_TEST_USER, EAR_TEST_PASSWORD);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_REDIRECTS);
}

/* After a failure the next try starts at the same position. */
static void
test_retry (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/~times=1/~status=404/minute.m4a", 25);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 25 * G_USEC_PER_SEC);
  g_assert_false (ear_player_get_restored (fixture->player));

  play_there (fixture, 25);
  g_assert_null (ear_player_get_error (fixture->player));
  g_assert_true (ear_player_get_restored (fixture->player));
  g_assert_cmpstr (fixture->states->str, ==, "DLFLP");
}

/* A temporary server error is not noticed. */
static void
test_well_again (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_open (fixture, "/~500then=1/minute.cbr.mp3", 25);
  play_there (fixture, 25);
  g_assert_cmpstr (fixture->states->str, ==, "DLP");
}

/* A connection that breaks repeatedly is continued where it broke. */
static void
test_cut (PlayerFixture *fixture, gconstpointer data)
{
  player_fixture_hurry (fixture);
  player_fixture_open (fixture, data, 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (fixture->ended == 1 || ear_player_get_error (fixture->player) != NULL);
  g_assert_no_error ((GError *) ear_player_get_error (fixture->player));
  g_assert_cmpuint (ear_test_sound_get_heard (fixture->sound), >=, 59.5 * G_USEC_PER_SEC);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, data), >=, 3);
}

/* Half of a file sent as if complete is not an end, and playing again continues there. */
static void
test_half (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), data, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) half = NULL;
  g_autoptr (GBytes) whole = NULL;
  char *contents;
  gsize size;
  double reached;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  whole = g_bytes_new_take (contents, size);
  half = g_bytes_new_from_bytes (whole, 0, size / 2);
  ear_test_server_put_bytes (fixture->server, "/half", "audio/mpeg", half);

  player_fixture_hurry (fixture);
  player_fixture_open (fixture, "/half", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_INCOMPLETE);
  g_assert_cmpuint (fixture->ended, ==, 0);
  reached = player_fixture_position (fixture);
  PLAYER_ASSERT_NEAR (reached, 30, 3);

  ear_test_server_put_bytes (fixture->server, "/half", "audio/mpeg", whole);
  ear_test_sound_set_hurried (fixture->sound, FALSE);
  play_there (fixture, reached);
}

/* A file has no connection that could end early. */
static void
test_half_file (PlayerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), data, NULL);
  g_autofree char *copy = g_build_filename (g_get_user_runtime_dir (), "half.mp3", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  memset (contents + size / 2, 0, size - size / 2);
  g_file_set_contents (copy, contents, (gssize) size, &error);
  g_assert_no_error (error);

  player_fixture_hurry (fixture);
  ear_player_open (fixture->player, fixture->episode, copy, NULL, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_DAMAGED);
  g_assert_cmpuint (fixture->ended, ==, 0);
  PLAYER_ASSERT_NEAR (player_fixture_position (fixture), 30, 3);
  g_unlink (copy);
}

/* The server disappears during playback. */
static void
test_gone (PlayerFixture *fixture, gconstpointer data)
{
  double reached;

  player_fixture_open (fixture, "/~slow=20000/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
  ear_test_server_stop (fixture->server);
  player_fixture_await (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_UNREACHABLE);
  reached = player_fixture_position (fixture);
  g_assert_cmpfloat (reached, >, 0.3);
  g_assert_cmpuint (fixture->ended, ==, 0);
}

static int
get_buffering (EarPlayer *player)
{
  int buffering;

  g_object_get (player, "buffering", &buffering, NULL);

  return buffering;
}

/* The server disappears during playback and returns.
 * Returns: the position at which it was missed */
static double
miss_server (PlayerFixture *fixture, const char *path)
{
  g_autoptr (GUri) uri = g_uri_parse (ear_test_server_get_base_url (fixture->server), G_URI_FLAGS_NONE, NULL);
  g_autoptr (GError) error = NULL;
  double reached;

  player_fixture_open (fixture, path, 40);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 300);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  player_fixture_await (fixture, EAR_PLAYER_LOADING);
  /* The connection was dropped, and not only the data late. */
  PLAYER_WAIT_UNTIL (get_buffering (fixture->player) == 100);
  reached = player_fixture_position (fixture);
  g_assert_cmpfloat (reached, >, 40);

  fixture->server = ear_test_server_new ();
  ear_test_server_set_root (fixture->server, g_getenv ("EAR_CLIPS"));
  ear_test_server_set_port (fixture->server, (guint16) g_uri_get_port (uri));
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);

  return reached;
}

/* A server that returns soon causes only a pause. */
static void
test_back (PlayerFixture *fixture, gconstpointer data)
{
  const double reached = miss_server (fixture, "/~slow=20000/minute.cbr.mp3");

  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.2), reached);
  g_assert_cmpstr (fixture->states->str, ==, "DLPLP");
}

/* A listener who pauses and plays instead of waiting for the retry hears the episode
 * once, although the server takes longer to respond than the retry. */
static void
test_impatient (PlayerFixture *fixture, gconstpointer data)
{
  miss_server (fixture, "/~delay=1500/~slow=20000/minute.cbr.mp3");
  ear_player_pause (fixture->player);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpuint (ear_test_sound_get_sinks (fixture->sound), ==, 2);
  g_assert_cmpstr (fixture->states->str, ==, "DLPLDLP");
}

static void
buffering_cb (EarPlayer *player, GParamSpec *pspec, int *lowest)
{
  *lowest = MIN (*lowest, get_buffering (player));
}

/* Slow data makes the player wait and show that; a little sound may come before. */
static void
test_slow (PlayerFixture *fixture, gconstpointer data)
{
  int lowest = 100;

  g_signal_connect (fixture->player, "notify::buffering", G_CALLBACK (buffering_cb), &lowest);
  player_fixture_open (fixture, "/~slow=12000/minute.cbr.mp3", 0);
  ear_player_play (fixture->player);
  PLAYER_WAIT_UNTIL (lowest < 100);
  PLAYER_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING && get_buffering (fixture->player) == 100);
  g_signal_handlers_disconnect_by_func (fixture->player, buffering_cb, &lowest);
  player_fixture_fresh (fixture, 300);
  player_fixture_agree (fixture, 0.2);
}

/* Resuming in the middle does not fetch the data before it. */
static void
test_slow_resume (PlayerFixture *fixture, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();
  const char *range;
  guint64 first;

  player_fixture_open (fixture, data, 45);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_test_message ("after %.2f s", (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  range = last_header (fixture, data, "Range");
  g_assert_nonnull (range);
  g_test_message ("%s", range);
  first = g_ascii_strtoull (range + strlen ("bytes="), NULL, 10);
  g_assert_cmpuint (first, >, 100000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 6 * G_USEC_PER_SEC);
  player_fixture_fresh (fixture, 150);
  player_fixture_began_at (fixture, player_fixture_agree (fixture, 0.3), 45);
}

/* All sound outputs of this installation are disabled. */
static void
test_no_output (PlayerFixture *fixture, gconstpointer data)
{
  ear_player_set_sink (fixture->player, NULL, NULL);
  player_fixture_expect (fixture, "/minute.cbr.mp3", EAR_ERROR_SOUND_DEVICE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, data, func) \
  g_test_add ("/player/errors" path, PlayerFixture, data, player_fixture_set_up, func, player_fixture_tear_down)

  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/player/errors/failure/%" G_GSIZE_FORMAT, i + 1);

      g_test_add (path, PlayerFixture, &failures[i], player_fixture_set_up, test_failure, player_fixture_tear_down);
    }

  ADD ("/certificate", NULL, test_certificate);
  ADD ("/agent", NULL, test_agent);
  ADD ("/credentials", NULL, test_credentials);
  ADD ("/credentials-late", NULL, test_credentials_late);
  ADD ("/credentials-elsewhere", NULL, test_credentials_elsewhere);
  ADD ("/retry", NULL, test_retry);
  ADD ("/well-again", NULL, test_well_again);
  ADD ("/cut/mp3", "/~cut=150000/minute.cbr.mp3", test_cut);
  ADD ("/cut/m4a", "/~cut=150000/minute.m4a", test_cut);
  ADD ("/cut/close", "/~header=Connection:close/~cut=150000/minute.opus", test_cut);
  ADD ("/half/m4a", "minute.m4a", test_half);
  ADD ("/half/file", "minute.cbr.mp3", test_half_file);
  ADD ("/gone", NULL, test_gone);
  ADD ("/back", NULL, test_back);
  ADD ("/impatient", NULL, test_impatient);
  ADD ("/slow", NULL, test_slow);
  ADD ("/slow-resume/mp3", "/~slow=25000/minute.cbr.mp3", test_slow_resume);
  ADD ("/slow-resume/opus", "/~slow=60000/minute.opus", test_slow_resume);
  ADD ("/slow-resume/m4a", "/~slow=25000/minute.m4a", test_slow_resume);
  ADD ("/no-output", NULL, test_no_output);

  return g_test_run ();
}
