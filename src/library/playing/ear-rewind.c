/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-rewind.h"

/* Who comes back after a minute has lost the sentence, after a day the subject. A pause that is shorter than all of these
 * is no reason to hear anything twice. */
static const struct
{
  gint64 pause;  /* at least so long */
  gint64 rewind;
} grades[] = {
  { G_TIME_SPAN_DAY, 20 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_HOUR, 15 * G_TIME_SPAN_SECOND },
  { 10 * G_TIME_SPAN_MINUTE, 10 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_MINUTE, 5 * G_TIME_SPAN_SECOND },
  { 15 * G_TIME_SPAN_SECOND, 2 * G_TIME_SPAN_SECOND },
};

/* @pause: how long nothing was heard, in microseconds; whatever a clock that was set makes of it
 * Returns: how far back to begin again, in microseconds */
gint64
ear_rewind_by_pause (gint64 pause)
{
  for (gsize i = 0; i < G_N_ELEMENTS (grades); i++)
    if (pause >= grades[i].pause)
      return grades[i].rewind;

  return 0;
}
