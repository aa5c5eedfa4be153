/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-catalogue-schema.h"
#include "ear-durable.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The files beside catalogue.db, and how they replace it:
 *
 *   catalogue.db.copy-DATE      its state a week ago, and two weeks ago
 *   catalogue.db.damaged-DATE   a damaged catalogue, or one of an earlier version
 *
 * Every step is one rename, so that after a kill between two of them the next
 * start can continue.
 */

#define COPY_SUFFIX ".copy-"
#define DAMAGED_SUFFIX ".damaged-"
#define LOG_SUFFIX "-wal"
#define INDEX_SUFFIX "-shm"

/* Files kept of each kind. A catalogue can be fetched again, and must not
 * fill the disk. */
#define N_KEPT 2

/* Free space left after a copy, for the listener's own files */
#define ROOM (64 * 1024 * 1024)

#define SIZE_SQL "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"

typedef struct
{
  char *path;
  gint64 modified; /* nanoseconds */
} Candidate;

static void
candidate_free (gpointer data)
{
  g_free (((Candidate *) data)->path);
  g_free (data);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  const Candidate *first = a;
  const Candidate *second = b;

  if (first->modified != second->modified)
    return first->modified > second->modified ? -1 : 1;

  return strcmp (second->path, first->path);
}

static gboolean
is_part_of_another (const char *name)
{
  return g_str_has_suffix (name, LOG_SUFFIX) || g_str_has_suffix (name, INDEX_SUFFIX) ||
         g_str_has_suffix (name, "-journal") ||
         g_str_has_suffix (name, EAR_DATABASE_PARTIAL_SUFFIX);
}

/* Adds the files beside @path whose names continue with @suffix. */
static void
add_candidates (GPtrArray *candidates, const char *path, const char *suffix)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *prefix = g_strconcat (name, suffix, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *found = g_build_filename (folder, entry, NULL);
      Candidate *candidate;
      struct stat info;

      if (!g_str_has_prefix (entry, prefix) || is_part_of_another (entry) ||
          lstat (found, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      candidate = g_new0 (Candidate, 1);
      candidate->path = g_steal_pointer (&found);
      candidate->modified = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) +
                            info.st_mtim.tv_nsec;
      g_ptr_array_add (candidates, candidate);
    }
  g_ptr_array_sort_values (candidates, compare_newest_first);
}

static void
remove_with_parts (const char *path)
{
  const char *const parts[] = { "", LOG_SUFFIX, INDEX_SUFFIX };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_strconcat (path, parts[i], NULL);

      g_unlink (part);
    }
}

static void
prune (const char *path, const char *suffix)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  add_candidates (candidates, path, suffix);
  for (guint i = N_KEPT; i < candidates->len; i++)
    remove_with_parts (((Candidate *) g_ptr_array_index (candidates, i))->path);
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
  prune (path, COPY_SUFFIX);

  return TRUE;
}

/* Returns: time of the newest copy, in Unix seconds; 0 without one */
static gint64
copies_get_newest (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  add_candidates (candidates, path, COPY_SUFFIX);

  return candidates->len > 0
             ? ((Candidate *) g_ptr_array_index (candidates, 0))->modified / 1000000000
             : 0;
}

/* Renames a damaged file to keep its content. Its log goes with it, under the name
 * that SQLite expects.
 * @path: path of catalogue.db, not open anywhere */
gboolean
ear_catalogue_set_aside (const char *path, GError **error)
{
  g_autofree char *target = dup_dated_name (path, DAMAGED_SUFFIX);
  g_autofree char *log = g_strconcat (path, LOG_SUFFIX, NULL);
  g_autofree char *log_target = g_strconcat (target, LOG_SUFFIX, NULL);
  g_autofree char *index = g_strconcat (path, INDEX_SUFFIX, NULL);

  if (!ear_durable_rename (path, target, error))
    return FALSE;
  g_rename (log, log_target);
  g_unlink (index);

  return TRUE;
}

/* Removes damaged files that were set aside too long ago. */
static void
copies_prune_aside (const char *path)
{
  prune (path, DAMAGED_SUFFIX);
}

/* Returns: (transfer full) (nullable): the file set aside last */
static char *
copies_dup_aside (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  add_candidates (candidates, path, DAMAGED_SUFFIX);

  return candidates->len > 0 ? g_strdup (((Candidate *) g_ptr_array_index (candidates, 0))->path)
                             : NULL;
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
is_good (const Candidate *candidate)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDatabase) database = ear_database_open (candidate->path, EAR_DATABASE_READ_ONLY,
                                                        &error);
  gint64 size = 0;
  struct stat info;

  if (database == NULL || !ear_catalogue_schema_accept (database, &error) ||
      !ear_database_get_int (database, &error, &size, SIZE_SQL, ""))
    {
      g_message ("A copy of the catalogue is of no use: %s", error->message);
      return FALSE;
    }

  return stat (candidate->path, &info) == 0 && info.st_size == size;
}

/* Renames the newest good copy to replace the catalogue. Rejected copies stay.
 * @path: path of catalogue.db, which is missing */
static gboolean
copies_install (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  move_stray_log (path);
  add_candidates (candidates, path, COPY_SUFFIX);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = g_ptr_array_index (candidates, i);

      if (is_good (candidate) && ear_durable_rename (candidate->path, path, NULL))
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

/* Result of a job, on its way to the owner's thread */
typedef struct
{
  gboolean is_copy; /* the job was a copy; otherwise a check */
  GError *error;    /* (nullable): %NULL: success */
} Report;

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

static void
check_and_report (gpointer data)
{
  EarCatalogue *self = data;
  Report *report = g_new0 (Report, 1);
  g_autoptr (EarDatabase) database = NULL;

  if (!check_progress_cb (self))
    database = ear_database_open (self->health.path, EAR_DATABASE_READ_ONLY, &report->error);
  if (database != NULL)
    {
      sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS,
                                check_progress_cb, self);
      ear_database_check (database, EAR_DATABASE_CONTENT, &report->error);
    }
  ear_main_queue_post (self->health.reports, report);
}

static void
copy_and_report (gpointer data)
{
  EarCatalogue *self = data;
  Report *report = g_new0 (Report, 1);
  g_autoptr (EarDatabase) database = NULL;

  report->is_copy = TRUE;
  if (copy_progress_cb (self))
    g_set_error_literal (&report->error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                         "The copy is not wanted any more");
  else
    database = ear_database_open (self->health.path, EAR_DATABASE_COPY, &report->error);
  if (database != NULL)
    {
      sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS,
                                copy_progress_cb, self);
      copies_make (database, self->health.path, &report->error);
    }
  ear_main_queue_post (self->health.reports, report);
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
complete_copy (EarCatalogue *self, const GError *error)
{
  g_autoptr (GTask) task = g_queue_pop_head (&self->health.copies);

  if (task == NULL)
    return;
  if (error != NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
take_check (EarCatalogue *self, const Report *report)
{
  self->health.is_checking = FALSE;
  if (report->error == NULL)
    return;
  g_message ("The catalogue was looked through: %s", report->error->message);
  if (!g_error_matches (report->error, EAR_ERROR, EAR_ERROR_DAMAGED))
    return;
  self->health.is_damaged = TRUE;
  g_signal_emit_by_name (self, "damage-found");
}

static void
take_report (gpointer message, gpointer user_data)
{
  g_autofree Report *report = message;
  g_autoptr (GError) error = report->error;
  g_autoptr (EarCatalogue) self = g_object_ref (user_data);

  if (g_atomic_int_get (&self->health.is_ending))
    return;
  if (!report->is_copy)
    take_check (self, report);
  else
    {
      complete_copy (self, error);
      ear_catalogue_note_error (self, error);
    }
}

static void
add_job (EarCatalogue *self, GSourceOnceFunc job)
{
  if (self->health.thread == NULL)
    self->health.thread = ear_thread_new ("catalogue-check", EAR_WORKER_PREPARES);
  ear_thread_push (self->health.thread, job, self);
}

static void
begin_check (EarCatalogue *self)
{
  if (self->closed || self->health.is_checking || self->health.is_damaged ||
      self->health.reports == NULL)
    return;
  self->health.is_checking = TRUE;
  self->health.was_checked = TRUE;
  add_job (self, check_and_report);
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

/* Prepares checks of the file, and reports whether it was replaced. */
void
ear_catalogue_begin_checking (EarCatalogue *self)
{
  copies_prune_aside (self->health.path);
  self->health.reports = ear_main_queue_new (self->context, take_report, self);
  if (self->health.replaced != NULL)
    g_source_attach (self->health.replaced, self->context);
}

/* Cancels checks and copies. */
void
ear_catalogue_end_checking (EarCatalogue *self)
{
  g_autoptr (GError) closed = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                                   "The catalogue is closed");

  if (self->health.replaced != NULL)
    g_source_destroy (self->health.replaced);
  g_clear_pointer (&self->health.replaced, g_source_unref);
  g_atomic_int_set (&self->health.is_ending, TRUE);
  g_clear_pointer (&self->health.thread, ear_thread_stop);
  if (self->health.reports != NULL)
    ear_main_queue_drain (self->health.reports);
  g_clear_pointer (&self->health.reports, ear_main_queue_free);
  while (!g_queue_is_empty (&self->health.copies))
    complete_copy (self, closed);
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
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), 0);

  return copies_get_newest (self->health.path);
}

/* Makes a copy beside the file, on another thread. Two copies are kept. */
void
ear_catalogue_copy_async (EarCatalogue *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_copy_async);
  if (self->health.reports == NULL || self->health.is_damaged)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_FAILED,
                                       "There is no catalogue that is worth a copy");
      return;
    }
  g_queue_push_tail (&self->health.copies, g_steal_pointer (&task));
  g_atomic_int_set (&self->health.no_copies, FALSE);
  add_job (self, copy_and_report);
}

gboolean
ear_catalogue_copy_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Cancels a copy, to free the disk for something else. */
void
ear_catalogue_stop_copying (EarCatalogue *self)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  g_atomic_int_set (&self->health.no_copies, TRUE);
}
