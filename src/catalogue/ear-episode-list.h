/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_LIST (ear_episode_list_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeList, ear_episode_list, EAR, EPISODE_LIST, GObject)

/*
 * GListModel of EarEpisode over an ordered array of row ids. Properties:
 *   catalogue  EarCatalogue      construct-only
 *   query      EarEpisodeQuery   boxed; setting another one reloads
 *   loading    gboolean          read-only: the query has no result yet
 *   n-items    guint             read-only, notifies
 */
EarEpisodeList *ear_episode_list_new (EarCatalogue *catalogue);
EarEpisodeList *ear_episode_list_new_with_query (EarCatalogue *catalogue,
                                                 const EarEpisodeQuery *query);
const EarEpisodeQuery *ear_episode_list_get_query (EarEpisodeList *self);
void ear_episode_list_set_query (EarEpisodeList *self, const EarEpisodeQuery *query);
gboolean ear_episode_list_get_loading (EarEpisodeList *self);
gboolean ear_episode_list_get_asking (EarEpisodeList *self);
gint64 ear_episode_list_get_id (EarEpisodeList *self, guint position);
void ear_episode_list_set_in_sight (EarEpisodeList *self, guint position);
gboolean ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position);

G_END_DECLS
