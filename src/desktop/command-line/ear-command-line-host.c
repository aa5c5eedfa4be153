/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-host.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "ear-control.h"
#include "ear-error.h"

/*
 * Work on the listener's library while no Earmark runs: an application of the same name, so
 * that there is only ever one, but without a window and so without a display. When somebody
 * wants to see a window meanwhile, it writes everything, makes room, and the work goes on in
 * the Earmark that has the window: everything that is done here can be begun again.
 */

/* Writing takes milliseconds. A disk that hangs must not keep the program from ending. */
#define CLOSE_LIMIT_MS 4000

typedef struct
{
  /* Input */
  EarHostBus bus;
  const char *method;
  GVariant *parameters;

  /* In progress */
  GApplication *application;
  EarLibrary *library;
  EarControl *control;
  GPtrArray *uris;       /* (element-type utf8): what the window is to open */
  gboolean wanted;       /* somebody wants to see a window */
  gboolean updating;     /* the library is of an earlier version: it cannot be closed yet */
  gboolean closing;
  gboolean ended;        /* nobody waits for it any more */
  guint close_source;

  /* Output */
  GVariant *reply;
  GError *error;
  gboolean stopped;
  gboolean locked_out; /* by who has the library open */
} Host;

static void
host_clear (gpointer data)
{
  Host *self = data;

  g_clear_handle_id (&self->close_source, g_source_remove);
  g_clear_object (&self->control);
  g_clear_object (&self->library);
  g_clear_object (&self->application);
  g_clear_pointer (&self->uris, g_ptr_array_unref);
  g_clear_pointer (&self->reply, g_variant_unref);
  g_clear_error (&self->error);
}

/* What takes too long to end comes after it has gone, where there is another one by then. */
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
    g_warning ("Not everything could be written: %s", error->message);
  if (!self->ended)
    g_application_quit (self->application);
}

static gboolean
close_limit_cb (gpointer user_data)
{
  Host *self = user_data;

  self->close_source = 0;
  g_warning ("Writing takes too long; ending without it");
  g_application_quit (self->application);

  return G_SOURCE_REMOVE;
}

static void
close_library (Host *self)
{
  if (self->closing)
    return;

  self->closing = TRUE;
  if (self->updating)
    return;

  self->close_source = g_timeout_add (CLOSE_LIMIT_MS, close_limit_cb, self);
  ear_library_close_async (self->library, closed_cb, g_rc_box_acquire (self));
}

static void
ran_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Host) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = ear_control_run_finish (EAR_CONTROL (source), result, &error);

  /* What ends because all ends has not been done. */
  if (self->closing)
    return;

  self->reply = g_steal_pointer (&reply);
  self->error = g_steal_pointer (&error);
  close_library (self);
}

static void
started_cb (Host *self)
{
  if (!self->closing)
    ear_control_run_async (self->control, self->method, self->parameters, ran_cb, g_rc_box_acquire (self));
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

  self->stopped = TRUE;
  close_library (self);

  return G_SOURCE_CONTINUE;
}

/* What a window shows as a toast, such as that a password could not be kept. */
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

  self->control = ear_control_new (self->library, NULL, NULL);
  g_signal_connect_swapped (self->library, "started", G_CALLBACK (started_cb), self);
  g_signal_connect (ear_library_get_notices (self->library), "notice", G_CALLBACK (notice_cb), NULL);
  ear_library_start_for_errand (self->library);

  return TRUE;
}

static void
updated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Host) self = user_data;
  g_autoptr (GError) error = NULL;

  self->updating = FALSE;
  /* What is damaged is replaced when it is opened. */
  if (!ear_library_update_finish (EAR_LIBRARY (source), result, &error) && !g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    self->error = g_steal_pointer (&error);
  if (self->closing || self->error != NULL || !open_library (self))
    g_application_quit (self->application);
}

/* Whether there is something to wait for. A library of an earlier version takes its time: that is
 * said, as nothing else is to be seen. */
static gboolean
begin (Host *self)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  self->library = ear_library_new (data, cache);
  if (self->bus == EAR_HOST_WITHOUT_BUS && !ear_library_lock (self->library, &self->error))
    {
      self->locked_out = g_error_matches (self->error, EAR_ERROR, EAR_ERROR_BUSY);
      return FALSE;
    }
  if (!ear_library_needs_update (self->library))
    return open_library (self);

  g_printerr ("earmark: %s\n", _("The library is from an earlier version. It is being updated…"));
  self->updating = TRUE;
  ear_library_update_async (self->library, updated_cb, g_rc_box_acquire (self));

  return TRUE;
}

static void
run (Host *self)
{
  char *arguments[] = { (char *) "earmark", NULL };
  guint sources[2];

  g_application_hold (self->application);
  sources[0] = g_unix_signal_add (SIGTERM, terminated_cb, self);
  sources[1] = g_unix_signal_add (SIGINT, terminated_cb, self);
  g_application_run (self->application, 1, arguments);
  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    g_source_remove (sources[i]);
}

/* By the bus, which knows the desktop's display; where it does not know us, as our own child. */
static void
show_window (GPtrArray *uris)
{
  g_autoptr (GDBusConnection) connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
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

  if (connection != NULL)
    reply = g_dbus_connection_call_sync (connection, EAR_APP_ID, path, "org.freedesktop.Application",
                                         uris->len > 0 ? "Open" : "Activate",
                                         uris->len > 0 ? g_variant_new ("(asa{sv})", &names, NULL) : g_variant_new ("(a{sv})", NULL),
                                         NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  if (reply == NULL && !g_spawn_async (NULL, (char **) arguments->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, &error))
    g_info ("No window: %s", error->message);
}

/**
 * ear_command_line_host_run:
 * @bus: whether there is a session bus, which tells that nobody else is Earmark; without one the lock on the library does
 * @method: a method of the interface for control
 * @parameters: its parameters
 * @reply: (out) (optional) (nullable): what it answers
 * @error: return location
 *
 * Becomes Earmark for as long as one method takes.
 *
 * Returns: whether there is an answer or an error
 */
EarHostResult
ear_command_line_host_run (EarHostBus bus, const char *method, GVariant *parameters, GVariant **reply, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);
  g_autoptr (Host) self = g_rc_box_new0 (Host);

  self->bus = bus;
  self->method = method;
  self->parameters = owned;
  self->application = g_application_new (EAR_APP_ID, G_APPLICATION_HANDLES_OPEN | G_APPLICATION_IS_SERVICE |
                                                       (bus == EAR_HOST_WITHOUT_BUS ? G_APPLICATION_NON_UNIQUE : 0));
  self->uris = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect_swapped (self->application, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->application, "open", G_CALLBACK (open_cb), self);
  /* A service that cannot have its name does not become a client of whoever has it. */
  if (!g_application_register (self->application, NULL, NULL))
    return EAR_HOST_ELSEWHERE;

  if (begin (self))
    run (self);
  else
    g_application_quit (self->application);
  self->ended = TRUE;
  g_clear_handle_id (&self->close_source, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->library, self);
  g_signal_handlers_disconnect_by_data (self->application, self);
  /* Whoever comes next finds the name free, and the files closed. */
  g_clear_object (&self->control);
  g_clear_object (&self->library);
  g_clear_object (&self->application);

  if (self->stopped)
    return EAR_HOST_STOPPED;
  if (self->locked_out)
    return EAR_HOST_ELSEWHERE;
  if (self->wanted)
    {
      show_window (self->uris);
      if (self->reply == NULL && self->error == NULL)
        return EAR_HOST_ELSEWHERE;
    }
  *reply = g_steal_pointer (&self->reply);
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));

  return EAR_HOST_ENDED;
}
