/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-schema.h"

static gboolean
run_step (EarDatabase *database, const EarMigration *step, GError **error)
{
  g_autofree char *version = g_strdup_printf ("PRAGMA user_version = %d", step->version);

  if (!ear_database_exec (database, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (ear_database_exec (database, step->sql, error) && ear_database_exec (database, version, error) &&
      ear_database_exec (database, "COMMIT", error))
    return TRUE;

  ear_database_exec (database, "ROLLBACK", NULL);
  g_prefix_error (error, "Version %d of the schema: ", step->version);

  return FALSE;
}

static gboolean
keep_copy (EarDatabase *database, gint64 version, GError **error)
{
  g_autofree char *path =
      g_strdup_printf ("%s" EAR_DATABASE_VERSION_SUFFIX "%" G_GINT64_FORMAT, ear_database_get_path (database), version);

  if (ear_database_copy_to (database, path, error))
    return TRUE;
  g_prefix_error (error, "The copy before a migration: ");

  return FALSE;
}

/* Migrates a database to the newest version, each step in a transaction of its own.
 * Before each step, a copy is kept beside the file, as `<name>.version-<the old one>`;
 * without enough disk space for it, the step is not made.
 * @steps: (array length=n_steps): all steps, by version from 1
 * Returns: %FALSE if a step failed, or if the database is newer than the last step
 * (%EAR_ERROR_NEWER): then nothing was written */
gboolean
ear_database_migrate (EarDatabase *database, const EarMigration *steps, guint n_steps, GError **error)
{
  gint64 version = 0;

  if (!ear_database_get_int (database, error, &version, "PRAGMA user_version", ""))
    return FALSE;
  if (version > steps[n_steps - 1].version)
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_NEWER, "Version %" G_GINT64_FORMAT " of the schema is newer than we are",
                   version);
      return FALSE;
    }
  if (version < 0)
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "There is no version %" G_GINT64_FORMAT " of the schema", version);
      return FALSE;
    }

  for (guint i = 0; i < n_steps; i++)
    {
      if (steps[i].version <= version)
        continue;
      /* A new file needs no copy. */
      if (version > 0 && !keep_copy (database, steps[i].version - 1, error))
        return FALSE;
      if (!run_step (database, &steps[i], error))
        return FALSE;
    }

  return TRUE;
}
