/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-folder-private.h"

#include "ear-download-name.h"
#include "ear-durable.h"
#include "ear-media-content.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The folder of downloads. The listener sees ordinary files in it, one
 * folder per podcast:
 *
 *   PyTorch Developer Podcast/2024-08-04 Compiler collectives.mp3
 *
 * Earmark's own files are in `.earmark/`, named by the key of the episode:
 *
 *   KEY.json             the record: which episode, and the state of its download
 *   KEY.part             the bytes received so far
 *   KEY-WANTED.removed   a removed download that may be restored
 *
 * WANTED is in the name because the episode may be wanted, and removed, again meanwhile.
 *
 * A record exists from the request for a download until its removal. After a kill at any
 * time, the next load continues by the record: with a name and its file, nothing; with a
 * name and a part but no file, rename the part; with a name and neither, somebody has
 * removed the file by hand. For use on one thread at a time.
 */

#define PART_ENDING ".part"

/* Limit of files that share a name */
#define ATTEMPTS 1000

/**
 * ear_download_folder_new:
 * @path: path of the downloads
 * @chosen: whether the listener has chosen it; the default folder is created with
 *   the first download
 *
 * Returns: (transfer full): the folder
 */
EarDownloadFolder *
ear_download_folder_new (const char *path, gboolean chosen)
{
  EarDownloadFolder *self = g_new0 (EarDownloadFolder, 1);
  g_autofree char *records = g_build_filename (path, EAR_DOWNLOAD_RECORDS, NULL);

  self->path = g_strdup (path);
  self->chosen = chosen;
  self->records = ear_json_folder_new (records, NULL, NULL);

  return self;
}

void
ear_download_folder_free (EarDownloadFolder *self)
{
  ear_json_folder_free (self->records);
  g_free (self->path);
  g_free (self);
}

static char *
dup_name (const EarDownloadRecord *record, const char *ending)
{
  g_autofree char *key = ear_download_record_dup_key (record);

  return g_strconcat (key, ending, NULL);
}

char *
ear_download_folder_dup_path (EarDownloadFolder *self, const EarDownloadRecord *record, const char *ending)
{
  g_autofree char *name = dup_name (record, ending);

  return g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, name, NULL);
}

static char *
dup_removed (EarDownloadFolder *self, const EarDownloadRecord *record)
{
  g_autofree char *ending = g_strdup_printf ("-%" G_GINT64_FORMAT EAR_DOWNLOAD_REMOVED_ENDING, record->wanted);

  return ear_download_folder_dup_path (self, record, ending);
}

const char *
ear_download_folder_get_path (EarDownloadFolder *self)
{
  return self->path;
}

/* Any thread may call it. */
char *
ear_download_folder_dup_part (EarDownloadFolder *self, const EarDownloadRecord *record)
{
  return ear_download_folder_dup_path (self, record, PART_ENDING);
}

/* Whether @file is a folder and a file in it, without `..` and the like */
static gboolean
is_safe (const char *file)
{
  const char *slash = strchr (file, '/');

  return slash != NULL && slash != file && slash[1] != '\0' && strchr (slash + 1, '/') == NULL && *file != '.' &&
         slash[1] != '.';
}

/* Any thread may call it.
 * Returns: (transfer full) (nullable): path of the complete file; %NULL before the
 * download has ended */
char *
ear_download_folder_dup_file (EarDownloadFolder *self, const EarDownloadRecord *record)
{
  return record->file != NULL && is_safe (record->file) ? g_build_filename (self->path, record->file, NULL) : NULL;
}

gboolean
ear_download_folder_is_file (const char *path)
{
  struct stat info;

  return path != NULL && lstat (path, &info) == 0 && S_ISREG (info.st_mode);
}

gboolean
ear_download_folder_make (const char *path, GError **error)
{
  const gboolean made = g_mkdir_with_parents (path, 0700) == 0;
  const int code = made ? ENOTDIR : errno;
  struct stat info;

  /* Reject a symbolic link to another folder. */
  if (made && lstat (path, &info) == 0 && S_ISDIR (info.st_mode))
    return TRUE;
  if (code == ENOTDIR || code == EEXIST)
    g_set_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER, "in the place of %s is something else", path);
  else
    ear_durable_set_error (error, code, "cannot make a folder for downloads");

  return FALSE;
}

/* Returns: whether the folder has had downloads, and its disk is mounted */
gboolean
ear_download_folder_is_there (EarDownloadFolder *self)
{
  g_autofree char *records = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, NULL);

  return g_file_test (records, G_FILE_TEST_IS_DIR);
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
  g_autofree char *name = dup_name (record, EAR_DOWNLOAD_RECORD_ENDING);
  g_autofree char *folder = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, NULL);
  g_autofree char *text = NULL;
  EarJsonIdentity identity;
  gsize length;

  if (!check_there (self, error) || !ear_download_folder_make (folder, error))
    return FALSE;
  text = ear_download_record_print (record, &length);

  return ear_json_folder_write_json (self->records, name, text, length, &identity, error);
}

/* Moves a file to a free name within the folder. The record with that name
 * is written first. */
gboolean
ear_download_folder_give_name (EarDownloadFolder *self, EarDownloadRecord *record, const char *from, GError **error)
{
  g_autofree char *folder = ear_download_name_dup_folder (record);
  g_autofree char *folder_path = g_build_filename (self->path, folder, NULL);
  const char *ending = ear_media_content_find_ending (from);

  if (!check_there (self, error) || !ear_download_folder_make (folder_path, error))
    return FALSE;
  for (guint i = 0; i < ATTEMPTS; i++)
    {
      g_autofree char *name = ear_download_name_dup_file (record, i, ending);
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

EarDownloadRecord *
ear_download_folder_read_record (EarDownloadFolder *self, const char *name, GError **error)
{
  g_autoptr (EarDownloadRecord) record = NULL;
  g_autofree char *text = NULL;
  g_autofree char *own = NULL;
  EarJsonIdentity identity;
  gsize length;

  if (ear_json_folder_read (self->records, name, &identity, &text, &length, error) != EAR_JSON_READ_OK)
    return NULL;
  record = ear_download_record_parse (text, length, error);
  if (record == NULL)
    return NULL;
  own = dup_name (record, EAR_DOWNLOAD_RECORD_ENDING);
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
  g_autofree char *removed = dup_removed (self, record);

  if (record->file == NULL || ear_download_folder_is_file (file))
    return TRUE;

  return (ear_download_folder_is_file (part) && ear_download_folder_give_name (self, record, part, NULL)) ||
         (ear_download_folder_is_file (removed) && ear_download_folder_give_name (self, record, removed, NULL));
}

static void
remove_name (EarDownloadFolder *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, name, NULL);

  g_unlink (path);
}

/* Reads a damaged record, and replaces it. A record that has lost the state of its
 * download is useful only with a part: otherwise the media would be downloaded again. */
static EarDownloadRecord *
salvage_record (EarDownloadFolder *self, const char *name)
{
  g_autoptr (EarDownloadRecord) record = NULL;
  g_autofree char *text = NULL;
  g_autofree char *own = NULL;
  g_autofree char *file = NULL;
  g_autofree char *part = NULL;
  g_autofree char *aside = NULL;
  EarJsonIdentity identity;
  gsize length;

  if (ear_json_folder_read (self->records, name, &identity, &text, &length, NULL) != EAR_JSON_READ_OK)
    return NULL;
  record = ear_download_record_salvage (text, length);
  own = record != NULL ? dup_name (record, EAR_DOWNLOAD_RECORD_ENDING) : NULL;
  if (own == NULL || !g_str_equal (own, name))
    return NULL;
  file = ear_download_folder_dup_file (self, record);
  part = ear_download_folder_dup_part (self, record);
  if (!ear_download_folder_is_file (record->file != NULL ? file : part))
    return NULL;
  g_free (text);
  text = ear_download_record_print (record, &length);
  aside = ear_json_folder_replace_damaged (self->records, name, text, length, &identity, NULL);
  g_message ("The record of a download was damaged, and is kept as %s", aside != NULL ? aside : name);

  return g_steal_pointer (&record);
}

static void
load_record (EarDownloadFolder *self, const char *name, GPtrArray *records, guint *n_damaged)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = ear_download_folder_read_record (self, name, &error);

  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    record = salvage_record (self, name);
  if (record != NULL && reconcile (self, record))
    {
      g_ptr_array_add (records, g_steal_pointer (&record));
    }
  else if (record != NULL)
    {
      remove_name (self, name);
    }
  else if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    {
      g_autofree char *aside = ear_json_folder_set_aside (self->records, name, "damaged", NULL);

      g_message ("The record of a download is damaged, and kept as %s: %s", aside != NULL ? aside : name, error->message);
      *n_damaged += 1;
    }
}

/* Removes a file without a record: its episode is unknown. */
static void
remove_left_over (EarDownloadFolder *self, const char *name, GHashTable *kept)
{
  g_autofree char *key = g_strndup (name, strcspn (name, "."));

  if (g_str_has_suffix (name, EAR_DOWNLOAD_REMOVED_ENDING) || (g_str_has_suffix (name, PART_ENDING) && !g_hash_table_contains (kept, key)))
    remove_name (self, name);
}

GPtrArray *
ear_download_folder_list_names (EarDownloadFolder *self)
{
  g_autofree char *folder = g_build_filename (self->path, EAR_DOWNLOAD_RECORDS, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
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
  const EarDownloadRecord *first = *(const EarDownloadRecord *const *) a;
  const EarDownloadRecord *second = *(const EarDownloadRecord *const *) b;

  return (first->wanted > second->wanted) - (first->wanted < second->wanted);
}

/* Reads all records, and cleans up after a crash. Never removes a file that the
 * listener can see.
 * @n_damaged: (out): number of records that were unreadable, and were set aside
 * Returns: (transfer full) (element-type EarDownloadRecord): the downloads, in the order
 * of `wanted`; %NULL if the disk is missing */
GPtrArray *
ear_download_folder_load (EarDownloadFolder *self, guint *n_damaged, GError **error)
{
  g_autoptr (GPtrArray) names = ear_download_folder_list_names (self);
  g_autoptr (GHashTable) kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *records;

  *n_damaged = 0;
  if (!check_there (self, error))
    return NULL;
  records = ear_download_record_new_array ();
  for (guint i = 0; i < names->len; i++)
    if (g_str_has_suffix (g_ptr_array_index (names, i), EAR_DOWNLOAD_RECORD_ENDING))
      {
        load_record (self, g_ptr_array_index (names, i), records, n_damaged);
        g_hash_table_add (kept, g_strndup (g_ptr_array_index (names, i), strcspn (g_ptr_array_index (names, i), ".")));
      }
  for (guint i = 0; i < names->len; i++)
    remove_left_over (self, g_ptr_array_index (names, i), kept);
  g_ptr_array_sort (records, compare_records);

  return records;
}

/* Turns a part into an ordinary file, and sets the name in @record.
 * @record: a complete download, synced to the disk */
gboolean
ear_download_folder_finish (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *part = ear_download_folder_dup_part (self, record);

  if (ear_download_folder_give_name (self, record, part, error))
    return TRUE;
  g_clear_pointer (&record->file, g_free);

  return FALSE;
}

static gboolean
forget (EarDownloadFolder *self, const EarDownloadRecord *record, GError **error)
{
  g_autofree char *path = ear_download_folder_dup_path (self, record, EAR_DOWNLOAD_RECORD_ENDING);

  if (g_unlink (path) == 0 || errno == ENOENT)
    return TRUE;
  ear_durable_set_error (error, errno, "cannot remove the record of a download");

  return FALSE;
}

/* Moves the file or the part away, so that ear_download_folder_restore() can bring it
 * back until ear_download_folder_discard(). */
gboolean
ear_download_folder_trash (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *file = ear_download_folder_dup_file (self, record);
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *removed = dup_removed (self, record);

  if (g_rename (file != NULL ? file : part, removed) != 0 && errno != ENOENT)
    {
      ear_durable_set_error (error, errno, "cannot remove a file");
      return FALSE;
    }
  if (file != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (file);

      /* rmdir() fails if the folder has other files in it. */
      g_rmdir (folder);
    }

  return forget (self, record, error);
}

/* Undoes ear_download_folder_trash(). After a discard, the record makes the
 * episode wanted again. */
gboolean
ear_download_folder_restore (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *part = ear_download_folder_dup_part (self, record);
  g_autofree char *removed = dup_removed (self, record);
  const gboolean done = record->file != NULL;

  g_clear_pointer (&record->file, g_free);
  if (!ear_download_folder_is_file (removed))
    return ear_download_folder_keep (self, record, error);
  if (done)
    return ear_download_folder_give_name (self, record, removed, error);
  if (!ear_download_folder_keep (self, record, error))
    return FALSE;
  g_rename (removed, part);

  return TRUE;
}

/* Deletes a removed download for good. */
gboolean
ear_download_folder_discard (EarDownloadFolder *self, EarDownloadRecord *record, GError **error)
{
  g_autofree char *removed = dup_removed (self, record);

  if (g_unlink (removed) == 0 || errno == ENOENT)
    return TRUE;
  ear_durable_set_error (error, errno, "cannot remove a file");

  return FALSE;
}
