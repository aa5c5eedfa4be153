/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup.h"

#include "ear-entry-table.h"
#include "ear-json-folder.h"
#include "ear-userdata-shape.h"

#include <glib/gstdio.h>
#include <string.h>

/* The folder of the backups, beside the folder of the state files, and the rotation of
 * the backups. Any thread may call these functions; other instances and folder
 * synchronizers may change both folders at the same time. */

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

typedef struct
{
  int period; /* period of the last kept backup */
  guint n;
} Tally;

/* Takes the first backup of a period. Backups are sorted newest first,
 * so this is the period's last one. */
static gboolean
take (Tally *tally, int period, guint limit)
{
  if (tally->n >= limit || (tally->n > 0 && tally->period == period))
    return FALSE;
  tally->period = period;
  tally->n++;

  return TRUE;
}

static int
get_day (EarBackup *backup, GTimeZone *zone, int *week)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc_usec (backup->made);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  *week = 0;
  if (local == NULL)
    return 0;
  *week = g_date_time_get_week_numbering_year (local) * 100 + g_date_time_get_week_of_year (local);

  return g_date_time_get_year (local) * 1000 + g_date_time_get_day_of_year (local);
}

/* Chooses the backups to remove. Of the daily ones, the last backup of each of the last 7
 * days with backups is kept, and of each of the 4 weeks before; of all other kinds the
 * last 5. Daily backups from the future count as another kind: the clock was wrong, and
 * they must not displace present backups.
 * Returns: (transfer full) (element-type EarBackup): the backups to remove */
GPtrArray *
ear_backup_folder_choose_superfluous (GPtrArray *backups, GTimeZone *zone, gint64 now)
{
  GPtrArray *superfluous = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  Tally days = { 0 };
  Tally weeks = { 0 };
  guint others[EAR_BACKUP_BEFORE_RESTORING + 1] = { 0 };

  for (guint i = 0; i < backups->len; i++)
    {
      EarBackup *backup = g_ptr_array_index (backups, i);
      const EarBackupReason reason = backup->reason;
      gboolean stays;

      if (reason == EAR_BACKUP_DAILY && backup->made <= now)
        {
          int week;
          const int day = get_day (backup, zone, &week);

          stays = take (&days, day, N_DAYS) ||
                  (days.n == N_DAYS && days.period != day && take (&weeks, week, N_WEEKS));
        }
      else
        stays = others[reason]++ < N_OTHERS;
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
  const gint64 difference = second->made - first->made;

  if (difference != 0)
    return difference > 0 ? 1 : -1;

  return strcmp (second->path, first->path);
}

/* Returns: (transfer full) (element-type EarBackup): the readable
 * backups, newest first */
GPtrArray *
ear_backup_folder_list (const char *path)
{
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
  JsonNode *node;
  guint n = 0;

  json_object_iter_init (&iter, podcasts);
  while (json_object_iter_next (&iter, &address, &node))
    {
      JsonObject *entry = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      g_autoptr (GVariant) followed = NULL;

      if (entry == NULL)
        continue;
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

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
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
  g_ptr_array_sort_values (names, compare_names);

  return names;
}

/* Adds all undamaged state files to @body, and completes the description of @backup. */
static gboolean
gather (const char *directory, GString *body, EarBackup *backup, GError **error)
{
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (directory, NULL, NULL);
  g_autoptr (GPtrArray) names = list_state (directory);
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      EarJsonIdentity identity;
      gsize length;
      g_autofree char *text = ear_json_folder_read (folder, name, &identity, &length, NULL);

      /* Skip damaged files: earlier backups have them in their last good state. */
      if (text == NULL || !count (backup, text, length))
        continue;
      if (body->len + length > EAR_BACKUP_LIMIT)
        {
          g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE,
                               "There is too much for a backup");
          return FALSE;
        }
      ear_backup_file_add (body, digest, name, text, length);
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
dup_free_name (const char *path, gint64 made)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc_usec (made);
  g_autoptr (GDateTime) local = g_date_time_to_local (utc);
  g_autofree char *date = g_date_time_format (local, "%Y-%m-%d-%H%M%S");

  for (guint i = 1;; i++)
    {
      g_autofree char *name = i == 1 ? g_strconcat (PREFIX, date, SUFFIX, NULL)
                                     : g_strdup_printf (PREFIX "%s-%u" SUFFIX, date, i);
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (!g_file_test (file, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&name);
    }
}

/* Makes a backup of the state files, and removes backups that are too old. Returns the newest
 * one instead if nothing has changed since, or the daily one if it is less than a day old.
 * Returns: (transfer full) (nullable): the backup */
EarBackup *
ear_backup_folder_make (const char *path, const char *state_directory, EarBackupReason reason,
                        GError **error)
{
  g_autoptr (EarJsonFolder) folder = ear_json_folder_new (path, NULL, NULL);
  /* Two instances do not make the same backup. */
  g_autofd int lock = ear_json_folder_lock (folder, error);
  const gint64 made = g_get_real_time ();
  g_autofree char *name = dup_free_name (path, made);
  g_autofree char *file = g_build_filename (path, name, NULL);
  g_autoptr (EarBackup) backup = ear_backup_new (file, reason, made);
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GPtrArray) backups = NULL;
  g_autoptr (GBytes) packed = NULL;
  EarBackup *newest;
  EarJsonIdentity identity;

  if (lock < 0)
    return NULL;
  g_ptr_array_unref (ear_json_folder_scan (folder));
  backups = ear_backup_folder_list (path);
  newest = backups->len > 0 ? g_ptr_array_index (backups, 0) : NULL;
  /* A backup that is dated in the future was made while the clock was wrong. */
  if (reason == EAR_BACKUP_DAILY && newest != NULL && newest->made <= made &&
      made - newest->made < DAY)
    return ear_backup_ref (newest);
  if (!gather (state_directory, body, backup, error))
    return NULL;
  if (newest != NULL && g_strcmp0 (newest->digest, backup->digest) == 0)
    return ear_backup_ref (newest);

  packed = ear_backup_file_pack (g_steal_pointer (&body), backup, error);
  if (packed == NULL ||
      !ear_json_folder_write (folder, name, g_bytes_get_data (packed, NULL),
                              g_bytes_get_size (packed), &identity, error))
    return NULL;
  g_ptr_array_insert (backups, 0, ear_backup_ref (backup));
  remove_old (backups);

  return g_steal_pointer (&backup);
}
