/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_DIALOG (ear_podcast_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastDialog, ear_podcast_dialog, EAR, PODCAST_DIALOG, AdwDialog)

EarPodcastDialog *ear_podcast_dialog_new (EarLibrary *library, EarPodcast *podcast);

G_END_DECLS
