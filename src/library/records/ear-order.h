/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Positions in lists ordered by hand: the time of adding in microseconds, or a number
 * between the neighbors. Lists of two computers thus merge in the order of time. */

/* Distance of positions added together, which leaves room for others in between */
#define EAR_ORDER_STEP G_USEC_PER_SEC

/* The positions of a list into which items are inserted */
typedef struct
{
  guint index;       /* of the first inserted item */
  guint n;           /* number of inserted items */
  gint64 first;      /* position of the first inserted item */
  gint64 step;       /* distance to the next one */
  gboolean renumber; /* there was no room: all other items need new positions, too */
} EarOrder;

EarOrder ear_order_insert (guint index, guint n, guint n_others, gint64 before, gint64 after);
gint64 ear_order_get_inserted (const EarOrder *self, guint i);
gint64 ear_order_get_other (const EarOrder *self, guint i);

G_END_DECLS
