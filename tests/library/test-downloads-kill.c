/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "downloads-fixture.h"

/* 200 files from a server that shows every fault in turn, downloaded by a child that is killed
 * again and again at random moments, sometimes finds the disk full, and moves, pauses and resumes
 * waiting downloads. In the end each file matches the server's, byte by byte, once, and nothing
 * else is left. */

#define N_EPISODES 200
#define KILLS 24
#define FULL_DISK (48 * 1024)

/* Faults of the server, until it works again; %u is a number of bytes within the file */
static const char *const faults[] = {
  "",
  "/~times=2/~cut=%u",
  "/~times=3/~slow=400000/~cut=%u",
  "/~times=2/~wronglength=1000",
  "/~times=1/~wronglength=40000/~cut=%u",
  "/~times=2/~norange/~cut=%u",
  "/~times=2/~nolength/~cut=%u",
  "/~times=1/~cut=%u/~times=3/~wrongrange=700",
  "/~wrongrange=9000/~times=2/~cut=%u",
  "/~times=2/~noetag/~cut=%u",
  "/~noetag/~nodate/~times=1/~cut=%u",
  "/~times=2/~gzip/~cut=%u",
  "/~500then=2",
  "/~times=2/~drop",
  "/~times=1/~status=404",
  "/~times=1/~status=503",
  "/~times=1/~html",
  "/~redirect=302/~times=2/~cut=%u",
  "/~redirect=307,2/~times=1/~cut=%u",
  "/~header=Connection:close/~times=2/~cut=%u",
  "/~slow=300000",
  "/~delay=50/~times=1/~cut=%u",
};

static gsize
get_size (guint i)
{
  return 1000 + (i * 7919) % 180000;
}

/* Serves the episodes from three hosts, so that two downloads run at a time. */
static void
put_podcast (Fixture *fixture)
{
  g_autoptr (GString) items = g_string_new (NULL);

  for (guint i = 0; i < N_EPISODES; i++)
    {
      /* Some faults cut each file at a different point in its middle. */
      g_autofree char *middle = g_strdup_printf ("%u", (guint) (get_size (i) * (1 + i % 7) / 9));
      g_autofree char *path = g_strdup_printf ("/%u.mp3", i);
      g_autoptr (GString) where = g_string_new (faults[i % G_N_ELEMENTS (faults)]);
      g_autoptr (GBytes) sound = make_sound (i, get_size (i));

      g_string_replace (where, "%u", middle, 0);
      g_string_append (where, path);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1 + i % 3, where->str);
      /* Each title is used twice. */
      g_string_append_printf (items,
                              "<item><guid>%u</guid><title>Round %u</title>"
                              "<enclosure url=\"%s\" type=\"audio/mpeg\" length=\"1\"/></item>",
                              i, i / 2, address);
      ear_test_server_put_bytes (fixture->server, path, "audio/mpeg", sound);
    }
  put_format (fixture, "/feed.xml", RSS ("Torture", "%s"), items->str);
}

static EarEpisode *
dup_episode (EarLibrary *library, guint i)
{
  g_autofree char *guid = g_strdup_printf ("%u", i);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (library->services.podcasts, 0);

  return ear_catalogue_dup_episode_by_guid (library->services.catalogue, podcast, guid);
}

/* Requests all missing episodes, also repeatedly. */
static void
request_all (EarLibrary *library)
{
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (library, i);

      if (episode != NULL && !ear_episode_has_download (episode))
        ear_downloader_download (ear_library_get_downloader (library), episode);
    }
}

/* Random actions of a listener */
static gboolean
meddle_cb (gpointer library)
{
  EarDownloader *downloader = ear_library_get_downloader (library);
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();

  if (g_list_model_get_n_items (ear_library_get_podcasts (library)) == 0)
    return G_SOURCE_CONTINUE;
  g_autoptr (EarEpisode) episode = dup_episode (library, g_random_int () % N_EPISODES);
  g_autoptr (EarEpisode) other = dup_episode (library, g_random_int () % N_EPISODES);
  switch (g_random_int_range (0, 6))
    {
    case 0:
      ear_downloader_pause (downloader, episode);
      break;
    case 1:
      g_ptr_array_add (moved, episode);
      ear_downloader_move (downloader, moved, other);
      break;
    case 2:
      ear_downloader_remove (downloader, episode);
      break;
    case 3:
      ear_downloader_pause_all (downloader);
      ear_downloader_resume_all (downloader);
      break;
    default:
      ear_downloader_resume_all (downloader);
    }
  request_all (library);

  return G_SOURCE_CONTINUE;
}

/* @disk: "full", or "free" */
static int
run_child (const char *data, const char *cache, const char *disk)
{
  const struct rlimit limit = { FULL_DISK, FULL_DISK };
  EarLibrary *library = ear_library_new (data, cache);

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (!ear_library_open (library, NULL))
    return 1;
  if (g_str_equal (disk, "full"))
    {
      /* Writing beyond this size fails like a full disk, for downloads and records alike. */
      signal (SIGXFSZ, SIG_IGN);
      setrlimit (RLIMIT_FSIZE, &limit);
    }
  ear_library_get_downloader (library)->pause_scale = 0.002;
  g_timeout_add (20, meddle_cb, library);
  ear_library_start (library, NULL, FALSE);
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

/* libsoup's server (3.6) warns about a client that disconnected before it was handled. */
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  return strstr (message, "could not get remote address") == NULL;
}

static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if (is_fatal (domain, level, message, NULL))
    g_log_default_handler (domain, level, message, NULL);
}

static void
test_torture (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->data, "downloads", "Torture", NULL);
  g_autofree char *records = g_build_filename (fixture->data, "downloads", ".earmark", NULL);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_test_log_set_fatal_handler (is_fatal, NULL);
  g_log_set_handler ("libsoup", G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
                     log_cb, NULL);
  put_podcast (fixture);
  follow_served (fixture);
  close_library (fixture);
  for (guint i = 0; i < KILLS; i++)
    {
      const guint time = (guint) g_test_rand_int_range (60, 600);
      g_autoptr (GSubprocess) child =
        g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, self, "--child", fixture->data,
                          fixture->cache, i % 4 == 1 ? "full" : "free", NULL);

      ear_test_spin (time / 2);
      /* To its clients the server seems to restart. */
      ear_test_server_close_connections (fixture->server);
      ear_test_spin (time / 2);
      g_subprocess_send_signal (child, SIGKILL);
      g_subprocess_wait (child, NULL, NULL);
      g_assert_true (g_subprocess_get_if_signaled (child));
    }

  open_and_wait (fixture, NULL);
  wait_until_loaded (fixture);
  g_test_message ("%u of %u are there after %u kills",
                  ear_test_get_uint (get_downloader (fixture), "n-done"), N_EPISODES, KILLS);
  get_downloader (fixture)->pause_scale = 0.002;
  ear_downloader_resume_all (get_downloader (fixture));
  /* Longer than other tests wait, for 200 files */
  gint64 began = g_get_monotonic_time ();
  while (ear_test_get_uint (get_downloader (fixture), "n-done") < N_EPISODES &&
         g_get_monotonic_time () - began < 80 * G_USEC_PER_SEC)
    {
      request_all (fixture->library);
      ear_test_spin (100);
    }
  g_assert_cmpuint (ear_test_get_uint (get_downloader (fixture), "n-done"), ==, N_EPISODES);

  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture->library, i);
      g_autoptr (GBytes) sound = make_sound (i, get_size (i));
      char *path = ear_downloader_dup_file (get_downloader (fixture), episode);

      g_test_message ("%u: %s, %s", i, faults[i % G_N_ELEMENTS (faults)], path);
      assert_same_bytes (path, sound);
      g_assert_true (g_hash_table_add (files, path));
    }
  close_library (fixture);
  g_assert_cmpuint (count_files (folder, NULL), ==, N_EPISODES);
  g_assert_cmpuint (count_files (records, ".json"), ==, N_EPISODES);
  g_assert_cmpuint (count_files (records, ".part"), ==, 0);
}

int
main (int argc, char *argv[])
{
  if (argc == 5 && g_str_equal (argv[1], "--child"))
    return run_child (argv[2], argv[3], argv[4]);

  g_test_init (&argc, &argv, NULL);
  g_test_add ("/downloads-kill/torture", Fixture, NULL, set_up, test_torture, tear_down);

  return g_test_run ();
}
