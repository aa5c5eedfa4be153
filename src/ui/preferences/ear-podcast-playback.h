/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_PLAYBACK (ear_podcast_playback_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastPlayback, ear_podcast_playback, EAR, PODCAST_PLAYBACK, AdwPreferencesGroup)

void ear_podcast_playback_set_podcast (EarPodcastPlayback *self,
                                       EarLibrary         *library,
                                       EarPodcast         *podcast);

G_END_DECLS
