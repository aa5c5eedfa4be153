/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-timeline.h"
#include "ear-video-output.h"

G_BEGIN_DECLS

/**
 * EarVideoGateState:
 * @output: (owned): the output that may be watched
 * @timeline: (owned): the position of the sound
 * @stopped: whether waiting threads give up
 * @stale: whether buffers were kept from the decoder since the last frame
 * @reached: the end of the picture received so far, milliseconds
 * @decoded: the number of buffers that the decoder received, for tests
 *
 * Shared by the gates of one pipeline. The numbers are atomic.
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
