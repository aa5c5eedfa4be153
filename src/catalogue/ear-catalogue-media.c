/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"

#include <string.h>

/* Episodes as other programs know them: by the address of the media, and perhaps by the
 * guid. */

/* @podcast: row id
 * @feed_guid: (nullable)
 * Returns: (transfer full): an episode to find */
EarMediaMarks *
ear_media_marks_new (gint64 podcast, const char *media, const char *feed_guid)
{
  EarMediaMarks *self = g_new0 (EarMediaMarks, 1);

  self->podcast = podcast;
  self->media = g_strdup (media);
  self->feed_guid = g_strdup (feed_guid);

  return self;
}

void
ear_media_marks_free (EarMediaMarks *self)
{
  g_free (self->guid);
  g_free (self->feed_guid);
  g_free (self->media);
  g_clear_pointer (&self->places, g_array_unref);
  g_free (self);
}

/* Returns: (transfer full) (nullable): the name of the file in an address; a server may
 *   have moved it, or may add parameters */
static char *
dup_file_name (const char *address)
{
  g_autofree char *path = g_strndup (address, strcspn (address, "?#"));
  const char *slash = strrchr (path, '/');

  return slash != NULL && slash[1] != '\0' ? g_strdup (slash + 1) : NULL;
}

/* Several episodes have the file name. */
#define AMBIGUOUS ((gpointer) -1)

static void
add_media (GHashTable *ids, const char *address, gpointer id)
{
  g_autofree char *key = ear_address_key (address);
  g_autofree char *name = dup_file_name (address);
  gpointer other = name != NULL ? g_hash_table_lookup (ids, name) : NULL;

  if (!g_hash_table_contains (ids, key))
    g_hash_table_insert (ids, g_steal_pointer (&key), id);
  if (name != NULL)
    g_hash_table_insert (ids, g_steal_pointer (&name),
                         other != NULL && other != id ? AMBIGUOUS : id);
}

/* Lists the episodes of a podcast. Present addresses come before those that an episode had
 * once.
 * Returns: (element-type utf8 gsize): row ids by address, file name and guid */
static GHashTable *
list_media (EarDatabase *database, gint64 podcast)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT 0 AS kind, id, enclosure FROM episode"
      " WHERE podcast = ?1 AND enclosure IS NOT NULL"
      " UNION ALL SELECT 1, id, address FROM former_media JOIN episode ON id = episode"
      " WHERE podcast = ?1"
      " UNION ALL SELECT 2, id, guid FROM episode WHERE podcast = ?1"
      " UNION ALL SELECT 3, id, feed_guid FROM episode"
      " WHERE podcast = ?1 AND feed_guid IS NOT NULL ORDER BY kind",
      "x", podcast);

  while (ear_database_step (database, statement))
    {
      gpointer id = GSIZE_TO_POINTER ((gsize) sqlite3_column_int64 (statement, 1));
      g_autofree char *name = ear_statement_dup_text (statement, 2);

      if (sqlite3_column_int (statement, 0) < 2)
        add_media (ids, name, id);
      else
        g_hash_table_insert (ids, g_strconcat ("guid ", name, NULL), id);
    }

  return ids;
}

/* Returns: the row id of an episode, or %NULL */
static gpointer
find_id (GHashTable *ids, const EarMediaMarks *place)
{
  g_autofree char *named = g_strconcat ("guid ", place->feed_guid, NULL);
  g_autofree char *key = ear_address_key (place->media);
  g_autofree char *name = dup_file_name (place->media);
  gpointer id = place->feed_guid != NULL ? g_hash_table_lookup (ids, named) : NULL;

  if (id == NULL)
    id = g_hash_table_lookup (ids, key);
  if (id == NULL && name != NULL && place->feed_guid == NULL)
    id = g_hash_table_lookup (ids, name);

  return id != AMBIGUOUS ? id : NULL;
}

#define SELECT_MARKS \
  "SELECT id, podcast, guid, iif (own_guid, coalesce (feed_guid, guid), NULL), enclosure," \
  " iif (measured > 0, measured, duration), " EAR_MARK_SQL_ALL " FROM episode WHERE "

/* Adds the episodes of a query to those found.
 * @sql: has one parameter */
static void
add_marks (EarDatabase *database, const char *sql, gint64 parameter, GHashTable *found)
{
  g_autoptr (EarStatement) statement = ear_database_query (database, sql, "x", parameter);

  while (ear_database_step (database, statement))
    {
      g_autofree char *feed_guid = ear_statement_dup_text (statement, 3);
      g_autofree char *media = ear_statement_dup_text (statement, 4);
      EarMediaMarks *marks =
          ear_media_marks_new (sqlite3_column_int64 (statement, 1), media, feed_guid);

      marks->guid = ear_statement_dup_text (statement, 2);
      marks->duration = sqlite3_column_int64 (statement, 5);
      ear_mark_sql_read (&marks->state, statement, 6);
      marks->places = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (found, GSIZE_TO_POINTER ((gsize) sqlite3_column_int64 (statement, 0)),
                           marks);
    }
}

static gpointer
find_media (EarDatabase *database, const EarRead *read)
{
  g_autoptr (GHashTable) found =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ear_media_marks_free);
  g_autoptr (GHashTable) podcasts = g_hash_table_new_full (
      g_int64_hash, g_int64_equal, NULL, (GDestroyNotify) g_hash_table_unref);

  add_marks (database,
             SELECT_MARKS "enclosure IS NOT NULL"
                          " AND (position_updated > ?1 OR listened_updated > ?1)",
             read->since, found);
  for (guint i = 0; i < read->items->len; i++)
    {
      EarMediaMarks *place = g_ptr_array_index (read->items, i);
      GHashTable *ids = g_hash_table_lookup (podcasts, &place->podcast);
      EarMediaMarks *marks;
      gpointer id;

      if (ids == NULL)
        {
          ids = list_media (database, place->podcast);
          g_hash_table_insert (podcasts, &place->podcast, ids);
        }
      id = find_id (ids, place);
      if (id != NULL && !g_hash_table_contains (found, id))
        add_marks (database, SELECT_MARKS "id = ?1", (gint64) GPOINTER_TO_SIZE (id), found);
      marks = g_hash_table_lookup (found, id);
      if (marks != NULL)
        g_array_append_val (marks->places, i);
    }

  return g_hash_table_steal_all_values (found);
}

/* The episodes whose position or played mark was changed after a time, and those of some
 * places: by guid, else by the address of their media, present or former; without a guid, also
 * by the name of its file, if only one episode of the podcast has it. A GPtrArray of
 * EarMediaMarks.
 * @places: (element-type EarMediaMarks): those to find; immutable from now on
 * @since: Unix microseconds */
EarRead
ear_read_media (GPtrArray *places, gint64 since)
{
  return (EarRead) { .func = find_media,
                     .result_free = (GDestroyNotify) g_ptr_array_unref,
                     .items = g_ptr_array_ref (places),
                     .since = since };
}
