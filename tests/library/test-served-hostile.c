/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

/* Behaviors of the hostile server that lies beside the repository, one after the other:
 * the result of a check, and that no earlier data is lost. Skipped where that server is
 * missing. */

#define GOOD -1

typedef struct
{
  const char *path;
  int error; /* EarError or GOOD */
  guint n_episodes;
} Behaviour;

/* One check each */
static const Behaviour behaviours[] = {
  { "/h/redirect-loop", EAR_ERROR_REDIRECTS, 0 },
  { "/h/redirect-chain/30", EAR_ERROR_REDIRECTS, 0 },
  { "/h/redirect-chain/5", GOOD, 1 },
  { "/h/redirect-301", GOOD, 1 },
  { "/h/redirect-302", GOOD, 1 },
  { "/h/redirect-307", GOOD, 1 },
  { "/h/redirect-308", GOOD, 1 },
  { "/h/redirect-file", EAR_ERROR_UNSAFE_ADDRESS, 0 },
  { "/h/redirect-data", EAR_ERROR_UNSAFE_ADDRESS, 0 },
  { "/h/redirect-empty", EAR_ERROR_SERVER, 0 },
  { "/h/redirect-relative", GOOD, 1 },
  { "/h/gzip", GOOD, 1 },
  { "/h/gzip-bomb", EAR_ERROR_TOO_LARGE, 0 },
  { "/h/gzip-nested", EAR_ERROR_NOT_XML, 0 },
  { "/h/deflate", GOOD, 1 },
  { "/h/stall", EAR_ERROR_TIMED_OUT, 0 },
  { "/h/never", EAR_ERROR_TIMED_OUT, 0 },
  { "/h/slow", EAR_ERROR_TIMED_OUT, 0 },
  { "/h/infinite-headers", EAR_ERROR_UNREACHABLE, 0 },
  { "/h/ct-html", GOOD, 1 },
  { "/h/ct-none", GOOD, 1 },
  { "/h/ct-octet", GOOD, 1 },
  { "/h/ct-latin1", GOOD, 1 },
  { "/h/etag-304-first", EAR_ERROR_SERVER, 0 },
  { "/h/404", EAR_ERROR_NOT_FOUND, 0 },
  { "/h/410", EAR_ERROR_GONE, 0 },
  { "/h/403", EAR_ERROR_FORBIDDEN, 0 },
  { "/h/500", EAR_ERROR_SERVER, 0 },
  { "/h/401", EAR_ERROR_UNAUTHORIZED, 0 },
  { "/h/ua", GOOD, 1 },
  { "/f/html-captive-portal.html", EAR_ERROR_WEB_PAGE, 0 },
  { "/f/json-feed.json", EAR_ERROR_NOT_XML, 0 },
  { "/f/png-as-feed.png", EAR_ERROR_NOT_XML, 0 },
  { "/f/guid-duplicate-identical", GOOD, 1 },
  { "/f/guid-missing", GOOD, 2 },
  { "/h/503-retry", EAR_ERROR_BUSY, 0 },
  { "/h/429-retry", EAR_ERROR_BUSY, 0 },
};

typedef struct
{
  GSubprocess *process;
  guint port;
} Hostile;

static Hostile hostile;

static gboolean
answers (gpointer data)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) hostile.port, NULL, NULL);

  return connection != NULL;
}

static gboolean
start_hostile (void)
{
  g_autofree char *program = g_build_filename (g_getenv ("EARMARK_SHARED"), "corpus", "hostile", "hostile.py", NULL);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autofree char *port = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return FALSE;
  hostile.port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  port = g_strdup_printf ("%u", hostile.port);
  g_socket_listener_close (listener);
  hostile.process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, "python3", program,
                                      "serve", port, NULL);
  g_assert_no_error (error);
  g_assert_true (refresher_fixture_wait_for (answers, NULL));

  return TRUE;
}

static EarPodcast *
follow (RefresherFixture *fixture, const char *path)
{
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u%s", hostile.port, path);
  gboolean is_silent = g_str_equal (path, "/h/stall") || g_str_equal (path, "/h/never") || g_str_equal (path, "/h/slow");

  /* Only these never answer, or send byte by byte; others get time for a slow machine. */
  ear_http_get_timeouts (fixture->http)->idle = is_silent ? 1500 : 60000;

  return ear_catalogue_follow (fixture->catalogue, address, NULL);
}

static void
test_once (RefresherFixture *fixture, gconstpointer data)
{
  if (hostile.process == NULL)
    {
      g_test_skip ("the hostile server is not there");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (behaviours); i++)
    {
      EarPodcast *podcast = follow (fixture, behaviours[i].path);
      const GError *error;

      refresher_fixture_refresh (fixture, podcast);
      error = ear_podcast_get_error (podcast);
      g_test_message ("%s: %s, %u episodes", behaviours[i].path, error != NULL ? error->message : "good", ear_podcast_get_n_episodes (podcast));
      if ((error == NULL) != (behaviours[i].error == GOOD) || (error != NULL && !g_error_matches (error, EAR_ERROR, behaviours[i].error)) ||
          ear_podcast_get_n_episodes (podcast) != behaviours[i].n_episodes)
        g_test_fail ();
    }
}

/* Number of episodes after each of four checks; a check may fail in between */
static void
check_series (RefresherFixture *fixture, const char *path, const guint expected[4])
{
  EarPodcast *podcast;

  if (hostile.process == NULL)
    {
      g_test_skip ("the hostile server is not there");
      return;
    }
  podcast = follow (fixture, path);
  for (guint i = 0; i < 4; i++)
    {
      refresher_fixture_refresh (fixture, podcast);
      g_test_message ("%s: %u episodes", path, ear_podcast_get_n_episodes (podcast));
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, expected[i]);
      fixture->now += 7 * 86400;
    }
}

static void
test_etag (RefresherFixture *fixture, gconstpointer data)
{
  check_series (fixture, "/h/etag", (const guint[]) { 1, 1, 1, 1 });
  check_series (fixture, "/h/etag-new-each-time", (const guint[]) { 1, 1, 1, 1 });
}

/* New guids at each check, with the same enclosures */
static void
test_guid_churn (RefresherFixture *fixture, gconstpointer data)
{
  check_series (fixture, "/h/guid-churn", (const guint[]) { 5, 5, 5, 5 });
}

static void
test_grow (RefresherFixture *fixture, gconstpointer data)
{
  check_series (fixture, "/h/grow", (const guint[]) { 1, 2, 3, 4 });
}

static void
test_flap (RefresherFixture *fixture, gconstpointer data)
{
  check_series (fixture, "/h/flap", (const guint[]) { 5, 5, 5, 5 });
}

static void
test_empty_then_full (RefresherFixture *fixture, gconstpointer data)
{
  check_series (fixture, "/h/empty-then-full", (const guint[]) { 0, 5, 5, 5 });
}

/* Responses cut in different ways: complete episodes are stored, and no others. */
static void
test_cut (RefresherFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    guint least, most;
    gboolean cut_off; /* the cut is detected */
  } cuts[] = {
    { "/h/reset", 0, 0, FALSE },
    { "/h/chunked-cut", 0, 0, FALSE },
    { "/h/gzip-truncated", 100, 2000, TRUE },
    { "/h/gzip-lie", 0, 1, FALSE },
    { "/h/short", 1, 1, TRUE },
    { "/h/long", 0, 1, FALSE },
  };

  if (hostile.process == NULL)
    {
      g_test_skip ("the hostile server is not there");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      EarPodcast *podcast = follow (fixture, cuts[i].path);

      refresher_fixture_refresh (fixture, podcast);
      g_test_message ("%s: %u episodes", cuts[i].path, ear_podcast_get_n_episodes (podcast));
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), >=, cuts[i].least);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), <=, cuts[i].most);
      if (!cuts[i].cut_off)
        continue;
      g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_INCOMPLETE);
      g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
      g_assert_null (check->etag);
      g_assert_null (check->last_modified);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  start_hostile ();
  ADD_REFRESHER_TEST ("/served-hostile/once", test_once);
  ADD_REFRESHER_TEST ("/served-hostile/etag", test_etag);
  ADD_REFRESHER_TEST ("/served-hostile/guid-churn", test_guid_churn);
  ADD_REFRESHER_TEST ("/served-hostile/grow", test_grow);
  ADD_REFRESHER_TEST ("/served-hostile/flap", test_flap);
  ADD_REFRESHER_TEST ("/served-hostile/empty-then-full", test_empty_then_full);
  ADD_REFRESHER_TEST ("/served-hostile/cut", test_cut);
  status = g_test_run ();
  if (hostile.process != NULL)
    {
      g_subprocess_force_exit (hostile.process);
      g_clear_object (&hostile.process);
    }

  return status;
}
