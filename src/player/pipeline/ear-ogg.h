/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

void ear_ogg_keep_end (GstElement *demuxer);

G_END_DECLS
