/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib.h>
#include <stdlib.h>

/* held-up SECONDS
 *
 * Prints the longest time, in milliseconds, for which the machine holds up a program that
 * only reads the clock. */

int
main (int argc, char *argv[])
{
  const double seconds = argc == 2 ? atof (argv[1]) : 0;
  const gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  gint64 last = g_get_monotonic_time ();
  gint64 longest = 0;

  if (seconds <= 0)
    {
      g_printerr ("usage: held-up SECONDS\n");
      return 2;
    }

  while (last < end)
    {
      const gint64 now = g_get_monotonic_time ();

      longest = MAX (longest, now - last);
      last = now;
    }
  g_print ("%.2f\n", (double) longest / 1000);

  return 0;
}
