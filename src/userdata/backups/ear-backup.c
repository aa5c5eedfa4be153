/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup.h"

#include "ear-entry-table.h"
#include "ear-json-folder.h"
#include "ear-time.h"

#include <glib/gstdio.h>
#include <string.h>

/*
 * A backup file: consecutive JSON values, compressed (.json.gz). The first line describes
 * the backup, so that listing backups need not unpack them whole:
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

/* Limits of a backup's size, packed and unpacked */
#define PACKED_LIMIT (64 * 1024 * 1024)
#define STATE_LIMIT (512 * 1024 * 1024)

/* Limit of the number of files: each needs memory, even if it is empty */
#define COUNT_LIMIT 100000

/* Limit of the whole content, including the lines */
#define TOTAL_LIMIT (STATE_LIMIT + FILE_LIMIT)

static const char *const reasons[] = {
  [EAR_BACKUP_DAILY] = "daily",
  [EAR_BACKUP_BY_HAND] = "by hand",
  [EAR_BACKUP_BEFORE_RESTORING] = "before restoring",
};

/* Returns: (transfer full): a backup, without a digest and counts yet */
EarBackup *
ear_backup_new (const char *path, EarBackupReason reason, gint64 made)
{
  EarBackup *self = g_atomic_rc_box_new0 (EarBackup);

  self->path = g_strdup (path);
  self->reason = reason;
  self->made = made;

  return self;
}

static void
clear (EarBackup *self)
{
  ear_texts_clear (self, &self->digest);
}

EAR_DEFINE_REF_COUNTED (EarBackup, ear_backup, clear)

static gboolean
refuse (GError **error, EarError code, const char *message)
{
  g_set_error_literal (error, EAR_ERROR, (int) code, message);

  return FALSE;
}

/* @members: (transfer floating): `a{sv}` */
static char *
dup_line (GVariant *members)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (members);
  g_autofree char *line = json_gvariant_serialize_data (owned, NULL);

  return g_strconcat (line, "\n", NULL);
}

/* Adds a file to a backup.
 * @body: the content of the backup, without the description */
static void
add_file (GString *body, GChecksum *digest, const char *name, const char *text, gsize length)
{
  g_autofree char *line = dup_line (
      g_variant_new_parsed ("{'file': <%s>, 'size': <%x>}", name, (gint64) length));

  g_string_append (body, line);
  g_string_append_len (body, text, (gssize) length);
  g_string_append_c (body, '\n');
  g_checksum_update (digest, (const guchar *) name, (gssize) strlen (name) + 1);
  g_checksum_update (digest, (const guchar *) text, (gssize) length);
}

/* @body: (transfer full): see add_file()
 * Returns: (transfer full) (nullable): content of the backup file */
static GBytes *
pack (GString *body, const EarBackup *about, GError **error)
{
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autofree char *made = ear_stamp_format (about->made);
  g_autofree char *line = dup_line (g_variant_new_parsed (
      "{'version': <1>, 'kind': <%s>, 'made': <%s>, 'reason': <%s>, 'podcasts': <%u>,"
      " 'episodes': <%u>, 'digest': <%s>}",
      EAR_USERDATA_KIND_BACKUP, made, reasons[about->reason], about->n_podcasts,
      about->n_episodes, about->digest));
  g_autoptr (GBytes) whole = g_string_free_to_bytes (g_string_prepend (body, line));
  g_autoptr (GBytes) packed = g_converter_convert_bytes (G_CONVERTER (gzip), whole, error);

  if (packed != NULL && g_bytes_get_size (packed) > PACKED_LIMIT)
    {
      refuse (error, EAR_ERROR_TOO_LARGE, "The backup would be too large");
      return NULL;
    }

  return g_steal_pointer (&packed);
}

/* Unpacks the file, or its first bytes.
 * Returns: (transfer full): the bytes, at most @limit; with an error, those before the damage */
static GBytes *
unpack (const char *path, gsize limit, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info =
      g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                         G_FILE_QUERY_INFO_NONE, NULL, error);
  g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GFileInputStream) packed = NULL;
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autoptr (GError) damage = NULL;
  guint8 part[LINE_LIMIT];
  gssize got;

  if (info != NULL && (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR ||
                       g_file_info_get_size (info) > PACKED_LIMIT))
    refuse (error, EAR_ERROR_DAMAGED, "It is no backup");
  else if (info != NULL)
    packed = g_file_read (file, NULL, error);
  if (packed == NULL)
    return g_bytes_new (NULL, 0);

  stream = g_converter_input_stream_new (G_INPUT_STREAM (packed), G_CONVERTER (gzip));
  while ((got = g_input_stream_read (stream, part, MIN (sizeof part, limit - content->len), NULL,
                                     &damage)) > 0)
    g_byte_array_append (content, part, (guint) got);
  /* The decompressor reports damage with many different error codes. */
  if (damage != NULL)
    g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The backup cannot be read: %s",
                 damage->message);

  return g_byte_array_free_to_bytes (g_steal_pointer (&content));
}

/* @at: (inout): the beginning of the line, and then of the next one */
static JsonObject *
read_line (const char **at, const char *end, GError **error)
{
  const char *line = *at;
  const char *stop =
      line < end ? memchr (line, '\n', MIN ((gsize) (end - line), LINE_LIMIT)) : NULL;

  if (stop == NULL)
    {
      refuse (error, EAR_ERROR_DAMAGED, "It is no backup, or breaks off");
      return NULL;
    }
  *at = stop + 1;

  return ear_json_parse (line, (gsize) (stop - line), error);
}

/* Adds a file to @contents, by its name. */
static gboolean
read_file (const char **at, const char *end, GBytes *whole, GHashTable *contents,
           GError **error)
{
  g_autoptr (JsonObject) root = read_line (at, end, error);
  g_autofree char *name = NULL;
  g_autoptr (GBytes) content = NULL;
  const char *full;
  double size;

  if (root == NULL)
    return FALSE;
  full = ear_json_get_string (root, "file", LINE_LIMIT);
  size = ear_json_get_number (json_object_get_member (root, "size"));
  if (full == NULL || !(size >= 0))
    return refuse (error, EAR_ERROR_DAMAGED, "It is no backup");
  if (size > FILE_LIMIT || g_hash_table_size (contents) == COUNT_LIMIT)
    return refuse (error, EAR_ERROR_TOO_LARGE, "The backup is too large");
  /* The line end is missing if the file breaks off. */
  if ((gsize) size >= (gsize) (end - *at))
    return refuse (error, EAR_ERROR_DAMAGED, "The backup breaks off");
  name = g_path_get_basename (full);
  content = g_bytes_new_from_bytes (
      whole, (gsize) (*at - (const char *) g_bytes_get_data (whole, NULL)), (gsize) size);
  g_hash_table_insert (contents, g_steal_pointer (&name), g_steal_pointer (&content));
  *at += (gsize) size + 1;

  return TRUE;
}

static guint
get_count (JsonObject *root, const char *name)
{
  const double number = ear_json_get_number (json_object_get_member (root, name));

  return number >= 0 && number <= G_MAXINT ? (guint) number : 0;
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
read_description (const char *path, const char **at, const char *end, GError **error)
{
  g_autoptr (JsonObject) root = read_line (at, end, error);
  EarBackup *self;

  if (root == NULL || !ear_userdata_shape_check (root, EAR_USERDATA_KIND_BACKUP, error))
    return NULL;
  self = ear_backup_new (path, get_reason (root),
                         ear_stamp_parse (ear_json_get_string (root, "made", G_MAXSIZE), 0));
  self->digest = g_strdup (ear_json_get_string (root, "digest", 1024));
  self->n_podcasts = get_count (root, "podcasts");
  self->n_episodes = get_count (root, "episodes");

  return self;
}

/* Returns: (transfer full) (nullable): the backup, from the description in its file. The rest may
 * be damaged: some of its files can still be read. */
EarBackup *
ear_backup_file_open (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) beginning = unpack (path, LINE_LIMIT, &local);
  gsize length;
  const char *at = g_bytes_get_data (beginning, &length);
  EarBackup *self = read_description (path, &at, at + length, local == NULL ? &local : NULL);

  if (self == NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return self;
}

/* Unpacks a backup. There is an error unless it was read up to its end; gzip's checksum covers the
 * content.
 * Returns: (transfer full) (element-type utf8 GBytes): the files by their names; of a damaged
 * backup, those before the damage */
GHashTable *
ear_backup_file_read (const char *path, GError **error)
{
  GHashTable *contents =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) whole = unpack (path, TOTAL_LIMIT, &local);
  gsize length;
  const char *at = g_bytes_get_data (whole, &length);
  const char *end = at + length;
  g_autoptr (EarBackup) about = NULL;

  if (local == NULL && length == TOTAL_LIMIT)
    refuse (&local, EAR_ERROR_TOO_LARGE, "The backup is too large");
  about = read_description (path, &at, end, local == NULL ? &local : NULL);
  while (about != NULL && at < end &&
         read_file (&at, end, whole, contents, local == NULL ? &local : NULL))
    ;
  if (local == NULL && g_hash_table_size (contents) == 0 &&
      about->n_podcasts + about->n_episodes > 0)
    refuse (&local, EAR_ERROR_DAMAGED, "The backup has no files");
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return contents;
}

/* Backups are in a folder beside that of the state files. Other instances, and programs that
 * synchronize folders, may change both at the same time. */

#define FOLDER_NAME "backups"
#define PREFIX "earmark-"
#define SUFFIX ".json.gz"

/* Automatic backups kept: one per day for a week, and one per week for a month */
#define N_DAYS 7
#define N_WEEKS 4

/* No automatic backup is made earlier after any other one. */
#define DAY (24 * G_TIME_SPAN_HOUR)

/* Backups kept of each other kind; listeners can copy more of them elsewhere */
#define N_OTHERS 5

/* Chooses the backups to remove. Kept are the last daily backup of each of 7 days and of each
 * of the 4 weeks before, and the last 5 of any other kind. Days without backups do not count.
 * Daily backups from the future, after a wrong clock, are another kind: they must not displace
 * present ones.
 * Returns: (transfer full) (element-type EarBackup): the backups to remove */
GPtrArray *
ear_backup_folder_choose_superfluous (GPtrArray *backups, GTimeZone *zone, gint64 now)
{
  GPtrArray *superfluous = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  g_autofree char *last_day = NULL;
  g_autofree char *last_week = NULL;
  guint n_days = 0, n_weeks = 0;
  guint others[EAR_BACKUP_BEFORE_RESTORING + 1] = { 0 };

  /* The newest ones come first, so that the first of a day or week is its last one. */
  for (guint i = 0; i < backups->len; i++)
    {
      EarBackup *backup = g_ptr_array_index (backups, i);
      gboolean stays = FALSE;

      if (backup->reason == EAR_BACKUP_DAILY && backup->made <= now)
        {
          g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc_usec (backup->made);
          g_autoptr (GDateTime) local = g_date_time_to_timezone (utc, zone);
          g_autofree char *day = g_date_time_format (local, "%F");
          g_autofree char *week = g_date_time_format (local, "%G-%V");

          if (n_days < N_DAYS)
            {
              stays = g_set_str (&last_day, day);
              n_days += stays;
            }
          else if (n_weeks < N_WEEKS && !g_str_equal (day, last_day))
            {
              stays = g_set_str (&last_week, week);
              n_weeks += stays;
            }
        }
      else
        stays = others[backup->reason]++ < N_OTHERS;
      if (!stays)
        g_ptr_array_add (superfluous, ear_backup_ref (backup));
    }

  return superfluous;
}

char *
ear_backup_folder_dup_path (const char *state_directory)
{
  g_autofree char *parent = g_path_get_dirname (state_directory);

  return g_build_filename (parent, FOLDER_NAME, NULL);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  const EarBackup *first = a;
  const EarBackup *second = b;

  if (first->made != second->made)
    return ear_compare (second->made, first->made);

  return strcmp (second->path, first->path);
}

/* Returns: (transfer full) (element-type EarBackup): the readable
 * backups of the state files, newest first */
GPtrArray *
ear_backup_folder_list (const char *state_directory)
{
  g_autofree char *path = ear_backup_folder_dup_path (state_directory);
  GPtrArray *backups = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autoptr (GError) error = NULL;
      EarBackup *backup;

      if (*name == '.' || !g_str_has_suffix (name, SUFFIX))
        continue;
      backup = ear_backup_file_open (file, &error);
      if (backup != NULL)
        g_ptr_array_add (backups, backup);
      else
        g_debug ("%s is passed over: %s", name, error->message);
    }
  g_ptr_array_sort_values (backups, compare_newest_first);

  return backups;
}

static guint
count_followed (JsonObject *podcasts)
{
  const EarEntryTable *table = ear_entry_tables_find (EAR_USERDATA_KIND_SUBSCRIPTIONS);
  JsonObjectIter iter;
  const char *address;
  JsonObject *entry;
  guint n = 0;

  json_object_iter_init_ordered (&iter, podcasts);
  while (ear_entry_next (table, &iter, &address, &entry))
    {
      g_autoptr (GVariant) followed = NULL;

      ear_entry_read (table, entry, address, EAR_ENTRY_FOLLOWED, g_get_real_time (), &followed);
      n += followed != NULL && g_variant_get_int64 (followed) != 0;
    }

  return n;
}

/* Whether a file is an undamaged state file; adds its contents to the counts of @backup. */
static gboolean
count (EarBackup *backup, const char *text, gsize length)
{
  g_autoptr (JsonObject) root = ear_json_parse (text, length, NULL);
  const char *kind = root != NULL ? ear_json_get_string (root, "kind", G_MAXSIZE) : NULL;
  const char *table;
  JsonObject *rows;

  if (kind == NULL || !ear_userdata_shape_check (root, kind, NULL))
    return FALSE;
  table = ear_userdata_shape_get_table (kind);
  rows = table != NULL ? ear_json_get_object (root, table) : NULL;
  if (rows != NULL && g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    backup->n_episodes += json_object_get_size (rows);
  else if (rows != NULL && g_str_equal (kind, EAR_USERDATA_KIND_SUBSCRIPTIONS))
    backup->n_podcasts += count_followed (rows);

  return TRUE;
}

static GPtrArray *
list_state (const char *directory)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *original = ear_json_folder_dup_original (name);

      /* The position in now.json is already in the podcast's file. */
      if (*name != '.' && g_utf8_validate (name, -1, NULL) && g_str_has_suffix (name, ".json") &&
          original == NULL &&
          !g_str_equal (name, EAR_USERDATA_NOW_NAME))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort_values (names, (GCompareFunc) strcmp);

  return names;
}

/* Adds all undamaged state files to @body, and completes the description of @backup. */
static gboolean
gather (const char *directory, GString *body, EarBackup *backup, GError **error)
{
  EarJsonFolder folder = { .path = directory };
  g_autoptr (GPtrArray) names = list_state (directory);
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      EarJsonIdentity identity;
      gsize length;
      g_autofree char *text = ear_json_folder_read (&folder, name, &identity, &length, NULL);

      /* Skip damaged files: earlier backups have them in their last good state. */
      if (text == NULL || !count (backup, text, length))
        continue;
      if (body->len + length > STATE_LIMIT)
        return refuse (error, EAR_ERROR_TOO_LARGE, "There is too much for a backup");
      add_file (body, digest, name, text, length);
    }
  backup->digest = g_strdup (g_checksum_get_string (digest));

  return TRUE;
}

static void
remove_old (GPtrArray *backups)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GPtrArray) superfluous =
      ear_backup_folder_choose_superfluous (backups, zone, g_get_real_time ());

  for (guint i = 0; i < superfluous->len; i++)
    g_unlink (((EarBackup *) g_ptr_array_index (superfluous, i))->path);
}

static char *
dup_name (gint64 made)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc_usec (made);
  g_autoptr (GDateTime) local = g_date_time_to_local (utc);

  return g_date_time_format (local, PREFIX "%Y-%m-%d-%H%M%S-%f" SUFFIX);
}

/* Makes a backup of the state files, and removes backups that are too old. Returns the newest
 * one instead if nothing has changed since, or the daily one if it is less than a day old.
 * Returns: (transfer full) (nullable): the backup */
EarBackup *
ear_backup_folder_make (const char *state_directory, EarBackupReason reason, GError **error)
{
  g_autofree char *path = ear_backup_folder_dup_path (state_directory);
  EarJsonFolder folder = { .path = path };
  /* Two instances do not make the same backup. */
  g_autofd int lock = ear_json_folder_lock (&folder, error);
  const gint64 made = g_get_real_time ();
  g_autofree char *name = dup_name (made);
  g_autofree char *file = g_build_filename (path, name, NULL);
  g_autoptr (EarBackup) backup = ear_backup_new (file, reason, made);
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GPtrArray) backups = NULL;
  g_autoptr (GBytes) packed = NULL;
  EarBackup *newest;
  EarJsonIdentity identity;

  if (lock < 0)
    return NULL;
  g_ptr_array_unref (ear_json_folder_scan (&folder));
  backups = ear_backup_folder_list (state_directory);
  newest = backups->len > 0 ? g_ptr_array_index (backups, 0) : NULL;
  /* A backup that is dated in the future was made while the clock was wrong. */
  if (reason == EAR_BACKUP_DAILY && newest != NULL && newest->made <= made &&
      made - newest->made < DAY)
    return ear_backup_ref (newest);
  if (!gather (state_directory, body, backup, error))
    return NULL;
  if (newest != NULL && g_strcmp0 (newest->digest, backup->digest) == 0)
    return ear_backup_ref (newest);

  packed = pack (g_steal_pointer (&body), backup, error);
  if (packed == NULL ||
      !ear_json_folder_write (&folder, name, g_bytes_get_data (packed, NULL),
                              g_bytes_get_size (packed), &identity, error))
    return NULL;
  g_ptr_array_insert (backups, 0, ear_backup_ref (backup));
  remove_old (backups);

  return g_steal_pointer (&backup);
}
