/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sqlite3.h>
#include <string.h>

#include "ear-test-wait.h"
#include "ear-tokenizer.h"
#include "library-fixture.h"
#include "served-library.h"

/* The listener quits at any moment while podcasts are refreshed, among them large, slow,
 * silent and damaged ones: again and again on the same data. No warning may be logged,
 * every reference must be released (close_library()), and the files must stay
 * intact. `-m slow` quits a hundred times. */

#define LONGEST 700 /* ms */

static const char *const paths[] = {
  "/~noetag/~nodate/generated/Large-4000.xml",
  "/~noetag/~nodate/~slow=300000/generated/Slow-3000.xml",
  "/~noetag/~nodate/~slow=60000/~gzip/generated/Slower-1500.xml",
  "/~noetag/~nodate/~cut=90000/generated/Cut-2000.xml",
  "/~stall=50000/generated/Stalled-1000.xml",
  "/~mute/generated/Mute-10.xml",
  "/~delay=150/~status=503/generated/Busy-10.xml",
  "/~redirect=302/~noetag/~nodate/generated/Elsewhere-500.xml",
};

static char *
read_value (const char *path, const char *sql)
{
  sqlite3 *database;
  char *text;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  g_assert_true (ear_tokenizer_register (database));
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (database);

  return text;
}

/* Damaged files would have been set aside as "*.damaged-*". */
static void
assert_nothing_damaged (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (folder, name, NULL);

      g_assert_null (strstr (name, "damaged"));
      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        assert_nothing_damaged (child);
    }
}

static void
assert_whole (Fixture *fixture)
{
  g_autofree char *catalogue = g_build_filename (fixture->data, "catalogue.db", NULL);
  g_autofree char *integrity = read_value (catalogue, "PRAGMA integrity_check");
  g_autofree char *counts = read_value (
      catalogue, "SELECT (SELECT count (*) FROM notes) = (SELECT count (*) FROM episode)");

  g_assert_cmpstr (integrity, ==, "ok");
  g_assert_cmpstr (counts, ==, "1");
  assert_nothing_damaged (fixture->data);
}

static void
quit_after (Fixture *fixture, guint milliseconds)
{
  open_library (fixture, NULL);
  ear_refresher_refresh_all (fixture->parts->refresher, EAR_REFRESH_ALL);
  ear_test_spin (milliseconds / 2);
  /* Starts refreshes that the first start has not begun yet. */
  ear_refresher_refresh_all (fixture->parts->refresher, EAR_REFRESH_ALL);
  ear_test_spin (milliseconds - milliseconds / 2);
  close_library (fixture);
}

static void
test_quit (Fixture *fixture, gconstpointer data)
{
  const guint n_rounds = g_test_slow () ? 100 : 10;

  open_and_wait (fixture, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    follow (fixture, paths[i]);
  close_library (fixture);
  for (guint i = 0; i < n_rounds; i++)
    {
      const guint milliseconds = (guint) g_test_rand_int_range (0, LONGEST);

      g_test_message ("round %u: %u ms", i, milliseconds);
      quit_after (fixture, milliseconds);
      assert_whole (fixture);
    }

  open_and_wait (fixture, NULL);
  g_assert_cmpuint (count_followed (fixture), ==, G_N_ELEMENTS (paths));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/quit-refreshing/quit", test_quit);

  return g_test_run ();
}
