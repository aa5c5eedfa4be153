/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-download-folder.h"
#include "ear-download-name.h"
#include "ear-download-store.h"

#include "ear-test-folder.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The downloads folder: names, records, the life of a file, and moving to another folder */

#define PODCAST "https://example.org/feed"
#define DAY 1722787200 /* 2024-08-04 */
#define N_FILES 60

typedef struct
{
  char *parent;
  char *path; /* the folder in it */
  EarDownloadFolder *folder;
  char *there_path; /* another one, chosen by the listener */
  EarDownloadFolder *there;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->parent = g_dir_make_tmp ("earmark-downloads-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->parent, "downloads", NULL);
  fixture->folder = ear_download_folder_new (fixture->path, FALSE);
  fixture->there_path = g_build_filename (fixture->parent, "stick", "there", NULL);
  fixture->there = ear_download_folder_new (fixture->there_path, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ear_download_folder_free (fixture->folder);
  ear_download_folder_free (fixture->there);
  g_chmod (fixture->parent, 0700);
  ear_test_folder_remove (fixture->parent);
  g_free (fixture->path);
  g_free (fixture->there_path);
  g_free (fixture->parent);
}

static const char *
get_path (Fixture *fixture, const char *name)
{
  return ear_test_format ("%s/%s", fixture->path, name);
}

static void
assert_exists (const char *path, gboolean exists)
{
  g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, exists);
}

static gboolean
has_part (Fixture *fixture, const EarDownloadRecord *record)
{
  g_autofree char *part = ear_download_folder_dup_part (fixture->folder, record);

  return g_file_test (part, G_FILE_TEST_EXISTS);
}

static EarDownloadRecord *
new_record (const char *guid, const char *title)
{
  EarDownloadRecord *record = ear_download_record_new (PODCAST, guid, "https://example.org/episode.mp3?from=feed");

  record->podcast_title = g_strdup ("Rounds");
  record->title = g_strdup (title);
  record->published = DAY;
  record->wanted = 1;

  return record;
}

static void
write_part (EarDownloadFolder *folder, EarDownloadRecord *record, const char *text)
{
  g_autofree char *part = ear_download_folder_dup_part (folder, record);

  g_assert_true (ear_download_folder_keep (folder, record, NULL));
  g_assert_true (g_file_set_contents (part, text, -1, NULL));
}

static void
finish (EarDownloadFolder *folder, EarDownloadRecord *record, const char *text)
{
  write_part (folder, record, text);
  g_assert_true (ear_download_folder_finish (folder, record, NULL));
}

static char *
read_file (const char *path)
{
  char *content = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));

  return content;
}

#define assert_file(fixture, name, text) \
  ear_test_assert_text (read_file (get_path (fixture, name)), text)

static GPtrArray *
load_all (Fixture *fixture, guint n_damaged_expected)
{
  guint n_damaged;
  GPtrArray *records = ear_download_folder_load (fixture->folder, &n_damaged, NULL);

  g_assert_cmpuint (n_damaged, ==, n_damaged_expected);

  return records;
}

static EarDownloadRecord *
load_only (Fixture *fixture)
{
  g_autoptr (GPtrArray) records = load_all (fixture, 0);

  g_assert_cmpuint (records->len, <=, 1);

  return records->len > 0 ? ear_download_record_copy (g_ptr_array_index (records, 0)) : NULL;
}

static void
test_names (void)
{
  static const struct
  {
    const char *title, *enclosure;
    gint64 published;
    const char *name;
    const char *type; /* the one that fits the bytes */
  } cases[] = {
    { "Compiler collectives", "https://e.org/a", DAY, "2024-08-04 Compiler collectives.mp3", "audio/mpeg" },
    { "Compiler collectives", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "Compiler collectives.mp3" },
    { NULL, "https://e.org/a.m4a#t=1", EAR_DATE_UNKNOWN, "Episode.m4a" },
    { "", "https://e.org/a.OPUS?token=b.mp3", DAY, "2024-08-04.opus" },
    { "x", "https://e.org/a.php", DAY, "2024-08-04 x.audio" },
    { "x", "https://e.org/run.exe", DAY, "2024-08-04 x.audio" },
    { "../../../etc/passwd", "https://e.org/a.ogg", EAR_DATE_UNKNOWN, "-..-..-etc-passwd.ogg" },
    { "..", "https://e.org/a.ogg", EAR_DATE_UNKNOWN, "Episode.ogg" },
    { ".hidden. . ", "https://e.org/a.ogg", EAR_DATE_UNKNOWN, "hidden.ogg" },
    { "a/b\\c:d*e?f\"g<h>i|j", "https://e.org/a.ogg", EAR_DATE_UNKNOWN, "a-b-c-d-e-f-g-h-i-j.ogg" },
    { "line\nbreak\tand  gaps", "https://e.org/a.ogg", EAR_DATE_UNKNOWN, "line break and gaps.ogg" },
    { "safe\xe2\x80\xae" "3pm.exe", "https://e.org/a", EAR_DATE_UNKNOWN, "safe3pm.exe.mp3", "audio/mpeg" },
    { "\x1b[31mred\x07", "https://e.org/a", EAR_DATE_UNKNOWN, "[31mred.mp3", "audio/mpeg" },
    { "שלום", "https://e.org/a", DAY, "2024-08-04 שלום.mp3", "audio/mpeg" },
    { "x", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "x.m4a", "audio/mp4" },
    { "x", "https://e.org/listen?id=7", EAR_DATE_UNKNOWN, "x.mp3", "audio/mpeg" },
    { "x", "https://e.org/book.m4b?x", EAR_DATE_UNKNOWN, "x.m4b", "audio/mp4" },
    { "x", "https://e.org/a.oga", EAR_DATE_UNKNOWN, "x.opus", "audio/x-opus+ogg" },
    { "x", "https://e.org/a.m4a", EAR_DATE_UNKNOWN, "x.m4a", "video/mp4" },
    { "x", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "x.mp4", "video/mp4" },
    { "x", "https://e.org/a.mka", EAR_DATE_UNKNOWN, "x.mka", "application/x-matroska" },
    { "x", "https://e.org/a.mp3", EAR_DATE_UNKNOWN, "x.mp3", "application/octet-stream" },
    { "bad \xff byte", "https://e.org/a", EAR_DATE_UNKNOWN, "bad \xef\xbf\xbd byte.mp3", "audio/mpeg" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarDownloadRecord) record = ear_download_record_new (PODCAST, "a", cases[i].enclosure);

      record->title = g_strdup (cases[i].title);
      record->published = cases[i].published;
      ear_test_assert_text (ear_download_name_dup_file (record, 0, cases[i].type), cases[i].name);
    }
}

static void
test_long_names (void)
{
  g_autofree char *spaces = g_strnfill (100000, ' ');
  g_auto (GStrv) parts = g_strsplit (spaces, " ", -1);
  g_autofree char *title = g_strjoinv ("ש", parts);
  g_autoptr (EarDownloadRecord) record = new_record ("a", title);
  g_set_str (&record->podcast_title, title);
  g_autofree char *folder = ear_download_name_dup_folder (record);
  g_autofree char *file = ear_download_name_dup_file (record, 998, NULL);

  g_assert_cmpuint (strlen (folder), <=, 100);
  g_assert_cmpuint (strlen (file), <=, 143);
  g_assert_true (g_utf8_validate (file, -1, NULL));
  g_assert_true (g_str_has_suffix (file, " (999).mp3"));

  g_set_str (&record->podcast_title, "…/..");
  ear_test_assert_text (ear_download_name_dup_folder (record), "…-");
}

static void
test_record (void)
{
  /* A size that no file has is unknown. */
  static const struct
  {
    const char *text;
    gint64 size;
  } sizes[] = {
    { "-1", 0 },
    { "123456789012", G_GINT64_CONSTANT (123456789012) },
    { "1099511627776", G_GINT64_CONSTANT (1099511627776) },
    { "1099511627777", 0 },
    { "9223372036854775807", 0 },
  };
  g_autoptr (EarDownloadRecord) record = new_record ("a \"guid\"", "Title");
  g_autoptr (GError) error = NULL;
  gsize length;

  record->size = 12345;
  record->etag = g_strdup ("\"tag\"");
  g_autofree char *text = ear_download_record_print (record, &length);
  g_autoptr (EarDownloadRecord) copy = ear_download_record_parse (text, length, &error);
  g_assert_no_error (error);
  ear_test_assert_text (ear_download_record_print (copy, &length), text);
  g_assert_cmpstr (copy->guid, ==, "a \"guid\"");
  g_assert_cmpint (copy->size, ==, 12345);

  /* An unknown date stays unknown. */
  record->published = EAR_DATE_UNKNOWN;
  g_autofree char *undated = ear_download_record_print (record, &length);
  g_autoptr (EarDownloadRecord) undated_copy = ear_download_record_parse (undated, length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (undated_copy->published, ==, EAR_DATE_UNKNOWN);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const char *sized = ear_test_format ("{\"kind\": \"download\", \"podcast\": \"p\", \"guid\": \"g\", \"enclosure\": \"https://e.org/\", \"size\": %s}", sizes[i].text);
      g_autoptr (EarDownloadRecord) read = ear_download_record_parse (sized, strlen (sized), NULL);

      g_test_message ("%s", sizes[i].text);
      g_assert_cmpint (read->size, ==, sizes[i].size);
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

  second->wanted = 2;
  /* Servers send arbitrary bytes: a record that contains them can be read again. */
  g_set_str (&first->etag, "\"\xfc\"");
  finish (fixture->folder, first, "first");
  finish (fixture->folder, second, "second");
  assert_file (fixture, "Rounds/2024-08-04 Same.mp3", "first");
  assert_file (fixture, "Rounds/2024-08-04 Same (2).mp3", "second");
  g_assert_false (has_part (fixture, first));

  g_autoptr (GPtrArray) records = load_all (fixture, 0);
  g_assert_cmpuint (records->len, ==, 2);
  g_assert_cmpstr (((EarDownloadRecord *) records->pdata[0])->file, ==, "Rounds/2024-08-04 Same.mp3");
  g_assert_true (g_utf8_validate (((EarDownloadRecord *) records->pdata[0])->etag, -1, NULL));
  g_assert_cmpstr (((EarDownloadRecord *) records->pdata[1])->file, ==, "Rounds/2024-08-04 Same (2).mp3");
}

/* Removing a file and an incomplete one. Another program's file in the folder keeps the folder,
 * and is not touched; the record of a declined download stays, without its file. */
static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (EarDownloadRecord) half = new_record ("b", "Half");
  g_autoptr (EarDownloadRecord) declined = new_record ("c", "Title");
  const char *folder = get_path (fixture, "Rounds");
  const char *own = get_path (fixture, "Rounds/2024-08-04 Title.mp3");

  finish (fixture->folder, record, "sound");
  write_part (fixture->folder, half, "half");
  g_assert_true (ear_download_folder_remove (fixture->folder, record, NULL));
  assert_exists (folder, FALSE);
  g_assert_null (record->file);
  g_assert_true (ear_download_folder_remove (fixture->folder, half, NULL));
  g_assert_false (has_part (fixture, half));
  g_assert_null (load_only (fixture));

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (own, "mine", -1, NULL));
  finish (fixture->folder, declined, "sound");
  assert_file (fixture, "Rounds/2024-08-04 Title (2).mp3", "sound");
  declined->declined = TRUE;
  g_assert_true (ear_download_folder_remove (fixture->folder, declined, NULL));
  assert_exists (get_path (fixture, "Rounds/2024-08-04 Title (2).mp3"), FALSE);
  assert_file (fixture, "Rounds/2024-08-04 Title.mp3", "mine");
  g_autoptr (EarDownloadRecord) loaded = load_only (fixture);
  g_assert_true (loaded->declined);
  g_assert_null (loaded->file);
}

static void
test_removed_by_hand (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");

  finish (fixture->folder, record, "sound");
  g_autofree char *file = ear_download_folder_dup_file (fixture->folder, record);
  g_autofree char *part = ear_download_folder_dup_part (fixture->folder, record);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_null (load_only (fixture));
  /* A partial file without a record is removed. */
  g_assert_true (g_file_set_contents (part, "of nothing", -1, NULL));
  g_assert_null (load_only (fixture));
  g_assert_false (has_part (fixture, record));
  /* A later file does not bring it back. */
  g_assert_true (g_file_set_contents (file, "again", -1, NULL));
  g_assert_null (load_only (fixture));
  g_assert_cmpint (g_unlink (file), ==, 0);

  /* Killed between naming the file in the record and renaming it: it is still partial. */
  g_set_str (&record->file, "Rounds/2024-08-04 Title.mp3");
  write_part (fixture->folder, record, "sound");
  g_autoptr (EarDownloadRecord) loaded = load_only (fixture);
  g_assert_nonnull (loaded);
  g_assert_cmpstr (loaded->file, ==, "Rounds/2024-08-04 Title.mp3");
  assert_file (fixture, loaded->file, "sound");
}

/* No record can name a file outside of the folder. */
static void
test_hostile_record (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = { "../outside", "/etc/passwd", "Rounds/../../outside", "Rounds/.earmark", ".earmark/x", "x", "Rounds/" };
  const char *outside = ear_test_format ("%s/outside", fixture->parent);

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
  assert_exists (outside, TRUE);
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) good = new_record ("a", "Good");
  g_autoptr (EarDownloadRecord) bad = new_record ("b", "Bad");
  g_autofree char *key = ear_download_record_dup_key (bad);
  const char *path = ear_test_format ("%s/.earmark/%s.json", fixture->path, key);

  finish (fixture->folder, good, "good");
  finish (fixture->folder, bad, "bad");
  g_assert_true (g_file_set_contents (path, "{\"kind\": \"down", -1, NULL));
  g_autoptr (GPtrArray) records = load_all (fixture, 1);
  g_assert_cmpuint (records->len, ==, 1);
  assert_exists (path, FALSE);
  /* The listener's file stays. */
  assert_file (fixture, "Rounds/2024-08-04 Bad.mp3", "bad");
  g_autoptr (GPtrArray) again = load_all (fixture, 0);
}

/* The error names the obstacle instead of asking the listener to wait. */
static void
test_in_the_way (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  const char *podcast = get_path (fixture, "Rounds");
  const char *outside = ear_test_format ("%s/2024-08-04 Title.mp3", fixture->parent);
  g_autoptr (GError) error = NULL;

  /* A folder that cannot be written waits, like a full disk. */
  if (geteuid () != 0)
    {
      g_assert_cmpint (g_chmod (fixture->parent, 0500), ==, 0);
      g_assert_false (ear_download_folder_keep (fixture->folder, record, &error));
      g_assert_cmpint (g_chmod (fixture->parent, 0700), ==, 0);
      g_assert_error (error, EAR_ERROR, EAR_ERROR_NO_SPACE);
      g_clear_error (&error);
    }
  g_assert_true (g_file_set_contents (fixture->path, "", -1, NULL));
  g_assert_false (ear_download_folder_keep (fixture->folder, record, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  g_clear_error (&error);
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);

  /* A file, and a link to another folder, which is not written through */
  write_part (fixture->folder, record, "sound");
  for (guint i = 0; i < 2; i++)
    {
      if (i == 0)
        g_assert_true (g_file_set_contents (podcast, "", -1, NULL));
      else
        g_assert_cmpint (symlink (fixture->parent, podcast), ==, 0);
      g_assert_false (ear_download_folder_finish (fixture->folder, record, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
      g_assert_null (record->file);
      assert_exists (outside, FALSE);
      g_clear_error (&error);
      g_assert_cmpint (g_unlink (podcast), ==, 0);
    }

  /* Without the obstacle it works. */
  g_assert_true (ear_download_folder_finish (fixture->folder, record, NULL));
}

static void
test_store (Fixture *fixture, gconstpointer data)
{
  EarDownloadStore *store = ear_download_store_new (fixture->path, FALSE);
  g_autoptr (EarDownloadRecord) record = new_record ("a", "Title");
  g_autoptr (GAsyncResult) first = NULL, second = NULL, third = NULL;
  g_autoptr (GError) error = NULL;
  guint n_damaged;

  write_part (fixture->folder, record, "sound");
  ear_download_store_change_async (store, ear_download_folder_finish, record, ear_test_result_cb, &first);
  ear_download_store_load_async (store, ear_test_result_cb, &second);
  ear_download_store_change_async (store, ear_download_folder_finish, record, ear_test_result_cb, &third);
  EAR_TEST_WAIT_UNTIL (third != NULL);
  g_autoptr (EarDownloadRecord) finished = ear_download_store_change_finish (first, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (finished->file, ==, "Rounds/2024-08-04 Title.mp3");
  g_autoptr (GPtrArray) records = ear_download_store_load_finish (second, &n_damaged, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (records->len, ==, 1);

  g_assert_null (ear_download_store_change_finish (third, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_FAILED);
  g_clear_object (&first);
  g_clear_object (&second);
  g_clear_object (&third);
  ear_download_store_free (store);
}

/* --- Moving to another folder: nothing is lost, whatever happens ------------------------ */

static char *
dup_content (guint i)
{
  return g_strnfill (1000 + i * 100, (char) ('a' + i % 26));
}

static EarDownloadRecord *
new_numbered (guint i)
{
  EarDownloadRecord *record =
      ear_download_record_new (PODCAST, ear_test_format ("%03u", i), "https://example.org/e.mp3");

  record->podcast_title = g_strdup (i % 2 == 0 ? "Even" : "Odd");
  /* Each title is used twice. */
  record->title = g_strdup_printf ("Episode %u", i / 4);
  record->wanted = 1 + i;

  return record;
}

/* @done: whether the download is complete */
static void
put (EarDownloadFolder *folder, guint i, gboolean done)
{
  g_autoptr (EarDownloadRecord) record = new_numbered (i);
  g_autofree char *content = dup_content (i);

  if (done)
    finish (folder, record, content);
  else
    write_part (folder, record, content);
}

static void
put_all (Fixture *fixture)
{
  for (guint i = 0; i < N_FILES; i++)
    put (fixture->folder, i, i % 5 != 0);
}

/* Each file exists once, unchanged. */
static void
expect_all (const char *path)
{
  g_autoptr (EarDownloadFolder) folder = ear_download_folder_new (path, FALSE);
  guint n_damaged;
  g_autoptr (GPtrArray) records = ear_download_folder_load (folder, &n_damaged, NULL);
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_cmpuint (n_damaged, ==, 0);
  g_assert_cmpuint (records->len, ==, N_FILES);
  for (guint i = 0; i < N_FILES; i++)
    {
      const EarDownloadRecord *record = g_ptr_array_index (records, i);
      g_autofree char *expected = dup_content (i);
      char *file = i % 5 != 0 ? ear_download_folder_dup_file (folder, record) : ear_download_folder_dup_part (folder, record);

      g_assert_nonnull (file);
      g_assert_true (g_hash_table_add (files, file));
      ear_test_assert_text (read_file (file), expected);
    }
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  put_all (fixture);
  g_assert_true (g_file_set_contents (get_path (fixture, "Even/mine.txt"), "mine", -1, NULL));
  g_assert_false (ear_download_folder_is_there (fixture->there));
  g_assert_true (ear_download_folder_copy (fixture->folder, fixture->there, NULL, NULL));
  expect_all (fixture->path);
  expect_all (fixture->there_path);
  /* Copying again changes nothing. */
  g_assert_true (ear_download_folder_copy (fixture->folder, fixture->there, NULL, NULL));
  expect_all (fixture->there_path);

  ear_download_folder_clear (fixture->folder, fixture->there);
  expect_all (fixture->there_path);
  /* Files that are no downloads stay. */
  assert_exists (get_path (fixture, "Even/mine.txt"), TRUE);
  assert_exists (get_path (fixture, "Odd"), FALSE);
  assert_exists (get_path (fixture, ".earmark"), FALSE);

  /* And back */
  g_assert_true (ear_download_folder_copy (fixture->there, fixture->folder, NULL, NULL));
  ear_download_folder_clear (fixture->there, fixture->folder);
  expect_all (fixture->path);
  assert_exists (fixture->there_path, FALSE);
}

/* Clearing removes only files that exist in the new folder. */
static void
test_clear_too_early (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = dup_content (N_FILES + 1);

  put_all (fixture);
  ear_download_folder_clear (fixture->folder, fixture->there);
  expect_all (fixture->path);
  put (fixture->folder, N_FILES, TRUE);
  g_assert_true (ear_download_folder_copy (fixture->folder, fixture->there, NULL, NULL));
  put (fixture->folder, N_FILES + 1, TRUE);
  ear_download_folder_clear (fixture->folder, fixture->there);
  g_autoptr (EarDownloadRecord) left = load_only (fixture);
  g_autofree char *file = ear_download_folder_dup_file (fixture->folder, left);
  ear_test_assert_text (read_file (file), content);
}

/* If the new folder is not writable, or a move is canceled, nothing is changed or left. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  put_all (fixture);
  g_cancellable_cancel (cancellable);
  g_assert_false (ear_download_folder_copy (fixture->folder, fixture->there, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  expect_all (fixture->path);

  g_assert_cmpint (g_mkdir_with_parents (fixture->there_path, 0700), ==, 0);
  const char *odd = ear_test_format ("%s/Odd", fixture->there_path);
  g_assert_true (g_file_set_contents (odd, "no folder", -1, NULL));
  g_assert_false (ear_download_folder_copy (fixture->folder, fixture->there, NULL, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  expect_all (fixture->path);
  g_autoptr (GDir) dir = g_dir_open (ear_test_format ("%s/.earmark", fixture->there_path), 0, NULL);
  g_assert_null (dir != NULL ? g_dir_read_name (dir) : NULL);
}

/* A child that moves the downloads is killed: one of the folders is complete. */
static void
test_kill (Fixture *fixture, gconstpointer data)
{
  gboolean there = FALSE;

  put_all (fixture);
  for (guint i = 0; i < 40; i++)
    {
      EarDownloadFolder *from = there ? fixture->there : fixture->folder;
      EarDownloadFolder *to = there ? fixture->folder : fixture->there;
      const pid_t child = fork ();
      int status;

      g_assert_cmpint (child, >=, 0);
      if (child == 0)
        {
          const gboolean copied = ear_download_folder_copy (from, to, NULL, NULL);

          if (copied)
            ear_download_folder_clear (from, to);
          _exit (copied ? 0 : 1);
        }
      g_usleep ((gulong) g_test_rand_int_range (0, 15000));
      kill (child, SIGKILL);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);

      /* The program clears the old folder only after storing the new one. Here the child
       * checks that the copy is complete. */
      if (!ear_download_folder_copy (from, to, NULL, NULL))
        g_test_fail ();
      expect_all (to->path);
      ear_download_folder_clear (from, to);
      expect_all (to->path);
      there = !there;
    }
}

/* A chosen folder that is missing is not created; the call returns an error. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarDownloadRecord) record = new_numbered (1);
  g_autoptr (GError) not_loaded = NULL, not_kept = NULL;
  guint n_damaged;

  g_assert_null (ear_download_folder_load (fixture->there, &n_damaged, &not_loaded));
  g_assert_error (not_loaded, EAR_ERROR, EAR_ERROR_NO_FOLDER);
  g_assert_false (ear_download_folder_keep (fixture->there, record, &not_kept));
  g_assert_error (not_kept, EAR_ERROR, EAR_ERROR_NO_FOLDER);
  assert_exists (fixture->there_path, FALSE);
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/download-files/names", test_names);
  g_test_add_func ("/download-files/long-names", test_long_names);
  g_test_add_func ("/download-files/record", test_record);
  g_test_add_func ("/download-files/bad-records", test_bad_records);
  ADD ("/download-files/finish", test_finish);
  ADD ("/download-files/remove", test_remove);
  ADD ("/download-files/removed-by-hand", test_removed_by_hand);
  ADD ("/download-files/hostile-record", test_hostile_record);
  ADD ("/download-files/damaged", test_damaged);
  ADD ("/download-files/in-the-way", test_in_the_way);
  ADD ("/download-files/store", test_store);
  ADD ("/download-move/move", test_move);
  ADD ("/download-move/clear-too-early", test_clear_too_early);
  ADD ("/download-move/refused", test_refused);
  ADD ("/download-move/kill", test_kill);
  ADD ("/download-move/gone", test_gone);

  return g_test_run ();
}
