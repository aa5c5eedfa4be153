/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Maximum length of a search, in bytes */
#define EAR_SEARCH_FILTER_LIMIT 1000

/* Keys of search filters.
 * @EAR_SEARCH_NO_KEY: a word to search for
 * @EAR_SEARCH_PODCAST: episodes of a podcast
 * @EAR_SEARCH_IS: state of the episode
 * @EAR_SEARCH_LONGER: minimum length
 * @EAR_SEARCH_SHORTER: maximum length
 * @EAR_SEARCH_AFTER: published at or after a date
 * @EAR_SEARCH_BEFORE: published before a date
 * @EAR_SEARCH_IN: in a list of the listener */
typedef enum
{
  EAR_SEARCH_NO_KEY,
  EAR_SEARCH_PODCAST,
  EAR_SEARCH_IS,
  EAR_SEARCH_LONGER,
  EAR_SEARCH_SHORTER,
  EAR_SEARCH_AFTER,
  EAR_SEARCH_BEFORE,
  EAR_SEARCH_IN,
} EarSearchKey;

/* A parsed search */
typedef struct
{
  char *words;           /* (nullable): words to search for */
  EarEpisodeConditions terms; /* conditions of the filters */
  GObject *list;         /* (nullable): the listener's list to search */

  /* The first filter that was not understood, as typed: the reason for an empty result */
  EarSearchKey wrong_key; /* or %EAR_SEARCH_NO_KEY */
  char *wrong_value;      /* (nullable) */
} EarSearchFilter;

EarSearchFilter *ear_search_filter_parse (const char *text, GListModel *podcasts,
                                          GListModel *lists);
gboolean ear_search_filter_is_empty (const EarSearchFilter *self);
void ear_search_filter_free (EarSearchFilter *self);

const char *ear_search_filter_get_key (EarSearchKey key);
const char *ear_search_filter_get_state (guint nth);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSearchFilter, ear_search_filter_free)

/* A proposal for a search. Properties, read-only:
 *   label  char   the text to insert
 *   hint   char   (nullable): its explanation */
#define EAR_TYPE_SEARCH_PROPOSAL (ear_search_proposal_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchProposal, ear_search_proposal, EAR, SEARCH_PROPOSAL, GObject)

GListStore *ear_search_proposals_create (const char *text, int position, GListModel *podcasts,
                                         GListModel *lists, int year);
const char *ear_search_proposal_get_label (EarSearchProposal *self);
char *ear_search_proposal_apply (EarSearchProposal *self, const char *text, int *position);

GPtrArray *ear_podcast_search (GListModel *podcasts, const char *words, guint limit);

G_END_DECLS
