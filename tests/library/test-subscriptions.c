/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* Followed podcasts match `subscriptions.json`. */

/* Writes the file as another machine, or a person, may have done. */
static void
write_subscriptions (Fixture *fixture, const char *first, const char *second)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *one = ear_test_server_dup_url (fixture->server, 1, first);
  g_autofree char *other = ear_test_server_dup_url (fixture->server, 1, second);
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"%s\": {}, \"%s\": {}}}", one, other);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static guint
count_podcasts (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library));
}

static EarPodcast *
find_at (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_catalogue_find_exactly (fixture->library->services.catalogue, address);
}

static void
take_undo_cb (EarUndo **undo, EarUndo *offered)
{
  g_set_object (undo, offered);
}

/* Two machines spell the address of one podcast differently: each spelling is followed
 * and unfollowed by itself. */
static void
test_written_in_two_ways (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarUndo) undo = NULL;

  put_feed (fixture, 1, 5);
  write_subscriptions (fixture, "/feed.xml", "/feed.xml/");
  open_and_wait (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (take_undo_cb), &undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), find_at (fixture, "/feed.xml"));
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  ear_undo_run (undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), find_at (fixture, "/feed.xml"));
  g_clear_object (&undo);
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  g_assert_nonnull (find_at (fixture, "/feed.xml/"));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
}

/* One podcast has moved to the address of another followed one: both stay followed, or
 * the other would come back when the first is unfollowed. */
static void
test_moved_to_another_entry (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *text = NULL;
  g_autoptr (GString) moved = NULL;
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *entry = g_strdup_printf ("/old.xml\": {\"feed\": \"%s\"}", there);

  put_feed (fixture, 1, 5);
  write_subscriptions (fixture, "/old.xml", "/feed.xml");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  moved = g_string_new (text);
  g_assert_cmpuint (g_string_replace (moved, "/old.xml\": {}", entry, 0), ==, 1);
  g_assert_true (g_file_set_contents (path, moved->str, -1, NULL));
  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  g_assert_cmpstr (ear_podcast_get_feed_address (find_at (fixture, "/old.xml")), ==, there);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), find_at (fixture, "/old.xml"));
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), find_at (fixture, "/feed.xml"));
  library_fixture_close (&fixture->library);

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
}

/* Marks on a previewed podcast do not put it in place of a followed one with another
 * spelling. */
static void
test_looked_at_at_another (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *member = g_strdup_printf ("\"%s\":", address);
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *text = NULL;
  EarPodcast *podcast;

  put_feed (fixture, 1, 5);
  open_and_wait (fixture, NULL);
  podcast = ear_subscriptions_preview (ear_library_get_subscriptions (fixture->library), address, NULL);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (podcast) == 5 && !ear_podcast_get_refreshing (podcast));
  {
    g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (fixture->library->services.catalogue, podcast, "lamp-3");

    ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
  }
  library_fixture_close (&fixture->library);
  write_subscriptions (fixture, "/feed.xml/", "/other.xml");

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  g_assert_nonnull (find_at (fixture, "/feed.xml/"));
  g_assert_nonnull (ear_catalogue_find_known (fixture->library->services.catalogue, address));
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, member));
}

/* The title of a podcast may have changed, too, by the time it is followed again. */
static void
test_comes_back_written_otherwise (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel><title>Lamps at Night</title>");

  put_feed (fixture, 1, 4);
  open_library (fixture, NULL);
  follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  for (guint i = 0; i < 4; i++)
    listen_to (fixture, i);
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), get_podcast (fixture));

  for (guint i = 1; i <= 10; i++)
    g_string_append_printf (feed,
                            "<item><guid>lamp-%u</guid><title>Lamp %u</title><enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\"/></item>",
                            i, i, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml/", "application/rss+xml", feed->str);
  follow (fixture, "/feed.xml/");
  g_assert_nonnull (find_at (fixture, "/feed.xml/"));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 10);
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_unplayed (get_podcast (fixture)) == 6);
}

/* Another machine writes a podcast's new address while its old one does not answer. */
static void
test_readdressed_while_fetched (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autofree char *moved = follow_old_and_dup_moved (fixture, "/feed.xml");

  put_feed (fixture, 1, 8);
  ear_test_server_put_way (fixture->server, "/old.xml", "/~mute/feed.xml");
  open_and_wait (fixture, NULL);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  g_assert_true (ear_podcast_get_refreshing (get_podcast (fixture)));
  g_assert_true (g_file_set_contents (path, moved, -1, NULL));
  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (get_podcast (fixture)) == 8);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_feed_address (get_podcast (fixture)), ==, there);
}

/* Another program may send any title with the action that follows a podcast. */
static void
test_title_from_outside (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/~mute/feed.xml");
  g_autofree char *title = g_strnfill (1000000, 'a');
  const char *kept;

  title[1] = '\n';
  open_and_wait (fixture, NULL);
  kept = ear_podcast_get_title (
      ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, title));
  g_assert_true (g_str_has_prefix (kept, "a aaa"));
  g_assert_cmpuint (strlen (kept), <=, 500);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add ("/subscriptions/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("written-in-two-ways", test_written_in_two_ways);
  ADD ("moved-to-another-entry", test_moved_to_another_entry);
  ADD ("looked-at-at-another", test_looked_at_at_another);
  ADD ("comes-back-written-otherwise", test_comes_back_written_otherwise);
  ADD ("readdressed-while-fetched", test_readdressed_while_fetched);
  ADD ("title-from-outside", test_title_from_outside);
#undef ADD

  return g_test_run ();
}
