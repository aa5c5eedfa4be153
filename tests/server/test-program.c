/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* The program around the server: its files, and its end. */

typedef struct
{
  char *directory;
  char *port_file;
  char *log;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("earmark-server-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->port_file = g_build_filename (fixture->directory, "port", NULL);
  fixture->log = g_build_filename (fixture->directory, "log", NULL);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_unlink (fixture->port_file);
  g_unlink (fixture->log);
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture->port_file);
  g_free (fixture->log);
}

static char *
wait_for_base (Fixture *fixture)
{
  char *base = NULL;

  for (guint i = 0; i < 6000 && !g_file_get_contents (fixture->port_file, &base, NULL, NULL); i++)
    g_usleep (5000);
  g_assert_nonnull (base);
  g_assert_true (g_str_has_prefix (base, "http://127.0.0.1:"));

  return base;
}

static GSocketConnection *
connect_to (const char *base,
            GError    **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_enable_proxy (client, FALSE);
  return g_socket_client_connect_to_uri (client, base, 80, NULL, error);
}

static void
assert_ends (const char *base)
{
  for (guint i = 0; i < 6000; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocketConnection) connection = connect_to (base, &error);

      /* Connections accepted while the server ends are reset. */
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
        return;
      g_usleep (5000);
    }
  g_assert_not_reached ();
}

static void
request (const char *base)
{
  static const char text[] = "GET /generated/dogs-2.xml HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Odd: a\"b\r\n\r\n";
  g_autoptr (GSocketConnection) connection = connect_to (base, NULL);
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  char answer[65536];
  gsize length;

  g_assert_true (g_output_stream_write_all (output, text, sizeof text - 1, NULL, NULL, NULL));
  g_assert_true (g_input_stream_read_all (input, answer, sizeof answer, &length, NULL, NULL));
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (answer, 15, "HTTP/1.1 200 OK", 15);
}

static void
test_signal (Fixture      *fixture,
             gconstpointer data)
{
  const char *program = g_getenv ("EARMARK_TEST_SERVER");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, program, "--port-file",
                                                      fixture->port_file, "--log", fixture->log, NULL);
  g_autofree char *base = NULL;
  g_autofree char *log = NULL;

  g_assert_no_error (error);
  base = wait_for_base (fixture);
  request (base);
  g_subprocess_send_signal (process, GPOINTER_TO_INT (data));
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (process));
  assert_ends (base);

  g_assert_true (g_file_get_contents (fixture->log, &log, NULL, NULL));
  g_assert_nonnull (strstr (log, "\"path\": \"/generated/dogs-2.xml\""));
  g_assert_nonnull (strstr (log, "\"status\": 200"));
  g_assert_nonnull (strstr (log, "\"x-odd\": \"a\\\"b\""));
}

static void
test_parent_dies (Fixture      *fixture,
                  gconstpointer data)
{
  const char *program = g_getenv ("EARMARK_TEST_SERVER");
  g_autofree char *command = g_strdup_printf ("'%s' --port-file '%s' & while ! test -s '%s'; do sleep 0.01; done; sleep 0.1",
                                              program, fixture->port_file, fixture->port_file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) shell = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, "sh", "-c", command, NULL);
  g_autofree char *base = wait_for_base (fixture);

  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait (shell, NULL, NULL));
  assert_ends (base);
}

static void
test_wrong_use (void)
{
  const char *program = g_getenv ("EARMARK_TEST_SERVER");
  const char *const uses[][4] = {
    { program, "--addresses", "0", NULL },
    { program, "--port", "70000", NULL },
    { program, "--demo-dir", "/nowhere", NULL },
    { program, "--seed", "/nowhere", NULL },
    { program, "nonsense", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    {
      g_autoptr (GSubprocess) process = g_subprocess_newv (uses[i], G_SUBPROCESS_FLAGS_STDERR_PIPE, NULL);
      g_autofree char *said = NULL;

      g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, NULL));
      g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
      g_assert_true (g_str_has_prefix (said, "earmark-test-server: "));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/server/program/sigterm", Fixture, GINT_TO_POINTER (SIGTERM), set_up, test_signal, tear_down);
  g_test_add ("/server/program/sigint", Fixture, GINT_TO_POINTER (SIGINT), set_up, test_signal, tear_down);
  g_test_add ("/server/program/parent-dies", Fixture, NULL, set_up, test_parent_dies, tear_down);
  g_test_add_func ("/server/program/wrong-use", test_wrong_use);

  return g_test_run ();
}
