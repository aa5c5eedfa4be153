/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-tabs.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_PAGE (ear_episode_page_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodePage, ear_episode_page, EAR, EPISODE_PAGE, AdwNavigationPage)

gboolean ear_episode_page_enter (EarEpisodePage *self);
EarEpisodeTabs *ear_episode_page_get_tabs (EarEpisodePage *self);

G_END_DECLS
