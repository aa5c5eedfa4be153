/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-mark.h"
#include "ear-types.h"

G_BEGIN_DECLS

/* FNV-1a with 64 bits: detects changed facts. Quick and small; authors who make two
 * versions of their own feed collide only hide their own edit. */
#define EAR_DIGEST_START ((guint64) 0xcbf29ce484222325)

guint64 ear_digest_bytes (guint64 digest, const void *data, gsize length);
guint64 ear_digest_text (guint64 digest, const char *text);

/* SQL for marks: each has a column for its value and one for its stamp, in the
 * tables episode and waiting_state. All values come first, in the order of EarMark,
 * and then all stamps. */
#define EAR_MARK_SQL_ALL \
  "position, listened, liked, shift, queued, archived, " \
  "position_updated, listened_updated, liked_updated, shift_updated, queued_updated, " \
  "archived_updated"
#define EAR_MARK_SQL_VALUES "?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define EAR_MARK_SQL_N_COLUMNS 12
#define EAR_MARK_SQL_TOUCHED \
  "(position_updated <> 0 OR listened_updated <> 0 OR liked_updated <> 0 OR shift_updated <> 0" \
  " OR queued_updated <> 0 OR archived_updated <> 0)"

const char *ear_mark_sql_of (EarMark mark, const char *format);
void ear_mark_sql_bind (const EarEpisodeState *state, EarStatement *statement);
void ear_mark_sql_read (EarEpisodeState *state, EarStatement *statement, int column);

/* Facts without a column of their own: lists, and rare facts. The column has a GVariant
 * dictionary, which is compact, can be read in place, and is safe to read from a damaged
 * file. A missing key is an empty list. */
GVariant *ear_facts_extra_write (gboolean is_episode, gconstpointer facts);
gboolean ear_facts_extra_has_chapters (GVariant *extra, EarStatement *statement);
void ear_facts_extra_read (EarStatement *statement, int column, gboolean is_episode,
                           gpointer facts);

/* An episode on its way into the catalogue. The parsing thread makes it, so that the
 * writer thread only writes. */
typedef struct
{
  EarEpisodeFacts *facts;
  char *guid;          /* identity within the podcast */
  gboolean own_guid;   /* whether the guid is the feed's own */
  gint64 digest;       /* of all facts but the notes */
  gint64 text_digest;  /* of title and notes */
  char *text;          /* plain text of the notes, for searches */
  GVariant *extra;     /* (nullable): facts without a column */
} EarEpisodeRecord;

/* Facts with a column of their own. Each line has the column's name, its type in SQL, the
 * type and the name of the member, and the last valid number. Types of members: `s` a
 * text, `x` 64 bits, `d` a date, `i` an int, `e` an enumeration or boolean. Facts that
 * are neither shown nor used, such as subtitles, are not stored. */
#define EAR_SQL_TEXT "TEXT"
#define EAR_SQL_DATE "INTEGER"
#define EAR_SQL_NUMBER "INTEGER NOT NULL DEFAULT 0"

#define EAR_EPISODE_COLUMNS(COLUMN) \
  COLUMN ("duration", EAR_SQL_NUMBER, 'x', duration, 0) \
  COLUMN ("published", EAR_SQL_DATE, 'd', published, 0) \
  COLUMN ("season", EAR_SQL_NUMBER, 'i', season, 0) \
  COLUMN ("number", EAR_SQL_TEXT, 's', number, 0) \
  COLUMN ("type", EAR_SQL_NUMBER, 'e', type, EAR_EPISODE_BONUS) \
  COLUMN ("explicit", EAR_SQL_NUMBER, 'e', explicit_content, EAR_EXPLICIT_YES) \
  COLUMN ("title", EAR_SQL_TEXT, 's', title, 0) \
  COLUMN ("link", EAR_SQL_TEXT, 's', link, 0) \
  COLUMN ("author", EAR_SQL_TEXT, 's', author, 0) \
  COLUMN ("image", EAR_SQL_TEXT, 's', image, 0)

#define EAR_PODCAST_COLUMNS(COLUMN) \
  COLUMN ("link", EAR_SQL_TEXT, 's', link, 0) \
  COLUMN ("description", EAR_SQL_TEXT, 's', description, 0) \
  COLUMN ("image", EAR_SQL_TEXT, 's', image, 0) \
  COLUMN ("language", EAR_SQL_TEXT, 's', language, 0) \
  COLUMN ("author", EAR_SQL_TEXT, 's', author, 0) \
  COLUMN ("copyright", EAR_SQL_TEXT, 's', copyright, 0) \
  COLUMN ("generator", EAR_SQL_TEXT, 's', generator, 0) \
  COLUMN ("owner_name", EAR_SQL_TEXT, 's', owner_name, 0) \
  COLUMN ("type", EAR_SQL_TEXT, 's', type, 0) \
  COLUMN ("new_address", EAR_SQL_TEXT, 's', new_address, 0) \
  COLUMN ("next_address", EAR_SQL_TEXT, 's', next_address, 0) \
  COLUMN ("guid", EAR_SQL_TEXT, 's', guid, 0) \
  COLUMN ("explicit", EAR_SQL_NUMBER, 'e', explicit_content, EAR_EXPLICIT_YES) \
  COLUMN ("complete", EAR_SQL_NUMBER, 'e', complete, TRUE)

/* Parts of statements with these columns */
#define EAR_COLUMN_NAME(name, ...) ", " name
#define EAR_COLUMN_VALUE(name, ...) ", ?"
#define EAR_COLUMN_DEFINITION(name, sql, ...) ", " name " " sql

/* Columns bound by ear_episode_record_bind(), as the last parameters */
#define EAR_EPISODE_RECORD_COLUMNS \
  "digest, text_digest" EAR_EPISODE_COLUMNS (EAR_COLUMN_NAME) ", enclosure, mime_type, size, extra"
#define EAR_EPISODE_RECORD_VALUES \
  "?, ?" EAR_EPISODE_COLUMNS (EAR_COLUMN_VALUE) ", ?, ?, ifnull (?, 0), ?"

/* Columns of a row page, in the order of ear_episode_row_read() */
#define EAR_EPISODE_ROW_COLUMNS \
  "id, podcast, guid, feed_guid, own_guid, " EAR_MARK_SQL_ALL ", download, measured, fresh" \
  EAR_EPISODE_COLUMNS (EAR_COLUMN_NAME) ", enclosure, mime_type, size, extra"

/* Finds an episode by podcast and guid: its own one, or the feed's present one. */
#define EAR_FIND_EPISODE_SQL \
  "SELECT id FROM episode WHERE podcast = ?1 AND guid = ?2" \
  " UNION ALL SELECT id FROM episode WHERE podcast = ?1 AND feed_guid = ?2 LIMIT 1"

typedef struct
{
  gint64 id;
  gint64 podcast;
  char *guid;
  EarEpisodeState state;
  EarDownloadKind download;
  gint64 measured; /* duration measured by the player, or 0 */
  gboolean fresh;
  EarEpisodeFacts *facts;
} EarEpisodeRow;

const char *ear_enclosure_get_first (const EarEpisodeFacts *facts);
EarEpisodeRecord *ear_episode_record_new (EarEpisodeFacts *facts, char *text);
EarEpisodeRecord *ear_episode_record_ref (EarEpisodeRecord *self);
void ear_episode_record_unref (EarEpisodeRecord *self);
gsize ear_episode_record_get_size (EarEpisodeRecord *self);
char *ear_episode_record_dup_second_guid (EarEpisodeRecord *self);
void ear_episode_record_bind (EarEpisodeRecord *self, EarStatement *statement, int i);
void ear_episode_row_read (EarEpisodeRow *row, EarStatement *statement);
void ear_episode_row_clear (EarEpisodeRow *row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarEpisodeRow, ear_episode_row_clear)

/* Columns bound by ear_podcast_record_bind(), after the first parameter */
#define EAR_PODCAST_RECORD_COLUMNS \
  "digest, title" EAR_PODCAST_COLUMNS (EAR_COLUMN_NAME) ", extra"
#define EAR_PODCAST_RECORD_VALUES \
  "?2, ifnull (?3, title)" EAR_PODCAST_COLUMNS (EAR_COLUMN_VALUE) ", ?"

/* Columns of the last responses, in the order of ear_feed_check_read() */
#define EAR_FEED_CHECK_COLUMNS \
  "feed_address, etag, last_modified, checked, max (failures, 0), error, not_before," \
  " archived <> 0, newest"
#define EAR_FEED_CHECK_N_COLUMNS 9

/* Columns of the facts, in the order of ear_podcast_facts_read() */
#define EAR_PODCAST_FACTS_COLUMNS "title" EAR_PODCAST_COLUMNS (EAR_COLUMN_NAME) ", extra"

EarPodcastFacts *ear_podcast_facts_copy (EarPodcastFacts *facts);
void ear_podcast_record_bind (EarPodcastFacts *facts, GVariant *extra, EarStatement *statement);
EarFeedCheck *ear_feed_check_read (EarStatement *statement, int column);
EarPodcastFacts *ear_podcast_facts_read (EarStatement *statement, int column);

G_END_DECLS
