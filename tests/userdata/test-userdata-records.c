/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test-userdata-util.h"


#include <string.h>

/* State kept as records: bookmarks, lists and all else with a file of its own */

#define FILE_NAME "bookmarks.json"

typedef struct
{
  GHashTable *values; /* (element-type utf8 GVariant): latest values received */
  guint n_told;
} Told;

static void
take (Told *told, int kind, GPtrArray *records)
{
  if (kind != EAR_RECORD_BOOKMARK)
    return;
  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);

      g_hash_table_replace (told->values, g_strdup (record->id), record->value != NULL ? g_variant_ref (record->value) : NULL);
    }
  told->n_told++;
}

static void
free_value (gpointer value)
{
  if (value != NULL)
    g_variant_unref (value);
}

static void
told_clear (Told *told)
{
  g_clear_pointer (&told->values, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

static gboolean
was_told (gpointer data)
{
  return ((Told *) data)->n_told > 0;
}

static void
listen (Fixture *fixture, Told *told)
{
  g_clear_pointer (&told->values, g_hash_table_unref);
  told->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_value);
  told->n_told = 0;
  fixture_open (fixture, 20);
  g_signal_connect_swapped (fixture->store, "records-changed", G_CALLBACK (take), told);
  ear_userdata_store_load_records (fixture->store, EAR_RECORD_BOOKMARK);
  g_assert_true (userdata_test_wait (was_told, told));
  told->n_told = 0;
}

static void
set (Fixture *fixture, const char *id, const char *note)
{
  GVariantDict dict;
  g_autoptr (EarRecord) record = NULL;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "note", "s", note != NULL ? note : "");
  g_variant_dict_insert (&dict, "time", "d", 12.0);
  record = ear_record_new (id, note != NULL ? g_variant_dict_end (&dict) : NULL, g_get_real_time ());
  if (note == NULL)
    g_variant_dict_clear (&dict);
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_BOOKMARK, record);
}

static const char *
get (Told *told, const char *id)
{
  GVariant *value = g_hash_table_lookup (told->values, id);
  const char *note = NULL;

  if (value != NULL)
    g_variant_lookup (value, "note", "&s", &note);

  return note;
}

/* A stored record exists in the next session; a removed one does not, and stays away. */
static void
test_kept (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_auto (Told) told = { 0 };
  g_autofree char *text = NULL;
  gsize length;

  listen (fixture, &told);
  g_assert_cmpuint (g_hash_table_size (told.values), ==, 0);
  set (fixture, "a", "First");
  set (fixture, "b", "Second");
  set (fixture, "a", "First, \"changed\"");
  set (fixture, "b", NULL);
  fixture_close (fixture);

  listen (fixture, &told);
  g_assert_cmpstr (get (&told, "a"), ==, "First, \"changed\"");
  g_assert_cmpfloat (ear_record_get_number (g_hash_table_lookup (told.values, "a"), "time", 0), ==, 12);
  g_assert_true (g_hash_table_contains (told.values, "b"));
  g_assert_null (g_hash_table_lookup (told.values, "b"));
  text = fixture_read (fixture, FILE_NAME, &length);
  g_assert_nonnull (strstr (text, "\"bookmarks\""));
}

/* Another machine's file: the newest version of each record counts, and members that are
 * not records stay. */
static void
test_outside (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_auto (Told) told = { 0 };
  g_autoptr (JsonObject) root = NULL;
  JsonObject *records;

  listen (fixture, &told);
  set (fixture, "mine", "Mine");
  set (fixture, "both", "Newer");
  fixture_flush (fixture);
  told.n_told = 0;
  fixture_write (fixture, FILE_NAME,
                 "{\"version\": 2, \"kind\": \"bookmarks\", \"more\": [], \"records\": {"
                 " \"theirs\": {\"value\": {\"note\": \"Theirs\", \"deep\": {\"list\": [1, 2.5, null]}}, \"updated\": \"2026-01-01T00:00:00Z\"},"
                 " \"both\": {\"value\": {\"note\": \"Older\"}, \"updated\": \"2026-01-01T00:00:00Z\"},"
                 " \"\": {\"value\": {}}, \"n\": 5, \"array\": {\"value\": []}, \"text\": {\"value\": \"a\"}, \"none\": {}, \"null\": {\"value\": null}}}");
  g_assert_true (userdata_test_wait (was_told, &told));
  g_assert_cmpstr (get (&told, "theirs"), ==, "Theirs");
  g_assert_cmpuint (g_hash_table_size (told.values), ==, 1);
  fixture_wait_for_text (fixture, FILE_NAME, "Newer");
  /* Known and unknown members were preserved. */
  root = fixture_parse (fixture, FILE_NAME);
  records = json_object_get_object_member (root, "records");
  g_assert_true (json_object_has_member (root, "more"));
  g_assert_cmpint (json_object_get_int_member (root, "version"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (records, "n"), ==, 5);
  g_assert_true (json_object_has_member (records, "mine"));

  /* A record that is changed here keeps its unknown members. */
  {
    g_autoptr (GVariant) value = g_variant_ref (g_hash_table_lookup (told.values, "theirs"));
    g_autoptr (EarRecord) record = NULL;
    GVariantDict dict;

    g_variant_dict_init (&dict, value);
    g_variant_dict_insert (&dict, "note", "s", "Ours");
    record = ear_record_new ("theirs", g_variant_dict_end (&dict), g_get_real_time ());
    ear_userdata_store_set_record (fixture->store, EAR_RECORD_BOOKMARK, record);
  }
  fixture_wait_for_text (fixture, FILE_NAME, "Ours");
  g_clear_pointer (&root, json_object_unref);
  root = fixture_parse (fixture, FILE_NAME);
  records = json_object_get_object_member (json_object_get_object_member (json_object_get_object_member (root, "records"), "theirs"), "value");
  g_assert_true (JSON_NODE_HOLDS_NULL (json_array_get_element (json_object_get_array_member (json_object_get_object_member (records, "deep"), "list"), 2)));
}

/* Peeking changes nothing: neither damaged files, nor conflict copies of another
 * machine. */
static void
test_peeked (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autofree char *missing = g_build_filename (fixture->path, "missing", NULL);
  g_autoptr (GPtrArray) none = ear_userdata_peek_records (missing, EAR_RECORD_BOOKMARK);
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) damaged = NULL;
  g_autofree char *text = NULL;
  const char *broken = "{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {";
  gsize length;

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (g_file_test (missing, G_FILE_TEST_EXISTS));
  fixture_write (fixture, FILE_NAME,
                 "{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {"
                 " \"a\": {\"value\": {\"note\": \"Peeked\"}, \"updated\": \"2026-01-01T00:00:00Z\"}, \"b\": 5}}");
  records = ear_userdata_peek_records (fixture->path, EAR_RECORD_BOOKMARK);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpstr (((EarRecord *) g_ptr_array_index (records, 0))->id, ==, "a");
  fixture_write (fixture, FILE_NAME, broken);
  damaged = ear_userdata_peek_records (fixture->path, EAR_RECORD_BOOKMARK);
  g_assert_cmpuint (damaged->len, ==, 0);
  text = fixture_read (fixture, FILE_NAME, &length);
  g_assert_cmpstr (text, ==, broken);
}

/* Two machines that did not know of each other, and a synchronized folder */
static void
test_merged (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_auto (Told) told = { 0 };

  listen (fixture, &told);
  set (fixture, "mine", "Mine");
  fixture_close (fixture);
  fixture_write (fixture, "bookmarks.sync-conflict-20260101-000000-ABCDEFG.json",
                 "{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {"
                 " \"theirs\": {\"value\": {\"note\": \"Theirs\"}, \"updated\": \"2026-01-01T00:00:00Z\"},"
                 " \"mine\": {\"value\": null, \"updated\": \"2026-01-01T00:00:00Z\"}}}");
  listen (fixture, &told);
  g_assert_cmpstr (get (&told, "mine"), ==, "Mine");
  g_assert_cmpstr (get (&told, "theirs"), ==, "Theirs");
}

/* A later change wins over one stamped by a clock that was ahead. */
static void
test_clock (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_auto (Told) told = { 0 };
  const gint64 ahead = g_get_real_time () + G_TIME_SPAN_MINUTE;
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc_usec (ahead);
  g_autofree char *stamp = g_date_time_format_iso8601 (date);
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"bookmarks\", \"records\": {"
                                           " \"a\": {\"value\": {\"note\": \"Ahead\"}, \"updated\": \"%s\"}}}", stamp);

  listen (fixture, &told);
  set (fixture, "z", "Another");
  fixture_flush (fixture);
  told.n_told = 0;
  fixture_write (fixture, FILE_NAME, text);
  g_assert_true (userdata_test_wait (was_told, &told));
  g_assert_cmpstr (get (&told, "a"), ==, "Ahead");
  set (fixture, "a", "Now");
  fixture_close (fixture);
  listen (fixture, &told);
  g_assert_cmpstr (get (&told, "a"), ==, "Now");
}

/* Restoring resets everything and drops later changes, except for the listening time,
 * which stays true. */
static void
test_restored (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_autoptr (EarRecord) listening = NULL;
  g_auto (Told) told = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GVariantDict dict;
  gsize length;

  listen (fixture, &told);
  set (fixture, "changed", "Before");
  set (fixture, "removed", "There");
  backup = userdata_test_back_up (fixture->store, EAR_BACKUP_BY_HAND, &error);
  g_assert_no_error (error);
  set (fixture, "changed", "After");
  set (fixture, "removed", NULL);
  set (fixture, "added", "New");
  g_variant_dict_init (&dict, NULL);
  listening = ear_record_new ("2026-11", g_variant_dict_end (&dict), g_get_real_time ());
  ear_userdata_store_set_record (fixture->store, EAR_RECORD_LISTENING, listening);
  fixture_flush (fixture);
  told.n_told = 0;

  g_assert_true (userdata_test_restore (fixture->store, backup->path, FALSE, &error));
  g_assert_no_error (error);
  g_assert_true (userdata_test_wait (was_told, &told));
  g_assert_cmpstr (get (&told, "changed"), ==, "Before");
  g_assert_cmpstr (get (&told, "removed"), ==, "There");
  g_assert_true (g_hash_table_contains (told.values, "added"));
  g_assert_null (get (&told, "added"));
  text = fixture_read (fixture, "listening.json", &length);
  g_assert_nonnull (strstr (text, "2026-11"));
}

/* A damaged file is set aside, replaced from the backup, and merged with the data in
 * memory. */
static void
test_damaged (void)
{
  g_autoptr (Fixture) fixture = fixture_new ();
  g_autoptr (EarBackup) backup = NULL;
  g_auto (Told) told = { 0 };
  g_autoptr (GError) error = NULL;

  listen (fixture, &told);
  set (fixture, "a", "Kept");
  backup = userdata_test_back_up (fixture->store, EAR_BACKUP_BY_HAND, &error);
  g_assert_no_error (error);
  fixture_close (fixture);
  fixture_write (fixture, FILE_NAME, "{\"version\": 1, \"kind\": \"bookmarks\", \"reco");
  fixture_age (fixture, FILE_NAME, 10);
  listen (fixture, &told);
  g_assert_cmpstr (get (&told, "a"), ==, "Kept");
  g_assert_cmpuint (fixture->set_aside->len, ==, 1);
  g_assert_cmpuint (fixture->n_restored, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/userdata-records/kept", test_kept);
  g_test_add_func ("/userdata-records/outside", test_outside);
  g_test_add_func ("/userdata-records/peeked", test_peeked);
  g_test_add_func ("/userdata-records/merged", test_merged);
  g_test_add_func ("/userdata-records/clock", test_clock);
  g_test_add_func ("/userdata-records/restored", test_restored);
  g_test_add_func ("/userdata-records/damaged", test_damaged);

  return g_test_run ();
}
