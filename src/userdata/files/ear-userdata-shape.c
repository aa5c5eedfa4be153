/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-shape.h"

#include "ear-address.h"
#include "ear-record.h"
#include "ear-time.h"

#include <string.h>

/* State files as JSON: kinds, damaged files, stamped values and merging. Trees are edited in
 * place, so that members of newer versions and of other programs stay. All functions here
 * are pure: no files, no clock. See ear-entry-table.c for the formats. */

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
  const EarEntryTable *tables = ear_entry_tables_find (kind);

  return tables != NULL ? tables->member : NULL;
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
  double version;

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
  if (!ear_json_get_number (json_object_get_member (root, "version"), &version) || !(version >= 1))
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
merge_arrays (JsonArray *into, JsonArray *from)
{
  gboolean changed = FALSE;

  if (json_array_get_length (into) > EAR_JSON_ARRAY_LIMIT ||
      json_array_get_length (from) > EAR_JSON_ARRAY_LIMIT)
    return FALSE;

  for (guint i = 0; i < json_array_get_length (from); i++)
    if (!ear_json_array_contains (into, json_array_get_element (from, i)))
      {
        json_array_add_element (into, json_node_copy (json_array_get_element (from, i)));
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
      else if (JSON_NODE_HOLDS_ARRAY (ours) && JSON_NODE_HOLDS_ARRAY (theirs))
        changed |= merge_arrays (json_node_get_array (ours), json_node_get_array (theirs));
    }

  return changed;
}

/* Merges two files: of stamped members the newer one, of arrays all items, and otherwise
 * the members of @into, and those that only @from has.
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now)
{
  double ours, theirs;
  gboolean changed = merge_objects (into, from, now);

  if (ear_json_get_number (json_object_get_member (from, "version"), &theirs) &&
      ear_json_get_number (json_object_get_member (into, "version"), &ours) && theirs > ours)
    {
      json_object_set_member (into, "version",
                              json_node_copy (json_object_get_member (from, "version")));
      changed = TRUE;
    }

  return changed;
}
