/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-copies.h"

#include "ear-catalogue-schema.h"
#include "ear-database-migration.h"
#include "ear-durable.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The files beside catalogue.db, and how they replace it:
 *
 *   catalogue.db.copy-DATE      its state a week ago, and two weeks ago
 *   catalogue.db.version-N      its state before the migration to version N + 1 of the schema
 *   catalogue.db.damaged-DATE   a damaged catalogue
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
         g_str_has_suffix (name, "-journal") || g_str_has_suffix (name, EAR_DATABASE_PARTIAL_SUFFIX);
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

      if (!g_str_has_prefix (entry, prefix) || is_part_of_another (entry) || lstat (found, &info) != 0 ||
          !S_ISREG (info.st_mode))
        continue;
      candidate = g_new0 (Candidate, 1);
      candidate->path = g_steal_pointer (&found);
      candidate->modified = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
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
gboolean
ear_catalogue_copies_make (EarDatabase *database, const char *path, GError **error)
{
  g_autofree char *copy = dup_dated_name (path, COPY_SUFFIX);
  const gint64 room = ear_durable_get_room (path);
  gint64 size = 0;

  if (!ear_database_get_int (database, error, &size, SIZE_SQL, ""))
    return FALSE;
  if (room >= 0 && room < size + ROOM)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, "There is no room for a copy of the catalogue");
      return FALSE;
    }
  remove_partial_copies (path);
  if (!ear_database_copy_to (database, copy, error))
    return FALSE;
  prune (path, COPY_SUFFIX);
  prune (path, EAR_DATABASE_VERSION_SUFFIX);

  return TRUE;
}

/* Returns: time of the newest copy, in Unix seconds; 0 without one */
gint64
ear_catalogue_copies_get_newest (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  add_candidates (candidates, path, COPY_SUFFIX);

  return candidates->len > 0 ? ((Candidate *) g_ptr_array_index (candidates, 0))->modified / 1000000000 : 0;
}

/* Renames a damaged file to keep its content. Its log goes with it, under the name
 * that SQLite expects.
 * @path: path of catalogue.db, not open anywhere */
gboolean
ear_catalogue_copies_set_aside (const char *path, GError **error)
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
void
ear_catalogue_copies_prune_aside (const char *path)
{
  prune (path, DAMAGED_SUFFIX);
}

/* Returns: (transfer full) (nullable): the file set aside last */
char *
ear_catalogue_copies_dup_aside (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  add_candidates (candidates, path, DAMAGED_SUFFIX);

  return candidates->len > 0 ? g_strdup (((Candidate *) g_ptr_array_index (candidates, 0))->path) : NULL;
}

/* Moves a log left by a kill while setting a file aside: SQLite must not apply it to
 * the next file. */
static void
move_stray_log (const char *path)
{
  g_autofree char *log = g_strconcat (path, LOG_SUFFIX, NULL);
  g_autofree char *index = g_strconcat (path, INDEX_SUFFIX, NULL);
  g_autofree char *aside = ear_catalogue_copies_dup_aside (path);
  g_autofree char *target = g_strconcat (aside != NULL ? aside : path, LOG_SUFFIX, aside != NULL ? NULL : ".stray", NULL);

  g_rename (log, target);
  g_unlink (index);
}

/* A quick check: the copy was checked when it was made, and a full check follows later,
 * off the main thread. */
static gboolean
is_good (const Candidate *candidate)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDatabase) database = ear_database_open (candidate->path, EAR_DATABASE_READ_ONLY, &error);
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
gboolean
ear_catalogue_copies_install (const char *path)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);

  move_stray_log (path);
  add_candidates (candidates, path, COPY_SUFFIX);
  add_candidates (candidates, path, EAR_DATABASE_VERSION_SUFFIX);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = g_ptr_array_index (candidates, i);

      if (is_good (candidate) && ear_durable_rename (candidate->path, path, NULL))
        return TRUE;
    }

  return FALSE;
}
