/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-loudness.h"

void
ear_loudness_init (EarLoudness *self, guint channels, guint sample_rate)
{
  *self = (EarLoudness) {
    .channels = channels,
    .step = MAX (1, sample_rate / 10),
    .shelf = ear_biquad_k_shelf (sample_rate),
    .high_pass = ear_biquad_k_high_pass (sample_rate),
  };
}

/* Sound before a seek must not count for the steps after it. */
void
ear_loudness_reset (EarLoudness *self)
{
  self->sum = 0;
  self->frames = self->steps = 0;
}

static void
weigh (EarLoudness *self, const float *samples, gsize n)
{
  const guint channels = MIN (self->channels, EAR_BIQUAD_CHANNELS);

  for (guint channel = 0; channel < channels; channel++)
    {
      EarBiquadMemory shelf = self->memories[channel][0];
      EarBiquadMemory high_pass = self->memories[channel][1];
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        {
          const double x = ear_biquad_step (&self->shelf, &shelf, samples[i * self->channels + channel]);
          const double y = ear_biquad_step (&self->high_pass, &high_pass, x);

          sum += y * y;
        }
      ear_biquad_rest (&shelf);
      ear_biquad_rest (&high_pass);
      self->memories[channel][0] = shelf;
      self->memories[channel][1] = high_pass;
      self->sum += sum;
    }
  self->frames += (guint) n;
}

/* Measures up to the end of a step.
 * @n: the number of frames available
 * @stepped: (out): whether a step ended
 * Returns: the number of frames measured */
gsize
ear_loudness_take (EarLoudness *self, const float *samples, gsize n, gboolean *stepped)
{
  n = MIN (n, self->step - self->frames);
  weigh (self, samples, n);
  *stepped = self->frames == self->step;
  if (*stepped)
    {
      /* A single channel is heard from two loudspeakers, or in both ears. */
      if (self->channels == 1)
        self->sum *= 2;
      self->powers[self->steps++ % G_N_ELEMENTS (self->powers)] = self->sum / self->step;
      self->sum = 0;
      self->frames = 0;
    }

  return n;
}

/* Returns: the power of the last 400 ms */
double
ear_loudness_power (const EarLoudness *self)
{
  const guint n = MIN (self->steps, G_N_ELEMENTS (self->powers));
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += self->powers[i];

  return n > 0 ? sum / n : 0;
}

double
ear_loudness_last_power (const EarLoudness *self)
{
  return self->steps > 0 ? self->powers[(self->steps - 1) % G_N_ELEMENTS (self->powers)] : 0;
}

/* Returns: LUFS */
double
ear_loudness_level (double power)
{
  return -0.691 + 10 * log10 (power + 1e-12);
}
