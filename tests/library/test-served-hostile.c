/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

/* Behaviors of the hostile server that lies beside the repository, one after the other:
 * the result of a check, and that no earlier data is lost. Skipped where that server is
 * missing. */

#define GOOD -1

/* One check each: the responses, and their result */
static const struct
{
  int error; /* EarError or GOOD */
  guint n_episodes;
  const char *paths[12];
} behaviours[] = {
  { GOOD,
    1,
    { "/h/redirect-chain/5", "/h/redirect-301", "/h/redirect-302", "/h/redirect-307",
      "/h/redirect-308", "/h/redirect-relative", "/h/gzip", "/h/deflate", "/h/ua",
      "/f/guid-duplicate-identical" } },
  { GOOD, 1, { "/h/ct-html", "/h/ct-none", "/h/ct-octet", "/h/ct-latin1" } },
  { GOOD, 2, { "/f/guid-missing" } },
  { EAR_ERROR_REDIRECTS, 0, { "/h/redirect-loop", "/h/redirect-chain/30" } },
  { EAR_ERROR_UNSAFE_ADDRESS, 0, { "/h/redirect-file", "/h/redirect-data" } },
  { EAR_ERROR_SERVER, 0, { "/h/redirect-empty", "/h/etag-304-first", "/h/500" } },
  { EAR_ERROR_TOO_LARGE, 0, { "/h/gzip-bomb" } },
  { EAR_ERROR_NOT_XML, 0, { "/h/gzip-nested", "/f/json-feed.json", "/f/png-as-feed.png" } },
  { EAR_ERROR_TIMED_OUT, 0, { "/h/stall", "/h/never", "/h/slow" } },
  { EAR_ERROR_UNREACHABLE, 0, { "/h/infinite-headers" } },
  { EAR_ERROR_NOT_FOUND, 0, { "/h/404" } },
  { EAR_ERROR_GONE, 0, { "/h/410" } },
  { EAR_ERROR_FORBIDDEN, 0, { "/h/403" } },
  { EAR_ERROR_UNAUTHORIZED, 0, { "/h/401" } },
  { EAR_ERROR_WEB_PAGE, 0, { "/f/html-captive-portal.html" } },
  { EAR_ERROR_BUSY, 0, { "/h/503-retry", "/h/429-retry" } },
};

static GSubprocess *process; /* NULL while there is no such server */
static guint port;

static gboolean
answers (void)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection =
      g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) port, NULL, NULL);

  return connection != NULL;
}

static void
start_hostile (void)
{
  g_autofree char *program =
      g_build_filename (g_getenv ("EARMARK_SHARED"), "corpus", "hostile", "hostile.py", NULL);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GError) error = NULL;

  if (!g_file_test (program, G_FILE_TEST_EXISTS))
    return;
  port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *argument = g_strdup_printf ("%u", port);
  g_socket_listener_close (listener);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              &error, "python3", program, "serve", argument, NULL);
  g_assert_no_error (error);
  EAR_TEST_WAIT_UNTIL (answers ());
}

/* Follows and refreshes a podcast of the hostile server. */
static EarPodcast *
fetch_hostile (Fixture *fixture, const char *path)
{
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u%s", port, path);
  gboolean is_silent = g_str_equal (path, "/h/stall") || g_str_equal (path, "/h/never") ||
                       g_str_equal (path, "/h/slow");
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);

  /* Only these never answer, or send byte by byte; others get time for a slow machine. */
  ear_http_get_timeouts (fixture->services.http)->idle = is_silent ? 1500 : 60000;
  refresh (fixture, podcast);
  g_test_message ("%s: %u episodes", path, ear_podcast_get_n_episodes (podcast));

  return podcast;
}

static void
test_once (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (behaviours); i++)
    for (guint j = 0; behaviours[i].paths[j] != NULL; j++)
      {
        EarPodcast *podcast = fetch_hostile (fixture, behaviours[i].paths[j]);

        if (behaviours[i].error == GOOD)
          g_assert_no_error (ear_podcast_get_error (podcast));
        else
          assert_failed (podcast, behaviours[i].error);
        g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, behaviours[i].n_episodes);
      }
}

static const struct
{
  const char *path;
  guint n_episodes[4]; /* after each check; a check may fail in between */
} series[] = {
  { "/h/etag", { 1, 1, 1, 1 } },
  { "/h/etag-new-each-time", { 1, 1, 1, 1 } },
  /* New guids at each check, with the same enclosures */
  { "/h/guid-churn", { 5, 5, 5, 5 } },
  { "/h/grow", { 1, 2, 3, 4 } },
  { "/h/flap", { 5, 5, 5, 5 } },
  { "/h/empty-then-full", { 0, 5, 5, 5 } },
};

static void
test_series (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (series); i++)
    {
      EarPodcast *podcast = fetch_hostile (fixture, series[i].path);

      for (guint j = 0; j < G_N_ELEMENTS (series[i].n_episodes); j++)
        {
          g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, series[i].n_episodes[j]);
          fixture->now += 7 * 86400;
          refresh (fixture, podcast);
        }
    }
}

/* Responses cut in different ways: complete episodes are stored, and no others. */
static void
test_cut (Fixture *fixture, gconstpointer data)
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

  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      EarPodcast *podcast = fetch_hostile (fixture, cuts[i].path);
      g_autoptr (EarFeedCheck) check = dup_check (fixture, podcast);

      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), >=, cuts[i].least);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), <=, cuts[i].most);
      if (!cuts[i].cut_off)
        continue;
      assert_failed (podcast, EAR_ERROR_INCOMPLETE);
      g_assert_null (check->etag);
      g_assert_null (check->last_modified);
    }
}

static void
test_skipped (void)
{
  g_test_skip ("the hostile server is not there");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  start_hostile ();
  if (process == NULL)
    g_test_add_func ("/served-hostile/skipped", test_skipped);
  else
    {
      ADD_TEST ("/served-hostile/once", test_once);
      ADD_TEST ("/served-hostile/cut", test_cut);
      ADD_TEST ("/served-hostile/series", test_series);
    }
  int status = g_test_run ();
  if (process != NULL)
    g_subprocess_force_exit (process);
  g_clear_object (&process);

  return status;
}
