/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_CHAPTERS_VIEW (ear_chapters_view_get_type ())
G_DECLARE_FINAL_TYPE (EarChaptersView, ear_chapters_view, EAR, CHAPTERS_VIEW, AdwBin)

void ear_chapters_view_set_episode (EarChaptersView *self, EarEpisode *episode, EarNotes *notes);
gboolean ear_chapters_view_come_into_sight (EarChaptersView *self);

G_END_DECLS
