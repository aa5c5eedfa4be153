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

/* Tables of the connection: the episodes to find, and the addresses of media in their podcasts,
 * present ones and those that an episode had once */
#define MAKE_TABLES \
  "CREATE TEMP TABLE IF NOT EXISTS place (i, podcast, guid, key, name);" \
  "CREATE TEMP TABLE IF NOT EXISTS media (podcast, id, key, name, former);" \
  "CREATE INDEX IF NOT EXISTS temp.media_key ON media (podcast, key, former);" \
  "CREATE INDEX IF NOT EXISTS temp.media_name ON media (podcast, name, id);"
#define EMPTY_TABLES "DELETE FROM place; DELETE FROM media"
#define FILL_MEDIA \
  "INSERT INTO media SELECT podcast, id, address_key (enclosure), file_name (enclosure), 0" \
  " FROM episode WHERE enclosure IS NOT NULL AND podcast IN (SELECT podcast FROM place)" \
  " UNION ALL SELECT podcast, id, address_key (address), file_name (address), 1" \
  " FROM former_media JOIN episode ON id = episode WHERE podcast IN (SELECT podcast FROM place)"

/* SQLite makes an automatic index of the row ids only if they have a type. */
#define SELECT_MARKS \
  "WITH found (id, i) AS MATERIALIZED (SELECT CAST (coalesce (" \
  "(SELECT id FROM episode WHERE podcast = place.podcast AND feed_guid = place.guid)," \
  "(SELECT id FROM episode WHERE podcast = place.podcast AND guid = place.guid)," \
  "(SELECT id FROM media WHERE podcast = place.podcast AND key = place.key" \
  " ORDER BY former LIMIT 1)," \
  "(SELECT iif (count (DISTINCT id) = 1, min (id), NULL) FROM media" \
  " WHERE podcast = place.podcast AND name = place.name AND place.guid IS NULL)) AS INTEGER)," \
  " i FROM place)" \
  " SELECT id, podcast, guid, iif (own_guid, coalesce (feed_guid, guid), NULL), enclosure," \
  " iif (measured > 0, measured, duration), i, " EAR_MARK_SQL_ALL \
  " FROM episode LEFT JOIN found USING (id) WHERE i IS NOT NULL OR (enclosure IS NOT NULL" \
  " AND (position_updated > ?1 OR listened_updated > ?1)) ORDER BY id, i"

static void
address_key (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  const char *address = (const char *) sqlite3_value_text (values[0]);
  g_autofree char *valid = g_utf8_make_valid (address != NULL ? address : "", -1);

  sqlite3_result_text (context, ear_address_key (valid), -1, g_free);
}

/* The name of the file in an address; a server may have moved it, or may add parameters. */
static void
file_name (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  const char *address = (const char *) sqlite3_value_text (values[0]);
  g_autofree char *path = address != NULL ? g_strndup (address, strcspn (address, "?#")) : NULL;
  const char *slash = path != NULL ? strrchr (path, '/') : NULL;

  if (slash != NULL && slash[1] != '\0')
    sqlite3_result_text (context, slash + 1, -1, SQLITE_TRANSIENT);
}

static EarMediaMarks *
read_marks (EarStatement *statement)
{
  EarMediaMarks *marks = g_new0 (EarMediaMarks, 1);

  ear_statement_read (statement, 1, "xsssx", &marks->podcast, &marks->guid, &marks->feed_guid,
                      &marks->media, &marks->duration);
  ear_mark_sql_read (&marks->state, statement, 7);
  marks->places = g_array_new (FALSE, FALSE, sizeof (guint));

  return marks;
}

static gpointer
find_media (EarDatabase *database, const EarRead *read)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_media_marks_free);
  sqlite3 *handle = ear_database_get_handle (database);
  g_autoptr (EarStatement) statement = NULL;
  EarMediaMarks *marks = NULL;
  gint64 last = 0;

  sqlite3_create_function (handle, "address_key", 1, SQLITE_UTF8, NULL, address_key, NULL, NULL);
  sqlite3_create_function (handle, "file_name", 1, SQLITE_UTF8, NULL, file_name, NULL, NULL);
  ear_database_exec (database, MAKE_TABLES EMPTY_TABLES);
  for (guint i = 0; i < read->items->len; i++)
    {
      const EarMediaMarks *place = g_ptr_array_index (read->items, i);

      ear_database_execute (database,
                            "INSERT INTO place"
                            " VALUES (?1, ?2, ?3, address_key (?4), file_name (?4))",
                            "ixss", (int) i, place->podcast, place->feed_guid, place->media);
    }
  ear_database_exec (database, FILL_MEDIA);
  statement = ear_database_query (database, SELECT_MARKS, "x", read->since);
  while (ear_database_step (database, statement))
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);
      const guint i = (guint) sqlite3_column_int (statement, 6);

      if (id != last)
        {
          marks = read_marks (statement);
          g_ptr_array_add (found, marks);
          last = id;
        }
      if (sqlite3_column_type (statement, 6) != SQLITE_NULL)
        g_array_append_val (marks->places, i);
    }
  /* The tables are emptied after an error, too: they may hold all media of a podcast. */
  g_clear_pointer (&statement, ear_statement_reset);
  sqlite3_exec (handle, EMPTY_TABLES, NULL, NULL, NULL);

  return found;
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
