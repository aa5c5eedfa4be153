/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "secret-service.h"

#define SERVICE "/org/freedesktop/secrets"
#define COLLECTION "/org/freedesktop/secrets/aliases/default"
#define SESSION "/org/freedesktop/secrets/session/1"

static const char introspection[] =
  "<node>"
  " <interface name='org.freedesktop.Secret.Service'>"
  "  <method name='OpenSession'><arg type='s' direction='in'/><arg type='v' direction='in'/><arg type='v' direction='out'/><arg type='o' direction='out'/></method>"
  "  <method name='SearchItems'><arg type='a{ss}' direction='in'/><arg type='ao' direction='out'/><arg type='ao' direction='out'/></method>"
  "  <method name='GetSecrets'><arg type='ao' direction='in'/><arg type='o' direction='in'/><arg type='a{o(oayays)}' direction='out'/></method>"
  "  <method name='ReadAlias'><arg type='s' direction='in'/><arg type='o' direction='out'/></method>"
  "  <property name='Collections' type='ao' access='read'/>"
  " </interface>"
  " <interface name='org.freedesktop.Secret.Collection'>"
  "  <method name='CreateItem'><arg type='a{sv}' direction='in'/><arg type='(oayays)' direction='in'/><arg type='b' direction='in'/><arg type='o' direction='out'/><arg type='o' direction='out'/></method>"
  " </interface>"
  " <interface name='org.freedesktop.Secret.Item'>"
  "  <method name='Delete'><arg type='o' direction='out'/></method>"
  " </interface>"
  "</node>";

typedef struct
{
  char *path;
  char *label;
  GHashTable *attributes;
  GBytes *secret;
} Item;

struct _SecretService
{
  GDBusConnection *connection;
  GDBusNodeInfo *info;
  GPtrArray *items;
  guint n_made;
  guint n_searches;
  gboolean refuse;
};

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->path);
  g_free (item->label);
  g_hash_table_unref (item->attributes);
  g_bytes_unref (item->secret);
  g_free (item);
}

static GHashTable *
read_attributes (GVariant *variant)
{
  GHashTable *attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GVariantIter iter;
  char *key, *value;

  g_variant_iter_init (&iter, variant);
  while (g_variant_iter_next (&iter, "{ss}", &key, &value))
    g_hash_table_insert (attributes, key, value);

  return attributes;
}

static gboolean
matches (Item *item, GHashTable *wanted)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, wanted);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (g_strcmp0 (g_hash_table_lookup (item->attributes, key), value) != 0)
      return FALSE;

  return TRUE;
}

static Item *
find (SecretService *self, const char *path)
{
  for (guint i = 0; i < self->items->len; i++)
    if (g_str_equal (((Item *) g_ptr_array_index (self->items, i))->path, path))
      return g_ptr_array_index (self->items, i);

  return NULL;
}

static GVariant *
search (SecretService *self, GVariant *parameters)
{
  g_autoptr (GVariant) variant = g_variant_get_child_value (parameters, 0);
  g_autoptr (GHashTable) wanted = read_attributes (variant);
  g_autoptr (GVariantBuilder) found = g_variant_builder_new (G_VARIANT_TYPE ("ao"));

  self->n_searches++;
  for (guint i = 0; i < self->items->len; i++)
    if (matches (g_ptr_array_index (self->items, i), wanted))
      g_variant_builder_add (found, "o", ((Item *) g_ptr_array_index (self->items, i))->path);

  return g_variant_new ("(aoao)", found, NULL);
}

static GVariant *
get_secrets (SecretService *self, GVariant *parameters)
{
  g_autoptr (GVariantIter) paths = NULL;
  g_autoptr (GVariantBuilder) secrets = g_variant_builder_new (G_VARIANT_TYPE ("a{o(oayays)}"));
  const char *session, *path;

  g_variant_get (parameters, "(ao&o)", &paths, &session);
  while (g_variant_iter_next (paths, "&o", &path))
    {
      Item *item = find (self, path);

      if (item != NULL)
        g_variant_builder_add (secrets, "{o(o@ay@ays)}", path, session, g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "", 0, 1),
                               g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, item->secret, TRUE), "text/plain");
    }

  return g_variant_new ("(a{o(oayays)})", secrets);
}

static const GDBusInterfaceVTable vtable;

static GVariant *
create_item (SecretService *self, GVariant *parameters)
{
  g_autoptr (GVariant) properties = g_variant_get_child_value (parameters, 0);
  g_autoptr (GVariant) secret = g_variant_get_child_value (parameters, 1);
  g_autoptr (GVariant) value = g_variant_get_child_value (secret, 2);
  g_autoptr (GVariant) attributes = g_variant_lookup_value (properties, "org.freedesktop.Secret.Item.Attributes", NULL);
  Item *item = g_new0 (Item, 1);

  item->path = g_strdup_printf (COLLECTION "/%u", ++self->n_made);
  g_variant_lookup (properties, "org.freedesktop.Secret.Item.Label", "s", &item->label);
  item->attributes = read_attributes (attributes);
  item->secret = g_variant_get_data_as_bytes (value);
  for (guint i = 0; i < self->items->len; i++)
    if (matches (g_ptr_array_index (self->items, i), item->attributes))
      g_ptr_array_remove_index (self->items, i--);
  g_ptr_array_add (self->items, item);
  g_assert_cmpuint (g_dbus_connection_register_object (self->connection, item->path, self->info->interfaces[2], &vtable, self, NULL, NULL), >, 0);

  return g_variant_new ("(oo)", item->path, "/");
}

static GVariant *
delete_item (SecretService *self, const char *path)
{
  g_ptr_array_remove (self->items, find (self, path));

  return g_variant_new ("(o)", "/");
}

static void
method_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
           GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  SecretService *self = user_data;

  if (self->refuse)
    g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.Secret.Error.IsLocked", "It is locked");
  else if (g_str_equal (method, "OpenSession"))
    {
      const char *algorithm;

      g_variant_get_child (parameters, 0, "&s", &algorithm);
      if (g_str_equal (algorithm, "plain"))
        g_dbus_method_invocation_return_value (invocation, g_variant_new ("(vo)", g_variant_new_string (""), SESSION));
      else
        g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.DBus.Error.NotSupported", "Plain only");
    }
  else if (g_str_equal (method, "SearchItems"))
    g_dbus_method_invocation_return_value (invocation, search (self, parameters));
  else if (g_str_equal (method, "GetSecrets"))
    g_dbus_method_invocation_return_value (invocation, get_secrets (self, parameters));
  else if (g_str_equal (method, "Delete"))
    g_dbus_method_invocation_return_value (invocation, delete_item (self, path));
  else if (g_str_equal (method, "CreateItem"))
    g_dbus_method_invocation_return_value (invocation, create_item (self, parameters));
  else
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", COLLECTION));
}

static GVariant *
property_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *property,
             GError **error, gpointer user_data)
{
  const char *const collections[] = { COLLECTION, NULL };

  return g_variant_new_objv (collections, -1);
}

static const GDBusInterfaceVTable vtable = { .method_call = method_cb, .get_property = property_cb };

SecretService *
secret_service_stand_in_new (const char *bus_address)
{
  SecretService *self = g_new0 (SecretService, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;

  self->items = g_ptr_array_new_with_free_func (item_free);
  self->info = g_dbus_node_info_new_for_xml (introspection, &error);
  g_assert_no_error (error);
  self->connection = g_dbus_connection_new_for_address_sync (bus_address,
                                                             G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                             G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                             NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_dbus_connection_register_object (self->connection, SERVICE, self->info->interfaces[0], &vtable, self, NULL, NULL), >, 0);
  g_assert_cmpuint (g_dbus_connection_register_object (self->connection, COLLECTION, self->info->interfaces[1], &vtable, self, NULL, NULL), >, 0);
  reply = g_dbus_connection_call_sync (self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                       "RequestName", g_variant_new ("(su)", "org.freedesktop.secrets", 4),
                                       G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);

  return self;
}

void
secret_service_stand_in_free (SecretService *self)
{
  g_autoptr (GError) error = NULL;

  g_dbus_connection_close_sync (self->connection, NULL, &error);
  g_assert_no_error (error);
  g_object_unref (self->connection);
  g_dbus_node_info_unref (self->info);
  g_ptr_array_unref (self->items);
  g_free (self);
}

void
secret_service_stand_in_refuse (SecretService *self, gboolean refuse)
{
  self->refuse = refuse;
}

guint
secret_service_stand_in_count (SecretService *self)
{
  return self->items->len;
}

guint
secret_service_stand_in_n_searches (SecretService *self)
{
  return self->n_searches;
}

/* Returns: everything stored except the secrets: the data that other programs can read */
char *
secret_service_stand_in_describe (SecretService *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      GHashTableIter iter;
      gpointer key, value;

      g_string_append_printf (text, "%s:", item->label);
      g_hash_table_iter_init (&iter, item->attributes);
      while (g_hash_table_iter_next (&iter, &key, &value))
        g_string_append_printf (text, " %s=%s", (char *) key, (char *) value);
      g_string_append_c (text, '\n');
    }

  return g_string_free (text, FALSE);
}
