/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-host.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "ear-command-line-text.h"
#include "ear-error.h"

/* Runs verbs while no Earmark runs: a GApplication of the same name, so that only one
 * process uses the library, but without GTK and a display. When somebody opens the window
 * meanwhile, this process saves everything and quits, and the caller repeats the verb in
 * the Earmark that has the window. Every verb here can be repeated. */

/* Saving takes milliseconds. A disk that hangs must not keep the process alive. */
#define CLOSE_LIMIT_MS 4000

/* Output of the verb, printed once its changes are on the disk. GLib's print handler has
 * no user data, hence the global. */
static GString *said;

static void
keep_said (const char *text)
{
  g_string_append (said, text);
}

typedef struct
{
  /* Owned */
  GApplication *application;
  GMainLoop *loop;
  EarLibrary *library;
  GApplicationCommandLine *own;
  GCancellable *cancellable;
  GPtrArray *uris;    /* (element-type utf8): URIs for the window to open */
  GError *error;

  EarCommandLineErrorFunc describe;
  EarCommandVerb verb;
  guint n_commands;   /* commands that have not ended */
  gboolean wanted;    /* somebody opened the window */
  gboolean closing;
  gboolean ended;     /* the main loop has returned */
  guint close_source;
  int status;
} Host;

static void
host_clear (gpointer data)
{
  Host *self = data;

  g_clear_handle_id (&self->close_source, g_source_remove);
  g_clear_object (&self->own);
  g_clear_object (&self->library);
  g_clear_object (&self->application);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->uris, g_ptr_array_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_error (&self->error);
}

/* Callbacks may outlive ear_command_line_host_run(): closing the library can take
 * longer than CLOSE_LIMIT_MS. */
static void
host_unref (Host *self)
{
  g_rc_box_release_full (self, host_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Host, host_unref)

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Host) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_library_close_finish (EAR_LIBRARY (source), result, &error))
    {
      g_info ("Not everything could be written: %s", error->message);
      /* A failed save does not affect an export. The log has the details; the listener
       * only learns that the disk failed. */
      if (self->error == NULL && self->verb != EAR_COMMAND_EXPORT)
        self->error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_SPACE, error->message);
    }
  if (!self->ended)
    g_main_loop_quit (self->loop);
}

static void
close_limit_cb (gpointer user_data)
{
  Host *self = user_data;

  self->close_source = 0;
  g_warning ("Writing takes too long; ending without it");
  g_main_loop_quit (self->loop);
}

static void
close_library (Host *self)
{
  if (self->closing)
    return;

  /* Commands canceled from here on have not finished; command_ended_cb()
   * ignores their status. */
  self->closing = TRUE;
  g_cancellable_cancel (self->cancellable);
  self->close_source = g_timeout_add_once (CLOSE_LIMIT_MS, close_limit_cb, self);
  ear_library_close_async (self->library, closed_cb, g_rc_box_acquire (self));
}

static void
command_ended_cb (GApplicationCommandLine *invocation, gpointer user_data)
{
  Host *self = user_data;

  self->n_commands--;
  if (self->closing)
    return;

  if (invocation == self->own)
    self->status = g_application_command_line_get_exit_status (invocation);
  if (self->n_commands == 0)
    close_library (self);
}

static int
answer (Host *self, GApplicationCommandLine *invocation)
{
  const EarCommandLineHost host = {
    .library = self->closing ? NULL : self->library,
    .cancellable = self->cancellable,
    .describe = self->describe,
    .ended = command_ended_cb,
    .user_data = self,
  };

  self->n_commands++;

  return ear_command_line_answer (invocation, &host);
}

static void
started_cb (Host *self)
{
  if (!self->closing)
    answer (self, self->own);
}

static void
open_cb (Host *self, GFile **files, int n_files)
{
  for (int i = 0; i < n_files; i++)
    g_ptr_array_add (self->uris, g_file_get_uri (files[i]));
  self->wanted = TRUE;
  close_library (self);
}

static void
activate_cb (Host *self)
{
  open_cb (self, NULL, 0);
}

static gboolean
terminated_cb (gpointer user_data)
{
  Host *self = user_data;

  close_library (self);
  self->status = EAR_COMMAND_FAILED;

  return G_SOURCE_CONTINUE;
}

/* Messages that a window would show as a lasting toast, for example that a password could
 * not be stored. */
static void
notice_cb (EarNotices *notices, const char *message, gboolean lasting)
{
  if (lasting)
    g_printerr ("earmark: %s\n", message);
}

static gboolean
open_library (Host *self)
{
  if (!ear_library_open (self->library, &self->error))
    return FALSE;

  g_signal_connect_swapped (ear_library_get_subscriptions (self->library), "started", G_CALLBACK (started_cb), self);
  g_signal_connect (ear_library_get_notices (self->library), "notice", G_CALLBACK (notice_cb), NULL);
  ear_library_start_headless (self->library);

  return TRUE;
}

/* Returns: whether to run the main loop */
static gboolean
begin (Host *self)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  self->library = ear_library_new (data, cache);
  /* Without a bus, only the lock shows whether another process uses the library. */
  if (g_application_get_dbus_connection (self->application) == NULL && !ear_library_lock (self->library, &self->error))
    return FALSE;

  return open_library (self);
}

static void
run (Host *self)
{
  const guint sources[] = { g_unix_signal_add (SIGTERM, terminated_cb, self), g_unix_signal_add (SIGINT, terminated_cb, self) };

  g_main_loop_run (self->loop);
  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    g_source_remove (sources[i]);
}

/* Activates by the bus, which knows the desktop's display. If Earmark is not installed
 * for the bus, starts a child. */
static void
show_window (GDBusConnection *connection, GPtrArray *uris)
{
  g_autofree char *path = g_strdelimit (g_strdup ("/" EAR_APP_ID), ".", '/');
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GVariantBuilder) names = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  g_ptr_array_add (arguments, (gpointer) "/proc/self/exe");
  for (guint i = 0; i < uris->len; i++)
    {
      g_variant_builder_add (&names, "s", g_ptr_array_index (uris, i));
      g_ptr_array_add (arguments, g_ptr_array_index (uris, i));
    }
  g_ptr_array_add (arguments, NULL);

  reply = g_dbus_connection_call_sync (connection, EAR_APP_ID, path, "org.freedesktop.Application",
                                       uris->len > 0 ? "Open" : "Activate",
                                       uris->len > 0 ? g_variant_new ("(asa{sv})", &names, NULL) : g_variant_new ("(a{sv})", NULL),
                                       NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  if (reply == NULL && !g_spawn_async (NULL, (char **) arguments->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL))
    g_info ("No window: %s", error->message);
}

static EarErrorTopic
get_topic (EarCommandVerb verb)
{
  return verb == EAR_COMMAND_ADD      ? EAR_ERROR_TOPIC_SEARCH
         : verb == EAR_COMMAND_IMPORT ? EAR_ERROR_TOPIC_FILE
         : verb == EAR_COMMAND_SYNC   ? EAR_ERROR_TOPIC_SYNC
                                      : EAR_ERROR_TOPIC_FEED;
}

static int
tell_error (Host *self, gboolean with_bus)
{
  g_autofree char *message = NULL;

  if (with_bus || !g_error_matches (self->error, EAR_ERROR, EAR_ERROR_BUSY))
    message = self->describe (self->error, get_topic (self->verb));
  /* Translators: do not translate DBUS_SESSION_BUS_ADDRESS */
  ear_command_line_print_error (message != NULL ? message : _("Earmark is running, but cannot be reached without a session bus. Quit it, or set DBUS_SESSION_BUS_ADDRESS."));

  return EAR_COMMAND_FAILED;
}

/* Runs a verb, and those that other processes send meanwhile.
 * @application: (transfer full): owns the bus name, unless there is no session bus
 * @arguments: (array zero-terminated=1): a command line whose verb needs no window
 * @describe: turns errors into sentences
 * Returns: an [enum@EarCommandStatus]; %EAR_COMMAND_TRY_AGAIN after it quit in favor
 * of a window */
int
ear_command_line_host_run (GApplication *application, const char *const *arguments, EarCommandVerb verb, EarCommandLineErrorFunc describe)
{
  g_autoptr (Host) self = g_rc_box_new0 (Host);
  g_autoptr (GDBusConnection) connection = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  GPrintFunc before;

  self->application = application;
  self->describe = describe;
  self->verb = verb;
  self->status = EAR_COMMAND_TRY_AGAIN;
  self->loop = g_main_loop_new (NULL, FALSE);
  self->cancellable = g_cancellable_new ();
  self->uris = g_ptr_array_new_with_free_func (g_free);
  self->own = g_object_new (G_TYPE_APPLICATION_COMMAND_LINE, "arguments", g_variant_new_bytestring_array (arguments, -1), NULL);
  g_set_object (&connection, g_application_get_dbus_connection (application));
  g_signal_connect_swapped (application, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (application, "open", G_CALLBACK (open_cb), self);
  g_signal_connect_swapped (application, "command-line", G_CALLBACK (answer), self);

  said = text;
  before = g_set_print_handler (keep_said);
  if (begin (self))
    run (self);
  g_set_print_handler (before);
  self->ended = TRUE;
  g_clear_handle_id (&self->close_source, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->library, self);
  g_signal_handlers_disconnect_by_data (application, self);
  /* The bus name is released and the files are closed before the window starts. */
  g_clear_object (&self->library);
  g_clear_object (&self->application);
  if (self->wanted)
    show_window (connection, self->uris);

  if (self->error == NULL)
    g_print ("%s", text->str);

  return self->error != NULL ? tell_error (self, connection != NULL) : self->status;
}
