/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-mark-sql.h"

G_BEGIN_DECLS

/* Columns of the facts of a podcast, as the first parameters of a statement */
#define EAR_PODCAST_RECORD_COLUMNS \
  "digest, title, link, description, image, language, author, copyright, generator, owner_name, owner_email, type, " \
  "new_address, next_address, guid, published, explicit, complete, blocked, extra"
#define EAR_PODCAST_RECORD_N_COLUMNS 20

/* Columns of the last responses, in the order of ear_feed_check_read() */
#define EAR_FEED_CHECK_COLUMNS \
  "feed_address, etag, last_modified, checked, failures, error, not_before, archived, newest"
#define EAR_FEED_CHECK_N_COLUMNS 9

/* Columns of a podcast that the start reads, in the order of ear_podcast_row_read() */
#define EAR_PODCAST_ROW_COLUMNS \
  "id, address, hidden, CASE WHEN hidden < 0 THEN EXISTS (SELECT 1 FROM episode WHERE episode.podcast = podcast.id " \
  "AND " EAR_MARK_SQL_TOUCHED ") ELSE 0 END, n_episodes, n_unplayed, " \
  EAR_FEED_CHECK_COLUMNS ", title, link, description, " \
  "image, language, author, copyright, generator, owner_name, owner_email, type, new_address, next_address, guid, " \
  "published, explicit, complete, blocked, extra"

typedef struct
{
  gint64 id;
  char *address;
  gint64 hidden;    /* Unix seconds of unfollowing, -1 for a preview, or 0 */
  gboolean touched; /* a preview with marks */
  guint n_episodes;
  guint n_unplayed;
  EarFeedCheck *check;
  EarPodcastFacts *facts;
} EarPodcastRow;

EarPodcastFacts *ear_podcast_facts_copy (EarPodcastFacts *facts);
gint64 ear_podcast_facts_digest (EarPodcastFacts *facts);
void   ear_podcast_record_bind  (EarPodcastFacts *facts,
                                 gint64           digest,
                                 GVariant        *extra,
                                 EarStatement    *statement);
EarFeedCheck *ear_feed_check_read (EarStatement *statement,
                                   int           column);
void   ear_podcast_row_read     (EarPodcastRow   *row,
                                 EarStatement    *statement);
void   ear_podcast_row_clear    (EarPodcastRow   *row);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarPodcastRow, ear_podcast_row_clear)

G_END_DECLS
