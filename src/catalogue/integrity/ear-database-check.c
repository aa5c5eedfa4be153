/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-database.h"

#include "ear-durable.h"

#include <glib/gstdio.h>

/* Checks of a database, and checked copies */

static gboolean
check_ok (EarDatabase *self, const char *sql, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (self, g_intern_string (sql), error);
  const char *answer;
  gboolean row;

  if (!ear_database_step (self, statement, &row, error))
    return FALSE;
  answer = row ? (const char *) sqlite3_column_text (statement, 0) : NULL;
  if (g_strcmp0 (answer, "ok") == 0)
    return TRUE;

  ear_database_set_damaged (self);
  g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "%s", answer != NULL ? answer : "The check gave no answer");

  return FALSE;
}

static gboolean
check_table (EarDatabase *self, EarDatabaseDepth depth, const char *table, GError **error)
{
  char *sql = sqlite3_mprintf ("PRAGMA %s (%Q)", depth == EAR_DATABASE_CONTENT ? "integrity_check" : "quick_check", table);
  gboolean ok = check_ok (self, sql, error);

  sqlite3_free (sql);

  return ok;
}

/* Returns the names of the tables, those of the full text index @index last. */
static GPtrArray *
list_tables (EarDatabase *self, const char *index, EarDatabaseDepth depth, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self, error,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND (?1 OR sql NOT LIKE 'CREATE VIRTUAL%')"
      " ORDER BY name LIKE ?2 || '%'", "is", depth == EAR_DATABASE_CONTENT, index);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (g_free);
  gboolean row = FALSE;

  g_ptr_array_add (tables, g_strdup ("sqlite_schema"));
  while (ear_database_step (self, statement, &row, error) && row)
    g_ptr_array_add (tables, ear_statement_dup_text (statement, 0));

  return row ? NULL : g_steal_pointer (&tables);
}

/* Checks all pages of the file, one table at a time, so that a check can
 * be cancelled soon.
 * @index: (nullable): name of a full text index that can be rebuilt from the other tables
 * @index_damaged: (out) (optional): whether only @index is damaged
 * Returns: %FALSE with %EAR_ERROR_DAMAGED on damage */
gboolean
ear_database_check (EarDatabase *self, EarDatabaseDepth depth, const char *index, gboolean *index_damaged, GError **error)
{
  g_autoptr (GPtrArray) tables = list_tables (self, index, depth, error);

  if (index_damaged != NULL)
    *index_damaged = FALSE;
  if (tables == NULL)
    return FALSE;
  for (guint i = 0; i < tables->len; i++)
    {
      const char *table = g_ptr_array_index (tables, i);

      g_autoptr (GError) local = NULL;
      const gboolean is_index = index != NULL && g_str_has_prefix (table, index);

      if (check_table (self, depth, table, &local))
        continue;
      /* A table that cannot even be opened is damaged, too. */
      if (is_index && g_error_matches (local, EAR_ERROR, EAR_ERROR_FAILED))
        local->code = EAR_ERROR_DAMAGED;
      /* The index comes last: all other tables are fine. */
      if (index_damaged != NULL)
        *index_damaged = is_index;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  return TRUE;
}

/* Checks all pages at once, and that each belongs to one table at most.
 * Returns: %FALSE with %EAR_ERROR_DAMAGED on damage */
gboolean
ear_database_check_all (EarDatabase *self, GError **error)
{
  return check_ok (self, "PRAGMA quick_check (1)", error);
}

/* Compares a new copy with its source; its pages need no check. */
static gboolean
check_copy (EarDatabase *self, const char *path, GError **error)
{
  g_autoptr (EarDatabase) copy = ear_database_open (path, EAR_DATABASE_READ_ONLY, error);
  const char *const sums[] = { "PRAGMA application_id", "PRAGMA user_version", "SELECT count (*) FROM sqlite_schema" };

  if (copy == NULL)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      gint64 ours = 0;
      gint64 theirs = -1;

      if (!ear_database_get_int (self, error, &ours, sums[i], "") || !ear_database_get_int (copy, error, &theirs, sums[i], ""))
        return FALSE;
      if (ours != theirs)
        {
          g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The copy is another one: %s", sums[i]);
          return FALSE;
        }
    }

  return ear_database_check (copy, EAR_DATABASE_PAGES, NULL, NULL, error);
}

/* Writes a compact copy of the database (`VACUUM INTO`), checks it, and renames it once
 * it is on the disk: a file with the final name is always good.
 * @path: path of the copy; an older one is replaced
 * Returns: whether the copy was made; otherwise an older one is unchanged */
gboolean
ear_database_copy_to (EarDatabase *self, const char *path, GError **error)
{
  g_autofree char *partial = g_strconcat (path, EAR_DATABASE_PARTIAL_SUFFIX, NULL);
  char *sql = sqlite3_mprintf ("VACUUM INTO %Q", partial);
  gboolean ok;

  g_unlink (partial);
  ok = ear_database_exec (self, sql, error) && check_copy (self, partial, error) &&
       ear_durable_sync (partial, error) && ear_durable_rename (partial, path, error);
  sqlite3_free (sql);
  if (!ok)
    g_unlink (partial);

  return ok;
}
