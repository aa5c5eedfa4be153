/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-frames.h"
#include "ear-voice-detector.h"

G_BEGIN_DECLS

/* A cut in the sound left. */
typedef struct
{
  guint64 at;   /* frames left before it */
  gsize length; /* frames cut */
} EarCut;

/* Shortens pauses in speech. */
typedef struct
{
  EarVoiceDetector detector;
  guint block;
  gsize fade;
  gsize before;
  gsize limit;
  guint after;       /* blocks */
  guint after_in_noise;
  gboolean enabled;

  EarFrames taken;   /* incomplete block */
  EarFrames held;    /* current pause, without its start */
  EarFrames left;    /* output */
  EarFrames tail;    /* start of the cut, for the crossfade */
  GArray *cuts;      /* of EarCut, in sound not taken from @left yet */
  guint64 n_left;    /* all frames moved to @left */
  guint silent;      /* blocks since the voice */
  gsize dropped;     /* frames of the pause dropped already */
  gboolean holding;
  gboolean passing;  /* music without a voice that is not a pause */
  gboolean bed;
} EarTrimmer;

void  ear_trimmer_init        (EarTrimmer  *self,
                               guint        channels,
                               guint        sample_rate);
void  ear_trimmer_clear       (EarTrimmer  *self);
void  ear_trimmer_reset       (EarTrimmer  *self);
void  ear_trimmer_set_enabled (EarTrimmer  *self,
                               gboolean     enabled);
gboolean ear_trimmer_is_idle  (const EarTrimmer *self);
void  ear_trimmer_push        (EarTrimmer  *self,
                               const float *samples,
                               gsize        n);
void  ear_trimmer_drain       (EarTrimmer  *self);

G_END_DECLS
