/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-test-wait.h"
#include "import-fixture.h"

#include <sqlite3.h>

/* Podcasts and episodes read from the databases of other programs */

static char *
make_kasts (Fixture *fixture, const char *feed)
{
  char *path = dup_path (fixture, "database.db3");
  g_autofree char *sql =
    g_strdup_printf ("CREATE TABLE Feeds (name TEXT, url TEXT);"
                     "CREATE TABLE Entries (feed TEXT, id TEXT, title TEXT, read bool, favorite BOOL);"
                     "CREATE TABLE Enclosures (feed TEXT, id TEXT, url TEXT, playposition INTEGER);"
                     "INSERT INTO Feeds VALUES ('From Kasts', '%s');"
                     "INSERT INTO Entries VALUES ('%s', 'made-0', '', 1, 0), ('%s', 'made-1', '', 0, 0), ('%s', 'made-2', '', 0, 1),"
                     "  ('%s', 'no longer available', '', 1, 0);"
                     "INSERT INTO Enclosures VALUES ('%s', 'made-1', '', 42000);",
                     feed, feed, feed, feed, feed, feed);
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);

  return path;
}

/* The listener follows a podcast, began one episode under a guid that its feed has changed
 * since, has two in the queue, and two that are no longer there. */
static char *
make_antennapod (Fixture *fixture)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  char *path = dup_path (fixture, "AntennaPodBackup-2026-11-29.db");
  g_autofree char *sql =
    g_strdup_printf ("CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title, custom_title, download_url, username, password, tags, state);"
                     "CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title, read INTEGER, feed INTEGER, item_identifier);"
                     "CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, download_url, position INTEGER, feeditem INTEGER,"
                     "  playback_completion_date INTEGER, last_played_time INTEGER);"
                     "CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);"
                     "CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);"
                     "INSERT INTO Feeds (id, title, download_url, state) VALUES (1, 'Ant', '%s/generated/Ant-6.xml', 0),"
                     "  (2, 'On the card', 'antennapod_local:content://tree', 0), (3, 'Left', '%s/generated/Left-2.xml', 2);"
                     "INSERT INTO FeedItems VALUES (1, '', 1, 1, 'made-0'), (2, '', 0, 1, 'formerly'), (3, '', 0, 1, 'made-2'),"
                     "  (4, '', -1, 1, 'made-3'), (5, 'Gone', 0, 1, 'gone'), (6, 'Heard and gone', 1, 1, 'heard'), (7, '', 1, 3, 'made-0');"
                     "INSERT INTO FeedMedia (download_url, position, feeditem, last_played_time) VALUES ('%s/generated/audio/1.mp3', 42000, 2, 1700000000000);"
                     "INSERT INTO Queue VALUES (0, 4, 1), (1, 3, 1), (2, 5, 1);"
                     "INSERT INTO Favorites VALUES (1, 3, 1);",
                     base, base, base);
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);

  return path;
}

static EarEpisode *
dup_episode (Fixture *fixture, EarEpisodeList **list, guint position)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);

  if (*list == NULL)
    *list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  while (ear_episode_list_get_loading (*list))
    g_main_context_iteration (NULL, TRUE);

  return g_list_model_get_item (G_LIST_MODEL (*list), position);
}

static void
take_over (Fixture *fixture, const char *path)
{
  import_file (fixture, path);
  g_assert_no_error (fixture->error);
  wait_for (fixture, import_is_finished);
}

static EarEpisodeList *shown;

static gboolean
states_are_there (Fixture *fixture)
{
  g_autoptr (EarEpisode) one = dup_episode (fixture, &shown, 0);
  g_autoptr (EarEpisode) two = dup_episode (fixture, &shown, 1);
  g_autoptr (EarEpisode) three = dup_episode (fixture, &shown, 2);

  return one != NULL && two != NULL && three != NULL && ear_episode_get_listened (one) &&
         ear_episode_get_position (two) == 42 * G_USEC_PER_SEC && ear_episode_get_liked (three);
}

static void
test_take_over (Fixture *fixture, gconstpointer data)
{
  g_autofree char *feed = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Kast-5.xml", NULL);
  g_autofree char *path = make_kasts (fixture, feed);

  take_over (fixture, path);
  g_assert_cmpint (fixture->n_imported, ==, 1);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  wait_for (fixture, states_are_there);
  g_clear_object (&shown);
}

static gboolean
is_unlistened (Fixture *fixture)
{
  g_autoptr (EarEpisode) one = dup_episode (fixture, &shown, 0);

  return one != NULL && !ear_episode_get_listened (one);
}

/* Later changes in Earmark take precedence. */
static void
test_take_over_again (Fixture *fixture, gconstpointer data)
{
  g_autofree char *feed = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Kast-5.xml", NULL);
  g_autofree char *path = make_kasts (fixture, feed);
  g_autoptr (EarEpisode) episode = NULL;

  take_over (fixture, path);
  wait_for (fixture, states_are_there);
  episode = dup_episode (fixture, &shown, 0);
  ear_history_set_mark (ear_library_get_history (fixture->library), episode, EAR_MARK_LISTENED, FALSE);
  wait_for (fixture, is_unlistened);
  take_over (fixture, path);
  for (guint i = 0; i < 50; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (is_unlistened (fixture));
  g_clear_object (&shown);
}

static char *
list_queue (Fixture *fixture)
{
  GListModel *list = G_LIST_MODEL (ear_queue_get_list (ear_library_get_queue (fixture->library)));
  g_autoptr (GString) guids = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (list, i);

      g_string_append_printf (guids, "%s ", episode != NULL ? ear_episode_get_guid (episode) : "-");
    }

  return g_string_free (g_steal_pointer (&guids), FALSE);
}

static gboolean
antennapod_is_there (Fixture *fixture)
{
  g_autoptr (EarEpisode) one = dup_episode (fixture, &shown, 0);
  g_autoptr (EarEpisode) two = dup_episode (fixture, &shown, 1);
  g_autoptr (EarEpisode) three = dup_episode (fixture, &shown, 2);
  g_autofree char *queue = list_queue (fixture);

  return three != NULL && ear_episode_get_listened (one) && ear_episode_get_position (two) == 42 * G_USEC_PER_SEC &&
         ear_episode_get_liked (three) && g_str_equal (queue, "made-3 made-2 ");
}

static void
test_antennapod (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_antennapod (fixture);
  g_autoptr (GString) lines = g_string_new (NULL);
  GPtrArray *omissions;

  take_over (fixture, path);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  wait_for (fixture, antennapod_is_there);
  omissions = ear_importer_get_omissions (ear_library_get_importer (fixture->library));
  for (guint i = 0; i < omissions->len; i++)
    {
      const EarImportOmission *omission = g_ptr_array_index (omissions, i);
      g_autofree char *reason = ear_import_omission_describe (omission);

      g_string_append_printf (lines, "%s: %s %s\n", omission->title, reason,
                              omission->episodes->len > 0 ? (char *) g_ptr_array_index (omission->episodes, 0) : "");
    }
  g_assert_cmpstr (lines->str, ==, "On the card: Only podcasts on the web can be followed \nLeft: Not followed in the other app \n"
                                   "Ant: 1 episode is no longer in the feed Gone\n");
  /* A further import finds the podcast and its queue, and changes nothing. */
  take_over (fixture, path);
  wait_for (fixture, antennapod_is_there);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  g_assert_nonnull (fixture->undo);
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
  g_clear_object (&shown);
}

/* Episodes added together have positions in the next seconds. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_antennapod (fixture);
  g_autofree char *address = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Beta-3.xml", NULL);
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EarQueue *queue = ear_library_get_queue (fixture->library);
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *guids = NULL;

  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (podcast) == 3);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *guid = g_strdup_printf ("made-%u", i);

      g_ptr_array_add (episodes, ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), podcast, guid));
    }
  ear_queue_add_last (queue, episodes);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (queue))) == 3);
  take_over (fixture, path);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (ear_queue_get_list (queue))) == 5);
  guids = list_queue (fixture);
  g_assert_cmpstr (guids, ==, "made-0 made-1 made-2 made-3 made-2 ");
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD_IMPORT_TEST ("take-over", test_take_over);
  ADD_IMPORT_TEST ("take-over-again", test_take_over_again);
  ADD_IMPORT_TEST ("antennapod", test_antennapod);
  ADD_IMPORT_TEST ("queue", test_queue);

  return g_test_run ();
}
