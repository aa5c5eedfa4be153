/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-folder.h"
#include "ear-download-name.h"
#include "ear-download-store.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The downloads folder: names, records, and the life of a file */

#define PODCAST "https://example.org/feed"
#define DAY 1722787200 /* 2024-08-04 */

typedef struct
{
  char *path;
  EarDownloadFolder *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_dir_make_tmp ("earmark-downloads-XXXXXX", NULL);

  fixture->path = g_build_filename (parent, "downloads", NULL);
  fixture->folder = ear_download_folder_new (fixture->path, FALSE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ear_download_folder_free (fixture->folder);
  g_free (fixture->path);
}

static EarDownloadRecord *
new_record (const char *guid, const char *title)
{
  EarDownloadRecord *record = ear_download_record_new (PODCAST, guid, "https://example.org/episode.mp3?from=feed");

  record->podcast_title = g_strdup ("Rounds");
  record->title = g_strdup (title);
  record->mime_type = g_strdup ("audio/mpeg");
  record->published = DAY;
  record->wanted = 1;

  return record;
}

static char *
read_file (const char *path)
{
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);

  return text;
}

static void
write_part (Fixture *fixture, EarDownloadRecord *record, const char *text)
{
  g_autofree char *part = ear_download_folder_dup_part (fixture->folder, record);
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_download_folder_keep (fixture->folder, record, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (part, text, -1, NULL));
}

static void
finish (Fixture *fixture, EarDownloadRecord *record, const char *text)
{
  g_autoptr (GError) error = NULL;

  write_part (fixture, record, text);
  g_assert_true (ear_download_folder_finish (fixture->folder, record, &error));
  g_assert_no_error (error);
}

static void
assert_file (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->path, name, NULL);
  g_autofree char *content = read_file (path);

  g_assert_cmpstr (content, ==, text);
}

static EarDownloadRecord *
load_only (Fixture *fixture)
{
  guint n_damaged;
  g_autoptr (GPtrArray) records = ear_download_folder_load (fixture->folder, &n_damaged, NULL);

  g_assert_cmpuint (n_damaged, ==, 0);
  g_assert_cmpuint (records->len, <=, 1);

  return records->len > 0 ? ear_download_record_copy (g_ptr_array_index (records, 0)) : NULL;
}

static void
test_names (void)
{
  static const struct
  {
    const char *title;
    const char *mime_type;
    const char *enclosure;
    gint64 published;
    const char *name;
    const char *ending; /* the one that fits the bytes */
  } cases[] = {
    { "Compiler collectives", "audio/mpeg", "https://e.org/a", DAY, "2024-08-04 Compiler collectives.mp3" },
    { "Compiler collectives", "audio/mpeg; charset=x", "https://e.org/a", EAR_DATE_UNKNOWN, "Compiler collectives.mp3" },
    { NULL, "Audio/MP4", "https://e.org/a", EAR_DATE_UNKNOWN, "Episode.m4a" },
    { "", "application/octet-stream", "https://e.org/a.OPUS?token=b.mp3", DAY, "2024-08-04.opus" },
    { "x", "application/octet-stream", "https://e.org/a.php", DAY, "2024-08-04 x.audio" },
    { "x", NULL, "https://e.org/run.exe", DAY, "2024-08-04 x.audio" },
    { "../../../etc/passwd", "audio/ogg", "https://e.org/a", EAR_DATE_UNKNOWN, "-..-..-etc-passwd.ogg" },
    { "..", "audio/ogg", "https://e.org/a", EAR_DATE_UNKNOWN, "Episode.ogg" },
    { ".hidden. . ", "audio/ogg", "https://e.org/a", EAR_DATE_UNKNOWN, "hidden.ogg" },
    { "a/b\\c:d*e?f\"g<h>i|j", "audio/ogg", "https://e.org/a", EAR_DATE_UNKNOWN, "a-b-c-d-e-f-g-h-i-j.ogg" },
    { "line\nbreak\tand  gaps", "audio/ogg", "https://e.org/a", EAR_DATE_UNKNOWN, "line break and gaps.ogg" },
    { "safe\xe2\x80\xae" "3pm.exe", "audio/mpeg", "https://e.org/a", EAR_DATE_UNKNOWN, "safe3pm.exe.mp3" },
    { "\x1b[31mred\x07", "audio/mpeg", "https://e.org/a", EAR_DATE_UNKNOWN, "[31mred.mp3" },
    { "שלום", "audio/mpeg", "https://e.org/a", DAY, "2024-08-04 שלום.mp3" },
    { "x", "audio/mpeg", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "x.m4a", "m4a" },
    { "x", "application/octet-stream; charset=utf-8", "https://e.org/listen?id=7", EAR_DATE_UNKNOWN, "x.mp3", "mp3" },
    { "x", "video/mp4", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "x.mp3", "mp3" },
    { "x", "audio/mpeg", "https://e.org/book.m4b?x", EAR_DATE_UNKNOWN, "x.m4b", "m4a" },
    { "x", "video/x-m4v", "https://e.org/a", EAR_DATE_UNKNOWN, "x.m4v", "mp4" },
    { "x", "audio/vorbis", "https://e.org/a", EAR_DATE_UNKNOWN, "x.opus", "opus" },
    { "bad \xff byte", "audio/mpeg", "https://e.org/a", EAR_DATE_UNKNOWN, "bad \xef\xbf\xbd byte.mp3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarDownloadRecord) record = ear_download_record_new (PODCAST, "a", cases[i].enclosure);
      g_autofree char *name = NULL;

      record->title = g_strdup (cases[i].title);
      record->mime_type = g_strdup (cases[i].mime_type);
      record->published = cases[i].published;
      name = ear_download_name_dup_file (record, 0, cases[i].ending);
      g_assert_cmpstr (name, ==, cases[i].name);
    }
}

static void
test_long_names (void)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", NULL);
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;
  GString *title = g_string_new (NULL);

  for (guint i = 0; i < 100000; i++)
    g_string_append (title, "ש");
  record->title = g_string_free (title, FALSE);
  g_set_str (&record->podcast_title, record->title);
  folder = ear_download_name_dup_folder (record);
  file = ear_download_name_dup_file (record, 998, NULL);
  g_assert_cmpuint (strlen (folder), <=, 100);
  g_assert_cmpuint (strlen (file), <=, 143);
  g_assert_true (g_utf8_validate (file, -1, NULL));
  g_assert_true (g_str_has_suffix (file, " (999).mp3"));

  g_set_str (&record->podcast_title, "…/..");
  g_free (folder);
  folder = ear_download_name_dup_folder (record);
  g_assert_cmpstr (folder, ==, "…-");
}

static void
test_record (void)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a \"guid\"", "Title");
  g_autoptr (EarDownloadRecord) copy = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  gsize length;

  record->size = 12345;
  record->etag = g_strdup ("\"tag\"");
  text = ear_download_record_print (record, &length);
  copy = ear_download_record_parse (text, length, &error);
  g_assert_no_error (error);
  again = ear_download_record_print (copy, &length);
  g_assert_cmpstr (text, ==, again);
  g_assert_cmpstr (copy->guid, ==, "a \"guid\"");
  g_assert_cmpint (copy->size, ==, 12345);

  /* An unknown date stays unknown. */
  record->published = EAR_DATE_UNKNOWN;
  g_free (again);
  again = ear_download_record_print (record, &length);
  ear_download_record_free (copy);
  copy = ear_download_record_parse (again, length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (copy->published, ==, EAR_DATE_UNKNOWN);
}

/* A size that no file has is unknown. */
static void
test_sizes (void)
{
  static const struct
  {
    const char *text;
    gint64 size;
  } cases[] = {
    { "-1", 0 },
    { "123456789012", G_GINT64_CONSTANT (123456789012) },
    { "1099511627776", G_GINT64_CONSTANT (1099511627776) },
    { "1099511627777", 0 },
    { "9223372036854775807", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"kind\": \"download\", \"podcast\": \"p\", \"guid\": \"g\", \"enclosure\": \"https://e.org/\", \"size\": %s}", cases[i].text);
      g_autoptr (EarDownloadRecord) record = ear_download_record_parse (text, strlen (text), NULL);

      g_assert_cmpint (record->size, ==, cases[i].size);
    }
}

static void
test_bad_records (void)
{
  static const struct
  {
    const char *text;
    int code;
  } cases[] = {
    { "", EAR_ERROR_DAMAGED },
    { "{", EAR_ERROR_DAMAGED },
    { "[]", EAR_ERROR_DAMAGED },
    { "{}", EAR_ERROR_DAMAGED },
    { "{\"kind\": \"now\"}", EAR_ERROR_DAMAGED },
    { "{\"kind\": \"download\"}", EAR_ERROR_DAMAGED },
    { "{\"kind\": \"download\", \"version\": 2}", EAR_ERROR_NEWER },
    { "{\"kind\": \"download\", \"podcast\": \"p\", \"guid\": 1, \"enclosure\": \"https://e.org/\"}", EAR_ERROR_DAMAGED },
    { "{\"kind\": \"download\", \"podcast\": \"p\", \"guid\": \"g\", \"enclosure\": \"file:///etc/passwd\"}", EAR_ERROR_DAMAGED },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ear_download_record_parse (cases[i].text, strlen (cases[i].text), &error));
      g_assert_error (error, EAR_ERROR, cases[i].code);
    }
}

static void
test_finish (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) first = new_record ("a", "Same");
  g_autoptr (EarDownloadRecord) second = new_record ("b", "Same");
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *part = ear_download_folder_dup_part (fixture->folder, first);
  guint n_damaged;

  second->wanted = 2;
  finish (fixture, first, "first");
  finish (fixture, second, "second");
  assert_file (fixture, "Rounds/2024-08-04 Same.mp3", "first");
  assert_file (fixture, "Rounds/2024-08-04 Same (2).mp3", "second");
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));

  records = ear_download_folder_load (fixture->folder, &n_damaged, NULL);
  g_assert_cmpuint (records->len, ==, 2);
  g_assert_cmpstr (((EarDownloadRecord *) records->pdata[0])->file, ==, "Rounds/2024-08-04 Same.mp3");
  g_assert_cmpstr (((EarDownloadRecord *) records->pdata[1])->file, ==, "Rounds/2024-08-04 Same (2).mp3");
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) half = new_record ("b", "Half");
  g_autofree char *folder = g_build_filename (fixture->path, "Rounds", NULL);
  g_autofree char *part = ear_download_folder_dup_part (fixture->folder, half);

  finish (fixture, record, "sound");
  write_part (fixture, half, "half");
  g_assert_true (ear_download_folder_remove (fixture->folder, record, NULL));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  g_assert_null (record->file);
  g_assert_true (ear_download_folder_remove (fixture->folder, half, NULL));
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_null (load_only (fixture));
}

/* The record of a declined download stays, without its file. */
static void
test_decline (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) loaded = NULL;
  g_autofree char *folder = g_build_filename (fixture->path, "Rounds", NULL);

  finish (fixture, record, "sound");
  record->declined = TRUE;
  g_assert_true (ear_download_folder_remove (fixture->folder, record, NULL));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  loaded = load_only (fixture);
  g_assert_true (loaded->declined);
  g_assert_null (loaded->file);
}

/* Another program's file in the folder keeps the folder, and is not touched. */
static void
test_neighbours (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autofree char *folder = g_build_filename (fixture->path, "Rounds", NULL);
  g_autofree char *own = g_build_filename (folder, "2024-08-04 Title.mp3", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (own, "mine", -1, NULL));
  finish (fixture, record, "sound");
  assert_file (fixture, "Rounds/2024-08-04 Title (2).mp3", "sound");
  g_assert_true (ear_download_folder_remove (fixture->folder, record, NULL));
  assert_file (fixture, "Rounds/2024-08-04 Title.mp3", "mine");
}

/* A symbolic link in place of the folder is not written through. */
static void
test_symlink (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (fixture->path, "Rounds", NULL);
  g_autofree char *elsewhere = g_dir_make_tmp ("earmark-elsewhere-XXXXXX", NULL);
  g_autofree char *outside = g_build_filename (elsewhere, "2024-08-04 Title.mp3", NULL);

  write_part (fixture, record, "sound");
  g_assert_cmpint (symlink (elsewhere, folder), ==, 0);
  g_assert_false (ear_download_folder_finish (fixture->folder, record, &error));
  g_assert_nonnull (error);
  g_assert_null (record->file);
  g_assert_false (g_file_test (outside, G_FILE_TEST_EXISTS));
}

static void
test_removed_by_hand (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) loaded = NULL;
  g_autofree char *file = NULL;

  finish (fixture, record, "sound");
  file = ear_download_folder_dup_file (fixture->folder, record);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_null (load_only (fixture));
  /* A later file does not bring it back. */
  g_assert_true (g_file_set_contents (file, "again", -1, NULL));
  g_assert_null (load_only (fixture));
}

/* Killed between writing the final name to the record and renaming: the file is still a
 * partial one. */
static void
test_killed_while_naming (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) loaded = NULL;

  record->file = g_strdup ("Rounds/2024-08-04 Title.mp3");
  write_part (fixture, record, "sound");
  loaded = load_only (fixture);
  g_assert_nonnull (loaded);
  g_assert_cmpstr (loaded->file, ==, "Rounds/2024-08-04 Title.mp3");
  assert_file (fixture, loaded->file, "sound");
}

/* No record can name a file outside of the folder. */
static void
test_hostile_record (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = { "../outside", "/etc/passwd", "Rounds/../../outside", "Rounds/.earmark", ".earmark/x", "x", "Rounds/" };
  g_autofree char *parent = g_path_get_dirname (fixture->path);
  g_autofree char *outside = g_build_filename (parent, "outside", NULL);

  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");

      g_set_str (&record->file, files[i]);
      g_assert_null (ear_download_folder_dup_file (fixture->folder, record));
      g_assert_true (ear_download_folder_keep (fixture->folder, record, NULL));
      g_assert_null (load_only (fixture));
      g_assert_true (ear_download_folder_remove (fixture->folder, record, NULL));
    }
  g_assert_true (g_file_test (outside, G_FILE_TEST_EXISTS));
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) good = new_record ("a", "Good");
  g_autoptr (EarDownloadRecord) bad = new_record ("b", "Bad");
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *key = ear_download_record_dup_key (bad);
  g_autofree char *name = g_strconcat (key, ".json", NULL);
  g_autofree char *path = g_build_filename (fixture->path, ".earmark", name, NULL);
  guint n_damaged;

  finish (fixture, good, "good");
  finish (fixture, bad, "bad");
  g_assert_true (g_file_set_contents (path, "{\"kind\": \"down", -1, NULL));
  records = ear_download_folder_load (fixture->folder, &n_damaged, NULL);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpuint (n_damaged, ==, 1);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  /* The listener's file stays. */
  assert_file (fixture, "Rounds/2024-08-04 Bad.mp3", "bad");

  g_ptr_array_unref (records);
  records = ear_download_folder_load (fixture->folder, &n_damaged, NULL);
  g_assert_cmpuint (n_damaged, ==, 0);
}

/* Servers send arbitrary bytes: a record that contains them can be read again. */
static void
test_bytes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Bytes");
  g_autoptr (EarDownloadRecord) loaded = NULL;

  g_set_str (&record->etag, "\"\xfc\"");
  g_set_str (&record->mime_type, "audio/mpeg; name=\xff");
  finish (fixture, record, "sound");
  loaded = load_only (fixture);
  g_assert_cmpstr (loaded->title, ==, "Bytes");
  g_assert_true (g_utf8_validate (loaded->etag, -1, NULL));
}

static void
test_left_over (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) gone = new_record ("a", "Gone");
  g_autoptr (EarDownloadRecord) half = new_record ("b", "Half");
  g_autoptr (EarDownloadRecord) left = NULL;
  g_autofree char *gone_part = ear_download_folder_dup_part (fixture->folder, gone);
  g_autofree char *half_part = ear_download_folder_dup_part (fixture->folder, half);

  finish (fixture, gone, "gone");
  g_assert_true (ear_download_folder_remove (fixture->folder, gone, NULL));
  g_assert_true (g_file_set_contents (gone_part, "of nothing", -1, NULL));
  write_part (fixture, half, "half");
  left = load_only (fixture);
  g_assert_cmpstr (left->title, ==, "Half");
  g_assert_false (g_file_test (gone_part, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (half_part, G_FILE_TEST_EXISTS));
}

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (GError) error = NULL;
  g_autofree char *parent = g_path_get_dirname (fixture->path);

  if (geteuid () == 0)
    {
      /* A file in the way causes the error, as nothing is read-only to root. */
      g_assert_true (g_file_set_contents (fixture->path, "", -1, NULL));
      g_assert_false (ear_download_folder_keep (fixture->folder, record, &error));
      g_assert_nonnull (error);
      return;
    }
  g_assert_cmpint (g_chmod (parent, 0500), ==, 0);
  g_assert_false (ear_download_folder_keep (fixture->folder, record, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
}

/* The error names the obstacle instead of asking the listener to wait. */
static void
test_in_the_way (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autofree char *podcast = g_build_filename (fixture->path, "Rounds", NULL);
  g_autofree char *elsewhere = g_path_get_dirname (fixture->path);
  g_autoptr (GError) at_once = NULL;
  g_autoptr (GError) with_file = NULL;
  g_autoptr (GError) with_link = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (fixture->path, "", -1, NULL));
  g_assert_false (ear_download_folder_keep (fixture->folder, record, &at_once));
  g_assert_error (at_once, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);

  write_part (fixture, record, "sound");
  g_assert_true (g_file_set_contents (podcast, "", -1, NULL));
  g_assert_false (ear_download_folder_finish (fixture->folder, record, &with_file));
  g_assert_error (with_file, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  g_assert_cmpint (g_unlink (podcast), ==, 0);
  g_assert_cmpint (symlink (elsewhere, podcast), ==, 0);
  g_assert_false (ear_download_folder_finish (fixture->folder, record, &with_link));
  g_assert_error (with_link, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  g_assert_cmpint (g_unlink (podcast), ==, 0);

  /* Without the obstacle it works. */
  g_assert_true (ear_download_folder_finish (fixture->folder, record, &error));
  g_assert_no_error (error);
}

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

static void
test_store (Fixture *fixture, gconstpointer data)
{
  EarDownloadStore *store = ear_download_store_new (fixture->path, FALSE);
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) finished = NULL;
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *part = ear_download_folder_dup_part (ear_download_store_get_folder (store), record);
  guint n_damaged;

  write_part (fixture, record, "sound");
  ear_download_store_change_async (store, ear_download_folder_finish, record, keep_result_cb, &first);
  ear_download_store_load_async (store, keep_result_cb, &second);
  finished = ear_download_store_change_finish (wait_for (&first), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (finished->file, ==, "Rounds/2024-08-04 Title.mp3");
  records = ear_download_store_load_finish (wait_for (&second), &n_damaged, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (records->len, ==, 1);
  g_clear_object (&first);
  g_clear_object (&second);

  ear_download_store_change_async (store, ear_download_folder_finish, record, keep_result_cb, &first);
  g_assert_null (ear_download_store_change_finish (wait_for (&first), &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
  g_clear_object (&first);
  g_assert_finalize_object (store);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/download-files/names", test_names);
  g_test_add_func ("/download-files/long-names", test_long_names);
  g_test_add_func ("/download-files/record", test_record);
  g_test_add_func ("/download-files/sizes", test_sizes);
  g_test_add_func ("/download-files/bad-records", test_bad_records);
  g_test_add ("/download-files/finish", Fixture, NULL, set_up, test_finish, tear_down);
  g_test_add ("/download-files/remove", Fixture, NULL, set_up, test_remove, tear_down);
  g_test_add ("/download-files/decline", Fixture, NULL, set_up, test_decline, tear_down);
  g_test_add ("/download-files/neighbours", Fixture, NULL, set_up, test_neighbours, tear_down);
  g_test_add ("/download-files/symlink", Fixture, NULL, set_up, test_symlink, tear_down);
  g_test_add ("/download-files/removed-by-hand", Fixture, NULL, set_up, test_removed_by_hand, tear_down);
  g_test_add ("/download-files/killed-while-naming", Fixture, NULL, set_up, test_killed_while_naming, tear_down);
  g_test_add ("/download-files/hostile-record", Fixture, NULL, set_up, test_hostile_record, tear_down);
  g_test_add ("/download-files/damaged", Fixture, NULL, set_up, test_damaged, tear_down);
  g_test_add ("/download-files/bytes", Fixture, NULL, set_up, test_bytes, tear_down);
  g_test_add ("/download-files/left-over", Fixture, NULL, set_up, test_left_over, tear_down);
  g_test_add ("/download-files/in-the-way", Fixture, NULL, set_up, test_in_the_way, tear_down);
  g_test_add ("/download-files/read-only", Fixture, NULL, set_up, test_read_only, tear_down);
  g_test_add ("/download-files/store", Fixture, NULL, set_up, test_store, tear_down);

  return g_test_run ();
}
