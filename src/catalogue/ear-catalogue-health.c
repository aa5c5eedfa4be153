/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-catalogue-schema.h"
#include "ear-durable.h"

#include <glib/gstdio.h>
#include <string.h>

/*
 * The files beside catalogue.db, and how they replace it:
 *
 *   catalogue.db.copy-DATE      its state a week ago, and two weeks ago
 *   catalogue.db.damaged-DATE   a damaged catalogue
 *   catalogue.db.version-DATE   one with an earlier schema, until there is a copy again
 *
 * Every step is one rename, so that after a kill between two of them the next
 * start can continue.
 */

#define COPY_SUFFIX ".copy-"
#define DAMAGED_SUFFIX ".damaged-"
#define VERSION_SUFFIX ".version-"
#define LOG_SUFFIX "-wal"
#define INDEX_SUFFIX "-shm"

/* Files kept of each kind. A catalogue can be fetched again, and must not
 * fill the disk. */
#define N_KEPT 2

/* Free space left after a copy, for the listener's own files */
#define ROOM (64 * 1024 * 1024)

#define SIZE_SQL "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"

static gboolean
is_part_of_another (const char *name)
{
  return g_str_has_suffix (name, LOG_SUFFIX) || g_str_has_suffix (name, INDEX_SUFFIX) ||
         g_str_has_suffix (name, "-journal") ||
         g_str_has_suffix (name, EAR_DATABASE_PARTIAL_SUFFIX);
}

static int
compare_descending (gconstpointer a, gconstpointer b)
{
  return strcmp (b, a);
}

/* Returns: (transfer full) (element-type filename): the files beside @path whose names
 *   continue with @suffix, and then with a date: the newest first */
static GPtrArray *
list_files (const char *path, const char *suffix)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *prefix = g_strconcat (name, suffix, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (entry, prefix) && !is_part_of_another (entry))
      g_ptr_array_add (files, g_build_filename (folder, entry, NULL));
  g_ptr_array_sort_values (files, compare_descending);

  return files;
}

static void
prune (const char *path, const char *suffix, guint n_kept)
{
  static const char *const parts[] = { "", LOG_SUFFIX, INDEX_SUFFIX };
  g_autoptr (GPtrArray) files = list_files (path, suffix);

  for (guint i = n_kept; i < files->len; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (parts); j++)
      {
        g_autofree char *part = g_strconcat (g_ptr_array_index (files, i), parts[j], NULL);

        g_unlink (part);
      }
}

/* Removes partial copies left by a kill. */
static void
remove_partial_copies (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *prefix = g_strconcat (name, COPY_SUFFIX, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (entry, prefix) && strstr (entry, EAR_DATABASE_PARTIAL_SUFFIX) != NULL)
      {
        g_autofree char *found = g_build_filename (folder, entry, NULL);

        g_unlink (found);
      }
}

static char *
dup_dated_name (const char *path, const char *suffix)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  char *name = g_strconcat (path, suffix, date, NULL);

  for (guint i = 2; g_file_test (name, G_FILE_TEST_EXISTS); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%s%s-%u", path, suffix, date, i);
    }

  return name;
}

/* Makes a copy beside the catalogue, unless it would fill the disk, and removes copies
 * that are too old.
 * @database: a connection opened %EAR_DATABASE_COPY */
static gboolean
copies_make (EarDatabase *database, const char *path, GError **error)
{
  g_autofree char *copy = dup_dated_name (path, COPY_SUFFIX);
  const gint64 room = ear_durable_get_room (path);
  gint64 size = 0;

  if (!ear_database_get_int (database, error, &size, SIZE_SQL, ""))
    return FALSE;
  if (room >= 0 && room < size + ROOM)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE,
                           "There is no room for a copy of the catalogue");
      return FALSE;
    }
  remove_partial_copies (path);
  if (!ear_database_copy_to (database, copy, error))
    return FALSE;
  prune (path, COPY_SUFFIX, N_KEPT);
  prune (path, VERSION_SUFFIX, 0);

  return TRUE;
}

/* Renames a file to keep its content. Its log goes with it, under the name that SQLite
 * expects. */
static gboolean
set_aside (const char *path, const char *suffix, GError **error)
{
  g_autofree char *target = dup_dated_name (path, suffix);
  g_autofree char *log = g_strconcat (path, LOG_SUFFIX, NULL);
  g_autofree char *log_target = g_strconcat (target, LOG_SUFFIX, NULL);
  g_autofree char *index = g_strconcat (path, INDEX_SUFFIX, NULL);

  if (!ear_durable_rename (path, target, error))
    return FALSE;
  g_rename (log, log_target);
  g_unlink (index);

  return TRUE;
}

/* Sets a damaged file aside.
 * @path: path of catalogue.db, not open anywhere */
gboolean
ear_catalogue_set_aside (const char *path, GError **error)
{
  return set_aside (path, DAMAGED_SUFFIX, error);
}

/* Sets a file with an earlier schema aside, and removes its copies.
 * @path: path of catalogue.db, not open anywhere */
gboolean
ear_catalogue_set_aside_version (const char *path, GError **error)
{
  prune (path, COPY_SUFFIX, 0);

  return set_aside (path, VERSION_SUFFIX, error);
}

/* Returns: (transfer full) (nullable): the damaged file set aside last */
static char *
copies_dup_aside (const char *path)
{
  g_autoptr (GPtrArray) files = list_files (path, DAMAGED_SUFFIX);

  return files->len > 0 ? g_strdup (g_ptr_array_index (files, 0)) : NULL;
}

/* Moves a log left by a kill while setting a file aside: SQLite must not apply it to
 * the next file. */
static void
move_stray_log (const char *path)
{
  g_autofree char *log = g_strconcat (path, LOG_SUFFIX, NULL);
  g_autofree char *index = g_strconcat (path, INDEX_SUFFIX, NULL);
  g_autofree char *aside = copies_dup_aside (path);
  g_autofree char *target = g_strconcat (aside != NULL ? aside : path, LOG_SUFFIX,
                                         aside != NULL ? NULL : ".stray", NULL);

  g_rename (log, target);
  g_unlink (index);
}

/* A quick check: the copy was checked when it was made, and a full check follows later,
 * off the main thread. */
static gboolean
is_good (const char *copy)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDatabase) database = ear_database_open (copy, EAR_DATABASE_READ_ONLY, &error);
  gint64 size = 0;
  GStatBuf info;

  if (database == NULL || !ear_catalogue_schema_accept (database, &error) ||
      !ear_database_get_int (database, &error, &size, SIZE_SQL, ""))
    {
      g_message ("A copy of the catalogue is of no use: %s", error->message);
      return FALSE;
    }

  return g_stat (copy, &info) == 0 && info.st_size == size;
}

/* Renames the newest good copy to replace the catalogue. Rejected copies stay.
 * @path: path of catalogue.db, which is missing */
static gboolean
copies_install (const char *path)
{
  g_autoptr (GPtrArray) copies = list_files (path, COPY_SUFFIX);

  move_stray_log (path);
  for (guint i = 0; i < copies->len; i++)
    {
      const char *copy = g_ptr_array_index (copies, i);

      if (is_good (copy) && ear_durable_rename (copy, path, NULL))
        return TRUE;
    }

  return FALSE;
}

/* SQLite steps between two checks for the end: some tens of microseconds */
#define PROGRESS_STEPS 2000

/*
 * Health of the file. The file is checked while it is in use: after an exit that was not
 * clean, and whenever SQLite reports an error. A damaged file stays in use, as most of it
 * can be read, until the catalogue is closed; then it is set aside, and the next opening
 * installs the newest good copy, or creates a new file.
 *
 * Checks and copies take long, and nobody waits for them: they run on a thread that has a
 * read-only connection of its own for each job. The thread starts with the first job.
 */

static int
check_progress_cb (gpointer data)
{
  return g_atomic_int_get (&((EarCatalogue *) data)->health.is_ending);
}

static int
copy_progress_cb (gpointer data)
{
  EarCatalogue *self = data;

  return g_atomic_int_get (&self->health.is_ending) || g_atomic_int_get (&self->health.no_copies);
}

/* @ok: whether the job succeeded; otherwise @error is set
 * @task: (transfer full): the job */
static void
return_job (GTask *task, gboolean ok, GError *error)
{
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

/* Opens the file for a job; SQLite asks @is_unwanted at each step. */
static EarDatabase *
open_for_job (EarCatalogue *self, EarDatabaseMode mode, int (*is_unwanted) (gpointer),
              GError **error)
{
  EarDatabase *database = NULL;

  if (!is_unwanted (self))
    database = ear_database_open (self->health.path, mode, error);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The job is not wanted any more");
  if (database != NULL)
    sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, is_unwanted,
                              self);

  return database;
}

static void
check (gpointer data)
{
  EarCatalogue *self = g_task_get_source_object (data);
  GError *error = NULL;
  g_autoptr (EarDatabase) database = open_for_job (self, EAR_DATABASE_READ_ONLY,
                                                   check_progress_cb, &error);
  const gboolean ok = database != NULL &&
                      ear_database_check (database, EAR_DATABASE_CONTENT, &error);

  return_job (data, ok, error);
}

static void
copy (gpointer data)
{
  EarCatalogue *self = g_task_get_source_object (data);
  GError *error = NULL;
  g_autoptr (EarDatabase) database = open_for_job (self, EAR_DATABASE_COPY, copy_progress_cb,
                                                   &error);
  const gboolean ok = database != NULL && copies_make (database, self->health.path, &error);

  return_job (data, ok, error);
}

static gboolean
replaced_cb (gpointer user_data)
{
  g_autoptr (EarCatalogue) self = g_object_ref (user_data);

  g_clear_pointer (&self->health.replaced, g_source_unref);
  g_signal_emit_by_name (self, "damaged", self->health.set_aside);

  return G_SOURCE_REMOVE;
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarCatalogue *self = EAR_CATALOGUE (source);
  g_autoptr (GError) error = NULL;

  self->health.is_checking = FALSE;
  if (g_task_propagate_boolean (G_TASK (result), &error) || self->closed)
    return;
  g_message ("The catalogue was looked through: %s", error->message);
  if (!g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    return;
  self->health.is_damaged = TRUE;
  g_signal_emit_by_name (self, "damage-found");
}

/* @task: (transfer full): the job, which it returns */
static void
add_job (EarCatalogue *self, GSourceOnceFunc job, GTask *task)
{
  if (self->health.thread == NULL)
    self->health.thread = ear_thread_new ("catalogue-check", EAR_WORKER_PREPARES);
  ear_thread_push (self->health.thread, job, task);
}

static void
begin_check (EarCatalogue *self)
{
  if (self->closed || self->writer == NULL || self->health.is_checking || self->health.is_damaged)
    return;
  self->health.is_checking = TRUE;
  self->health.was_checked = TRUE;
  add_job (self, check, g_task_new (self, NULL, checked_cb, NULL));
}

/* Replaces a lost file with the newest good copy, if there is one. The file is lost if it
 * was set aside, or is missing though there are copies.
 * Returns: whether there is a file now; otherwise a new one has to be created */
gboolean
ear_catalogue_replace_file (EarCatalogue *self)
{
  g_clear_pointer (&self->health.set_aside, g_free);
  self->health.set_aside = copies_dup_aside (self->health.path);
  self->health.is_restored = copies_install (self->health.path);
  if (self->health.replaced == NULL && (self->health.is_restored || self->health.set_aside != NULL))
    {
      self->health.replaced = g_idle_source_new ();
      g_source_set_static_name (self->health.replaced, "[earmark] catalogue replaced");
      g_source_set_callback (self->health.replaced, replaced_cb, self, NULL);
    }

  return self->health.is_restored;
}

/* Removes old damaged files, and reports whether the file was replaced. */
void
ear_catalogue_begin_checking (EarCatalogue *self)
{
  prune (self->health.path, DAMAGED_SUFFIX, N_KEPT);
  if (self->health.replaced != NULL)
    g_source_attach (self->health.replaced, self->context);
}

/* Cancels checks and copies. */
void
ear_catalogue_end_checking (EarCatalogue *self)
{
  if (self->health.replaced != NULL)
    g_source_destroy (self->health.replaced);
  g_clear_pointer (&self->health.replaced, g_source_unref);
  g_atomic_int_set (&self->health.is_ending, TRUE);
  g_clear_pointer (&self->health.thread, ear_thread_stop);
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

  if (self->health.exit != EAR_EXIT_CLEAN)
    begin_check (self);
}

/* Returns: time of the last copy, in Unix seconds; 0 without one */
gint64
ear_catalogue_get_last_copy (EarCatalogue *self)
{
  g_autoptr (GPtrArray) copies = NULL;
  GStatBuf info;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), 0);

  copies = list_files (self->health.path, COPY_SUFFIX);

  return copies->len > 0 && g_stat (g_ptr_array_index (copies, 0), &info) == 0 ? info.st_mtime : 0;
}

/* Makes a copy beside the file, on another thread. Two copies are kept. */
void
ear_catalogue_copy_async (EarCatalogue *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_copy_async);
  if (self->closed || self->writer == NULL || self->health.is_damaged)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_FAILED,
                                       "There is no catalogue that is worth a copy");
      return;
    }
  g_atomic_int_set (&self->health.no_copies, FALSE);
  add_job (self, copy, g_steal_pointer (&task));
}

gboolean
ear_catalogue_copy_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  if (g_task_propagate_boolean (G_TASK (result), &local))
    return TRUE;
  ear_catalogue_note_error (self, local);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

/* Cancels a copy, to free the disk for something else. */
void
ear_catalogue_stop_copying (EarCatalogue *self)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  g_atomic_int_set (&self->health.no_copies, TRUE);
}
