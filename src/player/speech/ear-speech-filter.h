/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GstElement *ear_speech_filter_new       (void);
void        ear_speech_filter_set_trim  (GstElement *element,
                                         gboolean    trim);
void        ear_speech_filter_set_level (GstElement *element,
                                         gboolean    level);
gint64      ear_speech_filter_parse_cut (GstMessage *message);

G_END_DECLS
