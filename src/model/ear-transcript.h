/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Limit of sentences: twenty hours, with a time for each word */
#define EAR_TRANSCRIPT_LIMIT 200000

/* The transcript of an episode. feed/ parses it on a worker thread, the user interface
 * shows it. Immutable once built. */

typedef struct
{
  const char *text;    /* one line of UTF-8, never empty */
  const char *speaker; /* (nullable): name of the speaker */
  gint64 start;        /* microseconds; -1 in a transcript without times */
  gint64 end;          /* microseconds, not before the start; -1 if unknown */
} EarSentence;

EarTranscript *ear_transcript_new (void);
EarTranscript *ear_transcript_ref (EarTranscript *self);
void ear_transcript_unref (EarTranscript *self);
gboolean ear_transcript_add (EarTranscript *self, gint64 start, gint64 end, const char *speaker,
                             const char *text);
guint ear_transcript_get_length (EarTranscript *self);
const EarSentence *ear_transcript_get (EarTranscript *self, guint i);
gboolean ear_transcript_get_timed (EarTranscript *self);
int ear_transcript_find (EarTranscript *self, gint64 time);
GArray *ear_transcript_search (EarTranscript *self, const char *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTranscript, ear_transcript_unref)

G_END_DECLS
