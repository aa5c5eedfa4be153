/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-test-wait.h"

#include <sqlite3.h>

/* A program that was started for one query alone opens the catalogue read-only. */

static EarCatalogue *
peek (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  EarCatalogue *catalogue = ear_catalogue_peek (fixture->path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (catalogue);

  return catalogue;
}

static void
refuse (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ear_catalogue_peek (fixture->path, &error));
  g_assert_nonnull (error);
}

static char *
find (EarCatalogue *catalogue, const char *words)
{
  return describe_query (catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, words);
}

static void
fill (Fixture *fixture)
{
  EarPodcast *podcast = follow (fixture, "first");

  store_one (fixture->catalogue, podcast, make_episode ("a", "Fog", NEWEST, "<p>A ship</p>"));
  store_one (fixture->catalogue, podcast, make_episode ("b", "Oil", NEWEST - DAY, "<p>No fog</p>"));
  flush (fixture->catalogue);
}

static void
assert_finds_all (Fixture *fixture)
{
  g_autoptr (EarCatalogue) peeked = peek (fixture);
  g_autofree char *found = find (peeked, "fog");

  g_assert_cmpstr (found, ==, "a b");
}

static void
test_finds (Fixture *fixture, gconstpointer data)
{
  fill (fixture);
  /* While another program has it open, and when none has */
  assert_finds_all (fixture);
  fixture_close (fixture);
  assert_finds_all (fixture);
}

/* Requests that only the writer could fulfill are ignored. */
static void
test_writes_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (EarCatalogue) peeked = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  g_autoptr (EarEpisode) episode = NULL;

  fill (fixture);
  fixture_close (fixture);
  file = g_file_new_for_path (fixture->path);
  before = g_file_load_bytes (file, NULL, NULL, NULL);
  peeked = peek (fixture);
  podcast = g_list_model_get_item (ear_catalogue_get_podcasts (peeked), 0);
  episode = get_episode (peeked, podcast, "a");
  set_listened (peeked, episode, TRUE);
  flush (peeked);
  g_clear_object (&episode);
  g_clear_object (&podcast);
  ear_test_finalize (g_steal_pointer (&peeked));
  after = g_file_load_bytes (file, NULL, NULL, NULL);
  g_assert_true (g_bytes_equal (before, after));
}

static void
set_version (Fixture *fixture, int version)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA user_version = %d", version);
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open (fixture->path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (database), ==, SQLITE_OK);
}

/* No file is created, migrated or set aside. */
static void
test_refuses (Fixture *fixture, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", "catalogue.db", NULL);
  g_autofree char *folder = g_path_get_dirname (missing);

  g_assert_null (ear_catalogue_peek (missing, NULL));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));

  fill (fixture);
  fixture_close (fixture);
  set_version (fixture, 1);
  refuse (fixture);
  set_version (fixture, 999);
  refuse (fixture);
  g_assert_true (g_file_set_contents (fixture->path, "no database", -1, NULL));
  refuse (fixture);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char *argv[])
{
  const FixtureTest tests[] = {
    { "/catalogue-peek/finds", test_finds },
    { "/catalogue-peek/writes-nothing", test_writes_nothing },
    { "/catalogue-peek/refuses", test_refuses },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
