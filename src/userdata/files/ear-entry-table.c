/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-entry-table.h"

#include "ear-address.h"
#include "ear-mark.h"
#include "ear-podcast-settings.h"
#include "ear-record.h"
#include "ear-time.h"

#include <string.h>

/*
 * The keys of each kind of state file, and how their values read:
 *
 *   { "version": 1, "kind": "podcast",
 *     "addresses": [first, others ...], "title": "...",
 *     "settings": { "notifications": { "value": false, "updated": ... }, "filter": ... },
 *     "episodes": { guid: { "aliases": [...], "title": "...", "enclosure": "...",
 *       "position": { "value": 12.345, "updated": "2026-11-21T06:40:12.123456Z" },
 *       "listened": { "value": true, "updated": ... }, "liked": ..., "shift": ...,
 *       "queued": { "value": 1764162000000000, "updated": ... }, "archived": ... } } }
 *
 *   { "version": 1, "kind": "subscriptions",
 *     "podcasts": { address: { "title": ..., "feed": ...,
 *                              "folder": { "value": "News/Local", "updated": ... },
 *                              "followed": { "value": true, "updated": ... } } } }
 *
 *   { "version": 1, "kind": "bookmarks",
 *     "records": { id: { "value": { ... }, "updated": "2026-11-21T06:40:12.123456Z" } } }
 *
 * An episode has a member for each EarMark, the settings one for each EarPodcastSetting. A
 * record is merged as a whole; the format of its value depends on the kind. A removal is a
 * stamped value (false, 0, null) like any other: otherwise another machine's older file
 * would bring the value back. An unknown value, maybe of a later version, counts as none
 * and stays in the file until the listener changes it.
 *
 * In memory marks, settings and flags are of the type `x`, folders `s`, records `a{sv}`,
 * and removed records the empty tuple.
 */

/* Names of episodes and records */
static gboolean
accepts_name (const char *subject)
{
  return *subject != '\0' && strlen (subject) <= EAR_USERDATA_NAME_LIMIT &&
         g_utf8_validate (subject, -1, NULL);
}

static const char *
read_subscription_fact (guint fact, JsonObject *object)
{
  const char *feed;

  if (fact == EAR_FACT_TITLE)
    return ear_json_get_string (object, "title", EAR_USERDATA_TITLE_LIMIT);
  feed = ear_json_get_string (object, "feed", G_MAXSIZE);

  return ear_address_is_web (feed) ? feed : NULL;
}

/* EarUserdataFile has a bit for each key. */
G_STATIC_ASSERT (EAR_N_MARKS <= 32 && EAR_N_PODCAST_SETTINGS <= 32);

static const EarEntryTable podcast[EAR_N_ENTRY_TABLES] = {
  [EAR_TABLE_EPISODES] = {
    .member = "episodes",
    .keys = ear_mark_types,
    .n_keys = EAR_N_MARKS,
    .has_aliases = TRUE,
    .facts = { "title", "enclosure" },
    .accepts = accepts_name,
  },
  [EAR_TABLE_SETTINGS] = {
    .subject = "settings",
    .keys = ear_podcast_setting_types,
    .n_keys = EAR_N_PODCAST_SETTINGS,
  },
};

static const EarValueType subscription_keys[] = {
  [EAR_ENTRY_FOLLOWED] = { .name = "followed", .kind = EAR_VALUE_FLAG },
  [EAR_ENTRY_FOLDER] = { .name = "folder", .kind = EAR_VALUE_TEXT },
};

static const EarEntryTable subscriptions[EAR_N_ENTRY_TABLES] = { {
  .member = "podcasts",
  .keys = subscription_keys,
  .n_keys = G_N_ELEMENTS (subscription_keys),
  .ignores_stamps = TRUE,
  .keeps_new = TRUE,
  .facts = { "title", "feed" },
  .accepts = ear_address_is_web,
  .implies_first = TRUE, /* as an entry added by hand without further members */
  .read_fact = read_subscription_fact,
} };

static const EarValueType record_key = { .kind = EAR_VALUE_RECORD };

static const EarEntryTable records[EAR_N_ENTRY_TABLES] = { {
  .member = "records",
  .keys = &record_key,
  .n_keys = 1,
  .accepts = accepts_name,
} };

static const EarEntryTable none[EAR_N_ENTRY_TABLES];

/* Returns: (transfer none): its EAR_N_ENTRY_TABLES tables; those without keys are unused */
const EarEntryTable *
ear_entry_tables_find (const char *kind)
{
  EarRecordKind record;

  if (g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    return podcast;
  if (g_str_equal (kind, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    return subscriptions;

  return ear_record_kind_find (kind, &record) ? records : none;
}

/* Returns: (transfer floating) (nullable): the value, %NULL unless it is valid */
static GVariant *
read_value (const EarValueType *type, guint key, JsonNode *node)
{
  const GType held = json_node_get_value_type (node);
  const double number = ear_json_get_number (node);
  int word;

  switch (type->kind)
    {
    case EAR_VALUE_FLAG:
    case EAR_VALUE_OWN_FLAG:
      if (held == G_TYPE_BOOLEAN)
        return g_variant_new_int64 (json_node_get_boolean (node));
      return type->kind == EAR_VALUE_OWN_FLAG && number == -1 ? g_variant_new_int64 (-1) : NULL;
    case EAR_VALUE_SECONDS:
      if (!(number >= (double) type->lowest / G_TIME_SPAN_SECOND &&
            number <= (double) type->highest / G_TIME_SPAN_SECOND))
        return NULL;
      return g_variant_new_int64 (
          (gint64) (number * G_TIME_SPAN_SECOND + (number < 0 ? -0.5 : 0.5)));
    case EAR_VALUE_PLACE:
      return held == G_TYPE_INT64 ? g_variant_new_int64 (json_node_get_int (node)) : NULL;
    case EAR_VALUE_NUMBER:
      if (!(number >= type->lowest && number <= type->highest) || number != (int) number)
        return NULL;
      return g_variant_new_int64 ((int) number);
    case EAR_VALUE_WORD:
      if (held != G_TYPE_STRING ||
          !ear_podcast_setting_find_word (key, json_node_get_string (node), &word))
        return NULL;
      return g_variant_new_int64 (word);
    case EAR_VALUE_TEXT:
      if (held != G_TYPE_STRING || strlen (json_node_get_string (node)) > EAR_USERDATA_TITLE_LIMIT)
        return NULL;
      return g_variant_new_string (json_node_get_string (node));
    case EAR_VALUE_RECORD:
    default:
      if (json_node_is_null (node))
        return g_variant_new_tuple (NULL, 0);
      return JSON_NODE_HOLDS_OBJECT (node) ? json_gvariant_deserialize (node, "a{sv}", NULL) : NULL;
    }
}

static JsonNode *
print_value (const EarValueType *type, GVariant *value)
{
  JsonNode *node = json_node_alloc ();
  gint64 number = 0;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT))
    return json_node_init_null (node);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    number = g_variant_get_int64 (value);
  switch (type->kind)
    {
    case EAR_VALUE_FLAG:
      return json_node_init_boolean (node, number != 0);
    case EAR_VALUE_OWN_FLAG:
      return number < 0 ? json_node_init_int (node, number)
                        : json_node_init_boolean (node, number != 0);
    case EAR_VALUE_SECONDS:
      return json_node_init_double (node, (double) CLAMP (number, type->lowest, type->highest) /
                                              G_TIME_SPAN_SECOND);
    case EAR_VALUE_PLACE:
    case EAR_VALUE_NUMBER:
      return json_node_init_int (node, number);
    case EAR_VALUE_WORD:
      return json_node_init_string (node, type->words[number]);
    case EAR_VALUE_TEXT:
      return json_node_init_string (node, g_variant_get_string (value, NULL));
    case EAR_VALUE_RECORD:
    default:
      json_node_free (node);
      return json_gvariant_serialize (value);
    }
}

/* Returns: name of the member of @holder that has the entry */
static const char *
get_member (const EarEntryTable *table, const char *subject, guint key)
{
  return table->keys[key].name != NULL ? table->keys[key].name : subject;
}

/* Returns: (transfer none): the object of all subjects; created if it is missing */
JsonObject *
ear_entry_ensure_container (const EarEntryTable *table, JsonObject *root)
{
  return table->member != NULL ? ear_json_ensure_object (root, table->member) : root;
}

/* @container: the object of all subjects
 * @object: the object of one of them
 * Returns: the object whose members are its entries; the subject itself may be the entry */
JsonObject *
ear_entry_get_holder (const EarEntryTable *table, JsonObject *container, JsonObject *object)
{
  return table->keys[0].name != NULL ? object : container;
}

/* Returns: (transfer full): the value of an entry that is missing */
GVariant *
ear_entry_dup_default (const EarEntryTable *table, guint key)
{
  const EarValueType *type = &table->keys[key];
  GVariant *value;

  if (type->kind == EAR_VALUE_TEXT)
    value = g_variant_new_string ("");
  else if (type->kind == EAR_VALUE_RECORD)
    value = g_variant_new_tuple (NULL, 0);
  else
    value = g_variant_new_int64 (type->usual);

  return g_variant_ref_sink (value);
}

/* Reads an entry. A bare value, as a person may write it, has the oldest stamp.
 * @holder: the object of the subject; of a record: the object of all records
 * @value: (out) (transfer full) (nullable): its value
 * Returns: its stamp; 0 if there is no valid value */
gint64
ear_entry_read (const EarEntryTable *table, JsonObject *holder, const char *subject, guint key,
                gint64 now, GVariant **value)
{
  JsonNode *node = json_object_get_member (holder, get_member (table, subject, key));
  gint64 stamp = EAR_STAMP_OLDEST;

  if (node == NULL && key == 0 && table->implies_first)
    {
      *value = g_variant_ref_sink (g_variant_new_int64 (TRUE));
      return stamp;
    }
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *stamped = json_node_get_object (node);

      node = json_object_get_member (stamped, "value");
      stamp = ear_stamp_parse (ear_json_get_string (stamped, "updated", G_MAXSIZE), now);
    }
  *value = node != NULL ? read_value (&table->keys[key], key, node) : NULL;
  if (*value == NULL)
    return 0;
  g_variant_ref_sink (*value);

  return stamp;
}

/* Writes an entry, whatever the file has; other members of the stamped object are kept. */
void
ear_entry_put (const EarEntryTable *table, JsonObject *holder, const char *subject, guint key,
               GVariant *value, gint64 stamp)
{
  JsonObject *stamped = ear_json_ensure_object (holder, get_member (table, subject, key));
  g_autofree char *updated = ear_stamp_format (stamp);

  json_object_set_member (stamped, "value", print_value (&table->keys[key], value));
  json_object_set_string_member (stamped, "updated", updated);
}

/* Writes a value if it is newer than the one in the file.
 * @stamp: 0: there is no value
 * Returns: whether it was */
gboolean
ear_entry_write (const EarEntryTable *table, JsonObject *holder, const char *subject, guint key,
                 GVariant *value, gint64 stamp, gint64 now)
{
  g_autoptr (GVariant) before = NULL;

  if (stamp == 0 || (json_object_has_member (holder, get_member (table, subject, key)) &&
                     stamp <= ear_entry_read (table, holder, subject, key, now, &before)))
    return FALSE;
  ear_entry_put (table, holder, subject, key, value, stamp);

  return TRUE;
}

/* Returns: (transfer container) (array zero-terminated=1): all names of a subject, its own first */
const char **
ear_entry_list_names (const EarEntryTable *table, const char *name, JsonObject *object)
{
  JsonArray *aliases = table->has_aliases ? ear_json_get_array (object, "aliases") : NULL;
  const guint n = aliases != NULL ? json_array_get_length (aliases) : 0;
  const char **names = g_new0 (const char *, n + 2);
  guint filled = 0;

  names[filled++] = name;
  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (aliases, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING)
        names[filled++] = json_node_get_string (node);
    }

  return names;
}

/* Steps through the subjects of a table. Members of other kinds are skipped.
 * @iter: from json_object_iter_init_ordered()
 * Returns: whether there was another subject */
gboolean
ear_entry_next (const EarEntryTable *table, JsonObjectIter *iter, const char **name,
                JsonObject **object)
{
  JsonNode *node;

  while (json_object_iter_next_ordered (iter, name, &node))
    if (JSON_NODE_HOLDS_OBJECT (node) &&
        (table->subject == NULL || g_str_equal (*name, table->subject)))
      {
        *object = json_node_get_object (node);
        return TRUE;
      }

  return FALSE;
}

/* Returns: (transfer full): the objects of all subjects, by each of their names */
GHashTable *
ear_entry_index_names (const EarEntryTable *table, JsonObject *container)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  JsonObjectIter iter;
  const char *name;
  JsonObject *object;

  json_object_iter_init_ordered (&iter, container);
  while (ear_entry_next (table, &iter, &name, &object))
    {
      g_autofree const char **all = ear_entry_list_names (table, name, object);

      /* A subject's own name comes before another one's alias. */
      for (guint i = 0; all[i] != NULL; i++)
        if (i == 0 || !g_hash_table_contains (names, all[i]))
          g_hash_table_insert (names, (gpointer) all[i], object);
    }

  return names;
}

/* --- Files as JSON ------------------------------------------------------------------ */

/* Kinds, damaged files, stamped values and merging. Trees are edited in place, so that members of
 * newer versions and of other programs stay. All functions here are pure: no files, no clock. */

#define VERSION 1
#define SETTINGS "settings" /* member of a podcast's file that has the settings */

JsonObject *
ear_userdata_shape_new (const char *kind)
{
  JsonObject *root = json_object_new ();

  json_object_set_int_member (root, "version", VERSION);
  json_object_set_string_member (root, "kind", kind);

  return root;
}

/* Returns: (transfer none) (nullable): the member that has the file's entries */
const char *
ear_userdata_shape_get_table (const char *kind)
{
  return ear_entry_tables_find (kind)->member;
}

/* Returns: (transfer full): name of the file of the podcast first followed at @address */
char *
ear_userdata_shape_dup_name (const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (hash, ".json", NULL);
}

/* Returns: (transfer none) (nullable): kind of the file of this name, if it is merged
 * member by member */
const char *
ear_userdata_shape_get_kind (const char *name)
{
  g_autofree char *stem = g_strndup (name, strlen (name) - MIN (strlen (name), strlen (".json")));
  EarRecordKind kind;

  if (!g_str_has_suffix (name, ".json"))
    return NULL;
  if (g_str_equal (stem, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    return EAR_USERDATA_KIND_SUBSCRIPTIONS;
  if (ear_record_kind_find (stem, &kind))
    return ear_record_kind_names[kind];

  return ear_address_is_hash (stem) ? EAR_USERDATA_KIND_PODCAST : NULL;
}

/* Whether a file can be read and extended without damaging it. Files of a higher version
 * can: known members are read, all others are left alone.
 * Returns: %TRUE if it can */
gboolean
ear_userdata_shape_check (JsonObject *root, const char *kind, GError **error)
{
  const char *table = ear_userdata_shape_get_table (kind);
  JsonNode *version = json_object_get_member (root, "version");

  if (g_strcmp0 (ear_json_get_string (root, "kind", G_MAXSIZE), kind) != 0)
    g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no file of the kind \"%s\"", kind);
  else if (version != NULL && !(ear_json_get_number (version) >= 1))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "the version is no number");
  else if (table != NULL && json_object_has_member (root, table) &&
           ear_json_get_object (root, table) == NULL)
    g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "\"%s\" is no object", table);
  else
    return TRUE;

  return FALSE;
}

/* Returns: (transfer full) (nullable): a file of the kind, unless it is damaged */
JsonObject *
ear_userdata_shape_parse (GBytes *content, const char *kind)
{
  gsize length;
  const char *text = g_bytes_get_data (content, &length);
  g_autoptr (JsonObject) root = ear_json_parse (text, length, NULL);

  return root != NULL && ear_userdata_shape_check (root, kind, NULL) ? g_steal_pointer (&root)
                                                                     : NULL;
}

static gboolean
has_entries (JsonObject *root, const char *member)
{
  JsonObject *entries = ear_json_get_object (root, member);

  return entries != NULL && json_object_get_size (entries) > 0;
}

/* Returns: (nullable): the name of the object of the root with the most entries, the table if
 * its own name is damaged */
static const char *
find_largest (JsonObject *root)
{
  const char *name, *largest = NULL;
  guint most = 0;
  JsonObjectIter iter;

  json_object_iter_init_ordered (&iter, root);
  while (json_object_iter_next_ordered (&iter, &name, NULL))
    {
      JsonObject *object = ear_json_get_object (root, name);

      if (object == NULL || json_object_get_size (object) <= most || g_str_equal (name, SETTINGS))
        continue;
      most = json_object_get_size (object);
      largest = name;
    }

  return largest;
}

/* If the line between two tables is lost, one table has the entries of both. Entries of settings
 * have a stamp, entries of episodes have none.
 * @stamped: whether to move entries with a stamp, or those without */
static void
move_entries (JsonObject *root, const char *from, const char *to, gboolean stamped)
{
  JsonObject *entries = ear_json_get_object (root, from);
  g_autoptr (GList) names = entries != NULL ? json_object_get_members (entries) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *entry = ear_json_get_object (entries, l->data);
      JsonObject *others;

      if (entry == NULL || json_object_has_member (entry, "updated") != stamped)
        continue;
      others = ear_json_ensure_object (root, to);
      if (!json_object_has_member (others, l->data))
        json_object_set_object_member (others, l->data, json_object_ref (entry));
      json_object_remove_member (entries, l->data);
    }
}

/* Reads the entries of a damaged file.
 * @text: (nullable): its content
 * Returns: (transfer full) (nullable): a tree of the kind; %NULL without entries and settings, or
 * if the file says that it is of another kind */
JsonObject *
ear_userdata_shape_salvage (const char *text, gsize length, const char *kind)
{
  const char *table = ear_userdata_shape_get_table (kind);
  const gboolean is_podcast = g_str_equal (kind, EAR_USERDATA_KIND_PODCAST);
  g_autoptr (JsonObject) root = text != NULL ? ear_json_salvage (text, length, table) : NULL;
  const char *found = root != NULL ? ear_json_get_string (root, "kind", G_MAXSIZE) : NULL;
  const char *largest;

  /* A damaged kind does not count. */
  if (root == NULL ||
      (found != NULL && !g_str_equal (found, kind) &&
       (ear_userdata_shape_get_table (found) != NULL ||
        g_str_equal (found, EAR_USERDATA_KIND_NOW) ||
        g_str_equal (found, EAR_USERDATA_KIND_BACKUP))))
    return NULL;

  if (table != NULL && !json_object_has_member (root, table) &&
      (largest = find_largest (root)) != NULL)
    {
      json_object_set_member (root, table, json_object_dup_member (root, largest));
      json_object_remove_member (root, largest);
    }
  if (is_podcast)
    {
      move_entries (root, table, SETTINGS, TRUE);
      move_entries (root, SETTINGS, table, FALSE);
    }
  if (table != NULL ? !has_entries (root, table) && !(is_podcast && has_entries (root, SETTINGS))
                    : !json_object_has_member (root, "address"))
    return NULL;
  json_object_set_string_member (root, "kind", kind);
  if (!(ear_json_get_number (json_object_get_member (root, "version")) >= 1))
    json_object_set_int_member (root, "version", VERSION);

  return g_steal_pointer (&root);
}

static gint64
get_stamp (JsonObject *object, gint64 now)
{
  const char *updated = ear_json_get_string (object, "updated", G_MAXSIZE);

  return updated != NULL ? ear_stamp_parse (updated, now) : 0;
}

/* Adds @from's members if @from is newer, otherwise only members that @into lacks; but
 * never an older value. */
static gboolean
merge_stamped (JsonObject *into, JsonObject *from, gint64 now)
{
  const gboolean newer = get_stamp (from, now) > get_stamp (into, now);
  gboolean changed = newer;
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  if (newer && json_object_has_member (into, "value") && !json_object_has_member (from, "value"))
    json_object_remove_member (into, "value");
  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    if (newer || (!g_str_equal (name, "value") && !json_object_has_member (into, name)))
      {
        json_object_set_member (into, name, json_node_copy (member));
        changed = TRUE;
      }

  return changed;
}

static gboolean
merge_arrays (JsonObject *into, JsonObject *from, const char *name)
{
  JsonArray *ours = ear_json_get_array (into, name);
  JsonArray *theirs = ear_json_get_array (from, name);
  gboolean changed = FALSE;

  if (ours == NULL || theirs == NULL)
    return FALSE;

  for (guint i = 0; i < json_array_get_length (theirs); i++)
    if (!ear_json_array_contains (ours, json_array_get_element (theirs, i)))
      {
        json_array_add_element (ours, json_node_copy (json_array_get_element (theirs, i)));
        changed = TRUE;
      }

  return changed;
}

static gboolean
merge_objects (JsonObject *into, JsonObject *from, gint64 now)
{
  gboolean changed = FALSE;
  JsonObjectIter iter;
  const char *name;
  JsonNode *theirs, *ours;

  if (get_stamp (into, now) != 0 || get_stamp (from, now) != 0)
    return merge_stamped (into, from, now);

  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &theirs))
    {
      ours = json_object_get_member (into, name);
      if (ours == NULL)
        {
          json_object_set_member (into, name, json_node_copy (theirs));
          changed = TRUE;
        }
      else if (JSON_NODE_HOLDS_OBJECT (ours) && JSON_NODE_HOLDS_OBJECT (theirs))
        changed |= merge_objects (json_node_get_object (ours), json_node_get_object (theirs), now);
      else
        changed |= merge_arrays (into, from, name);
    }

  return changed;
}

/* Merges two files: of stamped members the newer one, of arrays all items, and otherwise
 * the members of @into, and those that only @from has.
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now)
{
  const double ours = ear_json_get_number (json_object_get_member (into, "version"));
  const double theirs = ear_json_get_number (json_object_get_member (from, "version"));
  gboolean changed = merge_objects (into, from, now);

  if (theirs > ours)
    {
      json_object_set_member (into, "version",
                              json_node_copy (json_object_get_member (from, "version")));
      changed = TRUE;
    }

  return changed;
}
