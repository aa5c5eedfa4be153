/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-import-source.h"
#include "ear-test-folder.h"

#include <sqlite3.h>
#include <string.h>
#include <utime.h>

/* The tables of GNOME Podcasts 25 and 0.4, Kasts 25.04, 21.08 and 26.04, and gPodder
 * 3.11 */
static const char gnome_podcasts[] =
  "CREATE TABLE source (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, uri TEXT NOT NULL UNIQUE, last_modified TEXT, http_etag TEXT);"
  "CREATE TABLE shows (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, title TEXT NOT NULL, link TEXT NOT NULL,"
  "  description TEXT NOT NULL, image_uri TEXT, image_uri_hash BLOB, image_cached TIMESTAMP NOT NULL DEFAULT 0, source_id INTEGER NOT NULL UNIQUE);"
  "CREATE TABLE episodes (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, title TEXT NOT NULL, uri TEXT, local_uri TEXT,"
  "  description TEXT, image_uri TEXT, epoch TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, length INTEGER, duration INTEGER,"
  "  guid TEXT, played TIMESTAMP, play_position INTEGER NOT NULL, show_id INTEGER NOT NULL);"
  "INSERT INTO source (id, uri) VALUES (7, 'https://example.org/a.xml'), (8, 'https://example.org/b.xml'), (9, 'javascript:x');"
  "INSERT INTO shows (id, title, link, description, source_id) VALUES (3, 'A  show', '', '', 7);"
  "INSERT INTO episodes (title, uri, guid, played, play_position, show_id) VALUES"
  "  ('One', 'https://example.org/1.mp3', 'g1', '2024-05-06 07:08:09', 0, 3),"
  "  ('Two', 'https://example.org/2.mp3', NULL, NULL, 90, 3),"
  "  ('Three', 'https://example.org/3.mp3', 'g3', NULL, 0, 3),"
  "  ('Four', NULL, 'g4', 1700000000, 12, 3);";

static const char early_gnome_podcasts[] =
  "CREATE TABLE source (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, uri TEXT NOT NULL UNIQUE, last_modified TEXT, http_etag TEXT);"
  "CREATE TABLE shows (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, title TEXT NOT NULL, link TEXT NOT NULL,"
  "  description TEXT NOT NULL, image_uri TEXT, source_id INTEGER NOT NULL UNIQUE);"
  "CREATE TABLE episodes (title TEXT NOT NULL, uri TEXT, local_uri TEXT, description TEXT, epoch INTEGER NOT NULL DEFAULT 0,"
  "  length INTEGER, duration INTEGER, guid TEXT, played INTEGER, show_id INTEGER NOT NULL, PRIMARY KEY (title, show_id));"
  "INSERT INTO source (id, uri) VALUES (7, 'https://example.org/a.xml');"
  "INSERT INTO shows (id, title, link, description, source_id) VALUES (3, 'A show', '', '', 7);"
  "INSERT INTO episodes (title, uri, guid, played, show_id) VALUES ('One', 'https://example.org/1.mp3', 'g1', 1600000000, 3),"
  "  ('Two', 'https://example.org/2.mp3', 'g2', NULL, 3);";

static const char early_kasts[] =
  "CREATE TABLE Feeds (name TEXT, url TEXT, image TEXT, link TEXT, description TEXT, deleteAfterCount INTEGER, deleteAfterType INTEGER,"
  "  subscribed INTEGER, lastUpdated INTEGER, notify BOOL);"
  "CREATE TABLE Entries (feed TEXT, id TEXT UNIQUE, title TEXT, content TEXT, created INTEGER, updated INTEGER, link TEXT, read bool,"
  "  new bool, hasEnclosure BOOL, image TEXT);"
  "CREATE TABLE Enclosures (feed TEXT, id TEXT, duration INTEGER, size INTEGER, title TEXT, type TEXT, url TEXT, playposition INTEGER);"
  "INSERT INTO Feeds (name, url) VALUES ('Kast', 'https://example.org/k.xml');"
  "INSERT INTO Entries (feed, id, title, read) VALUES ('https://example.org/k.xml', 'k1', 'One', 1),"
  "  ('https://example.org/k.xml', 'k2', 'Two', 0), ('https://example.org/k.xml', 'k3', 'Three', 0);"
  "INSERT INTO Enclosures (feed, id, url, playposition) VALUES ('https://example.org/k.xml', 'k2', 'https://example.org/2.opus', 61500);";

static const char later_kasts[] =
  "CREATE TABLE Feeds (feeduid INTEGER PRIMARY KEY, name TEXT, url TEXT, image TEXT, link TEXT, description TEXT, subscribed INTEGER,"
  "  lastUpdated INTEGER, new BOOL, dirname TEXT, lastHash TEXT, filterType INTEGER DEFAULT 0, sortType INTEGER DEFAULT 0);"
  "CREATE TABLE Entries (entryuid INTEGER PRIMARY KEY, feeduid INTEGER, id TEXT, title TEXT, content TEXT, created INTEGER,"
  "  updated INTEGER, link TEXT, read BOOL, new BOOL, hasEnclosure BOOL, image TEXT, favorite BOOL DEFAULT 0, playposition INTEGER,"
  "  removed BOOL DEFAULT 0, FOREIGN KEY(feeduid) REFERENCES Feeds(feeduid));"
  "CREATE TABLE Enclosures (enclosureuid INTEGER PRIMARY KEY, entryuid INTEGER, feeduid INTEGER, url TEXT, duration INTEGER,"
  "  size INTEGER, type TEXT, playposition INTEGER, downloaded INTEGER, FOREIGN KEY(entryuid) REFERENCES Entries(entryuid),"
  "  FOREIGN KEY(feeduid) REFERENCES Feeds(feeduid));"
  "CREATE TABLE FeedAuthors (feeduid INTEGER, name TEXT, email TEXT);"
  "CREATE TABLE EntryAuthors (entryuid INTEGER, name TEXT, email TEXT);"
  "INSERT INTO Feeds (feeduid, name, url) VALUES (4, 'Kast', 'https://example.org/k.xml'), (5, 'Other', 'https://example.org/o.xml');"
  "INSERT INTO Entries (entryuid, feeduid, id, title, read, favorite) VALUES (1, 4, 'k1', 'One', 1, 1), (2, 4, 'k2', 'Two', 0, 0),"
  "  (3, 4, 'k3', 'Three', 0, 0), (4, 5, 'k2', 'The same name elsewhere', 0, 1);"
  "INSERT INTO Enclosures (entryuid, feeduid, url, playposition) VALUES (2, 4, 'https://example.org/2.opus', 61500),"
  "  (3, 4, 'https://example.org/3.opus', 0), (4, 5, 'https://example.org/4.opus', 0);";

static const char kasts[] =
  "PRAGMA journal_mode = WAL;"
  "CREATE TABLE Feeds (name TEXT, url TEXT, image TEXT, link TEXT, description TEXT, deleteAfterCount INTEGER, deleteAfterType INTEGER,"
  "  subscribed INTEGER, lastUpdated INTEGER, new BOOL, notify BOOL, dirname TEXT, lastHash TEXT, filterType INTEGER DEFAULT 0, sortType INTEGER DEFAULT 0);"
  "CREATE TABLE Entries (feed TEXT, id TEXT UNIQUE, title TEXT, content TEXT, created INTEGER, updated INTEGER, link TEXT, read bool,"
  "  new bool, hasEnclosure BOOL, image TEXT, favorite BOOL DEFAULT 0);"
  "CREATE TABLE Enclosures (feed TEXT, id TEXT, duration INTEGER, size INTEGER, title TEXT, type TEXT, url TEXT, playposition INTEGER, downloaded INTEGER);"
  "INSERT INTO Feeds (name, url) VALUES ('Kast', 'https://example.org/k.xml');"
  "INSERT INTO Entries (feed, id, title, read, favorite) VALUES ('https://example.org/k.xml', 'k1', 'One', 1, 1),"
  "  ('https://example.org/k.xml', 'k2', 'Two', 0, 0), ('https://example.org/k.xml', 'k3', 'Three', 0, 0);"
  "INSERT INTO Enclosures (feed, id, url, playposition) VALUES ('https://example.org/k.xml', 'k2', 'https://example.org/2.opus', 61500),"
  "  ('https://example.org/k.xml', 'k3', 'https://example.org/3.opus', 0);";

static const char gpodder[] =
  "CREATE TABLE version (version integer);"
  "CREATE TABLE podcast (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL DEFAULT '', link TEXT NOT NULL DEFAULT '',"
  "  description TEXT NOT NULL DEFAULT '', cover_url TEXT, auth_username TEXT, auth_password TEXT, section TEXT NOT NULL DEFAULT '');"
  "CREATE TABLE episode (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL,"
  "  guid TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0, is_new INTEGER NOT NULL DEFAULT 0, total_time INTEGER NOT NULL DEFAULT 0,"
  "  current_position INTEGER NOT NULL DEFAULT 0, current_position_updated INTEGER NOT NULL DEFAULT 0, last_playback INTEGER NOT NULL DEFAULT 0);"
  "INSERT INTO podcast (id, title, url, section, auth_username, auth_password) VALUES (1, 'G', 'https://example.org/g.xml', 'Talk', 'm e', 'p@ss');"
  "INSERT INTO episode (podcast_id, title, url, guid, is_new, total_time, current_position, current_position_updated, last_playback) VALUES"
  "  (1, 'New', 'https://example.org/1.mp3', 'p1', 1, 0, 0, 0, 0),"
  "  (1, 'Old', 'https://example.org/2.mp3', 'p2', 0, 600, 0, 0, 1650000000),"
  "  (1, 'Half', 'https://example.org/3.mp3', 'p3', 0, 600, 300, 1660000000, 0),"
  "  (1, 'Done', 'https://example.org/4.mp3', 'p4', 0, 600, 595, 1660000000, 1660000000);";

typedef struct
{
  char *folder;
  GPtrArray *found;
  GError *error;
  gboolean done;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("earmark-test-import-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->found, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* The connection stays open, as while the program runs. */
static sqlite3 *
make_database (const char *path, const char *sql)
{
  g_autofree char *folder = g_path_get_dirname (path);
  sqlite3 *handle;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);

  return handle;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->found = ear_import_source_read_finish (result, &fixture->error);
  fixture->done = TRUE;
}

static void
find_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->found = ear_import_source_find_finish (result, &fixture->error);
  fixture->done = TRUE;
}

static void
wait_for (Fixture *fixture)
{
  while (!fixture->done)
    g_main_context_iteration (NULL, TRUE);
  fixture->done = FALSE;
}

static void
read_file (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_clear_pointer (&fixture->found, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  ear_import_source_read_async (file, NULL, read_cb, fixture);
  wait_for (fixture);
}

/* "name listened liked position" of each episode, by name */
static void
assert_episodes (const EarImportSourcePodcast *podcast, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < podcast->episodes->len; i++)
    {
      const EarImportSourceEpisode *episode = g_ptr_array_index (podcast->episodes, i);

      g_string_append_printf (text, "%s%s%s %" G_GINT64_FORMAT "\n", episode->guid != NULL ? episode->guid : episode->enclosure,
                              episode->state.listened ? " listened" : "", episode->state.liked ? " liked" : "",
                              episode->state.position / 1000);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
copy (const char *from, const char *to)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &content, &length, NULL));
  g_assert_true (g_file_set_contents (to, content, (gssize) length, NULL));
}

static void
test_gnome_podcasts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "podcasts.db", NULL);
  const EarImportSourcePodcast *podcast;
  const EarImportSourceEpisode *episode;

  sqlite3_close (make_database (path, gnome_podcasts));
  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 2);
  podcast = g_ptr_array_index (fixture->found, 0);
  g_assert_cmpstr (podcast->address, ==, "https://example.org/a.xml");
  g_assert_cmpstr (podcast->title, ==, "A  show");
  assert_episodes (podcast, "g1 listened 0\nhttps://example.org/2.mp3 90000\ng4 listened 0\n");
  episode = g_ptr_array_index (podcast->episodes, 0);
  g_assert_cmpint (episode->state.listened_updated, ==, G_GINT64_CONSTANT (1714979289) * G_USEC_PER_SEC);
  episode = g_ptr_array_index (podcast->episodes, 2);
  g_assert_cmpint (episode->state.listened_updated, ==, G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC);
  /* A followed podcast that was never fetched */
  podcast = g_ptr_array_index (fixture->found, 1);
  g_assert_null (podcast->title);
  g_assert_cmpuint (podcast->episodes->len, ==, 0);
}

static char *
sum (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort_values (names, (GCompareFunc) strcmp);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
      g_autofree char *content = NULL;
      g_autofree char *checksum = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      checksum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) content, length);
      g_string_append_printf (text, "%s %s\n", (const char *) g_ptr_array_index (names, i), checksum);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* While Kasts runs, most of its data is still in the journal. Not a byte may change, and
 * no file may be created. */
static void
test_kasts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "database.db3", NULL);
  sqlite3 *handle = make_database (path, kasts);
  g_autofree char *before = sum (fixture->folder);
  g_autofree char *after = NULL;
  const EarImportSourcePodcast *podcast;

  g_assert_nonnull (strstr (before, "database.db3-wal"));
  read_file (fixture, path);
  after = sum (fixture->folder);
  g_assert_cmpstr (after, ==, before);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 1);
  podcast = g_ptr_array_index (fixture->found, 0);
  g_assert_cmpstr (podcast->title, ==, "Kast");
  assert_episodes (podcast, "k1 listened liked 0\nk2 61500\n");
  sqlite3_close (handle);
}

/* Since version 26.04 rows are identified by numbers, and two podcasts may have an
 * episode with the same name. */
static void
test_later_kasts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "database.db3", NULL);
  const EarImportSourcePodcast *podcast;

  sqlite3_close (make_database (path, later_kasts));
  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 2);
  podcast = g_ptr_array_index (fixture->found, 0);
  g_assert_cmpstr (podcast->address, ==, "https://example.org/k.xml");
  g_assert_cmpstr (podcast->title, ==, "Kast");
  assert_episodes (podcast, "k1 listened liked 0\nk2 61500\n");
  podcast = g_ptr_array_index (fixture->found, 1);
  assert_episodes (podcast, "k2 liked 0\n");
}

/* Early versions had no positions, or no favorites: the other data is imported. */
static void
test_early (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "podcasts.db", NULL);
  g_autofree char *other = g_build_filename (fixture->folder, "database.db3", NULL);

  sqlite3_close (make_database (path, early_gnome_podcasts));
  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 1);
  assert_episodes (g_ptr_array_index (fixture->found, 0), "g1 listened 0\n");

  sqlite3_close (make_database (other, early_kasts));
  read_file (fixture, other);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 1);
  assert_episodes (g_ptr_array_index (fixture->found, 0), "k1 listened 0\nk2 61500\n");
}

/* Creates the files of a program that was killed in the middle of a change, half of which
 * is in the database file. Returns: the path of that file */
static char *
leave_half_changed (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "living", NULL);
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autofree char *left = g_build_filename (fixture->folder, "Database", NULL);
  g_autofree char *left_journal = g_strconcat (left, "-journal", NULL);
  sqlite3 *handle = make_database (path, gpodder);

  /* So little memory that pages are written before the end */
  g_assert_cmpint (sqlite3_exec (handle,
                                 "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1;"
                                 "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                                 "  INSERT INTO episode (podcast_id, title, url, guid, is_new)"
                                 "  SELECT 1, hex (zeroblob (500)), i, 'more-' || i, 1 FROM n;"
                                 "BEGIN; UPDATE episode SET is_new = 0, current_position = 0;",
                                 NULL, NULL, NULL), ==, SQLITE_OK);
  copy (path, left);
  copy (journal, left_journal);
  sqlite3_close (handle);

  return g_steal_pointer (&left);
}

/* The half-made change is rolled back. */
static void
test_half_changed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = leave_half_changed (fixture);

  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  assert_episodes (g_ptr_array_index (fixture->found, 0), "p2 listened 0\np3 300000\np4 listened 0\n");
}

static void
append_number (GByteArray *bytes, guint32 number)
{
  const guint32 big = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

/* Gives a journal the end that changes to several databases have: the name of their
 * shared journal. */
static void
append_shared_journal (const char *journal, const char *shared)
{
  static const guint8 mark[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *content = NULL;
  guint32 sum_of_name = 0;
  gsize length;

  g_assert_true (g_file_get_contents (journal, &content, &length, NULL));
  g_byte_array_append (bytes, (const guint8 *) content, (guint) length);
  for (const char *c = shared; *c != '\0'; c++)
    sum_of_name += (guint32) *c;
  append_number (bytes, 0x40000000 / 4096 + 1);
  g_byte_array_append (bytes, (const guint8 *) shared, (guint) strlen (shared));
  append_number (bytes, (guint32) strlen (shared));
  append_number (bytes, sum_of_name);
  g_byte_array_append (bytes, mark, sizeof mark);
  g_assert_true (g_file_set_contents (journal, (const char *) bytes->data, (gssize) bytes->len, NULL));
}

/* SQLite deletes the file named there, whatever it is: here one of the listener's. */
static void
test_shared_journal (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = leave_half_changed (fixture);
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autofree char *precious = g_build_filename (fixture->folder, "precious.txt", NULL);

  g_assert_true (g_file_set_contents (precious, "Of the listener", -1, NULL));
  append_shared_journal (journal, precious);
  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  assert_episodes (g_ptr_array_index (fixture->found, 0), "p2 listened 0\np3 300000\np4 listened 0\n");
  g_assert_true (g_file_test (precious, G_FILE_TEST_EXISTS));
}

static void
test_gpodder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "Database", NULL);
  const EarImportSourcePodcast *podcast;
  const EarImportSourceEpisode *episode;

  sqlite3_close (make_database (path, gpodder));
  read_file (fixture, path);
  g_assert_no_error (fixture->error);
  podcast = g_ptr_array_index (fixture->found, 0);
  g_assert_cmpstr (podcast->address, ==, "https://m%20e:p%40ss@example.org/g.xml");
  g_assert_cmpstr (podcast->folder, ==, "Talk");
  assert_episodes (podcast, "p2 listened 0\np3 300000\np4 listened 0\n");
  episode = g_ptr_array_index (podcast->episodes, 1);
  g_assert_cmpint (episode->state.position_updated, ==, G_GINT64_CONSTANT (1660000000) * G_USEC_PER_SEC);
}

/* Values without a stamp, or with a future one, get that of the file. */
static void
test_stamps (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "Database", NULL);
  sqlite3 *handle = make_database (path, gpodder);
  const struct utimbuf times = { 1655000000, 1655000000 };
  const EarImportSourceEpisode *episode;

  sqlite3_close (handle);
  g_assert_cmpint (utime (path, &times), ==, 0);
  read_file (fixture, path);
  episode = g_ptr_array_index (((EarImportSourcePodcast *) g_ptr_array_index (fixture->found, 0))->episodes, 0);
  g_assert_cmpint (episode->state.listened_updated, ==, G_GINT64_CONSTANT (1650000000) * G_USEC_PER_SEC);
  episode = g_ptr_array_index (((EarImportSourcePodcast *) g_ptr_array_index (fixture->found, 0))->episodes, 1);
  g_assert_cmpint (episode->state.position_updated, ==, G_GINT64_CONSTANT (1655000000) * G_USEC_PER_SEC);
}

/* A number that is no valid time, and overflows in microseconds */
static void
test_wrong_stamp (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "Database", NULL);
  sqlite3 *handle = make_database (path, gpodder);
  const struct utimbuf times = { 1655000000, 1655000000 };
  const EarImportSourceEpisode *episode;

  g_assert_cmpint (sqlite3_exec (handle, "UPDATE episode SET last_playback = 9223372036854775000", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);
  g_assert_cmpint (utime (path, &times), ==, 0);
  read_file (fixture, path);
  episode = g_ptr_array_index (((EarImportSourcePodcast *) g_ptr_array_index (fixture->found, 0))->episodes, 0);
  g_assert_true (episode->state.listened);
  g_assert_cmpint (episode->state.listened_updated, ==, G_GINT64_CONSTANT (1655000000) * G_USEC_PER_SEC);
}

static void
put (Fixture *fixture, const char *home_path, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->folder, home_path, NULL);

  sqlite3_close (make_database (path, sql));
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  g_autofree char *data_home = g_build_filename (fixture->folder, ".local/share", NULL);
  g_autoptr (GString) found = g_string_new (NULL);

  put (fixture, ".local/share/gnome-podcasts/podcasts.db", gnome_podcasts);
  put (fixture, ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", kasts);
  put (fixture, ".local/share/KDE/kasts/database.db3", later_kasts);
  put (fixture, "gPodder/Database", "CREATE TABLE other (a);");
  ear_import_source_find_async (fixture->folder, data_home, NULL, find_cb, fixture);
  wait_for (fixture);
  for (guint i = 0; i < fixture->found->len; i++)
    {
      const EarImportSource *source = g_ptr_array_index (fixture->found, i);

      g_string_append_printf (found, "%s %u\n", source->name, source->n_podcasts);
    }
  g_assert_cmpstr (found->str, ==, "GNOME Podcasts 3\nKasts 2\nKasts 1\n");
}

/* Only old copies: another process may be using a recent one. */
static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "earmark-import-OLDOLD", "earmark-import-NEWNEW", "earmark-other-OLDOLD" };
  const struct utimbuf times = { 1655000000, 1655000000 };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), names[i], NULL);
      g_autofree char *file = g_build_filename (folder, "copy.db", NULL);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (file, "x", 1, NULL));
      if (i != 1)
        g_assert_cmpint (utime (folder, &times), ==, 0);
    }
  ear_import_source_find_async (fixture->folder, fixture->folder, NULL, find_cb, fixture);
  wait_for (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), names[i], NULL);

      g_assert_cmpint (g_file_test (folder, G_FILE_TEST_IS_DIR), ==, i > 0);
      if (i > 0)
        ear_test_folder_remove (folder);
    }
}

static void
test_find_nothing (Fixture *fixture, gconstpointer data)
{
  ear_import_source_find_async (fixture->folder, fixture->folder, NULL, find_cb, fixture);
  wait_for (fixture);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 0);
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "x.db", NULL);
  g_autofree char *other = g_build_filename (fixture->folder, "other.db", NULL);
  g_autofree char *changed = g_build_filename (fixture->folder, "changed.db", NULL);
  g_autofree char *content = NULL;
  gsize length;

  read_file (fixture, path);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  read_file (fixture, fixture->folder);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  read_file (fixture, "/dev/zero");
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_file_set_contents (path, "<opml/>", -1, NULL);
  read_file (fixture, path);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  sqlite3_close (make_database (other, "CREATE TABLE a (b);"));
  read_file (fixture, other);
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_NOT_XML);

  /* A missing column; a view in place of a table; a truncated file */
  sqlite3_close (make_database (changed, "CREATE TABLE Feeds (url); CREATE TABLE Entries (id); CREATE TABLE Enclosures (id);"
                                         "INSERT INTO Feeds VALUES ('https://example.org/');"));
  read_file (fixture, changed);
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_DAMAGED);
  g_assert_true (g_file_get_contents (changed, &content, &length, NULL));
  for (gsize cut = 16; cut < length; cut += 997)
    {
      g_file_set_contents (path, content, (gssize) cut, NULL);
      read_file (fixture, path);
      g_assert_nonnull (fixture->error);
    }
}

#define ADD(name, function) g_test_add ("/import/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  /* With a cache folder of its own */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("gnome-podcasts", test_gnome_podcasts);
  ADD ("kasts", test_kasts);
  ADD ("kasts/later", test_later_kasts);
  ADD ("early", test_early);
  ADD ("half-changed", test_half_changed);
  ADD ("half-changed/shared-journal", test_shared_journal);
  ADD ("gpodder", test_gpodder);
  ADD ("stamps", test_stamps);
  ADD ("stamps/wrong", test_wrong_stamp);
  ADD ("find", test_find);
  ADD ("find-nothing", test_find_nothing);
  ADD ("left-over", test_left_over);
  ADD ("bad-files", test_bad_files);

  return g_test_run ();
}
