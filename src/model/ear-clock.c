/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-clock.h"

#include <time.h>

/**
 * ear_clock_get_boot_time:
 *
 * Unlike g_get_monotonic_time(), this clock continues while the computer is suspended.
 * The difference between them grows with each suspension.
 *
 * Returns: microseconds since an unspecified time
 */
gint64
ear_clock_get_boot_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_BOOTTIME, &now);

  return now.tv_sec * G_TIME_SPAN_SECOND + now.tv_nsec / 1000;
}

/**
 * ear_clock_format:
 * @time: microseconds
 *
 * Returns: (transfer full): a position or duration, as `3:12` or `1:02:03`
 */
char *
ear_clock_format (gint64 time)
{
  const gint64 seconds = MAX (time, 0) / G_TIME_SPAN_SECOND;
  const int hours = (int) MIN (seconds / 3600, 99999);
  const int minutes = (int) (seconds / 60 % 60);

  return hours > 0 ? g_strdup_printf ("%d:%02d:%02d", hours, minutes, (int) (seconds % 60))
                   : g_strdup_printf ("%d:%02d", minutes, (int) (seconds % 60));
}
