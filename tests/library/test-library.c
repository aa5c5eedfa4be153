/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"
#include "ear-error.h"
#include "ear-library-private.h"
#include "ear-notes-loader.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* Following, listing, playing and closing */

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_feed (fixture, 1, 25);
  open_library (fixture, NULL);
  podcast = follow (fixture, "/feed.xml");
  g_assert_nonnull (podcast);
  g_assert_null (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "file:///etc/passwd", NULL));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Lighthouse Hour");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 25);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 25);

  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 25));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (ear_episode_get_title (first), ==, "Lamp 25");
  g_assert_true (g_str_has_suffix (ear_episode_get_enclosure (first)->address, "/audio/25.mp3"));
}

/* The message shown depends on the domain of the error. */
static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *below = g_build_filename (file, "earmark", NULL);
  g_autoptr (EarLibrary) library = ear_library_new (below, fixture->folder);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_false (ear_library_lock (library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (ear_library_open (library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
}

static void
write_welcome (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *opml = g_strdup_printf ("<opml version=\"2.0\"><body><outline text=\"x\" xmlUrl=\"%s\"/></body></opml>", address);

  g_assert_true (g_file_set_contents (path, opml, -1, NULL));
}

static void
test_welcome_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *welcome = g_build_filename (fixture->folder, "welcome.opml", NULL);

  put_feed (fixture, 1, 3);
  write_welcome (fixture, welcome);
  open_library (fixture, welcome);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  library_fixture_close (&fixture->library);

  open_library (fixture, welcome);
  g_assert_true (has_podcast (fixture));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  g_assert_false (has_podcast (fixture));
  library_fixture_close (&fixture->library);

  /* An unfollowed welcome podcast does not come back. */
  open_and_wait (fixture, welcome);
  g_assert_false (has_podcast (fixture));
}

static void
test_undo_unfollow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  listen_to (fixture, 3);
  address = g_strdup (ear_podcast_get_address (get_podcast (fixture)));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  g_assert_false (has_podcast (fixture));

  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 10));
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 3);
  g_assert_true (ear_episode_get_listened (episode));
}

static void
take_undo_cb (EarUndo **undo, EarUndo *offered)
{
  g_set_object (undo, offered);
}

/* Undoing an unfollow restores the episode in the player, even when the podcast has to be
 * fetched again. */
static void
test_undo_unfollow_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;
  EarEpisode *playing;
  gint64 id;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (take_undo_cb), &undo);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 3);

    ear_episode_set_position (episode, 42 * G_USEC_PER_SEC);
    ear_player_open (fixture->library->services.player, episode, NULL, 42 * G_USEC_PER_SEC);
    id = ear_episode_get_id (episode);
  }
  ear_catalogue_set_purge_delay (fixture->library->services.catalogue, 1);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  g_assert_null (ear_player_get_episode (fixture->library->services.player));
  while (g_hash_table_size (fixture->library->services.catalogue->by_id) > 0)
    g_main_context_iteration (NULL, TRUE);

  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  playing = ear_player_get_episode (fixture->library->services.player);
  g_assert_nonnull (playing);
  g_assert_cmpint (ear_episode_get_id (playing), !=, id);
  g_assert_true (ear_episode_get_podcast (playing) == get_podcast (fixture));
  g_assert_cmpstr (ear_episode_get_guid (playing), ==, "lamp-7");
  g_assert_cmpint (ear_episode_get_position (playing), ==, 42 * G_USEC_PER_SEC);
}

static void
notes_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(EarNotes **) user_data = ear_notes_load_finish (result, &error);
  g_assert_no_error (error);
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  EarNotes *loaded = NULL;

  put_feed (fixture, 1, 2);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 0);

  ear_notes_load_async (ear_library_get_catalogue (fixture->library), episode, NULL, notes_loaded_cb, &loaded);
  while (loaded == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_autoptr (EarNotes) notes = loaded;
  g_autofree char *text = ear_notes_to_text (notes);
  g_assert_cmpstr (text, ==, "Of lamp 2");
}

static void
test_seed (Fixture *fixture, gconstpointer data)
{
  const char *shared = g_getenv ("EARMARK_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "..", "seeds", "pytorch-developer-podcast.rss.xml", NULL);
  g_autofree char *contents = NULL;

  if (!g_file_get_contents (path, &contents, NULL, NULL))
    {
      g_test_skip ("the seed feed is not beside the repository");
      return;
    }
  ear_test_server_put (fixture->server, "/feed.xml", "application/xml", contents);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_title (get_podcast (fixture)), ==, "PyTorch Developer Podcast");
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 83);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 83));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (ear_episode_get_title (first), ==, "Compiler collectives");
  g_assert_cmpint (ear_episode_get_duration (first), ==, (16 * 60 + 33) * (gint64) G_USEC_PER_SEC);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (ear_library_close_finish (EAR_LIBRARY (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* Media keys and other programs may send requests while everything is written at exit. */
static void
test_asked_while_closing (Fixture *fixture, gconstpointer data)
{
  gboolean closed = FALSE;

  put_feed (fixture, 1, 5);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 1);

    ear_library_close_async (fixture->library, closed_cb, &closed);
    ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                  list);
    ear_playback_controller_toggle (ear_library_get_playback_controller (fixture->library), episode,
                                    list);
    ear_playback_controller_seek (ear_library_get_playback_controller (fixture->library), episode,
                                  list, G_TIME_SPAN_SECOND);
    ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
    g_assert_null (ear_player_get_episode (ear_library_get_player (fixture->library)));
    EAR_TEST_WAIT_UNTIL (closed);
  }
  g_clear_object (&fixture->library);
}

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, NULL);

  g_assert_nonnull (image);
  *(gboolean *) user_data = TRUE;
}

/* On low memory, data that can be loaded again is freed. */
static void
test_low_memory (Fixture *fixture, gconstpointer data)
{
  static const guint8 picture[] = {
    0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
    0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, 'I', 'D', 'A', 'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01,
    0x01, 0x00, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82,
  };
  g_autoptr (GMemoryMonitor) monitor = g_memory_monitor_dup_default ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (picture, sizeof picture);
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/cover.png");
  EarCoverCache *covers;
  gboolean loaded = FALSE;

  ear_test_server_put_bytes (fixture->server, "/cover.png", "image/png", bytes);
  open_library (fixture, NULL);
  covers = ear_library_get_covers (fixture->library);
  ear_cover_cache_load_async (covers, address, EAR_COVER_SMALL, NULL, cover_loaded_cb, &loaded);
  EAR_TEST_WAIT_UNTIL (loaded);
  g_assert_nonnull (ear_cover_cache_peek (covers, address, EAR_COVER_SMALL));
  g_signal_emit_by_name (monitor, "low-memory-warning", G_MEMORY_MONITOR_WARNING_LEVEL_LOW);
  g_assert_null (ear_cover_cache_peek (covers, address, EAR_COVER_SMALL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add ("/library/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("follow", test_follow);
  ADD ("no-folder", test_no_folder);
  ADD ("welcome-once", test_welcome_once);
  ADD ("undo-unfollow", test_undo_unfollow);
  ADD ("undo-unfollow/late", test_undo_unfollow_late);
  ADD ("notes", test_notes);
  ADD ("seed", test_seed);
  ADD ("asked-while-closing", test_asked_while_closing);
  ADD ("low-memory", test_low_memory);
#undef ADD

  return g_test_run ();
}
