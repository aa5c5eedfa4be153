/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-video-output.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_VIDEO_PAINTABLE (ear_video_paintable_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoPaintable, ear_video_paintable, EAR, VIDEO_PAINTABLE, GObject)

EarVideoPaintable *ear_video_paintable_new (EarVideoOutput *output);

G_END_DECLS
