/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ear-address.h"
#include "ear-error.h"
#include "ear-library.h"
#include "ear-player-private.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* A library of its own in a folder of its own, and a server to follow. */
typedef struct
{
  char *folder;
  char *data;
  char *cache;
  EarTestServer *server;
  EarLibrary *library;
} Fixture;

static void
open_library (Fixture *fixture, const char *welcome)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = welcome != NULL ? g_file_new_for_path (welcome) : NULL;

  fixture->library = ear_library_new (fixture->data, fixture->cache);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
  ear_library_start (fixture->library, file);
}

static void
started_cb (EarLibrary *library, gboolean *started)
{
  *started = TRUE;
}

/* Until it is known what is followed. */
static void
open_and_wait (Fixture *fixture, const char *welcome)
{
  gboolean started = FALSE;

  open_library (fixture, welcome);
  g_signal_connect (fixture->library, "started", G_CALLBACK (started_cb), &started);
  EAR_TEST_WAIT_UNTIL (started);
  g_signal_handlers_disconnect_by_data (fixture->library, &started);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-library-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
}

static void
put_feed (Fixture *fixture, guint first, guint last)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel>"
                                           "<title>The Lighthouse Hour</title><description>About lamps</description>");

  for (guint i = last; i >= first && i > 0; i--)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autofree char *noise = g_compute_checksum_for_string (G_CHECKSUM_SHA512, number, -1);

      /* The comment keeps the feed from shrinking to nothing when it is compressed. */
      g_string_append_printf (feed,
                              "<item><guid>lamp-%u</guid><title>Lamp %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                              "<description>&lt;p&gt;Of &lt;b&gt;lamp&lt;/b&gt; %u&lt;/p&gt;</description><!-- %s -->"
                              "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
                              i, i, 1 + i % 28, i, noise, i);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

static EarPodcast *
follow (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_library_follow (fixture->library, address, NULL);
}

static EarPodcast *
get_podcast (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, 0);

  return podcast;
}

static gboolean
has_podcast (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 1;
}

static gboolean
is_refreshed (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && !ear_podcast_get_refreshing (podcast) &&
         (ear_podcast_get_checked (podcast) > 0 || ear_podcast_get_error (podcast) != NULL);
}

static gboolean
is_settled (Fixture *fixture)
{
  return is_refreshed (fixture) && ear_podcast_get_error (get_podcast (fixture)) == NULL;
}

static gboolean
has_error (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && !ear_podcast_get_refreshing (podcast) && ear_podcast_get_error (podcast) != NULL;
}

static EarEpisodeList *
list_all (Fixture *fixture)
{
  g_autoptr (EarEpisodeQuery) query =
    ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  EarEpisodeList *list = ear_library_create_list (fixture->library, query);

  while (ear_episode_list_get_loading (list))
    g_main_context_iteration (NULL, TRUE);

  return list;
}

/* Every waiting function below looks at this list. */
static EarEpisodeList *current_list;
static guint wanted_rows;

static gboolean
list_has_rows (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (current_list)) >= wanted_rows;
}

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_feed (fixture, 1, 25);
  open_library (fixture, NULL);
  podcast = follow (fixture, "/feed.xml");
  g_assert_nonnull (podcast);
  g_assert_null (ear_library_follow (fixture->library, "file:///etc/passwd", NULL));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Lighthouse Hour");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 25);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 25);

  g_autoptr (EarEpisodeList) list = list_all (fixture);
  current_list = list;
  wanted_rows = 25;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (ear_episode_get_title (first), ==, "Lamp 25");
  g_assert_true (g_str_has_suffix (ear_episode_get_enclosure (first)->address, "/audio/25.mp3"));
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
  ear_library_unfollow (fixture->library, get_podcast (fixture));
  g_assert_false (has_podcast (fixture));
  library_fixture_close (&fixture->library);

  /* Unfollowed is unfollowed, whatever we would have liked to welcome with. */
  open_and_wait (fixture, welcome);
  g_assert_false (has_podcast (fixture));
}

static void
test_first_rows_of_slow_feed (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 400);
  open_library (fixture, NULL);
  follow (fixture, "/~slow=20000/feed.xml");
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  current_list = list;
  wanted_rows = 1;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_assert_true (ear_podcast_get_refreshing (get_podcast (fixture)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), <, 400);
  g_assert_cmpstr (ear_podcast_get_title (get_podcast (fixture)), ==, "The Lighthouse Hour");
  ear_library_unfollow (fixture->library, get_podcast (fixture));
}

static void
count_signal_cb (guint *count)
{
  (*count)++;
}

static void
test_not_modified (Fixture *fixture, gconstpointer data)
{
  guint before, changes = 0;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (count_signal_cb), &changes);

  before = ear_test_server_count_requests (fixture->server, "/feed.xml");
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/feed.xml"), ==, before + 1);
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/feed.xml");
  g_assert_cmpuint (request->status, ==, 304);
  g_assert_cmpuint (changes, ==, 0);

  /* Two more episodes are two more rows, in one place. */
  put_feed (fixture, 1, 12);
  current_list = list;
  wanted_rows = 12;
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_assert_cmpuint (changes, <=, 2);
}

static void
test_garbage_keeps_episodes (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));

  ear_test_server_put (fixture->server, "/feed.xml", "text/html", "<!DOCTYPE html><html><body>Parked domain</body></html>");
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_WEB_PAGE);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);

  /* A feed that shrinks takes nothing away, and well again is well again. */
  put_feed (fixture, 9, 10);
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
}

static void
test_cut_feed_keeps_what_came (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 100);
  open_library (fixture, NULL);
  follow (fixture, "/~cut=4000/feed.xml");
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_INCOMPLETE);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), >, 10);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), <, 100);
}

static void
test_network_returns (Fixture *fixture, gconstpointer data)
{
  guint16 port;
  g_autoptr (GUri) base = g_uri_parse (ear_test_server_get_base_url (fixture->server), G_URI_FLAGS_NONE, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");

  port = g_uri_get_port (base);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);

  open_library (fixture, NULL);
  ear_library_follow (fixture->library, address, NULL);
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_UNREACHABLE);

  fixture->server = ear_test_server_new ();
  ear_test_server_set_port (fixture->server, port);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  put_feed (fixture, 1, 4);
  /* Nobody asks again: it fills by itself. */
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 4);
}

static void
test_undo_unfollow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 3);

    ear_library_set_listened (fixture->library, episode, TRUE);
    g_assert_true (ear_episode_get_listened (episode));
  }
  address = g_strdup (ear_podcast_get_address (get_podcast (fixture)));
  ear_library_unfollow (fixture->library, get_podcast (fixture));
  g_assert_false (has_podcast (fixture));

  ear_library_follow (fixture->library, address, NULL);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  current_list = list;
  wanted_rows = 10;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 3);
  g_assert_true (ear_episode_get_listened (episode));
}

static EarEpisode *watched_episode;

static gboolean
is_listened (Fixture *fixture)
{
  return ear_episode_get_listened (watched_episode);
}

/* The catalogue is only what feeds said: losing it loses nothing that the listener did. */
static void
test_state_outlives_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *wal = g_build_filename (fixture->data, "catalogue.db-wal", NULL);

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 2);

    ear_library_set_listened (fixture->library, episode, TRUE);
  }
  library_fixture_close (&fixture->library);
  g_unlink (catalogue);
  g_unlink (wal);

  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  current_list = list;
  wanted_rows = 10;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 2);
  watched_episode = episode;
  EAR_TEST_WAIT_UNTIL (is_listened (fixture));
}

static void
notes_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(EarNotes **) user_data = ear_library_load_notes_finish (EAR_LIBRARY (source), result, &error);
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

  ear_library_load_notes_async (fixture->library, episode, NULL, notes_loaded_cb, &loaded);
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
  current_list = list;
  wanted_rows = 83;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_cmpstr (ear_episode_get_title (first), ==, "Compiler collectives");
  g_assert_cmpint (ear_episode_get_duration (first), ==, (16 * 60 + 33) * (gint64) G_USEC_PER_SEC);
}

static gboolean
has_one_listened (Fixture *fixture)
{
  return ear_podcast_get_n_unplayed (get_podcast (fixture)) == 4;
}

static char *
emit_hostile (const char *name)
{
  const char *shared = g_getenv ("EARMARK_SHARED");
  g_autofree char *script = g_build_filename (shared != NULL ? shared : "..", "corpus", "hostile", "hostile.py", NULL);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  if (!g_file_test (script, G_FILE_TEST_EXISTS))
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "python3", script, "emit", name, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_true (g_subprocess_get_successful (process));

  return output;
}

/* Feeds that change what their episodes are called, or lose some of them: what is there
 * stays what it is. */
static void
test_churn (Fixture *fixture, gconstpointer data)
{
  const char *second = data;
  const gboolean retitled = g_str_equal (second, "retitled-b");
  g_autofree char *before = emit_hostile ("guid-churn-a");
  g_autofree char *after = emit_hostile (second);
  guint position;

  if (before == NULL || after == NULL)
    {
      g_test_skip ("the hostile feeds are not beside the repository");
      return;
    }
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", before);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  current_list = list;
  wanted_rows = 5;
  EAR_TEST_WAIT_UNTIL (list_has_rows (fixture));
  /* The first one, which the feed goes on to carry in none of the shrunk ones. */
  for (position = 0; position < 5; position++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), position);

      if (g_str_has_suffix (ear_episode_get_title (episode), "1"))
        break;
    }
  g_autoptr (EarEpisode) played = g_list_model_get_item (G_LIST_MODEL (list), MIN (position, 4));
  ear_library_set_listened (fixture->library, played, TRUE);

  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", after);
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (get_podcast (fixture)), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 5);
  g_assert_true (ear_episode_get_listened (played));
  if (retitled)
    g_assert_cmpstr (ear_episode_get_title (played), ==, "Episode 1 (corrected)");
  if (g_str_equal (second, "enclosure-churn-b"))
    g_assert_nonnull (strstr (ear_episode_get_enclosure (played)->address, "tok=abc"));
  /* Nothing of it is new, but the one that was the newest when it was followed. */
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_NEW, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) fresh = ear_library_create_list (fixture->library, query);
  while (ear_episode_list_get_loading (fresh))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fresh)), <=, 1);

  if (g_str_has_suffix (second, "churn-b"))
    {
      g_autofree char *guid = g_strdup (ear_episode_get_guid (played));
      g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
      g_autofree char *wal = g_build_filename (fixture->data, "catalogue.db-wal", NULL);

      /* Also who only knows the new names finds what was done under the old ones. */
      g_clear_object (&played);
      g_clear_object (&list);
      g_clear_object (&fresh);
      library_fixture_close (&fixture->library);
      g_unlink (catalogue);
      g_unlink (wal);
      open_library (fixture, NULL);
      EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
      EAR_TEST_WAIT_UNTIL (is_settled (fixture));
      EAR_TEST_WAIT_UNTIL (has_one_listened (fixture));
    }
}

/* Where a podcast has moved to is known even after the catalogue was lost, and its first
 * address is not needed any more. */
static void
test_move_outlives_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *wal = g_build_filename (fixture->data, "catalogue.db-wal", NULL);
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *first = NULL;

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/first.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  first = g_strdup (ear_podcast_get_address (get_podcast (fixture)));
  g_assert_cmpstr (ear_podcast_get_feed_address (get_podcast (fixture)), ==, there);
  library_fixture_close (&fixture->library);
  g_unlink (catalogue);
  g_unlink (wal);
  ear_test_server_put_way (fixture->server, "/first.xml", "/~status=404/feed.xml");

  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_address (get_podcast (fixture)), ==, first);
  g_assert_cmpstr (ear_podcast_get_feed_address (get_podcast (fixture)), ==, there);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
}

static gboolean
has_moved (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return is_settled (fixture) && g_strcmp0 (ear_podcast_get_feed_address (podcast), ear_podcast_get_address (podcast)) != 0;
}

/* A podcast was followed at two addresses, and then at its first one only, which leads to the other
 * by now: that the other is not followed says nothing about it. */
static void
test_unfollowed_where_it_moves_to (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/first.xml", "/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/first.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  ear_library_unfollow (fixture->library, follow (fixture, "/feed.xml"));
  g_assert_true (has_podcast (fixture));
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/feed.xml");
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (has_moved (fixture));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_true (has_podcast (fixture));
}

/* Marks @n episodes as listened of a podcast that is unfollowed then, and comes back at another address. */
static void
move_unfollowed (Fixture *fixture, guint n)
{
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);

    for (guint i = 0; i < n; i++)
      {
        g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), i);

        ear_library_set_listened (fixture->library, episode, TRUE);
      }
  }
  ear_library_unfollow (fixture->library, get_podcast (fixture));
  g_assert_false (has_podcast (fixture));
  ear_test_server_put_way (fixture->server, "/old.xml", "/~status=404/feed.xml");
  ear_test_server_put_way (fixture->server, "/new.xml", "/feed.xml");
}

/* Whether the file of the podcast that was followed at an address knows of an episode. */
static gboolean
is_kept (Fixture *fixture, const char *path, const char *guid)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);
  g_autofree char *hash = ear_address_hash (address, NULL);
  g_autofree char *name = g_strconcat (hash, ".json", NULL);
  g_autofree char *file = g_build_filename (fixture->data, "state", name, NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (file, &text, NULL, NULL) && strstr (text, guid) != NULL;
}

static void
test_comes_back_elsewhere (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 10);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  move_unfollowed (fixture, 4);
  /* The one who unfollowed knows it, and who reads the file. */
  if (data != NULL)
    {
      library_fixture_close (&fixture->library);
      open_and_wait (fixture, NULL);
    }

  follow (fixture, "/new.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 6);

  library_fixture_close (&fixture->library);
  g_assert_true (is_kept (fixture, "/new.xml", "lamp-10"));
}

/* That two have the same title does not make them one. */
static void
test_another_of_that_name (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast, *later;

  put_feed (fixture, 1, 10);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  move_unfollowed (fixture, 4);
  put_feed (fixture, 10, 20);

  podcast = follow (fixture, "/new.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  /* What was asked for before is answered before. */
  ear_test_server_put_way (fixture->server, "/later.xml", "/feed.xml");
  later = follow (fixture, "/later.xml");
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (later) && ear_podcast_get_checked (later) > 0);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 11);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (ear_library_close_finish (EAR_LIBRARY (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* Media keys and other programs know nothing of the moment in which everything is written. */
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
    ear_library_play (fixture->library, episode, list);
    ear_library_toggle (fixture->library, episode, list);
    ear_library_seek (fixture->library, episode, G_TIME_SPAN_SECOND);
    ear_library_set_listened (fixture->library, episode, TRUE);
    g_assert_null (ear_library_get_episode (fixture->library));
    EAR_TEST_WAIT_UNTIL (closed);
  }
  g_clear_object (&fixture->library);
}

/* --- Names and passwords ------------------------------------------------------------- */

static void
put_members_feed (Fixture *fixture, const char *enclosure)
{
  /* A second of silence: it is not listened to. */
  static const guint8 head[] = "RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x40\x1f\0\0";
  GByteArray *sound = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *feed =
    g_strdup_printf ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Members</title><item><guid>m</guid>"
                     "<title>For you</title><enclosure url=\"%s\" type=\"audio/wav\" length=\"8044\"/></item></channel></rss>", enclosure);

  g_byte_array_append (sound, head, 44);
  g_byte_array_set_size (sound, 8044);
  memset (sound->data + 44, 128, 8000);
  bytes = g_byte_array_free_to_bytes (sound);
  ear_test_server_put_bytes (fixture->server, "/a.wav", "audio/wav", bytes);
  ear_test_server_put (fixture->server, "/members.xml", "application/rss+xml", feed);
}

typedef struct
{
  gboolean answered;
  gboolean accepted;
  GError *error;
} SignIn;

static void
signed_in_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  SignIn *answer = user_data;

  answer->accepted = ear_library_sign_in_finish (EAR_LIBRARY (source), result, &answer->error);
  answer->answered = TRUE;
}

/* Whether the server takes it. */
static gboolean
sign_in (Fixture *fixture, const char *user, const char *password)
{
  SignIn answer = { 0 };

  ear_library_sign_in_async (fixture->library, get_podcast (fixture), user, password, NULL, signed_in_cb, &answer);
  EAR_TEST_WAIT_UNTIL (answer.answered);
  if (answer.accepted)
    g_assert_no_error (answer.error);
  else
    g_assert_error (answer.error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
  g_clear_error (&answer.error);

  return answer.accepted;
}

static gboolean
is_quiet (Fixture *fixture)
{
  return !ear_podcast_get_refreshing (get_podcast (fixture));
}

static void
test_sign_in (Fixture *fixture, gconstpointer data)
{
  guint notices = 0;

  put_members_feed (fixture, "@BASE@/a.wav");
  open_library (fixture, NULL);
  g_signal_connect_swapped (fixture->library, "notice", G_CALLBACK (count_signal_cb), &notices);
  follow (fixture, "/~status=401/members.xml");
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_true (ear_podcast_get_needs_password (get_podcast (fixture)));

  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);

  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
  g_assert_true (ear_podcast_get_needs_password (get_podcast (fixture)));
  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
  ear_test_spin (100);
  g_assert_cmpuint (notices, ==, 0);

  g_assert_true (sign_in (fixture, EAR_TEST_USER, EAR_TEST_PASSWORD));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  /* This session has no bus, and so no Secret Service to keep it, which may be found out later. */
  EAR_TEST_WAIT_UNTIL (notices == 1);
  g_assert_false (ear_podcast_get_needs_password (get_podcast (fixture)));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 1);

  /* From then on it is told without being asked. */
  ear_test_server_clear_log (fixture->server);
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  /* A slip does not take its place. */
  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
  ear_library_refresh (fixture->library, get_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_cmpuint (notices, ==, 1);
}

#define MEDIA "/~status=401/a.wav"

static gboolean
is_refused (Fixture *fixture)
{
  return ear_error_wants_login (ear_player_get_error (ear_library_get_player (fixture->library)));
}

static gboolean
is_served (Fixture *fixture)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, MEDIA);

  return request != NULL && request->status >= 200 && request->status < 300;
}

/* In real time, without any sound. */
static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

/* The server of the sound asks, though that of the feed did not. */
static void
test_sign_in_to_sound (Fixture *fixture, gconstpointer data)
{
  guint notices = 0;

  put_members_feed (fixture, "@BASE@" MEDIA);
  open_library (fixture, NULL);
  ear_player_set_sink (ear_library_get_player (fixture->library), make_sink_cb, NULL);
  g_signal_connect_swapped (fixture->library, "notice", G_CALLBACK (count_signal_cb), &notices);
  follow (fixture, "/members.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 0);

    ear_library_play (fixture->library, episode, NULL);
    EAR_TEST_WAIT_UNTIL (is_refused (fixture));
    g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
    g_assert_true (is_refused (fixture));
    ear_test_spin (100);
    g_assert_cmpuint (notices, ==, 0);
    g_assert_true (sign_in (fixture, EAR_TEST_USER, EAR_TEST_PASSWORD));
    EAR_TEST_WAIT_UNTIL (is_served (fixture));
    /* It was to be kept. */
    EAR_TEST_WAIT_UNTIL (notices == 1);
  }
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, NULL);

  g_assert_nonnull (image);
  *(gboolean *) user_data = TRUE;
}

/* The computer has little memory left: what can be had again leaves ours. */
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
  static const char *const churns[] = {
    "guid-churn-b", "enclosure-churn-b", "both-churn-b", "vanish-b", "retitled-b",
  };

  g_test_init (&argc, &argv, NULL);
  ADD ("/library/follow", test_follow);
  ADD ("/library/welcome-once", test_welcome_once);
  ADD ("/library/first-rows-of-slow-feed", test_first_rows_of_slow_feed);
  ADD ("/library/not-modified", test_not_modified);
  ADD ("/library/garbage-keeps-episodes", test_garbage_keeps_episodes);
  ADD ("/library/cut-feed-keeps-what-came", test_cut_feed_keeps_what_came);
  ADD ("/library/network-returns", test_network_returns);
  ADD ("/library/undo-unfollow", test_undo_unfollow);
  ADD ("/library/state-outlives-catalogue", test_state_outlives_catalogue);
  ADD ("/library/notes", test_notes);
  ADD ("/library/seed", test_seed);
  ADD ("/library/move-outlives-catalogue", test_move_outlives_catalogue);
  ADD ("/library/unfollowed-where-it-moves-to", test_unfollowed_where_it_moves_to);
  ADD ("/library/another-of-that-name", test_another_of_that_name);
  g_test_add ("/library/comes-back-elsewhere", Fixture, NULL, set_up, test_comes_back_elsewhere, tear_down);
  g_test_add ("/library/comes-back-elsewhere/restarted", Fixture, "restarted", set_up, test_comes_back_elsewhere, tear_down);
  ADD ("/library/asked-while-closing", test_asked_while_closing);
  ADD ("/library/sign-in", test_sign_in);
  ADD ("/library/low-memory", test_low_memory);
  ADD ("/library/sign-in-to-sound", test_sign_in_to_sound);

  for (gsize i = 0; i < G_N_ELEMENTS (churns); i++)
    {
      g_autofree char *path = g_strconcat ("/library/churn/", churns[i], NULL);

      g_test_add (path, Fixture, churns[i], set_up, test_churn, tear_down);
    }

  return g_test_run ();
}
