/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarVideoFrame:
 * @bytes: its pixels: blue, green, red and premultiplied alpha, a byte each
 * @width: pixels
 * @height: pixels
 * @stride: bytes from one row to the next
 * @turns: by how many quarters, clockwise, it is to be turned
 * @mirrored: whether left and right are to change places, before it is turned
 *
 * A picture as it came, not copied.
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
