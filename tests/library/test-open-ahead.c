/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-database.h"
#include "ear-error.h"
#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* A thread opens the catalogue before the library needs it. */
typedef struct
{
  char *folder;
  char *data;
  char *cache;
  char *catalogue;
  EarLibrary *library;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-ahead-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  fixture->library = ear_library_new (fixture->data, fixture->cache);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    library_fixture_close (&fixture->library);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
  g_free (fixture->catalogue);
}

static void
open_library (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_library_open (fixture->library, &error));
  g_assert_no_error (error);
}

static guint
count_podcasts (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library));
}

static gboolean
has_podcast (Fixture *fixture)
{
  return count_podcasts (fixture) == 1;
}

/* No server runs at this address: following works all the same. */
static void
follow_one (Fixture *fixture)
{
  open_library (fixture);
  ear_library_start (fixture->library, NULL);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:9/feed.xml", NULL);
  EAR_TEST_WAIT_UNTIL (has_podcast (fixture));
  library_fixture_close (&fixture->library);
  fixture->library = ear_library_new (fixture->data, fixture->cache);
}

static void
test_has_all (Fixture *fixture, gconstpointer data)
{
  follow_one (fixture);
  ear_library_open_ahead (fixture->library);
  open_library (fixture);
  /* Available at once, before the main loop has run */
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  ear_library_start (fixture->library, NULL);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), "http://127.0.0.1:9/another.xml", NULL);
  EAR_TEST_WAIT_UNTIL (count_podcasts (fixture) == 2);

  /* Changes after an early open are written, too. */
  library_fixture_close (&fixture->library);
  fixture->library = ear_library_new (fixture->data, fixture->cache);
  ear_library_open_ahead (fixture->library);
  open_library (fixture);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
}

static void
test_not_wanted (Fixture *fixture, gconstpointer data)
{
  follow_one (fixture);
  ear_library_open_ahead (fixture->library);
  g_clear_object (&fixture->library);

  fixture->library = ear_library_new (fixture->data, fixture->cache);
  open_library (fixture);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
}

static void
test_nothing_there (Fixture *fixture, gconstpointer data)
{
  ear_library_open_ahead (fixture->library);
  g_assert_false (g_file_test (fixture->catalogue, G_FILE_TEST_EXISTS));
  open_library (fixture);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
}

static void
notice_cb (EarNotices *notices, const char *message, gboolean lasting, guint *n_notices)
{
  (*n_notices)++;
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  guint n_notices = 0;

  follow_one (fixture);
  g_assert_true (g_file_set_contents (fixture->catalogue, "This is no catalogue, and never was one.", -1, NULL));
  ear_library_open_ahead (fixture->library);
  g_signal_connect (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (notice_cb), &n_notices);
  open_library (fixture);
  EAR_TEST_WAIT_UNTIL (n_notices > 0);
  g_signal_handlers_disconnect_by_data (fixture->library, &n_notices);
}

/* An error of the early open is returned by the regular open. */
static void
test_later_version (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  EarDatabase *database;

  follow_one (fixture);
  database = ear_database_open (fixture->catalogue, EAR_DATABASE_READ_WRITE, &error);
  g_assert_no_error (error);
  ear_database_exec (database, "PRAGMA user_version = 9999");
  g_assert_true (ear_database_finish (database, &error));
  ear_database_close (database);

  ear_library_open_ahead (fixture->library);
  g_assert_false (ear_library_open (fixture->library, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NEWER);
  g_clear_object (&fixture->library);
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/open-ahead/has-all", test_has_all);
  ADD ("/open-ahead/not-wanted", test_not_wanted);
  ADD ("/open-ahead/nothing-there", test_nothing_there);
  ADD ("/open-ahead/damaged", test_damaged);
  ADD ("/open-ahead/later-version", test_later_version);

  return g_test_run ();
}
