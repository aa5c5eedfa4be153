/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GstElement *ear_fade_new       (void);
void        ear_fade_set_level (GstElement *playbin,
                                double      level);

G_END_DECLS
