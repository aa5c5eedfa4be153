/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-database.h"

G_BEGIN_DECLS

GArray *ear_episode_search_run (EarDatabase           *database,
                                const EarEpisodeQuery *query,
                                guint                  limit,
                                GError               **error);

G_END_DECLS
