/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source-copy.h"

#include "ear-error.h"

#include <glib/gstdio.h>

/* Copies of other programs' databases, including their journals */

#define COPY_PREFIX "earmark-import-"
/* Seconds after which a leftover copy is removed: its reader is gone */
#define COPY_AGE (24 * 60 * 60)

/* Attempts to copy a database while its program writes to it */
#define N_COPIES 3

static void
remove_content (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      g_unlink (child);
    }
}

void
ear_import_source_remove_copy (const char *folder)
{
  remove_content (folder);
  g_rmdir (folder);
}

/* Removes copies left by an import that was killed: a copy may be large. */
void
ear_import_source_remove_left_over (void)
{
  const char *cache = g_get_user_cache_dir ();
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (cache, name, NULL);
      GStatBuf info;

      if (g_str_has_prefix (name, COPY_PREFIX) && g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode) &&
          g_get_real_time () / G_USEC_PER_SEC - info.st_mtime > COPY_AGE)
        ear_import_source_remove_copy (path);
    }
}

static gboolean
copy_file (GFile *from, const char *folder, const char *name, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) to = g_file_new_for_path (path);

  return g_file_copy (from, to, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, cancellable, NULL, NULL, error);
}

static GFile *
find_journal (GFile *file, const char *suffix)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *journal = path != NULL ? g_strconcat (path, suffix, NULL) : NULL;

  return journal != NULL && g_file_test (journal, G_FILE_TEST_EXISTS) ? g_file_new_for_path (journal) : NULL;
}

/* A journal holds changes since the last write to the database: SQLite commits them,
 * or rolls them back if the transaction did not end. SQLite does both when it opens
 * a writable file. */
static const char *const journals[] = { "-wal", "-journal" };

gboolean
ear_import_source_has_journal (GFile *file)
{
  for (gsize i = 0; i < G_N_ELEMENTS (journals); i++)
    {
      g_autoptr (GFile) journal = find_journal (file, journals[i]);

      if (journal != NULL)
        return TRUE;
    }

  return FALSE;
}

/* A journal may end with the name of a super-journal, which SQLite deletes after
 * recovery. A forged journal could name any file of the listener's. A zero at the end
 * names no file, and SQLite still rolls the journal back. */
static gboolean
add_end (const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) journal = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) stream = g_file_append_to (journal, G_FILE_CREATE_NONE, NULL, error);

  return stream != NULL && g_output_stream_write_all (G_OUTPUT_STREAM (stream), "", 1, NULL, NULL, error) &&
         g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, error);
}

/* If the journal is gone by now, its program has committed it or rolled it back. */
static gboolean
copy_journal (GFile *file, const char *suffix, const char *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) journal = find_journal (file, suffix);
  g_autofree char *name = g_strconcat (EAR_IMPORT_SOURCE_COPY_NAME, suffix, NULL);
  g_autoptr (GError) copy_error = NULL;

  if (journal == NULL)
    return TRUE;
  if (copy_file (journal, folder, name, cancellable, &copy_error))
    return add_end (folder, name, error);
  if (g_error_matches (copy_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&copy_error));

  return FALSE;
}

static gboolean
copy_with_journals (GFile *file, const char *folder, GCancellable *cancellable, GError **error)
{
  if (!copy_file (file, folder, EAR_IMPORT_SOURCE_COPY_NAME, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (journals); i++)
    if (!copy_journal (file, journals[i], folder, cancellable, error))
      return FALSE;

  return TRUE;
}

/* A state that differs after any write to the file */
static char *
describe_state (GFile *file)
{
  g_autoptr (GFileInfo) info =
    g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_ETAG_VALUE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  const char *etag = info != NULL ? g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ETAG_VALUE) : NULL;
  const guint64 size = info != NULL ? g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_STANDARD_SIZE) : 0;

  return g_strdup_printf ("%" G_GUINT64_FORMAT " %d %s", size, ear_import_source_has_journal (file), etag != NULL ? etag : "");
}

/* Copies again if the program writes in between: that copy would mix old and new pages.
 * Programs seldom write for long. */
static gboolean
copy_at_rest (GFile *file, const char *folder, GCancellable *cancellable, GError **error)
{
  for (guint n_left = N_COPIES; n_left > 0; n_left--)
    {
      g_autofree char *before = describe_state (file);
      g_autofree char *after = NULL;

      remove_content (folder);
      if (!copy_with_journals (file, folder, cancellable, error))
        return FALSE;
      after = describe_state (file);
      if (g_str_equal (before, after))
        break;
    }

  return TRUE;
}

/* Copies a database with its journals.
 * Returns: (transfer full): the folder of the copy, which the caller removes, or %NULL */
char *
ear_import_source_copy (GFile *file, GCancellable *cancellable, GError **error)
{
  /* The cache folder is on a disk with enough space: temporary folders may
   * be in memory. */
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), COPY_PREFIX "XXXXXX", NULL);

  g_mkdir_with_parents (g_get_user_cache_dir (), 0700);
  if (g_mkdtemp (folder) == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, "There is no room for a copy");
      return NULL;
    }
  if (!copy_at_rest (file, folder, cancellable, error))
    {
      ear_import_source_remove_copy (folder);
      return NULL;
    }

  return g_steal_pointer (&folder);
}
