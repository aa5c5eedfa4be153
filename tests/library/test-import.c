/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-library.h"
#include "ear-opml.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "library-fixture.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>

#define TIMEOUT (60 * G_USEC_PER_SEC)

/* So many podcasts are fetched at once. */
#define N_AT_ONCE 24

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarUndo *undo;
  gboolean done;
  int n_imported;
  GError *error;
} Fixture;

typedef gboolean (*Condition) (Fixture *fixture);

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for (Fixture *fixture, Condition condition)
{
  const gint64 end = g_get_monotonic_time () + TIMEOUT;
  guint tick = g_timeout_add (10, tick_cb, NULL);

  while (!condition (fixture) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_true (condition (fixture));
}

static gboolean
is_done (Fixture *fixture)
{
  return fixture->done;
}

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
}

static char *
dup_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data_folder = NULL;
  g_autofree char *cache_folder = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-import-XXXXXX", &error);
  g_assert_no_error (error);
  data_folder = dup_path (fixture, "data");
  cache_folder = dup_path (fixture, "cache");
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, 20);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  fixture->library = ear_library_new (data_folder, cache_folder);
  g_signal_connect_swapped (fixture->library, "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  g_assert_true (ear_library_open (fixture->library, &error));
  ear_library_start (fixture->library, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->undo);
  g_clear_error (&fixture->error);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_imported = ear_library_import_file_finish (EAR_LIBRARY (source), result, &fixture->error);
  fixture->done = TRUE;
}

static void
import_text (Fixture *fixture, const char *text)
{
  g_autofree char *path = dup_path (fixture, "in.opml");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  fixture->done = FALSE;
  g_clear_error (&fixture->error);
  ear_library_import_file_async (fixture->library, file, NULL, imported_cb, fixture);
  wait_for (fixture, is_done);
}

static gboolean
import_is_finished (Fixture *fixture)
{
  EarImport *import = ear_library_get_import (fixture->library);

  return import != NULL && ear_import_get_finished (import);
}

static guint
count_podcasts (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library));
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_true (ear_library_export_file_finish (EAR_LIBRARY (source), result, &fixture->error));
  g_assert_no_error (fixture->error);
  fixture->done = TRUE;
}

static char *
export_text (Fixture *fixture, gboolean with_private)
{
  g_autofree char *path = dup_path (fixture, "out.opml");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  char *text;

  fixture->done = FALSE;
  ear_library_export_file_async (fixture->library, file, TRUE, with_private, NULL, exported_cb, fixture);
  wait_for (fixture, is_done);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

static void
not_exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_false (ear_library_export_file_finish (EAR_LIBRARY (source), result, &fixture->error));
  fixture->done = TRUE;
}

/* A disk that is full, as it looks to a program: files may not get longer than a few bytes. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  const struct rlimit little = { 16, RLIM_INFINITY };
  const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
  g_autofree char *path = dup_path (fixture, "new.opml");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &little), ==, 0);
  ear_library_export_file_async (fixture->library, file, FALSE, FALSE, NULL, not_exported_cb, fixture);
  wait_for (fixture, is_done);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &all), ==, 0);
  g_assert_nonnull (fixture->error);
  g_assert_false (g_file_query_exists (file, NULL));

  /* Nothing stands in the way of another try. */
  g_clear_error (&fixture->error);
  fixture->done = FALSE;
  ear_library_export_file_async (fixture->library, file, FALSE, FALSE, NULL, exported_cb, fixture);
  wait_for (fixture, is_done);
  g_assert_true (g_file_query_exists (file, NULL));

  /* One that was there before is left as it is. */
  fixture->done = FALSE;
  ear_library_export_file_async (fixture->library, file, FALSE, FALSE, NULL, not_exported_cb, fixture);
  wait_for (fixture, is_done);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_true (g_file_query_exists (file, NULL));
}

static char *
make_list (Fixture *fixture)
{
  const char *base = ear_test_server_get_base_url (fixture->server);

  return g_strdup_printf ("<opml><body>"
                          "<outline text='News &amp; more'><outline text='Deep'><outline xmlUrl='%s/generated/Alpha-3.xml'/></outline>"
                          "<outline text='Beta in the list' xmlUrl='%s/generated/Beta-2.xml'/></outline>"
                          "<outline text='Gone' xmlUrl='%s/missing.xml'/><outline text='Page' xmlUrl='%s/~html/x'/>"
                          "<outline xmlUrl='%s/generated/Beta-2.xml'/><outline xmlUrl='javascript:alert(1)'/>"
                          "</body></opml>",
                          base, base, base, base, base);
}

static void
test_import (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  EarImport *import;
  GListModel *failures;

  import_text (fixture, list);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->n_imported, ==, 4);
  wait_for (fixture, import_is_finished);
  import = ear_library_get_import (fixture->library);
  g_assert_cmpuint (ear_import_get_total (import), ==, 4);
  g_assert_cmpuint (ear_import_get_done (import), ==, 4);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);

  failures = ear_import_get_failures (import);
  g_assert_cmpuint (g_list_model_get_n_items (failures), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EarImportFailure) failure = g_list_model_get_item (failures, i);
      g_autofree char *title = NULL;
      g_autoptr (GError) error = NULL;

      g_object_get (failure, "title", &title, "error", &error, NULL);
      if (g_str_equal (title, "Gone"))
        g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
      else
        g_assert_error (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
    }
}

/* However the list writes their addresses, what is followed is not followed twice. */
static void
test_written_otherwise (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *alpha = g_strconcat (base, "/generated/Alpha-3.xml", NULL);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline xmlUrl='%s//generated/Alpha-3.xml'/>"
                                           "<outline xmlUrl='%s/generated/%%42eta-2.xml'/><outline xmlUrl='%s/generated/Beta-2.xml/'/></body></opml>",
                                           base, base, base);

  ear_library_follow (fixture->library, alpha, NULL);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  g_assert_cmpuint (ear_import_get_done (ear_library_get_import (fixture->library)), ==, 3);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 1 podcast");
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  g_autofree char *alpha = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Alpha-3.xml", NULL);

  /* What was followed before is left alone. */
  ear_library_follow (fixture->library, alpha, NULL);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);
  g_assert_nonnull (fixture->undo);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 3 podcasts");
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
}

static void
test_unfollow_failed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  ear_library_unfollow_failed (fixture->library, ear_library_get_import (fixture->library));
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);
}

/* What comes in folders goes out in them. */
static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "<outline text=\"News &amp; more\">"));
  g_assert_nonnull (strstr (text, "<outline text=\"Deep\">"));
  g_assert_nonnull (strstr (text, "text=\"Beta\""));
  g_assert_null (strstr (text, "Beta in the list"));

  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
  import_text (fixture, text);
  wait_for (fixture, import_is_finished);
  again = export_text (fixture, FALSE);
  g_assert_cmpstr (strstr (again, "<body>"), ==, strstr (text, "<body>"));
}

static void
test_private (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *open = g_strconcat (base, "/generated/Open-1.xml", NULL);
  g_autofree char *secret = g_strconcat (base, "/generated/Secret-1.xml?auth=hush", NULL);
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;

  ear_library_follow (fixture->library, open, NULL);
  g_assert_cmpuint (ear_library_count_private (fixture->library), ==, 0);
  ear_library_follow (fixture->library, secret, NULL);
  g_assert_cmpuint (ear_library_count_private (fixture->library), ==, 1);
  text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "Open-1"));
  g_assert_null (strstr (text, "hush"));
  all = export_text (fixture, TRUE);
  g_assert_nonnull (strstr (all, "hush"));
}

static void
test_no_list (Fixture *fixture, gconstpointer data)
{
  import_text (fixture, "Dear diary");
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_NOT_XML);
  import_text (fixture, "<opml><body/></opml>");
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->n_imported, ==, 0);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
}

static char *
make_long_list (Fixture *fixture, guint n, const char *wrapper)
{
  GString *list = g_string_new ("<opml><body>");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/generated/Number%u-2.xml", wrapper, i);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1 + i % 20, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
  g_string_append (list, "</body></opml>");

  return g_string_free (list, FALSE);
}

static void
count_notify_cb (EarImport *import, GParamSpec *pspec, guint *n)
{
  (*n)++;
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_long_list (fixture, 500, "");
  guint n_notifies = 0;

  import_text (fixture, list);
  g_signal_connect (ear_library_get_import (fixture->library), "notify::done", G_CALLBACK (count_notify_cb), &n_notifies);
  g_assert_cmpuint (ear_import_get_done (ear_library_get_import (fixture->library)), <, 500);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (n_notifies, >, 100);
  g_assert_cmpuint (count_podcasts (fixture), ==, 500);
  g_assert_cmpuint (g_list_model_get_n_items (ear_import_get_failures (ear_library_get_import (fixture->library))), ==, 0);
}

static gboolean
some_are_done (Fixture *fixture)
{
  return ear_import_get_done (ear_library_get_import (fixture->library)) >= 5;
}

/* What was fetched stays, and nothing else. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *quick = make_long_list (fixture, 5, "");
  g_autofree char *slow = make_long_list (fixture, 300, "/~mute");
  EarImport *import;

  quick[strlen (quick) - strlen ("</body></opml>")] = '\0';
  {
    g_autofree char *list = g_strconcat (quick, slow + strlen ("<opml><body>"), NULL);

    import_text (fixture, list);
  }
  import = ear_library_get_import (fixture->library);
  wait_for (fixture, some_are_done);
  g_assert_cmpuint (count_podcasts (fixture), <, 50);
  ear_import_stop (import);
  g_assert_true (ear_import_get_finished (import));
  g_assert_cmpuint (count_podcasts (fixture), ==, 5);
  g_assert_cmpuint (ear_import_get_added (import)->len, ==, 5);
}

static guint
count_with_episodes (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += ear_podcast_get_n_episodes (podcast) > 0;
    }

  return n;
}

/* Servers that say nothing are at the head of the list, more of them than are fetched at once: those after them come all the
 * same, long before the silent ones are given up. */
static void
test_silent_ones (Fixture *fixture, gconstpointer data)
{
  const gint64 start = g_get_monotonic_time ();
  g_autofree char *silent = make_long_list (fixture, 30, "/~mute");
  g_autoptr (GString) list = g_string_new_len (silent, strlen (silent) - strlen ("</body></opml>"));
  EarImport *import;

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("/generated/Late%u-2.xml", i);
      /* Another host than any of the silent ones */
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 11 + i, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
  g_string_append (list, "</body></opml>");
  import_text (fixture, list->str);
  import = ear_library_get_import (fixture->library);
  wait_for (fixture, some_are_done);
  g_test_message ("after %.1f s", (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  g_assert_cmpuint (count_with_episodes (fixture), ==, 5);
  ear_import_stop (import);
  g_assert_cmpuint (count_podcasts (fixture), ==, 5);
}

static gboolean
slow_have_begun (Fixture *fixture)
{
  return count_with_episodes (fixture) == N_AT_ONCE;
}

/* Those that come slowly but steadily are no silent ones, however long they take: one more would only make them slower. */
static void
test_slow_ones (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) list = g_string_new ("<opml><body>");
  g_autofree char *more = make_long_list (fixture, 1, "");
  gint64 end;
  guint tick;

  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      g_autofree char *path = g_strdup_printf ("/~slow=2000/generated/Slow%u-4000.xml", i);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1 + i % 20, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
  g_string_append (list, "</body></opml>");
  import_text (fixture, list->str);
  wait_for (fixture, slow_have_begun);
  import_text (fixture, more);
  /* For longer than a silent one is counted */
  end = g_get_monotonic_time () + 6 * G_TIME_SPAN_SECOND;
  tick = g_timeout_add (10, tick_cb, NULL);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_cmpuint (ear_import_get_done (ear_library_get_import (fixture->library)), ==, 0);
  g_assert_cmpuint (count_podcasts (fixture), ==, N_AT_ONCE);
  ear_import_stop (ear_library_get_import (fixture->library));
}

static gboolean
all_have_episodes (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_n_episodes (podcast) == 0)
        return FALSE;
    }

  return TRUE;
}

/* Who stops it, and follows what has not come yet all the same, gets that, though it was being given up. */
static void
test_stop_and_follow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_long_list (fixture, 60, "");
  g_autoptr (GBytes) bytes = g_bytes_new (list, strlen (list));
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, NULL);

  /* Nobody comes by later to fetch what was forgotten. */
  g_object_set (ear_library_get_settings (fixture->library), "refresh-interval", 0, NULL);
  ear_library_import (fixture->library, outlines);
  wait_for (fixture, some_are_done);
  ear_import_stop (ear_library_get_import (fixture->library));
  g_assert_cmpuint (count_podcasts (fixture), <, 60);
  for (guint i = 0; i < outlines->len; i++)
    ear_library_follow (fixture->library, ((EarOpmlOutline *) g_ptr_array_index (outlines, i))->address, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 60);
  wait_for (fixture, all_have_episodes);
}

/* --- Taking over ---------------------------------------------------------------------- */

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
                     "  ('%s', 'no longer there', '', 1, 0);"
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
    *list = ear_library_create_list (fixture->library, query);
  while (ear_episode_list_get_loading (*list))
    g_main_context_iteration (NULL, TRUE);

  return g_list_model_get_item (G_LIST_MODEL (*list), position);
}

static void
import_path (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  fixture->done = FALSE;
  g_clear_error (&fixture->error);
  ear_library_import_file_async (fixture->library, file, NULL, imported_cb, fixture);
  wait_for (fixture, is_done);
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

  import_path (fixture, path);
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

/* What was done here since counts more. */
static void
test_take_over_again (Fixture *fixture, gconstpointer data)
{
  g_autofree char *feed = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Kast-5.xml", NULL);
  g_autofree char *path = make_kasts (fixture, feed);
  g_autoptr (EarEpisode) episode = NULL;

  import_path (fixture, path);
  wait_for (fixture, states_are_there);
  episode = dup_episode (fixture, &shown, 0);
  ear_library_set_listened (fixture->library, episode, FALSE);
  wait_for (fixture, is_unlistened);
  import_path (fixture, path);
  for (guint i = 0; i < 50; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (is_unlistened (fixture));
  g_clear_object (&shown);
}

#define ADD(name, function) g_test_add ("/import/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD ("import", test_import);
  ADD ("written-otherwise", test_written_otherwise);
  ADD ("undo", test_undo);
  ADD ("unfollow-failed", test_unfollow_failed);
  ADD ("round-trip", test_round_trip);
  ADD ("private", test_private);
  ADD ("no-room", test_no_room);
  ADD ("no-list", test_no_list);
  ADD ("many", test_many);
  ADD ("stop", test_stop);
  ADD ("silent-ones", test_silent_ones);
  ADD ("slow-ones", test_slow_ones);
  ADD ("stop/follow", test_stop_and_follow);
  ADD ("take-over", test_take_over);
  ADD ("take-over-again", test_take_over_again);

  return g_test_run ();
}
