/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"

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
  EarEpisodeTerms terms; /* conditions of the filters */
  GObject *list;         /* (nullable): the listener's list to search */

  /* Reasons for an empty result, as typed: the first filter that was not understood, or
   * two that exclude each other */
  EarSearchKey wrong_key; /* or %EAR_SEARCH_NO_KEY */
  char *wrong_value;      /* (nullable) */
  char *contradiction[2]; /* (nullable) */
} EarSearchFilter;

EarSearchFilter *ear_search_filter_parse (const char *text, GListModel *podcasts,
                                          GListModel *lists);
gboolean ear_search_filter_is_empty (const EarSearchFilter *self);
void ear_search_filter_free (EarSearchFilter *self);

/* A word or filter of a search, for proposals */
typedef struct
{
  const char *start; /* within the text */
  const char *end;
  EarSearchKey key;
  char *value;       /* (nullable): without quotation marks; the whole of a word */
  gboolean closed;   /* followed by more text */
} EarSearchToken;

gboolean ear_search_token_take (EarSearchToken *self, const char **text);
void ear_search_token_clear (EarSearchToken *self);
const char *ear_search_filter_get_key (EarSearchKey key, gboolean translated);
const char *ear_search_filter_get_state (guint nth, gboolean translated);
gboolean ear_search_filter_contains (const char *title, const char *part);
gboolean ear_search_filter_begins (const char *word, const char *typed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSearchFilter, ear_search_filter_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarSearchToken, ear_search_token_clear)

G_END_DECLS
