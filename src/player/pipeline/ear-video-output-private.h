/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* For the pipeline; the public header does not need GStreamer. */

#include "ear-video-output.h"

#include <gst/gst.h>

G_BEGIN_DECLS

GstElement *ear_video_output_make_sink (EarVideoOutput *self);
void        ear_video_output_clear     (EarVideoOutput *self);

G_END_DECLS
