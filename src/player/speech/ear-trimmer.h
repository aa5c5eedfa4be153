/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-frames.h"
#include "ear-voice-detector.h"

G_BEGIN_DECLS

/* A place in what is left where something was left out. */
typedef struct
{
  guint64 at;   /* frames that are left before it */
  gsize length; /* frames that are not */
} EarCut;

/* Shortens the pauses in speech. */
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

  EarFrames taken;   /* what is no whole block yet */
  EarFrames held;    /* the pause that is under way, but for its beginning */
  EarFrames left;    /* what goes on */
  EarFrames tail;    /* how the pause went on where it is cut */
  GArray *cuts;      /* of EarCut, in what has not been taken from `left` yet */
  guint64 n_left;    /* frames that ever went to `left` */
  guint silent;      /* blocks since the voice */
  gsize dropped;     /* frames of the pause that are gone already */
  gboolean holding;
  gboolean passing;  /* a passage without a voice that is no pause */
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
