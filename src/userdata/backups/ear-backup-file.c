/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup-file.h"

#include "ear-stamp.h"
#include "ear-state-shape.h"
#include "ear-tar.h"

/*
 * One backup: an archive (.tar.gz) of the files of the listened state as they were, and before
 * them a description, so that a list of backups need not be unpacked:
 *
 *   { "version": 1, "kind": "backup", "made": ..., "reason": "daily", "podcasts": 12,
 *     "episodes": 345, "digest": ... }
 *
 * Whoever unpacks it has the folder of the listened state. Any thread may call what is here;
 * what is read may come from anywhere.
 */

#define ABOUT_NAME "backup.json"
#define ABOUT_LIMIT (64 * 1024)
#define FILE_LIMIT (64 * 1024 * 1024)
#define FOLDER "state/"

/* Of the archive, with what it adds to the files */
#define ARCHIVE_LIMIT (EAR_BACKUP_LIMIT + FILE_LIMIT)

static const char *const reasons[] = {
  [EAR_BACKUP_DAILY] = "daily",
  [EAR_BACKUP_BY_HAND] = "by hand",
  [EAR_BACKUP_BEFORE_RESTORING] = "before restoring",
};

static GBytes *
describe (EarBackup *about)
{
  g_autoptr (JsonObject) root = ear_state_shape_new (EAR_STATE_KIND_BACKUP);
  g_autofree char *made = ear_stamp_format (ear_backup_get_made (about));
  gsize length;
  char *text;

  json_object_set_string_member (root, "made", made);
  json_object_set_string_member (root, "reason", reasons[ear_backup_get_reason (about)]);
  json_object_set_int_member (root, "podcasts", ear_backup_get_n_podcasts (about));
  json_object_set_int_member (root, "episodes", ear_backup_get_n_episodes (about));
  json_object_set_string_member (root, "digest", ear_backup_get_digest (about));
  text = ear_state_json_print (root, &length);

  return g_bytes_new_take (text, length);
}

/**
 * ear_backup_file_pack:
 * @names: (element-type utf8): names of files
 * @contents: (element-type GBytes): their contents
 * @about: what the backup says of itself
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): a backup, to be written to a file
 */
GBytes *
ear_backup_file_pack (GPtrArray *names, GPtrArray *contents, EarBackup *about, GError **error)
{
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (gzip));
  g_autoptr (GBytes) description = describe (about);
  const gint64 made = ear_backup_get_made (about) / G_USEC_PER_SEC;

  if (!ear_tar_write (stream, ABOUT_NAME, description, made, error))
    return NULL;
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *name = g_strconcat (FOLDER, g_ptr_array_index (names, i), NULL);

      if (!ear_tar_write (stream, name, g_ptr_array_index (contents, i), made, error))
        return NULL;
    }
  if (!ear_tar_end (stream, error) || !g_output_stream_close (stream, NULL, error))
    return NULL;
  if (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)) > EAR_BACKUP_PACKED_LIMIT)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "The backup would be too large");
      return NULL;
    }

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static GInputStream *
open_stream (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (GFileInputStream) packed = NULL;
  g_autoptr (GZlibDecompressor) gzip = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE, NULL, error);
  if (info == NULL)
    return NULL;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_size (info) > EAR_BACKUP_PACKED_LIMIT)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "It is no backup");
      return NULL;
    }
  packed = g_file_read (file, NULL, error);
  if (packed == NULL)
    return NULL;
  gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);

  return g_converter_input_stream_new (G_INPUT_STREAM (packed), G_CONVERTER (gzip));
}

static guint
get_count (JsonObject *root, const char *name)
{
  double number;

  if (!ear_state_shape_get_number (json_object_get_member (root, name), &number) || !(number >= 0 && number <= G_MAXINT))
    return 0;

  return (guint) number;
}

static EarBackupReason
get_reason (JsonObject *root)
{
  const char *text = ear_state_shape_get_string (root, "reason", G_MAXSIZE);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_strcmp0 (text, reasons[i]) == 0)
      return i;

  return EAR_BACKUP_BY_HAND;
}

static EarBackup *
read_description (const char *path, GBytes *content, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (content, &length);
  g_autoptr (JsonObject) root = ear_state_json_parse (text, length, error);
  const char *made;

  if (root == NULL || !ear_state_shape_check (root, EAR_STATE_KIND_BACKUP, error))
    return NULL;
  made = ear_state_shape_get_string (root, "made", G_MAXSIZE);

  return ear_backup_new (path, ear_state_shape_get_string (root, "digest", 1024), get_reason (root),
                         ear_stamp_parse (made, 0), get_count (root, "podcasts"),
                         get_count (root, "episodes"));
}

/* Damage in what is packed is told by the unpacking as one of many errors. */
static void
name_damage (GError **error)
{
  if (error == NULL || *error == NULL || (*error)->domain == EAR_ERROR ||
      g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return;
  g_autoptr (GError) before = g_steal_pointer (error);

  g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The backup cannot be read: %s", before->message);
}

/**
 * ear_backup_file_open:
 * @path: path of a file
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full) (nullable): what the backup says of itself
 */
EarBackup *
ear_backup_file_open (const char *path, GError **error)
{
  g_autoptr (GInputStream) stream = open_stream (path, error);
  g_autoptr (GBytes) content = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GError) local = NULL;
  EarBackup *backup = NULL;
  gsize left = 2 * ABOUT_LIMIT;

  if (stream == NULL)
    return NULL;
  if (ear_tar_read (stream, ABOUT_LIMIT, &left, &name, &content, &local) && g_str_equal (name, ABOUT_NAME))
    backup = read_description (path, content, &local);
  else if (local == NULL)
    g_set_error_literal (&local, EAR_ERROR, EAR_ERROR_DAMAGED, "It is no backup");
  name_damage (&local);
  if (backup == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return backup;
}

/* The sum over all that was packed comes after it: what breaks off there is damaged, too. */
static gboolean
read_rest (GInputStream *stream, GError **error)
{
  char buffer[4096];
  gsize total = 0;
  gssize got;

  while ((got = g_input_stream_read (stream, buffer, sizeof buffer, NULL, error)) > 0 && total < FILE_LIMIT)
    total += (gsize) got;
  if (got > 0)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "There is too much behind the backup");

  return got == 0;
}

/**
 * ear_backup_file_visit:
 * @path: path of a backup
 * @visit: (scope call): called for each file in it, but not the description
 * @user_data: for @visit
 * @error: return location for an `EAR_ERROR`
 *
 * Unpacks a backup, one file after the other.
 *
 * Returns: whether it could be read, to its end or as far as @visit wanted
 */
gboolean
ear_backup_file_visit (const char *path, EarBackupVisit visit, gpointer user_data, GError **error)
{
  g_autoptr (GInputStream) stream = open_stream (path, error);
  g_autoptr (GError) local = NULL;
  gsize left = ARCHIVE_LIMIT;
  gboolean more = TRUE;

  if (stream == NULL)
    return FALSE;
  while (more)
    {
      g_autofree char *name = NULL;
      g_autoptr (GBytes) content = NULL;

      if (!ear_tar_read (stream, FILE_LIMIT, &left, &name, &content, &local))
        break;
      if (!g_str_equal (name, ABOUT_NAME))
        more = visit (name, content, user_data);
    }
  if (local == NULL && (!more || read_rest (stream, &local)))
    return TRUE;
  name_damage (&local);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}
