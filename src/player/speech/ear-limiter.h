/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-frames.h"

G_BEGIN_DECLS

/* Lookahead in milliseconds. */
#define EAR_LIMITER_AHEAD 6

/* Keeps peaks, including those between samples, below a limit. */
typedef struct
{
  guint channels;
  gsize piece;                            /* frames limited alike: a millisecond */
  EarFrames taken;
  float *filter;                          /* for interpolation, see ear-limiter.c */
  double needed[EAR_LIMITER_AHEAD + 1];   /* gain for the current piece and those after it, dB */
  guint n_needed;
  double gain;                            /* at the end of the last piece, dB */
  gboolean begun;                         /* there was a previous piece */
} EarLimiter;

void     ear_limiter_init  (EarLimiter *self,
                            guint       channels,
                            guint       sample_rate);
void     ear_limiter_clear (EarLimiter *self);
void     ear_limiter_reset (EarLimiter *self);
void     ear_limiter_push  (EarLimiter  *self,
                            const float *samples,
                            gsize        n,
                            EarFrames   *into);
void     ear_limiter_drain (EarLimiter *self,
                            EarFrames  *into);

G_END_DECLS
