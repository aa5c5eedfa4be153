/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/video/gstvideosink.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define EAR_TYPE_VIDEO_SINK (ear_video_sink_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoSink, ear_video_sink, EAR, VIDEO_SINK, GstVideoSink)

/**
 * EarVideoSinkFunc:
 * @owner: the argument set with the function
 * @buffer: the pixels of the frame
 * @info: their format
 * @orientation: how to turn them
 *
 * Receives a frame when it is due. Runs in a streaming thread.
 */
typedef void (*EarVideoSinkFunc) (GObject                  *owner,
                                  GstBuffer                *buffer,
                                  const GstVideoInfo       *info,
                                  GstVideoOrientationMethod orientation);

GstElement *ear_video_sink_new (EarVideoSinkFunc show,
                                GObject         *owner);

G_END_DECLS
