/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_VIDEO_VIEW (ear_video_view_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoView, ear_video_view, EAR, VIDEO_VIEW, AdwBin)

G_END_DECLS
