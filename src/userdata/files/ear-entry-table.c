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

#define LIMIT_SECONDS ((double) EAR_POSITION_LIMIT / G_TIME_SPAN_SECOND)

/* Names of episodes and records */
static gboolean
accepts_name (const char *subject)
{
  return *subject != '\0' && strlen (subject) <= EAR_USERDATA_NAME_LIMIT &&
         g_utf8_validate (subject, -1, NULL);
}

static GVariant *
read_flag (JsonNode *node)
{
  if (json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return NULL;

  return g_variant_new_int64 (json_node_get_boolean (node));
}

static JsonNode *
print_flag (GVariant *value)
{
  return json_node_init_boolean (json_node_alloc (), g_variant_get_int64 (value) != 0);
}

/* Reads a time; the file has it in seconds. */
static GVariant *
read_seconds (JsonNode *node, double lowest)
{
  double seconds;

  if (!ear_json_get_number (node, &seconds) || !(seconds >= lowest && seconds <= LIMIT_SECONDS))
    return NULL;

  return g_variant_new_int64 ((gint64) (seconds * G_TIME_SPAN_SECOND + (seconds < 0 ? -0.5 : 0.5)));
}

static GVariant *
read_mark (guint key, JsonNode *node)
{
  switch (ear_mark_get_kind (key))
    {
    case EAR_MARK_TIME:
      return read_seconds (node, 0);
    case EAR_MARK_OFFSET:
      return read_seconds (node, -LIMIT_SECONDS);
    case EAR_MARK_PLACE:
      if (json_node_get_value_type (node) != G_TYPE_INT64)
        return NULL;
      return g_variant_new_int64 (json_node_get_int (node));
    case EAR_MARK_FLAG:
    default:
      return read_flag (node);
    }
}

static JsonNode *
print_mark (guint key, GVariant *value)
{
  const double seconds = (double) g_variant_get_int64 (value) / G_TIME_SPAN_SECOND;

  switch (ear_mark_get_kind (key))
    {
    case EAR_MARK_TIME:
      return json_node_init_double (json_node_alloc (), CLAMP (seconds, 0.0, LIMIT_SECONDS));
    case EAR_MARK_OFFSET:
      return json_node_init_double (json_node_alloc (),
                                    CLAMP (seconds, -LIMIT_SECONDS, LIMIT_SECONDS));
    case EAR_MARK_PLACE:
      return json_node_init_int (json_node_alloc (), g_variant_get_int64 (value));
    case EAR_MARK_FLAG:
    default:
      return print_flag (value);
    }
}

static GVariant *
get_default_mark (guint key, JsonObject *subject)
{
  return g_variant_new_int64 (0);
}

static GVariant *
read_setting (guint key, JsonNode *node)
{
  const EarSettingKind kind = ear_podcast_setting_get_kind (key);
  double number;
  int word;

  if (kind == EAR_SETTING_WORD)
    return json_node_get_value_type (node) == G_TYPE_STRING &&
                   ear_podcast_setting_find_word (key, json_node_get_string (node), &word)
               ? g_variant_new_int64 (word)
               : NULL;
  if (kind == EAR_SETTING_FLAG || json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return kind != EAR_SETTING_NUMBER ? read_flag (node) : NULL;
  if (!ear_json_get_number (node, &number) || !(number >= G_MININT && number <= G_MAXINT) ||
      number != (int) number || (kind == EAR_SETTING_OWN_FLAG && number != -1) ||
      !ear_podcast_setting_accepts (key, (int) number))
    return NULL;

  return g_variant_new_int64 ((int) number);
}

static JsonNode *
print_setting (guint key, GVariant *value)
{
  const EarSettingKind kind = ear_podcast_setting_get_kind (key);
  const int number = (int) g_variant_get_int64 (value);

  if (kind == EAR_SETTING_WORD)
    return json_node_init_string (json_node_alloc (), ear_podcast_setting_get_word (key, number));
  if (kind == EAR_SETTING_FLAG || (kind == EAR_SETTING_OWN_FLAG && number >= 0))
    return print_flag (value);

  return json_node_init_int (json_node_alloc (), number);
}

static GVariant *
get_default_setting (guint key, JsonObject *subject)
{
  return g_variant_new_int64 (ear_podcast_setting_get_usual (key));
}

static const char *
get_subscription_key (guint key)
{
  return key == EAR_ENTRY_FOLLOWED ? "followed" : "folder";
}

static GVariant *
read_subscription (guint key, JsonNode *node)
{
  if (key == EAR_ENTRY_FOLLOWED)
    return read_flag (node);
  if (json_node_get_value_type (node) != G_TYPE_STRING ||
      strlen (json_node_get_string (node)) > EAR_USERDATA_TITLE_LIMIT)
    return NULL;

  return g_variant_new_string (json_node_get_string (node));
}

static JsonNode *
print_subscription (guint key, GVariant *value)
{
  if (key == EAR_ENTRY_FOLLOWED)
    return print_flag (value);

  return json_node_init_string (json_node_alloc (), g_variant_get_string (value, NULL));
}

static GVariant *
get_default_subscription (guint key, JsonObject *subject)
{
  if (key == EAR_ENTRY_FOLLOWED)
    return g_variant_new_int64 (FALSE);

  return subject != NULL ? g_variant_new_string ("") : NULL;
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

static GVariant *
read_record (guint key, JsonNode *node)
{
  if (json_node_is_null (node))
    return g_variant_new_tuple (NULL, 0);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_gvariant_deserialize (node, "a{sv}", NULL) : NULL;
}

static JsonNode *
print_record (guint key, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT))
    return json_node_new (JSON_NODE_NULL);

  return json_gvariant_serialize (value);
}

/* A record made since the backup is removed. One that cannot be read stays. */
static GVariant *
get_default_record (guint key, JsonObject *subject)
{
  return subject != NULL ? NULL : g_variant_new_tuple (NULL, 0);
}

static const char *
get_mark_key (guint key)
{
  return ear_mark_get_name (key);
}

static const char *
get_setting_key (guint key)
{
  return ear_podcast_setting_get_name (key);
}

/* EarUserdataFile has a bit for each key. */
G_STATIC_ASSERT (EAR_N_MARKS <= 32 && EAR_N_PODCAST_SETTINGS <= 32);

static const EarEntryTable podcast[EAR_N_ENTRY_TABLES] = {
  [EAR_TABLE_EPISODES] = {
    .member = "episodes",
    .n_keys = EAR_N_MARKS,
    .has_aliases = TRUE,
    .facts = { "title", "enclosure" },
    .accepts = accepts_name,
    .get_key = get_mark_key,
    .read = read_mark,
    .print = print_mark,
    .get_default = get_default_mark,
  },
  [EAR_TABLE_SETTINGS] = {
    .subject = "settings",
    .n_keys = EAR_N_PODCAST_SETTINGS,
    .get_key = get_setting_key,
    .read = read_setting,
    .print = print_setting,
    .get_default = get_default_setting,
  },
};

static const EarEntryTable subscriptions[EAR_N_ENTRY_TABLES] = { {
  .member = "podcasts",
  .n_keys = 2,
  .ignores_stamps = TRUE,
  .keeps_new = TRUE,
  .facts = { "title", "feed" },
  .accepts = ear_address_is_web,
  .get_key = get_subscription_key,
  .read = read_subscription,
  .print = print_subscription,
  .get_default = get_default_subscription,
  .implies_first = TRUE, /* as an entry added by hand without further members */
  .read_fact = read_subscription_fact,
} };

static const EarEntryTable records[EAR_N_ENTRY_TABLES] = { {
  .member = "records",
  .n_keys = 1,
  .accepts = accepts_name,
  .read = read_record,
  .print = print_record,
  .get_default = get_default_record,
} };

/* Listening times are kept: a restore does not undo them. */
static const EarEntryTable listening[EAR_N_ENTRY_TABLES] = { {
  .member = "records",
  .n_keys = 1,
  .accepts = accepts_name,
  .read = read_record,
  .print = print_record,
} };

/* Returns: (transfer none) (nullable): its EAR_N_ENTRY_TABLES tables, %NULL if it has none */
const EarEntryTable *
ear_entry_tables_find (const char *kind)
{
  EarRecordKind record;

  if (g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    return podcast;
  if (g_str_equal (kind, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    return subscriptions;
  if (ear_record_kind_find (kind, &record))
    return record == EAR_RECORD_LISTENING ? listening : records;

  return NULL;
}

/* Returns: name of the member of @holder that has the entry */
static const char *
get_member (const EarEntryTable *table, const char *subject, guint key)
{
  return table->get_key != NULL ? table->get_key (key) : subject;
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
  *value = node != NULL ? table->read (key, node) : NULL;
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
  JsonObject *stamped =
      ear_json_ensure_object (holder, get_member (table, subject, key));
  g_autofree char *updated = ear_stamp_format (stamp);

  json_object_set_member (stamped, "value", table->print (key, value));
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
