/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODES_PAGE (ear_episodes_page_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodesPage, ear_episodes_page, EAR, EPISODES_PAGE, AdwNavigationPage)

EarEpisode *ear_episodes_page_get_episode (EarEpisodesPage *self);
void ear_episodes_page_set_episode (EarEpisodesPage *self, EarEpisode *episode);
EarEpisodeList *ear_episodes_page_get_list (EarEpisodesPage *self);
const char *ear_episodes_page_get_search (EarEpisodesPage *self);
const char *ear_episodes_page_get_trouble (EarEpisodesPage *self);
gboolean ear_episodes_page_get_vacant (EarEpisodesPage *self);
gboolean ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode);
void ear_episodes_page_begin_search (EarEpisodesPage *self, gboolean everywhere);
gboolean ear_episodes_page_enter (EarEpisodesPage *self);
gboolean ear_episodes_page_toggle_selected (EarEpisodesPage *self, const char *name);

G_END_DECLS
