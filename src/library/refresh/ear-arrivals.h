/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-refresher.h"

G_BEGIN_DECLS

/* Signal:
 *   episodes-arrived (EarPodcast *podcast, GPtrArray<EarEpisode> *episodes,
 *                     guint n_episodes)
 *     A check found new episodes: those or some of them, newest first, and their number. */

/* Maximum number of new episodes that notifications list by title */
#define EAR_ARRIVALS_NAMED 5

#define EAR_TYPE_ARRIVALS (ear_arrivals_get_type ())
G_DECLARE_FINAL_TYPE (EarArrivals, ear_arrivals, EAR, ARRIVALS, GObject)

EarArrivals *ear_arrivals_new (EarCatalogue *catalogue, EarRefresher *refresher);

G_END_DECLS
