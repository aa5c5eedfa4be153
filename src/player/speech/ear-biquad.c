/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-biquad.h"

/* ITU-R BS.1770 gives the coefficients of its two filters for 48 kHz. The parameters
 * below, from which they derive, work for any sample rate: a shelf that models the head,
 * and a high pass for inaudible sound. */
#define SHELF_FREQUENCY 1681.974450955533
#define SHELF_GAIN 3.999843853973347 /* dB */
#define SHELF_Q 0.7071752369554196
#define SHELF_MIDDLE 0.4996667741545416
#define HIGH_PASS_FREQUENCY 38.13547087602444
#define HIGH_PASS_Q 0.5003270373238773

static double
warp (double frequency, guint sample_rate)
{
  return tan (G_PI * MIN (frequency / sample_rate, 0.49));
}

/* @frequency: Hz; the gain there is @q */
EarBiquad
ear_biquad_high_pass (double frequency, double q, guint sample_rate)
{
  const double k = warp (frequency, sample_rate);
  const double a0 = 1 + k / q + k * k;

  return (EarBiquad) {
    .b0 = 1 / a0,
    .b1 = -2 / a0,
    .b2 = 1 / a0,
    .a1 = 2 * (k * k - 1) / a0,
    .a2 = (1 - k / q + k * k) / a0,
  };
}

EarBiquad
ear_biquad_k_shelf (guint sample_rate)
{
  const double k = warp (SHELF_FREQUENCY, sample_rate);
  const double high = pow (10, SHELF_GAIN / 20);
  const double middle = pow (high, SHELF_MIDDLE);
  const double a0 = 1 + k / SHELF_Q + k * k;

  return (EarBiquad) {
    .b0 = (high + middle * k / SHELF_Q + k * k) / a0,
    .b1 = 2 * (k * k - high) / a0,
    .b2 = (high - middle * k / SHELF_Q + k * k) / a0,
    .a1 = 2 * (k * k - 1) / a0,
    .a2 = (1 - k / SHELF_Q + k * k) / a0,
  };
}

/* As in the standard, the gain is not normalized to 1. */
EarBiquad
ear_biquad_k_high_pass (guint sample_rate)
{
  EarBiquad filter = ear_biquad_high_pass (HIGH_PASS_FREQUENCY, HIGH_PASS_Q, sample_rate);

  filter.b0 = filter.b2 = 1;
  filter.b1 = -2;

  return filter;
}
