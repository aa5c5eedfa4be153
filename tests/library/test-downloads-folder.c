/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "downloads-fixture.h"
#include "ear-test-network.h"

/* Another downloads folder, also on a removable disk */

#define NOT_FOUND "The downloads folder was not found. Downloads resume once it is back.\n"

/* The default folder, one on a stick, and the path of the stick while it is unplugged */
static char *usual, *stick, *away;

static void
set_up_folders (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  usual = g_build_filename (fixture->data, "downloads", NULL);
  stick = g_build_filename (fixture->folder, "stick", NULL);
  away = g_build_filename (fixture->folder, "away", NULL);
}

static void
tear_down_folders (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "downloads-folder", "", "downloads-folder-left", "",
                NULL);
  tear_down (fixture, data);
  g_free (usual);
  g_free (stick);
  g_free (away);
}

/* Two episodes are downloaded, and a third is running. */
static EarDownloader *
begin (Fixture *fixture)
{
  follow_lamps (fixture, 3, "");
  download (fixture, 1);
  download (fixture, 2);
  put_sounds (fixture, 3, "/~slow=100000");
  wait_for_progress (request (fixture, 3), 0.2);

  return get_downloader (fixture);
}

static void
choose (Fixture *fixture, const char *path)
{
  ear_downloader_choose_folder (get_downloader (fixture), path);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_moving (get_downloader (fixture)));
  wait_until_loaded (fixture);
}

static void
expect_sounds (Fixture *fixture, const char *folder)
{
  for (guint i = 1; i <= 3; i++)
    expect_sound_in (fixture, i, folder);
}

static void
copy_to_stick (void)
{
  g_autoptr (EarDownloadStore) store = ear_download_store_new (usual, FALSE);

  /* The store's thread finishes all queued work before it ends. */
  ear_download_store_move_async (store, stick, TRUE, NULL, NULL, NULL);
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  g_autofree char *podcasts = g_build_filename (stick, "Podcasts", NULL);
  g_autofree char *in_the_way = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *below = g_build_filename (in_the_way, "Podcasts", NULL);
  g_autoptr (EarTestNetwork) network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  EarDownloader *downloader = begin (fixture);
  guint64 size;
  guint n;

  g_set_object (&downloader->services.network, G_NETWORK_MONITOR (network));
  ear_test_network_set_metered (network, TRUE);

  /* Space used by one podcast, and by all */
  g_assert_cmpuint (ear_downloader_get_room (downloader, get_podcast (fixture), &n), ==,
                    2 * SOUND_SIZE);
  g_assert_cmpuint (n, ==, 2);
  g_object_get (downloader, "size", &size, NULL);
  g_assert_cmpuint (size, ==, 2 * SOUND_SIZE);

  write_text (in_the_way, "");
  choose (fixture, below);
  g_assert_cmpstr (fixture->notices->str, ==, "Downloads could not be moved to the new folder.\n");
  expect_sound (fixture, 1);
  g_string_truncate (fixture->notices, 0);

  choose (fixture, podcasts);
  g_assert_cmpstr (fixture->notices->str, ==, "");
  g_assert_cmpstr (ear_downloader_get_path (get_downloader (fixture)), ==, podcasts);
  expect_sound_in (fixture, 1, podcasts);
  expect_sound_in (fixture, 2, podcasts);
  EAR_TEST_WAIT_UNTIL (is_missing (usual));
  /* The running download resumes there, on a metered network too, since it was requested. */
  put_sounds (fixture, 3, "");
  expect_sound_in (fixture, 3, podcasts);
  expect_resumed (fixture, "/audio/3.mp3");

  restart (fixture);
  expect_sounds (fixture, podcasts);
  choose (fixture, NULL);
  expect_sounds (fixture, usual);
  EAR_TEST_WAIT_UNTIL (is_missing (podcasts));
  g_assert_cmpstr (fixture->notices->str, ==, "");
}

/* Downloads that are removed while the folder is moved do not come back. Undo restores one;
 * the other one is deleted from both folders. */
static void
test_removed_meanwhile (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader = begin (fixture);
  EarEpisode *kept = get_lamp (fixture, 1), *removed = get_lamp (fixture, 2);
  const EarDownloadItem *running = ear_downloader_find_item (downloader, get_lamp (fixture, 3));
  const char *file = ear_downloader_find_item (downloader, removed)->record->file;
  g_autofree char *moved = g_build_filename (stick, file, NULL);

  ear_downloader_choose_folder (downloader, stick);
  EAR_TEST_WAIT_UNTIL (running->cancellable == NULL);
  g_assert_true (ear_downloader_get_moving (downloader));
  downloader->pause_scale = 0.01;
  ear_downloader_remove (downloader, removed);
  downloader->pause_scale = 1.0;
  ear_downloader_remove (downloader, kept);
  EAR_TEST_WAIT_UNTIL (!ear_downloader_get_moving (downloader));
  wait_until_loaded (fixture);

  assert_state (kept, EAR_DOWNLOAD_NONE);
  assert_state (removed, EAR_DOWNLOAD_NONE);
  ear_undo_run (fixture->undo);
  expect_sound_in (fixture, 1, stick);
  EAR_TEST_WAIT_UNTIL (is_missing (moved));
  EAR_TEST_WAIT_UNTIL (is_missing (usual));
}

/* The new folder holds an earlier file, which was removed from the present folder. */
static void
test_found_there (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader = begin (fixture);
  g_autofree char *file = ear_downloader_dup_file (downloader, get_lamp (fixture, 1));

  put_sounds (fixture, 3, "");
  expect_sound (fixture, 3);
  copy_to_stick ();
  downloader->pause_scale = 0.001;
  ear_downloader_remove (downloader, get_lamp (fixture, 1));
  EAR_TEST_WAIT_UNTIL (is_missing (file));
  choose (fixture, stick);
  expect_sounds (fixture, stick);
}

/* Earmark was killed after storing the new folder, and before clearing the old one. */
static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick_uri = g_filename_to_uri (stick, NULL, NULL);
  g_autofree char *usual_uri = g_filename_to_uri (usual, NULL, NULL);
  g_autofree char *left = NULL;

  begin (fixture);
  close_library (fixture);
  copy_to_stick ();
  make_library (fixture);
  g_object_set (fixture->parts->settings, "downloads-folder", stick_uri, "downloads-folder-left",
                usual_uri, NULL);
  open_and_wait (fixture, NULL);
  put_sounds (fixture, 3, "");
  expect_sounds (fixture, stick);
  EAR_TEST_WAIT_UNTIL (is_missing (usual));
  g_object_get (fixture->parts->settings, "downloads-folder-left", &left, NULL);
  g_assert_cmpstr (left, ==, "");
}

/* A missing folder is not created again, and its downloads stay listed. */
static void
assert_gone (Fixture *fixture)
{
  EarDownloader *downloader = get_downloader (fixture);

  g_assert_false (downloader->available);
  g_assert_true (is_done (get_lamp (fixture, 1)));
  g_assert_null (ear_downloader_dup_file (downloader, get_lamp (fixture, 1)));
  g_assert_cmpstr (fixture->notices->str, ==, NOT_FOUND);
}

/* A disk that is removed and returns: a notice is shown, and nothing is forgotten. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  EarDownloader *downloader = begin (fixture);

  /* The folder vanishes while a download finishes: nothing is created at its path. */
  choose (fixture, stick);
  EAR_TEST_WAIT_UNTIL (is_running (get_lamp (fixture, 3)));
  g_assert_cmpint (g_rename (stick, away), ==, 0);
  EAR_TEST_WAIT_UNTIL (!downloader->available);
  g_assert_true (is_missing (stick));
  g_assert_cmpint (g_rename (away, stick), ==, 0);
  expect_sound_in (fixture, 3, stick);
  g_assert_true (downloader->available);
  EAR_TEST_WAIT_UNTIL (!downloader->missing_reported);
  g_string_truncate (fixture->notices, 0);

  /* The disk is unplugged while in use. */
  g_assert_cmpint (g_rename (stick, away), ==, 0);
  g_assert_null (ear_downloader_dup_file (get_downloader (fixture), get_lamp (fixture, 1)));
  assert_gone (fixture);
  close_library (fixture);
  g_assert_true (is_missing (stick));

  /* The folder is missing at the next start. */
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (!get_downloader (fixture)->available);
  assert_gone (fixture);
  g_assert_true (is_missing (stick));

  g_assert_cmpint (g_rename (away, stick), ==, 0);
  wait_until_loaded (fixture);
  g_assert_true (get_downloader (fixture)->available);
  expect_sounds (fixture, stick);
}

/* The folder is missing from the start: a requested download shows a notice, and the
 * listener chooses the folder again. */
static void
test_chosen_again (Fixture *fixture, gconstpointer data)
{
  g_autofree char *uri = g_filename_to_uri (stick, NULL, NULL);

  begin (fixture);
  put_sounds (fixture, 3, "");
  close_library (fixture);
  make_library (fixture);
  g_object_set (fixture->parts->settings, "downloads-folder", uri, NULL);
  open_and_wait (fixture, NULL);
  EarDownloader *downloader = get_downloader (fixture);
  EAR_TEST_WAIT_UNTIL (!downloader->available);
  g_assert_cmpstr (fixture->notices->str, ==, NOT_FOUND);
  g_assert_cmpint (g_mkdir (stick, 0700), ==, 0);

  EAR_TEST_WAIT_UNTIL (!downloader->missing_reported);
  g_string_truncate (fixture->notices, 0);
  for (guint i = 1; i <= 3; i++)
    request (fixture, i);
  g_assert_cmpstr (fixture->notices->str, ==, NOT_FOUND);
  choose (fixture, stick);
  g_assert_true (downloader->available);
  expect_sounds (fixture, stick);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) \
  g_test_add ("/downloads-folder/" name, Fixture, NULL, set_up_folders, func, tear_down_folders)
  ADD ("move", test_move);
  ADD ("removed-meanwhile", test_removed_meanwhile);
  ADD ("found-there", test_found_there);
  ADD ("left-over", test_left_over);
  ADD ("gone", test_gone);
  ADD ("chosen-again", test_chosen_again);

  return g_test_run ();
}
