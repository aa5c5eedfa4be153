/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-restore.h"

#include "ear-address.h"
#include "ear-backup.h"
#include "ear-record.h"
#include "ear-userdata-file.h"

/*
 * Restores a backup. Every podcast in the backup gets back all of its marks and settings.
 * Episodes that the backup does not have lose their marks: a listener who has marked
 * hundreds of episodes by mistake wants to undo that. Podcasts followed since then keep
 * their marks and stay followed, unless the restore is exact, as to undo an earlier
 * restore: then they are unfollowed.
 *
 * Changed values get the present time as stamp, as if the listener had set them:
 * otherwise another machine's copy of the mistake would be newer. Files are changed one
 * by one, each as a whole; after a kill in between, the backup made before the restore
 * is still there.
 */

/* @former_holder: (nullable): the object in the backup that has the entries of the subject */
static gboolean
restore_subject (const EarEntryTable *table, const char *name, JsonObject *holder,
                 JsonObject *former_holder, gint64 now)
{
  gboolean changed = FALSE;

  for (guint key = 0; key < table->n_keys; key++)
    {
      g_autoptr (GVariant) is = NULL;
      g_autoptr (GVariant) was = NULL;
      const gint64 stamp = ear_entry_read (table, holder, name, key, now, &is);

      if (former_holder != NULL)
        ear_entry_read (table, former_holder, name, key, now, &was);
      if (is == NULL)
        is = ear_entry_dup_default (table, key);
      if (was == NULL)
        was = ear_entry_dup_default (table, key);
      if (g_variant_equal (is, was))
        continue;
      /* A stamp from a clock that is ahead must not win. */
      ear_entry_put (table, holder, name, key, was, MAX (now, stamp + 1));
      changed = TRUE;
    }

  return changed;
}

static gboolean
restore_table (const EarEntryTable *table, JsonObject *container, JsonObject *former,
               gboolean exact, gint64 now)
{
  g_autoptr (GHashTable) names = ear_entry_index_names (table, former);
  gboolean changed = FALSE;
  JsonObjectIter iter;
  const char *name;
  JsonObject *object;

  json_object_iter_init_ordered (&iter, container);
  while (ear_entry_next (table, &iter, &name, &object))
    {
      g_autofree const char **all = ear_entry_list_names (table, name, object);
      JsonObject *found = NULL;

      for (guint i = 0; found == NULL && all[i] != NULL; i++)
        found = g_hash_table_lookup (names, all[i]);
      if (found == NULL && table->keeps_new && !exact)
        continue;
      changed |= restore_subject (
          table, name, ear_entry_get_holder (table, container, object),
          found != NULL ? ear_entry_get_holder (table, former, found) : NULL, now);
    }

  return changed;
}

/* @former: the file in the backup
 * Returns: whether that changed something */
static gboolean
restore_entries (const char *kind, JsonObject *root, JsonObject *former, gboolean exact)
{
  const gint64 now = g_get_real_time ();
  const EarEntryTable *tables = ear_entry_tables_find (kind);
  /* Add what only the backup has; the rest is compared by values, not by stamps. */
  gboolean changed = ear_userdata_merge (root, former, now);

  /* A restore does not undo listening times. */
  if (g_str_equal (kind, ear_record_kind_names[EAR_RECORD_LISTENING]))
    return changed;
  for (guint i = 0; i < EAR_N_ENTRY_TABLES && tables[i].n_keys > 0; i++)
    {
      const EarEntryTable *table = &tables[i];

      if (table->subject != NULL)
        ear_json_ensure_object (root, table->subject);
      changed |= restore_table (table, ear_entry_ensure_container (table, root),
                                ear_entry_ensure_container (table, former), exact, now);
    }

  return changed;
}

static void
restore_file (EarJsonFolder *folder, const char *name, JsonObject *former, gboolean exact,
              GPtrArray *changed, GError **first)
{
  const char *kind = ear_userdata_shape_get_kind (name);
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (folder, name);
  GError **error = *first == NULL ? first : NULL;
  g_autoptr (JsonObject) root = ear_userdata_file_open (file, error);
  gboolean is_changed;

  if (root == NULL)
    return;
  is_changed = restore_entries (kind, root, former, exact);
  if (ear_userdata_file_close (file, root, is_changed, error) && is_changed)
    g_ptr_array_add (changed, g_strdup (name));
}

/* Adds followed podcasts without a state file in the backup: they had no marks,
 * and get none. */
static void
add_untouched (EarJsonFolder *folder, GHashTable *files, JsonObject *subscriptions)
{
  JsonObject *podcasts = ear_json_get_object (subscriptions, "podcasts");
  JsonObjectIter iter;
  const char *address;
  JsonNode *node;

  if (podcasts == NULL)
    return;
  json_object_iter_init (&iter, podcasts);
  while (json_object_iter_next (&iter, &address, &node))
    {
      g_autofree char *name =
          ear_address_is_web (address) ? ear_userdata_shape_dup_name (address) : NULL;
      EarJsonIdentity identity;

      if (name != NULL && !g_hash_table_contains (files, name) &&
          ear_json_folder_identify (folder, name, &identity))
        g_hash_table_insert (files, g_steal_pointer (&name),
                             ear_userdata_shape_new (EAR_USERDATA_KIND_PODCAST));
    }
}

/* Restores a backup. A file that cannot be written does not keep others from being restored.
 * @contents: (element-type utf8 GBytes): the files in the backup
 * @exact: whether to unfollow podcasts followed since the backup
 * Returns: (transfer full) (nullable) (element-type utf8): names of the changed files,
 * subscriptions last; %NULL if a file could not be restored */
GPtrArray *
ear_userdata_restore (EarJsonFolder *folder, GHashTable *contents, gboolean exact, GError **error)
{
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) json_object_unref);
  g_autoptr (GPtrArray) changed = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) first = NULL;
  JsonObject *subscriptions;
  GHashTableIter iter;
  gpointer name, then;

  g_hash_table_iter_init (&iter, contents);
  while (g_hash_table_iter_next (&iter, &name, &then))
    {
      const char *kind = ear_userdata_shape_get_kind (name);
      JsonObject *root = kind != NULL ? ear_userdata_shape_parse (then, kind) : NULL;

      if (root != NULL)
        g_hash_table_insert (files, g_strdup (name), root);
    }
  subscriptions = g_hash_table_lookup (files, EAR_SUBSCRIPTION_FILE_NAME);
  if (subscriptions != NULL)
    add_untouched (folder, files, subscriptions);

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &then))
    if (then != subscriptions)
      restore_file (folder, name, then, exact, changed, &first);
  /* Restore subscriptions last: podcasts that are followed again then find their state. */
  if (subscriptions != NULL)
    restore_file (folder, EAR_SUBSCRIPTION_FILE_NAME, subscriptions, exact, changed, &first);
  if (first == NULL)
    return g_steal_pointer (&changed);

  g_propagate_error (error, g_steal_pointer (&first));

  return NULL;
}
