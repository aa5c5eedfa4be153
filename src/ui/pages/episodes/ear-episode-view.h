/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_VIEW (ear_episode_view_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeView, ear_episode_view, EAR, EPISODE_VIEW, AdwBin)

void ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list);
EarEpisode *ear_episode_view_get_episode (EarEpisodeView *self);
void ear_episode_view_set_episode (EarEpisodeView *self, EarEpisode *episode);
void ear_episode_view_choose_anew (EarEpisodeView *self);
gboolean ear_episode_view_focus_first (EarEpisodeView *self);

G_END_DECLS
