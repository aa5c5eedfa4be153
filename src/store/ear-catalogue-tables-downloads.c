/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

/* Writer thread: the copy of what is downloaded, for the filters. */

static gboolean
put (EarCatalogueTables *self, const EarDownloadMark *mark, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database, "UPDATE episode SET download = ?3 WHERE id = (" EAR_FIND_EPISODE_SQL ") AND download <> ?3 RETURNING id",
      error);
  gboolean row = FALSE;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, mark->podcast);
  ear_statement_bind_text (statement, 2, mark->guid);
  sqlite3_bind_int (statement, 3, (int) mark->kind);
  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  ear_podcast_event_change (ear_catalogue_event_get (self->event, mark->podcast), sqlite3_column_int64 (statement, 0),
                            EAR_CHANGE_DOWNLOAD);

  /* An UPDATE that returns rows is over only when it was asked for the next one. */
  return ear_database_step (self->database, statement, &row, error);
}

/* Those that are marked and not among @wanted */
static GPtrArray *
find_others (EarCatalogueTables *self, GHashTable *wanted, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database, "SELECT podcast, guid FROM episode INDEXED BY episode_download WHERE download <> 0", error);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_mark_free);
  gboolean row = FALSE;

  if (statement == NULL)
    return NULL;
  for (;;)
    {
      g_autoptr (EarDownloadMark) mark = NULL;

      if (!ear_database_step (self->database, statement, &row, error))
        return NULL;
      if (!row)
        return g_steal_pointer (&others);
      mark = ear_download_mark_new (sqlite3_column_int64 (statement, 0), (const char *) sqlite3_column_text (statement, 1),
                                    EAR_DOWNLOAD_KIND_NONE);
      if (!g_hash_table_contains (wanted, mark))
        g_ptr_array_add (others, g_steal_pointer (&mark));
    }
}

static gboolean
put_all (EarCatalogueTables *self, GPtrArray *marks, GError **error)
{
  for (guint i = 0; i < marks->len; i++)
    if (!put (self, g_ptr_array_index (marks, i), error))
      return FALSE;

  return TRUE;
}

/**
 * ear_catalogue_tables_put_downloads:
 * @self: the tables with an open transaction
 * @marks: (element-type EarDownloadMark): what is downloaded, wanted, or not any more
 * @whole: whether nothing else is
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_put_downloads (EarCatalogueTables *self, GPtrArray *marks, gboolean whole, GError **error)
{
  g_autoptr (GPtrArray) others = NULL;

  if (whole)
    {
      g_autoptr (GHashTable) wanted = g_hash_table_new (ear_download_mark_hash, ear_download_mark_equal);

      for (guint i = 0; i < marks->len; i++)
        g_hash_table_add (wanted, g_ptr_array_index (marks, i));
      others = find_others (self, wanted, error);
      if (others == NULL || !put_all (self, others, error))
        return FALSE;
    }

  return put_all (self, marks, error);
}
