/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-time-tone.h"

#include <complex.h>
#include <math.h>

#define PILOT 300.0
#define GLIDE_LOW 600.0
#define GLIDE_HIGH 2600.0
#define GLIDE_TIME 10.0
#define STEP_FIRST 3000.0
#define STEP 60.0
#define STEP_LAST (STEP_FIRST + STEP * (EAR_TIME_TONE_LIMIT / GLIDE_TIME))

#define AMPLITUDE (0.22 * 32767)

/* Zero padding makes the spectrum fine enough for a parabola between its points. */
#define TRANSFORM_SIZE 16384

static double
sample_at (double time)
{
  double step = floor (time / GLIDE_TIME);
  double within = time - step * GLIDE_TIME;
  double slope = (GLIDE_HIGH - GLIDE_LOW) / GLIDE_TIME / 2;
  gboolean up = fmod (step, 2) < 1;
  /* All tones make whole numbers of cycles in GLIDE_TIME, so that nothing clicks. */
  double glide = up ? GLIDE_LOW * within + slope * within * within : GLIDE_HIGH * within - slope * within * within;

  return sin (2 * G_PI * PILOT * within) + sin (2 * G_PI * glide) +
         sin (2 * G_PI * (STEP_FIRST + STEP * step) * within);
}

/**
 * ear_time_tone_write:
 * @samples: (out): mono samples
 * @n: the number of samples
 * @first: the index of the first one in the recording
 * @sample_rate: samples a second
 *
 * Writes a piece of the recording.
 */
void
ear_time_tone_write (gint16 *samples, gsize n, guint64 first, guint sample_rate)
{
  for (gsize i = 0; i < n; i++)
    samples[i] = (gint16) lrint (AMPLITUDE * sample_at ((double) (first + i) / sample_rate));
}

/* Fourier transform, in place, radix 2. */
static void
transform (double complex *values, gsize n)
{
  for (gsize i = 1, j = 0; i < n; i++)
    {
      gsize bit = n >> 1;

      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j)
        {
          double complex swap = values[i];
          values[i] = values[j];
          values[j] = swap;
        }
    }

  for (gsize length = 2; length <= n; length <<= 1)
    {
      double complex turn = cexp (-2 * G_PI * I / (double) length);

      for (gsize i = 0; i < n; i += length)
        {
          double complex factor = 1;

          for (gsize k = 0; k < length / 2; k++)
            {
              double complex even = values[i + k];
              double complex odd = values[i + k + length / 2] * factor;

              values[i + k] = even + odd;
              values[i + k + length / 2] = even - odd;
              factor *= turn;
            }
        }
    }
}

/* Finds the strongest frequency in a range, interpolating the spectrum. */
static double
find_peak (const double complex *spectrum, double low, double high, guint sample_rate)
{
  double width = (double) sample_rate / TRANSFORM_SIZE;
  gsize from = MAX (1, (gsize) (low / width));
  gsize to = MIN (TRANSFORM_SIZE / 2 - 2, (gsize) (high / width));
  gsize best = from;
  double before, at, after, shift;

  for (gsize i = from; i <= to; i++)
    if (cabs (spectrum[i]) > cabs (spectrum[best]))
      best = i;

  before = log (cabs (spectrum[best - 1]) + 1e-12);
  at = log (cabs (spectrum[best]) + 1e-12);
  after = log (cabs (spectrum[best + 1]) + 1e-12);
  shift = (before - after) / (2 * (before - 2 * at + after));

  return ((double) best + (isfinite (shift) ? CLAMP (shift, -0.5, 0.5) : 0)) * width;
}

static double
find_level (const float *samples, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += (double) samples[i] * samples[i];

  return sqrt (sum / (double) n);
}

/**
 * ear_time_tone_read:
 * @samples: mono, full scale 1.0
 * @n: the number of samples; only the last ones are used
 * @sample_rate: samples a second
 * @reading: (out): the result
 *
 * Reads the time from a moment of sound.
 *
 * Returns: %FALSE if there are too few samples, or silence (then the level is set)
 */
gboolean
ear_time_tone_read (const float *samples, gsize n, guint sample_rate, EarTimeToneReading *reading)
{
  g_autofree double complex *spectrum = NULL;
  double glide, step, within, high = MIN (STEP_LAST, sample_rate / 2.0);

  *reading = (EarTimeToneReading) { 0 };
  if (n < EAR_TIME_TONE_WINDOW)
    return FALSE;
  samples += n - EAR_TIME_TONE_WINDOW;
  reading->level = find_level (samples, EAR_TIME_TONE_WINDOW);
  if (reading->level < 0.01)
    return FALSE;

  spectrum = g_new0 (double complex, TRANSFORM_SIZE);
  for (gsize i = 0; i < EAR_TIME_TONE_WINDOW; i++)
    spectrum[i] = samples[i] * (0.5 - 0.5 * cos (2 * G_PI * ((double) i + 0.5) / EAR_TIME_TONE_WINDOW));
  transform (spectrum, TRANSFORM_SIZE);

  reading->pitch = find_peak (spectrum, PILOT / 2.2, GLIDE_LOW - 50, sample_rate) / PILOT;
  glide = find_peak (spectrum, GLIDE_LOW - 20, GLIDE_HIGH + 20, sample_rate);
  step = round ((find_peak (spectrum, STEP_FIRST - STEP / 2, high, sample_rate) - STEP_FIRST) / STEP);
  step = MAX (0, step);

  within = CLAMP ((glide - GLIDE_LOW) / (GLIDE_HIGH - GLIDE_LOW), 0, 1) * GLIDE_TIME;
  reading->time = step * GLIDE_TIME + (fmod (step, 2) < 1 ? within : GLIDE_TIME - within);

  return TRUE;
}
