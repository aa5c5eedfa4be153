/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-folder-private.h"

#include "ear-durable.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Moves all downloads to another folder, in two steps. First everything is copied there,
 * each file like a download that ends, while the old folder stays unchanged. After the
 * caller has stored the new folder's path, it clears the old one. A kill at any time
 * leaves at least one folder complete; records identify files that are in both. */

/* Loading a folder removes files with this ending. */
#define STAGE_ENDING "-moving" EAR_DOWNLOAD_REMOVED_ENDING

static void
take_failure (GError **error, GError *failure)
{
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NO_SPACE) || g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
      g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, failure->message);
  else if (failure->domain == EAR_ERROR || g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_error_copy (failure));
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, failure->message);
}

/* Links the file if both folders are on one disk: that takes no space and no time. */
static gboolean
put (const char *from, const char *to, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  g_autoptr (GError) failure = NULL;

  g_unlink (to);
  if (link (from, to) == 0)
    return TRUE;
  if (g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, cancellable, NULL, NULL, &failure) &&
      ear_durable_sync (to, &failure))
    return TRUE;

  g_unlink (to);
  take_failure (error, failure);

  return FALSE;
}

static EarDownloadRecord *
read_own (EarDownloadFolder *self, const char *name)
{
  return g_str_has_suffix (name, EAR_DOWNLOAD_RECORD_ENDING) ? ear_download_folder_read_record (self, name, NULL) : NULL;
}

/* Whether another folder has all files of a download */
static gboolean
has_same (EarDownloadFolder *self, const EarDownloadRecord *record, const char *name, EarDownloadFolder *other)
{
  g_autoptr (EarDownloadRecord) same = read_own (other, name);
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *same_file = same != NULL ? ear_download_folder_dup_file (other, same) : NULL;
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *same_part = ear_download_folder_dup_part (other, record);
  GStatBuf here, there;

  if (same == NULL)
    return FALSE;
  if (same_file != NULL && ear_download_folder_is_file (same_file))
    return file == NULL || g_stat (file, &here) != 0 || (g_stat (same_file, &there) == 0 && here.st_size == there.st_size);

  return file == NULL && (!ear_download_folder_is_file (part) ||
                          (g_stat (part, &here) == 0 && g_stat (same_part, &there) == 0 && here.st_size <= there.st_size));
}

static gboolean
copy_file (EarDownloadFolder *to, const char *file, EarDownloadRecord *record, GCancellable *cancellable, GError **error)
{
  g_autofree char *stage = ear_download_folder_dup_path (to, record, STAGE_ENDING);

  return put (file, stage, cancellable, error) && ear_download_folder_give_name (to, record, stage, error);
}

static gboolean
copy_download (EarDownloadFolder *self, const EarDownloadRecord *record, EarDownloadFolder *to, GCancellable *cancellable, GError **error)
{
  g_autoptr (EarDownloadRecord) copy = ear_download_record_copy (record);
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *other_part = ear_download_folder_dup_part (to, record);

  g_clear_pointer (&copy->file, g_free);
  if (file != NULL && ear_download_folder_is_file (file))
    return copy_file (to, file, copy, cancellable, error);
  /* The record comes first: files without a record are removed. */
  if (!ear_download_folder_keep (to, copy, error))
    return FALSE;

  return !ear_download_folder_is_file (part) || put (part, other_part, cancellable, error);
}

/**
 * ear_download_folder_copy:
 * @self: a folder without running downloads
 * @to: the new folder; created if missing
 * @cancellable: (nullable): cancels the copy
 * @error: return location for an `EAR_ERROR`, or %G_IO_ERROR_CANCELLED
 *
 * Copies all downloads to another folder. Downloads that @to has from an earlier attempt
 * stay there. After a failure, the new copies are removed again.
 *
 * Returns: whether everything is on the disk
 */
gboolean
ear_download_folder_copy (EarDownloadFolder *self, EarDownloadFolder *to, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) names = ear_download_folder_list_names (self);
  g_autofree char *records = g_build_filename (to->path, EAR_DOWNLOAD_RECORDS, NULL);

  if (!ear_download_folder_make (records, error))
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (EarDownloadRecord) record = read_own (self, name);

      if (record == NULL || has_same (self, record, name, to))
        continue;
      if (!g_cancellable_set_error_if_cancelled (cancellable, error) && copy_download (self, record, to, cancellable, error))
        continue;
      ear_download_folder_clear (to, self);
      return FALSE;
    }

  return TRUE;
}

static void
remove_download (EarDownloadFolder *self, const EarDownloadRecord *record, const char *name)
{
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *folder = file != NULL ? g_path_get_dirname (file) : NULL;
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *path = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, name, NULL);

  /* Remove the record last: a file without a record cannot be identified. */
  if (file != NULL)
    g_unlink (file);
  g_unlink (part);
  g_unlink (path);
  if (folder != NULL)
    g_rmdir (folder);
}

/**
 * ear_download_folder_clear:
 * @self: the old folder, without running downloads
 * @kept: the folder in use now
 *
 * Removes the downloads that @kept has as well, and nothing else.
 */
void
ear_download_folder_clear (EarDownloadFolder *self, EarDownloadFolder *kept)
{
  g_autoptr (GPtrArray) names = ear_download_folder_list_names (self);
  g_autofree char *records = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, NULL);

  if (!ear_download_folder_is_there (kept))
    return;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (EarDownloadRecord) record = read_own (self, name);
      g_autofree char *path = g_build_filename (records, name, NULL);

      if (record != NULL && has_same (self, record, name, kept))
        remove_download (self, record, name);
      else if (g_str_has_suffix (name, EAR_DOWNLOAD_REMOVED_ENDING))
        g_unlink (path);
    }
  /* rmdir() fails if the folder has other files in it. */
  if (g_rmdir (records) == 0)
    g_rmdir (self->path);
}
