/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscription-file.h"

#include "ear-address.h"
#include "ear-stamp.h"
#include "ear-userdata-merge.h"

/* subscriptions.json: followed podcasts, and tombstones of unfollowed ones. Without
 * tombstones, another machine's older file would bring those back. */

struct _EarSubscriptionFile
{
  /* Owned */
  EarUserdataFile *file;
  GPtrArray *all;     /* (element-type EarSubscription): in the file's order */
  GHashTable *edited; /* (element-type utf8): addresses whose title or feed address is
                       * not written yet */
  gboolean dirty;
  gboolean news;

  /* Borrowed */
  GHashTable *by_address; /* (element-type utf8 EarSubscription): items of `all` */
};

/* @folder: the folder; must outlive the file
 * Returns: (transfer full): the file, not read yet; for use on one thread */
EarSubscriptionFile *
ear_subscription_file_new (EarJsonFolder *folder)
{
  EarSubscriptionFile *self = g_new0 (EarSubscriptionFile, 1);

  self->file = ear_userdata_file_new (folder, EAR_SUBSCRIPTION_FILE_NAME, EAR_USERDATA_KIND_SUBSCRIPTIONS);
  self->all = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_free);
  self->by_address = g_hash_table_new (g_str_hash, g_str_equal);
  self->edited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

/* Frees the file's data in memory; unwritten changes are lost. */
void
ear_subscription_file_free (EarSubscriptionFile *self)
{
  ear_userdata_file_free (self->file);
  g_hash_table_unref (self->edited);
  g_hash_table_unref (self->by_address);
  g_ptr_array_unref (self->all);
  g_free (self);
}

/* Whether something is not written yet. */
gboolean
ear_subscription_file_is_dirty (EarSubscriptionFile *self)
{
  return self->dirty;
}

static EarSubscription *
add (EarSubscriptionFile *self, const EarSubscription *subscription)
{
  EarSubscription *added = ear_subscription_copy (subscription);

  g_ptr_array_add (self->all, added);
  g_hash_table_insert (self->by_address, added->address, added);

  return added;
}

/* Reads an entry. An entry added by hand without further members is followed. */
static gint64
read_entry (JsonObject *entry, gint64 now, EarSubscription *found)
{
  const char *feed = ear_json_get_string (entry, "feed", G_MAXSIZE);

  found->feed_address = ear_address_is_web (feed) ? (char *) feed : NULL;
  found->title = (char *) ear_json_get_string (entry, "title", EAR_USERDATA_TITLE_LIMIT);
  found->folder_updated = ear_userdata_shape_get_text (entry, "folder", now, (const char **) &found->folder);
  found->updated = ear_userdata_shape_get_flag (entry, "followed", now, &found->followed);
  if (!json_object_has_member (entry, "followed"))
    {
      found->followed = TRUE;
      found->updated = EAR_STAMP_OLDEST;
    }

  return found->updated;
}

static gboolean
take_facts (EarSubscription *known, const EarSubscription *found)
{
  gboolean changed = FALSE;

  if (found->feed_address != NULL)
    changed = g_set_str (&known->feed_address, found->feed_address);
  if (found->title != NULL)
    changed |= g_set_str (&known->title, found->title);

  return changed;
}

/* As with `followed`, a different folder with the same stamp was set by hand. */
static gboolean
take_folder (EarSubscription *known, const EarSubscription *found)
{
  const gboolean differs = g_strcmp0 (found->folder, known->folder) != 0;

  if (found->folder_updated == 0 || found->folder_updated < known->folder_updated ||
      (found->folder_updated == known->folder_updated && !differs))
    return FALSE;
  known->folder_updated = found->folder_updated > known->folder_updated ? found->folder_updated : found->folder_updated + 1;
  g_set_str (&known->folder, found->folder);

  return differs;
}

static void
learn_entry (EarSubscriptionFile *self, const char *address, JsonObject *entry, gint64 now)
{
  EarSubscription *known = g_hash_table_lookup (self->by_address, address);
  EarSubscription found = { .address = (char *) address };
  const gint64 stamp = read_entry (entry, now, &found);

  if (stamp == 0)
    return;
  if (known == NULL)
    {
      add (self, &found);
      self->news = TRUE;
      return;
    }
  /* Leave unwritten stamps alone: the change would be lost. */
  if (!self->dirty)
    {
      known->updated = ear_stamp_clamp_future (known->updated, now);
      known->folder_updated = ear_stamp_clamp_future (known->folder_updated, now);
    }
  /* A different value with the same stamp was changed by hand. */
  if (stamp > known->updated || (stamp == known->updated && found.followed != known->followed))
    {
      known->updated = stamp > known->updated ? stamp : stamp + 1;
      self->news |= found.followed != known->followed;
      known->followed = found.followed;
    }
  self->news |= take_folder (known, &found);
  if (!g_hash_table_contains (self->edited, address))
    self->news |= take_facts (known, &found);
}

/* Writes a fact that was set here; a fact that was only read is written back only if the
 * file has lost it. */
static gboolean
put_fact (JsonObject *entry, const char *name, const char *value, gboolean edited)
{
  return (edited || !json_object_has_member (entry, name)) && ear_json_set_string (entry, name, value);
}

static gboolean
put_entry (EarSubscriptionFile *self, JsonObject *podcasts, const EarSubscription *known,
           gint64 now)
{
  JsonObject *entry = ear_json_ensure_object (podcasts, known->address);
  const gboolean edited = g_hash_table_contains (self->edited, known->address);
  EarSubscription found = { 0 };
  gboolean changed = put_fact (entry, "title", known->title, edited);

  changed |= put_fact (entry, "feed", known->feed_address, edited);
  if (read_entry (entry, now, &found) < known->updated || !json_object_has_member (entry, "followed"))
    {
      ear_userdata_shape_set_flag (entry, "followed", known->followed, known->updated);
      changed = TRUE;
    }
  if (found.folder_updated < known->folder_updated)
    {
      ear_userdata_shape_set_text (entry, "folder", known->folder, known->folder_updated);
      changed = TRUE;
    }

  return changed;
}

static gboolean
reconcile (JsonObject *root, gpointer user_data)
{
  EarSubscriptionFile *self = user_data;
  const gint64 now = g_get_real_time ();
  JsonObject *podcasts = ear_json_ensure_object (root, "podcasts");
  gboolean changed = FALSE;
  JsonObjectIter iter;
  const char *address;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, podcasts);
  while (json_object_iter_next_ordered (&iter, &address, &node))
    if (JSON_NODE_HOLDS_OBJECT (node) && ear_address_is_web (address))
      learn_entry (self, address, json_node_get_object (node), now);

  for (guint i = 0; i < self->all->len; i++)
    changed |= put_entry (self, podcasts, g_ptr_array_index (self->all, i), now);

  return changed;
}

static gboolean
learn_file (JsonObject *root, gpointer user_data)
{
  EarSubscriptionFile *self = user_data;
  const gboolean is_behind = reconcile (root, self);

  self->dirty |= is_behind;

  return is_behind;
}

/* Reads the file if it was never read, or was changed from outside.
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_subscription_file_refresh (EarSubscriptionFile *self, GError **error)
{
  return ear_userdata_file_refresh (self->file, learn_file, self, error);
}

static void
set_folder (EarSubscriptionFile *self, EarSubscription *known, const EarSubscription *subscription,
            gint64 done, gint64 now)
{
  const gboolean same = g_strcmp0 (known->folder, subscription->folder) == 0;
  const gint64 stamp = ear_userdata_next_stamp (subscription->folder_updated, done, known->folder_updated, same, now);

  if (stamp == 0)
    return;
  known->folder_updated = stamp;
  g_set_str (&known->folder, subscription->folder);
  self->dirty = TRUE;
}

/* Follows or unfollows a podcast, moves it to a folder, or stores its title and
 * new feed address.
 * @subscription: the subscription, or a tombstone */
void
ear_subscription_file_set (EarSubscriptionFile *self, const EarSubscription *subscription,
                           gint64 done)
{
  EarSubscription *known = g_hash_table_lookup (self->by_address, subscription->address);
  const gint64 given = subscription->updated > 0 ? subscription->updated : done;
  const gint64 now = g_get_real_time ();
  gint64 stamp;

  if (!g_utf8_validate (subscription->address, -1, NULL))
    return;
  if (known == NULL)
    {
      known = add (self, subscription);
      known->updated = ear_userdata_next_stamp (given, done, 0, FALSE, now);
      known->folder_updated = ear_userdata_next_stamp (subscription->folder_updated, done, 0, FALSE, now);
      g_hash_table_add (self->edited, g_strdup (known->address));
      self->dirty = TRUE;
      return;
    }
  known->updated = ear_stamp_clamp_future (known->updated, now);
  known->folder_updated = ear_stamp_clamp_future (known->folder_updated, now);
  set_folder (self, known, subscription, done, now);
  /* A new title does not make the podcast followed: another machine may have unfollowed
   * it in between. */
  stamp = known->followed != subscription->followed ? ear_userdata_next_stamp (given, done, known->updated, FALSE, now) : 0;
  if (stamp != 0)
    {
      known->followed = !!subscription->followed;
      known->updated = stamp;
      self->dirty = TRUE;
    }
  if (take_facts (known, subscription))
    {
      g_hash_table_add (self->edited, g_strdup (known->address));
      self->dirty = TRUE;
    }
}

/* Merges all known subscriptions into the file.
 * Returns: %TRUE if it is on the disk; otherwise the file stays dirty */
gboolean
ear_subscription_file_write (EarSubscriptionFile *self, GError **error)
{
  if (!ear_userdata_file_update (self->file, reconcile, self, error))
    return FALSE;

  self->dirty = FALSE;
  g_hash_table_remove_all (self->edited);

  return TRUE;
}

/* Whether the file was changed from outside since the last call. */
gboolean
ear_subscription_file_take_news (EarSubscriptionFile *self)
{
  const gboolean news = self->news;

  self->news = FALSE;

  return news;
}

/* Returns: (transfer full) (element-type EarSubscription): all known
 * subscriptions, tombstones too */
GPtrArray *
ear_subscription_file_dup_all (EarSubscriptionFile *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_subscription_free);

  for (guint i = 0; i < self->all->len; i++)
    g_ptr_array_add (all, ear_subscription_copy (g_ptr_array_index (self->all, i)));

  return all;
}
