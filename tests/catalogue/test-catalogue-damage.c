/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "catalogue-util.h"

#include "ear-error.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <unistd.h>

static void
cancelled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  g_string_append (user_data, ids != NULL ? "answered " : error->code == G_IO_ERROR_CANCELLED ? "cancelled " : "failed ");
}

/* While something is being written the file is marked as in use, and as clean after a
 * regular exit. */
static void
test_clean_mark (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
  follow (fixture, "one");
  flush (fixture->catalogue);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 0);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
  read_number (fixture->path, "UPDATE meta SET value = 0");
  fixture_open (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 1);
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
}

/* The catalogue is a new one that works. */
static void
expect_new (Fixture *fixture)
{
  EarPodcast *podcast;

  expect_told (fixture, "damaged catalogue.db.damaged; ");
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 0);
  podcast = follow (fixture, "new");
  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 1; ");
}

static void
open_damaged (Fixture *fixture)
{
  fixture_open (fixture);
  expect_new (fixture);
}

static char *
dup_set_aside (Fixture *fixture)
{
  g_autoptr (GPtrArray) files = list_files (fixture, ".damaged");

  g_assert_cmpuint (files->len, ==, 1);

  return g_strdup (g_ptr_array_index (files, 0));
}

static void
test_no_database (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = g_strnfill (50000, 'x');
  g_autofree char *kept = NULL;
  g_autofree char *aside = NULL;

  fixture_close (fixture);
  g_assert_true (g_file_set_contents (fixture->path, content, -1, NULL));
  open_damaged (fixture);
  aside = dup_set_aside (fixture);
  g_assert_true (g_file_get_contents (aside, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, content);
}

static void
test_foreign_database (Fixture *fixture, gconstpointer data)
{
  g_autofree char *aside = NULL;

  fixture_close (fixture);
  read_number (fixture->path, "PRAGMA application_id = 7");
  open_damaged (fixture);
  aside = dup_set_aside (fixture);
  g_assert_cmpint (read_number (aside, "PRAGMA application_id"), ==, 7);
}

static guint
count_files (Fixture *fixture, const char *suffix)
{
  g_autoptr (GPtrArray) files = list_files (fixture, suffix);

  return files->len;
}

/* A file of an earlier version is set aside without a report, until there is a copy of the
 * new one. */
static void
test_older_version (Fixture *fixture, gconstpointer data)
{
  g_assert_true (make_copy (fixture->catalogue, NULL));
  fixture_close (fixture);
  read_number (fixture->path, "PRAGMA user_version = 15");
  fixture_open (fixture);
  store_one (fixture->catalogue, follow (fixture, "new"), make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 1; ");
  g_assert_cmpint (ear_catalogue_get_last_copy (fixture->catalogue), ==, 0);
  g_assert_cmpuint (count_files (fixture, ".version"), ==, 1);
  g_assert_true (make_copy (fixture->catalogue, NULL));
  g_assert_cmpuint (count_files (fixture, ".version"), ==, 0);
}

/* A catalogue of a later version is reported, and left unchanged to the byte. */
static void
test_newer_version (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GPtrArray) aside = NULL;
  g_autoptr (GError) error = NULL;
  gsize size_before, size_after;

  fixture_close (fixture);
  read_number (fixture->path, "PRAGMA user_version = 1000");
  g_assert_true (g_file_get_contents (fixture->path, &before, &size_before, NULL));
  g_assert_null (ear_catalogue_open (fixture->path, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NEWER);
  g_assert_true (g_file_get_contents (fixture->path, &after, &size_after, NULL));
  g_assert_cmpmem (before, size_before, after, size_after);
  aside = list_files (fixture, ".");
  g_assert_cmpuint (aside->len, ==, 0);
}

static void
test_missing_table (Fixture *fixture, gconstpointer data)
{
  fixture_close (fixture);
  read_number (fixture->path, "DROP TABLE notes");
  open_damaged (fixture);
}

/* A flipped bit makes a column NULL that the schema declares NOT NULL. */
static void
test_missing_address (Fixture *fixture, gconstpointer data)
{
  sqlite3 *handle = NULL;

  follow (fixture, "one");
  fixture_close (fixture);
  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, "PRAGMA writable_schema = ON;"
                                 "UPDATE sqlite_schema SET sql = replace (sql, 'address TEXT NOT NULL', 'address TEXT');",
                                 NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);
  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, "UPDATE podcast SET address = NULL", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);
  open_damaged (fixture);
}

/* The catalogue opens at once, and the damage is found later. */
static void
check_found_later (Fixture *fixture, void (*spoil) (const char *path, const char *text), const char *text)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 500, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE meta SET value = 0");
  spoil (fixture->path, text);
  fixture_forget (fixture);
  fixture_open (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue)), ==, 1);
  ear_catalogue_check_integrity (fixture->catalogue);
  expect_told (fixture, "damage found; ");
  fixture_close (fixture);
  open_damaged (fixture);
}

/* Pages in the middle */
static void
test_damaged_pages (Fixture *fixture, gconstpointer data)
{
  check_found_later (fixture, spoil_page_with, "Episode 250 of e");
}

/* Changes one letter of a guid, in the index or in the row, but not in both. All pages
 * stay valid. */
static void
spoil_guid (const char *path, const char *guid)
{
  const gsize length = strlen (guid);
  g_autofree char *content = NULL;
  char *found;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  found = memmem (content, size, guid, length);
  while (found != NULL && (found[-1] == '/' || found[length] == '.'))
    found = memmem (found + 1, (gsize) (content + size - found - 1), guid, length);
  g_assert_nonnull (found);
  found[length - 1] = 'x';
  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
}

static void
test_index_disagrees (Fixture *fixture, gconstpointer data)
{
  check_found_later (fixture, spoil_guid, "e-250");
}

/* A catalogue that was closed cleanly is not checked, and an intact one raises no
 * alarm. */
static void
test_whole (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 500, NEWEST);
  static const char *const exits[] = { "UPDATE meta SET value = 0", "UPDATE meta SET value = 2", "UPDATE meta SET value = 'x'" };

  store (fixture->catalogue, podcast, episodes);
  for (gsize i = 0; i < G_N_ELEMENTS (exits); i++)
    {
      fixture_close (fixture);
      read_number (fixture->path, exits[i]);
      fixture_forget (fixture);
      fixture_open (fixture);
      ear_catalogue_check_integrity (fixture->catalogue);
      /* The copy is made after the check. */
      g_assert_true (make_copy (fixture->catalogue, NULL));
      g_assert_cmpstr (fixture->log->str, ==, "");
    }
  fixture_close (fixture);
  g_assert_cmpint (read_number (fixture->path, "SELECT value FROM meta WHERE key = 'exit'"), ==, 1);
}

/* Damage found during normal use starts a check at once. */
static void
test_damage_at_work (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 2000, NEWEST);
  g_autoptr (GString) answers = g_string_new (NULL);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);

  store (fixture->catalogue, podcast, episodes);
  fixture_close (fixture);
  spoil_page_with (fixture->path, "Episode 1000 of e");
  fixture_forget (fixture);
  fixture_open (fixture);
  ear_catalogue_read_async (fixture->catalogue, ear_read_query (query, 0), NULL, cancelled_cb, answers);
  while (answers->len == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (answers->str, ==, "failed ");
  expect_told (fixture, "damage found; ");
  fixture_close (fixture);
  open_damaged (fixture);
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 500, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  fixture_close (fixture);
  read_number (fixture->path, "UPDATE meta SET value = 0");
  g_assert_cmpint (truncate (fixture->path, 40960), ==, 0);
  fixture_forget (fixture);
  open_damaged (fixture);
}

/* An unreadable file is not damaged: it stays, and the caller gets the error. */
static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  g_autoptr (GError) error = NULL;

  fixture_close (fixture);
  g_assert_null (ear_catalogue_open (folder, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
}

/* A full disk is reported, nothing is stored in part, and the whole feed is requested
 * again. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);

  flush (fixture->catalogue);
  /* One episode that cannot be stored stands for a full disk. */
  read_number (fixture->path, "CREATE TRIGGER full BEFORE INSERT ON episode WHEN NEW.guid = 'e-2'"
                              " BEGIN SELECT raise (ABORT, 'full'); END");
  store (fixture->catalogue, podcast, episodes);
  store_one (fixture->catalogue, podcast, make_episode ("good", "Good", NEWEST + 1, NULL));
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_assert_true (g_str_has_prefix (fixture->log->str, "failed 0, episodes lost; inserted 1: 1; "));
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "good");
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "One");
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_null (check->etag);

  read_number (fixture->path, "DROP TRIGGER full");
  fixture_forget (fixture);
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "inserted 1: 3; ");
  g_autoptr (EarFeedCheck) again = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (again->etag, ==, "\"tag\"");
}

/* A failure does not affect another podcast's response that ends in the same transaction: its
 * episode with a new guid is decided then. */
static void
test_failed_neighbor (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  EarPodcast *neighbor = follow (fixture, "two");
  EarEpisodeFacts *renamed = make_episode ("new", "Title", NEWEST, NULL);
  g_autoptr (EarFeedCheck) check = NULL;

  g_set_str (&((EarEnclosure *) g_ptr_array_index (renamed->enclosures, 0))->address, "https://example.org/audio/old.mp3");
  store_one (fixture->catalogue, neighbor, make_episode ("old", "Title", NEWEST, NULL));
  finish_answer (fixture->catalogue, neighbor, "Two", "\"1\"", TRUE);
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (neighbor));
  store_one (fixture->catalogue, neighbor, renamed);
  flush (fixture->catalogue);
  read_number (fixture->path, "CREATE TRIGGER full BEFORE INSERT ON episode WHEN NEW.guid = 'bad'"
                              " BEGIN SELECT raise (ABORT, 'full'); END");
  store_one (fixture->catalogue, podcast, make_episode ("bad", "Bad", NEWEST, NULL));
  finish_answer (fixture->catalogue, neighbor, "Two", "\"2\"", TRUE);
  flush (fixture->catalogue);
  check = ear_catalogue_dup_check (fixture->catalogue, neighbor);
  g_assert_cmpstr (check->etag, ==, "\"2\"");
  assert_query (fixture, NULL, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "old");
}

/* The disk was full when the podcast was followed, and is not any more before its feed
 * ends: lost episodes are reported, and the feed is requested again. */
static void
test_late_row (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) episodes = make_episodes ("e", 3, NEWEST);
  g_autoptr (EarFeedCheck) check = NULL;
  g_autoptr (EarFeedCheck) again = NULL;
  EarPodcast *podcast;

  flush (fixture->catalogue);
  read_number (fixture->path, "CREATE TRIGGER full BEFORE INSERT ON podcast BEGIN SELECT raise (ABORT, 'full'); END");
  podcast = follow (fixture, "one");
  flush (fixture->catalogue);
  g_assert_cmpstr (fixture->log->str, ==, "failed 0, episodes lost; ");
  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);

  read_number (fixture->path, "DROP TRIGGER full");
  store_one (fixture->catalogue, podcast, make_episode ("older", "Older", NEWEST - 9 * DAY, NULL));
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  assert_query (fixture, podcast, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL, "older");
  check = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_null (check->etag);

  ear_catalogue_begin_response (fixture->catalogue, ear_podcast_get_id (podcast));
  store (fixture->catalogue, podcast, episodes);
  finish_answer (fixture->catalogue, podcast, "One", "\"tag\"", TRUE);
  flush (fixture->catalogue);
  again = ear_catalogue_dup_check (fixture->catalogue, podcast);
  g_assert_cmpstr (again->etag, ==, "\"tag\"");
}

static void
mark_failed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *failed = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_null (ear_catalogue_mark_finish (EAR_CATALOGUE (source), result, &error));
  g_assert_nonnull (error);
  *failed = TRUE;
}

/* A mark that could not be stored is no longer shown either. */
static void
test_failed_mark (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (EarEpisode) episode = NULL;
  gboolean failed = FALSE;
  gint64 id;

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  episode = ear_catalogue_dup_episode_by_guid (fixture->catalogue, podcast, "a");
  id = ear_episode_get_id (episode);
  g_array_append_val (ids, id);
  read_number (fixture->path, "CREATE TRIGGER full BEFORE UPDATE OF listened ON episode BEGIN SELECT raise (ABORT, 'full'); END");
  ear_catalogue_mark_async (fixture->catalogue, &(EarMarkTarget) { .ids = ids }, EAR_MARK_LISTENED, TRUE, mark_failed_cb, &failed);
  g_assert_true (ear_episode_get_listened (episode));
  while (!failed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (ear_episode_get_listened (episode));
}

static void
media_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GPtrArray **) user_data = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);
}

/* Media URLs and guids, which are uploaded by sync, are valid UTF-8 even in a damaged file. */
static void
test_invalid_text (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "one");
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);
  g_autoptr (GPtrArray) found = NULL;
  EarMediaMarks *marks;

  store_one (fixture->catalogue, podcast, make_episode ("a", "A", NEWEST, NULL));
  flush (fixture->catalogue);
  read_number (fixture->path, "UPDATE episode SET enclosure = 'https://example.org/' || CAST (x'ff' AS TEXT),"
                              " feed_guid = 'b' || CAST (x'ff' AS TEXT)");
  g_ptr_array_add (places, ear_media_marks_new (ear_podcast_get_id (podcast), "https://example.org/", "b\uFFFD"));
  ear_catalogue_find_media_async (fixture->catalogue, places, G_MAXINT64, NULL, media_cb, &found);
  while (found == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (found->len, ==, 1);
  marks = g_ptr_array_index (found, 0);
  g_assert_cmpstr (marks->media, ==, "https://example.org/\uFFFD");
  g_assert_cmpstr (marks->feed_guid, ==, "b\uFFFD");
}

int
main (int argc, char **argv)
{
  static const FixtureTest tests[] = {
    { "/catalogue-damage/clean-mark", test_clean_mark },
    { "/catalogue-damage/no-database", test_no_database },
    { "/catalogue-damage/foreign-database", test_foreign_database },
    { "/catalogue-damage/older-version", test_older_version },
    { "/catalogue-damage/newer-version", test_newer_version },
    { "/catalogue-damage/missing-table", test_missing_table },
    { "/catalogue-damage/missing-address", test_missing_address },
    { "/catalogue-damage/index-disagrees", test_index_disagrees },
    { "/catalogue-damage/damaged-pages", test_damaged_pages },
    { "/catalogue-damage/damage-at-work", test_damage_at_work },
    { "/catalogue-damage/whole", test_whole },
    { "/catalogue-damage/truncated", test_truncated },
    { "/catalogue-damage/unreadable", test_unreadable },
    { "/catalogue-damage/failure", test_failure },
    { "/catalogue-damage/failed-neighbor", test_failed_neighbor },
    { "/catalogue-damage/late-row", test_late_row },
    { "/catalogue-damage/failed-mark", test_failed_mark },
    { "/catalogue-damage/invalid-text", test_invalid_text },
  };

  g_test_init (&argc, &argv, NULL);
  fixture_add_tests (tests, G_N_ELEMENTS (tests));

  return g_test_run ();
}
