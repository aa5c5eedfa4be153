/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-order.h"

/* Maximum distance of positions from the present: adding many at once moves ahead of time
 * by as many seconds. */
#define FAR_AHEAD (365 * G_TIME_SPAN_DAY)

/* Finds positions for items inserted between two neighbors.
 * @index: the index of the first inserted item
 * @n: the number of inserted items
 * @n_others: the number of items that are in the list already
 * @before: the position of the item before them, 0 if there is none
 * @after: the position of the item after them, 0 if there is none */
EarOrder
ear_order_insert (guint index, guint n, guint n_others, gint64 before, gint64 after)
{
  const gint64 now = g_get_real_time ();
  EarOrder self = { .index = index, .n = n, .step = EAR_ORDER_STEP };

  if (after == 0)
    {
      before = MAX (before, now - EAR_ORDER_STEP);
      /* A wrong clock or another program has written positions far in the future, which
       * must not exceed the range. */
      self.renumber = before > now + FAR_AHEAD;
    }
  else if (before == 0)
    before = after - EAR_ORDER_STEP * ((gint64) n + 1);
  else
    {
      self.step = MIN (EAR_ORDER_STEP, (after - before) / ((gint64) n + 1));
      self.renumber = self.step <= 0;
    }
  /* Items added later come after all of these. */
  if (self.renumber)
    {
      self.step = EAR_ORDER_STEP;
      before = now - EAR_ORDER_STEP * ((gint64) n + n_others + 1 - index);
    }
  self.first = before + self.step;

  return self;
}

/* Returns: the position of the inserted item number @i */
gint64
ear_order_get_inserted (const EarOrder *self, guint i)
{
  return self->first + self->step * i;
}

/* Returns: the new position of the other item number @i, in a list to renumber */
gint64
ear_order_get_other (const EarOrder *self, guint i)
{
  const guint index = i < self->index ? i : i + self->n;

  return self->first + self->step * ((gint64) index - self->index);
}
