/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * What is in an order by hand has a place: the time when it was put there, in microseconds, or a number between those of its
 * neighbours. So what two computers have put somewhere is in one order, that of time.
 */

/* Between two that are put there together, so that others find a place between them. */
#define EAR_PLACES_STEP G_USEC_PER_SEC

gint64 ear_places_find (gint64 *before,
                        gint64  after,
                        guint   n);

G_END_DECLS
