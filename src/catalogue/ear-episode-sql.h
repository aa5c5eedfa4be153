/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-columns.h"
#include "ear-database.h"
#include "ear-episode-query.h"

G_BEGIN_DECLS

void ear_episode_filter_append_condition (GString *sql, const EarEpisodeQuery *query);
void ear_episode_filter_bind (EarStatement *statement, const EarEpisodeQuery *query);
EarEpisodeChange ear_episode_filter_get_interest (const EarEpisodeQuery *query);

/* Rows that a list reads at once */
#define EAR_EPISODE_ROWS_PAGE 64

typedef void (*EarEpisodeRowFunc) (const EarEpisodeRow *row, gpointer user_data);

gboolean ear_episode_rows_read (EarDatabase *database, const gint64 *ids, guint n_ids,
                                EarEpisodeRowFunc func, gpointer user_data, GError **error);

gboolean ear_episode_sql_register (EarDatabase *database, GError **error);
const char *ear_episode_sql_get (const EarEpisodeQuery *query);
gboolean ear_episode_sql_count (EarDatabase *database, EarEpisodeFilter filter, guint *count,
                                GError **error);
gboolean ear_episode_sql_has (EarDatabase *database, EarEpisodeFilter filter, gboolean *has,
                              GError **error);
GHashTable *ear_episode_sql_count_new (EarDatabase *database, GError **error);
char *ear_episode_sql_dup_match (const EarEpisodeQuery *query);
char *ear_episode_sql_dup_words (const char *search);
const char *ear_episode_sql_get_order (const EarEpisodeQuery *query);
EarSeriesProgress *ear_episode_sql_read_series (EarDatabase *database, gint64 podcast,
                                                GError **error);
GArray *ear_episode_sql_run (EarDatabase *database, const EarEpisodeQuery *query, guint limit,
                             GError **error);

G_END_DECLS
