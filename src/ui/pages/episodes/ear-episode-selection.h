/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"
#include "ear-row-groups.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_SELECTION (ear_episode_selection_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeSelection, ear_episode_selection, EAR, EPISODE_SELECTION, GObject)

void ear_episode_selection_set_list (EarEpisodeSelection *self, EarEpisodeList *list);
void ear_episode_selection_set_groups (EarEpisodeSelection *self, EarRowGroups *groups);
EarRowGroups *ear_episode_selection_get_groups (EarEpisodeSelection *self);
guint ear_episode_selection_get_n_selected (EarEpisodeSelection *self);
guint ear_episode_selection_get_first (EarEpisodeSelection *self);
void ear_episode_selection_select_only (EarEpisodeSelection *self, guint position);
void ear_episode_selection_toggle (EarEpisodeSelection *self, guint position);
GArray *ear_episode_selection_dup_ids (EarEpisodeSelection *self);
GPtrArray *ear_episode_selection_dup_episodes (EarEpisodeSelection *self);

G_END_DECLS
