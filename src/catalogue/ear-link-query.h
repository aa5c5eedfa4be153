/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarLinkQuery:
 * @podcast: row id of the podcast whose links are wanted, or 0 for all that are followed
 * @kind: which ones are wanted, or -1
 * @host: (nullable): where they are
 * @listened: whether only the links of played episodes are wanted
 * @only: (nullable) (element-type gint64): none but these, by their numbers (ear_link_address_make_id())
 * @without: (nullable) (element-type gint64): none of these
 * @search: (nullable): words that occur in what an episode calls them, or in their addresses
 *
 * Which links to list, each once, those first which the newest episodes have.
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

/* Where a link is mentioned first, and in how many episodes that were asked for */
typedef struct
{
  gint64 id; /* of the row of the mention */
  guint n_episodes;
} EarLinkPlace;

/* The notes of an episode of which it is not known yet what they link to, and what else is told of it that is stored with that */
typedef struct
{
  gint64 episode;          /* row id */
  gint64 text_digest;      /* of title and notes */
  gint64 digest;           /* of all else */
  char *notes;             /* (nullable) */
  char *base;              /* (nullable): what links in there are relative to */
  EarTranscript *chapters; /* (nullable): the titles of those that its feed tells */
  GPtrArray *links;        /* (element-type EarLinkFacts): what was found, from whoever looks */
} EarUnlinked;

EarLinkQuery *ear_link_query_new  (void);
EarLinkQuery *ear_link_query_copy (const EarLinkQuery *self);
void          ear_link_query_free (EarLinkQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLinkQuery, ear_link_query_free)

G_END_DECLS
