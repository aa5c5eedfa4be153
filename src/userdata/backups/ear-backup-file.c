/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup.h"

#include "ear-time.h"
#include "ear-userdata-shape.h"

#include <string.h>

/*
 * A backup file: consecutive JSON values, compressed (.json.gz). The first line describes
 * the backup, so that listing backups need not unpack them:
 *
 *   { "version": 1, "kind": "backup", "made": ..., "reason": "daily", "podcasts": 12,
 *     "episodes": 345, "digest": ... }
 *
 * The state files follow unchanged, each after a line of its own:
 *
 *   { "file": "subscriptions.json", "size": 4321 }
 *
 * Any thread may call these functions; backup files are untrusted.
 */

#define LINE_LIMIT (64 * 1024)
#define FILE_LIMIT (64 * 1024 * 1024)

/* Limit of the whole content, including the lines */
#define TOTAL_LIMIT (EAR_BACKUP_LIMIT + FILE_LIMIT)

static const char *const reasons[] = {
  [EAR_BACKUP_DAILY] = "daily",
  [EAR_BACKUP_BY_HAND] = "by hand",
  [EAR_BACKUP_BEFORE_RESTORING] = "before restoring",
};

EarBackup *
ear_backup_new (const char *path, const char *digest, EarBackupReason reason, gint64 made,
                guint n_podcasts, guint n_episodes)
{
  EarBackup *self = g_atomic_rc_box_new0 (EarBackup);

  self->path = g_strdup (path);
  self->digest = g_strdup (digest);
  self->reason = reason;
  self->made = made;
  self->n_podcasts = n_podcasts;
  self->n_episodes = n_episodes;

  return self;
}

EarBackup *
ear_backup_ref (EarBackup *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  EarBackup *self = data;

  g_free (self->path);
  g_free (self->digest);
}

void
ear_backup_unref (EarBackup *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static gboolean
write_line (GOutputStream *stream, JsonObject *root, GError **error)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), root);
  g_autofree char *line = json_to_string (node, FALSE);

  return g_output_stream_printf (stream, NULL, NULL, error, "%s\n", line);
}

static gboolean
write_description (GOutputStream *stream, EarBackup *about, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_shape_new (EAR_USERDATA_KIND_BACKUP);
  g_autofree char *made = ear_stamp_format (about->made);

  json_object_set_string_member (root, "made", made);
  json_object_set_string_member (root, "reason", reasons[about->reason]);
  json_object_set_int_member (root, "podcasts", about->n_podcasts);
  json_object_set_int_member (root, "episodes", about->n_episodes);
  json_object_set_string_member (root, "digest", about->digest);

  return write_line (stream, root, error);
}

static gboolean
write_file (GOutputStream *stream, const char *name, GBytes *content, GError **error)
{
  g_autoptr (JsonObject) root = json_object_new ();
  gsize size;
  const void *data = g_bytes_get_data (content, &size);

  json_object_set_string_member (root, "file", name);
  json_object_set_int_member (root, "size", (gint64) size);

  return write_line (stream, root, error) &&
         g_output_stream_write_all (stream, data, size, NULL, NULL, error) &&
         g_output_stream_write_all (stream, "\n", 1, NULL, NULL, error);
}

/* Returns: (transfer full) (nullable): content of the backup file */
GBytes *
ear_backup_file_pack (GPtrArray *names, GPtrArray *contents, EarBackup *about, GError **error)
{
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (gzip));

  if (!write_description (stream, about, error))
    return NULL;
  for (guint i = 0; i < names->len; i++)
    if (!write_file (stream, g_ptr_array_index (names, i), g_ptr_array_index (contents, i), error))
      return NULL;
  if (!g_output_stream_close (stream, NULL, error))
    return NULL;
  if (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)) >
      EAR_BACKUP_PACKED_LIMIT)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "The backup would be too large");
      return NULL;
    }

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static gboolean
refuse (GError **error, EarError code, const char *message)
{
  g_set_error_literal (error, EAR_ERROR, (int) code, message);

  return FALSE;
}

static GBufferedInputStream *
open_stream (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (GFileInputStream) packed = NULL;
  g_autoptr (GZlibDecompressor) gzip = NULL;
  g_autoptr (GInputStream) stream = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE, NULL, error);
  if (info == NULL)
    return NULL;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR ||
      g_file_info_get_size (info) > EAR_BACKUP_PACKED_LIMIT)
    {
      refuse (error, EAR_ERROR_DAMAGED, "It is no backup");
      return NULL;
    }
  packed = g_file_read (file, NULL, error);
  if (packed == NULL)
    return NULL;
  gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);

  stream = g_converter_input_stream_new (G_INPUT_STREAM (packed), G_CONVERTER (gzip));

  return G_BUFFERED_INPUT_STREAM (g_buffered_input_stream_new_sized (stream, LINE_LIMIT));
}

/* Returns %NULL without an error at the end of the file, once gzip's
 * checksum was correct. */
static JsonObject *
read_line (GBufferedInputStream *stream, gsize *left, GError **error)
{
  const char *line;
  const char *end;
  gsize length;
  JsonObject *root;

  while (TRUE)
    {
      gssize got;

      line = g_buffered_input_stream_peek_buffer (stream, &length);
      end = memchr (line, '\n', length);
      if (end != NULL)
        break;
      got = g_buffered_input_stream_fill (stream, -1, NULL, error);
      if (got == 0 && length > 0)
        refuse (error, EAR_ERROR_DAMAGED, "It is no backup, or breaks off");
      if (got <= 0)
        return NULL;
    }

  length = (gsize) (end - line) + 1;
  if (length > *left)
    {
      refuse (error, EAR_ERROR_TOO_LARGE, "The backup is too large");
      return NULL;
    }
  *left -= length;
  root = ear_json_parse (line, length, error);
  g_input_stream_skip (G_INPUT_STREAM (stream), length, NULL, NULL);

  return root;
}

/* Returns %FALSE without an error at the end of the file. */
static gboolean
read_file (GBufferedInputStream *stream, gsize *left, char **name, GBytes **content, GError **error)
{
  g_autoptr (JsonObject) root = read_line (stream, left, error);
  g_autofree char *data = NULL;
  const char *full;
  double number;
  gsize size, got;

  if (root == NULL)
    return FALSE;
  full = ear_json_get_string (root, "file", LINE_LIMIT);
  if (full == NULL || !ear_json_get_number (json_object_get_member (root, "size"), &number) ||
      !(number >= 0))
    return refuse (error, EAR_ERROR_DAMAGED, "It is no backup");
  if (number > MIN (FILE_LIMIT, *left))
    return refuse (error, EAR_ERROR_TOO_LARGE, "The backup is too large");
  size = (gsize) number;
  *left -= size;
  data = g_try_malloc (size + 1);
  if (data == NULL)
    return refuse (error, EAR_ERROR_TOO_LARGE, "There is no memory for the backup");
  /* Read the line end, too. */
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), data, size + 1, &got, NULL, error))
    return FALSE;
  if (got <= size)
    return refuse (error, EAR_ERROR_DAMAGED, "The backup breaks off");
  *name = g_path_get_basename (full);
  *content = g_bytes_new_take (g_steal_pointer (&data), size);

  return TRUE;
}

static guint
get_count (JsonObject *root, const char *name)
{
  double number;

  if (!ear_json_get_number (json_object_get_member (root, name), &number) ||
      !(number >= 0 && number <= G_MAXINT))
    return 0;

  return (guint) number;
}

static EarBackupReason
get_reason (JsonObject *root)
{
  const char *text = ear_json_get_string (root, "reason", G_MAXSIZE);

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_strcmp0 (text, reasons[i]) == 0)
      return i;

  return EAR_BACKUP_BY_HAND;
}

static EarBackup *
read_description (const char *path, GBufferedInputStream *stream, gsize *left, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonObject) root = read_line (stream, left, &local);
  const char *made, *digest;

  if (root == NULL && local == NULL)
    refuse (&local, EAR_ERROR_DAMAGED, "It is empty");
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (!ear_userdata_shape_check (root, EAR_USERDATA_KIND_BACKUP, error))
    return NULL;
  made = ear_json_get_string (root, "made", G_MAXSIZE);
  digest = ear_json_get_string (root, "digest", 1024);
  if (digest == NULL && json_object_has_member (root, "digest"))
    {
      refuse (error, EAR_ERROR_DAMAGED, "The digest of the backup is none");
      return NULL;
    }

  return ear_backup_new (path, digest, get_reason (root), ear_stamp_parse (made, 0),
                         get_count (root, "podcasts"),
                         get_count (root, "episodes"));
}

/* The decompressor reports damage with many different error codes. */
static void
name_damage (GError **error)
{
  if (error == NULL || *error == NULL || (*error)->domain == EAR_ERROR ||
      g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return;
  g_autoptr (GError) before = g_steal_pointer (error);

  g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The backup cannot be read: %s",
               before->message);
}

/* Returns: (transfer full) (nullable): the backup, from the description in its file */
EarBackup *
ear_backup_file_open (const char *path, GError **error)
{
  g_autoptr (GBufferedInputStream) stream = open_stream (path, error);
  g_autoptr (GError) local = NULL;
  EarBackup *backup;
  gsize left = LINE_LIMIT;

  if (stream == NULL)
    return NULL;
  backup = read_description (path, stream, &left, &local);
  name_damage (&local);
  if (backup == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return backup;
}

/* Adds a file to the digest of the backup. */
void
ear_backup_file_digest (GChecksum *digest, const char *name, GBytes *content)
{
  gsize size;
  const guchar *data = g_bytes_get_data (content, &size);

  g_checksum_update (digest, (const guchar *) name, (gssize) strlen (name) + 1);
  g_checksum_update (digest, data, (gssize) size);
}

/* gzip's checksum only detects damage on the way. A description without a digest was
 * not written by Earmark: the backup has to have files if its description counts
 * podcasts or episodes. */
static gboolean
check_content (const EarBackup *about, GChecksum *digest, guint n_files, GError **error)
{
  if (about->digest != NULL ? g_str_equal (about->digest, g_checksum_get_string (digest))
                            : n_files > 0 || (about->n_podcasts == 0 && about->n_episodes == 0))
    return TRUE;

  return refuse (error, EAR_ERROR_DAMAGED, "The backup has not what it says it has");
}

/* Unpacks a backup, one file at a time.
 * @visit: (scope call): called for each file, but not for the description
 * Returns: whether the backup was read up to its end, or until @visit stopped, and
 * matches its description */
gboolean
ear_backup_file_visit (const char *path, EarBackupVisit visit, gpointer user_data, GError **error)
{
  g_autoptr (GBufferedInputStream) stream = open_stream (path, error);
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (EarBackup) about = NULL;
  g_autoptr (GError) local = NULL;
  gsize left = TOTAL_LIMIT;
  gboolean more = TRUE;
  guint n_files = 0;

  if (stream == NULL)
    return FALSE;
  about = read_description (path, stream, &left, &local);
  while (more && local == NULL)
    {
      g_autofree char *name = NULL;
      g_autoptr (GBytes) content = NULL;

      if (!read_file (stream, &left, &name, &content, &local))
        break;
      ear_backup_file_digest (digest, name, content);
      n_files++;
      more = visit (name, content, user_data);
    }
  if (more && local == NULL)
    check_content (about, digest, n_files, &local);
  if (local == NULL)
    return TRUE;
  name_damage (&local);
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}
