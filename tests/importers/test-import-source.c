/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "ear-import-source.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <utime.h>

/* The tables of GNOME Podcasts 25 and 0.4, Kasts 25.04, 21.08 and 26.04, and gPodder 3.11 */
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

/* The tables of AntennaPod 3.9, and those of 2.2, before tags and states */
#define ANTENNAPOD_EPISODES \
  "CREATE TABLE FeedItems (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT, description TEXT," \
  "  media INTEGER, feed INTEGER, has_simple_chapters INTEGER, item_identifier TEXT, image_url TEXT, auto_download INTEGER);" \
  "CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, file_url TEXT, download_url TEXT, downloaded INTEGER," \
  "  position INTEGER, filesize INTEGER, mime_type TEXT, playback_completion_date INTEGER, feeditem INTEGER, played_duration INTEGER," \
  "  has_embedded_picture INTEGER, last_played_time INTEGER);" \
  "CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);" \
  "CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);" \
  "INSERT INTO FeedItems (id, title, read, feed, item_identifier) VALUES (1, 'New', -1, 1, 'a1'), (2, 'Unplayed', 0, 1, 'a2')," \
  "  (3, 'Played', 1, 1, 'a3'), (4, 'Marked', 1, 1, 'a4'), (5, 'Begun', 0, 1, 'a5'), (6, 'Queued', -1, 1, NULL), (7, 'Liked', 0, 1, 'a7')," \
  "  (8, 'Without media', 1, 1, 'a8'), (9, 'Elsewhere', -1, 2, 'b1'), (10, 'Looked at', 1, 4, 'c1');" \
  "INSERT INTO FeedMedia (download_url, position, feeditem, playback_completion_date, last_played_time) VALUES" \
  "  ('https://example.org/1.mp3', 0, 1, 0, 0), ('https://example.org/2.mp3', 0, 2, NULL, NULL)," \
  "  ('https://example.org/3.mp3', 0, 3, 1650000000123, 1640000000000), ('https://example.org/4.mp3', 0, 4, 0, 0)," \
  "  ('https://example.org/5.mp3', 61500, 5, 0, 1645000000000), ('https://example.org/6.mp3', 0, 6, 0, 0)," \
  "  ('https://example.org/7.mp3', 0, 7, 0, 0), ('https://example.org/9.mp3', 0, 9, 0, 0), ('https://example.org/10.mp3', 0, 10, 0, 0);" \
  "INSERT INTO Queue VALUES (0, 9, 2), (1, 6, 1), (2, 3, 1);" \
  "INSERT INTO Favorites VALUES (1, 7, 1), (2, 3, 1);"

static const char antennapod[] =
  "CREATE TABLE Feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT, download_url TEXT, username TEXT,"
  "  password TEXT, tags TEXT, state INTEGER DEFAULT 0);"
  "INSERT INTO Feeds (id, title, custom_title, download_url, username, password, tags, state) VALUES"
  "  (1, 'A', NULL, 'https://example.org/a.xml', NULL, NULL, '#root' || char (30) || 'Talk' || char (30) || 'Two', 0),"
  "  (2, 'B', 'Mine', 'https://example.org/b.xml', 'me', 'secret', '#root', 0),"
  "  (3, 'On the card', NULL, 'antennapod_local:content://tree', NULL, NULL, NULL, 0),"
  "  (4, 'Looked at', NULL, 'https://example.org/c.xml', NULL, NULL, '', 1), (5, 'At once left', NULL, 'https://example.org/d.xml', NULL, NULL, '', 1);"
  ANTENNAPOD_EPISODES;

static const char early_antennapod[] =
  "CREATE TABLE Feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT, download_url TEXT, username TEXT,"
  "  password TEXT);"
  "INSERT INTO Feeds (id, title, download_url) VALUES (1, 'A', 'https://example.org/a.xml');"
  ANTENNAPOD_EPISODES;

#define FILE_TIME 1720000000

typedef struct
{
  char *folder;
  char *path; /* of a database in it */
  GPtrArray *found;
  GError *error;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("earmark-test-import-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "database", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->found, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

/* The connection stays open, as while the program runs. */
static sqlite3 *
make_database (const char *path, const char *sql)
{
  g_autofree char *folder = g_path_get_dirname (path);
  sqlite3 *handle;

  g_unlink (path);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);

  return handle;
}

static void
find (Fixture *fixture, const char *data_home)
{
  g_autoptr (GAsyncResult) result = NULL;

  ear_import_source_find_async (fixture->folder, data_home, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_clear_pointer (&fixture->found, g_ptr_array_unref);
  fixture->found = ear_import_source_find_finish (result, &fixture->error);
  g_assert_no_error (fixture->error);
}

static void
read_file (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_clear_pointer (&fixture->found, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  fixture->found = ear_import_source_read (file, NULL, &fixture->error);
}

static void
read_database (Fixture *fixture, const char *sql)
{
  const struct utimbuf times = { FILE_TIME, FILE_TIME };

  sqlite3_close (make_database (fixture->path, sql));
  g_assert_cmpint (utime (fixture->path, &times), ==, 0);
  read_file (fixture, fixture->path);
}

static void
append_episode (GString *text, const EarListedEpisode *episode)
{
  const EarEpisodeState *state = &episode->state;

  g_string_append_printf (text, "; %s", episode->guid != NULL ? episode->guid : episode->enclosure);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const gint64 stamp = state->updated[i] / G_USEC_PER_SEC;

      if (stamp == 0)
        continue;
      g_string_append_printf (text, " %s=%" G_GINT64_FORMAT "@", ear_mark_types[i].name,
                              state->values[i]);
      if (stamp == FILE_TIME)
        g_string_append_c (text, '*');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, stamp);
    }
}

/* A line for each podcast: title, address and folder, and the episodes with each mark and its
 * stamp. * stands for the time of the file. */
static char *
describe (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  g_assert_no_error (fixture->error);
  for (guint i = 0; i < fixture->found->len; i++)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (fixture->found, i);

      g_string_append_printf (text, "%s <%s>", podcast->title != NULL ? podcast->title : "",
                              podcast->address != NULL ? podcast->address : "");
      if (podcast->folder != NULL)
        g_string_append_printf (text, " in %s", podcast->folder);
      if (!ear_listed_podcast_can_follow (podcast))
        g_string_append (text, ", not followed");
      for (guint n = 0; n < podcast->episodes->len; n++)
        append_episode (text, g_ptr_array_index (podcast->episodes, n));
      g_string_append_c (text, '\n');
    }

  return g_string_free_and_steal (text);
}

static void
copy (const char *from, const char *to)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &content, &length, NULL));
  g_assert_true (g_file_set_contents (to, content, (gssize) length, NULL));
}

/* The names and contents of the files in a folder */
static char *
sum (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GString *text = g_string_new (NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *content = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      g_autofree char *checksum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) content, length);
      g_string_append_printf (text, "%s %s\n", name, checksum);
    }

  return g_string_free_and_steal (text);
}

/* While Kasts runs, most of its data is in the journal. No byte may change, and no file. */
static void
test_unchanged (Fixture *fixture, gconstpointer data)
{
  sqlite3 *handle = make_database (fixture->path, kasts);
  g_autofree char *before = sum (fixture->folder);

  g_assert_nonnull (strstr (before, "database-wal"));
  read_file (fixture, fixture->path);
  g_autofree char *after = sum (fixture->folder);
  g_assert_cmpstr (after, ==, before);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->found->len, ==, 1);
  sqlite3_close (handle);
}

#define GPODDER_READ \
  "G <https://m%20e:p%40ss@example.org/g.xml> in Talk;" \
  " p2 position=0@1650000000 listened=1@1650000000; p3 position=300000000@1660000000;" \
  " p4 position=0@1660000000 listened=1@1660000000\n"
#define ANTENNAPOD_READ \
  "; a3 position=0@1650000000 listened=1@1650000000 liked=1@*; a4 listened=1@*;" \
  " a5 position=61500000@1645000000; https://example.org/6.mp3 queued=2@*; a7 liked=1@*;" \
  " a8 listened=1@*\n"

/* Databases, some with a change, and the description of their contents */
static const struct
{
  const char *sql, *change, *expected;
} reads[] = {
  { gnome_podcasts, "",
    "A  show <https://example.org/a.xml>; g1 position=0@1714979289 listened=1@1714979289;"
    " https://example.org/2.mp3 position=90000000@*;"
    " g4 position=0@1700000000 listened=1@1700000000\n"
    " <https://example.org/b.xml>\n" },
  /* Early versions had no positions, or no favorites: the other data is imported. */
  { early_gnome_podcasts, "",
    "A show <https://example.org/a.xml>; g1 position=0@1600000000 listened=1@1600000000\n" },
  { early_kasts, "",
    "Kast <https://example.org/k.xml>; k1 listened=1@*; k2 position=61500000@*\n" },
  { kasts, "",
    "Kast <https://example.org/k.xml>; k1 listened=1@* liked=1@*; k2 position=61500000@*\n" },
  /* Since version 26.04 rows are identified by numbers, and two podcasts may have an episode with
   * the same name. */
  { later_kasts, "",
    "Kast <https://example.org/k.xml>; k1 listened=1@* liked=1@*; k2 position=61500000@*\n"
    "Other <https://example.org/o.xml>; k2 liked=1@*\n" },
  { gpodder, "", GPODDER_READ },
  /* A number that is no valid time, and overflows in microseconds, and a future time */
  { gpodder,
    "UPDATE episode SET last_playback = 9223372036854775000, current_position_updated = 1730000000",
    "G <https://m%20e:p%40ss@example.org/g.xml> in Talk; p2 listened=1@*; p3 position=300000000@*;"
    " p4 listened=1@*\n" },
  /* Played episodes leave Up Next. A folder on the phone, and a podcast that is not subscribed to,
   * are to be reported. */
  { antennapod, "",
    "A <https://example.org/a.xml> in Talk" ANTENNAPOD_READ
    "Mine <https://me:secret@example.org/b.xml>; b1 queued=1@*\n"
    "On the card <>, not followed\n"
    "Looked at <https://example.org/c.xml>, not followed; c1 listened=1@*\n" },
  { early_antennapod, "", "A <https://example.org/a.xml>" ANTENNAPOD_READ },
};

static void
test_read (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (reads); i++)
    {
      read_database (fixture, ear_test_format ("%s%s", reads[i].sql, reads[i].change));
      ear_test_assert_text (describe (fixture), reads[i].expected);
    }
}

/* Begins to mark all episodes as played: half of the change is in the database file.
 * Returns: the open database */
static sqlite3 *
change_half (const char *path)
{
  sqlite3 *handle = make_database (path, gpodder);

  /* So little memory that pages are written before the end */
  g_assert_cmpint (sqlite3_exec (handle,
                                 "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1;"
                                 "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                                 "  INSERT INTO episode (podcast_id, title, url, guid, is_new)"
                                 "  SELECT 1, hex (zeroblob (500)), i, 'more-' || i, 1 FROM n;"
                                 "BEGIN; UPDATE episode SET is_new = 0, current_position = 0;",
                                 NULL, NULL, NULL), ==, SQLITE_OK);

  return handle;
}

static guint n_looked;

/* Commits the change between the first copy and the check for changes. */
static GFile *
commit_cb (GVfs *vfs, const char *uri, gpointer handle)
{
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);

  n_looked += g_str_has_suffix (uri, "-wal");
  if (n_looked == 3)
    sqlite3_exec (handle, "COMMIT", NULL, NULL, NULL);

  return g_file_new_for_path (path);
}

/* A copy from before the commit is replaced by a new one, without the journal. */
static void
test_changed_meanwhile (Fixture *fixture, gconstpointer data)
{
  sqlite3 *handle = change_half (fixture->path);

  g_vfs_register_uri_scheme (g_vfs_get_default (), "file", commit_cb, handle, NULL, NULL, NULL,
                             NULL);
  read_file (fixture, fixture->path);
  g_vfs_unregister_uri_scheme (g_vfs_get_default (), "file");
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (n_looked, >, 3);
  const EarListedPodcast *podcast = g_ptr_array_index (fixture->found, 0);
  g_assert_cmpuint (podcast->episodes->len, ==, 4 + 1991);
  sqlite3_close (handle);
}

/* Creates the files of a program that was killed in the middle of a change.
 * Returns: the path of the database file */
static const char *
leave_half_changed (Fixture *fixture)
{
  const char *path = ear_test_format ("%s/living", fixture->folder);
  const char *left = ear_test_format ("%s/Database", fixture->folder);
  sqlite3 *handle = change_half (path);

  copy (path, left);
  copy (ear_test_format ("%s-journal", path), ear_test_format ("%s-journal", left));
  sqlite3_close (handle);

  return left;
}

static void
append_number (GByteArray *bytes, guint32 number)
{
  const guint32 big = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

/* Ends a journal as for a change to several databases: with their shared journal's name. */
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

/* The half-made change is rolled back. SQLite deletes the file that a shared journal names,
 * whatever it is: here one of the listener's. */
static void
test_half_changed (Fixture *fixture, gconstpointer data)
{
  const char *path = leave_half_changed (fixture);
  const char *precious = ear_test_format ("%s/precious.txt", fixture->folder);

  g_assert_true (g_file_set_contents (precious, "Of the listener", -1, NULL));
  for (guint i = 0; i < 2; i++)
    {
      read_file (fixture, path);
      g_assert_no_error (fixture->error);
      ear_test_assert_text (describe (fixture), GPODDER_READ);
      if (i == 0)
        append_shared_journal (ear_test_format ("%s-journal", path), precious);
    }
  g_assert_true (g_file_test (precious, G_FILE_TEST_EXISTS));
}

/* Wrong types, texts that are not UTF-8, huge numbers, and a schema that computes */
static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  static const char *const changes[] = {
    "UPDATE Feeds SET title = x'ff00fe', custom_title = zeroblob (100000), tags = 1e300, username = x'80', state = 'x'",
    "UPDATE FeedMedia SET position = 9223372036854775807, last_played_time = -1, playback_completion_date = 'never', download_url = x'c328'",
    "UPDATE FeedItems SET read = 'x', item_identifier = x'ed', feed = 1.5",
    "DELETE FROM Queue; INSERT INTO Queue SELECT 9223372036854775807 - id, id, 1 FROM FeedItems",
    "CREATE TRIGGER t AFTER INSERT ON Queue BEGIN DELETE FROM Feeds; END",
    "DROP TABLE Queue; CREATE VIEW Queue AS SELECT 1 AS id, 1 AS feeditem",
    "DROP TABLE Queue",
    "ALTER TABLE FeedItems ADD COLUMN more AS (hex (zeroblob (1000)))",
    "DROP TABLE Feeds; CREATE TABLE Feeds (id, title, custom_title, username, password, download_url AS (printf ('https://example.org/%d', id)))",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      const char *sql = ear_test_format ("%s%s", antennapod, changes[i]);

      g_test_message ("%s", changes[i]);
      read_database (fixture, sql);
      if (fixture->found == NULL)
        g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_DAMAGED);
      for (guint j = 0; fixture->found != NULL && j < fixture->found->len; j++)
        {
          const EarListedPodcast *podcast = g_ptr_array_index (fixture->found, j);

          g_assert_true (podcast->title == NULL || g_utf8_validate (podcast->title, -1, NULL));
          for (guint k = 0; k < podcast->episodes->len; k++)
            {
              const EarListedEpisode *episode = g_ptr_array_index (podcast->episodes, k);

              g_assert_cmpint (episode->state.position, >=, 0);
              g_assert_cmpint (episode->state.position, <=, EAR_POSITION_LIMIT);
            }
        }
    }
}

/* Each byte of the pages with the schema and the first rows, once */
static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = NULL;
  gsize length;

  sqlite3_close (make_database (fixture->path, antennapod));
  g_assert_true (g_file_get_contents (fixture->path, &content, &length, NULL));
  for (gsize i = 16; i < length; i += 61)
    {
      const char byte = content[i];

      content[i] = (char) ~byte;
      g_assert_true (g_file_set_contents (fixture->path, content, (gssize) length, NULL));
      content[i] = byte;
      read_file (fixture, fixture->path);
      g_assert_true ((fixture->found == NULL) == (fixture->error != NULL));
    }
}

static void
put (Fixture *fixture, const char *home_path, const char *sql)
{
  sqlite3_close (make_database (ear_test_format ("%s/%s", fixture->folder, home_path), sql));
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  const char *data_home = ear_test_format ("%s/.local/share", fixture->folder);
  g_autoptr (GString) found = g_string_new (NULL);

  find (fixture, data_home);
  g_assert_cmpuint (fixture->found->len, ==, 0);

  put (fixture, ".local/share/gnome-podcasts/podcasts.db", gnome_podcasts);
  put (fixture, ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", kasts);
  put (fixture, ".local/share/KDE/kasts/database.db3", later_kasts);
  put (fixture, "gPodder/Database", "CREATE TABLE other (a);");
  find (fixture, data_home);
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
  const struct utimbuf times = { FILE_TIME, FILE_TIME };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *folder = ear_test_format ("%s/%s", g_get_user_cache_dir (), names[i]);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (ear_test_format ("%s/copy.db", folder), "x", 1, NULL));
      if (i != 1)
        g_assert_cmpint (utime (folder, &times), ==, 0);
    }
  find (fixture, fixture->folder);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *folder = ear_test_format ("%s/%s", g_get_user_cache_dir (), names[i]);

      g_assert_cmpint (g_file_test (folder, G_FILE_TEST_IS_DIR), ==, i > 0);
      if (i > 0)
        ear_test_folder_remove (folder);
    }
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  const char *cut_path = ear_test_format ("%s/cut.db", fixture->folder);
  g_autofree char *content = NULL;
  const char *const paths[] = { fixture->folder, "/dev/zero", cut_path };
  gsize length;

  read_file (fixture, fixture->path);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_file_set_contents (cut_path, "<opml/>", -1, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      read_file (fixture, paths[i]);
      g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
    }
  read_database (fixture, "CREATE TABLE a (b);");
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_NOT_XML);

  /* A missing column; a view in place of a table; a truncated file */
  read_database (fixture, "CREATE TABLE Feeds (url); CREATE TABLE Entries (id); CREATE TABLE Enclosures (id);"
                          "INSERT INTO Feeds VALUES ('https://example.org/');");
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_DAMAGED);
  g_assert_true (g_file_get_contents (fixture->path, &content, &length, NULL));
  for (gsize cut = 16; cut < length; cut += 997)
    {
      g_file_set_contents (cut_path, content, (gssize) cut, NULL);
      read_file (fixture, cut_path);
      g_assert_nonnull (fixture->error);
    }
}

#define ADD(name, function) g_test_add ("/import/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  /* With a cache folder of its own */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("read", test_read);
  ADD ("changed-meanwhile", test_changed_meanwhile);
  ADD ("unchanged", test_unchanged);
  ADD ("half-changed", test_half_changed);
  ADD ("hostile", test_hostile);
  ADD ("damaged", test_damaged);
  ADD ("find", test_find);
  ADD ("left-over", test_left_over);
  ADD ("bad-files", test_bad_files);

  return g_test_run ();
}
