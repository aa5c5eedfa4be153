/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-catalogue-private.h"
#include "ear-download-record.h"
#include "ear-error.h"

/* The order of waiting downloads, paused ones, and the state that survives interruptions */

#define N_EPISODES 6

/* Runs one download at a time, slowly; the others wait in order. */
static void
begin (Fixture *fixture)
{
  follow_lamps (fixture, N_EPISODES, "/~slow=30000");
  get_downloader (fixture)->host_limit = 1;
  wait_until_loaded (fixture);
  for (guint i = 1; i <= N_EPISODES; i++)
    request (fixture, i);
}

static void
wait_until_idle (Fixture *fixture)
{
  wait_until_loaded (fixture);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_n_active (get_downloader (fixture)) == 0);
}

static void
move (Fixture *fixture, GPtrArray *moved, guint before)
{
  ear_downloader_move (get_downloader (fixture), moved,
                       before > 0 ? get_lamp (fixture, before) : NULL);
}

/* The time at which a download ended */
static gint64
get_end (Fixture *fixture, guint i)
{
  EarDownloader *downloader = get_downloader (fixture);

  return ear_downloader_find_item (downloader, get_lamp (fixture, i))->record->done;
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  static const guint order[] = { 1, 6, 2, 3, 4, 5 };

  begin (fixture);
  g_autoptr (EarEpisodeList) list = list_episodes (fixture, 0, EAR_FILTER_DOWNLOADS, NULL);
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 2 3 4 5 6"));
  move (fixture, LAMPS (6), 2);
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 6 2 3 4 5"));
  move (fixture, LAMPS (2, 3), 0);
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 6 4 5 2 3"));
  move (fixture, LAMPS (5), 5);
  move (fixture, LAMPS (3), 4);
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 6 3 4 5 2"));
  g_assert_null (ear_undo_get_message (fixture->undo));
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 6 4 5 2 3"));
  /* Any number of downloads can be moved between the same two. */
  for (guint i = 0; i < 30; i++)
    {
      move (fixture, LAMPS (2), 4);
      move (fixture, LAMPS (3), 4);
    }
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "1 6 2 3 4 5"));
  g_clear_object (&list);
  close_library (fixture);

  /* Downloads run in this order, also in the next session. */
  put_sounds (fixture, N_EPISODES, "");
  open_library (fixture, NULL);
  get_downloader (fixture)->host_limit = 1;
  list = list_episodes (fixture, 0, EAR_FILTER_DOWNLOADS, NULL);
  wait_until_idle (fixture);
  for (gsize i = 1; i < G_N_ELEMENTS (order); i++)
    g_assert_cmpint (get_end (fixture, order[i - 1]), <, get_end (fixture, order[i]));
  /* Finished downloads follow waiting ones, newest first. */
  EAR_TEST_WAIT_UNTIL (are_episodes (list, "6 5 4 3 2 1"));
}

/* Pausing a download in its middle starts the next one; it stays paused in the next
 * session, and resumes where it was. */
static void
test_pause (Fixture *fixture, gconstpointer data)
{
  GStatBuf info;

  begin (fixture);
  EarDownloader *downloader = get_downloader (fixture);
  EarEpisode *first = get_lamp (fixture, 1);
  wait_for_progress (first, 0.1);
  ear_downloader_pause (downloader, first);
  assert_state (first, EAR_DOWNLOAD_PAUSED);
  EAR_TEST_WAIT_UNTIL (is_running (get_lamp (fixture, 2)));
  assert_state (first, EAR_DOWNLOAD_PAUSED);
  g_assert_cmpuint (downloader->n_paused, ==, 1);
  g_assert_cmpuint (ear_downloader_get_n_active (downloader), ==, N_EPISODES - 1);
  g_autofree char *part = dup_record_path (fixture, first, ".part");
  g_assert_cmpint (g_stat (part, &info), ==, 0);
  g_assert_cmpint (info.st_size, >, SOUND_SIZE / 20);

  /* A paused download can be canceled, and the cancel undone. */
  ear_downloader_pause (downloader, get_lamp (fixture, 4));
  ear_downloader_remove (downloader, get_lamp (fixture, 4));
  assert_state (get_lamp (fixture, 4), EAR_DOWNLOAD_NONE);
  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (get_lamp (fixture, 4)) != EAR_DOWNLOAD_NONE);
  close_library (fixture);

  put_sounds (fixture, N_EPISODES, "");
  open_library (fixture, NULL);
  wait_until_idle (fixture);
  assert_state (get_lamp (fixture, 1), EAR_DOWNLOAD_PAUSED);
  ear_test_server_clear_log (fixture->server);
  download (fixture, 1);
  expect_resumed (fixture, "/audio/1.mp3");
}

/* Pausing and resuming all downloads at once */
static void
test_pause_all (Fixture *fixture, gconstpointer data)
{
  begin (fixture);
  EarDownloader *downloader = get_downloader (fixture);
  g_assert_cmpint (ear_test_get_int64 (downloader, "left"), >, 0);
  ear_downloader_pause_all (downloader);
  g_assert_cmpuint (downloader->n_paused, ==, N_EPISODES);
  g_assert_cmpint (ear_test_get_int64 (downloader, "left"), ==, 0);
  ear_downloader_resume_all (downloader);
  g_assert_cmpuint (downloader->n_paused, ==, 0);
  ear_downloader_pause_all (downloader);
  ear_test_spin (200);
  put_sounds (fixture, N_EPISODES, "");
  ear_downloader_resume_all (downloader);
  wait_until_idle (fixture);
  for (guint i = 1; i <= N_EPISODES; i++)
    g_assert_true (is_done (get_lamp (fixture, i)));
}

static void
remove_if_done_cb (EarEpisode *episode, GParamSpec *pspec, EarDownloader *downloader)
{
  if (is_done (episode))
    ear_downloader_remove (downloader, episode);
}

/* Data of a canceled download is deleted once its undo has expired, and so is a download that a
 * handler of its own completion removes. */
static void
test_unwanted (Fixture *fixture, gconstpointer data)
{
  follow_lamps (fixture, 1, SLOW);
  EarDownloader *downloader = get_downloader (fixture);
  EarEpisode *episode = request (fixture, 1);
  g_autofree char *part = dup_record_path (fixture, episode, ".part");
  wait_for_progress (episode, 0.4);
  g_assert_false (is_missing (part));
  downloader->pause_scale = 0.002;
  ear_downloader_remove (downloader, episode);
  EAR_TEST_WAIT_UNTIL (ear_test_get_uint (downloader, "n-items") == 0 && is_missing (part));

  put_sounds (fixture, 1, "");
  g_signal_connect (episode, "notify::download", G_CALLBACK (remove_if_done_cb), downloader);
  request (fixture, 1);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_NONE);
  EAR_TEST_WAIT_UNTIL (ear_test_get_uint (downloader, "n-items") == 0);
  ear_test_spin (50);
  assert_state (episode, EAR_DOWNLOAD_NONE);
}

/* Unfollowing drops waiting downloads of the podcast; undo brings them back. */
static void
test_unfollowed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->data, "downloads", "The Lighthouse Hour",
                                            "2024-01-02 Lamp 1.mp3", NULL);

  follow_lamps (fixture, 2, "/~slow=800000");
  get_downloader (fixture)->host_limit = 1;
  request (fixture, 1);
  request (fixture, 2);
  ear_subscriptions_unfollow (fixture->parts->subscriptions, get_podcast (fixture));
  g_assert_cmpuint (ear_downloader_get_n_active (get_downloader (fixture)), ==, 0);
  EAR_TEST_WAIT_UNTIL (!is_missing (file));
  ear_test_spin (100);
  g_assert_cmpuint (count_requests (fixture, "/audio/2.mp3"), ==, 0);

  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (is_done (get_lamp (fixture, 1)) && is_done (get_lamp (fixture, 2)));
}

/* A leftover record of an unknown podcast starts no download. */
static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  static const char record[] =
    "{ \"version\": 1, \"kind\": \"download\", \"podcast\": \"http://127.0.0.1/gone\", "
    "\"guid\": \"g\", \"enclosure\": \"%s/audio/1.mp3\" }";
  g_autofree char *text = g_strdup_printf (record, get_url (fixture, ""));
  g_autoptr (EarDownloadRecord) left = ear_download_record_parse (text, strlen (text), NULL);
  g_autofree char *key = ear_download_record_dup_key (left);
  g_autofree char *name = g_strconcat (key, ".json", NULL);
  g_autofree char *path = g_build_filename (fixture->data, "downloads", ".earmark", name, NULL);

  write_text (path, text);
  follow_lamps (fixture, 1, "");
  wait_until_loaded (fixture);
  ear_test_spin (100);
  g_assert_cmpuint (ear_downloader_get_n_active (get_downloader (fixture)), ==, 0);
  g_assert_cmpuint (count_requests (fixture, "/audio/1.mp3"), ==, 0);
}

/* A network that comes and goes does not override a server's Retry-After. */
static void
test_busy (Fixture *fixture, gconstpointer data)
{
  follow_lamps (fixture, 1, "/~429=600");
  EarEpisode *episode = request (fixture, 1);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_error (episode) != NULL);
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_BUSY);
  for (guint i = 0; i < 3; i++)
    {
      g_signal_emit_by_name (fixture->parts->network, "network-changed", TRUE);
      ear_test_spin (50);
    }
  g_assert_cmpuint (count_requests (fixture, "/audio/1.mp3"), ==, 1);
}

/* A download that is slow to stop does not delay other writes to the disk. */
static void
test_slow_to_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  follow_lamps (fixture, 1, "/~status=404");
  EarDownloader *downloader = get_downloader (fixture);
  EarEpisode *episode = request (fixture, 1);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  EarDownloadItem *item = g_ptr_array_index (downloader->items, 0);
  item->cancellable = g_cancellable_new ();

  ear_library_close_async (fixture->library, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (fixture->parts->catalogue->closed);
  ear_test_spin (50);
  g_assert_null (result);

  g_clear_object (&item->cancellable);
  ear_downloader_run_queue (downloader);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_true (ear_library_close_finish (fixture->library, result, NULL));
  g_clear_object (&fixture->lamps[1]);
  g_clear_object (&fixture->library);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) \
  g_test_add ("/downloads-queue/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("order", test_order);
  ADD ("pause", test_pause);
  ADD ("pause-all", test_pause_all);
  ADD ("unwanted", test_unwanted);
  ADD ("unfollowed", test_unfollowed);
  ADD ("left-over", test_left_over);
  ADD ("busy", test_busy);
  ADD ("slow-to-stop", test_slow_to_stop);

  return g_test_run ();
}
