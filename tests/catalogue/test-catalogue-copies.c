/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-error.h"
#include "ear-test-process.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Copies of the catalogue, and restoring from them, also after a kill at any time */

#define N_EPISODES 300

static char *
dup_copy (Fixture *fixture)
{
  return g_strconcat (fixture->path, ".copy", NULL);
}

static void
assert_copy (Fixture *fixture, gint64 n_episodes)
{
  g_autofree char *copy = dup_copy (fixture);

  assert_whole (copy);
  g_assert_cmpint (read_number (copy, "SELECT count (*) FROM episode"), ==, n_episodes);
}

/* The copy is made while the writer works. */
static void
test_copy_while_writing (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autofree char *copy = dup_copy (fixture);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *prefix = g_strdup_printf ("e%u", i);
      g_autoptr (GPtrArray) episodes = make_episodes (prefix, 100, NEWEST);

      store (fixture->catalogue, podcast, episodes);
      if (i == 5)
        g_assert_true (make_copy (fixture->catalogue, &error));
    }
  flush (fixture->catalogue);
  g_assert_no_error (error);
  assert_whole (copy);
  assert_number (fixture, "SELECT count (*) FROM episode", 2000);
}

/* Closing cancels a copy, and leaves no partial file. On a busy machine the copy may
 * finish first, so the test makes several attempts. */
static void
test_close_while_copying (Fixture *fixture, gconstpointer data)
{
  g_autofree char *partial = g_strconcat (fixture->path, ".copy.partial", NULL);
  gboolean copied = TRUE;

  fill (fixture, "one", "e", N_EPISODES);
  for (guint i = 0; copied; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (i, <, 20);
      if (i > 0)
        fixture_reopen (fixture);
      ear_catalogue_copy_async (fixture->catalogue, keep_result_cb, &result);
      ear_catalogue_close (fixture->catalogue);
      EAR_TEST_WAIT_UNTIL (result != NULL);
      ear_catalogue_read_finish (fixture->catalogue, result, &error);
      copied = error == NULL;
      if (!copied)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_assert_false (g_file_test (partial, G_FILE_TEST_EXISTS));
}

/* One copy is kept. With a file size limit below the size of a copy, the error is returned, no partial
 * file is left, and the older copy is untouched. */
static void
test_one_is_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const gint64 before = g_get_real_time () / G_USEC_PER_SEC - 1;

  g_assert_cmpint (ear_catalogue_get_last_copy (fixture->catalogue), ==, 0);
  for (guint i = 1; i <= 2; i++)
    {
      fill (fixture, "one", i == 1 ? "e" : "f", N_EPISODES);
      g_assert_true (make_copy (fixture->catalogue, &error));
      g_assert_no_error (error);
      assert_copy (fixture, i * N_EPISODES);
    }
  g_assert_cmpuint (count_files (fixture, "."), ==, 1);
  g_assert_cmpint (ear_catalogue_get_last_copy (fixture->catalogue), >=, before);

  ear_test_limit_files (64 * 1024);
  g_assert_false (make_copy (fixture->catalogue, &error));
  ear_test_limit_files (0);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_cmpuint (count_files (fixture, "."), ==, 1);
  assert_copy (fixture, 2 * N_EPISODES);
  g_assert_true (make_copy (fixture->catalogue, NULL));
}

/* --- Restoring from copies ---------------------------------------------------------- */

/* A catalogue with a copy that lacks its last episodes */
static void
prepare (Fixture *fixture)
{
  fill (fixture, "one", "old", N_EPISODES);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  fill (fixture, "one", "lost", N_EPISODES);
  fixture_close (fixture);
  fixture_forget (fixture);
}

static gint64
count_episodes (Fixture *fixture)
{
  g_autoptr (GArray) ids = run_query (fixture->catalogue, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, 0);

  return ids->len;
}

/* Opens the catalogue, stores new episodes, and closes it cleanly. */
static void
expect_restored (Fixture *fixture, guint n_episodes)
{
  expect_told (fixture, n_episodes > 0 ? "restored *; " : "damaged *; ");
  g_assert_cmpint (count_episodes (fixture), ==, n_episodes);
  EarPodcast *podcast = follow (fixture, n_episodes > 0 ? "one" : "new");
  store_one (fixture->catalogue, podcast, make_episode ("after", "After", NEWEST + 1000, NULL));
  ear_catalogue_check_integrity (fixture->catalogue);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  flush (fixture->catalogue);
  g_assert_cmpint (count_episodes (fixture), ==, n_episodes + 1);
  g_assert_null (strstr (fixture->log->str, "damage"));
  fixture_close (fixture);
  assert_whole (fixture->path);
}

static void
overwrite (const char *path, gsize offset, gsize length)
{
  g_autofree char *content = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  for (gsize i = offset; i < MIN (offset + length, size); i++)
    content[i] = (char) (i * 7 + 13);
  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
}

static void
spoil (const char *path, const char *how)
{
  if (g_str_equal (how, "header"))
    overwrite (path, 0, 100);
  else if (g_str_equal (how, "first-page"))
    overwrite (path, 100, 8000);
  else if (g_str_equal (how, "garbage"))
    overwrite (path, 0, G_MAXSIZE / 2);
  else if (g_str_equal (how, "empty"))
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
  else if (g_str_equal (how, "half"))
    g_assert_cmpint (truncate (path, 3 * 8192 + 1000), ==, 0);
  else if (g_str_equal (how, "text"))
    g_assert_true (g_file_set_contents (path, "not a database", -1, NULL));
  else if (g_str_equal (how, "tables"))
    read_number (path, "DROP TABLE meta");
  else if (g_str_equal (how, "other-program"))
    read_number (path, "PRAGMA application_id = 7");
  /* A flipped bit makes a column NULL that the schema declares NOT NULL. */
  else if (g_str_equal (how, "null"))
    {
      execute (path, "PRAGMA writable_schema = ON;"
                     "UPDATE sqlite_schema SET sql = replace (sql, 'address TEXT NOT NULL', 'address TEXT');");
      execute (path, "UPDATE podcast SET address = NULL");
    }
  else
    g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
test_restored (Fixture *fixture, gconstpointer data)
{
  prepare (fixture);
  spoil (fixture->path, data);
  fixture_open (fixture);
  expect_restored (fixture, N_EPISODES);
}

/* A copy that is itself damaged is not used, and does not replace the file that was set aside. */
static void
test_bad_copy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = dup_copy (fixture);
  g_autofree char *aside = g_strconcat (fixture->path, ".damaged", NULL);
  g_autofree char *content = NULL;

  prepare (fixture);
  spoil (copy, data);
  spoil (fixture->path, "text");
  fixture_open (fixture);
  g_assert_true (g_file_get_contents (aside, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "not a database");
  expect_restored (fixture, 0);
}

/* The copy has a damaged page that opening does not read: it is found later. */
static void
test_copy_found_out (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = dup_copy (fixture);

  prepare (fixture);
  spoil_page_with (copy, "Episode 150 of old");
  spoil (fixture->path, "header");
  fixture_open (fixture);
  expect_told (fixture, "restored *; ");
  ear_catalogue_check_integrity (fixture->catalogue);
  expect_told (fixture, "damage found; ");
  fixture_reopen (fixture);
  expect_restored (fixture, 0);
}

/* Only the last file that was set aside is kept. */
static void
test_aside_is_replaced (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    {
      fixture_close (fixture);
      spoil (fixture->path, "text");
      fixture_open (fixture);
      expect_told (fixture, "damaged *; ");
      g_assert_cmpuint (count_files (fixture, "."), ==, 1);
    }
}

/* Earmark is killed at each step of a replacement: the next start continues there. */
static void
test_killed_steps (Fixture *fixture, gconstpointer data)
{
  const guint step = GPOINTER_TO_UINT (data);
  g_autofree char *aside = g_strconcat (fixture->path, ".damaged", NULL);
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *log_aside = g_strconcat (aside, "-wal", NULL);
  g_autofree char *log_content = NULL;
  gsize log_size = 0;

  prepare (fixture);
  /* A log of another file, with frames that SQLite would accept */
  fixture_open (fixture);
  EarPodcast *podcast = follow (fixture, "one");
  store_one (fixture->catalogue, podcast, make_episode ("log", "Log", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_true (g_file_get_contents (log, &log_content, &log_size, NULL));
  g_assert_cmpuint (log_size, >, 1000);
  fixture_close (fixture);
  fixture_forget (fixture);
  spoil (fixture->path, "header");
  g_assert_true (g_file_set_contents (log, log_content, (gssize) log_size, NULL));

  if (step >= 1)
    g_assert_cmpint (g_rename (fixture->path, aside), ==, 0);
  if (step >= 2)
    g_assert_cmpint (g_rename (log, log_aside), ==, 0);
  fixture_open (fixture);
  expect_restored (fixture, N_EPISODES);
}

/* A program that copies files, or a crash, leaves the database without its log. */
static void
test_log_lost (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *content = NULL;
  gsize size;

  fill (fixture, "one", "e", N_EPISODES);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  fill (fixture, "one", "f", N_EPISODES);
  g_assert_true (g_file_get_contents (fixture->path, &content, &size, NULL));
  fixture_close (fixture);
  g_assert_true (g_file_set_contents (fixture->path, content, (gssize) size, NULL));
  g_unlink (log);
  fixture_open (fixture);
  ear_catalogue_check_integrity (fixture->catalogue);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  gint64 n = count_episodes (fixture);
  g_assert_cmpint (n, <=, 2 * N_EPISODES);
  fixture_close (fixture);
  assert_whole (fixture->path);
}

G_NORETURN static void
copy_child (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogue) catalogue = open_catalogue (path, &error);

  g_assert_no_error (error);
  g_print ("begun\n");
  while (make_copy (catalogue, &error))
    ;
  g_error ("%s", error->message);
}

G_NORETURN static void
replace_child (const char *path)
{
  g_autoptr (GError) error = NULL;

  g_print ("begun\n");
  g_autoptr (EarCatalogue) catalogue = open_catalogue (path, &error);
  g_assert_no_error (error);
  while (TRUE)
    g_usleep (G_USEC_PER_SEC);
}

static void
test_killed_copy (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 60 : 20;
  g_autofree char *copy = dup_copy (fixture);

  fill (fixture, "one", "e", N_EPISODES);
  fixture_close (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 40000), "--copy", fixture->path, NULL));
      if (g_file_test (copy, G_FILE_TEST_EXISTS))
        assert_copy (fixture, N_EPISODES);
    }
  fixture_open (fixture);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  g_assert_cmpuint (count_files (fixture, "."), ==, 1);
}

static void
test_killed_replacement (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 60 : 20;

  prepare (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      spoil (fixture->path, "header");
      g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 8000), "--replace", fixture->path, NULL));
      fixture_open (fixture);
      g_assert_cmpint (count_episodes (fixture), ==, N_EPISODES);
      g_assert_true (make_copy (fixture->catalogue, NULL));
      fixture_close (fixture);
      fixture_forget (fixture);
    }
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-copies/while-writing", test_copy_while_writing },
    { "/catalogue-copies/close-while-copying", test_close_while_copying },
    { "/catalogue-copies/one-is-kept", test_one_is_kept },
    { "/catalogue-copies/restored/header", test_restored, "header" },
    { "/catalogue-copies/restored/first-page", test_restored, "first-page" },
    { "/catalogue-copies/restored/garbage", test_restored, "garbage" },
    { "/catalogue-copies/restored/empty", test_restored, "empty" },
    { "/catalogue-copies/restored/half", test_restored, "half" },
    { "/catalogue-copies/restored/text", test_restored, "text" },
    { "/catalogue-copies/restored/tables", test_restored, "tables" },
    { "/catalogue-copies/restored/other-program", test_restored, "other-program" },
    { "/catalogue-copies/restored/null", test_restored, "null" },
    { "/catalogue-copies/restored/missing", test_restored, "missing" },
    { "/catalogue-copies/bad-copy/header", test_bad_copy, "header" },
    { "/catalogue-copies/bad-copy/half", test_bad_copy, "half" },
    { "/catalogue-copies/bad-copy/empty", test_bad_copy, "empty" },
    { "/catalogue-copies/bad-copy/missing", test_bad_copy, "missing" },
    { "/catalogue-copies/bad-copy/tables", test_bad_copy, "tables" },
    { "/catalogue-copies/copy-found-out", test_copy_found_out },
    { "/catalogue-copies/aside-is-replaced", test_aside_is_replaced },
    { "/catalogue-copies/killed-steps/0", test_killed_steps, GUINT_TO_POINTER (0) },
    { "/catalogue-copies/killed-steps/1", test_killed_steps, GUINT_TO_POINTER (1) },
    { "/catalogue-copies/killed-steps/2", test_killed_steps, GUINT_TO_POINTER (2) },
    { "/catalogue-copies/log-lost", test_log_lost },
    { "/catalogue-copies/killed-copy", test_killed_copy },
    { "/catalogue-copies/killed-replacement", test_killed_replacement },
  };

  if (argc == 3 && strcmp (argv[1], "--copy") == 0)
    copy_child (argv[2]);
  if (argc == 3 && strcmp (argv[1], "--replace") == 0)
    replace_child (argv[2]);

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
