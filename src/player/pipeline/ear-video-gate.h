/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-timeline.h"
#include "ear-video-output.h"

G_BEGIN_DECLS

/**
 * EarVideoGateState:
 * @output: (owned): who watches
 * @timeline: (owned): where the sound is
 * @stopped: whether nothing is to be waited for any more
 * @stale: whether something was kept from the decoder since the last frame
 * @reached: how far the picture goes, as far as it has come: milliseconds
 * @decoded: how much the decoder got, for tests
 *
 * What the gates of one pipeline share; numbers are for any thread.
 */
typedef struct
{
  EarVideoOutput *output;
  EarTimeline *timeline;
  int stopped;
  int stale;
  int reached;
  int decoded;
} EarVideoGateState;

EarVideoGateState *ear_video_gate_state_new   (EarVideoOutput    *output);
EarVideoGateState *ear_video_gate_state_ref   (EarVideoGateState *self);
void               ear_video_gate_state_unref (EarVideoGateState *self);
void               ear_video_gate_add         (EarVideoGateState *state,
                                               GstElement        *decoder);

G_END_DECLS
