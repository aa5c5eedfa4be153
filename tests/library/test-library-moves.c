/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ear-address.h"
#include "ear-directory.h"
#include "ear-downloader-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* Podcasts and their episodes after the catalogue is lost, and after they move */

/* The catalogue only holds data from feeds: losing it loses none of the listener's
 * actions. */
static void
test_state_outlives_catalogue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *wal = g_build_filename (fixture->data, "catalogue.db-wal", NULL);

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  listen_to (fixture, 2);
  library_fixture_close (&fixture->library);
  g_unlink (catalogue);
  g_unlink (wal);

  open_library (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (list, 10));
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 2);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_listened (episode));
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

/* Feeds that rename their episodes, or drop some: known episodes stay the same. */
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
  EAR_TEST_WAIT_UNTIL (has_rows (list, 5));
  /* The first episode, which none of the shrunk feeds carry */
  for (position = 0; position < 5; position++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), position);

      if (g_str_has_suffix (ear_episode_get_title (episode), "1"))
        break;
    }
  g_autoptr (EarEpisode) played = g_list_model_get_item (G_LIST_MODEL (list), MIN (position, 4));
  ear_history_set_mark (ear_library_get_history (fixture->library), played, EAR_MARK_LISTENED, TRUE);

  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", after);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (get_podcast (fixture)), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 5);
  g_assert_true (ear_episode_get_listened (played));
  if (retitled)
    g_assert_cmpstr (ear_episode_get_title (played), ==, "Episode 1 (corrected)");
  if (g_str_equal (second, "enclosure-churn-b"))
    g_assert_nonnull (strstr (ear_episode_get_enclosure (played)->address, "tok=abc"));
  /* None of it is new, except the newest episode at the time of following. */
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_NEW, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) fresh = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  while (ear_episode_list_get_loading (fresh))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fresh)), <=, 1);

  if (g_str_has_suffix (second, "churn-b"))
    {
      g_autofree char *guid = g_strdup (ear_episode_get_guid (played));
      g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
      g_autofree char *wal = g_build_filename (fixture->data, "catalogue.db-wal", NULL);

      /* A library that only knows the new guids finds the marks set under the old
       * ones. */
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

/* A podcast's new address is known after the catalogue is lost, without a request to the
 * first one. */
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

/* A podcast was followed at two addresses, then only at its first one, which now leads to
 * the other: unfollowing the other does not affect it. */
static void
test_unfollowed_where_it_moves_to (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/first.xml", "/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/first.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), follow (fixture, "/feed.xml"));
  g_assert_true (has_podcast (fixture));
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/feed.xml");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (has_moved (fixture));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_true (has_podcast (fixture));
}

static gboolean
is_at_new_address (Fixture *fixture)
{
  return g_str_has_suffix (ear_podcast_get_feed_address (get_podcast (fixture)), "/new.xml");
}

/* Another machine stored a podcast's new address, and the folder is synchronized. */
static void
test_moved_on_another_machine (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *moved = follow_old_and_dup_moved (fixture, "/new.xml");

  if (data != NULL)
    open_and_wait (fixture, NULL);
  g_assert_true (g_file_set_contents (path, moved, -1, NULL));
  if (data == NULL)
    open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_at_new_address (fixture));

  ear_test_server_put_way (fixture->server, "/old.xml", "/~status=404/feed.xml");
  ear_test_server_put_way (fixture->server, "/new.xml", "/feed.xml");
  put_feed (fixture, 1, 8);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (get_podcast (fixture)) == 8);
}

/* Marks @n episodes of a podcast as listened, unfollows it, and follows it at another
 * address. */
static void
move_unfollowed (Fixture *fixture, guint n)
{
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  for (guint i = 0; i < n; i++)
    listen_to (fixture, i);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  g_assert_false (has_podcast (fixture));
  ear_test_server_put_way (fixture->server, "/old.xml", "/~status=404/feed.xml");
  ear_test_server_put_way (fixture->server, "/new.xml", "/feed.xml");
}

/* Whether the state file of the podcast followed at an address has an episode. */
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
  /* The marks are known in the same session, and read from the file in a later one. */
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

/* Two podcasts with the same title are not merged. */
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
  /* Earlier queries are answered first, so the count below is final. */
  ear_test_server_put_way (fixture->server, "/later.xml", "/feed.xml");
  later = follow (fixture, "/later.xml");
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (later) && ear_podcast_get_checked (later) > 0);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 11);
}

/* Finds the podcast of a result that the dialog, or the command line, has found by https;
 * the server is not asked again. */
static EarPodcast *
recognize (Fixture *fixture, const char *path, const char *title, gboolean secure)
{
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, path);
  g_autoptr (EarDirectoryEntry) entry = ear_directory_entry_new ();
  g_autoptr (EarDiscoveryResult) result = NULL;
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  EarPodcast *podcast;

  entry->address = g_strconcat ("https", plain + strlen ("http"), NULL);
  entry->title = g_strdup (title);
  entry->secure = secure;
  result = ear_discovery_result_new (entry, EAR_DISCOVERY_FITS);

  podcast = ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));
  if (podcast != NULL)
    ear_subscriptions_prefer_secure (subscriptions, podcast, result);

  return podcast;
}

static gboolean
is_fetched_by_https (Fixture *fixture)
{
  return g_str_has_prefix (ear_podcast_get_feed_address (get_podcast (fixture)), "https:");
}

/* Finding a followed podcast again by https switches it from http; it stays the same
 * podcast. */
static void
test_found_by_https (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = NULL;

  put_feed (fixture, 1, 10);
  open_library (fixture, NULL);
  address = g_strdup (ear_podcast_get_address (follow (fixture, "/feed.xml")));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  listen_to (fixture, 2);

  /* No switch for a result that only a directory lists, for another podcast's title, or
   * for an address that is not followed. */
  g_assert_true (recognize (fixture, "/feed.xml", "The Lighthouse Hour", FALSE) == get_podcast (fixture));
  g_assert_true (recognize (fixture, "/feed.xml", "Coming Soon", TRUE) == get_podcast (fixture));
  g_assert_null (recognize (fixture, "/other.xml", "The Lighthouse Hour", TRUE));
  g_assert_false (is_fetched_by_https (fixture));

  g_assert_true (recognize (fixture, "/feed.xml", "The Lighthouse Hour", TRUE) == get_podcast (fixture));
  g_assert_true (is_fetched_by_https (fixture));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_true (has_podcast (fixture));
  g_assert_true (is_fetched_by_https (fixture));
  g_assert_cmpstr (ear_podcast_get_address (get_podcast (fixture)), ==, address);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 9);
}

/* A podcast that was never fetched by http may have any title. */
static void
test_never_had_by_http (Fixture *fixture, gconstpointer data)
{
  ear_test_server_put_way (fixture->server, "/feed.xml", "/~status=500/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_error (get_podcast (fixture)) != NULL);
  g_assert_true (recognize (fixture, "/feed.xml", "The Lighthouse Hour", TRUE) == get_podcast (fixture));
  g_assert_true (is_fetched_by_https (fixture));
}

/* --- Podcasts that are followed twice ----------------------------------------------- */

static gboolean
has_two (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 2;
}

static gboolean
is_idle (Fixture *fixture)
{
  return !ear_refresher_get_refreshing (ear_library_get_refresher (fixture->library));
}

static void
undo_offered_cb (EarUndo **undo, EarUndo *offered)
{
  g_set_object (undo, offered);
}

static EarEpisode *
dup_lamp (Fixture *fixture, EarPodcast *podcast, const char *guid)
{
  EarEpisode *episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), podcast, guid);

  g_assert_nonnull (episode);

  return episode;
}

/* Follows a podcast at "/old.xml", and once more at "/feed.xml". */
static void
follow_twice (Fixture *fixture, EarPodcast **old, EarPodcast **new)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  open_library (fixture, NULL);
  *old = follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (is_idle (fixture) && ear_podcast_get_n_episodes (*old) == 5);
  *new = follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_idle (fixture) && ear_podcast_get_n_episodes (*new) == 5);
  g_assert_true (has_two (fixture));
}

static void
refresh_old (Fixture *fixture, EarPodcast *old)
{
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), old, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_idle (fixture));
}

/* Waits until the file is deleted. */
static void
download_and_remove (Fixture *fixture, EarEpisode *episode)
{
  EarDownloader *downloader = ear_library_get_downloader (fixture->library);
  g_autofree char *file = NULL;

  ear_downloader_download (downloader, episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE);
  file = ear_downloader_dup_file (downloader, episode);
  downloader->pause_scale = 0.001;
  ear_downloader_remove (downloader, episode);
  EAR_TEST_WAIT_UNTIL (!g_file_test (file, G_FILE_TEST_EXISTS));
  downloader->pause_scale = 1.0;
}

/* The old address later redirects to the new one. All that the listener did with either
 * is merged, and undo restores both; the old one keeps the marks of the new one. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sound = g_strnfill (3000, 'x');
  g_autoptr (EarUndo) undo = NULL;
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();
  g_autoptr (EarEpisode) old_two = NULL;
  g_autoptr (EarEpisode) old_three = NULL;
  g_autoptr (EarEpisode) new_three = NULL;
  g_autofree char *file = NULL;
  g_autofree char *file_after = NULL;
  EarSubscriptions *subscriptions;
  EarDownloader *downloader;
  EarHistory *history;
  EarPodcast *old, *new;
  EarList *list;

  memcpy (sound, "ID3\x04", 4);
  ear_test_server_put (fixture->server, "/audio/3.mp3", "audio/mpeg", sound);
  follow_twice (fixture, &old, &new);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (undo_offered_cb), &undo);
  subscriptions = ear_library_get_subscriptions (fixture->library);
  downloader = ear_library_get_downloader (fixture->library);
  history = ear_library_get_history (fixture->library);
  old_two = dup_lamp (fixture, old, "lamp-2");
  old_three = dup_lamp (fixture, old, "lamp-3");
  new_three = dup_lamp (fixture, new, "lamp-3");
  ear_history_set_mark (history, old_two, EAR_MARK_LISTENED, TRUE);
  ear_history_set_mark (history, new_three, EAR_MARK_POSITION, 77 * G_TIME_SPAN_SECOND);
  ear_history_set_mark (history, new_three, EAR_MARK_LIKED, TRUE);
  ear_subscriptions_set_setting (subscriptions, new, EAR_PODCAST_SETTING_SPEED, 150);
  ear_subscriptions_set_folder (subscriptions, new, "Harbour");
  g_ptr_array_add (listed, new_three);
  list = ear_lists_create (ear_library_get_lists (fixture->library), "Lamps", NULL, listed);
  download_and_remove (fixture, old_three);
  ear_downloader_download (downloader, new_three);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (new_three) == EAR_DOWNLOAD_DONE);
  file = ear_downloader_dup_file (downloader, new_three);

  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=301/feed.xml");
  refresh_old (fixture, old);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture) && ear_episode_get_liked (old_three));
  g_assert_true (get_podcast (fixture) == old);
  g_assert_cmpstr (ear_undo_get_message (undo), ==, "Merged two addresses of “The Lighthouse Hour”");
  g_assert_cmpint (ear_episode_get_position (old_three), ==, 77 * G_TIME_SPAN_SECOND);
  g_assert_true (ear_episode_get_listened (old_two));
  g_assert_cmpint (ear_podcast_get_settings (old)->values[EAR_PODCAST_SETTING_SPEED], ==, 150);
  g_assert_cmpstr (ear_podcast_get_folder (old), ==, "Harbour");
  g_assert_true (ear_lists_contain (ear_library_get_lists (fixture->library), old_three));
  EAR_TEST_WAIT_UNTIL (ear_list_get_count (list) == 1);
  file_after = ear_downloader_dup_file (downloader, old_three);
  g_assert_cmpstr (file_after, ==, file);
  g_assert_true (g_file_test (file_after, G_FILE_TEST_IS_REGULAR));

  ear_undo_run (undo);
  EAR_TEST_WAIT_UNTIL (has_two (fixture));
  g_assert_true (ear_episode_get_listened (old_two));
  g_assert_true (ear_lists_contain (ear_library_get_lists (fixture->library), old_three));
  g_assert_true (g_file_test (file, G_FILE_TEST_IS_REGULAR));
  /* The next check does not merge them again. */
  EAR_TEST_WAIT_UNTIL (is_idle (fixture));
  refresh_old (fixture, old);
  for (guint i = 0; i < 100; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (has_two (fixture));
}

/* A list with the old and the new address of a podcast */
static void
test_merged_at_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=308/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_idle (fixture) && has_podcast (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
}

static void
put_guided (Fixture *fixture, const char *path, const char *guid, const char *prefix)
{
  g_autofree char *feed = g_strdup_printf (
      "<rss version='2.0' xmlns:podcast='https://podcastindex.org/namespace/1.0'><channel><title>Lamps</title>"
      "<podcast:guid>%s</podcast:guid><item><guid>%s-2</guid><title>Two</title></item>"
      "<item><guid>%s-1</guid><title>One</title></item></channel></rss>", guid, prefix, prefix);

  ear_test_server_put (fixture->server, path, "application/rss+xml", feed);
}

/* Two feeds with one guid are one podcast if they have the same episodes, and neither
 * requires a login. */
static void
test_merged_by_guid (Fixture *fixture, gconstpointer data)
{
  static const char guid[] = "5e0c7f3a-1f4b-5d0e-9c57-0a4f0f6f2b11";
  static const struct
  {
    const char *path;
    const char *guid;
    const char *prefix;
    gboolean same;
  } others[] = {
    { "/other-guid.xml", "0f8b1f52-7f0c-5e25-8a1c-3c1f8a6f9d22", "lamp", FALSE },
    { "/other-episodes.xml", guid, "knot", FALSE },
    { "/members.xml?auth=hush", guid, "lamp", FALSE },
    { "/same.xml", guid, "lamp", TRUE },
  };
  guint n = 1;

  open_library (fixture, NULL);
  put_guided (fixture, "/first.xml", guid, "lamp");
  follow (fixture, "/first.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      EarPodcast *other;

      put_guided (fixture, others[i].path, others[i].guid, others[i].prefix);
      if (strchr (others[i].path, '?') != NULL)
        put_guided (fixture, "/members.xml", others[i].guid, others[i].prefix);
      other = follow (fixture, others[i].path);
      n += !others[i].same;
      if (others[i].same)
        EAR_TEST_WAIT_UNTIL (is_idle (fixture) && !ear_podcast_get_followed (other));
      else
        EAR_TEST_WAIT_UNTIL (is_idle (fixture) && ear_podcast_get_n_episodes (other) == 2);
      g_assert_cmpuint (g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)), ==, n);
    }
}

int
main (int argc, char *argv[])
{
  static const char *const churns[] = {
    "guid-churn-b", "enclosure-churn-b", "both-churn-b", "vanish-b", "retitled-b",
  };

  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add ("/library-moves/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("state-outlives-catalogue", test_state_outlives_catalogue);
  ADD ("move-outlives-catalogue", test_move_outlives_catalogue);
  ADD ("unfollowed-where-it-moves-to", test_unfollowed_where_it_moves_to);
  ADD ("another-of-that-name", test_another_of_that_name);
  ADD ("found-by-https", test_found_by_https);
  ADD ("never-had-by-http", test_never_had_by_http);
  ADD ("merged", test_merged);
  ADD ("merged/at-once", test_merged_at_once);
  ADD ("merged/by-guid", test_merged_by_guid);
#undef ADD
  g_test_add ("/library-moves/on-another-machine", Fixture, NULL, set_up, test_moved_on_another_machine, tear_down);
  g_test_add ("/library-moves/on-another-machine/meanwhile", Fixture, "meanwhile", set_up, test_moved_on_another_machine, tear_down);
  g_test_add ("/library-moves/comes-back-elsewhere", Fixture, NULL, set_up, test_comes_back_elsewhere, tear_down);
  g_test_add ("/library-moves/comes-back-elsewhere/restarted", Fixture, "restarted", set_up, test_comes_back_elsewhere, tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (churns); i++)
    {
      g_autofree char *path = g_strconcat ("/library-moves/churn/", churns[i], NULL);

      g_test_add (path, Fixture, churns[i], set_up, test_churn, tear_down);
    }

  return g_test_run ();
}
