/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarLinkQuery:
 * @podcast: row id of the podcast whose links are wanted, or 0 for all followed ones
 * @kind: the wanted kind, or -1
 * @host: (nullable): the wanted host
 * @listened: whether only the links of played episodes are wanted
 * @only: (nullable) (element-type gint64): ids of the only wanted links
 *   (ear_link_address_make_id())
 * @without: (nullable) (element-type gint64): ids of links to exclude
 * @search: (nullable): words that occur in an episode's words for a link, or
 *   in its address
 *
 * A query for links, each once, those of the newest episodes first.
 */
typedef struct
{
  gint64 podcast;
  int kind;
  char *host;
  gboolean listened;
  GArray *only;
  GArray *without;
  char *search;
} EarLinkQuery;

/* The first mention of a link, and the number of matching episodes with it */
typedef struct
{
  gint64 id; /* row id of the mention */
  guint n_episodes;
} EarLinkPlace;

/* Unscanned notes of an episode, and its feed's chapters, which are stored
 * with the links */
typedef struct
{
  gint64 episode;          /* row id */
  gint64 text_digest;      /* of title and notes */
  gint64 digest;           /* of all else */
  char *notes;             /* (nullable) */
  char *base;              /* (nullable): base of relative links in the notes */
  EarTranscript *chapters; /* (nullable): titles of its feed's chapters */
  GPtrArray *links;        /* (element-type EarLinkFacts): the links, filled in by the scanner */
} EarUnlinked;

EarLinkQuery *ear_link_query_new  (void);
EarLinkQuery *ear_link_query_copy (const EarLinkQuery *self);
void          ear_link_query_free (EarLinkQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLinkQuery, ear_link_query_free)

G_END_DECLS
