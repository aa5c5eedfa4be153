/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-backup.h"
#include "ear-userdata-file.h"
#include "ear-userdata-now.h"
#include "ear-userdata-restore.h"
#include "ear-test-folder.h"

#include <glib/gstdio.h>
#include <string.h>

#define ADDRESS "https://example.org/feed"

typedef struct
{
  char *path;
  EarJsonFolder files;
} Folder;

static void
folder_clear (Folder *folder)
{
  ear_test_folder_remove (folder->path);
  g_free (folder->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static void
folder_init (Folder *folder)
{
  g_autoptr (GError) error = NULL;

  folder->path = g_dir_make_tmp ("earmark-fuzz-XXXXXX", &error);
  g_assert_no_error (error);
  folder->files.path = folder->path;
}

static void
put (const char *folder, const char *name, const void *data, gsize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, data, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

/* --- Files of the listened state ---------------------------------------------------- */

static void
visit_entry (const char *subject, const char *const *facts, guint key, GVariant *value, gint64 stamp, gpointer user_data)
{
  g_assert_true (g_utf8_validate (subject, -1, NULL));
  g_assert_cmpint (stamp, >, 0);
}

static void
read_entries (const char *name, const char *kind, const guint8 *data, gsize length)
{
  g_auto (Folder) folder = { 0 };
  g_autoptr (EarUserdataFile) file = NULL;

  folder_init (&folder);
  put (folder.path, name, data, length);
  file = ear_userdata_file_new (&folder.files, name);
  ear_userdata_file_refresh (file, NULL);
  for (guint i = 0; i < EAR_N_ENTRY_TABLES; i++)
    ear_userdata_file_report (file, i, TRUE, visit_entry, NULL);
  if (g_str_equal (kind, EAR_USERDATA_KIND_PODCAST))
    ear_userdata_file_describe (file, ADDRESS, NULL, NULL);
  ear_userdata_file_set_dirty (file);
  ear_userdata_file_write (file, NULL);
}

static void
read_now (const guint8 *data, gsize length)
{
  g_auto (Folder) folder = { 0 };
  g_autoptr (EarUserdataFile) now = NULL;
  g_autoptr (EarMarks) marks = NULL;

  folder_init (&folder);
  put (folder.path, "now.json", data, length);
  now = ear_userdata_file_new (&folder.files, "now.json");
  marks = ear_userdata_now_read (now, NULL);
}

/* A parsed document can be written and parsed again. Merging it twice changes nothing more. */
static void
check_tree (JsonObject *root)
{
  g_autoptr (JsonObject) again = NULL;
  g_autofree char *text = NULL;
  gsize size;

  text = ear_json_print (root, &size);
  again = ear_json_parse (text, size, NULL);
  g_assert_nonnull (again);
  ear_userdata_merge (root, again, 0);
  g_assert_false (ear_userdata_merge (root, again, 0));
}

/* Each kind has its own reader: the others would only set the file aside. */
void
ear_fuzz_state (const guint8 *data, gsize length)
{
  g_autoptr (JsonObject) root = ear_json_parse ((const char *) data, length, NULL);

  if (root == NULL)
    return;
  if (ear_userdata_shape_check (root, EAR_USERDATA_KIND_PODCAST, NULL))
    {
      g_autofree char *name = ear_userdata_shape_dup_name (ADDRESS);

      read_entries (name, EAR_USERDATA_KIND_PODCAST, data, length);
    }
  else if (ear_userdata_shape_check (root, EAR_USERDATA_KIND_SUBSCRIPTIONS, NULL))
    read_entries (EAR_SUBSCRIPTION_FILE_NAME, EAR_USERDATA_KIND_SUBSCRIPTIONS, data, length);
  else if (ear_userdata_shape_check (root, EAR_USERDATA_KIND_NOW, NULL))
    read_now (data, length);
  check_tree (root);
}

/* --- Backups ------------------------------------------------------------------------ */

static GBytes *
pack (const guint8 *data, gsize length)
{
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (gzip));

  if (length > 0)
    g_output_stream_write_all (stream, data, length, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);

  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static void
read_backup (const guint8 *data, gsize length)
{
  g_auto (Folder) folder = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (GHashTable) contents = NULL;
  g_autoptr (GPtrArray) changed = NULL;
  GHashTableIter iter;
  gpointer name;

  folder_init (&folder);
  path = g_build_filename (folder.path, "backup.json.gz", NULL);
  put (folder.path, "backup.json.gz", data, length);
  backup = ear_backup_file_open (path, &error);
  g_assert_true ((backup == NULL) == (error != NULL));
  contents = ear_backup_file_read (path, NULL);
  g_hash_table_iter_init (&iter, contents);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_assert_true (strchr (name, '/') == NULL || g_str_equal (name, "/"));
  changed = ear_userdata_restore (&folder.files, contents, length % 2, NULL);
}

/* Passes compressed data unchanged, and compresses everything else. */
void
ear_fuzz_backup (const guint8 *data, gsize length)
{
  g_autoptr (GBytes) packed = NULL;

  if (length > 2 && data[0] == 0x1f && data[1] == 0x8b)
    {
      read_backup (data, length);
      return;
    }
  packed = pack (data, length);
  read_backup (g_bytes_get_data (packed, NULL), g_bytes_get_size (packed));
}
