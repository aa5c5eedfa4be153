/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarVideoFrame:
 * @bytes: pixels: blue, green, red and premultiplied alpha, one byte each
 * @width: pixels
 * @height: pixels
 * @stride: bytes from one row to the next
 * @turns: quarter turns to apply, clockwise
 * @mirrored: whether to swap left and right before turning
 *
 * A frame as it was decoded, not copied.
 */
typedef struct
{
  GBytes *bytes;
  int width;
  int height;
  gsize stride;
  guint turns;
  gboolean mirrored;
} EarVideoFrame;

#define EAR_TYPE_VIDEO_OUTPUT (ear_video_output_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoOutput, ear_video_output, EAR, VIDEO_OUTPUT, GObject)

EarVideoOutput      *ear_video_output_new           (gboolean        toolkit);
GObject             *ear_video_output_get_paintable (EarVideoOutput *self);
const EarVideoFrame *ear_video_output_get_frame     (EarVideoOutput *self);
void                 ear_video_output_watch         (EarVideoOutput *self);
void                 ear_video_output_unwatch       (EarVideoOutput *self);
gboolean             ear_video_output_get_watched   (EarVideoOutput *self);

G_END_DECLS
