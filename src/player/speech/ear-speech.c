/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-speech.h"

#include "ear-leveler.h"
#include "ear-trimmer.h"

#include <math.h>

/* Louder samples (full scale is 1) and those that are not numbers come from damaged
 * files. The filters never recover from them: all later sound would be silent or count
 * as a pause. */
#define LOUDEST 100.0f

struct _EarSpeech
{
  EarTrimmer trimmer;
  EarLeveler leveler;
  EarFrames done;
  GArray *cuts;      /* of EarCut: in sound not taken yet */
  guint64 n_taken;   /* frames taken from @done */
  guint64 n_cut;     /* frames left out before them */
};

EarSpeech *
ear_speech_new (guint channels, guint sample_rate)
{
  EarSpeech *self = g_new0 (EarSpeech, 1);

  ear_trimmer_init (&self->trimmer, channels, sample_rate);
  ear_leveler_init (&self->leveler, channels, sample_rate);
  ear_frames_init (&self->done, channels);
  self->cuts = g_array_new (FALSE, FALSE, sizeof (EarCut));

  return self;
}

void
ear_speech_free (EarSpeech *self)
{
  ear_trimmer_clear (&self->trimmer);
  ear_leveler_clear (&self->leveler);
  ear_frames_clear (&self->done);
  g_clear_pointer (&self->cuts, g_array_unref);
  g_free (self);
}

/* Passes the trimmer's output to the leveler. Cuts are counted from the first frame of
 * all, and the leveler leaves nothing out, so they stay valid. */
static void
go_on (EarSpeech *self)
{
  g_array_append_vals (self->cuts, self->trimmer.cuts->data, self->trimmer.cuts->len);
  g_array_set_size (self->trimmer.cuts, 0);
  ear_leveler_push (&self->leveler, ear_frames_peek (&self->trimmer.left), ear_frames_count (&self->trimmer.left),
                    &self->done);
  ear_frames_empty (&self->trimmer.left);
}

/* Sets whether to shorten pauses, from here on. */
void
ear_speech_set_trim (EarSpeech *self, gboolean trim)
{
  ear_trimmer_set_enabled (&self->trimmer, trim);
  go_on (self);
}

/* Sets whether to bring voices to one loudness, from here on. */
void
ear_speech_set_level (EarSpeech *self, gboolean level)
{
  ear_leveler_set_enabled (&self->leveler, level);
}

/* Returns: whether pushed sound would pass unchanged and at once */
gboolean
ear_speech_is_idle (EarSpeech *self)
{
  return !self->trimmer.enabled && ear_trimmer_is_idle (&self->trimmer) && ear_leveler_is_idle (&self->leveler) &&
         ear_frames_count (&self->done) == 0;
}

/* Drops all sound. The next frame counts as the first one again. */
void
ear_speech_reset (EarSpeech *self)
{
  ear_trimmer_reset (&self->trimmer);
  ear_leveler_reset (&self->leveler);
  ear_frames_empty (&self->done);
  g_array_set_size (self->cuts, 0);
  self->n_taken = self->n_cut = 0;
}

/* Sound has bypassed the idle filter. */
void
ear_speech_pass (EarSpeech *self)
{
  ear_speech_reset (self);
  ear_leveler_pass (&self->leveler);
}

static gboolean
is_odd (float sample)
{
  return !(fabsf (sample) <= LOUDEST);
}

/* Returns: (transfer full) (nullable): a copy with silence in place of invalid samples;
 * %NULL if there are none */
static float *
dup_without_odd (const float *samples, gsize n)
{
  float *copy = NULL;

  for (gsize i = 0; i < n; i++)
    if (is_odd (samples[i]))
      {
        copy = copy != NULL ? copy : g_memdup2 (samples, n * sizeof *samples);
        copy[i] = 0;
      }

  return copy;
}

void
ear_speech_push (EarSpeech *self, const float *samples, gsize n)
{
  g_autofree float *copy = dup_without_odd (samples, n * self->done.channels);

  ear_trimmer_push (&self->trimmer, copy != NULL ? copy : samples, n);
  go_on (self);
}

/* Finishes all sound, at the end of the stream. */
void
ear_speech_drain (EarSpeech *self)
{
  ear_trimmer_drain (&self->trimmer);
  go_on (self);
  ear_leveler_drain (&self->leveler, &self->done);
}

/**
 * ear_speech_peek:
 * @most: the maximum number of frames
 * @samples: (out): the next finished frames
 * @first: (out): the index of the first of them among the frames pushed
 * @cut: (out): how many frames before it were left out
 *
 * Returns: the number of contiguous frames; 0 if none is finished
 */
gsize
ear_speech_peek (EarSpeech *self, gsize most, const float **samples, guint64 *first, gsize *cut)
{
  gsize n = MIN (most, ear_frames_count (&self->done));
  guint i = 0;

  *cut = 0;
  for (; i < self->cuts->len && g_array_index (self->cuts, EarCut, i).at == self->n_taken; i++)
    *cut += g_array_index (self->cuts, EarCut, i).length;
  if (i < self->cuts->len)
    n = MIN (n, g_array_index (self->cuts, EarCut, i).at - self->n_taken);
  *samples = ear_frames_peek (&self->done);
  *first = self->n_taken + self->n_cut + *cut;

  return n;
}

/* Takes the first @n frames, at most as many as ear_speech_peek() returned. */
void
ear_speech_take (EarSpeech *self, gsize n)
{
  while (n > 0 && self->cuts->len > 0 && g_array_index (self->cuts, EarCut, 0).at == self->n_taken)
    {
      self->n_cut += g_array_index (self->cuts, EarCut, 0).length;
      g_array_remove_index (self->cuts, 0);
    }
  ear_frames_drop (&self->done, n);
  self->n_taken += n;
}
