/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-places.h"

/* Maximum distance of positions from the present: adding many at once moves ahead of time
 * by as many seconds. */
#define FAR_AHEAD (365 * G_TIME_SPAN_DAY)

/* Finds positions between two neighbors.
 * @before: (inout): the position of the one before, 0 if there is none; then the start:
 *   the first new position is one step after it
 * @after: the position of the one after, 0 if there is none
 * @n: the number of positions
 * Returns: the distance of the new positions; 0 if there is no room, so that all need new
 * positions */
gint64
ear_places_find (gint64 *before, gint64 after, guint n)
{
  const gint64 now = g_get_real_time ();

  if (after == 0)
    {
      *before = MAX (*before, now - EAR_PLACES_STEP);

      /* A wrong clock or another program has written positions far in the future, which
       * must not exceed the range. */
      return *before > now + FAR_AHEAD ? 0 : EAR_PLACES_STEP;
    }
  if (*before == 0)
    {
      *before = after - EAR_PLACES_STEP * ((gint64) n + 1);

      return EAR_PLACES_STEP;
    }

  return MIN (EAR_PLACES_STEP, (after - *before) / ((gint64) n + 1));
}
