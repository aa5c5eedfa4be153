/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-rewind.h"

/* Longer pauses rewind further: after a minute the sentence is forgotten, after a day the
 * subject. Shorter pauses do not rewind. */
static const struct
{
  gint64 pause;  /* minimum */
  gint64 rewind;
} grades[] = {
  { G_TIME_SPAN_DAY, 20 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_HOUR, 15 * G_TIME_SPAN_SECOND },
  { 10 * G_TIME_SPAN_MINUTE, 10 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_MINUTE, 5 * G_TIME_SPAN_SECOND },
  { 15 * G_TIME_SPAN_SECOND, 2 * G_TIME_SPAN_SECOND },
};

/* @pause: length of the pause in microseconds; negative if the clock was set back
 * Returns: microseconds to rewind */
gint64
ear_rewind_by_pause (gint64 pause)
{
  for (gsize i = 0; i < G_N_ELEMENTS (grades); i++)
    if (pause >= grades[i].pause)
      return grades[i].rewind;

  return 0;
}
