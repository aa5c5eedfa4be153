/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Positions in lists ordered by hand: the time of adding in microseconds, or a number
 * between the neighbors. Lists of two computers thus merge in the order of time. */

/* Distance of positions added together, which leaves room for others in between */
#define EAR_PLACES_STEP G_USEC_PER_SEC

gint64 ear_places_find (gint64 *before, gint64 after, guint n);

G_END_DECLS
