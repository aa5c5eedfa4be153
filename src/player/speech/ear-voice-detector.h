/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-biquad.h"

G_BEGIN_DECLS

/* A part of the last seconds. */
#define EAR_VOICE_SLOTS 20

/* Tells speech from pauses, block by block. */
typedef struct
{
  guint channels;
  guint block;                     /* frames */
  gboolean narrow;                 /* too few frames a second for soft consonants */
  EarBiquad band;
  EarBiquadMemory memories[EAR_BIQUAD_CHANNELS];
  double powers[4];                /* of the last blocks */
  guint taken;                     /* blocks that there were so far */
  double lowest[EAR_VOICE_SLOTS];  /* of 40 ms, in each of the last parts, dB */
  double highest[EAR_VOICE_SLOTS];
  guint slot;
  guint blocks;                    /* that are in the present part */
  guint fading;                    /* blocks since the loud part of the last word */
  double spread;                   /* how far the mean of pauses is above their lowest level, dB */
  gboolean in_noise;               /* pauses are full of noise, in which words fade away */
} EarVoiceDetector;

typedef enum
{
  EAR_SOUND_VOICE, /* or whatever else is no pause */
  EAR_SOUND_BED,   /* a pause with music, or loud noise, under it */
  EAR_SOUND_QUIET, /* a pause */
} EarSound;

void     ear_voice_detector_init  (EarVoiceDetector *self,
                                   guint             channels,
                                   guint             sample_rate);
void     ear_voice_detector_reset (EarVoiceDetector *self);
EarSound ear_voice_detector_take  (EarVoiceDetector *self,
                                   const float      *samples);

G_END_DECLS
