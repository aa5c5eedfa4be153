/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-query.h"

G_BEGIN_DECLS

const char      *ear_episode_filter_get_index        (const EarEpisodeQuery *query);
gboolean         ear_episode_filter_is_few           (const EarEpisodeQuery *query);
void             ear_episode_filter_append_few       (GString               *sql,
                                                      const EarEpisodeQuery *query);
void             ear_episode_filter_append_condition (GString               *sql,
                                                      const EarEpisodeQuery *query);
void             ear_episode_filter_append_members   (GString               *sql);
void             ear_episode_filter_bind             (EarStatement          *statement,
                                                      const EarEpisodeQuery *query);
EarEpisodeChange ear_episode_filter_get_interest     (const EarEpisodeQuery *query);

G_END_DECLS
