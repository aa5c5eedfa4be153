/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-mark.h"
#include "ear-facts.h"
#include "ear-mark-sql.h"

G_BEGIN_DECLS

/* An episode on its way into the catalogue. The parsing thread makes it, so that the
 * writer thread only writes. */
typedef struct
{
  EarEpisodeFacts *facts;
  char *guid;          /* identity within the podcast */
  gboolean own_guid;   /* whether the guid is the feed's own */
  gint64 digest;       /* of all facts but the notes */
  gint64 text_digest;  /* of title and notes */
  GVariant *extra;     /* (nullable): facts without a column */
} EarEpisodeRecord;

/* Columns bound by ear_episode_record_bind(), as the first parameters */
#define EAR_EPISODE_RECORD_COLUMNS \
  "digest, text_digest, duration, published, season, number, type, explicit, title, subtitle, link, author, image, " \
  "enclosure, mime_type, size, extra"
#define EAR_EPISODE_RECORD_N_COLUMNS 17

/* Columns of a row page, in the order of ear_episode_row_read() */
#define EAR_EPISODE_ROW_COLUMNS \
  "id, podcast, guid, feed_guid, own_guid, " EAR_MARK_SQL_ALL ", download, measured, fresh, duration, published, season, number, type, " \
  "explicit, title, subtitle, link, author, image, enclosure, mime_type, size, extra"

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

/* Searchable part of the notes; a whole transcript is shorter. */
#define EAR_EPISODE_RECORD_TEXT_LIMIT (512 * 1024)

EarEpisodeRecord *ear_episode_record_new      (EarEpisodeFacts  *facts);
EarEpisodeRecord *ear_episode_record_ref      (EarEpisodeRecord *self);
void              ear_episode_record_unref    (EarEpisodeRecord *self);
gsize             ear_episode_record_get_size (EarEpisodeRecord *self);
char             *ear_episode_record_dup_second_guid (EarEpisodeRecord *self);
void              ear_episode_record_bind     (EarEpisodeRecord *self,
                                               EarStatement     *statement);
void              ear_episode_row_read        (EarEpisodeRow    *row,
                                               EarStatement     *statement);
void              ear_episode_row_clear       (EarEpisodeRow    *row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarEpisodeRow, ear_episode_row_clear)

G_END_DECLS
