/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-downloader-private.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Another downloads folder, also on a removable disk */

#define SOUND_SIZE 200000

static void
told_cb (EarNotices *notices, const char *message, gboolean lasting, GString *told)
{
  g_string_append_printf (told, "%s\n", message);
}

static void
open_told (Fixture *fixture)
{
  open_and_wait (fixture, NULL);
  g_string_truncate (fixture->told, 0);
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (told_cb), fixture->told);
}

static void
put_sounds (Fixture *fixture, const char *way)
{
  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
      g_autofree char *path = g_strdup_printf ("/audio/%u.mp3", i);
      g_autofree char *sound_path = g_strdup_printf ("/sound/%u.mp3", i);
      g_autofree char *behind = g_strconcat (way, sound_path, NULL);

      ear_test_server_put_bytes (fixture->server, sound_path, "audio/mpeg", sound);
      ear_test_server_put_way (fixture->server, path, behind);
    }
}

/* Two episodes are downloaded, and a third is running. */
static void
begin (Fixture *fixture)
{
  put_sounds (fixture, "");
  put_feed (fixture, 1, 3);
  open_told (fixture);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
      EAR_TEST_WAIT_UNTIL (is_done (episode));
    }
  put_sounds (fixture, "/~slow=100000");
  {
    g_autoptr (EarEpisode) episode = dup_episode (fixture, 3);

    ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
    EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.2);
  }
}

static void
choose (Fixture *fixture, const char *path)
{
  EarDownloader *downloader = ear_library_get_downloader (fixture->library);

  ear_downloader_choose_folder (downloader, path);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_moving (downloader) &&
                       ear_downloader_get_loaded (downloader));
}

/* Checks that the file is in this folder, with the right content. */
static void
expect_file (Fixture *fixture, guint i, const char *folder)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, i);
  g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  gsize length;

  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (ear_library_get_downloader (fixture->library)) && is_done (episode));
  path = ear_downloader_dup_file (ear_library_get_downloader (fixture->library), episode);
  g_assert_nonnull (path);
  g_assert_true (g_str_has_prefix (path, folder));
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (sound, NULL), g_bytes_get_size (sound));
}

static void
reset (Fixture *fixture)
{
  g_object_set (ear_library_get_settings (fixture->library), "downloads-folder", "", "downloads-folder-left", "", NULL);
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", "Podcasts", NULL);
  g_autofree char *usual = g_build_filename (fixture->data, "downloads", NULL);
  g_autoptr (EarTestRequest) request = NULL;

  begin (fixture);
  choose (fixture, stick);
  g_assert_cmpstr (fixture->told->str, ==, "");
  g_assert_cmpstr (
      ear_downloader_get_path (ear_library_get_downloader (fixture->library)), ==,
      stick);
  expect_file (fixture, 1, stick);
  expect_file (fixture, 2, stick);
  EAR_TEST_WAIT_UNTIL (!g_file_test (usual, G_FILE_TEST_EXISTS));
  /* The running download resumes there, from its position. */
  put_sounds (fixture, "");
  expect_file (fixture, 3, stick);
  request = ear_test_server_dup_last_request (fixture->server, "/audio/3.mp3");
  g_assert_cmpuint (request->status, ==, 206);
  library_fixture_close (&fixture->library);

  open_told (fixture);
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, stick);
  choose (fixture, NULL);
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, usual);
  EAR_TEST_WAIT_UNTIL (!g_file_test (stick, G_FILE_TEST_EXISTS));
  g_assert_cmpstr (fixture->told->str, ==, "");
  reset (fixture);
}

/* Downloads that are removed while the folder is moved do not come back. Undo restores one;
 * the other one is deleted from both folders. */
static void
test_removed_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", "Podcasts", NULL);
  g_autofree char *usual = g_build_filename (fixture->data, "downloads", NULL);
  g_autofree char *moved = NULL;
  g_autoptr (EarEpisode) kept = NULL;
  g_autoptr (EarEpisode) removed = NULL;
  g_autoptr (EarEpisode) running = NULL;
  g_autoptr (EarUndo) undo = NULL;
  const EarDownloadItem *item;
  EarDownloader *downloader;

  begin (fixture);
  follow_undo (fixture, &undo);
  downloader = ear_library_get_downloader (fixture->library);
  kept = dup_episode (fixture, 1);
  removed = dup_episode (fixture, 2);
  running = dup_episode (fixture, 3);
  item = ear_downloader_find_item (downloader, running);
  moved = g_build_filename (stick, ear_downloader_find_item (downloader, removed)->record->file, NULL);
  ear_downloader_choose_folder (downloader, stick);
  EAR_TEST_WAIT_UNTIL (item->cancellable == NULL);
  g_assert_true (ear_downloader_get_moving (downloader));
  downloader->pause_scale = 0.01;
  ear_downloader_remove (downloader, removed);
  downloader->pause_scale = 1.0;
  ear_downloader_remove (downloader, kept);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_moving (downloader) &&
                       ear_downloader_get_loaded (downloader));

  g_assert_cmpint (ear_episode_get_download (kept), ==, EAR_DOWNLOAD_NONE);
  g_assert_cmpint (ear_episode_get_download (removed), ==, EAR_DOWNLOAD_NONE);
  ear_undo_run (undo);
  expect_file (fixture, 1, stick);
  EAR_TEST_WAIT_UNTIL (!g_file_test (moved, G_FILE_TEST_EXISTS));
  EAR_TEST_WAIT_UNTIL (!g_file_test (usual, G_FILE_TEST_EXISTS));
  reset (fixture);
}

/* The new folder holds a file of an earlier time; the one in the present folder was
 * removed. */
static void
test_found_there (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", NULL);
  g_autofree char *usual = g_build_filename (fixture->data, "downloads", NULL);
  g_autofree char *file = NULL;
  g_autoptr (EarEpisode) episode = NULL;
  EarDownloader *downloader;

  begin (fixture);
  put_sounds (fixture, "");
  expect_file (fixture, 3, usual);
  {
    g_autoptr (EarDownloadStore) store = ear_download_store_new (usual, FALSE);

    ear_download_store_move_async (store, stick, TRUE, NULL, NULL, NULL);
  }
  downloader = ear_library_get_downloader (fixture->library);
  episode = dup_episode (fixture, 1);
  file = ear_downloader_dup_file (downloader, episode);
  downloader->pause_scale = 0.001;
  ear_downloader_remove (downloader, episode);
  EAR_TEST_WAIT_UNTIL (!g_file_test (file, G_FILE_TEST_EXISTS));
  choose (fixture, stick);
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, stick);
  reset (fixture);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *in_the_way = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *below = g_build_filename (in_the_way, "Podcasts", NULL);
  g_autofree char *usual = g_build_filename (fixture->data, "downloads", NULL);

  begin (fixture);
  g_assert_true (g_file_set_contents (in_the_way, "", -1, NULL));
  choose (fixture, below);
  g_assert_cmpstr (fixture->told->str, ==, "Downloads could not be moved to the new folder.\n");
  expect_file (fixture, 1, usual);
  put_sounds (fixture, "");
  expect_file (fixture, 3, usual);
  reset (fixture);
}

/* Earmark was killed after storing the new folder, and before clearing the old one. */
static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", NULL);
  g_autofree char *usual = g_build_filename (fixture->data, "downloads", NULL);
  g_autofree char *stick_uri = g_filename_to_uri (stick, NULL, NULL);
  g_autofree char *usual_uri = g_filename_to_uri (usual, NULL, NULL);
  g_autofree char *left = NULL;

  begin (fixture);
  library_fixture_close (&fixture->library);
  {
    g_autoptr (EarDownloadStore) store = ear_download_store_new (usual, FALSE);

    /* The store's thread finishes all queued work before it ends. */
    ear_download_store_move_async (store, stick, TRUE, NULL, NULL, NULL);
  }
  make_library (fixture);
  g_object_set (ear_library_get_settings (fixture->library), "downloads-folder", stick_uri, "downloads-folder-left", usual_uri, NULL);
  open_told (fixture);
  put_sounds (fixture, "");
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, stick);
  EAR_TEST_WAIT_UNTIL (!g_file_test (usual, G_FILE_TEST_EXISTS));
  g_object_get (ear_library_get_settings (fixture->library), "downloads-folder-left", &left, NULL);
  g_assert_cmpstr (left, ==, "");
  reset (fixture);
}

/* A disk that is removed and returns: a notice is shown, and nothing is forgotten. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", NULL);
  g_autofree char *away = g_build_filename (fixture->folder, "away", NULL);
  EarDownloader *downloader;
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture);
  choose (fixture, stick);
  put_sounds (fixture, "");
  expect_file (fixture, 3, stick);
  downloader = ear_library_get_downloader (fixture->library);

  /* The disk is unplugged while in use. */
  g_assert_cmpint (g_rename (stick, away), ==, 0);
  episode = dup_episode (fixture, 1);
  g_assert_null (ear_downloader_dup_file (downloader, episode));
  g_assert_false (ear_downloader_get_available (downloader));
  g_assert_true (is_done (episode));
  g_assert_cmpstr (fixture->told->str, ==, "The downloads folder was not found. Downloads resume once it is back.\n");
  g_assert_null (ear_downloader_dup_file (downloader, episode));
  g_clear_object (&episode);
  library_fixture_close (&fixture->library);
  g_assert_false (g_file_test (stick, G_FILE_TEST_EXISTS));

  /* The folder is missing at the next start. */
  open_told (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_available (downloader));
  g_assert_cmpstr (fixture->told->str, ==, "The downloads folder was not found. Downloads resume once it is back.\n");
  episode = dup_episode (fixture, 1);
  g_assert_true (is_done (episode));
  g_assert_null (ear_downloader_dup_file (downloader, episode));
  g_assert_false (g_file_test (stick, G_FILE_TEST_EXISTS));

  g_assert_cmpint (g_rename (away, stick), ==, 0);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (downloader));
  g_assert_true (ear_downloader_get_available (downloader));
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, stick);
  reset (fixture);
}

/* The folder vanishes while a download finishes: nothing is created at its path
 * meanwhile. */
static void
test_gone_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", NULL);
  g_autofree char *away = g_build_filename (fixture->folder, "away", NULL);
  EarDownloader *downloader;
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture);
  choose (fixture, stick);
  downloader = ear_library_get_downloader (fixture->library);
  episode = dup_episode (fixture, 3);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_RUNNING);
  g_assert_cmpint (g_rename (stick, away), ==, 0);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_available (downloader));
  g_assert_false (g_file_test (stick, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rename (away, stick), ==, 0);
  expect_file (fixture, 3, stick);
  g_assert_true (ear_downloader_get_available (downloader));
  reset (fixture);
}

/* The folder is missing from the start: a requested download shows a notice, and the
 * listener chooses the folder again. */
static void
test_chosen_again (Fixture *fixture, gconstpointer data)
{
  static const char *const told = "The downloads folder was not found. Downloads resume once it is back.\n";
  g_autofree char *stick = g_build_filename (fixture->folder, "stick", NULL);
  g_autofree char *uri = g_filename_to_uri (stick, NULL, NULL);
  EarDownloader *downloader;
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture);
  put_sounds (fixture, "");
  library_fixture_close (&fixture->library);
  make_library (fixture);
  g_object_set (ear_library_get_settings (fixture->library), "downloads-folder", uri, NULL);
  open_told (fixture);
  downloader = ear_library_get_downloader (fixture->library);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_available (downloader));
  g_assert_cmpstr (fixture->told->str, ==, told);
  g_assert_cmpint (g_mkdir (stick, 0700), ==, 0);

  EAR_TEST_WAIT_UNTIL (!downloader->missing_reported);
  g_string_truncate (fixture->told, 0);
  for (guint i = 1; i <= 3; i++)
    {
      g_clear_object (&episode);
      episode = dup_episode (fixture, i);
      ear_downloader_download (downloader, episode);
    }
  g_assert_cmpstr (fixture->told->str, ==, told);
  choose (fixture, stick);
  g_assert_true (ear_downloader_get_available (downloader));
  for (guint i = 1; i <= 3; i++)
    expect_file (fixture, i, stick);
  reset (fixture);
}

/* Space used by one podcast, and by all */
static void
test_room (Fixture *fixture, gconstpointer data)
{
  guint64 size;
  guint n;

  begin (fixture);
  g_assert_cmpuint (ear_downloader_get_room (ear_library_get_downloader (fixture->library), get_podcast (fixture), &n), ==, 2 * SOUND_SIZE);
  g_assert_cmpuint (n, ==, 2);
  g_object_get (ear_library_get_downloader (fixture->library), "size", &size, NULL);
  g_assert_cmpuint (size, ==, 2 * SOUND_SIZE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/downloads-folder/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("move", test_move);
  ADD ("removed-meanwhile", test_removed_meanwhile);
  ADD ("found-there", test_found_there);
  ADD ("refused", test_refused);
  ADD ("left-over", test_left_over);
  ADD ("gone", test_gone);
  ADD ("gone-meanwhile", test_gone_meanwhile);
  ADD ("chosen-again", test_chosen_again);
  ADD ("room", test_room);

  return g_test_run ();
}
