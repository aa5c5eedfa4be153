/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-facts.h"

G_BEGIN_DECLS

/* Facts without a column of their own: lists, and rare facts. The column has a GVariant
 * dictionary in little endian, which is compact, can be read in place, and is safe to
 * read from a damaged file. A missing key is an empty list. */
GVariant *ear_facts_extra_from_episode (EarEpisodeFacts *facts);
GVariant *ear_facts_extra_from_podcast (EarPodcastFacts *facts);
void      ear_facts_extra_bind         (GVariant        *extra,
                                        EarStatement    *statement,
                                        int              index);
void      ear_facts_extra_read_episode (EarStatement    *statement,
                                        int              column,
                                        EarEpisodeFacts *facts);
void      ear_facts_extra_read_chapters (EarStatement   *statement,
                                         int             column,
                                         GPtrArray      *chapters);
void      ear_facts_extra_read_podcast (EarStatement    *statement,
                                        int              column,
                                        EarPodcastFacts *facts);
void      ear_facts_extra_copy_podcast (EarPodcastFacts *from,
                                        EarPodcastFacts *to);

G_END_DECLS
