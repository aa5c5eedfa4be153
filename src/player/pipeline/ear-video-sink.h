/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/video/gstvideosink.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define EAR_TYPE_VIDEO_SINK (ear_video_sink_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoSink, ear_video_sink, EAR, VIDEO_SINK, GstVideoSink)

/**
 * EarVideoSinkFunc:
 * @owner: what was given with the function
 * @buffer: the pixels of a frame
 * @info: what they are like
 * @orientation: how to turn them
 *
 * Takes the frame whose time has come. Called in a thread of its own.
 */
typedef void (*EarVideoSinkFunc) (GObject                  *owner,
                                  GstBuffer                *buffer,
                                  const GstVideoInfo       *info,
                                  GstVideoOrientationMethod orientation);

GstElement *ear_video_sink_new (EarVideoSinkFunc show,
                                GObject         *owner);

G_END_DECLS
