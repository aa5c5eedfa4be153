/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_ROW (ear_episode_row_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeRow, ear_episode_row, EAR, EPISODE_ROW, GtkWidget)

EarEpisode *ear_episode_row_get_episode (EarEpisodeRow *self);
void ear_episode_row_set_episode (EarEpisodeRow *self, EarEpisode *episode);
void ear_episode_row_update (EarEpisodeRow *self);
void ear_episode_row_want_excerpt (EarEpisodeRow *self, gboolean wanted);
gboolean ear_episode_row_wants_excerpt (EarEpisodeRow *self);
void ear_episode_row_set_excerpt (EarEpisodeRow *self, const EarSnippet *excerpt);

#define EAR_TYPE_EPISODE_VIEW (ear_episode_view_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeView, ear_episode_view, EAR, EPISODE_VIEW, AdwBin)

void ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list);
EarEpisode *ear_episode_view_get_episode (EarEpisodeView *self);
void ear_episode_view_set_episode (EarEpisodeView *self, EarEpisode *episode);
void ear_episode_view_choose_anew (EarEpisodeView *self);
gboolean ear_episode_view_focus_first (EarEpisodeView *self);

#define EAR_TYPE_PODCAST_HEAD (ear_podcast_head_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastHead, ear_podcast_head, EAR, PODCAST_HEAD, AdwBin)

#define EAR_TYPE_SEARCH_POPOVER (ear_search_popover_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchPopover, ear_search_popover, EAR, SEARCH_POPOVER, GtkPopover)

void ear_search_popover_update (EarSearchPopover *self);
gboolean ear_search_popover_take_key (EarSearchPopover *self, guint keyval, GdkModifierType state);
gboolean ear_search_popover_take_chosen (EarSearchPopover *self);

G_END_DECLS
