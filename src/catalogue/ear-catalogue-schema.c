/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-schema.h"

#include "ear-columns.h"
#include "ear-tokenizer.h"

/* "EARM": identifies the file, for Earmark and file(1) */
#define APPLICATION_ID 0x4541524d

/* Version of the schema. A file of an earlier one is set aside, and everything is fetched
 * again; the listener's marks are in the state files. */
#define VERSION 17

#define TOKENIZER "tokenize = " EAR_TOKENIZER

/* The full text index, for new and rebuilt catalogues. The notes come first: entries of
 * the first column take two bytes less per word. */
#define TEXT_INDEX                                                                                 \
  "CREATE VIRTUAL TABLE episode_text USING fts5 (notes, title, podcast, content = '', "            \
  "contentless_delete = 1,"                                                                        \
  "  " TOKENIZER ");"                                                                              \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('hashsize', 33554432);"                   \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('pgsz', 8100);"                           \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('automerge', 0);"                         \
  "INSERT INTO episode_text (episode_text, rank) VALUES ('crisismerge', 100);"

/* An index of texts with times in episodes. The row id is the episode's id times 262144,
 * more than the texts of an episode, plus the text's index. */
#define MOMENTS(known, texts, trigger) \
  "CREATE TABLE " known " (episode INTEGER PRIMARY KEY, digest INTEGER NOT NULL);" \
  "CREATE VIRTUAL TABLE " texts " USING fts5 (text, start UNINDEXED, " TOKENIZER ");" \
  "CREATE TRIGGER " trigger " AFTER DELETE ON episode" \
  "  WHEN EXISTS (SELECT 1 FROM " known " WHERE episode = OLD.id) BEGIN" \
  "  DELETE FROM " texts " WHERE rowid >= OLD.id << 18 AND rowid < (OLD.id + 1) << 18;" \
  "  DELETE FROM " known " WHERE episode = OLD.id; END;"

/*
 * podcast.followed is the time of following (Unix seconds). podcast.hidden is the time of
 * unfollowing, or -1 for a preview. podcast_check.error is the code of the last check plus
 * 1, or 0 on success. podcast_setting is a copy of the state files, so that the start need
 * not read them; words are stored as their indexes.
 *
 * episode.sort_key is the date made unique: newest first is `ORDER BY sort_key DESC`, in
 * every list and without a second column. For a future or missing date it is the time at
 * which the episode came. Undated episodes of a podcast's first response sort below all
 * others. It is also the row id of the full text index, which therefore returns its hits
 * newest first without reading a row.
 *
 * episode.fresh: it came while the podcast was followed, or was its newest one at that
 * time; the view New shows fresh episodes that are neither begun nor played. Episodes
 * count as fresh from the second response of a feed on, or after a complete first one:
 * podcast_check.settled. In a copy that has replaced a lost file, settled is 2 until the
 * next response: its fresh episodes were announced before.
 *
 * episode.feed_guid is the feed's present guid for the episode, if it has changed;
 * episode.guid is always the first one. episode.download is an #EarDownloadKind, copied
 * from the records beside the files; episode.download_place is the order of wanted ones.
 *
 * episode.links is the number of links in the notes; NULL until the writer has
 * scanned them: see ear-store-text.c. A mention is an episode's link with its words;
 * the row ids are in the order of the reading list. A digest of the link's address, which
 * is the same for all spellings, finds all episodes that link to a page. Common beginnings
 * of addresses, and headings, have tables of their own, as they are few.
 *
 * The full text index stores no texts of its own. Its column `podcast` has one word, "p"
 * and the podcast's row id, so that a search in one podcast is an intersection. Each
 * transaction adds one segment to it, gathered in memory first; the writer merges
 * segments when it is idle. The indexes of sentences and chapters are the only copy of
 * their texts.
 *
 * Indexes alone answer the queries of lists, so they have the columns of the filters.
 *
 * former_media has addresses that episodes had before, as other programs may know them by.
 *
 * The columns subtitle, owner_email, published of a podcast, and blocked are not used any more.
 * An earlier Earmark with this version of the schema reads and writes them: without them it would
 * take the file for a damaged one.
 *
 * waiting_state has marks of episodes that the feed has not sent yet, as when the
 * catalogue was lost and the state files were not.
 */
static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "INSERT INTO meta VALUES ('exit', 1);"

    "CREATE TABLE podcast ("
    "  id INTEGER PRIMARY KEY,"
    "  address TEXT NOT NULL UNIQUE,"
    "  title TEXT,"
    "  place INTEGER NOT NULL DEFAULT 0,"
    "  hidden INTEGER NOT NULL DEFAULT 0,"
    "  digest INTEGER NOT NULL DEFAULT 0"
    EAR_PODCAST_COLUMNS (EAR_COLUMN_DEFINITION) ","
    "  owner_email TEXT, published INTEGER, blocked INTEGER NOT NULL DEFAULT 0,"
    "  extra BLOB,"
    "  followed INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX podcast_hidden ON podcast (id) WHERE hidden <> 0;"

    "CREATE TABLE podcast_check ("
    "  podcast INTEGER PRIMARY KEY,"
    "  feed_address TEXT, etag TEXT, last_modified TEXT,"
    "  checked INTEGER NOT NULL DEFAULT 0,"
    "  answers INTEGER NOT NULL DEFAULT 0,"
    "  failures INTEGER NOT NULL DEFAULT 0,"
    "  not_before INTEGER NOT NULL DEFAULT 0,"
    "  error INTEGER NOT NULL DEFAULT 0,"
    "  archived INTEGER NOT NULL DEFAULT 0,"
    "  newest INTEGER NOT NULL DEFAULT 0,"
    "  settled INTEGER NOT NULL DEFAULT 0);"

    "CREATE TABLE podcast_setting ("
    "  podcast INTEGER NOT NULL,"
    "  setting TEXT NOT NULL,"
    "  value INTEGER NOT NULL,"
    "  updated INTEGER NOT NULL,"
    "  PRIMARY KEY (podcast, setting)) WITHOUT ROWID;"

    "CREATE TABLE episode ("
    "  id INTEGER PRIMARY KEY,"
    "  podcast INTEGER NOT NULL,"
    "  guid TEXT NOT NULL,"
    "  own_guid INTEGER NOT NULL DEFAULT 1,"
    "  sort_key INTEGER NOT NULL,"
    "  digest INTEGER NOT NULL,"
    "  text_digest INTEGER NOT NULL,"
    "  position INTEGER NOT NULL DEFAULT 0,"
    "  listened INTEGER NOT NULL DEFAULT 0,"
    "  liked INTEGER NOT NULL DEFAULT 0,"
    "  position_updated INTEGER NOT NULL DEFAULT 0,"
    "  listened_updated INTEGER NOT NULL DEFAULT 0,"
    "  liked_updated INTEGER NOT NULL DEFAULT 0,"
    "  measured INTEGER NOT NULL DEFAULT 0"
    EAR_EPISODE_COLUMNS (EAR_COLUMN_DEFINITION) ","
    "  subtitle TEXT,"
    "  enclosure TEXT, mime_type TEXT, size INTEGER NOT NULL DEFAULT 0,"
    "  extra BLOB,"
    "  fresh INTEGER NOT NULL DEFAULT 0,"
    "  feed_guid TEXT,"
    "  download INTEGER NOT NULL DEFAULT 0,"
    "  shift INTEGER NOT NULL DEFAULT 0, shift_updated INTEGER NOT NULL DEFAULT 0,"
    "  queued INTEGER NOT NULL DEFAULT 0, queued_updated INTEGER NOT NULL DEFAULT 0,"
    "  archived INTEGER NOT NULL DEFAULT 0, archived_updated INTEGER NOT NULL DEFAULT 0,"
    "  download_place INTEGER NOT NULL DEFAULT 0,"
    "  links INTEGER);"
    "CREATE UNIQUE INDEX episode_guid ON episode (podcast, guid);"
    "CREATE UNIQUE INDEX episode_feed_guid ON episode (podcast, feed_guid)"
    "  WHERE feed_guid IS NOT NULL;"
    "CREATE INDEX episode_all ON episode (sort_key, podcast, listened);"
    "CREATE INDEX episode_of ON episode (podcast, sort_key, listened);"
    "CREATE INDEX episode_liked ON episode (sort_key, podcast, liked) WHERE liked = 1;"
    "CREATE INDEX episode_heard"
    "  ON episode (position_updated, sort_key, podcast, listened, position)"
    "  WHERE listened = 1 OR position > 0;"
    "CREATE INDEX episode_begun ON episode (sort_key, podcast, listened, position, archived)"
    "  WHERE listened = 0 AND position > 0 AND archived = 0;"
    "CREATE INDEX episode_fresh"
    "  ON episode (sort_key, podcast, fresh, listened, position, archived)"
    "  WHERE fresh = 1 AND listened = 0 AND position = 0 AND archived = 0;"
    "CREATE INDEX episode_queued ON episode (queued, sort_key, podcast, listened)"
    "  WHERE queued > 0;"
    "CREATE INDEX episode_download ON episode (sort_key, podcast, download)"
    "  WHERE download <> 0;"
    "CREATE INDEX episode_downloads"
    "  ON episode (download, download_place, sort_key DESC, podcast) WHERE download <> 0;"
    "CREATE INDEX episode_unlinked ON episode (sort_key) WHERE links IS NULL;"

    "CREATE TABLE former_media ("
    "  episode INTEGER NOT NULL,"
    "  address TEXT NOT NULL,"
    "  PRIMARY KEY (episode, address)) WITHOUT ROWID;"
    "CREATE TRIGGER episode_media AFTER UPDATE OF enclosure ON episode"
    "  WHEN OLD.enclosure <> NEW.enclosure BEGIN"
    "  INSERT OR IGNORE INTO former_media VALUES (OLD.id, OLD.enclosure); END;"
    "CREATE TRIGGER episode_former_media AFTER DELETE ON episode BEGIN"
    "  DELETE FROM former_media WHERE episode = OLD.id; END;"

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
    "  shift INTEGER NOT NULL DEFAULT 0, shift_updated INTEGER NOT NULL DEFAULT 0,"
    "  queued INTEGER NOT NULL DEFAULT 0, queued_updated INTEGER NOT NULL DEFAULT 0,"
    "  archived INTEGER NOT NULL DEFAULT 0, archived_updated INTEGER NOT NULL DEFAULT 0,"
    "  PRIMARY KEY (podcast, guid)) WITHOUT ROWID;"

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
    "CREATE INDEX mention_link ON mention (link);"
    "CREATE TRIGGER episode_mentions AFTER DELETE ON episode WHEN OLD.links > 0 BEGIN"
    "  DELETE FROM mention WHERE id >= " EAR_MENTION_SQL_FIRST ("OLD.sort_key")
    "    AND id < " EAR_MENTION_SQL_END ("OLD.sort_key") "; END;"

    MOMENTS ("transcript", "sentence_text", "episode_transcript")
    MOMENTS ("chaptered", "chapter_text", "episode_chapters");

static void
create (EarDatabase *database)
{
  g_autofree char *identity = g_strdup_printf (
      "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION_ID, VERSION);

  ear_database_exec (database, "BEGIN IMMEDIATE");
  ear_database_exec (database, schema);
  ear_database_exec (database, identity);
}

/* Rejects a file of another program, or of another version of the schema.
 * @can_be_new: whether to fill an empty file; otherwise that is rejected, too */
static void
check_identity (EarDatabase *database, gboolean can_be_new)
{
  const gint64 id = ear_database_get_int (database, "PRAGMA application_id", "");
  const gint64 version = ear_database_get_int (database, "PRAGMA user_version", "");

  if (can_be_new && id == 0 && version == 0 &&
      ear_database_get_int (database, "SELECT count (*) FROM sqlite_schema WHERE type = 'table'",
                            "") == 0)
    create (database);
  else if (id == APPLICATION_ID && version > VERSION)
    ear_database_fail (database, g_error_new (EAR_ERROR, EAR_ERROR_NEWER,
                                              "Version %" G_GINT64_FORMAT
                                              " of the schema is newer than we are",
                                              version));
  else if (id != APPLICATION_ID || version != VERSION)
    ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_DAMAGED,
                                                      "It is not a catalogue of this version"));
}

static void
check_tables (EarDatabase *database)
{
  if (ear_database_get_int (database,
                            "SELECT count (*) FROM sqlite_schema WHERE name IN "
                            "('podcast', 'podcast_check', 'episode', 'notes', "
                            "'episode_text', 'waiting_state', "
                            "'podcast_setting')",
                            "") != 7)
    ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_DAMAGED,
                                                      "Tables are missing"));
}

/* Opens the catalogue for writing, and creates it if missing.
 * Returns: (transfer full): the connection; %NULL if the file is damaged or another
 * program's (%EAR_ERROR_DAMAGED), is of a later version of Earmark
 * (%EAR_ERROR_NEWER), or cannot be read or written */
EarDatabase *
ear_catalogue_schema_open (const char *path, GError **error)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_WRITE, error);

  if (database == NULL)
    return NULL;
  check_identity (database, TRUE);
  check_tables (database);
  if (ear_database_finish (database, error))
    return g_steal_pointer (&database);

  /* Leave a damaged file unchanged. */
  sqlite3_db_config (ear_database_get_handle (database), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);

  return NULL;
}

/* Returns: whether the file is a catalogue with an earlier schema */
gboolean
ear_catalogue_schema_is_outdated (const char *path)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_ONLY, NULL);

  return database != NULL &&
         ear_database_get_int (database, "PRAGMA application_id", "") == APPLICATION_ID &&
         ear_database_get_int (database, "PRAGMA user_version", "") < VERSION &&
         ear_database_finish (database, NULL);
}

/* @database: a connection, which may be read-only
 * Returns: whether the file is a catalogue of this version, as far as a glance shows */
gboolean
ear_catalogue_schema_accept (EarDatabase *database, GError **error)
{
  check_identity (database, FALSE);
  ear_catalogue_schema_get_clean (database);

  return ear_database_finish (database, error);
}

/* Returns: whether the last session has ended, and found no damage; otherwise the file needs a
 * check */
gboolean
ear_catalogue_schema_get_clean (EarDatabase *database)
{
  return ear_database_get_int (database, "SELECT value FROM meta WHERE key = 'exit'", "") == 1;
}

/* Stores whether this session has ended well, for the next start. */
void
ear_catalogue_schema_set_clean (EarDatabase *database, gboolean clean)
{
  ear_database_execute (database, "UPDATE meta SET value = ?1 WHERE key = 'exit'", "i", clean);
}
