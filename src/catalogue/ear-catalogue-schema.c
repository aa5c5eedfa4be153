/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-schema.h"

#include "ear-catalogue-update.h"
#include "ear-columns.h"
#include "ear-tokenizer.h"

#include <glib/gstdio.h>
#include <stdio.h>

/* "EARM": identifies the file, for Earmark and file(1) */
#define APPLICATION_ID 0x4541524d

#define TOKENIZER "tokenize = " EAR_TOKENIZER

/* The full text index, for new and rebuilt catalogues. The notes come first: entries of
 * the first column take two bytes less per word. */
#define TEXT_INDEX \
  "CREATE VIRTUAL TABLE episode_text USING fts5 (notes, title, podcast, content = '', contentless_delete = 1," \
  "  " TOKENIZER ");" \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('hashsize', 33554432);" \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('pgsz', 8100);" \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('automerge', 0);" \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('crisismerge', 100);"

const char ear_catalogue_schema_texts[] = TEXT_INDEX;

/* An index of texts with times in episodes. The row id is the episode's id times 262144,
 * more than the texts of an episode, plus the text's index. */
#define SAID(table) "CREATE VIRTUAL TABLE " table " USING fts5 (text, start UNINDEXED, " TOKENIZER ");"
#define FORGET_SAID(trigger, known, table) \
  "CREATE TRIGGER " trigger " AFTER DELETE ON episode WHEN EXISTS (SELECT 1 FROM " known " WHERE episode = OLD.id) BEGIN" \
  "  DELETE FROM " table " WHERE rowid >= OLD.id << 18 AND rowid < (OLD.id + 1) << 18;" \
  "  DELETE FROM " known " WHERE episode = OLD.id; END;"

/*
 * Version 1.
 *
 * episode.sort_key is the date made unique: newest first is `ORDER BY sort_key DESC`, in
 * every list and without a second column. For a future or missing date it is the time at
 * which the episode came. Undated episodes of a podcast's first response sort below all
 * others. It is also the row id of the full text index, which therefore returns its hits
 * newest first without reading a row.
 *
 * The full text index stores no texts of its own. Its column `podcast` has one word, "p"
 * and the podcast's row id, so that a search in one podcast is an intersection. Each
 * transaction adds one segment to it, gathered in memory first; the writer merges
 * segments when it is idle.
 *
 * Indexes alone answer the queries of lists, so they have the columns of the filters.
 * Triggers keep the counts, in a table of small rows: nothing is counted at start.
 *
 * waiting_state has marks of episodes that the feed has not sent yet, as when the
 * catalogue was lost and the state files were not.
 */
static const char version_1[] =
  "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
  "INSERT INTO meta VALUES ('exit', 1);"

  "CREATE TABLE podcast ("
  "  id INTEGER PRIMARY KEY,"
  "  address TEXT NOT NULL UNIQUE,"
  "  title TEXT,"
  "  place INTEGER NOT NULL DEFAULT 0,"
  "  hidden INTEGER NOT NULL DEFAULT 0,"
  "  digest INTEGER NOT NULL DEFAULT 0,"
  "  link TEXT, description TEXT, image TEXT, language TEXT, author TEXT, copyright TEXT,"
  "  generator TEXT, owner_name TEXT, owner_email TEXT, type TEXT, new_address TEXT,"
  "  next_address TEXT, guid TEXT,"
  "  published INTEGER,"
  "  explicit INTEGER NOT NULL DEFAULT 0,"
  "  complete INTEGER NOT NULL DEFAULT 0,"
  "  blocked INTEGER NOT NULL DEFAULT 0,"
  "  extra BLOB);"
  "CREATE INDEX podcast_hidden ON podcast (id) WHERE hidden <> 0;"

  "CREATE TABLE podcast_check ("
  "  podcast INTEGER PRIMARY KEY,"
  "  feed_address TEXT,"
  "  etag TEXT,"
  "  last_modified TEXT,"
  "  checked INTEGER NOT NULL DEFAULT 0,"
  "  answers INTEGER NOT NULL DEFAULT 0,"
  "  failures INTEGER NOT NULL DEFAULT 0,"
  "  not_before INTEGER NOT NULL DEFAULT 0);"

  "CREATE TABLE podcast_count ("
  "  podcast INTEGER PRIMARY KEY,"
  "  n_episodes INTEGER NOT NULL DEFAULT 0,"
  "  n_unplayed INTEGER NOT NULL DEFAULT 0);"

  "CREATE TABLE episode ("
  "  id INTEGER PRIMARY KEY,"
  "  podcast INTEGER NOT NULL,"
  "  guid TEXT NOT NULL,"
  "  own_guid INTEGER NOT NULL DEFAULT 1,"
  "  sort_key INTEGER NOT NULL,"
  "  digest INTEGER NOT NULL,"
  "  text_digest INTEGER NOT NULL,"
  "  gone INTEGER NOT NULL DEFAULT 0,"
  "  position INTEGER NOT NULL DEFAULT 0,"
  "  listened INTEGER NOT NULL DEFAULT 0,"
  "  liked INTEGER NOT NULL DEFAULT 0,"
  "  position_updated INTEGER NOT NULL DEFAULT 0,"
  "  listened_updated INTEGER NOT NULL DEFAULT 0,"
  "  liked_updated INTEGER NOT NULL DEFAULT 0,"
  "  measured INTEGER NOT NULL DEFAULT 0,"
  "  duration INTEGER NOT NULL DEFAULT 0,"
  "  published INTEGER,"
  "  season INTEGER NOT NULL DEFAULT 0,"
  "  number TEXT,"
  "  type INTEGER NOT NULL DEFAULT 0,"
  "  explicit INTEGER NOT NULL DEFAULT 0,"
  "  title TEXT, subtitle TEXT, link TEXT, author TEXT, image TEXT,"
  "  enclosure TEXT, mime_type TEXT, size INTEGER NOT NULL DEFAULT 0,"
  "  extra BLOB);"
  "CREATE UNIQUE INDEX episode_guid ON episode (podcast, guid);"
  "CREATE INDEX episode_all ON episode (sort_key, podcast, listened);"
  "CREATE INDEX episode_of ON episode (podcast, sort_key, listened);"
  "CREATE INDEX episode_begun ON episode (sort_key, podcast, listened, position)"
  "  WHERE listened = 0 AND position > 0;"
  "CREATE INDEX episode_liked ON episode (sort_key, podcast, liked) WHERE liked = 1;"

  "CREATE TRIGGER episode_inserted AFTER INSERT ON episode BEGIN"
  "  UPDATE podcast_count SET n_episodes = n_episodes + 1, n_unplayed = n_unplayed + (NEW.listened = 0)"
  "    WHERE podcast = NEW.podcast; END;"
  "CREATE TRIGGER episode_deleted AFTER DELETE ON episode BEGIN"
  "  UPDATE podcast_count SET n_episodes = n_episodes - 1, n_unplayed = n_unplayed - (OLD.listened = 0)"
  "    WHERE podcast = OLD.podcast; END;"
  "CREATE TRIGGER episode_listened AFTER UPDATE OF listened ON episode WHEN NEW.listened <> OLD.listened BEGIN"
  "  UPDATE podcast_count SET n_unplayed = n_unplayed + (NEW.listened = 0) - (OLD.listened = 0)"
  "    WHERE podcast = NEW.podcast; END;"

  "CREATE TABLE notes (episode INTEGER PRIMARY KEY, text TEXT NOT NULL, base TEXT);"
  TEXT_INDEX

  "CREATE TABLE waiting_state ("
  "  podcast INTEGER NOT NULL,"
  "  guid TEXT NOT NULL,"
  "  position INTEGER NOT NULL,"
  "  listened INTEGER NOT NULL,"
  "  liked INTEGER NOT NULL,"
  "  position_updated INTEGER NOT NULL,"
  "  listened_updated INTEGER NOT NULL,"
  "  liked_updated INTEGER NOT NULL,"
  "  PRIMARY KEY (podcast, guid)) WITHOUT ROWID;";

/* Version 2: results of the last checks, for scheduling the next ones. `error` is the
 * code plus 1, or 0 on success. */
static const char version_2[] =
  "ALTER TABLE podcast_check ADD COLUMN error INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE podcast_check ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE podcast_check ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;";

/*
 * Version 3.
 *
 * episode.fresh: it came while the podcast was followed, or was its newest one at that
 * time; the view New shows fresh episodes that are neither begun nor played. Episodes
 * count as fresh from the second response of a feed on, or after a complete first one:
 * podcast_check.settled. In a copy that has replaced a lost file, settled is 2 until the
 * next response: its fresh episodes were announced before.
 *
 * episode.feed_guid is the feed's present guid for the episode, if it has changed;
 * episode.guid is always the first one.
 *
 * podcast.followed is the time of following (Unix seconds). podcast.hidden is the time of
 * unfollowing, or -1 for a preview.
 */
static const char version_3[] =
  "ALTER TABLE podcast ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE podcast_check ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE episode ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE episode ADD COLUMN feed_guid TEXT;"
  "UPDATE podcast SET followed = unixepoch ();"
  "UPDATE podcast_check SET settled = answers > 0;"
  "UPDATE episode SET fresh = 1 WHERE sort_key IN"
  "  (SELECT (SELECT max (sort_key) FROM episode INDEXED BY episode_of WHERE podcast = podcast.id) FROM podcast);"
  "CREATE INDEX episode_fresh ON episode (sort_key, podcast, fresh, listened, position)"
  "  WHERE fresh = 1 AND listened = 0 AND position = 0;"
  "CREATE INDEX episode_heard ON episode (position_updated, sort_key, podcast, listened, position)"
  "  WHERE listened = 1 OR position > 0;"
  "CREATE UNIQUE INDEX episode_feed_guid ON episode (podcast, feed_guid) WHERE feed_guid IS NOT NULL;";

/* Version 4: settings of a podcast, copied from its state file, so that the start need
 * not read that. Words are stored as their indexes. */
static const char version_4[] =
  "CREATE TABLE podcast_setting ("
  "  podcast INTEGER NOT NULL,"
  "  setting TEXT NOT NULL,"
  "  value INTEGER NOT NULL,"
  "  updated INTEGER NOT NULL,"
  "  PRIMARY KEY (podcast, setting)) WITHOUT ROWID;";

/* Version 5: wanted and finished downloads, an #EarDownloadKind, copied from the records
 * beside the files. */
static const char version_5[] =
  "ALTER TABLE episode ADD COLUMN download INTEGER NOT NULL DEFAULT 0;"
  "CREATE INDEX episode_download ON episode (sort_key, podcast, download) WHERE download <> 0;";

/* Version 7: sentences of the transcripts that were fetched. */
static const char version_7[] =
  "CREATE TABLE transcript (episode INTEGER PRIMARY KEY, digest INTEGER NOT NULL);"
  SAID ("sentence_text")
  FORGET_SAID ("episode_transcript", "transcript", "sentence_text");

/* Version 8: Up Next and its order. */
static const char version_8[] =
  EAR_MARK_SQL_VERSION ("queued")
  "CREATE INDEX episode_queued ON episode (queued, sort_key, podcast, listened) WHERE queued > 0;";

/* Version 9: episodes that the listener has removed from New and In Progress. */
static const char version_9[] =
  EAR_MARK_SQL_VERSION ("archived")
  "DROP INDEX episode_fresh;"
  "CREATE INDEX episode_fresh ON episode (sort_key, podcast, fresh, listened, position, archived)"
  "  WHERE fresh = 1 AND listened = 0 AND position = 0 AND archived = 0;"
  "DROP INDEX episode_begun;"
  "CREATE INDEX episode_begun ON episode (sort_key, podcast, listened, position, archived)"
  "  WHERE listened = 0 AND position > 0 AND archived = 0;";

/* Version 10: order of the wanted downloads; 0 for finished ones. */
static const char version_10[] =
  "ALTER TABLE episode ADD COLUMN download_place INTEGER NOT NULL DEFAULT 0;"
  "CREATE INDEX episode_downloads ON episode (download, download_place, sort_key DESC, podcast) WHERE download <> 0;";

/*
 * Version 11: links of episodes.
 *
 * episode.links is the number of links in the notes; NULL until EarLinkCollector has
 * scanned them: see ear-catalogue-links.c. A link is found by a digest of its address,
 * which is the same for all spellings. The table mention has the words of each episode
 * for a link; its order is that of the reading list.
 */
static const char version_11[] =
  "ALTER TABLE episode ADD COLUMN links INTEGER;"
  "CREATE INDEX episode_unlinked ON episode (sort_key) WHERE links IS NULL;"
  "CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
  "CREATE TABLE link ("
  "  id INTEGER PRIMARY KEY,"
  "  digest INTEGER NOT NULL,"
  "  host INTEGER NOT NULL,"
  "  kind INTEGER NOT NULL,"
  "  address TEXT NOT NULL);"
  "CREATE UNIQUE INDEX link_digest ON link (digest);"
  "CREATE INDEX link_host ON link (host, kind);"
  "CREATE TABLE mention ("
  "  sort_key INTEGER NOT NULL,"
  "  place INTEGER NOT NULL,"
  "  link INTEGER NOT NULL,"
  "  podcast INTEGER NOT NULL,"
  "  words TEXT, heading TEXT,"
  "  PRIMARY KEY (sort_key DESC, place)) WITHOUT ROWID;"
  "CREATE TRIGGER episode_mentions AFTER DELETE ON episode WHEN OLD.links > 0 BEGIN"
  "  DELETE FROM mention WHERE sort_key = OLD.sort_key; END;";

/*
 * Version 12.
 *
 * A mention includes its link, as most links are mentioned once, and is also found by the
 * link's digest, which finds all episodes that link to a page. Common beginnings of
 * addresses, and headings, have tables of their own, as they are few.
 *
 * The full text indexes have the parts of names (ear-tokenizer.c). The index of
 * titles and notes is rebuilt in version 14; the indexes of sentences are the only
 * copy of their texts.
 *
 * chapter_text has the chapters of episodes, as sentence_text has their sentences.
 */
static const char version_12[] =
  "DROP TRIGGER episode_mentions;"
  "ALTER TABLE mention RENAME TO former_mention;"
  "CREATE TABLE site (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, host TEXT NOT NULL);"
  "CREATE TABLE heading (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
  "CREATE TABLE mention ("
  "  id INTEGER PRIMARY KEY,"
  "  link INTEGER NOT NULL,"
  "  podcast INTEGER NOT NULL,"
  "  kind INTEGER NOT NULL,"
  "  site INTEGER NOT NULL,"
  "  path TEXT NOT NULL,"
  "  heading INTEGER,"
  "  words TEXT);"
  "INSERT OR IGNORE INTO site (address, host)"
  "  SELECT DISTINCT substr (address, 1, " EAR_MENTION_SQL_SITE_LENGTH ("address") "), name"
  "    FROM link JOIN host ON host.id = host;"
  "INSERT OR IGNORE INTO heading (text) SELECT DISTINCT heading FROM former_mention WHERE heading IS NOT NULL;"
  "INSERT INTO mention"
  "  SELECT " EAR_MENTION_SQL_FIRST ("sort_key") " + place, digest, podcast, kind, site.id,"
  "    substr (link.address, " EAR_MENTION_SQL_SITE_LENGTH ("link.address") " + 1), heading.id, words"
  "    FROM former_mention CROSS JOIN link ON link.id = link"
  "    CROSS JOIN site ON site.address = substr (link.address, 1, " EAR_MENTION_SQL_SITE_LENGTH ("link.address") ")"
  "    LEFT JOIN heading ON heading.text = former_mention.heading WHERE place < 512 ORDER BY sort_key DESC, place;"
  "DROP TABLE former_mention;"
  "DROP TABLE link;"
  "DROP TABLE host;"
  "CREATE INDEX mention_link ON mention (link);"
  "CREATE TRIGGER episode_mentions AFTER DELETE ON episode WHEN OLD.links > 0 BEGIN"
  "  DELETE FROM mention WHERE id >= " EAR_MENTION_SQL_FIRST ("OLD.sort_key") " AND id < " EAR_MENTION_SQL_END ("OLD.sort_key") "; END;"

  "DROP TRIGGER episode_transcript;"
  "ALTER TABLE sentence_text RENAME TO former_sentence;"
  SAID ("sentence_text")
  "INSERT INTO sentence_text (rowid, text, start) SELECT rowid, text, start FROM former_sentence ORDER BY rowid;"
  "DROP TABLE former_sentence;"
  FORGET_SAID ("episode_transcript", "transcript", "sentence_text")

  "CREATE TABLE chaptered (episode INTEGER PRIMARY KEY, digest INTEGER NOT NULL);"
  SAID ("chapter_text")
  FORGET_SAID ("episode_chapters", "chaptered", "chapter_text");

/* Version 13: chapter_text has the feeds' chapters of all episodes. Episodes with
 * chapters are scanned again, with their links (ear-catalogue-links.c). In a blob, each
 * member's name ends with a zero. */
#define CHAPTERED "SELECT id FROM episode WHERE instr (extra, X'636861707465727300') > 0"

static const char version_13[] =
  "DELETE FROM mention WHERE id IN (SELECT mention.id FROM episode CROSS JOIN mention"
  "  ON mention.id >= " EAR_MENTION_SQL_FIRST ("sort_key") " AND mention.id < " EAR_MENTION_SQL_END ("sort_key")
  "  WHERE links > 0 AND episode.id IN (" CHAPTERED "));"
  "UPDATE episode SET links = NULL WHERE id IN (" CHAPTERED ");";

/* The writer fills the index of titles and notes again, as after damage. */
#define RENEW_TEXTS \
  "DROP TABLE episode_text;" \
  TEXT_INDEX \
  "INSERT OR REPLACE INTO meta SELECT key, value FROM" \
  "  (SELECT 'texts' AS key, 9223372036854775807 AS value UNION ALL SELECT 'renewing', 1) WHERE EXISTS (SELECT 1 FROM episode);"

/* Version 14: the full text index has another order of columns, which makes it
 * a quarter smaller. */
static const char version_14[] = RENEW_TEXTS;

/* Version 15: the tokenizer folds more letters, and cuts scripts without spaces into
 * characters. All indexes are rebuilt. */
static const char version_15[] =
  "INSERT INTO sentence_text (sentence_text) VALUES ('rebuild');"
  "INSERT INTO chapter_text (chapter_text) VALUES ('rebuild');"
  RENEW_TEXTS;

static const EarMigration steps[] = {
  { 1, version_1 }, { 2, version_2 }, { 3, version_3 }, { 4, version_4 }, { 5, version_5 },
  { 6, EAR_MARK_SQL_VERSION ("shift") }, { 7, version_7 }, { 8, version_8 },
  { 9, version_9 }, { 10, version_10 }, { 11, version_11 }, { 12, version_12 },
  { 13, version_13 }, { 14, version_14 }, { 15, version_15 },
};

#define NEWEST_VERSION G_N_ELEMENTS (steps)

/* Rejects a file of another program, and one whose tables were removed. */
static gboolean
check_identity (EarDatabase *database, GError **error)
{
  gint64 id = 0;
  gint64 n_tables = 0;
  g_autofree char *set = g_strdup_printf ("PRAGMA application_id = %d", APPLICATION_ID);

  if (!ear_database_get_int (database, error, &id, "PRAGMA application_id", "") ||
      !ear_database_get_int (database, error, &n_tables, "SELECT count (*) FROM sqlite_schema WHERE type = 'table'", ""))
    return FALSE;
  if (id == APPLICATION_ID)
    return TRUE;
  if (id == 0 && n_tables == 0)
    return ear_database_exec (database, set, error);

  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "It is a database of another program");

  return FALSE;
}

static gboolean
check_tables (EarDatabase *database, EarExitKind *exit, GError **error)
{
  gint64 kind = EAR_EXIT_DAMAGED;
  gint64 n_tables = 0;

  if (!ear_database_get_int (database, error, &kind, "SELECT value FROM meta WHERE key = 'exit'", "") ||
      !ear_database_get_int (database, error, &n_tables, "SELECT count (*) FROM sqlite_schema WHERE name IN "
                             "('podcast', 'podcast_check', 'podcast_count', 'episode', 'notes', 'episode_text', 'waiting_state', "
                             "'podcast_setting')", ""))
    return FALSE;
  *exit = kind == EAR_EXIT_CLEAN || kind == EAR_EXIT_NONE ? (EarExitKind) kind : EAR_EXIT_DAMAGED;
  if (n_tables == 8)
    return TRUE;

  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "Tables are missing");

  return FALSE;
}

/* Opens the catalogue for writing, creates it if missing, and migrates it to the newest
 * version of the schema.
 * @exit: (out): how the last session ended; unless cleanly, the file needs a check
 * Returns: (transfer full): the connection; %NULL if the file is damaged or another
 * program's (%EAR_ERROR_DAMAGED), is of a later version of Earmark (%EAR_ERROR_NEWER), or
 * cannot be read or written */
EarDatabase *
ear_catalogue_schema_open (const char *path, EarExitKind *exit, GError **error)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_WRITE, error);

  if (database == NULL)
    return NULL;
  if (check_identity (database, error) &&
      ear_database_migrate (database, steps, G_N_ELEMENTS (steps), error) &&
      check_tables (database, exit, error))
    return g_steal_pointer (&database);

  /* Leave a damaged file unchanged. */
  sqlite3_db_config (ear_database_get_handle (database), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);

  return NULL;
}

/* @database: any connection
 * Returns: whether the file is a catalogue of exactly this version,
 * readable without migration */
gboolean
ear_catalogue_schema_check_current (EarDatabase *database, GError **error)
{
  gint64 id = 0;
  gint64 version = 0;

  if (!ear_database_get_int (database, error, &id, "PRAGMA application_id", "") ||
      !ear_database_get_int (database, error, &version, "PRAGMA user_version", ""))
    return FALSE;
  if (id == APPLICATION_ID && version == NEWEST_VERSION)
    return TRUE;

  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "It is no catalogue of this version");

  return FALSE;
}

/* Offsets in the file's header, which is big-endian */
#define HEADER_VERSION 60
#define HEADER_APPLICATION 68
#define HEADER_LENGTH 100

static guint32
get_header_number (const guint8 *header, gsize at)
{
  return (guint32) header[at] << 24 | (guint32) header[at + 1] << 16 | (guint32) header[at + 2] << 8 | header[at + 3];
}

/**
 * ear_catalogue_needs_update:
 * @path: path of catalogue.db
 *
 * Reads only the header of the file, which is quick.
 *
 * Returns: whether it is a catalogue of an earlier version, whose migration would
 *   delay opening it
 */
gboolean
ear_catalogue_needs_update (const char *path)
{
  guint8 header[HEADER_LENGTH] = { 0 };
  FILE *file = g_fopen (path, "rb");
  gsize length;
  guint32 version;

  if (file == NULL)
    return FALSE;
  length = fread (header, 1, sizeof header, file);
  fclose (file);
  version = get_header_number (header, HEADER_VERSION);

  return length == sizeof header && get_header_number (header, HEADER_APPLICATION) == APPLICATION_ID && version >= 1 &&
         version < NEWEST_VERSION;
}

/**
 * ear_catalogue_update:
 * @path: path of catalogue.db, not open anywhere
 * @error: return location for an `EAR_ERROR`
 *
 * Migrates a catalogue of an earlier version, after making a copy. Any thread may call
 * it. On failure the catalogue is unchanged, and opening it returns the error to act on.
 *
 * Returns: whether it is of this version now
 */
gboolean
ear_catalogue_update (const char *path, GError **error)
{
  EarExitKind exit;
  g_autoptr (EarDatabase) database = ear_catalogue_schema_open (path, &exit, error);

  return database != NULL;
}

/* @database: a connection, which may be read-only
 * Returns: whether it is a catalogue, of this version or an earlier one */
gboolean
ear_catalogue_schema_accept (EarDatabase *database, GError **error)
{
  gint64 id = 0;
  gint64 version = 0;
  gint64 exit = 0;

  if (!ear_database_get_int (database, error, &id, "PRAGMA application_id", "") ||
      !ear_database_get_int (database, error, &version, "PRAGMA user_version", "") ||
      !ear_database_get_int (database, error, &exit, "SELECT value FROM meta WHERE key = 'exit'", ""))
    return FALSE;
  if (id == APPLICATION_ID && version >= 1 && version <= (gint64) NEWEST_VERSION)
    return TRUE;

  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "It is not a catalogue that can be read");

  return FALSE;
}

/* Stores how this session ends, for the next start. */
gboolean
ear_catalogue_schema_set_exit (EarDatabase *database, EarExitKind kind, GError **error)
{
  return ear_database_execute (database, error, "UPDATE meta SET value = ?1 WHERE key = 'exit'", "i", (int) kind);
}

/* Stores that the file has replaced a newer one: the episodes of each feed's next
 * response are not announced. */
gboolean
ear_catalogue_schema_set_restored (EarDatabase *database, GError **error)
{
  return ear_database_exec (database, "UPDATE podcast_check SET settled = 2 WHERE settled = 1", error);
}
