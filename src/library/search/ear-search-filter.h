/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"

G_BEGIN_DECLS

/* Nobody types more. */
#define EAR_SEARCH_FILTER_LIMIT 1000

/**
 * EarSearchKey:
 * @EAR_SEARCH_NO_KEY: a word that is looked for
 * @EAR_SEARCH_PODCAST: of one podcast
 * @EAR_SEARCH_IS: what the listener has done with them
 * @EAR_SEARCH_LONGER: at least so long
 * @EAR_SEARCH_SHORTER: at most so long
 * @EAR_SEARCH_AFTER: published then or later
 * @EAR_SEARCH_BEFORE: published before that
 * @EAR_SEARCH_IN: in a list of the listener's own
 *
 * What a filter is about.
 */
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

/* What was typed into a search, taken apart. */
typedef struct
{
  char *words;           /* (nullable): what is left to look for */
  EarEpisodeTerms terms; /* what the filters ask for */
  GObject *list;         /* (nullable): the list of the listener's own that is meant */

  /* Why nothing may be found: the first filter that is not understood, or two that no episode passes, as they were typed */
  EarSearchKey wrong_key; /* or %EAR_SEARCH_NO_KEY */
  char *wrong_value;      /* (nullable) */
  char *contradiction[2]; /* (nullable) */
} EarSearchFilter;

EarSearchFilter *ear_search_filter_parse  (const char            *text,
                                           GListModel            *podcasts,
                                           GListModel            *lists);
gboolean         ear_search_filter_is_empty (const EarSearchFilter *self);
void             ear_search_filter_free   (EarSearchFilter       *self);

/* For who proposes what could be typed */
typedef struct
{
  const char *start; /* within the text */
  const char *end;
  EarSearchKey key;
  char *value;       /* (nullable): without quotation marks; of a word, all of it */
  gboolean closed;   /* something comes after it */
} EarSearchToken;

gboolean    ear_search_token_take         (EarSearchToken        *self,
                                           const char           **text);
void        ear_search_token_clear        (EarSearchToken        *self);
const char *ear_search_filter_get_key     (EarSearchKey           key,
                                           gboolean               translated);
const char *ear_search_filter_get_state   (guint                  nth,
                                           gboolean               translated);
gboolean    ear_search_filter_contains    (const char            *title,
                                           const char            *part);
gboolean    ear_search_filter_begins      (const char            *word,
                                           const char            *typed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSearchFilter, ear_search_filter_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarSearchToken, ear_search_token_clear)

G_END_DECLS
