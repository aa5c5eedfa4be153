/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "notification-daemon.h"

static const char interfaces[] =
  "<node>"
  "<interface name='org.gtk.Notifications'>"
  "  <method name='AddNotification'><arg type='s'/><arg type='s'/><arg type='a{sv}'/></method>"
  "  <method name='RemoveNotification'><arg type='s'/><arg type='s'/></method>"
  "</interface>"
  "<interface name='org.freedesktop.Notifications'>"
  "  <method name='Notify'><arg type='s'/><arg type='u'/><arg type='s'/><arg type='s'/><arg type='s'/><arg type='as'/>"
  "    <arg type='a{sv}'/><arg type='i'/><arg type='u' direction='out'/></method>"
  "  <method name='CloseNotification'><arg type='u'/></method>"
  "  <signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>"
  "  <signal name='NotificationClosed'><arg type='u'/><arg type='u'/></signal>"
  "</interface>"
  "<interface name='org.freedesktop.portal.Notification'>"
  "  <method name='AddNotification'><arg type='s'/><arg type='a{sv}'/></method>"
  "  <method name='RemoveNotification'><arg type='s'/></method>"
  "  <property name='version' type='u' access='read'/>"
  "</interface>"
  "</node>";

static const char *const paths[] = { "/org/gtk/Notifications", "/org/freedesktop/Notifications", "/org/freedesktop/portal/desktop" };
static const char *const names[] = { "org.gtk.Notifications", "org.freedesktop.Notifications", "org.freedesktop.portal.Desktop" };

struct _NotificationDaemon
{
  GDBusConnection *connection;
  GDBusNodeInfo *info;
  GHashTable *shown; /* by id: Notification */
  guint objects[G_N_ELEMENTS (names)];
  guint next_id;
  guint n_asked;
};

static void
notification_free (gpointer data)
{
  Notification *notification = data;

  g_free (notification->title);
  g_free (notification->body);
  g_free (notification->default_action);
  g_free (notification->buttons);
  g_free (notification);
}

static char *
lookup_action (GVariant *dict, const char *name, const char *target_name)
{
  g_autoptr (GVariant) target = g_variant_lookup_value (dict, target_name, NULL);
  const char *action;

  return g_variant_lookup (dict, name, "&s", &action) ? g_action_print_detailed_name (action, target) : NULL;
}

/* Reads a notification in the format of the shell and the portal. */
static Notification *
read_dict (GVariant *dict)
{
  Notification *notification = g_new0 (Notification, 1);
  g_autoptr (GString) buttons = g_string_new (NULL);
  g_autoptr (GVariant) list = g_variant_lookup_value (dict, "buttons", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariant) icon = g_variant_lookup_value (dict, "icon", NULL);
  const char *priority = NULL;

  g_variant_lookup (dict, "title", "s", &notification->title);
  g_variant_lookup (dict, "body", "s", &notification->body);
  g_variant_lookup (dict, "priority", "&s", &priority);
  notification->default_action = lookup_action (dict, "default-action", "default-action-target");
  notification->is_quiet = g_strcmp0 (priority, "low") == 0;
  notification->has_icon = icon != NULL;
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) button = g_variant_get_child_value (list, i);
      g_autofree char *action = lookup_action (button, "action", "target");
      const char *label = "";

      g_variant_lookup (button, "label", "&s", &label);
      g_string_append_printf (buttons, "%s%s=%s", i > 0 ? " " : "", label, action);
    }
  notification->buttons = g_string_free_and_steal (g_steal_pointer (&buttons));

  return notification;
}

static Notification *
read_call (GVariant *parameters)
{
  Notification *notification = g_new0 (Notification, 1);
  g_autoptr (GString) buttons = g_string_new (NULL);
  g_autoptr (GVariant) hints = NULL;
  g_autofree const char **actions = NULL;
  const char *title, *body;
  guchar urgency = 1;

  g_variant_get (parameters, "(&su&s&s&s^a&s@a{sv}i)", NULL, NULL, NULL, &title, &body, &actions, &hints, NULL);
  notification->title = g_strdup (title);
  notification->body = g_strdup (body);
  g_variant_lookup (hints, "urgency", "y", &urgency);
  notification->is_quiet = urgency == 0;
  notification->has_icon = g_variant_lookup (hints, "image-path", "&s", NULL);
  for (gsize i = 0; actions[i] != NULL && actions[i + 1] != NULL; i += 2)
    if (g_str_equal (actions[i], "default"))
      notification->default_action = g_strdup ("default");
    else
      g_string_append_printf (buttons, "%s%s=%s", buttons->len > 0 ? " " : "", actions[i + 1], actions[i]);
  notification->buttons = g_string_free_and_steal (g_steal_pointer (&buttons));

  return notification;
}

static void
close_numbered (NotificationDaemon *self, guint id)
{
  g_autofree char *name = g_strdup_printf ("%u", id);

  g_hash_table_remove (self->shown, name);
  g_dbus_connection_emit_signal (self->connection, NULL, paths[1], names[1], "NotificationClosed",
                                 g_variant_new ("(uu)", id, 3u), NULL);
}

static void
call_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
         GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  NotificationDaemon *self = user_data;
  const gboolean is_portal = g_str_equal (interface, "org.freedesktop.portal.Notification");
  GVariant *reply = NULL;

  self->n_asked++;
  if (g_str_equal (method, "AddNotification"))
    {
      g_autoptr (GVariant) id = g_variant_get_child_value (parameters, is_portal ? 0 : 1);
      g_autoptr (GVariant) dict = g_variant_get_child_value (parameters, is_portal ? 1 : 2);

      g_hash_table_replace (self->shown, g_variant_dup_string (id, NULL), read_dict (dict));
    }
  else if (g_str_equal (method, "RemoveNotification"))
    {
      g_autoptr (GVariant) id = g_variant_get_child_value (parameters, is_portal ? 0 : 1);

      g_hash_table_remove (self->shown, g_variant_get_string (id, NULL));
    }
  else if (g_str_equal (method, "Notify"))
    {
      guint id;

      g_variant_get_child (parameters, 1, "u", &id);
      id = id != 0 ? id : ++self->next_id;
      g_hash_table_replace (self->shown, g_strdup_printf ("%u", id), read_call (parameters));
      reply = g_variant_new ("(u)", id);
    }
  else
    {
      guint id;

      g_variant_get (parameters, "(u)", &id);
      close_numbered (self, id);
    }
  g_dbus_method_invocation_return_value (invocation, reply);
}

static GVariant *
get_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *property,
        GError **error, gpointer user_data)
{
  return g_variant_new_uint32 (1);
}

static void
ask_bus (GDBusConnection *connection, const char *method, GVariant *parameters)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                            "org.freedesktop.DBus", method, parameters, NULL,
                                                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reply);
}

/**
 * notification_daemon_new:
 * @connection: a connection of its own to the bus
 *
 * Returns: (transfer full): a daemon that owns its names on the bus
 */
NotificationDaemon *
notification_daemon_new (GDBusConnection *connection)
{
  static const GDBusInterfaceVTable table = { .method_call = call_cb, .get_property = get_cb };
  NotificationDaemon *self = g_new0 (NotificationDaemon, 1);

  self->connection = g_object_ref (connection);
  self->info = g_dbus_node_info_new_for_xml (interfaces, NULL);
  self->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, notification_free);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      self->objects[i] = g_dbus_connection_register_object (connection, paths[i], self->info->interfaces[i], &table, self, NULL, NULL);
      g_assert_cmpuint (self->objects[i], !=, 0);
      ask_bus (connection, "RequestName", g_variant_new ("(su)", names[i], 4u));
    }

  return self;
}

void
notification_daemon_free (NotificationDaemon *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_dbus_connection_unregister_object (self->connection, self->objects[i]);
      ask_bus (self->connection, "ReleaseName", g_variant_new ("(s)", names[i]));
    }
  g_dbus_node_info_unref (self->info);
  g_hash_table_unref (self->shown);
  g_object_unref (self->connection);
  g_free (self);
}

guint
notification_daemon_get_n_shown (NotificationDaemon *self)
{
  return g_hash_table_size (self->shown);
}

/**
 * notification_daemon_get_n_asked:
 * @self: a daemon
 *
 * Returns: the number of method calls
 */
guint
notification_daemon_get_n_asked (NotificationDaemon *self)
{
  return self->n_asked;
}

static gboolean
find_only (NotificationDaemon *self, const char **id, Notification **notification)
{
  GHashTableIter iter;

  g_hash_table_iter_init (&iter, self->shown);

  return g_hash_table_iter_next (&iter, (gpointer *) id, (gpointer *) notification) && g_hash_table_size (self->shown) == 1;
}

/**
 * notification_daemon_get:
 * @self: a daemon
 * @application: id of the application
 *
 * Returns: (transfer none) (nullable): the notification, if exactly one is shown
 */
const Notification *
notification_daemon_get (NotificationDaemon *self, const char *application)
{
  Notification *notification;
  const char *id;

  return find_only (self, &id, &notification) ? notification : NULL;
}

/* The shell and the portal activate actions of the application themselves. */
static void
activate_on_application (NotificationDaemon *self, const char *application, const char *detailed_name)
{
  g_autofree char *path = g_strdelimit (g_strconcat ("/", application, NULL), ".", '/');
  g_autofree char *action = NULL;
  g_autoptr (GVariant) target = NULL;
  g_auto (GVariantBuilder) targets = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  g_assert_true (g_action_parse_detailed_name (detailed_name, &action, &target, NULL));
  g_assert_true (g_str_has_prefix (action, "app."));
  if (target != NULL)
    g_variant_builder_add (&targets, "v", target);
  g_dbus_connection_call (self->connection, application, path, "org.freedesktop.Application", "ActivateAction",
                          g_variant_new ("(sava{sv})", action + strlen ("app."), &targets, NULL), NULL, G_DBUS_CALL_FLAGS_NONE,
                          -1, NULL, NULL, NULL);
}

/**
 * notification_daemon_activate:
 * @self: a daemon with one notification
 * @application: id of the application
 * @action: (nullable): action of a button, with its target; %NULL for a click on
 *   the notification itself
 *
 * Clicks as the listener would, which removes the notification.
 */
void
notification_daemon_activate (NotificationDaemon *self, const char *application, const char *action)
{
  Notification *notification;
  const char *id;

  g_assert_true (find_only (self, &id, &notification));
  if (g_strcmp0 (notification->default_action, "default") == 0)
    g_dbus_connection_emit_signal (self->connection, NULL, paths[1], names[1], "ActionInvoked",
                                   g_variant_new ("(us)", (guint) g_ascii_strtoull (id, NULL, 10), action != NULL ? action : "default"),
                                   NULL);
  else
    activate_on_application (self, application, action != NULL ? action : notification->default_action);
  g_hash_table_remove (self->shown, id);
}
