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

EarQueryWatch *ear_query_watch_new  (EarCatalogue            *catalogue,
                                     EarEpisodeQuery *const  *query,
                                     EarQueryWatchFunc        outdated,
                                     GObject                 *owner);
void           ear_query_watch_free (EarQueryWatch           *self);

G_END_DECLS
