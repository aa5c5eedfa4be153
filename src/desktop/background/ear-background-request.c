/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-background-request.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"

/* A request to the Background portal:
 * https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Background.html
 * The portal answers with a signal of a request object. Its path is computed in advance,
 * so that Earmark subscribes before the call and misses no answer. */
typedef struct
{
  /* Owned */
  GDBusConnection *session;
  char *token;
  GSource *cancelled; /* (nullable) */
  guint subscription;

  gboolean background;
  gboolean autostart;
} Request;

/* Drops the subscription to the answer and the source that watches for cancellation. */
static void
stop_listening (Request *request)
{
  if (request->subscription != 0)
    g_dbus_connection_signal_unsubscribe (request->session, request->subscription);
  request->subscription = 0;
  if (request->cancelled != NULL)
    g_source_destroy (request->cancelled);
  g_clear_pointer (&request->cancelled, g_source_unref);
}

static void
request_free (Request *request)
{
  stop_listening (request);
  g_object_unref (request->session);
  g_free (request->token);
  g_free (request);
}

static void
answered_cb (GDBusConnection *session, const char *sender, const char *path, const char *interface, const char *signal,
             GVariant *parameters, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  Request *request = g_task_get_task_data (task);
  g_autoptr (GVariant) results = NULL;
  guint response = 2;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ua{sv})")))
    return;

  stop_listening (request);
  g_variant_get (parameters, "(u@a{sv})", &response, &results);
  g_variant_lookup (results, "background", "b", &request->background);
  g_variant_lookup (results, "autostart", "b", &request->autostart);
  /* Response 1: the listener refused. Response 2: the portal could not ask them. */
  if (response <= 1)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_FAILED, "The portal gave no answer");
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  Request *request = g_task_get_task_data (task);

  if (reply != NULL)
    return;

  /* Without a subscription, the request was already canceled. */
  if (request->subscription != 0)
    {
      stop_listening (request);
      g_task_return_error (task, g_steal_pointer (&error));
    }
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  stop_listening (g_task_get_task_data (task));
  g_task_return_error_if_cancelled (task);

  return G_SOURCE_REMOVE;
}

static GVariant *
create_options (Request *request, const char *reason, gboolean autostart)
{
  static const char *const command[] = { "earmark", "--gapplication-service" };
  g_auto (GVariantDict) options = G_VARIANT_DICT_INIT (NULL);

  g_variant_dict_insert (&options, "handle_token", "s", request->token);
  g_variant_dict_insert (&options, "reason", "s", reason);
  g_variant_dict_insert (&options, "autostart", "b", autostart);
  g_variant_dict_insert_value (&options, "commandline", g_variant_new_strv (command, G_N_ELEMENTS (command)));
  g_variant_dict_insert (&options, "dbus-activatable", "b", TRUE);

  return g_variant_dict_end (&options);
}

/* Asks the portal for permission to run without a window. Each request also sets whether
 * the session starts Earmark, so the caller always passes @autostart.
 * @reason: a translated sentence for the listener
 * @autostart: whether the session starts Earmark at login */
void
ear_background_request_async (GDBusConnection *session, const char *reason, gboolean autostart, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);
  g_autofree char *sender = g_strdelimit (g_strdup (g_dbus_connection_get_unique_name (session) + 1), ".", '_');
  g_autofree char *path = NULL;

  request->session = g_object_ref (session);
  request->token = g_strdup_printf ("earmark%u", g_random_int ());
  path = g_strdup_printf (PORTAL_PATH "/request/%s/%s", sender, request->token);
  g_task_set_source_tag (task, ear_background_request_async);
  g_task_set_task_data (task, request, (GDestroyNotify) request_free);
  request->subscription =
    g_dbus_connection_signal_subscribe (session, PORTAL, "org.freedesktop.portal.Request", "Response", path, NULL,
                                        G_DBUS_SIGNAL_FLAGS_NONE, answered_cb, g_object_ref (task), g_object_unref);
  if (cancellable != NULL)
    {
      request->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (request->cancelled, "[earmark] background request");
      g_source_set_callback (request->cancelled, G_SOURCE_FUNC (cancelled_cb), g_object_ref (task), g_object_unref);
      g_source_attach (request->cancelled, g_task_get_context (task));
    }
  g_dbus_connection_call (session, PORTAL, PORTAL_PATH, "org.freedesktop.portal.Background", "RequestBackground",
                          g_variant_new ("(s@a{sv})", "", create_options (request, reason, autostart)), G_VARIANT_TYPE ("(o)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, cancellable, asked_cb, task);
}

/* @background: (out): whether Earmark may run without a window
 * @autostart: (out): whether the session starts Earmark at login
 * Returns: %FALSE if no portal answered */
gboolean
ear_background_request_finish (GAsyncResult *result, gboolean *background, gboolean *autostart, GError **error)
{
  Request *request;

  g_return_val_if_fail (g_async_result_is_tagged (result, ear_background_request_async), FALSE);

  request = g_task_get_task_data (G_TASK (result));
  *background = request->background;
  *autostart = request->autostart;

  return g_task_propagate_boolean (G_TASK (result), error);
}
