/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/* Channels measured, of those that the sound has. */
#define EAR_BIQUAD_CHANNELS 8

/* A second-order filter: y = b0 x + b1 x' + b2 x" - a1 y' - a2 y" */
typedef struct
{
  double b0, b1, b2;
  double a1, a2;
} EarBiquad;

/* State of a filter for one channel. */
typedef struct
{
  double first;
  double second;
} EarBiquadMemory;

EarBiquad ear_biquad_high_pass    (double frequency,
                                   double q,
                                   guint  sample_rate);
EarBiquad ear_biquad_k_shelf      (guint  sample_rate);
EarBiquad ear_biquad_k_high_pass  (guint  sample_rate);

static inline double
ear_biquad_step (const EarBiquad *self, EarBiquadMemory *memory, double x)
{
  const double y = self->b0 * x + memory->first;

  memory->first = self->b1 * x - self->a1 * y + memory->second;
  memory->second = self->b2 * x - self->a2 * y;

  return y;
}

/* Clears denormal numbers after silence, with which the processor is slow. */
static inline void
ear_biquad_rest (EarBiquadMemory *memory)
{
  if (fabs (memory->first) < 1e-30 && fabs (memory->second) < 1e-30)
    memory->first = memory->second = 0;
}

G_END_DECLS
