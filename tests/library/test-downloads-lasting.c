/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "downloads-fixture.h"
#include "ear-catalogue-private.h"
#include "ear-downloader-private.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Requested downloads and their state survive every interruption. */

#define SOUND_SIZE 400000
#define SLOW "/~slow=3000000,200000,60000"

static void
begin (Fixture *fixture, const char *way)
{
  g_autoptr (GBytes) bytes = make_sound (0, SOUND_SIZE);

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *path = g_strdup_printf ("/audio/%u.mp3", i);
      g_autofree char *sound_path = g_strdup_printf ("/sound/%u.mp3", i);
      g_autofree char *behind = g_strconcat (way, sound_path, NULL);

      ear_test_server_put_bytes (fixture->server, sound_path, "audio/mpeg", bytes);
      ear_test_server_put_way (fixture->server, path, behind);
    }
  put_feed (fixture, 1, 3);
  open_and_wait (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
}

static char *
dup_record (Fixture *fixture, EarEpisode *episode, const char *ending)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *name = g_strconcat (key, ending, NULL);

  return g_build_filename (fixture->data, "downloads", ".earmark", name, NULL);
}

static gboolean
is_there (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Downloads still in the queue continue in the next session. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  begin (fixture, SLOW);
  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (EarEpisode) episode = dup_episode (fixture, i);

      ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
    }
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)) > 0);
  g_assert_cmpuint (ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)), ==, 3);
}

/* Refreshing the feed does not clear the error of a failed download. */
static void
test_failed_and_checked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarEpisodeList) list = NULL;

  begin (fixture, "/~status=404");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  put_feed (fixture, 1, 4);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 4) && is_settled (fixture));
  g_assert_true (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* A download that is canceled and requested again keeps the data received so far. */
static void
test_cancelled_and_back (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autoptr (EarTestRequest) request = NULL;

  begin (fixture, SLOW);
  follow_undo (fixture, &undo);
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.4);
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  ear_test_server_put_way (fixture->server, "/audio/1.mp3", "/sound/1.mp3");
  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  request = ear_test_server_dup_last_request (fixture->server, "/audio/1.mp3");
  g_assert_nonnull (ear_test_request_get_header (request, "range"));
}

static gboolean
has_no_items (Fixture *fixture)
{
  guint n_items;

  g_object_get (fixture->library->services.downloader, "n-items", &n_items, NULL);

  return n_items == 0;
}

/* Data of a canceled download is deleted once its undo has expired. */
static void
test_unwanted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *part = NULL;

  begin (fixture, SLOW);
  episode = dup_episode (fixture, 1);
  part = dup_record (fixture, episode, ".part");
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > 0.4);
  g_assert_true (is_there (part));
  ear_library_get_downloader (fixture->library)->pause_scale = 0.002;
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_no_items (fixture));
  EAR_TEST_WAIT_UNTIL (!is_there (part));
}

static void
remove_if_done_cb (EarEpisode *episode, GParamSpec *pspec, EarLibrary *library)
{
  if (is_done (episode))
    ear_downloader_remove (ear_library_get_downloader (library), episode);
}

/* The download is removed by a handler of its own completion. */
static void
test_removed_when_done (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "");
  ear_library_get_downloader (fixture->library)->pause_scale = 0.002;
  episode = dup_episode (fixture, 1);
  g_signal_connect (episode, "notify::download", G_CALLBACK (remove_if_done_cb), fixture->library);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_NONE);
  EAR_TEST_WAIT_UNTIL (has_no_items (fixture));
  ear_test_spin (50);
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_NONE);
}

/* Unfollowing drops waiting downloads of the podcast; undo brings them back. */
static void
test_unfollowed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = NULL;
  g_autoptr (EarEpisode) second = NULL;
  g_autoptr (EarUndo) undo = NULL;
  g_autofree char *file = g_build_filename (fixture->data, "downloads", "The Lighthouse Hour", "2024-01-02 Lamp 1.mp3", NULL);

  begin (fixture, "/~slow=800000");
  ear_library_get_downloader (fixture->library)->host_limit = 1;
  follow_undo (fixture, &undo);
  first = dup_episode (fixture, 1);
  second = dup_episode (fixture, 2);
  ear_downloader_download (ear_library_get_downloader (fixture->library), first);
  ear_downloader_download (ear_library_get_downloader (fixture->library), second);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  g_assert_cmpuint (ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)), ==, 0);
  EAR_TEST_WAIT_UNTIL (is_there (file));
  ear_test_spin (100);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/audio/2.mp3"), ==, 0);

  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_done (first) && is_done (second));
}

/* A leftover record of an unknown podcast starts no download. */
static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  static const char record[] = "{ \"version\": 1, \"kind\": \"download\", \"podcast\": \"http://127.0.0.1/gone\", \"guid\": \"g\", "
                               "\"enclosure\": \"%s/audio/1.mp3\" }";
  g_autofree char *folder = g_build_filename (fixture->data, "downloads", ".earmark", NULL);
  g_autofree char *text = g_strdup_printf (record, ear_test_server_get_base_url (fixture->server));
  g_autoptr (EarDownloadRecord) left = ear_download_record_parse (text, strlen (text), NULL);
  g_autofree char *key = ear_download_record_dup_key (left);
  g_autofree char *name = g_strconcat (key, ".json", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  begin (fixture, "");
  EAR_TEST_WAIT_UNTIL (fixture->library->services.downloader->loaded);
  ear_test_spin (100);
  g_assert_cmpuint (ear_downloader_get_n_active (ear_library_get_downloader (fixture->library)), ==, 0);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/audio/1.mp3"), ==, 0);
}

/* A network that comes and goes does not override a server's Retry-After. */
static void
test_busy (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;

  begin (fixture, "/~429=600");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_error (episode) != NULL);
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_BUSY);
  for (guint i = 0; i < 3; i++)
    {
      g_signal_emit_by_name (fixture->library->services.network, "network-changed", TRUE);
      ear_test_spin (50);
    }
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/audio/1.mp3"), ==, 1);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (ear_library_close_finish (EAR_LIBRARY (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* A download that is slow to stop does not delay other writes to the disk. */
static void
test_slow_to_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  EarDownloadItem *item;
  gboolean closed = FALSE;

  begin (fixture, "/~status=404");
  episode = dup_episode (fixture, 1);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  item = g_ptr_array_index (fixture->library->services.downloader->items, 0);
  item->cancellable = g_cancellable_new ();

  ear_library_close_async (fixture->library, closed_cb, &closed);
  EAR_TEST_WAIT_UNTIL (fixture->library->services.catalogue->closed);
  ear_test_spin (50);
  g_assert_false (closed);

  g_clear_object (&item->cancellable);
  ear_downloader_run_queue (fixture->library->services.downloader);
  EAR_TEST_WAIT_UNTIL (closed);
  g_clear_object (&fixture->library);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/downloads-lasting/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("queue", test_queue);
  ADD ("failed-and-checked", test_failed_and_checked);
  ADD ("cancelled-and-back", test_cancelled_and_back);
  ADD ("unwanted", test_unwanted);
  ADD ("removed-when-done", test_removed_when_done);
  ADD ("unfollowed", test_unfollowed);
  ADD ("left-over", test_left_over);
  ADD ("busy", test_busy);
  ADD ("slow-to-stop", test_slow_to_stop);

  return g_test_run ();
}
