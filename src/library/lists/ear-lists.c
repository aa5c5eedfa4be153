/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-lists.h"

#include "ear-list-store.h"
#include "ear-records.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _EarLists
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarRecords *records;
  EarNotices *notices;
  GListStore *all;     /* (element-type EarList): in order */
  GHashTable *by_id;   /* (element-type utf8 EarList) */
  GHashTable *touched; /* (element-type EarList): lists to publish */
  guint resolve;       /* source that finds the podcasts of all members again */
};

/* The listener's lists, in their order.
 * A list is a record, `ID`, and each episode in it another one, `ID/KEY`, which has its
 * position, so lists changed on two computers are merged episode by episode. Records of
 * episodes whose list was removed on another computer are kept in case it is restored. */
G_DEFINE_FINAL_TYPE (EarLists, ear_lists, G_TYPE_OBJECT)

static int
compare_lists (gconstpointer a, gconstpointer b)
{
  EarList *first = EAR_LIST ((gpointer) a);
  EarList *second = EAR_LIST ((gpointer) b);
  const gint64 position = ear_list_get_position (first);
  const gint64 other = ear_list_get_position (second);

  if (position != other)
    return position < other ? -1 : 1;

  return strcmp (ear_list_get_id (first), ear_list_get_id (second));
}

typedef struct
{
  EarList *list;
  char *prefix;
} Owner;

static void
add_member_cb (const char *record, GVariant *value, gpointer user_data)
{
  const Owner *owner = user_data;

  if (g_str_has_prefix (record, owner->prefix))
    ear_list_take_member (owner->list, record, value);
}

static void
add_list (EarLists *self, const char *id, GVariant *value)
{
  EarList *list = ear_list_new (self->catalogue, id);
  g_autofree char *prefix = g_strconcat (id, "/", NULL);

  ear_list_take_value (list, value);
  ear_records_foreach (self->records, add_member_cb, &(Owner) { list, prefix });
  g_hash_table_insert (self->by_id, (char *) ear_list_get_id (list), list);
  g_hash_table_add (self->touched, g_object_ref (list));
}

static void
update_list (EarLists *self, const char *id)
{
  EarList *list = g_hash_table_lookup (self->by_id, id);
  GVariant *value = ear_records_lookup (self->records, id);

  if (list == NULL && value != NULL)
    add_list (self, id, value);
  else if (list != NULL && value == NULL)
    {
      g_hash_table_remove (self->touched, list);
      ear_list_end (list);
      g_hash_table_remove (self->by_id, id);
    }
  else if (list != NULL)
    {
      ear_list_take_value (list, value);
      g_hash_table_add (self->touched, g_object_ref (list));
    }
}

static void
update_member (EarLists *self, const char *record)
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
  g_autoptr (GPtrArray) all = NULL;

  for (guint i = 0; ids[i] != NULL; i++)
    if (strchr (ids[i], '/') == NULL)
      update_list (self, ids[i]);
  for (guint i = 0; ids[i] != NULL; i++)
    if (strchr (ids[i], '/') != NULL)
      update_member (self, ids[i]);
  all = g_hash_table_get_values_as_ptr_array (self->by_id);
  g_ptr_array_sort_values (all, compare_lists);
  ear_list_store_update (self->all, all);
  publish (self);
}

static void
resolve_cb (gpointer user_data)
{
  EarLists *self = user_data;

  self->resolve = 0;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    g_hash_table_add (self->touched, g_list_model_get_item (G_LIST_MODEL (self->all), i));
  publish (self);
}

/* Runs once for many podcasts that are followed at the same time. */
static void
podcasts_changed_cb (EarLists *self)
{
  if (self->resolve == 0)
    self->resolve = g_idle_add_once (resolve_cb, self);
}

static void
ear_lists_dispose (GObject *object)
{
  EarLists *self = EAR_LISTS (object);

  g_clear_handle_id (&self->resolve, g_source_remove);
  g_clear_object (&self->records);
  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_object (&self->all);
  g_clear_object (&self->notices);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_lists_parent_class)->dispose (object);
}

static void
ear_lists_class_init (EarListsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_lists_dispose;

  g_signal_new ("contents-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 1, EAR_TYPE_LIST);
}

static void
ear_lists_init (EarLists *self)
{
  self->all = g_list_store_new (EAR_TYPE_LIST);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
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

/* Members of the record that Earmark does not know are kept. */
static void
add_record (EarLists *self, GPtrArray *records, const char *id, const char *name, GVariant *value)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (ear_records_lookup (self->records, id));

  g_variant_dict_insert_value (&dict, name, value);
  g_ptr_array_add (records, ear_record_new (id, g_variant_dict_end (&dict), 0));
}

/* Adds the changed records of smart lists whose rule names the URL of a podcast. */
static void
readdress_rules (EarLists *self, const char *from, const char *to, GPtrArray *records)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    {
      g_autoptr (EarList) list = g_list_model_get_item (G_LIST_MODEL (self->all), i);
      const EarListRule *rule = ear_list_get_rule (list);
      g_autoptr (EarListRule) changed = NULL;

      if (rule == NULL || rule->podcasts == NULL ||
          !g_strv_contains ((const char *const *) rule->podcasts, from))
        continue;
      changed = ear_list_rule_copy (rule);
      for (guint j = 0; changed->podcasts[j] != NULL; j++)
        if (g_str_equal (changed->podcasts[j], from))
          g_set_str (&changed->podcasts[j], to);
      add_record (self, records, ear_list_get_id (list), "rule",
                  ear_list_rule_to_variant (changed));
    }
}

/* Replaces the episodes of a podcast in lists by the same episodes of another podcast.
 * @from: the first URL of the podcast
 * @to: the first URL of the other podcast */
void
ear_lists_readdress (EarLists *self, const char *from, const char *to)
{
  g_autoptr (GPtrArray) records =
      ear_records_list_readdressed (self->records, "podcast", from, to);
  g_autoptr (EarUndo) undo = NULL;

  readdress_rules (self, from, to, records);
  undo = ear_records_change (self->records, records, NULL);
}

/* Changes to lists. Each sets records, and Undo sets their former values. */

/* @message: (nullable): the message of the notice
 * @records: (element-type EarRecord): the new records; one without a value is removed */
static void
change_records (EarLists *self, GPtrArray *records, const char *message)
{
  g_autoptr (EarUndo) undo = ear_records_change (self->records, records, message);

  ear_notices_offer_undo (self->notices, undo);
}

static GPtrArray *
records_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);
}

/* Returns: the position of the list at index @position, or 0 */
static gint64
get_list_position (GPtrArray *others, guint position)
{
  return position < others->len ? ear_list_get_position (g_ptr_array_index (others, position)) : 0;
}

static GPtrArray *
list_others (EarLists *self, EarList *list)
{
  GPtrArray *others = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->all)); i++)
    {
      g_autoptr (EarList) other = g_list_model_get_item (G_LIST_MODEL (self->all), i);

      if (other != list)
        g_ptr_array_add (others, g_steal_pointer (&other));
    }

  return others;
}

static GVariant *
create_value (const char *title, gint64 place, const EarListRule *rule)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert (&dict, "place", "x", place);
  if (rule != NULL)
    g_variant_dict_insert_value (&dict, "rule", ear_list_rule_to_variant (rule));

  return g_variant_dict_end (&dict);
}

static void
add_member (EarLists *self, GPtrArray *records, const char *list, EarEpisode *episode, gint64 place)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *id = g_strconcat (list, "/", key, NULL);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  const char *guid = ear_episode_get_guid (episode);
  const char *alias = ear_episode_get_facts (episode)->guid;
  const char *title = ear_episode_get_title (episode);

  g_variant_dict_insert (&dict, "podcast", "s",
                         ear_podcast_get_address (ear_episode_get_podcast (episode)));
  g_variant_dict_insert (&dict, "guid", "s", guid);
  if (alias != NULL && !g_str_equal (alias, guid))
    g_variant_dict_insert (&dict, "alias", "s", alias);
  if (title != NULL)
    g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert (&dict, "place", "x", place);
  g_ptr_array_add (records, ear_record_new (id, g_variant_dict_end (&dict), 0));
}

/* Returns: whether the episode can be in a list. Episodes of a preview, before a podcast
 * is followed, cannot. */
gboolean
ear_lists_accept (EarEpisode *episode)
{
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_EPISODE (episode), FALSE);

  podcast = ear_episode_get_podcast (episode);

  return podcast != NULL && ear_podcast_get_followed (podcast);
}

static GPtrArray *
list_accepted (GPtrArray *episodes)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; episodes != NULL && i < episodes->len; i++)
    if (ear_lists_accept (g_ptr_array_index (episodes, i)) &&
        !g_ptr_array_find (kept, g_ptr_array_index (episodes, i), NULL))
      g_ptr_array_add (kept, g_object_ref (g_ptr_array_index (episodes, i)));

  return kept;
}

/* Finds the record of an episode in the list, which may have another id than a new one
 * would. */
static EarMember *
find_member (GPtrArray *members, EarEpisode *episode)
{
  for (guint i = 0; i < members->len; i++)
    if (ear_member_is (g_ptr_array_index (members, i), episode))
      return g_ptr_array_index (members, i);

  return NULL;
}

static void
set_episode_position (EarLists *self, GPtrArray *records, EarList *list, GPtrArray *members,
                      EarEpisode *episode, gint64 place)
{
  EarMember *member = find_member (members, episode);

  if (member != NULL)
    add_record (self, records, member->record, "place", g_variant_new_int64 (place));
  else
    add_member (self, records, ear_list_get_id (list), episode, place);
}

/* Returns: (transfer container): the members that are not among the episodes */
static GPtrArray *
list_other_members (GPtrArray *members, GPtrArray *episodes)
{
  GPtrArray *others = g_ptr_array_new ();

  for (guint i = 0; i < members->len; i++)
    {
      gboolean is_one = FALSE;

      for (guint j = 0; j < episodes->len && !is_one; j++)
        is_one = ear_member_is (g_ptr_array_index (members, i), g_ptr_array_index (episodes, j));
      if (!is_one)
        g_ptr_array_add (others, g_ptr_array_index (members, i));
    }

  return others;
}

static gint64
get_member_position (GPtrArray *members, guint position)
{
  return position < members->len ? ((EarMember *) g_ptr_array_index (members, position))->place : 0;
}

/* Inserts episodes before index @index of the others, or at the end.
 * Returns: (transfer full) (element-type EarRecord): the records to set */
static GPtrArray *
insert_episodes (EarLists *self, EarList *list, GPtrArray *members, GPtrArray *others, guint index,
                 GPtrArray *episodes)
{
  GPtrArray *records = records_new ();
  const EarOrder order =
      ear_order_insert (index, episodes->len, others->len,
                        index > 0 ? get_member_position (others, index - 1) : 0,
                        get_member_position (others, index));

  for (guint i = 0; i < episodes->len; i++)
    set_episode_position (self, records, list, members, g_ptr_array_index (episodes, i),
                          ear_order_get_inserted (&order, i));
  for (guint i = 0; order.renumber && i < others->len; i++)
    add_record (self, records, ((EarMember *) g_ptr_array_index (others, i))->record, "place",
                g_variant_new_int64 (ear_order_get_other (&order, i)));

  return records;
}

static char *
describe_added (guint n, const char *title)
{
  /* Translators: %2$s is the name of a list; %1$u episodes were just added to it. */
  return n > 1 ? g_strdup_printf (ngettext ("%1$'u episode added to “%2$s”",
                                            "%1$'u episodes added to “%2$s”", n),
                                  n, title)
               /* Translators: %s is the name of a list; an episode was just added to it. */
               : g_strdup_printf (_("Added to “%s”"), title);
}

/* Creates a list below all others.
 * @rule: (nullable): the rule of a smart list
 * @episodes: (nullable) (element-type EarEpisode): the episodes of an ordinary list
 * Returns: (transfer none): the list */
EarList *
ear_lists_create (EarLists *self, const char *title, const EarListRule *rule, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) records = records_new ();
  g_autoptr (GPtrArray) kept = NULL;
  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *message = NULL;
  gint64 place;

  g_return_val_if_fail (EAR_IS_LISTS (self), NULL);
  g_return_val_if_fail (title != NULL, NULL);

  kept = list_accepted (episodes);
  place = g_get_real_time ();
  if (g_list_model_get_n_items (G_LIST_MODEL (self->all)) > 0)
    {
      g_autoptr (EarList) last = g_list_model_get_item (
          G_LIST_MODEL (self->all), g_list_model_get_n_items (G_LIST_MODEL (self->all)) - 1);

      place = MAX (place, ear_list_get_position (last) + EAR_ORDER_STEP);
    }
  g_ptr_array_add (records, ear_record_new (id, create_value (title, place, rule), 0));
  for (guint i = 0; i < kept->len; i++)
    add_member (self, records, id, g_ptr_array_index (kept, i), place + EAR_ORDER_STEP * i);
  message = kept->len > 0 ? describe_added (kept->len, title) : NULL;
  change_records (self, records, message);

  return ear_lists_find (self, id);
}

/* Renames a list, or sets the rule of a smart list.
 * @rule: (nullable): %NULL keeps the rule */
void
ear_lists_change (EarLists *self, EarList *list, const char *title, const EarListRule *rule)
{
  g_autoptr (GPtrArray) records = NULL;
  g_auto (GVariantDict) dict = { 0 };
  GVariant *before;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));
  g_return_if_fail (title != NULL);

  before = ear_records_lookup (self->records, ear_list_get_id (list));
  if (before == NULL)
    return;
  records = records_new ();
  g_variant_dict_init (&dict, before);
  g_variant_dict_insert (&dict, "title", "s", title);
  if (rule != NULL && ear_list_is_smart (list))
    g_variant_dict_insert_value (&dict, "rule", ear_list_rule_to_variant (rule));
  g_ptr_array_add (records, ear_record_new (ear_list_get_id (list), g_variant_dict_end (&dict), 0));
  if (!g_variant_equal (before, ((EarRecord *) g_ptr_array_index (records, 0))->value))
    change_records (self, records, NULL);
}

/* Removes a list. Its episodes stay. */
void
ear_lists_remove (EarLists *self, EarList *list)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) members = NULL;
  g_autofree char *message = NULL;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));

  records = records_new ();
  members = ear_list_dup_members (list);
  /* Translators: %s is the name of a list. */
  message = g_strdup_printf (_("“%s” removed"), ear_list_get_title (list));
  g_ptr_array_add (records, ear_record_new (ear_list_get_id (list), NULL, 0));
  for (guint i = 0; i < members->len; i++)
    g_ptr_array_add (
        records, ear_record_new (((EarMember *) g_ptr_array_index (members, i))->record, NULL, 0));
  change_records (self, records, message);
}

/* Moves a list before another one.
 * @before: (nullable): %NULL for the end */
void
ear_lists_move (EarLists *self, EarList *list, EarList *before)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) others = NULL;
  EarOrder order;
  guint index;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));

  if (list == before)
    return;
  records = records_new ();
  others = list_others (self, list);
  if (before == NULL || !g_ptr_array_find (others, before, &index))
    index = others->len;
  order = ear_order_insert (index, 1, others->len,
                            index > 0 ? get_list_position (others, index - 1) : 0,
                            get_list_position (others, index));
  add_record (self, records, ear_list_get_id (list), "place",
              g_variant_new_int64 (ear_order_get_inserted (&order, 0)));
  for (guint i = 0; order.renumber && i < others->len; i++)
    add_record (self, records, ear_list_get_id (g_ptr_array_index (others, i)), "place",
                g_variant_new_int64 (ear_order_get_other (&order, i)));
  change_records (self, records, NULL);
}

static EarList *
get_list (EarLists *self, guint position)
{
  g_autoptr (EarList) list = g_list_model_get_item (G_LIST_MODEL (self->all), position);

  return list;
}

/* Moves a list after another one. */
void
ear_lists_move_behind (EarLists *self, EarList *list, EarList *other)
{
  guint position;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));
  g_return_if_fail (EAR_IS_LIST (other));

  if (list == other || !g_list_store_find (self->all, other, &position))
    return;
  /* The list may already be there. */
  if (get_list (self, position + 1) != list)
    ear_lists_move (self, list, get_list (self, position + 1));
}

/* Moves a list up or down by one.
 * Returns: whether it could be moved */
gboolean
ear_lists_move_by (EarLists *self, EarList *list, gboolean up)
{
  guint position;

  g_return_val_if_fail (EAR_IS_LISTS (self), FALSE);
  g_return_val_if_fail (EAR_IS_LIST (list), FALSE);

  if (!g_list_store_find (self->all, list, &position) ||
      (up ? position == 0 : position + 1 >= g_list_model_get_n_items (G_LIST_MODEL (self->all))))
    return FALSE;
  if (up)
    ear_lists_move (self, list, get_list (self, position - 1));
  else
    ear_lists_move_behind (self, list, get_list (self, position + 1));

  return TRUE;
}

/* Adds episodes at the end of a list. Episodes that are in the list stay where they are.
 * @episodes: (element-type EarEpisode): the episodes */
void
ear_lists_add (EarLists *self, EarList *list, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) added = NULL;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));

  added = list_accepted (episodes);
  for (guint i = added->len; i > 0; i--)
    if (ear_list_has (list, g_ptr_array_index (added, i - 1)))
      g_ptr_array_remove_index (added, i - 1);
  if (added->len > 0)
    ear_lists_insert (self, list, added, NULL);
  else if (episodes->len > 0)
    {
      /* Translators: %s is the name of a list that has the episode. */
      g_autofree char *message = g_strdup_printf (_("Already in “%s”"), ear_list_get_title (list));

      ear_notices_add (self->notices, message, FALSE);
    }
}

/* Inserts episodes before another one of a list, keeping their order. Episodes that are
 * in the list are moved.
 * @episodes: (element-type EarEpisode): the episodes
 * @before: (nullable): an episode of the list, or %NULL for the end */
void
ear_lists_insert (EarLists *self, EarList *list, GPtrArray *episodes, EarEpisode *before)
{
  g_autoptr (GPtrArray) kept = NULL;
  g_autoptr (GPtrArray) members = NULL;
  g_autoptr (GPtrArray) others = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *message = NULL;
  EarMember *other = NULL;
  guint n_new = 0;
  guint position;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));

  kept = list_accepted (episodes);
  /* Dropped on one of themselves: nothing moves. */
  if (kept->len == 0 || ear_list_is_smart (list) ||
      (before != NULL && g_ptr_array_find (kept, before, NULL)))
    return;
  for (guint i = 0; i < kept->len; i++)
    n_new += !ear_list_has (list, g_ptr_array_index (kept, i));
  members = ear_list_dup_members (list);
  others = list_other_members (members, kept);
  if (before != NULL)
    other = find_member (others, before);
  if (other == NULL || !g_ptr_array_find (others, other, &position))
    position = others->len;
  records = insert_episodes (self, list, members, others, position, kept);
  message = n_new > 0 ? describe_added (n_new, ear_list_get_title (list)) : NULL;
  change_records (self, records, message);
}

/* Removes episodes from a list.
 * @episodes: (element-type EarEpisode): the episodes */
void
ear_lists_take_out (EarLists *self, EarList *list, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) members = NULL;
  g_autofree char *message = NULL;
  guint n = 0;

  g_return_if_fail (EAR_IS_LISTS (self));
  g_return_if_fail (EAR_IS_LIST (list));

  records = records_new ();
  members = ear_list_dup_members (list);
  for (guint j = 0; j < episodes->len; j++)
    n += ear_list_has (list, g_ptr_array_index (episodes, j));
  for (guint i = 0; i < members->len; i++)
    for (guint j = 0; j < episodes->len; j++)
      if (ear_member_is (g_ptr_array_index (members, i), g_ptr_array_index (episodes, j)))
        g_ptr_array_add (
            records,
            ear_record_new (((EarMember *) g_ptr_array_index (members, i))->record, NULL, 0));
  if (records->len == 0)
    return;
  /* Translators: %2$s is the name of a list; %1$u episodes were just removed from it. */
  message = n > 1 ? g_strdup_printf (ngettext ("%1$'u episode removed from “%2$s”",
                                               "%1$'u episodes removed from “%2$s”", n),
                                     n, ear_list_get_title (list))
                  /* Translators: %s is the name of a list; an episode was just removed from it. */
                  : g_strdup_printf (_("Removed from “%s”"), ear_list_get_title (list));
  change_records (self, records, message);
}
