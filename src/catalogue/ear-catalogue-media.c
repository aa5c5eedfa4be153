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
  self->places = g_array_new (FALSE, FALSE, sizeof (guint));

  return self;
}

void
ear_media_marks_free (EarMediaMarks *self)
{
  g_free (self->guid);
  g_free (self->feed_guid);
  g_free (self->media);
  g_array_unref (self->places);
  g_free (self);
}

#define MARKS_COLUMNS \
  "podcast, guid, iif (own_guid, coalesce (feed_guid, guid), NULL), enclosure," \
  " iif (measured > 0, measured, duration), " EAR_MARK_SQL_ALL

static EarMediaMarks *
read_marks (EarStatement *statement)
{
  EarMediaMarks *marks =
      ear_media_marks_new (sqlite3_column_int64 (statement, 0),
                           (const char *) sqlite3_column_text (statement, 3),
                           (const char *) sqlite3_column_text (statement, 2));

  marks->guid = ear_statement_dup_text (statement, 1);
  marks->duration = sqlite3_column_int64 (statement, 4);
  ear_mark_sql_read (&marks->state, statement, 5);

  return marks;
}

/* Returns: (transfer full) (nullable): the name of the file in an address; a server may
 *   have moved it, or may add parameters */
static char *
dup_file_name (const char *address)
{
  const gsize length = strcspn (address, "?#");
  g_autofree char *path = g_strndup (address, length);
  const char *slash = strrchr (path, '/');

  return slash != NULL && slash[1] != '\0' ? g_strdup (slash + 1) : NULL;
}

/* The guids of a podcast's episodes by address and by file name; a name that several have
 * leads to an empty guid. */
static void
add_media (GHashTable *guids, const char *address, const char *guid)
{
  g_autofree char *key = ear_address_key (address);
  g_autofree char *name = dup_file_name (address);
  const char *other = name != NULL ? g_hash_table_lookup (guids, name) : NULL;

  if (key != NULL && !g_hash_table_contains (guids, key))
    g_hash_table_insert (guids, g_steal_pointer (&key), g_strdup (guid));
  if (name != NULL)
    g_hash_table_insert (guids, g_steal_pointer (&name),
                         g_strdup (other != NULL && !g_str_equal (other, guid) ? "" : guid));
}

/* Present addresses come before those that an episode had once.
 * Returns: (element-type utf8 utf8) */
static GHashTable *
list_media (EarDatabase *database, gint64 podcast)
{
  static const char *const queries[] = {
    "SELECT enclosure, guid FROM episode WHERE podcast = ?1 AND enclosure IS NOT NULL",
    "SELECT address, guid FROM former_media JOIN episode ON episode.id = episode"
    " WHERE podcast = ?1",
    "SELECT guid, guid FROM episode WHERE podcast = ?1",
    "SELECT feed_guid, guid FROM episode WHERE podcast = ?1 AND feed_guid IS NOT NULL",
  };
  GHashTable *guids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (EarStatement) statement = ear_database_query (database, queries[i], "x", podcast);

      while (ear_database_step (database, statement))
        {
          const char *name = (const char *) sqlite3_column_text (statement, 0);
          const char *guid = (const char *) sqlite3_column_text (statement, 1);

          if (i < 2)
            add_media (guids, name, guid);
          else
            g_hash_table_insert (guids, g_strconcat ("guid ", name, NULL), g_strdup (guid));
        }
    }

  return guids;
}

/* Returns: (transfer full) (nullable) */
static char *
find_guid (GHashTable *guids, const EarMediaMarks *place)
{
  g_autofree char *named = g_strconcat ("guid ", place->feed_guid, NULL);
  g_autofree char *key = ear_address_key (place->media);
  g_autofree char *name = dup_file_name (place->media);
  const char *guid = place->feed_guid != NULL ? g_hash_table_lookup (guids, named) : NULL;

  if (guid == NULL && key != NULL)
    guid = g_hash_table_lookup (guids, key);
  if (guid == NULL && name != NULL && place->feed_guid == NULL)
    guid = g_hash_table_lookup (guids, name);

  return guid != NULL && *guid != '\0' ? g_strdup (guid) : NULL;
}

static char *
dup_name (gint64 podcast, const char *guid)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", podcast, guid);
}

/* Adds the episodes of a query to those found.
 * @found: (element-type utf8 EarMediaMarks): by dup_name() */
static void
add_marks (EarDatabase *database, EarStatement *statement, GHashTable *found)
{
  while (ear_database_step (database, statement))
    {
      EarMediaMarks *marks = read_marks (statement);

      g_hash_table_insert (found, dup_name (marks->podcast, marks->guid), marks);
    }
}

/* Finds the episode of a place.
 * @guids: from list_media() */
static void
add_place (EarDatabase *database, const EarMediaMarks *place, guint index, GHashTable *guids,
           GHashTable *found)
{
  g_autofree char *guid = find_guid (guids, place);
  g_autofree char *name = NULL;
  EarMediaMarks *marks;

  if (guid == NULL)
    return;
  name = dup_name (place->podcast, guid);
  if (!g_hash_table_contains (found, name))
    {
      g_autoptr (EarStatement) statement = ear_database_query (
          database,
          "SELECT " MARKS_COLUMNS " FROM episode WHERE podcast = ?1 AND guid = ?2", "xs",
          place->podcast, guid);

      add_marks (database, statement, found);
    }
  marks = g_hash_table_lookup (found, name);
  if (marks != NULL)
    g_array_append_val (marks->places, index);
}

static gpointer
find_media (EarDatabase *database, const EarRead *read)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) ear_media_marks_free);
  g_autoptr (GHashTable) podcasts = g_hash_table_new_full (
      g_int64_hash, g_int64_equal, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT " MARKS_COLUMNS " FROM episode WHERE enclosure IS NOT NULL"
      " AND (position_updated > ?1 OR listened_updated > ?1)",
      "x", read->since);

  add_marks (database, statement, found);
  for (guint i = 0; i < read->items->len; i++)
    {
      EarMediaMarks *place = g_ptr_array_index (read->items, i);
      GHashTable *guids = g_hash_table_lookup (podcasts, &place->podcast);

      if (guids == NULL)
        {
          guids = list_media (database, place->podcast);
          g_hash_table_insert (podcasts, &place->podcast, guids);
        }
      add_place (database, place, i, guids, found);
    }

  return g_hash_table_steal_all_values (found);
}

/* Lists the episodes whose position or played mark was changed after a time, and those of
 * some places: by guid, else by the address of their media, present or former; without a
 * guid, also by the name of its file, if only one episode of the podcast has it.
 * @places: (element-type EarMediaMarks): those to find; immutable from now on
 * @since: Unix microseconds
 * @callback: gets a #GPtrArray of #EarMediaMarks from ear_catalogue_read_finish() */
void
ear_catalogue_find_media_async (EarCatalogue *self, GPtrArray *places, gint64 since,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  ear_catalogue_read_async (self,
                            (EarRead) { .func = find_media,
                                        .result_free = (GDestroyNotify) g_ptr_array_unref,
                                        .items = g_ptr_array_ref (places),
                                        .since = since },
                            cancellable, callback, user_data);
}
