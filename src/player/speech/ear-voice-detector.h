/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-biquad.h"

G_BEGIN_DECLS

/* Slots of the recent past. */
#define EAR_VOICE_SLOTS 20

/* Distinguishes speech from pauses, block by block. */
typedef struct
{
  guint channels;
  guint block;                     /* frames */
  gboolean narrow;                 /* the sample rate is too low for soft consonants */
  EarBiquad band;
  EarBiquadMemory memories[EAR_BIQUAD_CHANNELS];
  double powers[4];                /* of the last blocks */
  guint taken;                     /* blocks so far */
  double lowest[EAR_VOICE_SLOTS];  /* of 40 ms, in each slot, dB */
  double highest[EAR_VOICE_SLOTS];
  guint slot;
  guint blocks;                    /* blocks in the current slot */
  guint fading;                    /* blocks since the loud part of the last word */
  double spread;                   /* how far the mean of pauses is above their lowest level, dB */
  gboolean in_noise;               /* pauses are full of noise, into which words fade */
} EarVoiceDetector;

typedef enum
{
  EAR_SOUND_VOICE, /* anything that is not a pause */
  EAR_SOUND_BED,   /* pause with music or loud noise */
  EAR_SOUND_QUIET, /* pause */
} EarSound;

void     ear_voice_detector_init  (EarVoiceDetector *self,
                                   guint             channels,
                                   guint             sample_rate);
void     ear_voice_detector_reset (EarVoiceDetector *self);
EarSound ear_voice_detector_take  (EarVoiceDetector *self,
                                   const float      *samples);

G_END_DECLS
