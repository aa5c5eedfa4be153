/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

typedef struct _EarQueryWatch EarQueryWatch;

/**
 * EarQueryWatchFunc:
 * @owner: owner of the query
 *
 * Called when the query's result may have changed.
 */
typedef void (*EarQueryWatchFunc) (gpointer owner);

EarQueryWatch *ear_query_watch_new (EarCatalogue *catalogue, EarEpisodeQuery *const *query,
                                    EarQueryWatchFunc outdated, GObject *owner);
void ear_query_watch_free (EarQueryWatch *self);

/* Number of episodes that a query finds. Property, read-only: count, guint */
#define EAR_TYPE_EPISODE_COUNT (ear_episode_count_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeCount, ear_episode_count, EAR, EPISODE_COUNT, GObject)

EarEpisodeCount *ear_episode_count_new (EarCatalogue *catalogue);
void ear_episode_count_set_query (EarEpisodeCount *self, const EarEpisodeQuery *query);
guint ear_episode_count_get_count (EarEpisodeCount *self);

G_END_DECLS
