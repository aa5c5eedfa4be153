/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript.h"

#include "ear-text-find.h"

struct _EarTranscript
{
  GArray *sentences; /* (element-type EarSentence) */
  GStringChunk *texts;
};

static void
transcript_clear (EarTranscript *self)
{
  g_array_unref (self->sentences);
  g_string_chunk_free (self->texts);
}

EarTranscript *
ear_transcript_new (void)
{
  EarTranscript *self = g_atomic_rc_box_new0 (EarTranscript);

  self->sentences = g_array_new (FALSE, FALSE, sizeof (EarSentence));
  self->texts = g_string_chunk_new (4096);

  return self;
}

EAR_DEFINE_REF_COUNTED (EarTranscript, ear_transcript, transcript_clear)

/* Appends a sentence, while the transcript is being built.
 * @start: start of the sentence, in microseconds, or -1
 * Returns: %FALSE above the limit */
gboolean
ear_transcript_add (EarTranscript *self, gint64 start, gint64 end, const char *speaker,
                    const char *text)
{
  EarSentence sentence = { .start = start, .end = end >= start ? end : -1 };

  if (self->sentences->len >= EAR_TRANSCRIPT_LIMIT)
    return FALSE;
  sentence.text = g_string_chunk_insert (self->texts, text);
  sentence.speaker = speaker != NULL ? g_string_chunk_insert_const (self->texts, speaker) : NULL;
  g_array_append_val (self->sentences, sentence);

  return TRUE;
}

guint
ear_transcript_get_length (EarTranscript *self)
{
  return self->sentences->len;
}

/* Returns: (transfer none): a sentence; its texts live as long as the transcript */
const EarSentence *
ear_transcript_get (EarTranscript *self, guint i)
{
  return &g_array_index (self->sentences, EarSentence, i);
}

/* Returns: whether the sentences have times */
gboolean
ear_transcript_get_timed (EarTranscript *self)
{
  return self->sentences->len > 0 &&
         ear_transcript_get (self, self->sentences->len - 1)->start >= 0;
}

/* @time: a position in the episode, in microseconds
 * Returns: the last sentence that has begun; -1 before the first one, and without times */
int
ear_transcript_find (EarTranscript *self, gint64 time)
{
  guint first = 0;
  guint after = self->sentences->len;

  if (!ear_transcript_get_timed (self))
    return -1;
  while (first < after)
    {
      const guint middle = first + (after - first) / 2;

      if (ear_transcript_get (self, middle)->start <= time)
        first = middle + 1;
      else
        after = middle;
    }

  return (int) first - 1;
}

/* Slow; any thread.
 * Returns: (transfer full) (element-type guint): the sentences that have these words */
GArray *
ear_transcript_search (EarTranscript *self, const char *words)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->sentences->len; i++)
    {
      gsize start, end;

      if (ear_text_find (ear_transcript_get (self, i)->text, words, &start, &end))
        g_array_append_val (found, i);
    }

  return found;
}
