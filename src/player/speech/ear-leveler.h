/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-limiter.h"
#include "ear-loudness.h"

G_BEGIN_DECLS

/* Steps of 100 ms remembered. */
#define EAR_LEVELER_STEPS 100

/* A step of 100 ms */
typedef struct
{
  double power;           /* of the 400 ms that end with the step */
  double level;           /* of the same 400 ms, LUFS */
  double short_level;     /* of the step's 100 ms, LUFS */
} EarLevelerStep;

/* Brings voices to one loudness. */
typedef struct
{
  guint channels;
  EarLoudness loudness;
  EarLimiter limiter;
  EarFrames waiting;      /* sound whose gain is not known yet */
  gsize ahead;            /* frames */
  EarLevelerStep steps[EAR_LEVELER_STEPS];
  guint n_steps;          /* steps so far */
  guint voice_steps;      /* steps since the current voice began */
  double gain;            /* dB */
  gboolean hurry;         /* another voice: change the gain at once */
  gboolean fresh;         /* no sound was passed on yet: there is no previous gain */
  gboolean enabled;
} EarLeveler;

void     ear_leveler_init        (EarLeveler  *self,
                                  guint        channels,
                                  guint        sample_rate);
void     ear_leveler_clear       (EarLeveler  *self);
void     ear_leveler_reset       (EarLeveler  *self);
void     ear_leveler_set_enabled (EarLeveler  *self,
                                  gboolean     enabled);
void     ear_leveler_pass        (EarLeveler  *self);
gboolean ear_leveler_is_idle     (const EarLeveler *self);
void     ear_leveler_push        (EarLeveler  *self,
                                  const float *samples,
                                  gsize        n,
                                  EarFrames   *into);
void     ear_leveler_drain       (EarLeveler  *self,
                                  EarFrames   *into);

G_END_DECLS
