/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-process.h"

#include <signal.h>
#include <sys/resource.h>

/* Limits the size of the files that this process writes, so that writing fails in the middle
 * as on a full disk. 0: no limit */
void
ear_test_limit_files (gsize size)
{
  struct rlimit limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = size > 0 ? size : limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* Starts this program again with other arguments, and kills it a while after the first line that
 * it prints.
 * Returns: (transfer full): all lines that it printed */
GStrv
ear_test_run_and_kill (guint microseconds, const char *argument, ...)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  char *line;
  va_list more;

  g_ptr_array_add (arguments, program);
  va_start (more, argument);
  for (const char *next = argument; next != NULL; next = va_arg (more, const char *))
    g_ptr_array_add (arguments, (char *) next);
  va_end (more);
  g_ptr_array_add (arguments, NULL);
  g_autoptr (GSubprocess) child = g_subprocess_newv ((const char *const *) arguments->pdata,
                                                     G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) output =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (line);
  g_usleep (microseconds);
  g_subprocess_force_exit (child);
  for (; line != NULL; line = g_data_input_stream_read_line (output, NULL, NULL, NULL))
    g_strv_builder_take (lines, line);
  g_subprocess_wait (child, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (child));

  return g_strv_builder_end (lines);
}
