/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "ear-catalogue-private.h"
#include "ear-database.h"
#include "ear-error.h"
#include "ear-link-list.h"
#include "ear-notes-loader.h"
#include "ear-report.h"
#include "ear-test-made.h"
#include "served-library.h"

/* Following, listing, playing and closing; feeds that are slow, broken or missing; the thread
 * that opens the catalogue before the library needs it; and links that are collected */

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow_feed (fixture, 25);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (GAsyncResult) result = NULL;
  guint changes = 0;

  g_assert_null (
      ear_subscriptions_follow (fixture->parts->subscriptions, "file:///etc/passwd", NULL));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Lighthouse Hour");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 25);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 25);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 25));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (ear_episode_get_title (first), ==, "Lamp 25");
  g_assert_true (g_str_has_suffix (ear_episode_get_enclosure (first)->address, "/audio/25.mp3"));
  ear_notes_load_async (fixture->parts->catalogue, first, NULL, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, NULL);
  g_autofree char *text = ear_notes_to_text (notes);
  g_assert_cmpstr (text, ==, "Of lamp 25");

  /* An unchanged feed changes no row, and two more episodes add two in a single change. */
  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (ear_test_count_cb), &changes);
  const guint n_requests = count_requests (fixture, "/feed.xml");
  refresh (fixture);
  g_assert_cmpuint (count_requests (fixture, "/feed.xml"), ==, n_requests + 1);
  g_assert_cmpuint (changes, ==, 0);
  put_feed (fixture, 1, 27);
  refresh (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 27));
  g_assert_cmpuint (changes, <=, 2);
  g_signal_handlers_disconnect_by_data (list, &changes);

  /* Followed again, it has the same marks. */
  set_mark (fixture, 7, EAR_MARK_LISTENED, TRUE);
  unfollow (fixture);
  fetch (fixture, "/feed.xml");
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 27);
  g_assert_true (ear_episode_get_listened (get_lamp (fixture, 7)));
}

/* The message shown depends on the domain of the error. */
static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *below = g_build_filename (file, "earmark", NULL);
  g_autoptr (EarLibrary) library = ear_library_new (below, fixture->folder);
  g_autoptr (GError) error = NULL;

  write_text (file, "");
  g_assert_false (ear_library_lock (library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (ear_library_open (library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
}

static void
test_welcome_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *welcome = g_build_filename (fixture->folder, "welcome.opml", NULL);
  g_autofree char *opml = g_strdup_printf ("<opml><body><outline xmlUrl=\"%s\"/></body></opml>",
                                           get_url (fixture, "/feed.xml"));

  put_feed (fixture, 1, 3);
  write_text (welcome, opml);
  open_library (fixture, welcome);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture) && is_settled (fixture));
  close_library (fixture);
  open_library (fixture, welcome);
  g_assert_true (has_podcast (fixture));
  unfollow (fixture);
  close_library (fixture);

  /* An unfollowed welcome podcast does not come back. */
  open_and_wait (fixture, welcome);
  g_assert_false (has_podcast (fixture));
}

/* Undoing an unfollow restores the episode in the player, even if its podcast is fetched again. */
static void
test_undo_unfollow_late (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow_feed (fixture, 10);
  EarEpisode *playing = dup_lamp (fixture, 7);
  const gint64 id = ear_episode_get_id (playing);

  ear_episode_set_position (playing, 42 * G_USEC_PER_SEC);
  ear_player_open (fixture->parts->player, playing, NULL, NULL, 42 * G_USEC_PER_SEC);
  g_object_unref (playing);
  fixture->parts->catalogue->purge_delay = 1;
  ear_subscriptions_unfollow (fixture->parts->subscriptions, podcast);
  g_assert_null (ear_player_get_episode (fixture->parts->player));
  EAR_TEST_WAIT_UNTIL (g_hash_table_size (fixture->parts->catalogue->by_id) == 0);

  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  playing = ear_player_get_episode (fixture->parts->player);
  g_assert_nonnull (playing);
  g_assert_cmpint (ear_episode_get_id (playing), !=, id);
  g_assert_true (ear_episode_get_podcast (playing) == get_podcast (fixture));
  g_assert_cmpstr (ear_episode_get_guid (playing), ==, "lamp-7");
  g_assert_cmpint (ear_episode_get_position (playing), ==, 42 * G_USEC_PER_SEC);
}

/* Media keys and other programs may send requests while everything is written at exit. */
static void
test_asked_while_closing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  follow_feed (fixture, 5);
  EarEpisode *episode = get_lamp (fixture, 4);
  fixture->list = list_all (fixture);
  ear_library_close_async (fixture->library, ear_test_result_cb, &result);
  ear_playback_controller_play (fixture->control, episode, fixture->list);
  ear_playback_controller_toggle (fixture->control, episode, fixture->list);
  ear_playback_controller_seek (fixture->control, episode, fixture->list, G_TIME_SPAN_SECOND);
  ear_history_set_mark (fixture->parts->history, episode, EAR_MARK_LISTENED, TRUE);
  g_assert_null (ear_player_get_episode (fixture->parts->player));
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_true (ear_library_close_finish (fixture->library, result, NULL));
  g_clear_object (&fixture->lamps[4]);
  g_clear_object (&fixture->list);
  g_clear_object (&fixture->library);
}

/* On low memory, data that can be loaded again is freed. */
static void
test_low_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMemoryMonitor) monitor = g_memory_monitor_dup_default ();
  g_autoptr (GBytes) picture = ear_test_made_picture (1, 0);
  const char *address = get_url (fixture, "/cover.png");

  ear_test_server_put_bytes (fixture->server, "/cover.png", "image/png", picture);
  open_library (fixture, NULL);
  EarCoverCache *covers = fixture->parts->covers;
  g_autoptr (EarImage) image = load_cover (fixture, address, EAR_COVER_SMALL);
  g_assert_nonnull (ear_cover_cache_peek (covers, address, EAR_COVER_SMALL));
  g_signal_emit_by_name (monitor, "low-memory-warning", G_MEMORY_MONITOR_WARNING_LEVEL_LOW);
  g_assert_null (ear_cover_cache_peek (covers, address, EAR_COVER_SMALL));
}

/* The first rows of a slow feed, and those of one that is cut off, stay. */
static void
test_parts_of_feeds (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED, "");

  put_feed (fixture, 1, 400);
  open_library (fixture, NULL);
  follow (fixture, "/~slow=20000/feed.xml");
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 1));
  g_assert_true (ear_podcast_get_refreshing (get_podcast (fixture)));
  g_assert_false (has_rows (list, 400));
  g_assert_cmpstr (ear_podcast_get_title (get_podcast (fixture)), ==, "The Lighthouse Hour");
  unfollow (fixture);

  put_feed (fixture, 1, 100);
  EarPodcast *podcast = fetch (fixture, "/~cut=4000/feed.xml");
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_INCOMPLETE);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), >, 10);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), <, 100);

  /* A report counts an error of another library as a failure without a code of its own. */
  ear_podcast_set_error (podcast, other);
  g_autofree char *report = ear_report_write (fixture->library);
  g_assert_nonnull (strstr (report, "failed with error 0: 1\n"));
}

static void
set_room (rlim_t bytes)
{
  const struct rlimit limit = { bytes, RLIM_INFINITY };

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* A full disk is reported once; when there is space again, all lost episodes are stored,
 * also those of podcasts followed meanwhile. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/later.xml", "/feed.xml");
  EarPodcast *podcast = follow_feed (fixture, 5);
  EarRefresher *refresher = fixture->parts->refresher;
  put_feed (fixture, 1, 20);
  set_room (8192);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (fixture->n_notices == 1 && is_at_rest (fixture));
  EarPodcast *later = follow (fixture, "/later.xml");
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  g_assert_cmpuint (fixture->n_notices, ==, 1);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);

  set_room (RLIM_INFINITY);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
  ear_refresher_refresh (refresher, later, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 20);
  g_assert_cmpuint (ear_podcast_get_n_episodes (later), ==, 20);
  g_assert_cmpuint (fixture->n_notices, ==, 1);
}

static void
fail (Fixture *fixture)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_SPACE, "No room");

  g_signal_emit_by_name (fixture->parts->catalogue, "failed", error, TRUE);
}

/* Only some episodes fit: the loss is reported once. Closing reports data that could not be
 * written. */
static void
test_little_room (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow_feed (fixture, 5);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_signal_connect_swapped (fixture->parts->catalogue, "episodes-changed::inserted",
                            G_CALLBACK (fail), fixture);
  for (guint last = 8; last <= 12; last += 2)
    {
      put_feed (fixture, 1, last);
      refresh (fixture);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, last);
      g_assert_cmpuint (fixture->n_notices, ==, 1);
      g_assert_false (fixture->lasting);
    }

  set_room (16);
  set_mark (fixture, 5, EAR_MARK_LISTENED, TRUE);
  ear_library_close_async (fixture->library, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_assert_false (ear_library_close_finish (fixture->library, result, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  set_room (RLIM_INFINITY);
  g_clear_object (&fixture->library);
}

static void
open_ahead (Fixture *fixture)
{
  make_library (fixture);
  ear_library_open_ahead (fixture->library);
}

static void
test_ahead (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autoptr (GError) error = NULL;

  /* There is no file yet, and none is made. */
  open_ahead (fixture);
  g_assert_false (g_file_test (catalogue, G_FILE_TEST_EXISTS));
  open_library (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, 0);
  follow (fixture, "/feed.xml");
  close_library (fixture);

  /* The podcast is available at once, before the main loop has run. */
  open_ahead (fixture);
  open_library (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  follow (fixture, "/another.xml");
  EAR_TEST_WAIT_UNTIL (count_followed (fixture) == 2);
  close_library (fixture);

  /* Not wanted after all; and changes after an early open were written, too. */
  open_ahead (fixture);
  g_clear_object (&fixture->library);
  open_library (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  close_library (fixture);

  /* An error of the early open is returned by the regular open. */
  EarDatabase *database = ear_database_open (catalogue, EAR_DATABASE_READ_WRITE, &error);
  g_assert_no_error (error);
  ear_database_exec (database, "PRAGMA user_version = 9999");
  g_assert_true (ear_database_finish (database, &error));
  ear_database_close (database);
  open_ahead (fixture);
  g_assert_false (ear_library_open (fixture->library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NEWER);
  g_clear_object (&fixture->library);

  write_text (catalogue, "This is no catalogue, and never was one.");
  open_ahead (fixture);
  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (fixture->notices->len > 0);
}

/* Links in notes are collected in the background, also after quitting before the scan. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  put_text (fixture, "/feed.xml",
            RSS ("The Lighthouse Hour",
                 "<item><guid>1</guid><title>One</title><description>&lt;p&gt;See"
                 " &lt;a href='https://arxiv.org/abs/1?utm_source=x'&gt;the paper&lt;/a&gt;"
                 "</description><pubDate>Mon, 01 Jan 2024 12:00:00 +0000</pubDate></item>"
                 "<item><guid>2</guid><title>Two</title><description>&lt;ul&gt;&lt;li&gt;"
                 "&lt;a href='http://arxiv.org/abs/1'&gt;again&lt;/a&gt;&lt;li&gt;"
                 "&lt;a href='https://example.org/b'&gt;B&lt;/a&gt;&lt;/ul&gt;"
                 "</description><pubDate>Mon, 08 Jan 2024 12:00:00 +0000</pubDate></item>"));
  follow_served (fixture);
  restart (fixture);
  g_autoptr (EarLinkList) list = ear_link_list_new (fixture->parts->catalogue);
  ear_link_list_set_watching (list, TRUE);
  ear_link_list_set_query (list, &(EarLinkQuery){ .kind = -1 });
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (list)) == 2);
  g_autoptr (EarLink) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (first->words, ==, "again");
  g_assert_cmpstr (first->key, ==, "arxiv.org/abs/1");
}

static const char *const paths[] = {
  "/~noetag/~nodate/generated/Large-4000.xml",
  "/~noetag/~nodate/~slow=300000/generated/Slow-3000.xml",
  "/~noetag/~nodate/~slow=60000/~gzip/generated/Slower-1500.xml",
  "/~noetag/~nodate/~cut=90000/generated/Cut-2000.xml",
  "/~stall=50000/generated/Stalled-1000.xml",
  "/~mute/generated/Mute-10.xml",
  "/~delay=150/~status=503/generated/Busy-10.xml",
  "/~redirect=302/~noetag/~nodate/generated/Elsewhere-500.xml",
};

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);
  EarDatabase *database = ear_database_open (path, EAR_DATABASE_READ_WRITE, NULL);

  g_assert_cmpint (ear_database_get_int (database,
                                         "SELECT count (*) FROM pragma_integrity_check"
                                         " WHERE integrity_check = 'ok'",
                                         ""),
                   ==, 1);
  g_assert_cmpint (ear_database_get_int (database, "SELECT count (*) FROM notes", ""), ==,
                   ear_database_get_int (database, "SELECT count (*) FROM episode", ""));
  g_assert_true (ear_database_finish (database, NULL));
  ear_database_close (database);
  /* Damaged files would have been set aside as "*.damaged-*". */
  g_assert_cmpuint (count_files (fixture->data, "damaged"), ==, 0);
  g_assert_cmpuint (count_files (state, "damaged"), ==, 0);
}

/* The listener quits at any moment while podcasts are refreshed, among them large, slow,
 * silent and damaged ones: again and again on the same data. No warning may be logged,
 * every reference must be released (close_library()), and the files must stay
 * intact. `-m slow` quits a hundred times. */
static void
test_quit (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 100 : 10;

  open_and_wait (fixture, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    follow (fixture, paths[i]);
  close_library (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      const guint milliseconds = (guint) g_test_rand_int_range (0, 700);

      g_test_message ("round %u: %u ms", i, milliseconds);
      open_library (fixture, NULL);
      /* The second one starts refreshes that the first start has not begun yet. */
      for (guint half = 0; half < 2; half++)
        {
          ear_refresher_refresh_all (fixture->parts->refresher, EAR_REFRESH_ALL);
          ear_test_spin (milliseconds / 2);
        }
      close_library (fixture);
      assert_whole (fixture);
    }

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, G_N_ELEMENTS (paths));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD_TEST ("/library/follow", test_follow);
  ADD_TEST ("/library/no-folder", test_no_folder);
  ADD_TEST ("/library/welcome-once", test_welcome_once);
  ADD_TEST ("/library/undo-unfollow-late", test_undo_unfollow_late);
  ADD_TEST ("/library/asked-while-closing", test_asked_while_closing);
  ADD_TEST ("/library/low-memory", test_low_memory);
  ADD_TEST ("/library/parts-of-feeds", test_parts_of_feeds);
  ADD_TEST ("/library/room/none", test_no_room);
  ADD_TEST ("/library/room/little", test_little_room);
  ADD_TEST ("/library/ahead", test_ahead);
  ADD_TEST ("/library/links", test_links);
  ADD_TEST ("/library/quit", test_quit);

  return g_test_run ();
}
