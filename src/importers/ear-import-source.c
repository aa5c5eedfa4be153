/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source.h"

#include "ear-address.h"
#include "ear-error.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* Imports the listener's podcasts and progress from another program. The importer never
 * writes to the program's database, and never locks it: it copies the database with its
 * journals, and reads the copy. All of this runs on a worker thread. */

/* The listener's data folder, unless it is elsewhere */
#define DATA_HOME ".local/share/"

#define KASTS_PATHS \
  { ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", DATA_HOME "KDE/kasts/database.db3", \
    DATA_HOME "kasts/database.db3" }
#define ANTENNAPOD_PLAYED "max (coalesce (last_played_time, 0), coalesce (playback_completion_date, 0)) / 1000"

/* How to read another program's database */
typedef struct
{
  const char *name;          /* the program's own name */
  const char *paths[4];      /* of its database in the home folder, Flatpak's among them */
  const char *tables;        /* tables that identify its database, separated by commas */
  const char *podcasts;      /* SQL for the podcasts: key, address, title, folder, user name,
                              * password, and whether the listener does not follow it */
  const char *episodes; /* SQL for the episodes that the listener used: key of the podcast, guid,
                         * enclosure, title, position in seconds (a real number), whether
                         * played, whether liked, when the position and the played flag were set
                         * (Unix seconds, 0 if unknown), and the place in its queue, from 1 (0 or
                         * %NULL if it is not there) */
} Program;

/* The last entry has no name. */
static const Program programs[] = {
  /* GNOME Podcasts. An episode is played if `played` has a date: Unix seconds up to
   * version 0.7, a date as text (UTC) since then. Positions came with version 0.5; older
   * databases use the column of `absent`. */
  {
    .name = "GNOME Podcasts",
    .paths = { ".var/app/org.gnome.Podcasts/data/gnome-podcasts/podcasts.db",
               DATA_HOME "gnome-podcasts/podcasts.db" },
    .tables = "'source', 'shows', 'episodes'",
    .podcasts = "SELECT source.id, source.uri,"
                "  (SELECT title FROM shows WHERE source_id = source.id), NULL, NULL, NULL, 0 FROM source",
    .episodes = "SELECT source_id, guid, uri, episodes.title,"
                "  (SELECT play_position FROM episodes AS same WHERE same.rowid = episodes.rowid) AS place,"
                "  played IS NOT NULL, 0, 0,"
                "  CASE typeof (played) WHEN 'integer' THEN played"
                "    ELSE CAST (strftime ('%s', played) AS INTEGER) END, 0 "
                "FROM (SELECT 0 AS play_position) AS absent CROSS JOIN episodes"
                "  CROSS JOIN shows ON shows.id = episodes.show_id "
                "WHERE played IS NOT NULL OR place > 0",
  },
  /* Kasts since 26.04 (version 12 of its tables): rows have numbers. Positions
   * are in milliseconds. */
  {
    .name = "Kasts",
    .paths = KASTS_PATHS,
    .tables = "'Feeds', 'Entries', 'FeedAuthors'",
    .podcasts = "SELECT feeduid, url, name, NULL, NULL, NULL, 0 FROM Feeds",
    .episodes = "SELECT Entries.feeduid, Entries.id, Enclosures.url, Entries.title,"
                "  Enclosures.playposition / 1000.0, Entries.read, Entries.favorite, 0, 0, 0 "
                "FROM Entries LEFT JOIN Enclosures ON Enclosures.entryuid = Entries.entryuid "
                "WHERE Entries.read OR Entries.favorite OR Enclosures.playposition > 0",
  },
  /* Older Kasts: the key of a podcast is its address. This entry comes second, because
   * the newer version has all of its tables, too. Favorites came with version 7 of the
   * tables; older databases use the column of `absent`. */
  {
    .name = "Kasts",
    .paths = KASTS_PATHS,
    .tables = "'Feeds', 'Entries', 'Enclosures'",
    .podcasts = "SELECT url, url, name, NULL, NULL, NULL, 0 FROM Feeds",
    .episodes = "SELECT Entries.feed, Entries.id, Enclosures.url, Entries.title,"
                "  Enclosures.playposition / 1000.0, Entries.read,"
                "  (SELECT favorite FROM Entries AS same WHERE same.rowid = Entries.rowid) AS liked, 0, 0, 0 "
                "FROM (SELECT 0 AS favorite) AS absent CROSS JOIN Entries "
                "  LEFT JOIN Enclosures ON Enclosures.id = Entries.id AND Enclosures.feed = Entries.feed "
                "WHERE Entries.read OR liked OR Enclosures.playposition > 0",
  },
  /* gPodder 3. The database stores whether an episode is new, not whether it was
   * played: an episode that is neither new nor started counts as played. Its
   * sections become folders. */
  {
    .name = "gPodder",
    .paths = { "gPodder/Database", ".var/app/org.gpodder.gpodder/gPodder/Database" },
    .tables = "'podcast', 'episode', 'version'",
    .podcasts = "SELECT id, url, title, section, auth_username, auth_password, 0 FROM podcast",
    .episodes = "SELECT podcast_id, guid, url, title, current_position,"
                "  is_new = 0 AND NOT (current_position > 0 AND total_time > 0 AND current_position + 10 < total_time),"
                "  0, current_position_updated, last_playback, 0 "
                "FROM episode WHERE is_new = 0 OR current_position > 0",
  },
  /* AntennaPod, from its "Database export". Positions and times are in milliseconds. A
   * podcast may be looked at without being subscribed to (1), or be archived (2). The
   * columns `state` and `tags` are younger than the others; older databases use those of
   * `absent`. Of several tags, the first one becomes the folder; "#root" and "#untagged" are
   * the program's own. */
  {
    .name = "AntennaPod",
    .tables = "'FeedItems', 'FeedMedia', 'Favorites'",
    .podcasts = "SELECT id, download_url, coalesce (nullif (custom_title, ''), title),"
                "  substr (known, 1, instr (known, char (30)) - 1), username, password, missing "
                "FROM (SELECT id, download_url, custom_title, title, username, password,"
                "    trim (replace (replace ((SELECT tags FROM Feeds AS same WHERE same.id = Feeds.id),"
                "      '#root', ''), '#untagged', ''), char (30)) || char (30) AS known,"
                "    (SELECT state FROM Feeds AS same WHERE same.id = Feeds.id) <> 0 AS missing "
                "  FROM (SELECT '' AS tags, 0 AS state) AS absent CROSS JOIN Feeds)",
    .episodes = "SELECT FeedItems.feed, item_identifier, FeedMedia.download_url, FeedItems.title,"
                "  position / 1000.0, read = 1,"
                "  FeedItems.id IN (SELECT feeditem FROM Favorites) AS liked,"
                "  " ANTENNAPOD_PLAYED ", " ANTENNAPOD_PLAYED ","
                "  (SELECT Queue.id + 1 FROM Queue WHERE Queue.feeditem = FeedItems.id) AS place "
                "FROM FeedItems LEFT JOIN FeedMedia ON FeedMedia.feeditem = FeedItems.id "
                "WHERE read = 1 OR position > 0 OR liked OR place > 0",
  },
  { NULL },
};

/* Copies of other programs' databases, including their journals */

#define COPY_PREFIX "earmark-import-"

/* File name of the database in the folder of its copy */
#define COPY_NAME "copy.db"

/* Seconds after which a leftover copy is removed: its reader is gone */
#define COPY_AGE (24 * 60 * 60)

/* Attempts to copy a database while its program writes to it */
#define N_COPIES 3

static void
remove_content (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      g_unlink (child);
    }
}

static void
remove_copy (const char *folder)
{
  remove_content (folder);
  g_rmdir (folder);
}

/* Removes copies left by an import that was killed: a copy may be large. */
static void
remove_left_over (void)
{
  const char *cache = g_get_user_cache_dir ();
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (cache, name, NULL);
      GStatBuf info;

      if (g_str_has_prefix (name, COPY_PREFIX) && g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode) &&
          g_get_real_time () / G_USEC_PER_SEC - info.st_mtime > COPY_AGE)
        remove_copy (path);
    }
}

/* The database, and its journals: they hold changes since the last write to the database. SQLite
 * commits them, or rolls them back if the transaction did not end, when it opens a writable
 * file. */
static const char *const suffixes[] = { "", "-wal", "-journal" };

static GFile *
dup_part (GFile *file, const char *suffix)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *part = g_strconcat (uri, suffix, NULL);

  return g_file_new_for_uri (part);
}

static gboolean
has_journal (GFile *file)
{
  g_autoptr (GFile) wal = dup_part (file, "-wal");
  g_autoptr (GFile) journal = dup_part (file, "-journal");

  return g_file_query_exists (wal, NULL) || g_file_query_exists (journal, NULL);
}

/* A journal may end with the name of a super-journal, which SQLite deletes after
 * recovery. A forged journal could name any file of the listener's. A zero at the end
 * names no file, and SQLite still rolls the journal back. */
static gboolean
add_end (GFile *journal, GError **error)
{
  g_autoptr (GFileOutputStream) stream = g_file_append_to (journal, G_FILE_CREATE_NONE, NULL, error);

  return stream != NULL &&
         g_output_stream_write_all (G_OUTPUT_STREAM (stream), "", 1, NULL, NULL, error) &&
         g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, error);
}

static gboolean
copy_with_journals (GFile *file, const char *folder, GCancellable *cancellable, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autoptr (GFile) from = dup_part (file, suffixes[i]);
      g_autofree char *name = g_strconcat (COPY_NAME, suffixes[i], NULL);
      g_autoptr (GFile) to = g_file_new_build_filename (folder, name, NULL);
      g_autoptr (GError) failure = NULL;

      if (g_file_copy (from, to, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS,
                       cancellable, NULL, NULL, &failure))
        {
          if (i > 0 && !add_end (to, error))
            return FALSE;
        }
      /* If a journal is gone by now, its program has committed it or rolled it back. */
      else if (i == 0 || !g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }

  return TRUE;
}

/* A state that differs after any write to the file */
static char *
describe_state (GFile *file)
{
  g_autoptr (GFileInfo) info =
    g_file_query_info (file, "standard::size,etag::value", G_FILE_QUERY_INFO_NONE, NULL, NULL);
  const char *etag = info != NULL ? g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ETAG_VALUE) : NULL;
  const guint64 size = info != NULL ? g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_STANDARD_SIZE) : 0;

  return g_strdup_printf ("%" G_GUINT64_FORMAT " %d %s", size, has_journal (file), etag != NULL ? etag : "");
}

/* Copies a database with its journals, and again if the program writes in between: that copy
 * would mix old and new pages. Programs seldom write for long.
 * Returns: (transfer full): the folder of the copy, which the caller removes, or %NULL */
static char *
copy_database (GFile *file, GCancellable *cancellable, GError **error)
{
  /* The cache folder is on a disk with enough space: temporary folders may
   * be in memory. */
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), COPY_PREFIX "XXXXXX", NULL);

  g_mkdir_with_parents (g_get_user_cache_dir (), 0700);
  if (g_mkdtemp (folder) == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, "There is no room for a copy");
      return NULL;
    }
  for (guint n_left = N_COPIES; n_left > 0; n_left--)
    {
      g_autofree char *before = describe_state (file);
      g_autofree char *after = NULL;

      remove_content (folder);
      if (!copy_with_journals (file, folder, cancellable, error))
        {
          remove_copy (folder);
          return NULL;
        }
      after = describe_state (file);
      if (g_str_equal (before, after))
        break;
    }

  return g_steal_pointer (&folder);
}

/* Reading a database */

#define MAGIC "SQLite format 3"

/* Far above any real library: the database is an untrusted file. */
#define DATABASE_LIMIT ((goffset) 4 * 1024 * 1024 * 1024)
#define COUNT_LIMIT (64 * 1024 * 1024)
#define PODCAST_LIMIT 20000
#define EPISODE_LIMIT 1000000
#define TEXT_LIMIT 8192
#define ALL_TEXT_LIMIT (256 * 1024 * 1024)
#define POSITION_LIMIT (7 * 24 * 60 * 60)
/* A database of 1,000 podcasts and 500,000 episodes takes a few seconds; one that computes
 * its columns may take for ever. */
#define TIME_LIMIT (2 * 60 * G_USEC_PER_SEC)

/* SQLite steps between two checks for cancellation and the limits */
#define STEPS_UNASKED 10000

/* A database that is open for reading */
typedef struct
{
  sqlite3 *handle;
  char *folder; /* (nullable): of the copy; removed with the reader */
  goffset size;
  gint64 changed; /* Unix microseconds: when the program last wrote to the database */
  GPtrArray *podcasts; /* (element-type EarListedPodcast): those that were read */
  GHashTable *by_key;  /* (element-type utf8 EarListedPodcast): by the program's own key */
  gsize text_size;     /* of all texts read */
  GCancellable *cancellable; /* (nullable) */
  gint64 end;                /* monotonic time at which the reader gives up */
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->handle, sqlite3_close);
  g_clear_pointer (&self->podcasts, g_ptr_array_unref);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  if (self->folder != NULL)
    remove_copy (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static EAR_DEFINE_TEXTS_FREE (EarImportSource, source_free, path)

static gboolean
set_damaged (Reader *self, GError **error)
{
  g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The other program's database cannot be read: %s",
               self->handle != NULL ? sqlite3_errmsg (self->handle) : "no memory");

  return FALSE;
}

static int
must_stop (void *reader)
{
  const Reader *self = reader;

  return g_cancellable_is_cancelled (self->cancellable) || self->text_size > ALL_TEXT_LIMIT ||
         g_get_monotonic_time () > self->end;
}

static gboolean
open_path (Reader *self, const char *path, gboolean is_copy, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s?%s", escaped, is_copy ? "mode=rw" : "mode=ro&immutable=1");

  if (sqlite3_open_v2 (uri, &self->handle,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                       NULL) != SQLITE_OK)
    return set_damaged (self, error);
  /* Do not run views, triggers or functions that the file itself defines. */
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (self->handle, SQLITE_LIMIT_LENGTH, 64 * 1024 * 1024);
  self->end = g_get_monotonic_time () + TIME_LIMIT;
  sqlite3_progress_handler (self->handle, STEPS_UNASKED, must_stop, self);
  /* The copy is thrown away after reading, or after a crash. */
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_exec (self->handle, "PRAGMA synchronous = OFF", NULL, NULL, NULL);

  return TRUE;
}

static gboolean
open_copy (Reader *self, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL;

  self->cancellable = cancellable;
  self->folder = copy_database (file, cancellable, error);
  if (self->folder == NULL)
    return FALSE;
  path = g_build_filename (self->folder, COPY_NAME, NULL);

  return open_path (self, path, TRUE, error);
}

/* Returns: the number of rows; 0 after an error */
static gint64
count (Reader *self, const char *sql)
{
  g_autofree char *counting = g_strdup_printf ("SELECT count (*) FROM (%s)", sql);
  sqlite3_stmt *statement = NULL;
  gint64 n = 0;

  if (sqlite3_prepare_v2 (self->handle, counting, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step (statement) == SQLITE_ROW)
    n = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);

  return n;
}

static gboolean
is_of (Reader *self, const Program *program)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN (%s)", program->tables);

  return count (self, sql) == 3;
}

static char *
dup_text (Reader *self, sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  if (ear_is_empty (text) || sqlite3_column_bytes (statement, column) > TEXT_LIMIT)
    return NULL;
  self->text_size += sqlite3_column_bytes (statement, column);

  return g_utf8_make_valid (text, -1);
}

/* A text in one line, such as a title */
static char *
dup_line (Reader *self, sqlite3_stmt *statement, int column)
{
  g_autofree char *text = dup_text (self, statement, column);

  if (text == NULL)
    return NULL;
  g_strstrip (g_strdelimit (text, "\n\r\t", ' '));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

static gint64
get_stamp (Reader *self, sqlite3_stmt *statement, int column)
{
  const gint64 seconds = sqlite3_column_int64 (statement, column);

  /* Reject stamps before podcasts existed, and stamps in the future. */
  return seconds > 1000000000 && seconds <= self->changed / G_USEC_PER_SEC ? seconds * G_USEC_PER_SEC : self->changed;
}

static EarListedEpisode *
read_episode (Reader *self, sqlite3_stmt *statement)
{
  EarListedEpisode *episode = g_new0 (EarListedEpisode, 1);
  const double position = sqlite3_column_double (statement, 4);

  episode->guid = dup_text (self, statement, 1);
  episode->enclosure = dup_text (self, statement, 2);
  episode->title = dup_line (self, statement, 3);
  if (sqlite3_column_int (statement, 5) != 0)
    {
      episode->state.listened = TRUE;
      episode->state.listened_updated = get_stamp (self, statement, 8);
      /* The history lists the episode under the day on which it was played. */
      if (episode->state.listened_updated != self->changed)
        episode->state.position_updated = episode->state.listened_updated;
    }
  else if (position > 0 && position < POSITION_LIMIT)
    {
      episode->state.position = (gint64) (position * G_USEC_PER_SEC);
      episode->state.position_updated = get_stamp (self, statement, 7);
    }
  if (sqlite3_column_int (statement, 6) != 0)
    {
      episode->state.liked = TRUE;
      episode->state.liked_updated = self->changed;
    }
  /* A played episode is not in Up Next. */
  if (!episode->state.listened && sqlite3_column_int64 (statement, 9) > 0)
    {
      episode->state.queued = sqlite3_column_int64 (statement, 9);
      episode->state.queued_updated = self->changed;
    }

  return episode;
}

/* Puts the other program's user name and password into the address, as Earmark does. */
static char *
make_address (Reader *self, sqlite3_stmt *statement)
{
  g_autofree char *text = dup_text (self, statement, 1);
  g_autofree char *address = ear_address_clean (text);
  g_autofree char *user = dup_text (self, statement, 4);
  g_autofree char *password = dup_text (self, statement, 5);
  g_autofree char *user_escaped = NULL;
  g_autofree char *password_escaped = NULL;
  const char *rest;

  if (address == NULL || user == NULL || strchr (address, '@') != NULL)
    return g_steal_pointer (&address);

  rest = strstr (address, "://") + strlen ("://");
  user_escaped = g_uri_escape_string (user, NULL, FALSE);
  password_escaped = g_uri_escape_string (password != NULL ? password : "", NULL, FALSE);

  return g_strdup_printf ("%.*s%s:%s@%s", (int) (rest - address), address, user_escaped, password_escaped, rest);
}

/* Leaves out rows beyond @limit, which no real library has.
 * @row: (scope call): reads one row
 * Returns: %FALSE after an error */
static gboolean
read_rows (Reader *self, const char *sql, guint limit,
           void (*row) (Reader *self, sqlite3_stmt *statement), GError **error)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL);

  if (code == SQLITE_OK)
    code = sqlite3_step (statement);
  for (guint n = 0; code == SQLITE_ROW && n < limit && !must_stop (self); n++)
    {
      row (self, statement);
      code = sqlite3_step (statement);
    }
  sqlite3_finalize (statement);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  return (code != SQLITE_ROW && code != SQLITE_DONE) || must_stop (self)
             ? set_damaged (self, error)
             : TRUE;
}

static void
add_podcast (Reader *self, sqlite3_stmt *statement)
{
  g_autofree char *key = dup_text (self, statement, 0);
  EarListedPodcast *podcast = ear_listed_podcast_new ();

  podcast->address = make_address (self, statement);
  podcast->title = dup_line (self, statement, 2);
  podcast->folder = dup_line (self, statement, 3);
  podcast->unfollowed = sqlite3_column_int (statement, 6) != 0;
  g_ptr_array_add (self->podcasts, podcast);
  if (key != NULL)
    g_hash_table_insert (self->by_key, g_steal_pointer (&key), podcast);
}

static void
add_episode (Reader *self, sqlite3_stmt *statement)
{
  g_autofree char *key = dup_text (self, statement, 0);
  EarListedPodcast *podcast = key != NULL ? g_hash_table_lookup (self->by_key, key) : NULL;
  g_autoptr (EarListedEpisode) episode = read_episode (self, statement);

  if (podcast != NULL && (episode->guid != NULL || episode->enclosure != NULL))
    g_ptr_array_add (podcast->episodes, g_steal_pointer (&episode));
}

static gboolean
check_file (Reader *self, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  "standard::type,standard::size,time::modified",
                                                  G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GFileInputStream) stream = NULL;
  char head[sizeof MAGIC] = { 0 };

  if (info == NULL)
    return FALSE;
  if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR && g_file_info_get_size (info) <= DATABASE_LIMIT)
    stream = g_file_read (file, cancellable, NULL);
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof MAGIC, NULL, cancellable, NULL) ||
      memcmp (head, MAGIC, sizeof MAGIC) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "No database");
      return FALSE;
    }
  self->size = g_file_info_get_size (info);
  self->changed = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC;

  return TRUE;
}

/* Adds a source if a program has podcasts in this database. A large database with a
 * journal is not copied only to count its podcasts. */
static void
look_at (const Program *program, const char *folder, const char *name, GPtrArray *sources)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (Reader) reader = { 0 };
  EarImportSource *found;
  gint64 n;

  for (guint i = 0; i < sources->len; i++)
    if (g_str_equal (((EarImportSource *) g_ptr_array_index (sources, i))->path, path))
      return;
  if (!check_file (&reader, file, NULL, NULL) ||
      !(has_journal (file) && reader.size <= COUNT_LIMIT ? open_copy (&reader, file, NULL, NULL)
                                                         : open_path (&reader, path, FALSE, NULL)) ||
      !is_of (&reader, program))
    return;
  n = count (&reader, program->podcasts);
  if (n <= 0)
    return;

  found = g_new0 (EarImportSource, 1);
  found->name = g_strdup (program->name);
  found->path = g_steal_pointer (&path);
  found->n_podcasts = (guint) MIN (n, PODCAST_LIMIT);
  g_ptr_array_add (sources, found);
}

static void
find_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  char **folders = task_data;
  GPtrArray *sources = g_ptr_array_new_with_free_func ((GDestroyNotify) source_free);

  remove_left_over ();
  for (const Program *program = programs; program->name != NULL; program++)
    for (const char *const *path = program->paths; *path != NULL; path++)
      {
        look_at (program, folders[0], *path, sources);
        if (g_str_has_prefix (*path, DATA_HOME))
          look_at (program, folders[1], *path + strlen (DATA_HOME), sources);
      }
  g_task_return_pointer (task, sources, (GDestroyNotify) g_ptr_array_unref);
}

/* Looks for other programs' databases at their default paths.
 * @home: the home folder
 * @data_home: the listener's data folder */
void
ear_import_source_find_async (const char *home, const char *data_home,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  const char *folders[] = { home, data_home, NULL };

  g_task_set_source_tag (task, ear_import_source_find_async);
  g_task_set_task_data (task, g_strdupv ((char **) folders), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, find_thread);
}

/* Returns: (transfer full) (element-type EarImportSource): the sources, maybe none */
GPtrArray *
ear_import_source_find_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Reads the podcasts of another program, on a worker thread. Stamps are the other program's
 * own, or else the time of its last write, so that later changes in Earmark win.
 * @error: return location: %G_IO_ERROR_NOT_SUPPORTED if the file is no database,
 *   or an `EAR_ERROR`
 * Returns: (transfer full) (element-type EarListedPodcast): the podcasts, or %NULL */
GPtrArray *
ear_import_source_read (GFile *file, GCancellable *cancellable, GError **error)
{
  g_auto (Reader) reader = { 0 };
  const Program *program = programs;

  if (!check_file (&reader, file, cancellable, error) ||
      !open_copy (&reader, file, cancellable, error))
    return NULL;
  while (program->name != NULL && !is_of (&reader, program))
    program++;
  if (program->name == NULL)
    {
      if (sqlite3_errcode (reader.handle) != SQLITE_OK)
        set_damaged (&reader, error);
      else
        g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML,
                             "A database of no program that is known");
      return NULL;
    }

  reader.podcasts = ear_listed_podcasts_new ();
  reader.by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!read_rows (&reader, program->podcasts, PODCAST_LIMIT, add_podcast, error) ||
      !read_rows (&reader, program->episodes, EPISODE_LIMIT, add_episode, error))
    return NULL;
  /* The listener has only looked at a podcast that is neither followed nor played. */
  for (guint i = reader.podcasts->len; i > 0; i--)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (reader.podcasts, i - 1);

      if (podcast->address != NULL ? podcast->unfollowed && podcast->episodes->len == 0
                                   : podcast->title == NULL)
        g_ptr_array_remove_index (reader.podcasts, i - 1);
    }

  return g_steal_pointer (&reader.podcasts);
}
