/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-threads.h"

#include <sys/resource.h>

#define LIMIT (60 * G_USEC_PER_SEC)
#define PAUSE (5 * G_TIME_SPAN_MILLISECOND)

static gboolean
find_niceness (const char *thread, int *niceness)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;

  while (threads != NULL && (id = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", id, "comm", NULL);
      g_autofree char *name = NULL;

      if (g_file_get_contents (path, &name, NULL, NULL) && g_str_equal (g_strchomp (name), thread))
        {
          *niceness = getpriority (PRIO_PROCESS, (id_t) g_ascii_strtoull (id, NULL, 10));
          return TRUE;
        }
    }

  return FALSE;
}

/* Returns: the niceness of a thread of this process; on Linux each thread has its own. A
 * thread has no name before it runs. */
int
ear_test_get_niceness (const char *thread)
{
  const gint64 end = g_get_monotonic_time () + LIMIT;
  int niceness;

  while (!find_niceness (thread, &niceness))
    {
      if (g_get_monotonic_time () >= end)
        g_error ("there is no thread \"%s\"", thread);
      g_usleep (PAUSE);
    }

  return niceness;
}
