/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-error.h"
#include "ear-test-folder.h"
#include "ear-test-process.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Copies of the catalogue, and restoring from them, also after a kill at any time */

#define N_EPISODES 300

/* The path of a file beside the catalogue */
static const char *
get_path (Fixture *fixture, const char *suffix)
{
  return ear_test_format ("%s%s", fixture->path, suffix);
}

static void
assert_copy (Fixture *fixture, gint64 n_episodes)
{
  const char *copy = get_path (fixture, ".copy");

  assert_whole (copy);
  g_assert_cmpint (read_number (copy, "SELECT count (*) FROM episode"), ==, n_episodes);
}

/* The copy is made while the writer works. */
static void
test_copy_while_writing (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GPtrArray) episodes = make_episodes (ear_test_format ("e%u", i), 100, NEWEST);

      store (fixture->catalogue, podcast, episodes);
      if (i == 5)
        g_assert_true (make_copy (fixture->catalogue, &error));
    }
  assert_number (fixture, "SELECT count (*) FROM episode", 2000);
  g_assert_no_error (error);
  assert_whole (get_path (fixture, ".copy"));
}

/* Closing cancels a copy, and leaves no partial file. On a busy machine the copy may
 * finish first, so the test makes several attempts. */
static void
test_close_while_copying (Fixture *fixture, gconstpointer data)
{
  gboolean copied = TRUE;

  fill (fixture, "one", "e", N_EPISODES);
  for (guint i = 0; copied; i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (i, <, 20);
      if (i > 0)
        fixture_reopen (fixture);
      ear_catalogue_copy_async (fixture->catalogue, ear_test_result_cb, &result);
      ear_catalogue_close (fixture->catalogue);
      EAR_TEST_WAIT_UNTIL (result != NULL);
      ear_catalogue_read_finish (fixture->catalogue, result, &error);
      copied = error == NULL;
      if (!copied)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_assert_false (g_file_test (get_path (fixture, ".copy.partial"), G_FILE_TEST_EXISTS));
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

/* Damage to a file: overwritten bytes, a lost end, another content, a change by SQL, or, without any
 * of these, deletion */
typedef struct
{
  const char *name;
  gsize offset, length, cut;
  const char *content, *sql;
} Damage;

static const Damage damages[] = {
  { "header", .length = 100 },
  { "first-page", .offset = 100, .length = 8000 },
  { "garbage", .length = G_MAXSIZE },
  { "half", .cut = 3 * 8192 + 1000 },
  { "empty", .content = "" },
  { "text", .content = "not a database" },
  { "tables", .sql = "DROP TABLE meta" },
  { "other-program", .sql = "PRAGMA application_id = 7" },
  /* A flipped bit makes a column NULL that the schema declares NOT NULL. */
  { "null", .sql = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
                   " replace (sql, 'address TEXT NOT NULL', 'address TEXT');"
                   "PRAGMA writable_schema = RESET; UPDATE podcast SET address = NULL" },
  { "missing" },
};

#define HEADER (&damages[0])

static void
spoil (const char *path, const Damage *damage)
{
  g_autofree char *content = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  for (gsize i = 0; i < damage->length && damage->offset + i < size; i++)
    content[damage->offset + i] = (char) (i * 7 + 13);
  if (damage->length > 0)
    g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
  else if (damage->cut > 0)
    g_assert_cmpint (truncate (path, (off_t) damage->cut), ==, 0);
  else if (damage->content != NULL)
    g_assert_true (g_file_set_contents (path, damage->content, -1, NULL));
  else if (damage->sql != NULL)
    execute (path, damage->sql);
  else
    g_assert_cmpint (g_unlink (path), ==, 0);
}

/* Prepares a catalogue for each damage. */
static void
start_over (Fixture *fixture, const Damage *damage)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);

  g_test_message ("%s", damage->name);
  fixture_close (fixture);
  ear_test_folder_remove (folder);
  fixture_open (fixture);
  prepare (fixture);
}

static void
test_restored (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      start_over (fixture, &damages[i]);
      spoil (fixture->path, &damages[i]);
      fixture_open (fixture);
      expect_restored (fixture, N_EPISODES);
    }
}

/* A copy that is itself damaged is not used, and does not replace the file that was set aside. */
static void
test_bad_copy (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *content = NULL;

      start_over (fixture, &damages[i]);
      spoil (get_path (fixture, ".copy"), &damages[i]);
      g_assert_true (g_file_set_contents (fixture->path, "not a database", -1, NULL));
      fixture_open (fixture);
      g_assert_true (g_file_get_contents (get_path (fixture, ".damaged"), &content, NULL, NULL));
      g_assert_cmpstr (content, ==, "not a database");
      expect_restored (fixture, 0);
    }
}

/* The copy has a damaged page that opening does not read: it is found later. Only the last file
 * that was set aside is kept. */
static void
test_copy_found_out (Fixture *fixture, gconstpointer data)
{
  prepare (fixture);
  spoil_page_with (get_path (fixture, ".copy"), "Episode 150 of old");
  spoil (fixture->path, HEADER);
  fixture_open (fixture);
  expect_told (fixture, "restored *; ");
  ear_catalogue_check_integrity (fixture->catalogue);
  expect_told (fixture, "damage found; ");
  fixture_reopen (fixture);
  g_assert_cmpuint (count_files (fixture, "."), ==, 1);
  expect_restored (fixture, 0);
}

/* Earmark is killed at each step of a replacement: the next start continues there. */
static void
test_killed_steps (Fixture *fixture, gconstpointer data)
{
  const guint step = GPOINTER_TO_UINT (data);
  const char *log = get_path (fixture, "-wal");
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
  spoil (fixture->path, HEADER);
  g_assert_true (g_file_set_contents (log, log_content, (gssize) log_size, NULL));

  if (step >= 1)
    g_assert_cmpint (g_rename (fixture->path, get_path (fixture, ".damaged")), ==, 0);
  if (step >= 2)
    g_assert_cmpint (g_rename (log, get_path (fixture, ".damaged-wal")), ==, 0);
  fixture_open (fixture);
  expect_restored (fixture, N_EPISODES);
}

/* A program that copies files, or a crash, leaves the database without its log. */
static void
test_log_lost (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = NULL;
  gsize size;

  fill (fixture, "one", "e", N_EPISODES);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  fill (fixture, "one", "f", N_EPISODES);
  g_assert_true (g_file_get_contents (fixture->path, &content, &size, NULL));
  fixture_close (fixture);
  g_assert_true (g_file_set_contents (fixture->path, content, (gssize) size, NULL));
  g_unlink (get_path (fixture, "-wal"));
  fixture_open (fixture);
  ear_catalogue_check_integrity (fixture->catalogue);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  g_assert_cmpint (count_episodes (fixture), <=, 2 * N_EPISODES);
  fixture_close (fixture);
  assert_whole (fixture->path);
}

/* Opens the catalogue, and copies it until it is killed: during one or the other. */
G_NORETURN static void
work (const char *path, gboolean opening)
{
  g_autoptr (GError) error = NULL;

  if (opening)
    g_print ("begun\n");
  g_autoptr (EarCatalogue) catalogue = open_catalogue (path, &error);
  g_assert_no_error (error);
  g_print ("begun\n");
  while (make_copy (catalogue, &error))
    ;
  g_error ("%s", error->message);
}

static void
test_killed_copy (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 60 : 20;

  fill (fixture, "one", "e", N_EPISODES);
  fixture_close (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 40000), "--copy", fixture->path, NULL));
      if (g_file_test (get_path (fixture, ".copy"), G_FILE_TEST_EXISTS))
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
      spoil (fixture->path, HEADER);
      g_strfreev (ear_test_run_and_kill (g_test_rand_int_range (0, 8000), "--open", fixture->path, NULL));
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
    { "/catalogue-copies/restored", test_restored },
    { "/catalogue-copies/bad-copy", test_bad_copy },
    { "/catalogue-copies/copy-found-out", test_copy_found_out },
    { "/catalogue-copies/killed-steps/0", test_killed_steps, GUINT_TO_POINTER (0) },
    { "/catalogue-copies/killed-steps/1", test_killed_steps, GUINT_TO_POINTER (1) },
    { "/catalogue-copies/killed-steps/2", test_killed_steps, GUINT_TO_POINTER (2) },
    { "/catalogue-copies/log-lost", test_log_lost },
    { "/catalogue-copies/killed-copy", test_killed_copy },
    { "/catalogue-copies/killed-replacement", test_killed_replacement },
  };

  if (argc == 3 && (g_str_equal (argv[1], "--open") || g_str_equal (argv[1], "--copy")))
    work (argv[2], g_str_equal (argv[1], "--open"));

  return fixture_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
