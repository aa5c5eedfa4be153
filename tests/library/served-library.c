/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "served-library.h"

#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Hosts of the server */
#define ADDRESSES 20

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
}

static void
notice_cb (Fixture *fixture, const char *message)
{
  g_string_append_printf (fixture->notices, "%s\n", message);
}

static void
forget_undo_cb (gpointer fixture, GObject *library)
{
  g_clear_object (&((Fixture *) fixture)->undo);
}

/* Creates the library before it is opened, for tests that connect to all its signals. */
void
make_library (Fixture *fixture)
{
  EarNotices *notices;

  fixture->library = ear_library_new (fixture->data, fixture->cache);
  notices = ear_library_get_notices (fixture->library);
  g_string_truncate (fixture->notices, 0);
  g_object_weak_ref (G_OBJECT (fixture->library), forget_undo_cb, fixture);
  g_signal_connect_swapped (notices, "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  g_signal_connect_swapped (notices, "notice", G_CALLBACK (notice_cb), fixture);
}

void
open_library (Fixture *fixture, const char *welcome)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = welcome != NULL ? g_file_new_for_path (welcome) : NULL;

  if (fixture->library == NULL)
    make_library (fixture);
  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
  ear_library_start (fixture->library, file);
}

static void
started_cb (EarSubscriptions *subscriptions, gboolean *started)
{
  *started = TRUE;
}

/* Waits until the list of followed podcasts is loaded. */
void
open_and_wait (Fixture *fixture, const char *welcome)
{
  gboolean started = FALSE;

  open_library (fixture, welcome);
  g_signal_connect (ear_library_get_subscriptions (fixture->library), "started", G_CALLBACK (started_cb), &started);
  EAR_TEST_WAIT_UNTIL (started);
  g_signal_handlers_disconnect_by_data (ear_library_get_subscriptions (fixture->library), &started);
}

void
close_library (Fixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->lamps); i++)
    g_clear_object (&fixture->lamps[i]);
  library_fixture_close (&fixture->library);
}

void
restart (Fixture *fixture)
{
  close_library (fixture);
  open_and_wait (fixture, NULL);
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-library-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->told = g_string_new (NULL);
  fixture->notices = g_string_new (NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, ADDRESSES);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    close_library (fixture);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
  g_string_free (fixture->told, TRUE);
  g_string_free (fixture->notices, TRUE);
}

void
put_feed (Fixture *fixture, guint first, guint last)
{
  g_autoptr (GString) feed = g_string_new ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel>"
                                           "<title>The Lighthouse Hour</title><description>About lamps</description>");

  for (guint i = last; i >= first && i > 0; i--)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autofree char *noise = g_compute_checksum_for_string (G_CHECKSUM_SHA512, number, -1);

      /* The comment keeps the compressed feed from getting tiny. */
      g_string_append_printf (feed,
                              "<item><guid>lamp-%u</guid><title>Lamp %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                              "<description>&lt;p&gt;Of &lt;b&gt;lamp&lt;/b&gt; %u&lt;/p&gt;</description><!-- %s -->"
                              "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
                              i, i, 1 + i % 28, i, noise, i);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml", feed->str);
}

/* Serves "/NAME.xml" with episodes of the last days: each is an hour younger than the one before
 * it. @head is added to the channel, @notes to each episode; both may be %NULL. */
void
put_news (Fixture *fixture, const char *name, guint first, guint last, const char *head,
          const char *notes)
{
  g_autoptr (GString) feed = g_string_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);

  g_string_printf (feed, "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>"
                         "<title>%s</title>%s", name, head != NULL ? head : "");
  for (guint i = last; i >= first && i > 0; i--)
    {
      g_autoptr (GDateTime) published = g_date_time_add_hours (now, (int) i - 100);
      g_autofree char *date = g_date_time_format (published, "%a, %d %b %Y %H:00:00 +0000");

      g_string_append_printf (feed,
                              "<item><guid>%s-%u</guid><title>%s%u</title><pubDate>%s</pubDate>"
                              "<description>%s</description>"
                              "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>",
                              name, i, name, i, date, notes != NULL ? notes : "", i);
    }
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, path, "application/rss+xml", feed->str);
}

EarPodcast *
follow (Fixture *fixture, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
}

EarPodcast *
get_podcast (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, 0);

  return podcast;
}

gboolean
has_podcast (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library)) == 1;
}

/* Fetches the feed again, and waits until it is stored. */
void
refresh (Fixture *fixture)
{
  EarPodcast *podcast;

  EAR_TEST_WAIT_UNTIL (is_refreshed (fixture));
  podcast = get_podcast (fixture);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  g_assert_true (ear_podcast_get_refreshing (podcast));
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
}

gboolean
is_refreshed (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && !ear_podcast_get_refreshing (podcast) &&
         (ear_podcast_get_checked (podcast) > 0 || ear_podcast_get_error (podcast) != NULL);
}

gboolean
is_settled (Fixture *fixture)
{
  return is_refreshed (fixture) && ear_podcast_get_error (get_podcast (fixture)) == NULL;
}

gboolean
has_error (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && !ear_podcast_get_refreshing (podcast) && ear_podcast_get_error (podcast) != NULL;
}

char *
dup_subscriptions_path (Fixture *fixture)
{
  return g_build_filename (fixture->data, "state", "subscriptions.json", NULL);
}

/* Follows "/old.xml" and closes the library. Returns the subscriptions as another machine
 * writes them that knows the podcast's new address @path. */
char *
follow_old_and_dup_moved (Fixture *fixture, const char *path)
{
  g_autofree char *subscriptions = dup_subscriptions_path (fixture);
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 1, path);
  g_autofree char *member = g_strdup_printf ("\"feed\": \"%s\", \"followed\"", there);
  g_autofree char *text = NULL;
  g_autoptr (GString) moved = NULL;

  put_feed (fixture, 1, 5);
  ear_test_server_put_way (fixture->server, "/old.xml", "/feed.xml");
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_get_contents (subscriptions, &text, NULL, NULL));
  moved = g_string_new (text);
  g_assert_cmpuint (g_string_replace (moved, "\"followed\"", member, 0), ==, 1);

  return g_string_free_and_steal (g_steal_pointer (&moved));
}

EarEpisodeList *
list_all (Fixture *fixture)
{
  g_autoptr (EarEpisodeQuery) query =
    ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  EarEpisodeList *list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);

  while (ear_episode_list_get_loading (list))
    g_main_context_iteration (NULL, TRUE);

  return list;
}

/* @path: (nullable): %NULL for all paths */
guint
count_requests (Fixture *fixture, const char *path)
{
  return ear_test_server_count_requests (fixture->server, path);
}

/* Marks the episode at a position of the list as listened. */
void
listen_to (Fixture *fixture, guint position)
{
  g_autoptr (EarEpisodeList) list = list_all (fixture);
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), position);

  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, TRUE);
  g_assert_true (ear_episode_get_listened (episode));
}

void
count_signal_cb (guint *count)
{
  (*count)++;
}

gboolean
has_rows (EarEpisodeList *list, guint n)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list)) >= n;
}
