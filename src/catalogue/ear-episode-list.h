/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

#define EAR_TYPE_EPISODE_LIST (ear_episode_list_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeList, ear_episode_list, EAR, EPISODE_LIST, GObject)

/* Properties, read-only: loading, asking, n-items */
EarEpisodeList *ear_episode_list_new_with_query (EarCatalogue *catalogue,
                                                 const EarEpisodeQuery *query);
const EarEpisodeQuery *ear_episode_list_get_query (EarEpisodeList *self);
void ear_episode_list_postpone (EarEpisodeList *self);
gboolean ear_episode_list_get_loading (EarEpisodeList *self);
gboolean ear_episode_list_get_asking (EarEpisodeList *self);
gint64 ear_episode_list_get_id (EarEpisodeList *self, guint position);
gboolean ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position);

G_END_DECLS
