/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-server.h"

#include <glib-unix.h>
#include <locale.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct
{
  char *root;
  char *demo_dir;
  char *seed;
  char *audio;
  char *port_file;
  char *log;
  gboolean demo;
  gboolean warm;
  int addresses;
  int port;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->root);
  g_free (options->demo_dir);
  g_free (options->seed);
  g_free (options->audio);
  g_free (options->port_file);
  g_free (options->log);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
parse_options (Options *options,
               int     *argc,
               char  ***argv,
               GError **error)
{
  const GOptionEntry entries[] = {
    { "root", 'r', 0, G_OPTION_ARG_FILENAME, &options->root, "Serve the files of DIR at /", "DIR" },
    { "demo", 'd', 0, G_OPTION_ARG_NONE, &options->demo, "Serve the demo podcast at /demo/feed.xml", NULL },
    { "demo-dir", 0, 0, G_OPTION_ARG_FILENAME, &options->demo_dir, "Where the demo podcast was built", "DIR" },
    { "seed", 's', 0, G_OPTION_ARG_FILENAME, &options->seed, "Serve FILE, an RSS feed, at /seed/feed.xml with its sound from here", "FILE" },
    { "audio", 0, 0, G_OPTION_ARG_FILENAME, &options->audio, "The sound of the seed's episodes", "FILE" },
    { "addresses", 'a', 0, G_OPTION_ARG_INT, &options->addresses, "Listen on N addresses from 127.0.0.1 on", "N" },
    { "port", 'p', 0, G_OPTION_ARG_INT, &options->port, "The port; 0, the default, for a free one", "P" },
    { "port-file", 0, 0, G_OPTION_ARG_FILENAME, &options->port_file, "Write the base address to FILE when ready", "FILE" },
    { "log", 'l', 0, G_OPTION_ARG_FILENAME, &options->log, "Append a line of JSON for each finished request to FILE", "FILE" },
    { "warm", 'w', 0, G_OPTION_ARG_NONE, &options->warm, "Read and compress all files before being ready", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("- a web server that can misbehave");

  g_option_context_set_summary (context, "Serves podcasts on this computer's own addresses, for tests and the demo.\n"
                                         "A path such as /~slow=20000/demo/feed.xml says how it is to misbehave:\n"
                                         "see tests/server/README.md.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;

  if (*argc > 1)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "unexpected argument: %s", (*argv)[1]);
  else if (options->addresses < 1 || options->addresses > 254)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--addresses takes 1 to 254");
  else if (options->port < 0 || options->port > 65535)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--port takes 0 to 65535");
  else
    return TRUE;

  return FALSE;
}

static gboolean
set_demo (EarTestServer *server,
          const char    *directory,
          GError       **error)
{
  g_autofree char *feed = g_build_filename (directory, "feed.xml", NULL);

  if (!g_file_test (feed, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                   "%s: the demo podcast is not built (build it with espeak-ng installed and -Ddemo=true)", feed);
      return FALSE;
    }
  ear_test_server_set_demo (server, directory);

  return TRUE;
}

static gboolean
set_up (EarTestServer *server,
        Options       *options,
        GError       **error)
{
  if (options->seed != NULL && !g_file_test (options->seed, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such file", options->seed);
      return FALSE;
    }
  if (options->root != NULL)
    ear_test_server_set_root (server, options->root);
  if (options->demo_dir == NULL && options->demo)
    options->demo_dir = g_strdup (EAR_DEMO_DIR);
  if (options->demo_dir != NULL && !set_demo (server, options->demo_dir, error))
    return FALSE;
  if (options->seed != NULL)
    ear_test_server_set_seed (server, options->seed);
  if (options->audio != NULL)
    ear_test_server_set_audio (server, options->audio);
  if (options->log != NULL && !ear_test_server_set_log_file (server, options->log, error))
    return FALSE;
  ear_test_server_set_addresses (server, options->addresses);
  ear_test_server_set_port (server, options->port);
  ear_test_server_set_warm (server, options->warm);

  return ear_test_server_start (server, error);
}

/* Renames a temporary file, so that a waiting process never reads half of it. */
static gboolean
announce (EarTestServer *server,
          Options       *options,
          GError       **error)
{
  const char *base = ear_test_server_get_base_url (server);
  const char *tls = ear_test_server_get_tls_url (server);

  g_print ("%s\n", base);
  if (tls != NULL)
    g_print ("%s\n", tls);
  if (options->port_file == NULL)
    return TRUE;

  return g_file_set_contents_full (options->port_file, base, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}

static gboolean
quit_cb (gpointer user_data)
{
  g_main_loop_quit (user_data);

  return G_SOURCE_CONTINUE;
}

static gboolean
release_cb (gpointer user_data)
{
  ear_test_server_set_holding (user_data, FALSE);

  return G_SOURCE_CONTINUE;
}

static gboolean
hold_cb (gpointer user_data)
{
  ear_test_server_set_holding (user_data, TRUE);

  return G_SOURCE_CONTINUE;
}

static gboolean
parent_died_cb (int          fd,
                GIOCondition condition,
                gpointer     user_data)
{
  g_main_loop_quit (user_data);

  return G_SOURCE_REMOVE;
}

/* Opens a descriptor that becomes readable when the parent dies. PR_SET_PDEATHSIG would
 * report the end of the thread that started this process. If the parent is invisible, it
 * is in another namespace, whose end kills all processes of this one. */
static int
watch_parent (GMainLoop *loop)
{
  int fd = (int) syscall (SYS_pidfd_open, getppid (), 0);

  if (fd >= 0)
    g_unix_fd_add (fd, G_IO_IN, parent_died_cb, loop);

  return fd;
}

int
main (int    argc,
      char **argv)
{
  g_auto (Options) options = { .addresses = 1 };
  g_autoptr (EarTestServer) server = ear_test_server_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  int parent;

  setlocale (LC_ALL, "");
  parent = watch_parent (loop);
  /* Before announcing the address, because its reader may end this process at once. */
  g_unix_signal_add (SIGTERM, quit_cb, loop);
  g_unix_signal_add (SIGINT, quit_cb, loop);
  g_unix_signal_add (SIGHUP, quit_cb, loop);
  g_unix_signal_add (SIGUSR1, release_cb, server);
  g_unix_signal_add (SIGUSR2, hold_cb, server);
  if (!parse_options (&options, &argc, &argv, &error) || !set_up (server, &options, &error) ||
      !announce (server, &options, &error))
    {
      g_printerr ("earmark-test-server: %s\n", error->message);
      return 2;
    }

  g_main_loop_run (loop);

  ear_test_server_stop (server);
  if (parent >= 0)
    close (parent);

  return 0;
}
