/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-records.h"

#include "ear-property.h"

/* Records of one kind from the state files, in memory. Changes made here apply at once;
 * those of another instance or computer apply when their file is read. The owner
 * interprets the values. */
struct _EarRecords
{
  GObject parent_instance;

  /* Owned */
  EarUserdataStore *state;
  GHashTable *values; /* (element-type utf8 GVariant) */

  EarRecordKind kind;
  gboolean loaded;
};

G_DEFINE_FINAL_TYPE (EarRecords, ear_records, G_TYPE_OBJECT)

static gboolean
put (EarRecords *self, const char *id, GVariant *value)
{
  GVariant *known = g_hash_table_lookup (self->values, id);

  if (known == value || (known != NULL && value != NULL && g_variant_equal (known, value)))
    return FALSE;
  if (value != NULL)
    g_hash_table_replace (self->values, g_strdup (id), g_variant_ref (value));
  else
    g_hash_table_remove (self->values, id);

  return TRUE;
}

static void
records_changed_cb (EarRecords *self, int kind, GPtrArray *records)
{
  g_autoptr (GStrvBuilder) changed = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  if (kind != (int) self->kind)
    return;
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);

      if (put (self, record->id, record->value))
        g_strv_builder_add (changed, record->id);
    }
  ids = g_strv_builder_end (changed);
  if (ids[0] != NULL)
    g_signal_emit_by_name (self, "changed", ids);
  ear_property_set_boolean (self, "loaded", TRUE);
}

static void
ear_records_release (EarRecords *self)
{
  g_clear_object (&self->state);
  g_clear_pointer (&self->values, g_hash_table_unref);
}

static void
ear_records_class_init (EarRecordsClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarRecords, loaded, G_TYPE_BOOLEAN),
  };

  ear_class_set_release (klass, ear_records_release);
  ear_class_add_properties (klass, properties);
  ear_signal_new (klass, "changed", 1, G_TYPE_STRV);
}

static void
ear_records_init (EarRecords *self)
{
  self->values =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
}

/* @state: stores the records; loading starts at once, and `changed` reports the loaded
 * ones */
EarRecords *
ear_records_new (EarUserdataStore *state, EarRecordKind kind)
{
  EarRecords *self = g_object_new (EAR_TYPE_RECORDS, NULL);

  self->state = g_object_ref (state);
  self->kind = kind;
  ear_connect (state, "records-changed", records_changed_cb, self);
  ear_userdata_store_load_records (state, kind);

  return self;
}

gboolean
ear_records_is_loaded (EarRecords *self)
{
  return self->loaded;
}

/* Returns: (transfer none) (nullable): the value of the record, `a{sv}`; %NULL when there
 * is none */
GVariant *
ear_records_lookup (EarRecords *self, const char *id)
{
  return g_hash_table_lookup (self->values, id);
}

/* Returns: (transfer none) (element-type utf8 GVariant): the values of all records by id */
EAR_DEFINE_GET (EarRecords, ear_records, GHashTable *, values)

/* Returns: (transfer full) (element-type EarRecord): an empty array that owns its items */
GPtrArray *
ear_records_new_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);
}

/* Sets records, then emits `changed` once.
 * Returns: (transfer full): the former records */
static GPtrArray *
set_all (EarRecords *self, GPtrArray *records)
{
  GPtrArray *former = ear_records_new_array ();
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *given = g_ptr_array_index (records, i);
      g_autoptr (EarRecord) before =
          ear_record_new (given->id, ear_records_lookup (self, given->id), 0);

      if (!put (self, given->id, given->value))
        continue;
      ear_userdata_store_set_record (
          self->state, self->kind, ear_record_new (given->id, given->value, g_get_real_time ()));
      g_ptr_array_add (ids, given->id);
      g_ptr_array_add (former, g_steal_pointer (&before));
    }
  g_ptr_array_add (ids, NULL);
  if (former->len > 0)
    g_signal_emit_by_name (self, "changed", ids->pdata);

  return former;
}

/* Sets records without Undo.
 * @records: (element-type EarRecord): the new records; one without a value is removed */
void
ear_records_set_all (EarRecords *self, GPtrArray *records)
{
  g_ptr_array_unref (set_all (self, records));
}

/* Changes records, like ear_records_set_all().
 * Returns: (transfer full) (nullable): restores the former records; %NULL if nothing
 *   changed */
EarUndo *
ear_records_change (EarRecords *self, GPtrArray *records, const char *message)
{
  g_autoptr (GPtrArray) former = set_all (self, records);

  return former->len > 0
             ? ear_undo_new (message, (EarUndoFunc) ear_records_set_all, self,
                             g_steal_pointer (&former), (GDestroyNotify) g_ptr_array_unref)
             : NULL;
}

/* Sets or removes a record.
 * @value: (nullable): the new value, `a{sv}`, consumed if floating; %NULL removes the
 *   record
 * Returns: (transfer full) (nullable): restores the former value; %NULL if nothing changed */
EarUndo *
ear_records_change_one (EarRecords *self, const char *id, GVariant *value, const char *message)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();

  g_ptr_array_add (records, ear_record_new (id, value, 0));

  return ear_records_change (self, records, message);
}

void
ear_records_set (EarRecords *self, const char *id, GVariant *value)
{
  g_autoptr (EarUndo) undo = ear_records_change_one (self, id, value, NULL);
}

/* Lists the records of a podcast for another one that has the same episodes.
 * @member: the member of the records that has the URL of a podcast
 * Returns: (transfer full) (element-type EarRecord): the records, with the other URL */
GPtrArray *
ear_records_list_readdressed (EarRecords *self, const char *member, const char *from,
                              const char *to)
{
  GPtrArray *records = ear_records_new_array ();
  GHashTableIter iter;
  gpointer id, value;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, &id, &value))
    {
      const char *address = NULL;
      GVariantDict dict;

      if (!g_variant_lookup (value, member, "&s", &address) || !g_str_equal (address, from))
        continue;
      g_variant_dict_init (&dict, value);
      g_variant_dict_insert (&dict, member, "s", to);
      g_ptr_array_add (records, ear_record_new (id, g_variant_dict_end (&dict), 0));
    }

  return records;
}

/* Maximum distance of positions from the present: adding many at once moves ahead of time
 * by as many seconds. */
#define FAR_AHEAD (365 * G_TIME_SPAN_DAY)

/* Finds positions, all above 0, for items inserted between two neighbors.
 * @index: the index of the first inserted item
 * @n_others: the number of items that are in the list already
 * @before: the position of the item before them, 0 if there is none
 * @after: the position of the item after them, 0 if there is none */
EarOrder
ear_order_insert (guint index, guint n, guint n_others, gint64 before, gint64 after)
{
  const gint64 now = g_get_real_time ();
  EarOrder self = { .index = index, .n = n, .step = EAR_ORDER_STEP };

  if (after == 0)
    {
      before = MAX (before, now - EAR_ORDER_STEP);
      /* A wrong clock or another program has written positions far in the future, which
       * must not exceed the range. */
      self.renumber = before > now + FAR_AHEAD;
    }
  else
    {
      if (before == 0)
        before = MAX (0, after - EAR_ORDER_STEP * ((gint64) n + 1));
      self.step = MIN (EAR_ORDER_STEP, (after - before) / ((gint64) n + 1));
      self.renumber = self.step <= 0;
    }
  /* Items added later come after all of these. */
  if (self.renumber)
    {
      self.step = EAR_ORDER_STEP;
      before = now - EAR_ORDER_STEP * ((gint64) n + n_others + 1 - index);
    }
  self.first = before + self.step;

  return self;
}

gint64
ear_order_get_inserted (const EarOrder *self, guint i)
{
  return self->first + self->step * i;
}

/* Returns: the new position of the other item number @i, in a list to renumber */
gint64
ear_order_get_other (const EarOrder *self, guint i)
{
  const guint index = i < self->index ? i : i + self->n;

  return self->first + self->step * ((gint64) index - self->index);
}

/* @episodes: (nullable) (element-type EarEpisode): episodes to be put into a list
 * Returns: (transfer full) (element-type EarEpisode): those that the list accepts, without
 *   duplicates */
GPtrArray *
ear_order_list_accepted (GPtrArray *episodes, gboolean (*accepts) (EarEpisode *episode))
{
  GPtrArray *accepted = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; episodes != NULL && i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);

      if (accepts (episode) && g_hash_table_add (seen, episode))
        g_ptr_array_add (accepted, g_object_ref (episode));
    }

  return accepted;
}
