/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-columns.h"
#include "ear-database.h"
#include "ear-episode-query.h"

G_BEGIN_DECLS

EarEpisodeChange ear_episode_filter_get_interest (const EarEpisodeQuery *query);

/* Number of the newest hits that are ranked; the others follow by age. */
#define EAR_SEARCH_SCORE_LIMIT 10000

/* Rows that a list reads at once */
#define EAR_EPISODE_ROWS_PAGE 64

/* Numbers of episodes in views of all followed podcasts */
typedef struct
{
  GHashTable *news; /* number of each podcast's new episodes, by row id */
  guint n_new;
  guint n_in_progress;
  gboolean has_liked;
  gboolean has_heard;
} EarEpisodeTotals;

EarEpisodeTotals *ear_episode_totals_read (EarDatabase *database);
void ear_episode_totals_free (EarEpisodeTotals *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeTotals, ear_episode_totals_free)

void ear_episode_sql_register (EarDatabase *database);
void ear_episode_sql_put_bookmarks (EarDatabase *database, GPtrArray *bookmarks);
const char *ear_episode_sql_get (const EarEpisodeQuery *query);
EarSeriesProgress *ear_episode_sql_read_series (EarDatabase *database, gint64 podcast);
GArray *ear_episode_sql_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit);

G_END_DECLS
