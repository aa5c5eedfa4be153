/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-directory.h"
#include "ear-downloader-private.h"
#include "served-library.h"

/* Followed podcasts match `subscriptions.json`; podcasts, their episodes and their settings
 * after they move, are merged or unfollowed, and after the catalogue is lost. */

/* Writes the file as another machine, or a person, may have done. */
static void
write_subscriptions (Fixture *fixture, const char *first, const char *facts, const char *second)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *text = g_strdup_printf (
      "{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"%s%s\": {%s}, "
      "\"%s%s\": {}}}",
      base, first, facts, base, second);

  write_text (path, text);
}

static EarPodcast *
find_at (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_catalogue_find_exactly (fixture->parts->catalogue, address);
}

static void
unfollow_at (Fixture *fixture, const char *path)
{
  ear_subscriptions_unfollow (fixture->parts->subscriptions, find_at (fixture, path));
}

/* Two machines spell the address of one podcast differently, or it has moved to the address of
 * another followed one: each entry is followed and unfollowed by itself, or the other would come
 * back. */
static void
test_two_entries (Fixture *fixture, gconstpointer first)
{
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *moved = g_strdup_printf ("\"feed\": \"%s\"", there);
  const gboolean has_moved = g_str_equal (first, "/old.xml");

  put_feed (fixture, 1, 5);
  write_subscriptions (fixture, first, has_moved ? moved : "", "/feed.xml");
  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  if (has_moved)
    g_assert_cmpstr (ear_podcast_get_feed_address (find_at (fixture, first)), ==, there);
  unfollow_at (fixture, "/feed.xml");
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  unfollow_at (fixture, "/feed.xml");
  restart (fixture);
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  unfollow_at (fixture, first);
  restart (fixture);
  g_assert_cmpuint (count_followed (fixture), ==, 0);
}

/* Marks on a previewed podcast do not put it in place of a followed one spelled differently. */
static void
test_looked_at_at_another (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *member = g_strdup_printf ("\"%s\":", address);
  g_autofree char *path = dup_subscriptions_path (fixture);

  put_feed (fixture, 1, 5);
  open_and_wait (fixture, NULL);
  EarPodcast *podcast = ear_subscriptions_preview (fixture->parts->subscriptions, address, NULL);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (podcast) == 5 && is_at_rest (fixture));
  fixture->first = dup_by_guid (fixture, podcast, "lamp-3");
  ear_history_set_mark (fixture->parts->history, fixture->first, EAR_MARK_LISTENED, TRUE);
  close_library (fixture);
  write_subscriptions (fixture, "/feed.xml/", "", "/other.xml");

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  g_assert_nonnull (find_at (fixture, "/feed.xml/"));
  g_assert_nonnull (ear_catalogue_find_known (fixture->parts->catalogue, address));
  close_library (fixture);
  g_autofree char *text = read_text (path);
  g_assert_null (strstr (text, member));
}

/* Another program may send any title with the action that follows a podcast. */
static void
test_title_from_outside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/~mute/feed.xml");
  g_autofree char *title = g_strnfill (1000000, 'a');

  title[1] = '\n';
  open_and_wait (fixture, NULL);
  const char *kept = ear_podcast_get_title (
      ear_subscriptions_follow (fixture->parts->subscriptions, address, title));
  g_assert_true (g_str_has_prefix (kept, "a aaa"));
  g_assert_cmpuint (strlen (kept), <=, 500);
}

/* --- Settings of a podcast ---------------------------------------------------------- */

static void
set_settings (Fixture *fixture, const char *sort)
{
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_NOTIFICATIONS, FALSE);
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_REFRESH_INTERVAL, 0);
  ear_subscriptions_set_arrangement (fixture->parts->subscriptions, get_podcast (fixture), "liked",
                                     sort);
}

static gboolean
has_settings (Fixture *fixture, const char *sort)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && !ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_NOTIFICATIONS) &&
         ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL) == 0 &&
         g_str_equal (ear_podcast_get_filter (podcast), "liked") &&
         g_str_equal (ear_podcast_get_sort (podcast), sort);
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  static const char *const properties[] = { "notifications", "refresh-interval", "filter", "sort" };
  guint counts[G_N_ELEMENTS (properties)] = { 0 };

  /* Each property notifies once, and only if its value changes; "newest" is the default. */
  open_and_wait (fixture, NULL);
  EarPodcast *podcast = follow (fixture, "/feed.xml");
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *signal = g_strconcat ("notify::", properties[i], NULL);

      g_signal_connect_swapped (podcast, signal, G_CALLBACK (ear_test_count_cb), &counts[i]);
    }
  for (guint i = 0; i < 2; i++)
    set_settings (fixture, "newest");
  ear_subscriptions_set_arrangement (fixture->parts->subscriptions, podcast, "nothing known", "");
  g_assert_true (has_settings (fixture, "newest"));
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_test_message ("%s", properties[i]);
      g_assert_cmpuint (counts[i], ==, g_str_equal (properties[i], "sort") ? 0 : 1);
    }

  /* The next start knows them before any file is read; without a catalogue they are known
   * soon after. Following a podcast again restores its settings. */
  set_settings (fixture, "oldest");
  close_library (fixture);
  open_library (fixture, NULL);
  g_assert_true (has_settings (fixture, "oldest"));
  close_library (fixture);
  remove_catalogue (fixture);
  open_library (fixture, NULL);
  g_assert_false (has_podcast (fixture));
  EAR_TEST_WAIT_UNTIL (has_settings (fixture, "oldest"));
  restart (fixture);
  g_assert_true (has_settings (fixture, "oldest"));

  unfollow (fixture);
  /* As if the row had been deleted a minute later */
  restart_without_catalogue (fixture);
  g_assert_false (has_podcast (fixture));
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (has_settings (fixture, "oldest"));
}

/* --- Without the catalogue ---------------------------------------------------------- */

static char *
emit_hostile (const char *name)
{
  const char *shared = g_getenv ("EARMARK_SHARED");
  g_autofree char *script = g_build_filename (shared, "corpus", "hostile", "hostile.py", NULL);
  const char *const command[] = { "python3", script, "emit", name, NULL };
  char *output = NULL;

  if (!g_file_test (script, G_FILE_TEST_EXISTS))
    return NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (process));

  return output;
}

/* Feeds that rename their episodes, or drop some: known episodes stay the same. */
static void
test_churn (Fixture *fixture, gconstpointer data)
{
  const char *second = data;
  g_autofree char *before = emit_hostile ("guid-churn-a");
  g_autofree char *after = emit_hostile (second);

  if (before == NULL || after == NULL)
    {
      g_test_skip ("the hostile feeds are not beside the repository");
      return;
    }
  put_text (fixture, "/feed.xml", before);
  EarPodcast *podcast = follow_served (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  fixture->list = list_all (fixture);
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 5));
  /* The first episode, which none of the shrunk feeds carry */
  fixture->first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  EarEpisode *played = fixture->first;
  g_assert_true (g_str_has_suffix (ear_episode_get_title (played), "1"));
  ear_history_set_mark (fixture->parts->history, played, EAR_MARK_LISTENED, TRUE);

  put_text (fixture, "/feed.xml", after);
  refresh (fixture);
  g_assert_true (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 5);
  g_assert_true (ear_episode_get_listened (played));
  if (g_str_equal (second, "retitled-b"))
    g_assert_cmpstr (ear_episode_get_title (played), ==, "Episode 1 (corrected)");
  if (g_str_equal (second, "enclosure-churn-b"))
    g_assert_nonnull (strstr (ear_episode_get_enclosure (played)->address, "tok=abc"));
  /* None of it is new, except the newest episode at the time of following. */
  g_clear_object (&fixture->list);
  fixture->list =
      open_list (fixture, ear_episode_query_new (0, EAR_FILTER_NEW, EAR_SORT_NEWEST, NULL));
  g_assert_false (has_rows (fixture->list, 2));

  /* A library that only knows the new guids finds the marks set under the old ones. */
  if (g_str_has_suffix (second, "churn-b"))
    {
      restart_without_catalogue (fixture);
      EAR_TEST_WAIT_UNTIL (is_settled (fixture) &&
                           ear_podcast_get_n_unplayed (get_podcast (fixture)) == 4);
    }
}

/* --- Podcasts that move ------------------------------------------------------------- */

/* Whether this is the URL of the feed of the only podcast */
static gboolean
is_fetched_from (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return g_str_equal (ear_podcast_get_feed_address (get_podcast (fixture)), address);
}

/* A podcast's new address is known after the catalogue is lost, without asking the first one. */
static void
test_move_outlives_catalogue (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/feed.xml");
  fetch (fixture, "/first.xml");
  ear_test_server_put_way (fixture->server, "/first.xml", "/~status=404/feed.xml");
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (get_podcast (fixture) == find_at (fixture, "/first.xml"));
      g_assert_true (is_fetched_from (fixture, "/feed.xml"));
      g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
      restart_without_catalogue (fixture);
      EAR_TEST_WAIT_UNTIL (is_settled (fixture));
    }
}

/* A podcast was followed at two addresses, then only at its first one, which now leads to
 * the other: unfollowing the other does not affect it. */
static void
test_unfollowed_where_it_moves_to (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/first.xml", "/feed.xml");
  fetch (fixture, "/first.xml");
  ear_subscriptions_unfollow (fixture->parts->subscriptions, follow (fixture, "/feed.xml"));
  g_assert_true (has_podcast (fixture));
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/feed.xml");
  refresh (fixture);
  g_assert_true (is_fetched_from (fixture, "/feed.xml"));
  restart (fixture);
  g_assert_true (has_podcast (fixture));
}

/* Another machine's state file has a new address of a podcast, and is synchronized before the
 * start, later, or while the old address does not answer. */
static void
test_moved_on_another_machine (Fixture *fixture, gconstpointer when)
{
  const gboolean before = g_str_equal (when, "before");
  const gboolean is_mute = g_str_equal (when, "unanswered");
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, "/new.xml");
  g_autofree char *member = g_strdup_printf ("\"feed\": \"%s\", \"followed\"", there);

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  fetch (fixture, "/old.xml");
  close_library (fixture);
  g_autofree char *text = read_text (path);
  g_autoptr (GString) moved = g_string_new (text);
  g_assert_cmpuint (g_string_replace (moved, "\"followed\"", member, 0), ==, 1);

  put_feed (fixture, 1, 8);
  ear_test_server_put_way (fixture->server, "/new.xml", "/feed.xml");
  ear_test_server_put_way (fixture->server, "/old.xml",
                           is_mute ? "/~mute/feed.xml" : "/~status=404/feed.xml");
  if (!before)
    open_and_wait (fixture, NULL);
  if (is_mute)
    {
      ear_refresher_refresh (fixture->parts->refresher, get_podcast (fixture), EAR_REFRESH_ONE);
      g_assert_true (ear_podcast_get_refreshing (get_podcast (fixture)));
    }
  write_text (path, moved->str);
  if (before)
    open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_fetched_from (fixture, "/new.xml"));
  if (!is_mute)
    refresh (fixture);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (get_podcast (fixture)) == 8 &&
                       is_settled (fixture));
}

/* --- Podcasts that come back -------------------------------------------------------- */

/* Unfollows a podcast with four played episodes, which then moves. */
static void
unfollow_at_old_address (Fixture *fixture)
{
  put_feed (fixture, 1, 10);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  fetch (fixture, "/old.xml");
  for (guint i = 1; i <= 4; i++)
    set_mark (fixture, i, EAR_MARK_LISTENED, TRUE);
  unfollow (fixture);
  ear_test_server_put_way (fixture->server, "/old.xml", "/~status=404/feed.xml");
  ear_test_server_put_way (fixture->server, "/new.xml", "/feed.xml");
}

/* Followed at another address, the podcast gets its marks, from the same session or a file. */
static void
test_comes_back_elsewhere (Fixture *fixture, gconstpointer restarted)
{
  unfollow_at_old_address (fixture);
  if (restarted != NULL)
    restart (fixture);
  fetch (fixture, "/new.xml");
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 6);

  g_autofree char *file = dup_state_path (fixture);
  close_library (fixture);
  g_autofree char *text = read_text (file);
  g_assert_nonnull (strstr (text, "lamp-4"));
}

/* Two podcasts with the same title are not merged. */
static void
test_another_of_that_name (Fixture *fixture, gconstpointer data)
{
  unfollow_at_old_address (fixture);
  put_feed (fixture, 10, 20);
  EarPodcast *podcast = fetch (fixture, "/new.xml");
  /* Earlier queries are answered first, so the count below is final. */
  ear_test_server_put_way (fixture->server, "/later.xml", "/feed.xml");
  fetch (fixture, "/later.xml");
  g_assert_cmpuint (ear_podcast_get_n_unplayed (podcast), ==, 11);
}

/* The title of a podcast may have changed, too, by the time it is followed again. */
static void
test_comes_back_written_otherwise (Fixture *fixture, gconstpointer data)
{
  unfollow_at_old_address (fixture);
  put_news (fixture, "lamp", 1, 10, NULL, NULL);
  ear_test_server_put_way (fixture->server, "/old.xml/", "/lamp.xml");
  fetch (fixture, "/old.xml/");
  g_assert_nonnull (find_at (fixture, "/old.xml/"));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 6);
}

/* --- From http to https ------------------------------------------------------------- */

/* Finds the podcast of a result that was found by https; the server is not asked again. */
static EarPodcast *
recognize (Fixture *fixture, const char *path, const char *title, gboolean secure)
{
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, path);
  g_autoptr (EarDirectoryEntry) entry = ear_directory_entry_new ();
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;

  entry->address = g_strconcat ("https", plain + strlen ("http"), NULL);
  entry->title = g_strdup (title);
  entry->secure = secure;
  g_autoptr (EarDiscoveryResult) result = ear_discovery_result_new (entry, EAR_DISCOVERY_FITS);
  EarPodcast *podcast =
      ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));
  if (podcast != NULL)
    ear_subscriptions_prefer_secure (subscriptions, podcast, result);

  return podcast;
}

static gboolean
is_fetched_by_https (EarPodcast *podcast)
{
  return g_str_has_prefix (ear_podcast_get_feed_address (podcast), "https:");
}

/* Finding a followed podcast again by https switches it from http; it stays the same. */
static void
test_found_by_https (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow_feed (fixture, 10);
  g_autofree char *address = g_strdup (ear_podcast_get_address (podcast));

  set_mark (fixture, 8, EAR_MARK_LISTENED, TRUE);
  /* No switch for a mere result of a directory, another title, or another address */
  g_assert_true (recognize (fixture, "/feed.xml", "The Lighthouse Hour", FALSE) == podcast);
  g_assert_true (recognize (fixture, "/feed.xml", "Coming Soon", TRUE) == podcast);
  g_assert_null (recognize (fixture, "/other.xml", "The Lighthouse Hour", TRUE));
  g_assert_false (is_fetched_by_https (podcast));

  g_assert_true (recognize (fixture, "/feed.xml", "The Lighthouse Hour", TRUE) == podcast);
  g_assert_true (is_fetched_by_https (podcast));
  restart (fixture);
  g_assert_true (has_podcast (fixture));
  g_assert_true (is_fetched_by_https (get_podcast (fixture)));
  g_assert_cmpstr (ear_podcast_get_address (get_podcast (fixture)), ==, address);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 9);

  /* A podcast that was never fetched by http may have any title. */
  podcast = fetch (fixture, "/~status=500/any.xml");
  g_assert_nonnull (ear_podcast_get_error (podcast));
  g_assert_true (recognize (fixture, "/~status=500/any.xml", "Any", TRUE) == podcast);
  g_assert_true (is_fetched_by_https (podcast));
}

/* --- Podcasts that are followed twice ----------------------------------------------- */

/* Returns the path of the downloaded file. */
static char *
download (Fixture *fixture, EarEpisode *episode)
{
  ear_downloader_download (fixture->parts->downloader, episode);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE);

  return ear_downloader_dup_file (fixture->parts->downloader, episode);
}

/* The old address later redirects to the new one. All that the listener did with either
 * is merged, and undo restores both; the old one keeps the marks of the new one. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sound = g_strnfill (3000, 'x');
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();

  memcpy (sound, "ID3\x04", 4);
  ear_test_server_put (fixture->server, "/audio/3.mp3", "audio/mpeg", sound);
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  EarPodcast *old = fetch (fixture, "/old.xml");
  EarPodcast *new = fetch (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;
  EarRefresher *refresher = fixture->parts->refresher;
  EarDownloader *downloader = fixture->parts->downloader;
  EarHistory *history = fixture->parts->history;
  EarLists *lists = fixture->parts->lists;
  EarChapterControl *chapters = fixture->parts->chapter_control;
  g_autoptr (EarEpisode) old_two = dup_by_guid (fixture, old, "lamp-2");
  g_autoptr (EarEpisode) old_three = dup_by_guid (fixture, old, "lamp-3");
  g_autoptr (EarEpisode) new_three = dup_by_guid (fixture, new, "lamp-3");
  ear_history_set_mark (history, old_two, EAR_MARK_LISTENED, TRUE);
  ear_history_set_mark (history, new_three, EAR_MARK_POSITION, 77 * G_TIME_SPAN_SECOND);
  ear_history_set_mark (history, new_three, EAR_MARK_LIKED, TRUE);
  ear_subscriptions_set_setting (subscriptions, new, EAR_PODCAST_SETTING_SPEED, 150);
  ear_subscriptions_set_folder (subscriptions, new, "Harbour");
  ear_chapter_control_set_skips (chapters, new, "Ads", TRUE);
  g_ptr_array_add (listed, new_three);
  EarList *list = ear_lists_create (lists, "Lamps", NULL, listed);
  g_autofree char *removed = download (fixture, old_three);
  downloader->pause_scale = 0.001;
  ear_downloader_remove (downloader, old_three);
  EAR_TEST_WAIT_UNTIL (!g_file_test (removed, G_FILE_TEST_EXISTS));
  downloader->pause_scale = 1.0;
  g_autofree char *file = download (fixture, new_three);

  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=301/feed.xml");
  ear_refresher_refresh (refresher, old, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture) && ear_episode_get_liked (old_three));
  g_assert_true (get_podcast (fixture) == old);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==,
                   "Merged two addresses of “The Lighthouse Hour”");
  g_assert_cmpint (ear_episode_get_position (old_three), ==, 77 * G_TIME_SPAN_SECOND);
  g_assert_true (ear_episode_get_listened (old_two));
  g_assert_cmpint (ear_podcast_get_setting (old, EAR_PODCAST_SETTING_SPEED), ==, 150);
  g_assert_cmpstr (ear_podcast_get_folder (old), ==, "Harbour");
  g_assert_true (ear_chapter_control_skips (chapters, old, "ads"));
  g_assert_true (ear_lists_contain (lists, old_three));
  g_autoptr (EarEpisodeList) rows =
      open_list (fixture, ear_list_create_query (list, EAR_SORT_NEWEST, NULL));
  EAR_TEST_WAIT_UNTIL (has_rows (rows, 1));
  g_autofree char *file_after = ear_downloader_dup_file (downloader, old_three);
  g_assert_cmpstr (file_after, ==, file);
  g_assert_true (g_file_test (file_after, G_FILE_TEST_IS_REGULAR));

  ear_undo_run (fixture->undo);
  EAR_TEST_WAIT_UNTIL (count_followed (fixture) == 2);
  g_assert_true (ear_episode_get_listened (old_two));
  g_assert_true (ear_lists_contain (lists, old_three));
  g_assert_true (g_file_test (file, G_FILE_TEST_IS_REGULAR));
  /* The next check does not merge them again. */
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  ear_refresher_refresh (refresher, old, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture));
  for (guint i = 0; i < 100; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
}

/* A list with the old and the new address of a podcast */
static void
test_merged_at_once (Fixture *fixture, gconstpointer data)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=308/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture) && has_podcast (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
}

/* The address of another podcast is refused. */
static void
test_try_address (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/feed.xml", "/old.xml" };

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  fetch (fixture, "/old.xml");
  EarPodcast *podcast = fetch (fixture, "/feed.xml");
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      EarSubscriptions *subscriptions = fixture->parts->subscriptions;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *title = NULL;

      ear_subscriptions_try_address_async (subscriptions, podcast, get_url (fixture, paths[i]),
                                           NULL, ear_test_result_cb, &result);
      EAR_TEST_WAIT_UNTIL (result != NULL);
      g_autofree char *found =
          ear_subscriptions_try_address_finish (subscriptions, result, &title, &error);
      g_assert_cmpstr (found, ==, i == 0 ? get_url (fixture, paths[0]) : NULL);
      g_assert_true ((i == 0) != g_error_matches (error, EAR_ERROR, EAR_ERROR_FOLLOWED));
    }
}

static void
put_guided (Fixture *fixture, const char *path, const char *guid, const char *prefix)
{
  put_format (fixture, path,
              RSS ("Lamps", "<podcast:guid>%s</podcast:guid>"
                            "<item><guid>%s-2</guid><title>Two</title></item>"
                            "<item><guid>%s-1</guid><title>One</title></item>"),
              guid, prefix, prefix);
}

/* Feeds with one guid and the same episodes are one podcast, unless one of them needs a login. */
static void
test_merged_by_guid (Fixture *fixture, gconstpointer data)
{
  static const char guid[] = "5e0c7f3a-1f4b-5d0e-9c57-0a4f0f6f2b11";
  static const struct
  {
    const char *path, *followed, *guid, *prefix;
    gboolean same;
  } others[] = {
    { "/a.xml", "/a.xml", "0f8b1f52-7f0c-5e25-8a1c-3c1f8a6f9d22", "lamp", FALSE },
    { "/b.xml", "/b.xml", guid, "knot", FALSE },
    { "/members.xml", "/members.xml?auth=hush", guid, "lamp", FALSE },
    { "/same.xml", "/same.xml", guid, "lamp", TRUE },
  };
  guint n = 1;

  put_guided (fixture, "/feed.xml", guid, "lamp");
  follow_served (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      put_guided (fixture, others[i].path, others[i].guid, others[i].prefix);
      EarPodcast *other = follow (fixture, others[i].followed);
      n += !others[i].same;
      if (others[i].same)
        EAR_TEST_WAIT_UNTIL (is_at_rest (fixture) && !ear_podcast_get_followed (other));
      else
        EAR_TEST_WAIT_UNTIL (is_at_rest (fixture) && ear_podcast_get_n_episodes (other) == 2);
      g_assert_cmpuint (count_followed (fixture), ==, n);
    }
}

int
main (int argc, char *argv[])
{
  static const char *const churns[] = {
    "guid-churn-b", "enclosure-churn-b", "both-churn-b", "vanish-b", "retitled-b",
  };

  g_test_init (&argc, &argv, NULL);

#define ADD(path, data, test)                                                                      \
  g_test_add ("/subscriptions/" path, Fixture, data, set_up, test, tear_down)
  ADD ("two-entries/spellings", "/feed.xml/", test_two_entries);
  ADD ("two-entries/moved", "/old.xml", test_two_entries);
  ADD ("looked-at-at-another", NULL, test_looked_at_at_another);
  ADD ("title-from-outside", NULL, test_title_from_outside);
  ADD ("settings", NULL, test_settings);
  ADD ("moves/outlives-catalogue", NULL, test_move_outlives_catalogue);
  ADD ("moves/unfollowed-there", NULL, test_unfollowed_where_it_moves_to);
  ADD ("moves/on-another-machine/before", "before", test_moved_on_another_machine);
  ADD ("moves/on-another-machine/later", "later", test_moved_on_another_machine);
  ADD ("moves/on-another-machine/unanswered", "unanswered", test_moved_on_another_machine);
  ADD ("comes-back/elsewhere", NULL, test_comes_back_elsewhere);
  ADD ("comes-back/elsewhere/restarted", "restarted", test_comes_back_elsewhere);
  ADD ("comes-back/another-of-that-name", NULL, test_another_of_that_name);
  ADD ("comes-back/written-otherwise", NULL, test_comes_back_written_otherwise);
  ADD ("https", NULL, test_found_by_https);
  ADD ("merged", NULL, test_merged);
  ADD ("merged/at-once", NULL, test_merged_at_once);
  ADD ("merged/by-guid", NULL, test_merged_by_guid);
  ADD ("try-address", NULL, test_try_address);
  for (gsize i = 0; i < G_N_ELEMENTS (churns); i++)
    {
      g_autofree char *path = g_strconcat ("/subscriptions/churn/", churns[i], NULL);

      g_test_add (path, Fixture, churns[i], set_up, test_churn, tear_down);
    }

  return g_test_run ();
}
