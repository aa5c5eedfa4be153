/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-clock.h"

#include <time.h>

/**
 * ear_clock_get_boot_time:
 *
 * Like g_get_monotonic_time(), which stands still while the computer is suspended, where this one goes on. What they
 * differ by grows with each suspension.
 *
 * Returns: microseconds since some time
 */
gint64
ear_clock_get_boot_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_BOOTTIME, &now);

  return now.tv_sec * G_TIME_SPAN_SECOND + now.tv_nsec / 1000;
}
