/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-lists.h"

#include "ear-list-store.h"
#include "ear-property.h"
#include "ear-records.h"
#include "ear-text-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* An episode in a list */
typedef struct
{
  EarListMember listed; /* owns its texts; its podcast is 0 if it is not followed */
  char *record;         /* its record id */
  char *address;        /* URL of the podcast */
  gint64 place;
} Member;

/* A list of the listener: either of episodes in their own order, or a smart list of
 * episodes that match a rule. EarLists sets its contents from records; an ordinary
 * [class@EarEpisodeList] shows its episodes. */
struct _EarList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  char *id;
  char *title;
  EarListRule *rule;  /* (nullable) */
  GPtrArray *members; /* (element-type Member): in order, even those without a row in the
                       * catalogue */

  gint64 place;
};

G_DEFINE_FINAL_TYPE (EarList, ear_list, G_TYPE_OBJECT)

static void
member_free (gpointer data)
{
  Member *member = data;

  g_free (member->record);
  g_free (member->address);
  g_free ((char *) member->listed.guid);
  g_free ((char *) member->listed.alias);
  g_free (member);
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const Member *first = a;
  const Member *second = b;

  if (first->place != second->place)
    return ear_compare (first->place, second->place);

  return strcmp (first->record, second->record);
}

/* Returns: whether the member is the episode, by guid or alias */
static gboolean
member_is (const Member *self, EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const char *guid = ear_episode_get_guid (episode);
  const char *alias = ear_episode_get_facts (episode)->guid;

  return self->listed.podcast == ear_podcast_get_id (podcast) &&
         (g_str_equal (self->listed.guid, guid) || g_strcmp0 (self->listed.guid, alias) == 0 ||
          g_strcmp0 (self->listed.alias, guid) == 0);
}

static void
ear_list_release (EarList *self)
{
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_clear_pointer (&self->id, g_free);
  g_clear_object (&self->catalogue);
}

static void
ear_list_class_init (EarListClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarList, title, G_TYPE_STRING),
    EAR_READABLE (EarList, rule, EAR_TYPE_LIST_RULE),
  };

  ear_class_set_release (klass, ear_list_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_list_init (EarList *self)
{
  self->members = g_ptr_array_new_with_free_func (member_free);
}

/* Half of the range, so that steps can be added without an overflow */
#define HIGHEST_PLACE (G_MAXINT64 / 2)

/* @value: a record; untrusted
 * Returns: its position; at least 1, as 0 stands for none */
static gint64
read_place (GVariant *value)
{
  const double place = ear_record_get_number (value, "place", 0);

  return (gint64) CLAMP (place, 1, (double) HIGHEST_PLACE);
}

/* Maximum length of a title in bytes; longer ones from files are cut. */
#define TITLE_LIMIT 400

/* Sets title, position and rule from a record. */
static void
take_value (EarList *self, GVariant *value)
{
  g_autoptr (GVariant) rule = NULL;
  g_autofree char *line = NULL;
  const char *title = "";

  g_variant_lookup (value, "title", "&s", &title);
  line = ear_text_line (title, EAR_TEXT_LITERAL, TITLE_LIMIT);
  g_variant_lookup (value, "rule", "@a{sv}", &rule);
  self->place = read_place (value);
  g_clear_pointer (&self->rule, ear_list_rule_free);
  self->rule = rule != NULL ? ear_list_rule_read (rule) : NULL;
  ear_property_set_string (self, "title", line != NULL ? line : _("Untitled list"));
  ear_notify (self, "rule");
}

/* @records: (element-type utf8 GVariant): all records, of which those of the members begin with
 *   the id of the list */
static void
take_members (EarList *self, GHashTable *records)
{
  g_autofree char *prefix = g_strconcat (self->id, "/", NULL);
  GHashTableIter iter;
  gpointer record, value;

  g_ptr_array_set_size (self->members, 0);
  g_hash_table_iter_init (&iter, records);
  while (g_hash_table_iter_next (&iter, &record, &value))
    {
      const char *address, *guid;
      Member *member;

      if (!g_str_has_prefix (record, prefix) ||
          !g_variant_lookup (value, "podcast", "&s", &address) ||
          !g_variant_lookup (value, "guid", "&s", &guid))
        continue;
      member = g_new0 (Member, 1);
      member->record = g_strdup (record);
      member->address = g_strdup (address);
      member->listed.guid = g_strdup (guid);
      g_variant_lookup (value, "alias", "s", &member->listed.alias);
      member->place = read_place (value);
      g_ptr_array_add (self->members, member);
    }
  g_ptr_array_sort_values (self->members, compare_members);
}

static gint64
find_podcast_id (EarList *self, const char *address)
{
  EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, address);

  return podcast != NULL ? ear_podcast_get_id (podcast) : 0;
}

static void
publish_members (EarList *self)
{
  g_autoptr (GPtrArray) published = g_ptr_array_new ();

  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = g_ptr_array_index (self->members, i);

      member->listed.podcast = find_podcast_id (self, member->address);
      if (member->listed.podcast != 0)
        g_ptr_array_add (published, &member->listed);
    }
  ear_catalogue_set_list (self->catalogue, self->id, published);
}

/* Returns: (transfer full) (nullable) (element-type gint64): the row ids; %NULL for all
 * podcasts */
static GArray *
find_rule_podcasts (EarList *self)
{
  char **addresses = self->rule->podcasts;
  GArray *ids = addresses != NULL ? ear_ids_new () : NULL;

  for (guint i = 0; addresses != NULL && addresses[i] != NULL; i++)
    {
      const gint64 id = find_podcast_id (self, addresses[i]);

      if (id != 0)
        g_array_append_val (ids, id);
    }

  return ids;
}

/* Sends the members to the catalogue, or has the query of a smart list made again, whose
 * podcasts may have other rows. */
static void
publish_list (EarList *self)
{
  if (self->rule == NULL)
    publish_members (self);
  else
    ear_notify (self, "rule");
}

EAR_DEFINE_GET (EarList, ear_list, const char *, id)
EAR_DEFINE_GET (EarList, ear_list, const char *, title)
EAR_DEFINE_GET (EarList, ear_list, const EarListRule *, rule)

gboolean
ear_list_is_smart (EarList *self)
{
  return self->rule != NULL;
}

/* The record of an episode may have another id than a new one would.
 * Returns: (nullable) */
static Member *
find_member (EarList *self, EarEpisode *episode)
{
  for (guint i = 0; i < self->members->len; i++)
    if (member_is (g_ptr_array_index (self->members, i), episode))
      return g_ptr_array_index (self->members, i);

  return NULL;
}

/* Returns: whether the listener has put the episode into the list */
gboolean
ear_list_has (EarList *self, EarEpisode *episode)
{
  return find_member (self, episode) != NULL;
}

/* @sort: the order of search results; without a search, the list's own order is used
 * Returns: (transfer full): the query of the list's episodes */
EarEpisodeQuery *
ear_list_create_query (EarList *self, EarEpisodeSort sort, const char *search)
{
  const EarListRule *rule = self->rule;
  g_autoptr (GArray) podcasts = NULL;
  g_autofree char *words = NULL;
  EarEpisodeConditions terms;
  EarEpisodeQuery *query;

  /* A search in a smart list also requires the words of the rule. The typed words come last, as
   * only the last word of a query matches by prefix. */
  words = rule != NULL && rule->words != NULL ? g_strjoin (" ", rule->words, search, NULL)
                                              : g_strdup (search);
  query = ear_episode_query_new (0, EAR_FILTER_ALL,
                                 rule == NULL || search != NULL ? sort : rule->sort, words);
  if (rule == NULL)
    {
      query->list = g_strdup (self->id);
      return query;
    }
  podcasts = find_rule_podcasts (self);
  terms = rule->terms;
  terms.podcasts = podcasts;
  terms.only_notes = rule->words != NULL;
  ear_episode_query_set_terms (query, &terms);

  return query;
}

struct _EarLists
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarRecords *records;
  GListStore *all;   /* (element-type EarList): in order */
  GHashTable *by_id; /* (element-type utf8 EarList) */
  guint resolve;     /* source that finds the podcasts of all members again */
};

/* The listener's lists, in their order.
 * A list is a record, `ID`, and each episode in it another one, `ID/KEY`, which has its
 * position, so lists changed on two computers are merged episode by episode. Records of
 * episodes whose list was removed on another computer are kept in case it is restored. */
G_DEFINE_FINAL_TYPE (EarLists, ear_lists, EAR_TYPE_PART)

static int
compare_lists (gconstpointer a, gconstpointer b)
{
  const EarList *first = a;
  const EarList *second = b;

  if (first->place != second->place)
    return ear_compare (first->place, second->place);

  return strcmp (first->id, second->id);
}

/* Updates a list from its records.
 * Returns: (transfer none) (nullable): the list; %NULL if it was removed */
static EarList *
update_list (EarLists *self, const char *id)
{
  EarList *list = g_hash_table_lookup (self->by_id, id);
  GVariant *value = ear_records_lookup (self->records, id);

  if (value == NULL)
    {
      if (list != NULL)
        ear_catalogue_set_list (self->catalogue, id, NULL);
      g_hash_table_remove (self->by_id, id);
      return NULL;
    }
  if (list == NULL)
    {
      list = g_object_new (EAR_TYPE_LIST, NULL);
      list->id = g_strdup (id);
      list->catalogue = g_object_ref (self->catalogue);
      g_hash_table_insert (self->by_id, list->id, list);
    }
  take_value (list, value);
  take_members (list, ear_records_get_values (self->records));

  return list;
}

static void
records_changed_cb (EarLists *self, char **ids)
{
  g_autoptr (GHashTable) changed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) updated = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) all = NULL;
  GHashTableIter iter;
  gpointer id;

  for (guint i = 0; ids[i] != NULL; i++)
    g_hash_table_add (changed, g_strndup (ids[i], strcspn (ids[i], "/")));
  g_hash_table_iter_init (&iter, changed);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      EarList *list = update_list (self, id);

      if (list != NULL)
        g_ptr_array_add (updated, g_object_ref (list));
    }
  all = g_hash_table_get_values_as_ptr_array (self->by_id);
  g_ptr_array_sort_values (all, compare_lists);
  ear_list_store_update (self->all, all);
  for (guint i = 0; i < updated->len; i++)
    publish_list (g_ptr_array_index (updated, i));
}

/* Returns: (transfer none) (nullable): the list at this index */
static EarList *
get_list (EarLists *self, guint position)
{
  return ear_list_peek (G_LIST_MODEL (self->all), position);
}

static void
resolve_cb (gpointer user_data)
{
  EarLists *self = user_data;
  EarList *list;

  self->resolve = 0;
  for (guint i = 0; (list = get_list (self, i)) != NULL; i++)
    publish_list (list);
}

/* Runs once for many podcasts that are followed at the same time. */
static void
podcasts_changed_cb (EarLists *self)
{
  if (self->resolve == 0)
    self->resolve = g_idle_add_once (resolve_cb, self);
}

static void
ear_lists_release (EarLists *self)
{
  g_clear_handle_id (&self->resolve, g_source_remove);
  g_clear_object (&self->records);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_object (&self->all);
}

static void
ear_lists_class_init (EarListsClass *klass)
{
  ear_class_set_release (klass, ear_lists_release);
}

static void
ear_lists_init (EarLists *self)
{
  self->all = g_list_store_new (EAR_TYPE_LIST);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
}

EarLists *
ear_lists_new (const EarServices *services)
{
  EarLists *self = ear_part_new (EAR_TYPE_LISTS, services);

  self->records = ear_records_new (services->state, EAR_RECORD_LIST);
  ear_connect (self->records, "changed", records_changed_cb, self);
  ear_connect (services->podcasts, "items-changed", podcasts_changed_cb, self);

  return self;
}

GListModel *
ear_lists_get_all (EarLists *self)
{
  return G_LIST_MODEL (self->all);
}

EarList *
ear_lists_find (EarLists *self, const char *id)
{
  return g_hash_table_lookup (self->by_id, id);
}

/* Returns: whether the listener has put the episode into a list; %TRUE while the records
 * are not loaded. Cheap: reads no files. */
gboolean
ear_lists_contain (EarLists *self, EarEpisode *episode)
{
  GHashTableIter iter;
  gpointer list;

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

/* Replaces the episodes of a podcast in lists by the same episodes of another podcast. */
void
ear_lists_readdress (EarLists *self, const char *from, const char *to)
{
  g_autoptr (GPtrArray) records =
      ear_records_list_readdressed (self->records, "podcast", from, to);
  EarList *list;

  for (guint i = 0; (list = get_list (self, i)) != NULL; i++)
    {
      g_autoptr (EarListRule) changed = NULL;

      if (list->rule == NULL || list->rule->podcasts == NULL ||
          !g_strv_contains ((const char *const *) list->rule->podcasts, from))
        continue;
      changed = ear_list_rule_copy (list->rule);
      for (guint j = 0; changed->podcasts[j] != NULL; j++)
        if (g_str_equal (changed->podcasts[j], from))
          g_set_str (&changed->podcasts[j], to);
      add_record (self, records, list->id, "rule", ear_list_rule_to_variant (changed));
    }
  ear_records_set_all (self->records, records);
}

/* Changes to lists. Each sets records, and Undo sets their former values. */

static gint64
get_place (EarLists *self, GPtrArray *ids, guint index)
{
  return index < ids->len ? read_place (ear_records_lookup (self->records, ids->pdata[index])) : 0;
}

/* Makes room for @n items before index @index of others, or behind them.
 * @records: receives the records of those that need another position
 * @ids: (element-type utf8): record ids of the others, in order */
static EarOrder
make_room (EarLists *self, GPtrArray *records, GPtrArray *ids, guint index, guint n)
{
  const EarOrder order = ear_order_insert (index, n, ids->len, get_place (self, ids, index - 1),
                                           get_place (self, ids, index));

  for (guint i = 0; order.renumber && i < ids->len; i++)
    add_record (self, records, ids->pdata[i], "place",
                g_variant_new_int64 (ear_order_get_other (&order, i)));

  return order;
}

/* @message: (nullable): the message of the notice
 * @records: (element-type EarRecord): the new records; one without a value is removed */
static void
change_records (EarLists *self, GPtrArray *records, const char *message)
{
  ear_notices_offer_undo (self->notices, ear_records_change (self->records, records, message));
}

/* Returns: (transfer container) (element-type utf8): the ids of the lists, in order
 * @without: (nullable): a list to leave out */
static GPtrArray *
list_ids (EarLists *self, EarList *without)
{
  GPtrArray *ids = g_ptr_array_new ();
  EarList *list;

  for (guint i = 0; (list = get_list (self, i)) != NULL; i++)
    if (list != without)
      g_ptr_array_add (ids, list->id);

  return ids;
}

static void
remove_record (GPtrArray *records, const char *id)
{
  g_ptr_array_add (records, ear_record_new (id, NULL, 0));
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
  return ear_podcast_get_followed (ear_episode_get_podcast (episode));
}

static gboolean
member_is_any (const Member *self, GPtrArray *episodes)
{
  for (guint i = 0; i < episodes->len; i++)
    if (member_is (self, g_ptr_array_index (episodes, i)))
      return TRUE;

  return FALSE;
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
 * Returns: (transfer none): the list */
EarList *
ear_lists_create (EarLists *self, const char *title, const EarListRule *rule, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  g_autoptr (GPtrArray) kept = ear_order_list_accepted (episodes, ear_lists_accept);
  g_autoptr (GPtrArray) others = list_ids (self, NULL);
  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *message = NULL;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  const EarOrder order = make_room (self, records, others, others->len, 1);
  const gint64 place = ear_order_get_inserted (&order, 0);

  g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert (&dict, "place", "x", place);
  if (rule != NULL)
    g_variant_dict_insert_value (&dict, "rule", ear_list_rule_to_variant (rule));
  g_ptr_array_add (records, ear_record_new (id, g_variant_dict_end (&dict), 0));
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
  GVariant *before = ear_records_lookup (self->records, list->id);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (before);

  if (before == NULL)
    return;
  g_variant_dict_insert (&dict, "title", "s", title);
  if (rule != NULL && list->rule != NULL)
    g_variant_dict_insert_value (&dict, "rule", ear_list_rule_to_variant (rule));
  ear_notices_offer_undo (self->notices, ear_records_change_one (self->records, list->id,
                                                                 g_variant_dict_end (&dict), NULL));
}

/* Removes a list. Its episodes stay. */
void
ear_lists_remove (EarLists *self, EarList *list)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  /* Translators: %s is the name of a list. */
  g_autofree char *message = g_strdup_printf (_("“%s” removed"), list->title);

  remove_record (records, list->id);
  for (guint i = 0; i < list->members->len; i++)
    remove_record (records, ((Member *) g_ptr_array_index (list->members, i))->record);
  change_records (self, records, message);
}

void
ear_lists_move (EarLists *self, EarList *list, EarList *other, gboolean behind)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  g_autoptr (GPtrArray) others = list_ids (self, list);
  EarOrder order;
  guint from, index;

  if (!g_list_store_find (self->all, list, &from) || !g_ptr_array_find (others, other->id, &index))
    return;
  index += behind ? 1 : 0;
  if (index == from)
    return;
  order = make_room (self, records, others, index, 1);
  add_record (self, records, list->id, "place",
              g_variant_new_int64 (ear_order_get_inserted (&order, 0)));
  change_records (self, records, NULL);
}

/* Moves a list up or down by one.
 * Returns: whether it could be moved */
gboolean
ear_lists_move_by (EarLists *self, EarList *list, gboolean up)
{
  guint position;
  EarList *other;

  if (!g_list_store_find (self->all, list, &position))
    return FALSE;
  /* Above the first one, there is no list at position -1. */
  other = get_list (self, up ? position - 1 : position + 1);
  if (other != NULL)
    ear_lists_move (self, list, other, !up);

  return other != NULL;
}

/* Adds episodes at the end of a list. Episodes that are in the list stay where they are. */
void
ear_lists_add (EarLists *self, EarList *list, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) added = ear_order_list_accepted (episodes, ear_lists_accept);

  for (guint i = added->len; i > 0; i--)
    if (ear_list_has (list, g_ptr_array_index (added, i - 1)))
      g_ptr_array_remove_index (added, i - 1);
  if (added->len > 0)
    ear_lists_insert (self, list, added, NULL);
  else if (episodes->len > 0)
    /* Translators: %s is the name of a list that has the episode. */
    ear_notices_add (self->notices, FALSE, _("Already in “%s”"), list->title);
}

/* Inserts episodes before another one of a list, keeping their order. Episodes that are
 * in the list are moved.
 * @before: (nullable): an episode of the list, or %NULL for the end */
void
ear_lists_insert (EarLists *self, EarList *list, GPtrArray *episodes, EarEpisode *before)
{
  g_autoptr (GPtrArray) kept = ear_order_list_accepted (episodes, ear_lists_accept);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  g_autofree char *message = NULL;
  EarOrder order;
  Member *other;
  guint n_new = 0;
  guint position = G_MAXUINT;

  /* Dropped on one of themselves: nothing moves. */
  if (kept->len == 0 || list->rule != NULL ||
      (before != NULL && g_ptr_array_find (kept, before, NULL)))
    return;
  other = before != NULL ? find_member (list, before) : NULL;
  for (guint i = 0; i < list->members->len; i++)
    {
      Member *member = g_ptr_array_index (list->members, i);

      if (member == other)
        position = others->len;
      if (!member_is_any (member, kept))
        g_ptr_array_add (others, member->record);
    }
  order = make_room (self, records, others, MIN (position, others->len), kept->len);
  for (guint i = 0; i < kept->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (kept, i);
      const Member *member = find_member (list, episode);
      const gint64 place = ear_order_get_inserted (&order, i);

      n_new += member == NULL;
      if (member != NULL)
        add_record (self, records, member->record, "place", g_variant_new_int64 (place));
      else
        add_member (self, records, list->id, episode, place);
    }
  message = n_new > 0 ? describe_added (n_new, list->title) : NULL;
  change_records (self, records, message);
}

/* Removes episodes from a list. */
void
ear_lists_take_out (EarLists *self, EarList *list, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  g_autofree char *message = NULL;
  guint n = 0;

  for (guint i = 0; i < episodes->len; i++)
    n += ear_list_has (list, g_ptr_array_index (episodes, i));
  for (guint i = 0; i < list->members->len; i++)
    if (member_is_any (g_ptr_array_index (list->members, i), episodes))
      remove_record (records, ((Member *) g_ptr_array_index (list->members, i))->record);
  if (records->len == 0)
    return;
  /* Translators: %2$s is the name of a list; %1$u episodes were just removed from it. */
  message = n > 1 ? g_strdup_printf (ngettext ("%1$'u episode removed from “%2$s”",
                                               "%1$'u episodes removed from “%2$s”", n),
                                     n, list->title)
                  /* Translators: %s is the name of a list; an episode was just removed from it. */
                  : g_strdup_printf (_("Removed from “%s”"), list->title);
  change_records (self, records, message);
}
