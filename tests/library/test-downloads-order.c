/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-download-record.h"
#include "ear-downloader-private.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* The order of waiting downloads, and paused ones */

#define N_EPISODES 6
#define SOUND_SIZE 300000

static void
put_sounds (Fixture *fixture, const char *way)
{
  for (guint i = 1; i <= N_EPISODES; i++)
    {
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
      g_autofree char *path = g_strdup_printf ("/audio/%u.mp3", i);
      g_autofree char *sound_path = g_strdup_printf ("/sound/%u.mp3", i);
      g_autofree char *behind = g_strconcat (way, sound_path, NULL);

      ear_test_server_put_bytes (fixture->server, sound_path, "audio/mpeg", sound);
      ear_test_server_put_way (fixture->server, path, behind);
    }
}

/* Opens a library that runs one download at a time. */
static void
open_in_order (Fixture *fixture)
{
  open_library (fixture, NULL);
  ear_library_get_downloader (fixture->library)->host_limit = 1;
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)));
}

/* Starts one slow download; the others wait in order. */
static void
begin (Fixture *fixture)
{
  put_sounds (fixture, "/~slow=30000");
  put_feed (fixture, 1, N_EPISODES);
  open_in_order (fixture);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  for (guint i = 1; i <= N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
    }
}

static EarEpisodeList *
list_downloads (Fixture *fixture)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_DOWNLOADS, EAR_SORT_NEWEST, NULL);

  return ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
}

static gboolean
shows (EarEpisodeList *list, const char *expected)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append (shown, strrchr (ear_episode_get_guid (episode), '-') + 1);
    }

  return g_str_equal (shown->str, expected);
}

static void
move (Fixture *fixture, const char *moved, guint before)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarEpisode) other = before > 0 ? dup_episode (fixture, before) : NULL;

  for (; *moved != '\0'; moved++)
    g_ptr_array_add (episodes, dup_episode (fixture, (guint) g_ascii_digit_value (*moved)));
  ear_downloader_move (ear_library_get_downloader (fixture->library), episodes, other);
}

/* Episodes in the order of the requests */
static char *
dup_requested (Fixture *fixture)
{
  g_autoptr (GPtrArray) log = ear_test_server_dup_requests (fixture->server);
  GString *requested = g_string_new (NULL);

  for (guint i = 0; i < log->len; i++)
    {
      const EarTestRequest *request = g_ptr_array_index (log, i);

      if (g_str_has_prefix (request->path, "/audio/"))
        g_string_append_c (requested, request->path[strlen ("/audio/")]);
    }

  return g_string_free_and_steal (requested);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *requested = NULL;

  begin (fixture);
  list = list_downloads (fixture);
  follow_undo (fixture, &undo);
  EAR_TEST_WAIT_UNTIL (shows (list, "123456"));
  move (fixture, "6", 2);
  EAR_TEST_WAIT_UNTIL (shows (list, "162345"));
  move (fixture, "23", 0);
  EAR_TEST_WAIT_UNTIL (shows (list, "164523"));
  move (fixture, "5", 5);
  move (fixture, "3", 4);
  EAR_TEST_WAIT_UNTIL (shows (list, "163452"));
  g_assert_null (ear_undo_get_message (undo));
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (shows (list, "164523"));
  g_clear_object (&list);
  library_fixture_close (&fixture->library);

  /* Downloads run in this order, also in the next session. */
  ear_test_server_clear_log (fixture->server);
  put_sounds (fixture, "");
  open_in_order (fixture);
  list = list_downloads (fixture);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)) &&
                       ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)) == 0);
  requested = dup_requested (fixture);
  g_assert_cmpstr (requested, ==, "164523");
  /* Finished downloads follow waiting ones, newest first. */
  EAR_TEST_WAIT_UNTIL (shows (list, "654321"));
}

/* Any number of downloads can be moved between the same two. */
static void
test_crowded (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;

  begin (fixture);
  list = list_downloads (fixture);
  for (guint i = 0; i < 30; i++)
    {
      move (fixture, "5", 3);
      move (fixture, "6", 3);
    }
  EAR_TEST_WAIT_UNTIL (shows (list, "125634"));
}

static gboolean
is_paused (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_PAUSED;
}

static char *
dup_part (Fixture *fixture, EarEpisode *episode)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *name = g_strconcat (key, ".part", NULL);

  return g_build_filename (fixture->data, "downloads", ".earmark", name, NULL);
}

/* Pausing a download in its middle starts the next one; it stays paused in the next
 * session, and resumes where it was. */
static void
test_pause (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader;
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (EarEpisode) second = NULL;
  g_autoptr (EarTestRequest) request = NULL;
  g_autofree char *part = NULL;
  GStatBuf info;

  begin (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  first = dup_episode (fixture, 1);
  second = dup_episode (fixture, 2);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (first) > 0.1);
  ear_downloader_pause (downloader, first);
  g_assert_true (is_paused (first));
  EAR_TEST_WAIT_UNTIL (is_running (second));
  g_assert_true (is_paused (first));
  g_assert_cmpuint (downloader->n_paused, ==, 1);
  g_assert_cmpuint (ear_downloader_get_n_active (downloader), ==, N_EPISODES - 1);
  part = dup_part (fixture, first);
  g_assert_cmpint (g_stat (part, &info), ==, 0);
  g_assert_cmpint (info.st_size, >, SOUND_SIZE / 20);
  g_clear_object (&first);
  g_clear_object (&second);
  library_fixture_close (&fixture->library);

  put_sounds (fixture, "");
  open_in_order (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (downloader) && ear_downloader_get_n_active (downloader) == 0);
  first = dup_episode (fixture, 1);
  g_assert_true (is_paused (first));
  ear_test_server_clear_log (fixture->server);
  ear_downloader_download (downloader, first);
  EAR_TEST_WAIT_UNTIL (is_done (first));
  request = ear_test_server_dup_last_request (fixture->server, "/audio/1.mp3");
  g_assert_cmpuint (request->status, ==, 206);
}

/* Pausing and resuming all downloads at once */
static void
test_pause_all (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader;
  gint64 left;

  begin (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  g_object_get (downloader, "left", &left, NULL);
  g_assert_cmpint (left, >, 0);
  ear_downloader_pause_all (downloader);
  g_assert_cmpuint (downloader->n_paused, ==, N_EPISODES);
  g_object_get (downloader, "left", &left, NULL);
  g_assert_cmpint (left, ==, 0);
  ear_downloader_resume_all (downloader);
  g_assert_cmpuint (downloader->n_paused, ==, 0);
  ear_downloader_pause_all (downloader);
  ear_test_spin (200);
  put_sounds (fixture, "");
  ear_downloader_resume_all (downloader);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_n_active (downloader) == 0);
  for (guint i = 1; i <= N_EPISODES; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      g_assert_true (is_done (episode));
    }
}

/* A paused download can be canceled, and the cancel undone. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader;
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;

  begin (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 4);
  ear_downloader_pause (downloader, episode);
  ear_downloader_remove (downloader, episode);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) != EAR_DOWNLOAD_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/downloads-order/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("order", test_order);
  ADD ("crowded", test_crowded);
  ADD ("pause", test_pause);
  ADD ("pause-all", test_pause_all);
  ADD ("cancel", test_cancel);

  return g_test_run ();
}
