/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib.h>
#include <stdlib.h>

/*
 * held-up SECONDS
 *
 * For how long the machine holds a program up that does nothing but look at the clock, one thread
 * a processor: no turn of a main loop can be known to be shorter. Prints milliseconds.
 */

typedef struct
{
  gint64 end;
  gint64 longest;
} Watch;

static gpointer
watch_thread (gpointer data)
{
  Watch *self = data;
  gint64 last = g_get_monotonic_time ();

  while (last < self->end)
    {
      const gint64 now = g_get_monotonic_time ();

      self->longest = MAX (self->longest, now - last);
      last = now;
    }

  return NULL;
}

int
main (int argc, char *argv[])
{
  const guint n_threads = g_get_num_processors ();
  g_autofree Watch *watches = g_new0 (Watch, n_threads);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  gint64 longest = 0;

  if (argc != 2 || atof (argv[1]) <= 0)
    {
      g_printerr ("usage: held-up SECONDS\n");
      return 2;
    }

  for (guint i = 0; i < n_threads; i++)
    {
      watches[i].end = g_get_monotonic_time () + (gint64) (atof (argv[1]) * G_USEC_PER_SEC);
      threads[i] = g_thread_new ("held-up", watch_thread, &watches[i]);
    }
  for (guint i = 0; i < n_threads; i++)
    {
      g_thread_join (threads[i]);
      longest = MAX (longest, watches[i].longest);
    }
  g_print ("%.2f\n", (double) longest / 1000);

  return 0;
}
