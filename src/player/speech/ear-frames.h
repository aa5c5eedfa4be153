/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A queue of frames. A frame is one sample per channel. */
typedef struct
{
  GArray *samples; /* of float */
  guint channels;
  gsize first;     /* next frame; those before it are dropped */
} EarFrames;

void         ear_frames_init   (EarFrames   *self,
                                guint        channels);
void         ear_frames_clear  (EarFrames   *self);
void         ear_frames_empty  (EarFrames   *self);
gsize        ear_frames_count  (const EarFrames *self);
const float *ear_frames_peek   (const EarFrames *self);
float       *ear_frames_edit   (EarFrames   *self);
void         ear_frames_append (EarFrames   *self,
                                const float *samples,
                                gsize        n);
void         ear_frames_drop   (EarFrames   *self,
                                gsize        n);
void         ear_frames_move   (EarFrames   *self,
                                EarFrames   *to,
                                gsize        n);

G_END_DECLS
