/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-record.h"

G_BEGIN_DECLS

/* Rows that a list reads at once */
#define EAR_EPISODE_ROWS_PAGE 64

/* Rows of a result that a list view reads before scrolling */
#define EAR_EPISODE_ROWS_PREFETCHED (4 * EAR_EPISODE_ROWS_PAGE)

typedef void (*EarEpisodeRowFunc) (const EarEpisodeRow *row, gpointer user_data);

gboolean ear_episode_rows_read (EarDatabase      *database,
                                const gint64     *ids,
                                guint             n_ids,
                                EarEpisodeRowFunc func,
                                gpointer          user_data,
                                GError          **error);

G_END_DECLS
