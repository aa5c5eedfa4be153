/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-restore.h"

#include "ear-address.h"
#include "ear-backup-file.h"
#include "ear-record-file.h"
#include "ear-userdata-document.h"
#include "ear-userdata-merge.h"
#include "ear-userdata-settings.h"
#include "ear-subscription-file.h"

#include <string.h>

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

typedef struct
{
  EarJsonFolder *folder;
  gboolean exact;
  gint64 now;
  GHashTable *contents; /* (element-type utf8 JsonObject): by file name */
  GPtrArray *changed;   /* (element-type utf8): file names */
  GError *error;        /* the first error */
} Restoring;

typedef struct
{
  const Restoring *restoring;
  JsonObject *then;
  gboolean changed;
} Step;

static void
restoring_clear (Restoring *restoring)
{
  g_clear_pointer (&restoring->contents, g_hash_table_unref);
  g_clear_pointer (&restoring->changed, g_ptr_array_unref);
  g_clear_error (&restoring->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Restoring, restoring_clear)

/* Returns the stamp of a value that the listener would set now. A stamp from a clock that
 * is ahead must not win. */
static gint64
next_stamp (gint64 now, gint64 known)
{
  return MAX (now, known + 1);
}

static gboolean
restore_episode (JsonObject *episode, const EarEpisodeState *then, gint64 now)
{
  EarEpisodeState is;
  gboolean changed = FALSE;

  ear_userdata_shape_read_episode (episode, now, &is);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (is.values[i] != then->values[i])
      {
        ear_userdata_shape_set_mark (episode, i, then->values[i], next_stamp (now, is.updated[i]));
        changed = TRUE;
      }

  return changed;
}

/* Maps every name of the episodes in a file to the episode. */
static GHashTable *
index_names (JsonObject *episodes)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JsonObjectIter iter;
  const char *guid;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, episodes);
  while (json_object_iter_next_ordered (&iter, &guid, &node))
    {
      JsonArray *aliases;

      if (!JSON_NODE_HOLDS_OBJECT (node))
        continue;
      g_hash_table_insert (names, g_strdup (guid), json_node_get_object (node));
      aliases = ear_json_get_array (json_node_get_object (node), "aliases");
      for (guint i = 0; aliases != NULL && i < json_array_get_length (aliases); i++)
        {
          const char *alias = ear_json_get_item (aliases, i);

          if (alias != NULL && !g_hash_table_contains (names, alias))
            g_hash_table_insert (names, g_strdup (alias), json_node_get_object (node));
        }
    }

  return names;
}

static JsonObject *
find_then (GHashTable *names, const char *guid, JsonObject *episode)
{
  JsonArray *aliases = ear_json_get_array (episode, "aliases");
  JsonObject *then = g_hash_table_lookup (names, guid);

  for (guint i = 0; then == NULL && aliases != NULL && i < json_array_get_length (aliases); i++)
    {
      const char *alias = ear_json_get_item (aliases, i);

      then = alias != NULL ? g_hash_table_lookup (names, alias) : NULL;
    }

  return then;
}

static gboolean
reconcile_podcast (JsonObject *root, gpointer user_data)
{
  Step *step = user_data;
  const gint64 now = step->restoring->now;
  JsonObject *then_episodes = ear_json_get_object (step->then, "episodes");
  g_autoptr (GHashTable) names = NULL;
  JsonObject *episodes;
  JsonObjectIter iter;
  const char *guid;
  JsonNode *node;

  names = then_episodes != NULL ? index_names (then_episodes) : g_hash_table_new (g_str_hash, g_str_equal);
  /* Add what only the backup has; the rest is compared by values, not by stamps. */
  step->changed = ear_userdata_merge (root, step->then, now);
  step->changed |= ear_userdata_settings_restore (root, step->then, now);
  episodes = ear_json_ensure_object (root, "episodes");
  json_object_iter_init_ordered (&iter, episodes);
  while (json_object_iter_next_ordered (&iter, &guid, &node))
    {
      EarEpisodeState state = { 0 };
      JsonObject *then;

      if (!JSON_NODE_HOLDS_OBJECT (node))
        continue;
      then = find_then (names, guid, json_node_get_object (node));
      if (then != NULL)
        ear_userdata_shape_read_episode (then, now, &state);
      step->changed |= restore_episode (json_node_get_object (node), &state, now);
    }

  return step->changed;
}

static gboolean
get_followed (JsonObject *entry, gint64 now, gint64 *stamp)
{
  gboolean followed = TRUE;

  *stamp = 0;
  if (json_object_has_member (entry, "followed"))
    *stamp = ear_userdata_shape_get_flag (entry, "followed", now, &followed);

  return followed;
}

/* Restores the folder of a subscription, or moves it out of all folders.
 * Returns: whether the folder was another one */
static gboolean
restore_folder (JsonObject *entry, JsonObject *then, gint64 now)
{
  const char *folder, *former;
  const gint64 stamp = ear_userdata_shape_get_text (entry, "folder", now, &folder);

  ear_userdata_shape_get_text (then, "folder", now, &former);
  if (g_strcmp0 (folder, former) == 0)
    return FALSE;
  ear_userdata_shape_set_text (entry, "folder", former, next_stamp (now, stamp));

  return TRUE;
}

static gboolean
reconcile_subscriptions (JsonObject *root, gpointer user_data)
{
  Step *step = user_data;
  const gint64 now = step->restoring->now;
  JsonObject *then_podcasts = ear_json_get_object (step->then, "podcasts");
  JsonObject *podcasts;
  JsonObjectIter iter;
  const char *address;
  JsonNode *node;

  step->changed = ear_userdata_merge (root, step->then, now);
  podcasts = ear_json_ensure_object (root, "podcasts");
  json_object_iter_init_ordered (&iter, podcasts);
  while (json_object_iter_next_ordered (&iter, &address, &node))
    {
      JsonObject *then = then_podcasts != NULL ? ear_json_get_object (then_podcasts, address) : NULL;
      gint64 stamp, ignored;
      gboolean followed, was_followed;

      if (!JSON_NODE_HOLDS_OBJECT (node) || (then == NULL && !step->restoring->exact))
        continue;
      if (then != NULL)
        step->changed |= restore_folder (json_node_get_object (node), then, now);
      followed = get_followed (json_node_get_object (node), now, &stamp);
      was_followed = then != NULL && get_followed (then, now, &ignored);
      if (followed == was_followed)
        continue;
      ear_userdata_shape_set_flag (json_node_get_object (node), "followed", was_followed, next_stamp (now, stamp));
      step->changed = TRUE;
    }

  return step->changed;
}

static gboolean
reconcile_records (JsonObject *root, gpointer user_data)
{
  Step *step = user_data;

  step->changed = ear_record_file_restore (root, step->then, step->restoring->now);

  return step->changed;
}

/* Listening times are kept: a restore does not undo them. */
static gboolean
reconcile_listening (JsonObject *root, gpointer user_data)
{
  Step *step = user_data;

  step->changed = ear_userdata_merge (root, step->then, step->restoring->now);

  return step->changed;
}

static gboolean
gather_visit (const char *name, GBytes *content, gpointer user_data)
{
  Restoring *restoring = user_data;
  const char *kind = ear_userdata_shape_get_kind (name);
  g_autoptr (JsonObject) root = NULL;
  gsize length;
  const char *text = g_bytes_get_data (content, &length);

  if (kind == NULL)
    return TRUE;
  root = ear_json_parse (text, length, NULL);
  if (root != NULL && ear_userdata_shape_check (root, kind, NULL))
    g_hash_table_insert (restoring->contents, g_strdup (name), g_steal_pointer (&root));

  return TRUE;
}

static EarReconcile
choose_reconcile (const char *kind)
{
  EarRecordKind records;

  if (ear_record_kind_find (kind, &records))
    return records == EAR_RECORD_LISTENING ? reconcile_listening : reconcile_records;

  return g_str_equal (kind, EAR_USERDATA_KIND_PODCAST) ? reconcile_podcast : reconcile_subscriptions;
}

static void
restore_file (Restoring *restoring, const char *name, JsonObject *then)
{
  const char *kind = ear_userdata_shape_get_kind (name);
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (restoring->folder, name, kind);
  Step step = { .restoring = restoring, .then = then };
  const gboolean ok = ear_userdata_file_update (file, choose_reconcile (kind), &step,
                                                restoring->error == NULL ? &restoring->error : NULL);

  if (ok && step.changed)
    g_ptr_array_add (restoring->changed, g_strdup (name));
}

/* Adds followed podcasts without a state file in the backup: they had no marks,
 * and get none. */
static void
add_untouched (Restoring *restoring, JsonObject *subscriptions)
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
      g_autofree char *name = ear_address_is_web (address) ? ear_userdata_document_dup_name (address) : NULL;
      EarJsonIdentity identity;

      if (name != NULL && !g_hash_table_contains (restoring->contents, name) &&
          ear_json_folder_identify (restoring->folder, name, &identity))
        g_hash_table_insert (restoring->contents, g_steal_pointer (&name), ear_userdata_shape_new (EAR_USERDATA_KIND_PODCAST));
    }
}

/* Restores a backup. A file that cannot be written does not keep others
 * from being restored.
 * @exact: whether to unfollow podcasts followed since the backup
 * Returns: (transfer full) (nullable) (element-type utf8): names of the changed files,
 * subscriptions last; %NULL if the backup is unusable, or a file could not be restored */
GPtrArray *
ear_userdata_restore (EarJsonFolder *folder, const char *path, gboolean exact, GError **error)
{
  g_auto (Restoring) restoring = { .folder = folder, .exact = exact, .now = g_get_real_time () };
  JsonObject *subscriptions;
  GHashTableIter iter;
  gpointer name, then;

  restoring.contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  restoring.changed = g_ptr_array_new_with_free_func (g_free);
  /* Read the whole backup before changing anything: it may be cut off, or not
   * match its description. */
  if (!ear_backup_file_visit (path, gather_visit, &restoring, error))
    return NULL;
  subscriptions = g_hash_table_lookup (restoring.contents, EAR_SUBSCRIPTION_FILE_NAME);
  if (subscriptions != NULL)
    add_untouched (&restoring, subscriptions);

  g_hash_table_iter_init (&iter, restoring.contents);
  while (g_hash_table_iter_next (&iter, &name, &then))
    if (then != subscriptions)
      restore_file (&restoring, name, then);
  /* Restore subscriptions last: podcasts that are followed again then
   * find their state. */
  if (subscriptions != NULL)
    restore_file (&restoring, EAR_SUBSCRIPTION_FILE_NAME, subscriptions);
  if (restoring.error == NULL)
    return g_steal_pointer (&restoring.changed);

  g_propagate_error (error, g_steal_pointer (&restoring.error));

  return NULL;
}
