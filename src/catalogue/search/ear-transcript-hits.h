/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-query.h"

G_BEGIN_DECLS

/* The row of a sentence is that of its episode, so many bits to the left, and its place in the transcript. */
#define EAR_SENTENCE_BITS 18

gboolean ear_transcript_hits_add  (EarDatabase           *database,
                                   const EarEpisodeQuery *query,
                                   guint                  limit,
                                   GArray                *ids,
                                   GError               **error);
char    *ear_transcript_hits_find (EarDatabase           *database,
                                   gint64                 episode,
                                   const char            *search,
                                   gint64                *time,
                                   GError               **error);

G_END_DECLS
