/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_TABS (ear_episode_tabs_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeTabs, ear_episode_tabs, EAR, EPISODE_TABS, AdwBin)

void ear_episode_tabs_move (EarEpisodeTabs *self, int step);
void ear_episode_tabs_choose (EarEpisodeTabs *self, const char *name);
gboolean ear_episode_tabs_find (EarEpisodeTabs *self);

G_END_DECLS
