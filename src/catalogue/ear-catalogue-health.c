/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-catalogue-schema.h"
#include "ear-durable.h"

#include <glib/gstdio.h>

/*
 * The files beside catalogue.db, and how they replace it:
 *
 *   catalogue.db.copy      its state a week ago
 *   catalogue.db.damaged   a damaged catalogue
 *   catalogue.db.version   one with an earlier schema, until there is a copy again
 *
 * Every step is one rename, so that after a kill between two of them the next
 * start can continue.
 */

#define COPY_SUFFIX ".copy"
#define DAMAGED_SUFFIX ".damaged"
#define VERSION_SUFFIX ".version"
#define LOG_SUFFIX "-wal"
#define INDEX_SUFFIX "-shm"

/* Free space left after a copy, for the listener's own files */
#define ROOM (64 * 1024 * 1024)

static void
unlink_beside (const char *path, const char *suffix)
{
  g_autofree char *file = g_strconcat (path, suffix, NULL);

  g_unlink (file);
}

/* Makes a copy beside the catalogue, unless it would fill the disk.
 * @read: its text is the path of the catalogue
 * Returns: %NULL */
static gpointer
make_copy (EarDatabase *database, const EarRead *read)
{
  const char *path = read->text;
  g_autofree char *copy = g_strconcat (path, COPY_SUFFIX, NULL);
  const gint64 room = ear_durable_get_room (path);
  const gint64 size = ear_database_get_int (
      database, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", "");

  if (room >= 0 && room < size + ROOM)
    ear_database_fail (database,
                       g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_SPACE,
                                            "There is no room for a copy of the catalogue"));
  ear_database_copy_to (database, copy);
  if (!ear_database_has_failed (database))
    {
      unlink_beside (path, VERSION_SUFFIX);
      unlink_beside (path, VERSION_SUFFIX LOG_SUFFIX);
    }
  ear_database_save_memory (database);

  return NULL;
}

/* Renames a file to keep its content. Its log goes with it, under the name that SQLite
 * expects.
 * @path: path of catalogue.db, not open anywhere
 * @is_outdated: whether it has an earlier schema, as its copy then has, which is removed;
 * otherwise it is damaged */
gboolean
ear_catalogue_set_aside (const char *path, gboolean is_outdated, GError **error)
{
  g_autofree char *target = g_strconcat (path, is_outdated ? VERSION_SUFFIX : DAMAGED_SUFFIX, NULL);
  g_autofree char *log = g_strconcat (path, LOG_SUFFIX, NULL);
  g_autofree char *log_target = g_strconcat (target, LOG_SUFFIX, NULL);

  if (is_outdated)
    unlink_beside (path, COPY_SUFFIX);
  g_unlink (log_target);
  if (!ear_durable_rename (path, target, error))
    return FALSE;
  g_rename (log, log_target);
  unlink_beside (path, INDEX_SUFFIX);

  return TRUE;
}

/* A quick check: a full one follows later, off the main thread. SQLite itself rejects a file
 * that was cut off. */
static gboolean
is_good (const char *copy)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDatabase) database = ear_database_open (copy, EAR_DATABASE_READ_ONLY, &error);

  if (database != NULL && ear_catalogue_schema_accept (database, &error))
    return TRUE;
  g_message ("The copy of the catalogue is of no use: %s", error->message);

  return FALSE;
}

/*
 * Health of the file. The file is checked while it is in use: after an exit that was not
 * clean, and whenever SQLite reports an error. A damaged file stays in use, as most of it
 * can be read, until the catalogue is closed; then it is set aside, and the next opening
 * installs the copy, or creates a new file.
 *
 * Checks and copies take long, and nobody waits for them: they have a reader of their own,
 * which starts with the first one.
 */

static gpointer
check_file (EarDatabase *database, const EarRead *read)
{
  ear_database_check (database);
  ear_database_save_memory (database);

  return NULL;
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarCatalogue *self = EAR_CATALOGUE (source);
  g_autoptr (GError) error = NULL;

  self->health.is_checking = FALSE;
  g_task_propagate_pointer (G_TASK (result), &error);
  if (error == NULL || self->closed)
    return;
  g_message ("The catalogue was looked through: %s", error->message);
  if (!g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    return;
  self->health.is_damaged = TRUE;
  g_signal_emit_by_name (self, "damage-found");
}

/* Reads on the reader for checks and copies.
 * @read: its owned members are transferred */
static void
read_apart (EarCatalogue *self, EarRead read, GAsyncReadyCallback callback, gpointer user_data)
{
  read.reader = ear_catalogue_ensure_reader (self, &self->health.reader, EAR_WORKER_PREPARES);
  ear_catalogue_read_async (self, read, NULL, callback, user_data);
}

static void
begin_check (EarCatalogue *self)
{
  if (self->closed || self->writer == NULL || self->health.is_checking || self->health.is_damaged)
    return;
  self->health.is_checking = TRUE;
  self->health.was_checked = TRUE;
  read_apart (self, (EarRead) { .func = check_file }, checked_cb, NULL);
}

/* Replaces a lost file with its copy, if there is a good one. The file is lost if it was
 * set aside, or is missing though there is a copy.
 * Returns: whether there is a file now; otherwise a new one has to be created */
gboolean
ear_catalogue_replace_file (EarCatalogue *self)
{
  g_autofree char *aside = g_strconcat (self->health.path, DAMAGED_SUFFIX, NULL);
  g_autofree char *copy = g_strconcat (self->health.path, COPY_SUFFIX, NULL);

  g_clear_pointer (&self->health.set_aside, g_free);
  if (g_file_test (aside, G_FILE_TEST_EXISTS))
    self->health.set_aside = g_steal_pointer (&aside);
  /* SQLite must not apply the log of the lost file to the copy, which a kill may have left. */
  unlink_beside (self->health.path, LOG_SUFFIX);
  unlink_beside (self->health.path, INDEX_SUFFIX);
  self->health.is_restored = g_file_test (copy, G_FILE_TEST_EXISTS) && is_good (copy) &&
                             ear_durable_rename (copy, self->health.path, NULL);
  self->health.is_replaced |= self->health.is_restored || self->health.set_aside != NULL;

  return self->health.is_restored;
}

/* Starts a check if the error indicates damage. */
void
ear_catalogue_note_error (EarCatalogue *self, const GError *error)
{
  /* An error without a code of its own may be damage, too; it starts one
   * check at most. */
  const gboolean is_odd = g_error_matches (error, EAR_ERROR, EAR_ERROR_FAILED) &&
                          !self->health.was_checked;

  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED) || is_odd)
    begin_check (self);
}

/* Returns: whether the file is a copy that has replaced a damaged one */
gboolean
ear_catalogue_is_restored (EarCatalogue *self)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), FALSE);

  return self->health.is_restored;
}

/* Starts a check of the file, on another thread, unless the last session ended cleanly.
 * Call it once the first rows are shown. */
void
ear_catalogue_check_integrity (EarCatalogue *self)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (self->health.was_unclean)
    begin_check (self);
}

/* Returns: time of the last copy, in Unix seconds; 0 without one */
gint64
ear_catalogue_get_last_copy (EarCatalogue *self)
{
  g_autofree char *copy = g_strconcat (self->health.path, COPY_SUFFIX, NULL);
  GStatBuf info;

  return g_stat (copy, &info) == 0 ? info.st_mtime : 0;
}

/* Replaces the copy beside the file by a new one, on another thread; the callback calls
 * ear_catalogue_read_finish(), which returns %NULL, also without an error. */
void
ear_catalogue_copy_async (EarCatalogue *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (self->closed || self->writer == NULL || self->health.is_damaged)
    g_task_report_new_error (self, callback, user_data, ear_catalogue_copy_async, EAR_ERROR,
                             EAR_ERROR_FAILED, "There is no catalogue that is worth a copy");
  else
    read_apart (self, (EarRead) { .func = make_copy, .text = g_strdup (self->health.path) },
                callback, user_data);
}
