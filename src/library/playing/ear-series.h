/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-settings.h"

G_BEGIN_DECLS

#define EAR_TYPE_SERIES (ear_series_get_type ())
G_DECLARE_FINAL_TYPE (EarSeries, ear_series, EAR, SERIES, GObject)

/*
 * How far the listener is in a podcast that is a series. Main thread only. Properties:
 *   podcast     EarPodcast  (nullable): which one; set by whoever shows it
 *   n-episodes  guint       how many there are, without trailers and bonus episodes; 0 while that is not known, or it is no series
 *   n-heard     guint       how many of these were listened to
 *   left        gint64      how long the others last at the speed that they are played at, in microseconds
 *   speed       double      that one
 *   next        EarEpisode  (nullable): the one to go on with
 *   can-continue gboolean   whether there is one, and it does not play already
 */
EarSeries *ear_series_new (EarCatalogue *catalogue,
                           EarSettings  *settings);

G_END_DECLS
