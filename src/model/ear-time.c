/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-time.h"

#include <string.h>
#include <time.h>

/* Unlike g_get_monotonic_time(), this clock continues while the computer is suspended.
 * The difference between them grows with each suspension.
 * Returns: microseconds since an unspecified time */
gint64
ear_clock_get_boot_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_BOOTTIME, &now);

  return now.tv_sec * G_TIME_SPAN_SECOND + now.tv_nsec / 1000;
}

/* Returns: (transfer full): a position or duration, as `3:12` or `1:02:03` */
char *
ear_clock_format (gint64 time)
{
  const gint64 seconds = MAX (time, 0) / G_TIME_SPAN_SECOND;
  const int hours = (int) MIN (seconds / 3600, 99999);
  const int minutes = (int) (seconds / 60 % 60);

  return hours > 0 ? g_strdup_printf ("%d:%02d:%02d", hours, minutes, (int) (seconds % 60))
                   : g_strdup_printf ("%d:%02d", minutes, (int) (seconds % 60));
}

/* Stamps: when the listener made a change. The newest stamp wins, on all
 * of their machines. */

/* Differences between two machines' clocks are smaller, even with local time
 * taken for UTC. */
#define FUTURE_LIMIT (24 * G_TIME_SPAN_HOUR)

gint64
ear_stamp_latest (gint64 now)
{
  return now >= EAR_CLOCK_FLOOR ? now + FUTURE_LIMIT : G_MAXINT64;
}

/* A stamp more than a day in the future is from a wrong clock. It counts as the oldest:
 * otherwise the value could not be changed until that day.
 * @stamp: a stamp, Unix microseconds
 * Returns: the stamp, or `EAR_STAMP_OLDEST` */
gint64
ear_stamp_clamp_future (gint64 stamp, gint64 now)
{
  return stamp > ear_stamp_latest (now) ? EAR_STAMP_OLDEST : stamp;
}

/* Parses a stamp; see ear_stamp_clamp_future().
 * @text: (nullable): a time after ISO 8601
 * Returns: Unix microseconds, `EAR_STAMP_OLDEST` if the text is invalid or implausible */
gint64
ear_stamp_parse (const char *text, gint64 now)
{
  g_autoptr (GTimeZone) utc = NULL;
  g_autoptr (GDateTime) date = NULL;
  gint64 stamp;

  if (text == NULL || strnlen (text, 65) > 64)
    return EAR_STAMP_OLDEST;
  utc = g_time_zone_new_utc ();
  date = g_date_time_new_from_iso8601 (text, utc);
  if (date == NULL)
    return EAR_STAMP_OLDEST;

  stamp = g_date_time_to_unix_usec (date);

  return ear_stamp_clamp_future (MAX (stamp, EAR_STAMP_OLDEST), now);
}

/* Returns: (transfer full): the stamp after ISO 8601, in UTC with microseconds */
char *
ear_stamp_format (gint64 stamp)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc_usec (stamp);

  if (date == NULL)
    date = g_date_time_new_from_unix_utc (0);

  return g_date_time_format (date, "%Y-%m-%dT%H:%M:%S.%fZ");
}
