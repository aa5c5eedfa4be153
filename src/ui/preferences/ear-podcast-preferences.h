/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_PREFERENCES (ear_podcast_preferences_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastPreferences, ear_podcast_preferences, EAR, PODCAST_PREFERENCES,
                      GObject)

void ear_podcast_preferences_bind (EarPodcastPreferences *self, EarLibrary *library,
                                   EarPodcast *podcast);

G_END_DECLS
