/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-services.h"

G_BEGIN_DECLS

#define EAR_TYPE_SERIES (ear_series_get_type ())
G_DECLARE_FINAL_TYPE (EarSeries, ear_series, EAR, SERIES, GObject)

/* Progress in a series. Main thread only. Properties:
 *   podcast     EarPodcast  (nullable): the podcast; set by the view
 *   n-episodes  guint       number of episodes without trailers and bonus episodes;
 *                           0 while unknown, or if it is no series
 *   n-heard     guint       number of played ones
 *   left        gint64      duration of the others at normal speed, in microseconds
 *   speed       double      the current speed
 *   next        EarEpisode  (nullable): the episode to continue with
 *   can-continue gboolean   whether there is one that is not playing already */
EarSeries *ear_series_new (const EarServices *services);

G_END_DECLS
