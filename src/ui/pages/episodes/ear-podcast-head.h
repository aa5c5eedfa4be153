/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_HEAD (ear_podcast_head_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastHead, ear_podcast_head, EAR, PODCAST_HEAD, AdwBin)

G_END_DECLS
