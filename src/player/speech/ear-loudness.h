/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-biquad.h"

G_BEGIN_DECLS

/* Loudness by ITU-R BS.1770, in steps of 100 ms. */
typedef struct
{
  guint channels;
  guint step;             /* frames */
  EarBiquad shelf;
  EarBiquad high_pass;
  EarBiquadMemory memories[EAR_BIQUAD_CHANNELS][2];
  double sum;             /* of the current step */
  guint frames;
  double powers[4];       /* of the last steps */
  guint steps;            /* steps so far */
} EarLoudness;

void     ear_loudness_init  (EarLoudness *self,
                             guint        channels,
                             guint        sample_rate);
gsize    ear_loudness_take  (EarLoudness *self,
                             const float *samples,
                             gsize        n,
                             gboolean    *stepped);
void     ear_loudness_reset (EarLoudness *self);
double   ear_loudness_power (const EarLoudness *self);
double   ear_loudness_last_power (const EarLoudness *self);
double   ear_loudness_level (double       power);

G_END_DECLS
