/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-threads.h"

#include <sys/resource.h>

/* Of the thread with this name in our own process: on Linux each has its own. */
int
ear_test_get_niceness (const char *thread)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;

  while (threads != NULL && (id = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", id, "comm", NULL);
      g_autofree char *name = NULL;

      if (g_file_get_contents (path, &name, NULL, NULL) && g_str_equal (g_strchomp (name), thread))
        return getpriority (PRIO_PROCESS, (id_t) g_ascii_strtoull (id, NULL, 10));
    }
  g_assert_not_reached ();
}
