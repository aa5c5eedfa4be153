/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-folder.h"

#include "ear-download-name.h"
#include "ear-durable.h"
#include "ear-json-folder.h"
#include "ear-media-content.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of downloads. The listener sees ordinary files in it, one folder per podcast:
 *
 *   PyTorch Developer Podcast/2024-08-04 Compiler collectives.mp3
 *
 * Earmark's own files are in `.earmark/`, named by the key of the episode:
 *
 *   KEY.json   the record: which episode, and the state of its download
 *   KEY.part   the bytes received so far
 *
 * A record exists from the request for a download until its removal. After a kill at any
 * time, the next load continues by the record: with a name and its file, nothing; with a
 * name and a part but no file, rename the part; with a name and neither, somebody has
 * removed the file by hand. For use on one thread at a time. */

#define RECORDS ".earmark"
#define RECORD_ENDING ".json"
#define PART_ENDING ".part"

/* Loading a folder removes files with this ending: copies that were interrupted, and
 * downloads removed by an earlier version. */
#define LEFT_OVER_ENDING ".removed"
#define STAGE_ENDING "-moving" LEFT_OVER_ENDING

/* Limit of files that share a name */
#define ATTEMPTS 1000

/* @chosen: whether the listener has chosen it; the default folder is created with the first
 *   download */
EarDownloadFolder *
ear_download_folder_new (const char *path, gboolean chosen)
{
  EarDownloadFolder *self = g_new0 (EarDownloadFolder, 1);

  self->path = g_strdup (path);
  self->chosen = chosen;
  self->records = g_build_filename (path, RECORDS, NULL);

  return self;
}

EAR_DEFINE_TEXTS_FREE (EarDownloadFolder, ear_download_folder_free, records)

static char *
dup_name (const EarDownloadRecord *record, const char *ending)
{
  g_autofree char *key = ear_download_record_dup_key (record);

  return g_strconcat (key, ending, NULL);
}

static char *
dup_path (EarDownloadFolder *self, const EarDownloadRecord *record, const char *ending)
{
  g_autofree char *name = dup_name (record, ending);

  return g_build_filename (self->records, name, NULL);
}

char *
ear_download_folder_dup_part (EarDownloadFolder *self, const EarDownloadRecord *record)
{
  return dup_path (self, record, PART_ENDING);
}

/* A folder and a file in it, without `..` and the like */
#define SAFE_PATH "^[^./][^/]*/[^./][^/]*$"

/* Returns: (transfer full) (nullable): path of the complete file; %NULL before the
 * download has ended */
char *
ear_download_folder_dup_file (EarDownloadFolder *self, const EarDownloadRecord *record)
{
  return record->file != NULL && g_regex_match_simple (SAFE_PATH, record->file, 0, 0)
             ? g_build_filename (self->path, record->file, NULL)
             : NULL;
}

/* @path: (nullable): a path
 * Returns: the size of a regular file; -1 if there is none */
static gint64
get_size (const char *path)
{
  struct stat info;

  return path != NULL && lstat (path, &info) == 0 && S_ISREG (info.st_mode) ? info.st_size : -1;
}

static gboolean
make (const char *path, GError **error)
{
  const gboolean made = g_mkdir_with_parents (path, 0700) == 0;
  const int code = made ? ENOTDIR : errno;
  struct stat info;

  /* Reject a symbolic link to another folder. */
  if (made && lstat (path, &info) == 0 && S_ISDIR (info.st_mode))
    return TRUE;
  if (code == ENOTDIR || code == EEXIST)
    g_set_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER, "in the place of %s is something else",
                 path);
  else
    ear_durable_set_error (error, code, "cannot make a folder for downloads");

  return FALSE;
}

/* Returns: whether the folder has had downloads, and its disk is mounted */
gboolean
ear_download_folder_is_there (EarDownloadFolder *self)
{
  return g_file_test (self->records, G_FILE_TEST_IS_DIR);
}

/* A folder that the listener has chosen is never created again: if its disk is missing, a
 * new folder would occupy the mount point. */
static gboolean
check_there (EarDownloadFolder *self, GError **error)
{
  if (!self->chosen || ear_download_folder_is_there (self))
    return TRUE;
  g_set_error (error, EAR_ERROR, EAR_ERROR_NO_FOLDER, "%s is not there", self->path);

  return FALSE;
}

/* Writes the record. */
gboolean
ear_download_folder_keep (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  EarJsonFolder folder = { .path = self->records };
  g_autofree char *name = dup_name (record, RECORD_ENDING);
  g_autofree char *text = NULL;
  EarJsonIdentity identity;
  gsize length;

  if (!check_there (self, error) || !make (self->records, error))
    return FALSE;
  text = ear_download_record_print (record, &length);

  return ear_json_folder_write (&folder, name, text, length, &identity, error);
}

/* Moves a file to a free name within the folder. The record with that name
 * is written first. */
static gboolean
give_name (EarDownloadFolder *self, EarDownloadRecord *record, const char *from, GError **error)
{
  g_autofree char *folder = ear_download_name_dup_folder (record);
  g_autofree char *folder_path = g_build_filename (self->path, folder, NULL);
  g_autofree char *type = ear_media_content_read_type (from);

  if (!check_there (self, error) || !make (folder_path, error))
    return FALSE;
  for (guint i = 0; i < ATTEMPTS; i++)
    {
      g_autofree char *name = ear_download_name_dup_file (record, i, type);
      g_autofree char *path = g_build_filename (folder_path, name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
        continue;
      g_free (record->file);
      record->file = g_build_filename (folder, name, NULL);
      if (!ear_download_folder_keep (self, record, error))
        return FALSE;
      if (ear_durable_rename_new (from, path))
        return ear_durable_sync (folder_path, error);
      if (errno != EEXIST)
        break;
    }
  ear_durable_set_error (error, errno, "cannot name a file that has come");

  return FALSE;
}

/* Returns %NULL without an error if the file is missing. */
static EarDownloadRecord *
read_record (EarDownloadFolder *self, const char *name, GError **error)
{
  EarJsonFolder folder = { .path = self->records };
  EarJsonIdentity identity;
  gsize length;
  g_autofree char *text = ear_json_folder_read (&folder, name, &identity, &length, error);
  g_autoptr (EarDownloadRecord) record =
      text != NULL ? ear_download_record_parse (text, length, error) : NULL;
  g_autofree char *own = NULL;

  if (record == NULL)
    return NULL;
  own = dup_name (record, RECORD_ENDING);
  if (g_str_equal (own, name))
    return g_steal_pointer (&record);
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "the record is of another episode");

  return NULL;
}

/* Compares a record with the files on the disk; %FALSE if the download is gone. Only
 * complete files get a name: a part whose record already has a name is renamed now. */
static gboolean
reconcile (EarDownloadFolder *self, EarDownloadRecord *record)
{
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *part = ear_download_folder_dup_part (self, record);

  return record->file == NULL || get_size (file) >= 0 ||
         (get_size (part) >= 0 && give_name (self, record, part, NULL));
}

static void
remove_name (EarDownloadFolder *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->records, name, NULL);

  g_unlink (path);
}

static void
load_record (EarDownloadFolder *self, const char *name, GPtrArray *records, guint *n_damaged)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = read_record (self, name, &error);

  if (record != NULL && reconcile (self, record))
    g_ptr_array_add (records, g_steal_pointer (&record));
  else if (record != NULL)
    remove_name (self, name);
  else if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    {
      EarJsonFolder folder = { .path = self->records };
      g_autofree char *aside = ear_json_folder_set_aside (&folder, name, "damaged", FALSE, NULL);

      g_message ("The record of a download is damaged, and kept as %s: %s",
                 aside != NULL ? aside : name, error->message);
      *n_damaged += 1;
    }
}

static GPtrArray *
list_names (EarDownloadFolder *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->records, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (*name != '.')
      g_ptr_array_add (names, g_strdup (name));

  return names;
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const EarDownloadRecord *first = a;
  const EarDownloadRecord *second = b;

  return ear_compare (first->wanted, second->wanted);
}

/* Reads all records, and cleans up after a crash. Never removes a file that the
 * listener can see.
 * @n_damaged: (out): number of records that were unreadable, and were set aside
 * Returns: (transfer full) (element-type EarDownloadRecord): the downloads, in the order
 * of `wanted`; %NULL if the disk is missing */
GPtrArray *
ear_download_folder_load (EarDownloadFolder *self, guint *n_damaged, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (self);
  GPtrArray *records;

  *n_damaged = 0;
  if (!check_there (self, error))
    return NULL;
  records = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_record_free);
  for (guint i = 0; i < names->len; i++)
    if (g_str_has_suffix (names->pdata[i], RECORD_ENDING))
      load_record (self, names->pdata[i], records, n_damaged);
  /* Files without a record are of unknown episodes. */
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *key = g_strndup (name, strcspn (name, "."));
      g_autofree char *record = g_strconcat (self->records, "/", key, RECORD_ENDING, NULL);

      if (g_str_has_suffix (name, LEFT_OVER_ENDING) ||
          (g_str_has_suffix (name, PART_ENDING) && !g_file_test (record, G_FILE_TEST_EXISTS)))
        remove_name (self, name);
    }
  g_ptr_array_sort_values (records, compare_records);

  return records;
}

/* Turns a part into an ordinary file, and sets the name in @record, which is of no use after a
 * failure.
 * @record: a complete download, synced to the disk */
gboolean
ear_download_folder_finish (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *part = ear_download_folder_dup_part (self, record);

  return give_name (self, record, part, error);
}

/* Removes the file or the part. A declined record stays, without them. */
gboolean
ear_download_folder_remove (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *folder = file != NULL ? g_path_get_dirname (file) : NULL;
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *path = dup_path (self, record, RECORD_ENDING);

  /* The record goes last: a file without a record cannot be identified. */
  if ((file != NULL && g_unlink (file) != 0 && errno != ENOENT) ||
      (g_unlink (part) != 0 && errno != ENOENT) ||
      (!record->declined && g_unlink (path) != 0 && errno != ENOENT))
    {
      ear_durable_set_error (error, errno, "cannot remove a download");
      return FALSE;
    }
  /* rmdir() fails if the folder has other files in it. */
  if (folder != NULL)
    g_rmdir (folder);
  g_clear_pointer (&record->file, g_free);

  return !record->declined || ear_download_folder_keep (self, record, error);
}

/* Moves all downloads to another folder, in two steps. First everything is copied there,
 * each file like a download that ends, while the old folder stays unchanged. After the
 * caller has stored the new folder's path, it clears the old one. A kill at any time
 * leaves at least one folder complete; records identify files that are in both. */

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
  if (g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS,
                   cancellable, NULL, NULL, &failure) &&
      ear_durable_sync (to, &failure))
    return TRUE;

  g_unlink (to);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NO_SPACE) ||
      g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
      g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_SPACE, failure->message);
  else
    g_propagate_error (error, g_steal_pointer (&failure));

  return FALSE;
}

static EarDownloadRecord *
read_own (EarDownloadFolder *self, const char *name)
{
  return g_str_has_suffix (name, RECORD_ENDING) ? read_record (self, name, NULL) : NULL;
}

/* Whether another folder has all files of a download */
static gboolean
has_same (EarDownloadFolder *self, const EarDownloadRecord *record, const char *name,
          EarDownloadFolder *other)
{
  g_autoptr (EarDownloadRecord) same = read_own (other, name);
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *same_file = same != NULL ? ear_download_folder_dup_file (other, same) : NULL;
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *same_part = ear_download_folder_dup_part (other, record);
  const gint64 size = get_size (file);

  if (same == NULL)
    return FALSE;
  if (get_size (same_file) >= 0)
    return size < 0 || size == get_size (same_file);

  return file == NULL && get_size (part) <= get_size (same_part);
}

static gboolean
copy_download (EarDownloadFolder *self, const EarDownloadRecord *record, EarDownloadFolder *to,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (EarDownloadRecord) copy = ear_download_record_copy (record);
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *other_part = ear_download_folder_dup_part (to, record);
  g_autofree char *stage = dup_path (to, record, STAGE_ENDING);

  g_clear_pointer (&copy->file, g_free);
  if (get_size (file) >= 0)
    return put (file, stage, cancellable, error) && give_name (to, copy, stage, error);
  /* The record comes first: files without a record are removed. */
  if (!ear_download_folder_keep (to, copy, error))
    return FALSE;

  return get_size (part) < 0 || put (part, other_part, cancellable, error);
}

/* Copies all downloads to another folder. Downloads that @to has from an earlier attempt
 * stay there. After a failure, the new copies are removed again.
 * @self: a folder without running downloads
 * @to: the new folder; created if missing
 * @error: return location: %EAR_ERROR_NO_SPACE for a full or read-only folder,
 *   %G_IO_ERROR_CANCELLED, or another error
 * Returns: whether everything is on the disk */
gboolean
ear_download_folder_copy (EarDownloadFolder *self, EarDownloadFolder *to, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GPtrArray) names = list_names (self);

  if (!make (to->records, error))
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (EarDownloadRecord) record = read_own (self, name);

      if (record == NULL || has_same (self, record, name, to))
        continue;
      if (!g_cancellable_set_error_if_cancelled (cancellable, error) &&
          copy_download (self, record, to, cancellable, error))
        continue;
      ear_download_folder_clear (to, self);
      return FALSE;
    }

  return TRUE;
}

/* Removes the downloads of the old folder that the one in use now has as well, and nothing
 * else. */
void
ear_download_folder_clear (EarDownloadFolder *self, EarDownloadFolder *kept)
{
  g_autoptr (GPtrArray) names = list_names (self);

  if (!ear_download_folder_is_there (kept))
    return;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (EarDownloadRecord) record = read_own (self, name);

      if (record != NULL && has_same (self, record, name, kept))
        {
          record->declined = FALSE;
          ear_download_folder_remove (self, record, NULL);
        }
      else if (g_str_has_suffix (name, LEFT_OVER_ENDING))
        remove_name (self, name);
    }
  /* rmdir() fails if the folder has other files in it. */
  if (g_rmdir (self->records) == 0)
    g_rmdir (self->path);
}
