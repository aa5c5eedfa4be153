/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-cover-files.h"
#include "ear-download-record.h"
#include "ear-userdata-file.h"
#include "ear-import-source.h"
#include "ear-record.h"
#include "ear-settings.h"
#include "ear-test-folder.h"
#include "ear-time.h"
#include "ear-userdata-file.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include <string.h>
#include <utime.h>

/* Readers of files on disk. For formats with a writer, the result is written and parsed
 * again. */

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("earmark-fuzz-XXXXXX", &error);

  g_assert_no_error (error);

  return path;
}

static void
remove_folder (char *path)
{
  ear_test_folder_remove (path);
  g_free (path);
}

static void
put (const char *folder, const char *name, const void *data, gsize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  const struct utimbuf long_ago = { 1000000000, 1000000000 };

  g_file_set_contents_full (path, data, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
  /* An invalid file that was just written may be incomplete and would be retried for two
   * seconds. */
  g_assert_cmpint (utime (path, &long_ago), ==, 0);
}

static JsonObject *
parse_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *root;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  root = ear_json_parse (text, length, &error);
  g_assert_no_error (error);

  return root;
}

/* --- Damaged JSON ------------------------------------------------------------------- */

static void
check_salvage (const guint8 *data, gsize length, const char *table)
{
  g_autoptr (JsonObject) root = ear_json_salvage ((const char *) data, length, table);
  g_autoptr (JsonObject) again = NULL;
  gsize size, size_again;
  g_autofree char *text = ear_json_print (root, &size);
  g_autofree char *text_again = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_utf8_validate (text, -1, NULL));
  if (!ear_json_check (text, size, NULL))
    return;
  again = ear_json_parse (text, size, &error);
  g_assert_no_error (error);
  /* The salvaging reader reads a valid file like the strict one. */
  json_object_unref (again);
  again = ear_json_salvage (text, size, table);
  text_again = ear_json_print (again, &size_again);
  g_assert_cmpstr (text_again, ==, text);
}

void
ear_fuzz_salvage (const guint8 *data, gsize length)
{
  g_autoptr (JsonObject) root = ear_json_parse ((const char *) data, length, NULL);
  g_autoptr (JsonObject) salvaged = NULL;
  g_autofree char *text = NULL;
  g_autofree char *salvaged_text = NULL;
  gsize size;

  check_salvage (data, length, "records");
  check_salvage (data, length, NULL);
  if (root == NULL)
    return;
  text = ear_json_print (root, &size);
  salvaged = ear_json_salvage (text, size, NULL);
  salvaged_text = ear_json_print (salvaged, &size);
  g_assert_cmpstr (salvaged_text, ==, text);
}

/* --- Records ------------------------------------------------------------------------ */

static int
compare_records (gconstpointer a, gconstpointer b)
{
  return strcmp (((const EarRecord *) a)->id, ((const EarRecord *) b)->id);
}

static void
add_record (const char *id, const char *const *facts, guint key, GVariant *value, gint64 stamp, gpointer user_data)
{
  const gboolean is_removed = g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT);

  g_ptr_array_add (user_data, ear_record_new (id, is_removed ? NULL : value, stamp));
}

static GPtrArray *
read_records (EarJsonFolder *folder, const char *name, EarRecordKind kind)
{
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (folder, name);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_record_free);

  ear_userdata_file_refresh (file, NULL);
  ear_userdata_file_report (file, 0, TRUE, add_record, all);
  g_ptr_array_sort_values (all, compare_records);

  return all;
}

static void
check_same (GPtrArray *records, GPtrArray *again)
{
  g_assert_cmpuint (records->len, ==, again->len);
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *one = g_ptr_array_index (records, i);
      const EarRecord *other = g_ptr_array_index (again, i);

      g_assert_cmpstr (one->id, ==, other->id);
      g_assert_true (g_utf8_validate (one->id, -1, NULL));
      g_assert_true ((one->value == NULL) == (other->value == NULL));
      g_assert_true (one->value == NULL || g_variant_equal (one->value, other->value));
    }
}

/* The first byte selects the kind. Adding a record must not change the others. */
void
ear_fuzz_records (const guint8 *data, gsize length)
{
  g_autofree char *name = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) again = NULL;
  g_autoptr (JsonObject) root = NULL;
  EarRecordKind kind;
  char *path;

  if (length == 0)
    return;
  kind = data[0] % EAR_N_RECORD_KINDS;
  name = g_strconcat (ear_record_kind_names[kind], ".json", NULL);
  path = make_folder ();
  put (path, name, data + 1, length - 1);
  {
    EarJsonFolder folder = { .path = path };

    records = read_records (&folder, name, kind);
    {
      g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&folder, name);

      ear_userdata_file_refresh (file, NULL);
      ear_userdata_file_set (file, 0, "added", 0, g_variant_new ("a{sv}", NULL), EAR_STAMP_OLDEST + 1, 0);
      ear_userdata_file_write (file, NULL);
    }
    again = read_records (&folder, name, kind);
  }
  root = parse_file (path, name);
  for (guint i = 0; i < again->len; i++)
    if (g_str_equal (((EarRecord *) g_ptr_array_index (again, i))->id, "added"))
      g_ptr_array_remove_index (again, i--);
  for (guint i = 0; i < records->len; i++)
    if (g_str_equal (((EarRecord *) g_ptr_array_index (records, i))->id, "added"))
      g_ptr_array_remove_index (records, i--);
  check_same (records, again);
  remove_folder (path);
}

/* A file and its copy from another machine, separated by a zero byte: both are read and
 * merged. */
void
ear_fuzz_copies (const guint8 *data, gsize length)
{
  static const char copy[] = "bookmarks.sync-conflict-20260102-000000-ABCDEFG.json";
  const guint8 *zero = length > 0 ? memchr (data, '\0', length) : NULL;
  const gsize first = zero != NULL ? (gsize) (zero - data) : length;
  g_autofree char *original = ear_json_folder_dup_original (copy);
  g_autoptr (JsonObject) content = NULL;
  g_autoptr (JsonObject) root = NULL;
  char *path = make_folder ();

  g_assert_cmpstr (original, ==, "bookmarks.json");
  put (path, original, data, first);
  put (path, copy, zero != NULL ? zero + 1 : data, zero != NULL ? length - first - 1 : 0);
  {
    EarJsonFolder folder = { .path = path };
    g_autoptr (EarUserdataFile) file = ear_userdata_file_new (&folder, original);
    EarJsonIdentity identity;

    if (ear_userdata_file_absorb (file, copy, NULL))
      g_assert_false (ear_json_folder_identify (&folder, copy, &identity));
    content = ear_userdata_file_read (file, NULL);
  }
  root = parse_file (path, original);
  remove_folder (path);
}

/* --- Downloads ---------------------------------------------------------------------- */

static void
check_download (EarDownloadRecord *record)
{
  g_autoptr (EarDownloadRecord) again = NULL;
  g_autoptr (GError) error = NULL;
  gsize length, length_again;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;

  g_assert_true (ear_address_is_web (record->enclosure));
  g_assert_nonnull (record->podcast);
  g_assert_nonnull (record->guid);
  text = ear_download_record_print (record, &length);
  again = ear_download_record_parse (text, length, &error);
  g_assert_no_error (error);
  text_again = ear_download_record_print (again, &length_again);
  g_assert_cmpstr (text_again, ==, text);
}

void
ear_fuzz_downloads (const guint8 *data, gsize length)
{
  const char *text = (const char *) data;
  g_autoptr (EarDownloadRecord) record = ear_download_record_parse (text, length, NULL);

  if (record != NULL)
    check_download (record);
}

/* --- Settings ----------------------------------------------------------------------- */

static GSettings *
open_settings (const char *path)
{
  static GSettingsSchemaSource *source = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsBackend) backend = g_keyfile_settings_backend_new (path, "/", NULL);
  g_autoptr (GError) error = NULL;

  if (source == NULL)
    source = g_settings_schema_source_new_from_directory (SCHEMAS, NULL, FALSE, &error);
  g_assert_no_error (error);
  schema = g_settings_schema_source_lookup (source, "io.github.earmark_app.Earmark", FALSE);

  return g_settings_new_full (schema, backend, NULL);
}

/* Salvage keeps each entry of the group that a key file can have, wherever the damage is. */
static void
check_readable_settings (const char *text, const char *readable)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *again = ear_settings_salvage (readable, strlen (readable));

  g_assert_null (again);
  g_key_file_load_from_data (file, readable, (gsize) -1, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  if (strstr (text, "\nrate=1.5\n") != NULL)
    g_assert_nonnull (strstr (readable, "\nrate=1.5\n"));
}

/* Changing one setting must not change the others. */
void
ear_fuzz_settings (const guint8 *data, gsize length)
{
  char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "keyfile", NULL);
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *readable = ear_settings_salvage ((const char *) data, length);
  g_autoptr (GSettings) before = NULL;
  g_autoptr (GSettings) after = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  if (readable != NULL)
    {
      check_readable_settings (text, readable);
      put (folder, "keyfile", readable, strlen (readable));
    }
  else
    put (folder, "keyfile", data, length);

  before = open_settings (path);
  g_settings_set_int (before, "window-width", 900);
  after = open_settings (path);
  g_assert_cmpint (g_settings_get_int (after, "window-width"), ==, 900);
  g_object_get (after, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = g_settings_get_value (before, keys[i]);
      g_autoptr (GVariant) again = g_settings_get_value (after, keys[i]);

      g_assert_true (g_variant_equal (value, again));
    }
  remove_folder (folder);
}

/* --- Covers ------------------------------------------------------------------------- */

#define COVER "https://example.org/cover.png"

static char *
build_facts_name (void)
{
  g_autofree char *hash = ear_address_hash (COVER, NULL);

  return g_strconcat (hash, ".json", NULL);
}

void
ear_fuzz_facts (const guint8 *data, gsize length)
{
  g_autofree char *name = build_facts_name ();
  g_autoptr (EarCoverFacts) facts = NULL;
  g_autoptr (EarCoverFacts) again = NULL;
  char *path = make_folder ();

  put (path, name, data, length);
  facts = ear_cover_files_load_facts (path, COVER);
  g_assert_true (facts->etag == NULL || g_utf8_validate (facts->etag, -1, NULL));
  g_assert_true (facts->last_modified == NULL || g_utf8_validate (facts->last_modified, -1, NULL));
  g_assert_true (ear_cover_files_save_facts (path, COVER, facts, NULL));
  again = ear_cover_files_load_facts (path, COVER);
  g_assert_cmpstr (again->etag, ==, facts->etag);
  g_assert_cmpstr (again->last_modified, ==, facts->last_modified);
  g_assert_cmpint (again->fetched, ==, facts->fetched);
  g_assert_cmpint (again->failures, ==, facts->failures);
  g_assert_cmpint (again->retry, ==, facts->retry);
  remove_folder (path);
}

/* --- Databases of other players ----------------------------------------------------- */

static void
check_podcast (const EarListedPodcast *podcast)
{
  g_assert_true (podcast->address != NULL ? ear_address_is_web (podcast->address) : podcast->title != NULL);
  g_assert_true (podcast->title == NULL || g_utf8_validate (podcast->title, -1, NULL));
  g_assert_true (podcast->folder == NULL || g_utf8_validate (podcast->folder, -1, NULL));
  for (guint i = 0; i < podcast->episodes->len; i++)
    {
      const EarListedEpisode *episode = g_ptr_array_index (podcast->episodes, i);

      g_assert_true (episode->guid != NULL || episode->enclosure != NULL);
      g_assert_true (episode->guid == NULL || g_utf8_validate (episode->guid, -1, NULL));
      g_assert_true (episode->enclosure == NULL || g_utf8_validate (episode->enclosure, -1, NULL));
      g_assert_true (episode->title == NULL || g_utf8_validate (episode->title, -1, NULL));
      g_assert_true (episode->state.position >= 0 && episode->state.position <= EAR_POSITION_LIMIT);
    }
}

void
ear_fuzz_import (const guint8 *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) podcasts = NULL;
  char *path = make_folder ();
  g_autofree char *name = g_build_filename (path, "database", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (name);

  put (path, "database", data, length);
  podcasts = ear_import_source_read (file, NULL, &error);
  g_assert_true ((podcasts == NULL) == (error != NULL));
  for (guint i = 0; podcasts != NULL && i < podcasts->len; i++)
    check_podcast (g_ptr_array_index (podcasts, i));
  remove_folder (path);
}
