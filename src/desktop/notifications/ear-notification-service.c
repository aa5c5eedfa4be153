/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notification-service.h"

/*
 * Whether anybody shows notifications. GIO complains aloud when it finds out that nobody
 * does, which is nothing that a listener has done wrong.
 */

/* Those that GIO talks to: the shell's own, everybody else's, and from a sandbox the portal. */
static const char *const services[] = { "org.gtk.Notifications", "org.freedesktop.Notifications" };
#define PORTAL "org.freedesktop.portal.Desktop"

static gboolean
uses_portal (void)
{
  return g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) || g_strcmp0 (g_getenv ("GTK_USE_PORTAL"), "1") == 0;
}

static gboolean
contains_service (const char *const *names)
{
  if (uses_portal ())
    return g_strv_contains (names, PORTAL);
  for (gsize i = 0; i < G_N_ELEMENTS (services); i++)
    if (g_strv_contains (names, services[i]))
      return TRUE;

  return FALSE;
}

static void ask (GTask *task, const char *method);

static void
names_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autofree const char **names = NULL;

  if (reply != NULL)
    g_variant_get (reply, "(^a&s)", &names);
  if (names != NULL && contains_service (names))
    g_task_return_boolean (task, TRUE);
  /* Those that run, then those that could be started. */
  else if (g_str_equal (g_task_get_name (task), "ListNames"))
    ask (g_steal_pointer (&task), "ListActivatableNames");
  else
    g_task_return_boolean (task, FALSE);
}

static void
ask (GTask *task, const char *method)
{
  g_task_set_static_name (task, method);
  g_dbus_connection_call (g_task_get_task_data (task), "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                          method, NULL, G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, -1, g_task_get_cancellable (task),
                          names_listed_cb, task);
}

/**
 * ear_notification_service_find_async:
 * @session: (nullable): the session bus
 *
 * Asks whether notifications are shown.
 */
void
ear_notification_service_find_async (GDBusConnection *session, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_notification_service_find_async);
  if (session == NULL)
    {
      g_task_return_boolean (task, FALSE);
      g_object_unref (task);
      return;
    }

  g_task_set_task_data (task, g_object_ref (session), g_object_unref);
  ask (task, "ListNames");
}

gboolean
ear_notification_service_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_notification_service_find_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
