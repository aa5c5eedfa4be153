/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-shape.h"

#include "ear-record.h"
#include "ear-stamp.h"

#include <string.h>

/*
 * Formats of the state files:
 *
 *   { "version": 1, "kind": "podcast",
 *     "addresses": [first, others ...], "title": "...",
 *     "settings": { "notifications": { "value": false, "updated": ... }, "filter": ... },
 *     "episodes": { guid: { "aliases": [...], "title": "...", "enclosure": "...",
 *       "position": { "value": 12.345, "updated": "2026-11-21T06:40:12.123456Z" },
 *       "listened": { "value": true, "updated": ... }, "liked": ..., "shift": ...,
 *       "queued": { "value": 1764162000000000, "updated": ... }, "archived": ... } } }
 *
 *   An episode has a stamped member for each EarMark.
 *
 *   { "version": 1, "kind": "subscriptions",
 *     "podcasts": { address: { "title": ..., "feed": ...,
 *                              "folder": { "value": "News/Local", "updated": ... },
 *                              "followed": { "value": true, "updated": ... } } } }
 *
 *   See ear-record-file.c for files of records.
 *
 *   { "version": 1, "kind": "now", "address": ..., "guid": ..., "title": ...,
 *     "position": { "value": ..., "updated": ... } }
 *
 * A removal is a stamped value (false, 0) like any other; nothing is ever deleted. Trees
 * are edited in place, so that members of newer versions and of other programs stay. All
 * functions here are pure: no files, no clock.
 */

#define VERSION 1
#define POSITION_LIMIT_SECONDS ((double) EAR_USERDATA_POSITION_LIMIT / G_TIME_SPAN_SECOND)

/* @kind: kind of the file, an `EAR_USERDATA_KIND_` */
JsonObject *
ear_userdata_shape_new (const char *kind)
{
  JsonObject *root = json_object_new ();

  json_object_set_int_member (root, "version", VERSION);
  json_object_set_string_member (root, "kind", kind);

  return root;
}

/* @kind: kind of the file
 * Returns: (transfer none) (nullable): the member that has the file's entries */
const char *
ear_userdata_shape_get_table (const char *kind)
{
  EarRecordKind records;

  if (g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    return "episodes";
  if (g_str_equal (kind, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    return "podcasts";
  if (ear_record_kind_find (kind, &records))
    return "records";

  return NULL;
}

/* Returns: (transfer none) (nullable): kind of the file of this name, if it is merged
 * member by member */
const char *
ear_userdata_shape_get_kind (const char *name)
{
  if (g_str_equal (name, "subscriptions.json"))
    return EAR_USERDATA_KIND_SUBSCRIPTIONS;
  if (g_str_has_suffix (name, ".json"))
    {
      g_autofree char *stem = g_strndup (name, strlen (name) - strlen (".json"));
      EarRecordKind kind;

      if (ear_record_kind_find (stem, &kind))
        return ear_record_kind_get_name (kind);
    }
  if (strspn (name, "0123456789abcdef") == 32 && g_str_equal (name + 32, ".json"))
    return EAR_USERDATA_KIND_PODCAST;

  return NULL;
}

/* Whether a file can be read and extended without damaging it. Files of a higher version
 * can: known members are read, all others are left alone.
 * Returns: %TRUE if it can */
gboolean
ear_userdata_shape_check (JsonObject *root, const char *kind, GError **error)
{
  const char *table = ear_userdata_shape_get_table (kind);
  JsonNode *version = json_object_get_member (root, "version");
  double number = 1;

  if (g_strcmp0 (ear_json_get_string (root, "kind", G_MAXSIZE), kind) != 0)
    g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no file of the kind \"%s\"", kind);
  else if (version != NULL && (!ear_json_get_number (version, &number) || !(number >= 1)))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "the version is no number");
  else if (table != NULL && json_object_has_member (root, table) && ear_json_get_object (root, table) == NULL)
    g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "\"%s\" is no object", table);
  else
    return TRUE;

  return FALSE;
}

/* Whether a file has another kind than its name says. A damaged kind does not count. */
static gboolean
is_foreign (JsonObject *root, const char *kind)
{
  static const char *const kinds[] = { EAR_USERDATA_KIND_PODCAST, EAR_USERDATA_KIND_SUBSCRIPTIONS, EAR_USERDATA_KIND_NOW,
                                       EAR_USERDATA_KIND_BACKUP, NULL };
  const char *found = ear_json_get_string (root, "kind", G_MAXSIZE);
  EarRecordKind records;

  return found != NULL && !g_str_equal (found, kind) && (g_strv_contains (kinds, found) || ear_record_kind_find (found, &records));
}

/* Moves the entries with a stamp of their own, or those without one.
 * @stamped: whether to move those with a stamp */
static void
move_entries (JsonObject *from, JsonObject *into, gboolean stamped)
{
  g_autoptr (GList) names = json_object_get_members (from);

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *entry = ear_json_get_object (from, l->data);

      if (entry == NULL || json_object_has_member (entry, "updated") != stamped)
        continue;
      if (!json_object_has_member (into, l->data))
        json_object_set_object_member (into, l->data, json_object_ref (entry));
      json_object_remove_member (from, l->data);
    }
}

/* Separates episodes and settings, which get mixed if the lines between them are damaged.
 * Only settings have a stamp of their own. */
static void
sort_podcast (JsonObject *root)
{
  JsonObject *episodes = ear_json_ensure_object (root, "episodes");
  JsonObject *settings = ear_json_ensure_object (root, "settings");

  move_entries (episodes, settings, TRUE);
  move_entries (settings, episodes, FALSE);
}

static void
remove_values (JsonObject *entries)
{
  g_autoptr (GList) names = json_object_get_members (entries);

  for (GList *l = names; l != NULL; l = l->next)
    if (ear_json_get_object (entries, l->data) == NULL)
      json_object_remove_member (entries, l->data);
}

/* Reads the entries of a damaged file.
 * @text: (nullable): its content
 * @kind: kind of the file by its name
 * @repair: see [func@Ear.json_salvage]
 * Returns: (transfer full) (nullable): a tree of the kind, %NULL without entries */
JsonObject *
ear_userdata_shape_salvage (const char *text, gsize length, const char *kind, gboolean repair)
{
  const char *table = ear_userdata_shape_get_table (kind);
  g_autoptr (JsonObject) root = text != NULL ? ear_json_salvage (text, length, table, repair) : NULL;
  JsonObject *entries;
  double version;

  if (root == NULL || is_foreign (root, kind))
    return NULL;
  if (g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    sort_podcast (root);
  entries = table != NULL ? ear_json_get_object (root, table) : NULL;
  if (table != NULL && entries == NULL && json_object_has_member (root, table))
    json_object_remove_member (root, table);
  if (entries != NULL)
    remove_values (entries);
  if (table != NULL ? entries == NULL || json_object_get_size (entries) == 0 : !json_object_has_member (root, "address"))
    return NULL;
  json_object_set_string_member (root, "kind", kind);
  if (!ear_json_get_number (json_object_get_member (root, "version"), &version) || !(version >= 1))
    json_object_set_int_member (root, "version", VERSION);

  return g_steal_pointer (&root);
}

/* Whether a guid or address is valid as the name of an entry. */
gboolean
ear_userdata_shape_is_name (const char *name, gsize limit)
{
  return *name != '\0' && strlen (name) <= limit && g_utf8_validate (name, -1, NULL);
}

/* A bare value, as a person may write it, has the oldest stamp.
 * @now: the clock, Unix microseconds
 * @value: (out) (nullable): its value
 * Returns: its stamp, meaningless without a value */
gint64
ear_userdata_shape_get_stamped (JsonObject *object, const char *name, gint64 now, JsonNode **value)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonObject *stamped;

  *value = node;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return EAR_STAMP_OLDEST;
  stamped = json_node_get_object (node);
  *value = json_object_get_member (stamped, "value");

  return ear_stamp_parse (ear_json_get_string (stamped, "updated", G_MAXSIZE), now);
}

/* Sets a value; other members of the stamped object are kept.
 * @value: (transfer full): its value
 * @stamp: when the listener set it, Unix microseconds */
void
ear_userdata_shape_set_stamped (JsonObject *object, const char *name, JsonNode *value, gint64 stamp)
{
  JsonObject *stamped = ear_json_ensure_object (object, name);
  g_autofree char *updated = ear_stamp_format (stamp);

  json_object_set_member (stamped, "value", value);
  json_object_set_string_member (stamped, "updated", updated);
}

/* @object: an episode, or the root of now.json
 * @now: the clock, Unix microseconds
 * @position: (out): microseconds
 * Returns: its stamp, 0 if there is no valid position */
gint64
ear_userdata_shape_get_position (JsonObject *object, const char *name, gint64 now, gint64 *position)
{
  JsonNode *value;
  const gint64 stamp = ear_userdata_shape_get_stamped (object, name, now, &value);
  double seconds;

  *position = 0;
  if (!ear_json_get_number (value, &seconds) || !(seconds >= 0 && seconds <= POSITION_LIMIT_SECONDS))
    return 0;
  *position = (gint64) (seconds * G_TIME_SPAN_SECOND + 0.5);

  return stamp;
}

/* Sets a position; the file has it in seconds.
 * @object: an episode, or the root of now.json
 * @position: microseconds
 * @stamp: time of the position, Unix microseconds */
void
ear_userdata_shape_set_position (JsonObject *object, const char *name, gint64 position,
                                 gint64 stamp)
{
  const double seconds = CLAMP ((double) position / G_TIME_SPAN_SECOND, 0.0, POSITION_LIMIT_SECONDS);

  ear_userdata_shape_set_stamped (object, name, json_node_init_double (json_node_alloc (), seconds), stamp);
}

/* Reads a time that may be negative; the file has it in seconds. */
static gint64
get_offset (JsonObject *object, const char *name, gint64 now, gint64 *offset)
{
  JsonNode *value;
  const gint64 stamp = ear_userdata_shape_get_stamped (object, name, now, &value);
  double seconds;

  *offset = 0;
  if (!ear_json_get_number (value, &seconds) || !(seconds >= -POSITION_LIMIT_SECONDS && seconds <= POSITION_LIMIT_SECONDS))
    return 0;
  *offset = (gint64) (seconds * G_TIME_SPAN_SECOND + (seconds < 0 ? -0.5 : 0.5));

  return stamp;
}

static void
set_offset (JsonObject *object, const char *name, gint64 offset, gint64 stamp)
{
  const double seconds = CLAMP ((double) offset / G_TIME_SPAN_SECOND, -POSITION_LIMIT_SECONDS, POSITION_LIMIT_SECONDS);

  ear_userdata_shape_set_stamped (object, name, json_node_init_double (json_node_alloc (), seconds), stamp);
}

/* @object: an episode or a podcast
 * @now: the clock, Unix microseconds
 * @flag: (out): its value
 * Returns: its stamp, 0 unless it is a boolean */
gint64
ear_userdata_shape_get_flag (JsonObject *object, const char *name, gint64 now, gboolean *flag)
{
  JsonNode *value;
  const gint64 stamp = ear_userdata_shape_get_stamped (object, name, now, &value);

  *flag = FALSE;
  if (value == NULL || json_node_get_value_type (value) != G_TYPE_BOOLEAN)
    return 0;
  *flag = json_node_get_boolean (value);

  return stamp;
}

/* Sets a boolean.
 * @object: an episode or a podcast
 * @stamp: when the listener set it, Unix microseconds */
void
ear_userdata_shape_set_flag (JsonObject *object, const char *name, gboolean flag, gint64 stamp)
{
  ear_userdata_shape_set_stamped (object, name, json_node_init_boolean (json_node_alloc (), !!flag), stamp);
}

/* @object: a subscription
 * @now: the clock, Unix microseconds
 * @text: (out) (nullable): its value, %NULL for an empty one
 * Returns: its stamp, 0 unless it is a string within the limit of titles */
gint64
ear_userdata_shape_get_text (JsonObject *object, const char *name, gint64 now, const char **text)
{
  JsonNode *value;
  const gint64 stamp = ear_userdata_shape_get_stamped (object, name, now, &value);

  *text = NULL;
  if (value == NULL || json_node_get_value_type (value) != G_TYPE_STRING || strlen (json_node_get_string (value)) > EAR_USERDATA_TITLE_LIMIT)
    return 0;
  if (*json_node_get_string (value) != '\0')
    *text = json_node_get_string (value);

  return stamp;
}

/* Sets a text.
 * @object: a subscription
 * @text: (nullable): the text
 * @stamp: when the listener set it, Unix microseconds */
void
ear_userdata_shape_set_text (JsonObject *object, const char *name, const char *text, gint64 stamp)
{
  ear_userdata_shape_set_stamped (object, name, json_node_init_string (json_node_alloc (), text != NULL ? text : ""), stamp);
}

/* Returns its stamp, 0 unless it is an integer. */
static gint64
get_place (JsonObject *object, const char *name, gint64 now, gint64 *place)
{
  JsonNode *value;
  const gint64 stamp = ear_userdata_shape_get_stamped (object, name, now, &value);

  *place = 0;
  if (value == NULL || json_node_get_value_type (value) != G_TYPE_INT64)
    return 0;
  *place = json_node_get_int (value);

  return stamp;
}

/* Returns its stamp, 0 unless it is a valid value of the mark. */
static gint64
get_mark (JsonObject *object, EarMark mark, gint64 now, gint64 *value)
{
  gboolean flag;
  gint64 stamp;

  if (ear_mark_get_kind (mark) == EAR_MARK_TIME)
    return ear_userdata_shape_get_position (object, ear_mark_get_name (mark), now, value);
  if (ear_mark_get_kind (mark) == EAR_MARK_OFFSET)
    return get_offset (object, ear_mark_get_name (mark), now, value);
  if (ear_mark_get_kind (mark) == EAR_MARK_PLACE)
    return get_place (object, ear_mark_get_name (mark), now, value);

  stamp = ear_userdata_shape_get_flag (object, ear_mark_get_name (mark), now, &flag);
  *value = flag;

  return stamp;
}

/* @stamp: when the listener set it, Unix microseconds */
void
ear_userdata_shape_set_mark (JsonObject *object, EarMark mark, gint64 value, gint64 stamp)
{
  if (ear_mark_get_kind (mark) == EAR_MARK_TIME)
    ear_userdata_shape_set_position (object, ear_mark_get_name (mark), value, stamp);
  else if (ear_mark_get_kind (mark) == EAR_MARK_OFFSET)
    set_offset (object, ear_mark_get_name (mark), value, stamp);
  else if (ear_mark_get_kind (mark) == EAR_MARK_PLACE)
    ear_userdata_shape_set_stamped (object, ear_mark_get_name (mark), json_node_init_int (json_node_alloc (), value), stamp);
  else
    ear_userdata_shape_set_flag (object, ear_mark_get_name (mark), value != 0, stamp);
}

/* Reads an episode. Missing and invalid members have the stamp 0.
 * @now: the clock, Unix microseconds
 * @state: (out caller-allocates): its state */
void
ear_userdata_shape_read_episode (JsonObject *episode, gint64 now, EarEpisodeState *state)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    state->updated[i] = get_mark (episode, i, now, &state->values[i]);
}

/* Writes values that are newer than those in the file.
 * @now: the clock, Unix microseconds
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_shape_write_episode (JsonObject *episode, const EarEpisodeState *state, gint64 now)
{
  EarEpisodeState before;
  gboolean changed = FALSE;

  ear_userdata_shape_read_episode (episode, now, &before);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (state->updated[i] > before.updated[i])
      {
        ear_userdata_shape_set_mark (episode, i, state->values[i], state->updated[i]);
        changed = TRUE;
      }

  return changed;
}
