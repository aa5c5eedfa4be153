/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Emits "unfollow" with the podcast when the listener wants to unfollow it. */
#define EAR_TYPE_PODCAST_SETTINGS_DIALOG (ear_podcast_settings_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastSettingsDialog, ear_podcast_settings_dialog, EAR,
                      PODCAST_SETTINGS_DIALOG, AdwPreferencesDialog)

EarPodcastSettingsDialog *ear_podcast_settings_dialog_new (EarLibrary *library,
                                                           EarPodcast *podcast);

G_END_DECLS
