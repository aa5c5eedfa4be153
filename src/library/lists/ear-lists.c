/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-lists-private.h"

#include <string.h>

/* The listener's lists, in their order.
 * A list is a record, `ID`, and each episode in it another one, `ID/KEY`, which has its
 * position, so lists changed on two computers are merged episode by episode. Records of
 * episodes whose list was removed on another computer are kept in case it is restored. */
G_DEFINE_FINAL_TYPE (EarLists, ear_lists, G_TYPE_OBJECT)

static int
compare_lists (gconstpointer a, gconstpointer b, gpointer user_data)
{
  EarList *first = EAR_LIST ((gpointer) a);
  EarList *second = EAR_LIST ((gpointer) b);
  const gint64 place = ear_list_get_place (first);
  const gint64 other = ear_list_get_place (second);

  if (place != other)
    return place < other ? -1 : 1;

  return strcmp (ear_list_get_id (first), ear_list_get_id (second));
}

typedef struct
{
  EarList *list;
  char *prefix;
} Owner;

static void
take_member_cb (const char *record, GVariant *value, gpointer user_data)
{
  const Owner *owner = user_data;

  if (g_str_has_prefix (record, owner->prefix))
    ear_list_take_member (owner->list, record, value);
}

static void
add_list (EarLists *self, const char *id, GVariant *value)
{
  g_autoptr (EarList) list = ear_list_new (self->catalogue, id);
  g_autofree char *prefix = g_strconcat (id, "/", NULL);

  ear_list_take_value (list, value);
  ear_records_foreach (self->records, take_member_cb, &(Owner) { list, prefix });
  g_hash_table_insert (self->by_id, (char *) ear_list_get_id (list), list);
  g_hash_table_add (self->touched, g_object_ref (list));
  g_list_store_insert_sorted (self->all, list, compare_lists, NULL);
}

static void
drop_list (EarLists *self, EarList *list)
{
  guint position;

  g_hash_table_remove (self->by_id, ear_list_get_id (list));
  g_hash_table_remove (self->touched, list);
  ear_list_end (list);
  if (g_list_store_find (self->all, list, &position))
    g_list_store_remove (self->all, position);
}

static gboolean
is_in_order (EarLists *self)
{
  for (guint i = 1; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    {
      g_autoptr (EarList) before = g_list_model_get_item (G_LIST_MODEL (self->all), i - 1);
      g_autoptr (EarList) list = g_list_model_get_item (G_LIST_MODEL (self->all), i);

      if (compare_lists (before, list, NULL) > 0)
        return FALSE;
    }

  return TRUE;
}

static void
take_list (EarLists *self, const char *id)
{
  EarList *list = g_hash_table_lookup (self->by_id, id);
  GVariant *value = ear_records_lookup (self->records, id);

  if (list == NULL && value != NULL)
    add_list (self, id, value);
  else if (list != NULL && value == NULL)
    drop_list (self, list);
  else if (list != NULL)
    {
      ear_list_take_value (list, value);
      g_hash_table_add (self->touched, g_object_ref (list));
      if (!is_in_order (self))
        g_list_store_sort (self->all, compare_lists, NULL);
    }
}

static void
take_member (EarLists *self, const char *record)
{
  g_autofree char *id = g_strndup (record, strcspn (record, "/"));
  EarList *list = g_hash_table_lookup (self->by_id, id);

  if (list == NULL)
    return;
  ear_list_take_member (list, record, ear_records_lookup (self->records, record));
  g_hash_table_add (self->touched, g_object_ref (list));
}

static void
publish (EarLists *self)
{
  g_autoptr (GPtrArray) touched = g_hash_table_steal_all_keys (self->touched);

  g_ptr_array_set_free_func (touched, g_object_unref);
  for (guint i = 0; i < touched->len; i++)
    {
      ear_list_publish (g_ptr_array_index (touched, i));
      g_signal_emit_by_name (self, "contents-changed", g_ptr_array_index (touched, i));
    }
}

/* Lists come first: a new list takes its members from the records itself. */
static void
records_changed_cb (EarLists *self, char **ids)
{
  for (guint i = 0; ids[i] != NULL; i++)
    if (strchr (ids[i], '/') == NULL)
      take_list (self, ids[i]);
  for (guint i = 0; ids[i] != NULL; i++)
    if (strchr (ids[i], '/') != NULL)
      take_member (self, ids[i]);
  if (!self->changing)
    publish (self);
}

static gboolean
resolve_cb (gpointer user_data)
{
  EarLists *self = user_data;

  g_clear_pointer (&self->resolve, g_source_unref);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    g_hash_table_add (self->touched, g_list_model_get_item (G_LIST_MODEL (self->all), i));
  publish (self);

  return G_SOURCE_REMOVE;
}

/* Runs once for many podcasts that are followed at the same time. */
static void
podcasts_changed_cb (EarLists *self)
{
  if (self->resolve != NULL || g_list_model_get_n_items (G_LIST_MODEL (self->all)) == 0)
    return;

  self->resolve = g_idle_source_new ();
  g_source_set_static_name (self->resolve, "[earmark] lists find their podcasts");
  g_source_set_callback (self->resolve, resolve_cb, self, NULL);
  g_source_attach (self->resolve, g_main_context_get_thread_default ());
}

static void
ear_lists_dispose (GObject *object)
{
  EarLists *self = EAR_LISTS (object);

  if (self->resolve != NULL)
    g_source_destroy (self->resolve);
  g_clear_pointer (&self->resolve, g_source_unref);
  g_clear_object (&self->records);
  g_hash_table_remove_all (self->touched);
  g_hash_table_remove_all (self->by_id);
  g_list_store_remove_all (self->all);
  g_clear_object (&self->notices);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_lists_parent_class)->dispose (object);
}

static void
ear_lists_finalize (GObject *object)
{
  EarLists *self = EAR_LISTS (object);

  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_object (&self->all);

  G_OBJECT_CLASS (ear_lists_parent_class)->finalize (object);
}

static void
ear_lists_class_init (EarListsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_lists_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_lists_finalize;

  g_signal_new ("contents-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 1, EAR_TYPE_LIST);
}

static void
ear_lists_init (EarLists *self)
{
  self->all = g_list_store_new (EAR_TYPE_LIST);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->touched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

/* @state: stores the records */
EarLists *
ear_lists_new (EarCatalogue *catalogue, EarUserdataStore *state, EarNotices *notices)
{
  EarLists *self = g_object_new (EAR_TYPE_LISTS, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->notices = g_object_ref (notices);
  self->records = ear_records_new (state, EAR_RECORD_LIST);
  g_signal_connect_object (self->records, "changed", G_CALLBACK (records_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_catalogue_get_podcasts (catalogue), "items-changed",
                           G_CALLBACK (podcasts_changed_cb), self, G_CONNECT_SWAPPED);

  return self;
}

/* Sets records, then publishes the changes. */
void
ear_lists_set_records (EarLists *self, GPtrArray *records)
{
  self->changing = TRUE;
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);

      ear_records_set (self->records, record->id, record->value);
    }
  self->changing = FALSE;
  publish (self);
}

/* Returns: (transfer none): all lists in order */
GListModel *
ear_lists_get_all (EarLists *self)
{
  g_return_val_if_fail (EAR_IS_LISTS (self), NULL);

  return G_LIST_MODEL (self->all);
}

/* Returns: (transfer none) (nullable): the list with this id */
EarList *
ear_lists_find (EarLists *self, const char *id)
{
  g_return_val_if_fail (EAR_IS_LISTS (self), NULL);

  return g_hash_table_lookup (self->by_id, id);
}

/* Returns: whether the listener has put the episode into a list; %TRUE while the records
 * are not loaded. Cheap: reads no files. */
gboolean
ear_lists_contain (EarLists *self, EarEpisode *episode)
{
  GHashTableIter iter;
  gpointer list;

  g_return_val_if_fail (EAR_IS_LISTS (self), TRUE);

  if (!ear_records_is_loaded (self->records))
    return TRUE;
  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &list))
    if (ear_list_has (list, episode))
      return TRUE;

  return FALSE;
}

/* Adds the records of smart lists whose rule names the URL of a podcast, before and after
 * its change. */
static void
readdress_rules (EarLists *self, const char *from, const char *to, GPtrArray *before,
                 GPtrArray *after)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    {
      g_autoptr (EarList) list = g_list_model_get_item (G_LIST_MODEL (self->all), i);
      const EarListRule *rule = ear_list_get_rule (list);
      const char *id = ear_list_get_id (list);
      g_autoptr (EarListRule) changed = NULL;
      GVariantDict dict;

      if (rule == NULL || rule->podcasts == NULL ||
          !g_strv_contains ((const char *const *) rule->podcasts, from))
        continue;
      changed = ear_list_rule_copy (rule);
      for (guint j = 0; changed->podcasts[j] != NULL; j++)
        if (g_str_equal (changed->podcasts[j], from))
          g_set_str (&changed->podcasts[j], to);
      g_ptr_array_add (before, ear_record_new (id, ear_records_lookup (self->records, id), 0));
      g_variant_dict_init (&dict, ear_records_lookup (self->records, id));
      g_variant_dict_insert_value (&dict, "rule", ear_list_rule_to_variant (changed));
      g_ptr_array_add (after, ear_record_new (id, g_variant_dict_end (&dict), 0));
    }
}

/* Replaces the episodes of a podcast in lists by the same episodes of another podcast.
 * @from: the first URL of the podcast
 * @to: the first URL of the other podcast
 * Returns: (transfer full) (element-type EarRecord): the former records, for
 * [method@EarLists.put_back] */
GPtrArray *
ear_lists_readdress (EarLists *self, const char *from, const char *to)
{
  GPtrArray *before = ear_records_find_address (self->records, "podcast", from);
  g_autoptr (GPtrArray) after = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);

  for (guint i = 0; i < before->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (before, i);

      g_ptr_array_add (
          after, ear_record_new (record->id, ear_record_change_address (record, "podcast", to), 0));
    }
  readdress_rules (self, from, to, before, after);
  ear_lists_set_records (self, after);

  return before;
}

/* @records: (element-type EarRecord): former records of lists and members */
void
ear_lists_put_back (EarLists *self, GPtrArray *records)
{
  ear_lists_set_records (self, records);
}
