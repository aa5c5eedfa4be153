/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-places.h"

/* Who puts many there at once is ahead of the time by as many seconds. */
#define FAR_AHEAD (365 * G_TIME_SPAN_DAY)

/* Finds places between two neighbours.
 * @before: (inout): the place of the one before, 0 if there is none; then a number from which to count on: the first place is a
 *   step behind it
 * @after: the place of the one after, 0 if there is none
 * @n: how many there are to be
 * Returns: the step from one to the next; 0 where there is no room, and everybody has to get a new place */
gint64
ear_places_find (gint64 *before, gint64 after, guint n)
{
  const gint64 now = g_get_real_time ();

  if (after == 0)
    {
      *before = MAX (*before, now - EAR_PLACES_STEP);

      /* A clock was wrong, or somebody else wrote it: places end somewhere. */
      return *before > now + FAR_AHEAD ? 0 : EAR_PLACES_STEP;
    }
  if (*before == 0)
    {
      *before = after - EAR_PLACES_STEP * ((gint64) n + 1);

      return EAR_PLACES_STEP;
    }

  return MIN (EAR_PLACES_STEP, (after - *before) / ((gint64) n + 1));
}
