/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-query.h"
#include "ear-search-words.h"
#include "ear-snippet.h"

G_BEGIN_DECLS

/* Number of the newest hits that are ranked; the others follow by age. */
#define EAR_SEARCH_SCORE_LIMIT 10000

void ear_search_score_register (EarDatabase *database);

/* The row id of a sentence or chapter is its episode's id, shifted by this number of
 * bits, plus its index. */
#define EAR_MOMENT_BITS 18

/* A search in one episode */
typedef struct
{
  gint64 episode; /* row id */
  const char *address; /* (nullable): of its podcast */
  const char *guid;
  EarSearchWords *words;
  const char *text;     /* the words as typed */
  GPtrArray *bookmarks; /* (nullable) (element-type EarBookmarkText): of all episodes */
  gboolean in_notes;    /* whether its title and notes have all words */
} EarMomentSearch;

void ear_moment_hits_add (EarDatabase *database, const EarEpisodeQuery *query, guint limit,
                          GArray *ids);
char *ear_moment_hits_find (EarDatabase *database, const EarMomentSearch *search,
                            EarSnippetKind *kind, gint64 *time);

GArray *ear_episode_search_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit);

G_END_DECLS
