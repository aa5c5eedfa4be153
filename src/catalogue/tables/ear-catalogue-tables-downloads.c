/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

/* Writer thread: the copy of the downloads, for the filters */

static gboolean
put (EarCatalogueTables *self, const EarDownloadMark *mark, GError **error)
{
  gint64 id = 0;

  if (!ear_database_get_int (
          self->database, error, &id,
          "UPDATE episode SET download = ?3, download_place = ?4 WHERE id = (" EAR_FIND_EPISODE_SQL ")"
          " AND (download <> ?3 OR download_place <> ?4) RETURNING id",
          "xsix", mark->podcast, mark->guid, (int) mark->kind, mark->kind != EAR_DOWNLOAD_KIND_NONE ? mark->place : 0))
    return FALSE;
  if (id != 0)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, mark->podcast), id, EAR_CHANGE_DOWNLOAD);

  return TRUE;
}

/* Lists the downloads in the rows. */
static GPtrArray *
list_marked (EarCatalogueTables *self, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database, "SELECT podcast, guid, download, download_place FROM episode INDEXED BY episode_download WHERE download <> 0", error);
  g_autoptr (GPtrArray) marked = ear_download_mark_new_array ();
  gboolean row;

  while (ear_database_step (self->database, statement, &row, error) && row)
    g_ptr_array_add (marked, ear_download_mark_new (sqlite3_column_int64 (statement, 0),
                                                    (const char *) sqlite3_column_text (statement, 1),
                                                    (EarDownloadKind) sqlite3_column_int (statement, 2),
                                                    sqlite3_column_int64 (statement, 3)));

  return row ? NULL : g_steal_pointer (&marked);
}

static GHashTable *
index_marks (GPtrArray *marks)
{
  GHashTable *index = g_hash_table_new (ear_download_mark_hash, ear_download_mark_equal);

  for (guint i = 0; i < marks->len; i++)
    g_hash_table_add (index, g_ptr_array_index (marks, i));

  return index;
}

/* Whether the downloads differ from those in the rows; also on errors. A partial update
 * is never compared. */
gboolean
ear_catalogue_tables_needs_downloads (EarCatalogueTables *self, EarCatalogueOp *op)
{
  g_autoptr (GPtrArray) marked = op->value != 0 ? list_marked (self, NULL) : NULL;
  g_autoptr (GHashTable) wanted = index_marks (op->data);

  if (marked == NULL || marked->len != g_hash_table_size (wanted))
    return TRUE;
  for (guint i = 0; i < marked->len; i++)
    {
      const EarDownloadMark *mark = g_ptr_array_index (marked, i);
      const EarDownloadMark *same = g_hash_table_lookup (wanted, mark);

      if (same == NULL || same->kind != mark->kind || same->place != mark->place)
        return TRUE;
    }

  return FALSE;
}

/* Clears rows with a download that is not among @marks. */
static gboolean
clear_others (EarCatalogueTables *self, GPtrArray *marks, GError **error)
{
  g_autoptr (GPtrArray) marked = list_marked (self, error);
  g_autoptr (GHashTable) wanted = index_marks (marks);

  if (marked == NULL)
    return FALSE;
  for (guint i = 0; i < marked->len; i++)
    {
      EarDownloadMark *mark = g_ptr_array_index (marked, i);

      mark->kind = EAR_DOWNLOAD_KIND_NONE;
      if (!g_hash_table_contains (wanted, mark) && !put (self, mark, error))
        return FALSE;
    }

  return TRUE;
}

/* Stores downloads, an array of EarDownloadMark; if the op's value is set,
 * clears all others. */
gboolean
ear_catalogue_tables_put_downloads (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  GPtrArray *marks = op->data;

  if (op->value != 0 && !clear_others (self, marks, error))
    return FALSE;
  for (guint i = 0; i < marks->len; i++)
    if (!put (self, g_ptr_array_index (marks, i), error))
      return FALSE;

  return TRUE;
}
