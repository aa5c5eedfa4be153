/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sync-fixture.h"

struct _SyncServer
{
  GSubprocess *process;
  GDataInputStream *answers;
  char *address;
};

static char *
read_answer (SyncServer *self)
{
  g_autoptr (GError) error = NULL;
  char *answer = g_data_input_stream_read_line_utf8 (self->answers, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);

  return answer;
}

SyncServer *
sync_server_new (void)
{
  SyncServer *self = g_new0 (SyncServer, 1);
  g_autofree char *program = g_test_build_filename (G_TEST_DIST, "sync", "server.py", NULL);
  g_autoptr (GError) error = NULL;

  self->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                                    &error, "python3", program, NULL);
  g_assert_no_error (error);
  self->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  self->address = read_answer (self);

  return self;
}

const char *
sync_server_get_address (SyncServer *self)
{
  return self->address;
}

static char *
ask (SyncServer *self, const char *format, va_list arguments)
{
  g_autofree char *command = g_strdup_vprintf (format, arguments);
  g_autofree char *line = g_strconcat (command, "\n", NULL);
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), line, strlen (line), NULL,
                             NULL, &error);
  g_assert_no_error (error);

  return read_answer (self);
}

/* Returns: the answer to a command: see server.py */
char *
sync_server_ask (SyncServer *self, const char *format, ...)
{
  va_list arguments;
  char *answer;

  va_start (arguments, format);
  answer = ask (self, format, arguments);
  va_end (arguments);

  return answer;
}

void
sync_server_tell (SyncServer *self, const char *format, ...)
{
  g_autofree char *answer = NULL;
  va_list arguments;

  va_start (arguments, format);
  answer = ask (self, format, arguments);
  va_end (arguments);
  g_assert_cmpstr (answer, ==, "ok");
}

/* Returns: the number of requests since the last count */
guint
sync_server_count (SyncServer *self)
{
  g_autofree char *count = sync_server_ask (self, "count");

  return (guint) g_ascii_strtoull (count, NULL, 10);
}

void
sync_server_free (SyncServer *self)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  g_object_unref (self->answers);
  g_object_unref (self->process);
  g_free (self->address);
  g_free (self);
}
