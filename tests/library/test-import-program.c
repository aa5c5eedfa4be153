/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

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

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD_IMPORT_TEST ("take-over", test_take_over);
  ADD_IMPORT_TEST ("take-over-again", test_take_over_again);

  return g_test_run ();
}
