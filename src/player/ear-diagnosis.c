/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-diagnosis.h"

#include "ear-error.h"
#include "ear-player-error.h"

static void
return_error (GTask *task, EarError code, const char *message)
{
  g_task_return_new_error_literal (task, EAR_ERROR, code, message);
}

static void
connected_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketConnection) connection = NULL;
  EarSource *source = g_task_get_task_data (task);

  connection = g_socket_client_connect_to_uri_finish (G_SOCKET_CLIENT (object), result, &error);
  if (connection == NULL)
    g_task_return_error (task, ear_player_error_from_connecting (error));
  else if (source->answered)
    return_error (task, EAR_ERROR_INCOMPLETE, "The server ended the connection");
  else
    return_error (task, EAR_ERROR_UNREACHABLE, "The server drops the connection");
}

/* Connects to the server and hangs up: GStreamer's source does not say why a connection
 * failed, GIO does. */
static void
try_to_connect (GTask *task, EarSource *source)
{
  const char *uri = source->uri;
  gboolean tls = g_ascii_strncasecmp (uri, "https:", 6) == 0;
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_timeout (client, source->timeout);
  g_socket_client_set_tls (client, tls);
  g_socket_client_connect_to_uri_async (client, uri, tls ? 443 : 80, g_task_get_cancellable (task), connected_cb,
                                        g_object_ref (task));
}

/**
 * ear_diagnosis_run_async:
 * @message: the error that ended it
 *
 * Finds out what an error means to the listener. Where GStreamer does not tell, the
 * server is asked for a connection.
 */
void
ear_diagnosis_run_async (EarSource           *source,
                         GstMessage          *message,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GError) error = ear_player_error_from_message (message, source);
  gint64 patience = source->timeout * G_USEC_PER_SEC - G_USEC_PER_SEC / 2;

  g_task_set_source_tag (task, ear_diagnosis_run_async);
  g_task_set_task_data (task, ear_source_ref (source), (GDestroyNotify) ear_source_unref);

  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (source->local)
    return_error (task, EAR_ERROR_DAMAGED, "The file cannot be read");
  else if (!source->answered && g_get_monotonic_time () - source->asked >= patience)
    return_error (task, EAR_ERROR_TIMED_OUT, "The server does not answer");
  else
    try_to_connect (task, source);
}

/**
 * ear_diagnosis_run_finish:
 *
 * Returns: (transfer full) (nullable): the error, an #EarError; %NULL if it was cancelled
 */
GError *
ear_diagnosis_run_finish (GAsyncResult *result)
{
  GError *error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&error);

  return error;
}
