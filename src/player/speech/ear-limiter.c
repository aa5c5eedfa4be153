/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-limiter.h"

#include <math.h>
#include <string.h>

/* True peak in dB. Leaves half a decibel for errors of the measurement and
 * for later resampling. */
#define CEILING -1.5

/* Recovery: dB in a millisecond. */
#define RELEASE 0.05

/* Points evaluated between two samples, each from TAPS samples. */
#define PLACES 3
#define TAPS 12

/* The curve between samples rarely exceeds the samples by more, so only those above
 * this are interpolated. */
#define HEADROOM 0.5

static double
sinc (double x)
{
  return fabs (x) < 1e-9 ? 1 : sin (G_PI * x) / (G_PI * x);
}

/* Interpolates between samples with a windowed sinc. */
static float *
make_filter (void)
{
  float *filter = g_new (float, PLACES * TAPS);

  for (int place = 0; place < PLACES; place++)
    for (int tap = 0; tap < TAPS; tap++)
      {
        const double x = tap - (TAPS / 2 - 1) - (place + 1.0) / (PLACES + 1);

        filter[place * TAPS + tap] = (float) (sinc (x) * (0.5 + 0.5 * cos (G_PI * x / (TAPS / 2 + 1))));
      }

  return filter;
}

void
ear_limiter_init (EarLimiter *self, guint channels, guint sample_rate)
{
  *self = (EarLimiter) {
    .channels = channels,
    .piece = MAX (TAPS, sample_rate / 1000),
    .filter = make_filter (),
  };
  ear_frames_init (&self->taken, channels);
}

void
ear_limiter_clear (EarLimiter *self)
{
  ear_frames_clear (&self->taken);
  g_clear_pointer (&self->filter, g_free);
}

void
ear_limiter_reset (EarLimiter *self)
{
  ear_frames_empty (&self->taken);
  self->n_needed = 0;
  self->gain = 0;
  self->begun = FALSE;
}

static float
find_between (const EarLimiter *self, const float *sample)
{
  float peak = 0;

  for (guint place = 0; place < PLACES; place++)
    {
      const float *filter = self->filter + place * TAPS;
      float sum = 0;

      for (guint tap = 0; tap < TAPS; tap++)
        sum += filter[tap] * sample[tap * self->channels];
      peak = MAX (peak, fabsf (sum));
    }

  return peak;
}

/* The peak of the piece at @first, including the curve slightly beyond it. */
static float
find_peak (const EarLimiter *self, gsize first, gsize frames)
{
  const float *samples = ear_frames_peek (&self->taken);
  const gsize from = first >= TAPS ? first - TAPS : 0;
  const gsize to = MIN (first + frames + TAPS, ear_frames_count (&self->taken));
  float peak = 0;

  for (gsize i = from * self->channels; i < to * self->channels; i++)
    peak = MAX (peak, fabsf (samples[i]));
  if (peak < HEADROOM)
    return peak;

  for (gsize i = from; i + TAPS <= to; i++)
    for (guint channel = 0; channel < self->channels; channel++)
      peak = MAX (peak, find_between (self, samples + i * self->channels + channel));

  return peak;
}

/* The gain for the current and the next pieces: falls evenly to what a piece needs, and
 * reaches it before the piece. */
static double
find_gain (const EarLimiter *self)
{
  double gain = MIN (0, self->gain + RELEASE);

  for (guint i = 0; i < self->n_needed; i++)
    {
      const double part = i <= 1 ? 1 : 1 - (i - 1.0) / EAR_LIMITER_AHEAD;

      gain = MIN (gain, self->needed[i] * part);
    }

  return gain;
}

static void
let_go (EarLimiter *self, gsize frames, EarFrames *into)
{
  const double gain = find_gain (self);

  if (!self->begun)
    self->gain = gain;
  self->begun = TRUE;
  if (gain < 0 || self->gain < 0)
    {
      const double step = pow (10, (gain - self->gain) / 20 / (double) frames);
      double factor = pow (10, self->gain / 20);
      float *sample = ear_frames_edit (&self->taken);

      for (gsize i = 0; i < frames; i++)
        {
          factor *= step;
          for (guint channel = 0; channel < self->channels; channel++)
            *sample++ *= (float) factor;
        }
    }
  self->gain = gain;
  ear_frames_move (&self->taken, into, frames);
  memmove (self->needed, self->needed + 1, (EAR_LIMITER_AHEAD) * sizeof *self->needed);
  self->n_needed--;
}

static void
look_at (EarLimiter *self, gsize first, gsize frames)
{
  const double peak = find_peak (self, first, frames);

  self->needed[self->n_needed++] = MIN (0, CEILING - 20 * log10 (MAX (peak, 1e-6)));
}

/* @into: (out): the limited sound, a few milliseconds less than pushed */
void
ear_limiter_push (EarLimiter *self, const float *samples, gsize n, EarFrames *into)
{
  ear_frames_append (&self->taken, samples, n);

  /* A piece can be measured once its neighbors have arrived. */
  while (ear_frames_count (&self->taken) >= (self->n_needed + 2) * self->piece)
    {
      look_at (self, self->n_needed * self->piece, self->piece);
      if (self->n_needed == EAR_LIMITER_AHEAD + 1)
        let_go (self, self->piece, into);
    }
}

/* Passes on all sound, at the end of the stream. */
void
ear_limiter_drain (EarLimiter *self, EarFrames *into)
{
  while (ear_frames_count (&self->taken) > 0)
    {
      const gsize frames = MIN (self->piece, ear_frames_count (&self->taken));

      while (self->n_needed < EAR_LIMITER_AHEAD + 1 && ear_frames_count (&self->taken) > self->n_needed * self->piece)
        look_at (self, self->n_needed * self->piece,
                 MIN (self->piece, ear_frames_count (&self->taken) - self->n_needed * self->piece));
      let_go (self, frames, into);
    }
}
