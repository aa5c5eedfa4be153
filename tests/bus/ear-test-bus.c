/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-bus.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>

/* A private message bus that starts no services. GTestDBus writes its address into the
 * environment, which crashes if a thread left over from an earlier case reads it at that
 * moment; passing the address needs no environment. */

static const char config[] =
  "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>"
  "<policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/>"
  "<allow own=\"*\"/></policy></busconfig>";

struct _EarTestBus
{
  GSubprocess *daemon;
  char *address;
};

/* A test that is killed takes its bus along. */
static void
end_with_parent_cb (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

EarTestBus *
ear_test_bus_start (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GDataInputStream) output = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  EarTestBus *self = g_new0 (EarTestBus, 1);
  const int fd = g_file_open_tmp ("earmark-bus-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, config, -1, &error);
  g_assert_no_error (error);
  g_subprocess_launcher_set_child_setup (launcher, end_with_parent_cb, NULL, NULL);
  self->daemon = g_subprocess_launcher_spawn (launcher, &error, "dbus-daemon", "--nofork", "--print-address",
                                              "--config-file", path, NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->daemon));
  self->address = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->address);
  g_unlink (path);

  return self;
}

void
ear_test_bus_stop (EarTestBus *self)
{
  g_subprocess_send_signal (self->daemon, SIGTERM);
  g_subprocess_wait (self->daemon, NULL, NULL);
  g_object_unref (self->daemon);
  g_free (self->address);
  g_free (self);
}

const char *
ear_test_bus_get_address (EarTestBus *self)
{
  return self->address;
}

GDBusConnection *
ear_test_bus_connect (EarTestBus *self)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
      self->address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
      &error);

  g_assert_no_error (error);

  return connection;
}
