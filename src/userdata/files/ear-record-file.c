/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-record-file.h"

#include "ear-stamp.h"
#include "ear-userdata-merge.h"


/*
 * A file of records, one per kind:
 *
 *   { "version": 1, "kind": "bookmarks",
 *     "records": { id: { "value": { ... }, "updated": "2026-11-21T06:40:12.123456Z" } } }
 *
 * Records are merged as a whole: the newest one wins. A removed record stays, with the
 * value null: otherwise another machine's older file would bring it back. The format of
 * the value depends on the kind; unknown members of a value are kept with it.
 */

#define TABLE "records"

struct _EarRecordFile
{
  /* Owned */
  EarUserdataFile *file;
  GHashTable *known; /* (element-type utf8 EarRecord): by the record's id */
  GHashTable *news;  /* (element-type utf8): ids of records set elsewhere, and not reported yet */
  gboolean dirty;
};

/* Returns: (transfer full): name of the kind's file */
char *
ear_record_file_dup_name (EarRecordKind kind)
{
  return g_strconcat (ear_record_kind_get_name (kind), ".json", NULL);
}

/* @folder: the folder; must outlive the file
 * Returns: (transfer full): the file, not read yet; for use on one thread */
EarRecordFile *
ear_record_file_new (EarJsonFolder *folder, EarRecordKind kind)
{
  EarRecordFile *self = g_new0 (EarRecordFile, 1);
  g_autofree char *name = ear_record_file_dup_name (kind);

  self->file = ear_userdata_file_new (folder, name, ear_record_kind_get_name (kind));
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) ear_record_free);
  self->news = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

/* Frees the file's data in memory; unwritten changes are lost. */
void
ear_record_file_free (EarRecordFile *self)
{
  ear_userdata_file_free (self->file);
  g_hash_table_unref (self->news);
  g_hash_table_unref (self->known);
  g_free (self);
}

/* Whether something is not written yet. */
gboolean
ear_record_file_is_dirty (EarRecordFile *self)
{
  return self->dirty;
}

static gboolean
values_equal (GVariant *a, GVariant *b)
{
  return a == b || (a != NULL && b != NULL && g_variant_equal (a, b));
}

static void
put (EarRecordFile *self, const char *id, GVariant *value, gint64 stamp)
{
  EarRecord *record = ear_record_new (id, value, stamp);

  g_hash_table_replace (self->known, record->id, record);
}

/* Reads a record.
 * @value: (out) (transfer full) (nullable): its value
 * Returns: its stamp; 0 if the entry is no record */
static gint64
read_record (JsonObject *records, const char *id, gint64 now, GVariant **value)
{
  JsonObject *object = ear_json_get_object (records, id);
  JsonNode *node;
  gint64 stamp;

  *value = NULL;
  if (object == NULL || !ear_userdata_shape_is_name (id, EAR_RECORD_ID_LIMIT) || !json_object_has_member (object, "value"))
    return 0;
  stamp = ear_userdata_shape_get_stamped (records, id, now, &node);
  if (json_node_is_null (node))
    return stamp;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return 0;
  *value = json_gvariant_deserialize (node, "a{sv}", NULL);
  if (*value == NULL)
    return 0;
  g_variant_ref_sink (*value);

  return stamp;
}

/* A different value with the same stamp was changed by hand. Unwritten records
 * are not compared. */
static void
learn (EarRecordFile *self, JsonObject *records, const char *id, gint64 now)
{
  const EarRecord *known = g_hash_table_lookup (self->known, id);
  g_autoptr (GVariant) value = NULL;
  const gint64 stamp = read_record (records, id, now, &value);
  gint64 since = known != NULL ? known->updated : 0;

  if (!self->dirty)
    since = ear_stamp_clamp_future (since, now);
  if (stamp == 0 || stamp < since || (known != NULL && stamp == since && values_equal (known->value, value)))
    return;

  if (known != NULL || value != NULL)
    g_hash_table_add (self->news, g_strdup (id));
  put (self, id, value, stamp > since ? stamp : stamp + 1);
}

static void
write_record (JsonObject *records, const char *id, GVariant *value, gint64 stamp)
{
  ear_userdata_shape_set_stamped (records, id, value != NULL ? json_gvariant_serialize (value) : json_node_new (JSON_NODE_NULL), stamp);
}

static void
learn_all (EarRecordFile *self, JsonObject *records, gint64 now)
{
  JsonObjectIter json;
  const char *id;
  JsonNode *node;

  json_object_iter_init_ordered (&json, records);
  while (json_object_iter_next_ordered (&json, &id, &node))
    learn (self, records, id, now);
}

static gboolean
reconcile (JsonObject *root, gpointer user_data)
{
  EarRecordFile *self = user_data;
  const gint64 now = g_get_real_time ();
  JsonObject *records = ear_json_ensure_object (root, TABLE);
  gboolean changed = FALSE;
  GHashTableIter iter;
  gpointer known;

  learn_all (self, records, now);
  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    {
      const EarRecord *record = known;
      g_autoptr (GVariant) value = NULL;

      if (read_record (records, record->id, now, &value) >= record->updated)
        continue;
      write_record (records, record->id, record->value, record->updated);
      changed = TRUE;
    }

  return changed;
}

static gboolean
learn_file (JsonObject *root, gpointer user_data)
{
  EarRecordFile *self = user_data;
  const gboolean is_behind = reconcile (root, self);

  self->dirty |= is_behind;

  return is_behind;
}

/* Reads the file without repairing it. */
void
ear_record_file_peek (EarRecordFile *self)
{
  g_autoptr (JsonObject) root = ear_userdata_file_peek (self->file);

  if (root != NULL)
    learn_all (self, ear_json_ensure_object (root, TABLE), g_get_real_time ());
}

/* Reads the file if it was never read, or was changed from outside.
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_record_file_refresh (EarRecordFile *self, GError **error)
{
  return ear_userdata_file_refresh (self->file, learn_file, self, error);
}

/* Stores a change by the listener: it wins, whatever the clock shows.
 * @record: the record, with the time of the change as stamp */
void
ear_record_file_set (EarRecordFile *self, const EarRecord *record)
{
  const EarRecord *known = g_hash_table_lookup (self->known, record->id);
  const gint64 now = g_get_real_time ();
  const gint64 since = known != NULL ? ear_stamp_clamp_future (known->updated, now) : 0;
  const gboolean same = known != NULL && values_equal (known->value, record->value);
  const gint64 stamp = ear_userdata_next_stamp (record->updated, now, since, same, now);

  if (stamp == 0)
    return;
  if (!ear_userdata_shape_is_name (record->id, EAR_RECORD_ID_LIMIT))
    {
      g_message ("A record is not stored: its name is not UTF-8, or too long");
      return;
    }
  put (self, record->id, record->value, stamp);
  self->dirty = TRUE;
}

/* Merges all known records into the file.
 * Returns: %TRUE if it is on the disk; otherwise the file stays dirty */
gboolean
ear_record_file_write (EarRecordFile *self, GError **error)
{
  if (!ear_userdata_file_update (self->file, reconcile, self, error))
    return FALSE;

  self->dirty = FALSE;

  return TRUE;
}

/* Returns all known records, removed ones too, and clears the news.
 * Returns: (transfer full) (element-type EarRecord): the records */
GPtrArray *
ear_record_file_dup_all (EarRecordFile *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);
  GHashTableIter iter;
  gpointer record;

  g_hash_table_remove_all (self->news);
  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, &record))
    g_ptr_array_add (all, ear_record_copy (record));

  return all;
}

/* Returns the records changed from outside since the last call, removed ones too.
 * Returns: (transfer full) (nullable) (element-type EarRecord): the records, %NULL if
 * there are none */
GPtrArray *
ear_record_file_steal_news (EarRecordFile *self)
{
  GPtrArray *news;
  GHashTableIter iter;
  gpointer id;

  if (g_hash_table_size (self->news) == 0)
    return NULL;
  news = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);
  g_hash_table_iter_init (&iter, self->news);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (news, ear_record_copy (g_hash_table_lookup (self->known, id)));
  g_hash_table_remove_all (self->news);

  return news;
}

/* Restores records, with the present time as stamp; records made since then are removed.
 * @root: a file
 * @then: the file in the backup
 * @now: the clock, Unix microseconds */
gboolean
ear_record_file_restore (JsonObject *root, JsonObject *then, gint64 now)
{
  JsonObject *records = ear_json_ensure_object (root, TABLE);
  JsonObject *then_records = ear_json_ensure_object (then, TABLE);
  /* Add the records that only the backup has. */
  gboolean changed = ear_userdata_merge (root, then, now);
  g_autoptr (GList) ids = json_object_get_members (records);

  for (GList *l = ids; l != NULL; l = l->next)
    {
      g_autoptr (GVariant) is = NULL;
      g_autoptr (GVariant) was = NULL;
      const gint64 stamp = read_record (records, l->data, now, &is);

      read_record (then_records, l->data, now, &was);
      if (stamp == 0 || values_equal (is, was))
        continue;
      write_record (records, l->data, was, MAX (now, stamp + 1));
      changed = TRUE;
    }

  return changed;
}
