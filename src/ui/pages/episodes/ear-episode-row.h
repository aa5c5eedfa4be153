/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_ROW (ear_episode_row_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeRow, ear_episode_row, EAR, EPISODE_ROW, GtkWidget)

EarEpisode *ear_episode_row_get_episode (EarEpisodeRow *self);
void ear_episode_row_set_episode (EarEpisodeRow *self, EarEpisode *episode);
void ear_episode_row_update_date (EarEpisodeRow *self);
void ear_episode_row_want_excerpt (EarEpisodeRow *self, gboolean wanted);
gboolean ear_episode_row_wants_excerpt (EarEpisodeRow *self);
void ear_episode_row_set_excerpt (EarEpisodeRow *self, const EarSnippet *excerpt);

G_END_DECLS
