/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <sys/prctl.h>

#include "downloads-fixture.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* A child downloads, and is killed again and again at random moments. The result has to
 * match the server's files, byte by byte, once each; data from before a kill must not be
 * fetched again. */

#define KILLS 30
#define N_EPISODES 4
#define SOUND_SIZE (600 * 1024)
#define WAY "/~slow=4000000"

static void
put_podcast (Fixture *fixture)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Rounds</title>");

  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u.mp3", i);
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);

      g_string_append_printf (feed, "<item><guid>%u</guid><title>Round %u</title>"
                              "<enclosure url=\"" WAY "%s\" type=\"audio/mpeg\" length=\"1\"/></item>", i, i, path);
      ear_test_server_put_bytes (fixture->server, path, "audio/mpeg", sound);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

/* --- The child ---------------------------------------------------------------------- */

static void
download_all (EarLibrary *library)
{
  EarPodcast *podcast = g_list_model_get_item (ear_library_get_podcasts (library), 0);

  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autofree char *guid = g_strdup_printf ("%u", i);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (library->services.catalogue, podcast, guid);

      if (episode != NULL && ear_episode_get_download (episode) == EAR_DOWNLOAD_NONE)
        ear_downloader_download (ear_library_get_downloader (library), episode);
    }
  g_object_unref (podcast);
}

/* @removes: whether to remove the downloads, and not to download any */
static int
run_child (const char *data, const char *cache, gboolean removes)
{
  EarLibrary *library = ear_library_new (data, cache);

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (!ear_library_open (library, NULL))
    return 1;
  ear_library_start (library, NULL);
  for (;;)
    {
      if (removes)
        ear_downloader_remove_all (ear_library_get_downloader (library));
      else if (g_list_model_get_n_items (ear_library_get_podcasts (library)) > 0)
        download_all (library);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* --- The parent --------------------------------------------------------------------- */

static guint
count_marked (const char *records)
{
  g_autoptr (GDir) dir = g_dir_open (records, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (records, name, NULL);
      g_autofree char *text = NULL;

      n += g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "\"removed\"") != NULL;
    }

  return n;
}

/* @marked: (nullable): a folder of records to wait for, which all are marked as removed */
static void
kill_child (Fixture *fixture, guint milliseconds, const char *marked)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GSubprocess) child =
      g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, self, marked != NULL ? "--remove" : "--child", fixture->data,
                        fixture->cache, NULL);

  g_assert_no_error (error);
  ear_test_spin (milliseconds);
  if (marked != NULL)
    EAR_TEST_WAIT_UNTIL (count_marked (marked) == N_EPISODES);
  g_subprocess_send_signal (child, SIGKILL);
  g_subprocess_wait (child, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (child));
}

/* Rows are not enough: they are known before the files on the disk are. */
static gboolean
are_done (EarLibrary *library, EarEpisodeList *list)
{
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_autofree char *path = episode != NULL ? ear_downloader_dup_file (ear_library_get_downloader (library), episode) : NULL;

      if (path == NULL)
        return FALSE;
    }

  return TRUE;
}

static void
assert_sound (EarLibrary *library, EarEpisode *episode)
{
  g_autofree char *path = ear_downloader_dup_file (ear_library_get_downloader (library), episode);
  g_autoptr (GBytes) sound = make_sound ((guint) g_ascii_strtoull (ear_episode_get_guid (episode), NULL, 10), SOUND_SIZE);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_nonnull (path);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (sound, NULL), g_bytes_get_size (sound));
}

static guint
count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;
  g_autofree char *folder = g_build_filename (fixture->data, "downloads", "Rounds", NULL);
  g_autofree char *records = g_build_filename (fixture->data, "downloads", ".earmark", NULL);
  guint n_requests;

  put_podcast (fixture);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  library_fixture_close (&fixture->library);

  for (guint i = 0; i < KILLS; i++)
    kill_child (fixture, (guint) g_test_rand_int_range (20, 200), NULL);

  open_and_wait (fixture, NULL);
  list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (list)) == N_EPISODES);
  download_all (fixture->library);
  EAR_TEST_WAIT_UNTIL (are_done (fixture->library, list));
  for (guint i = 0; i < N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

      assert_sound (fixture->library, episode);
    }
  g_assert_cmpuint (count_files (folder), ==, N_EPISODES);

  n_requests = ear_test_server_count_requests (fixture->server, NULL);
  g_test_message ("%u kills, %u requests", KILLS, n_requests);
  library_fixture_close (&fixture->library);

  /* Removed downloads stay removed, although their files were still there for Undo. */
  kill_child (fixture, 0, records);
  g_assert_cmpuint (count_files (folder), ==, N_EPISODES);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)));
  EAR_TEST_WAIT_UNTIL (!g_file_test (folder, G_FILE_TEST_EXISTS) && count_files (records) == 0);
}

int
main (int argc, char *argv[])
{
  if (argc == 4 && (g_str_equal (argv[1], "--child") || g_str_equal (argv[1], "--remove")))
    return run_child (argv[2], argv[3], g_str_equal (argv[1], "--remove"));

  g_test_init (&argc, &argv, NULL);
  g_test_add ("/downloads-kill/kill", Fixture, NULL, set_up, test_kill, tear_down);

  return g_test_run ();
}
