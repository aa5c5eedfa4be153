/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-readdress.h"

#include "ear-address.h"
#include "ear-entry-file.h"

#include <glib/gstdio.h>

/* Moves state files to other addresses, before anything opens them. After a kill,
 * finished steps are recognized and skipped. */

/* Removes the secrets from all known addresses of the podcast. */
static void
clean_addresses (JsonObject *root)
{
  g_autoptr (JsonArray) known = ear_json_get_array (root, "addresses");

  if (known == NULL)
    return;
  json_array_ref (known);
  json_object_remove_member (root, "addresses");
  for (guint i = 0; i < json_array_get_length (known); i++)
    {
      const char *address = ear_json_get_item (known, i);
      g_autofree char *plain = address != NULL ? ear_address_without_login (address) : NULL;

      if (plain != NULL)
        ear_json_add_to_array (root, "addresses", plain);
    }
}

static gboolean
take_document (JsonObject *root, gpointer former)
{
  ear_userdata_merge (root, former, g_get_real_time ());
  clean_addresses (root);

  return TRUE;
}

static gboolean
move_document (EarJsonFolder *folder, const char *address, const char *plain, GError **error)
{
  g_autofree char *old_name = ear_userdata_shape_dup_name (address);
  g_autofree char *name = ear_userdata_shape_dup_name (plain);
  g_autofree char *old_path = g_build_filename (ear_json_folder_get_path (folder), old_name, NULL);
  g_autoptr (EarUserdataFile) old_file =
      ear_userdata_file_new (folder, old_name, EAR_USERDATA_KIND_PODCAST);
  g_autoptr (EarUserdataFile) file =
      ear_userdata_file_new (folder, name, EAR_USERDATA_KIND_PODCAST);
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonObject) root = ear_userdata_file_read (old_file, &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (root == NULL)
    return TRUE;
  clean_addresses (root);
  if (!ear_userdata_file_update (file, take_document, root, error))
    return FALSE;
  if (!g_str_equal (name, old_name))
    g_unlink (old_path);

  return TRUE;
}

static gboolean
move_now (JsonObject *root, gpointer addresses)
{
  const char *address = ear_json_get_string (root, "address", G_MAXSIZE);
  const char *plain = address != NULL ? g_hash_table_lookup (addresses, address) : NULL;

  return plain != NULL && ear_json_set_string (root, "address", plain);
}

static gboolean
is_followed (JsonObject *entry)
{
  const EarEntryTable *table = ear_entry_tables_find (EAR_USERDATA_KIND_SUBSCRIPTIONS);
  g_autoptr (GVariant) followed = NULL;

  ear_entry_read (table, entry, NULL, EAR_ENTRY_FOLLOWED, g_get_real_time (), &followed);

  return followed != NULL && g_variant_get_int64 (followed) != 0;
}

/* Merges two subscriptions; the result is followed if either one is. */
static void
merge_entry (JsonObject *into, JsonObject *from, gint64 now)
{
  const gboolean followed = is_followed (into) || is_followed (from);
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_int64 (TRUE));

  ear_userdata_merge (into, from, now);
  if (followed)
    ear_entry_put (ear_entry_tables_find (EAR_USERDATA_KIND_SUBSCRIPTIONS), into, NULL,
                   EAR_ENTRY_FOLLOWED, value, now);
}

static void
move_entry (JsonObject *podcasts, const char *address, const char *plain)
{
  g_autoptr (JsonObject) entry = ear_json_get_object (podcasts, address);
  JsonObject *known;
  const char *feed;

  if (entry == NULL)
    return;
  json_object_ref (entry);
  feed = ear_json_get_string (entry, "feed", G_MAXSIZE);
  if (feed != NULL)
    {
      g_autofree char *plain_feed = ear_address_without_login (feed);

      ear_json_set_string (entry, "feed", plain_feed);
    }
  if (g_str_equal (address, plain))
    return;
  known = ear_json_get_object (podcasts, plain);
  if (known != NULL)
    merge_entry (known, entry, g_get_real_time ());
  else
    json_object_set_object_member (podcasts, plain, json_object_ref (entry));
  json_object_remove_member (podcasts, address);
}

static gboolean
move_entries (JsonObject *root, gpointer addresses)
{
  JsonObject *podcasts = ear_json_get_object (root, "podcasts");
  GHashTableIter iter;
  gpointer address, plain;

  if (podcasts == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, addresses);
  while (g_hash_table_iter_next (&iter, &address, &plain))
    move_entry (podcasts, address, plain);

  return TRUE;
}

static gboolean
move_in (EarJsonFolder *folder, const char *name, const char *kind, EarReconcile move,
         GHashTable *addresses, GError **error)
{
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (folder, name, kind);
  EarJsonIdentity identity;

  return !ear_json_folder_identify (folder, name, &identity) ||
         ear_userdata_file_update (file, move, addresses, error);
}

/* Moves the state of podcasts to other addresses. Repeating it does no harm.
 * @directory: folder of the state files, not open anywhere
 * @addresses: (element-type utf8 utf8): by the address that a podcast was first followed
 * at, the same address without a user name and password
 * Returns: whether everything is on the disk */
gboolean
ear_userdata_readdress (const char *directory, GHashTable *addresses, GError **error)
{
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (directory, NULL, NULL);
  GHashTableIter iter;
  gpointer address, plain;

  g_hash_table_iter_init (&iter, addresses);
  while (g_hash_table_iter_next (&iter, &address, &plain))
    if (!move_document (folder, address, plain, error))
      return FALSE;

  return move_in (folder, EAR_USERDATA_NOW_NAME, EAR_USERDATA_KIND_NOW, move_now, addresses,
                  error) &&
         move_in (folder, EAR_SUBSCRIPTION_FILE_NAME, EAR_USERDATA_KIND_SUBSCRIPTIONS, move_entries,
                  addresses, error);
}
