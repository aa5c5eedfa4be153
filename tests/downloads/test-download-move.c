/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-folder.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Moving all downloads to another folder: nothing is lost, whatever happens. */

#define PODCAST "https://example.org/feed"
#define N_FILES 60

typedef struct
{
  char *parent;
  char *here_path;
  char *there_path;
  EarDownloadFolder *here;
  EarDownloadFolder *there;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->parent = g_dir_make_tmp ("earmark-move-XXXXXX", NULL);
  fixture->here_path = g_build_filename (fixture->parent, "here", NULL);
  fixture->there_path = g_build_filename (fixture->parent, "stick", "there", NULL);
  fixture->here = ear_download_folder_new (fixture->here_path, FALSE);
  fixture->there = ear_download_folder_new (fixture->there_path, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ear_download_folder_free (fixture->here);
  ear_download_folder_free (fixture->there);
  g_free (fixture->here_path);
  g_free (fixture->there_path);
  g_free (fixture->parent);
}

static char *
dup_content (guint i)
{
  return g_strnfill (1000 + i * 100, (char) ('a' + i % 26));
}

static EarDownloadRecord *
new_record (guint i)
{
  g_autofree char *guid = g_strdup_printf ("%03u", i);
  EarDownloadRecord *record = ear_download_record_new (PODCAST, guid, "https://example.org/episode.mp3");

  record->podcast_title = g_strdup (i % 2 == 0 ? "Even" : "Odd");
  /* Each title is used twice. */
  record->title = g_strdup_printf ("Episode %u", i / 4);
  record->mime_type = g_strdup ("audio/mpeg");
  record->wanted = 1 + i;

  return record;
}

/* @done: whether the download is complete */
static void
put (EarDownloadFolder *folder, guint i, gboolean done)
{
  g_autoptr (EarDownloadRecord) record = new_record (i);
  g_autofree char *part = ear_download_folder_dup_part (folder, record);
  g_autofree char *content = dup_content (i);

  g_assert_true (ear_download_folder_keep (folder, record, NULL));
  g_assert_true (g_file_set_contents (part, content, -1, NULL));
  if (done)
    g_assert_true (ear_download_folder_finish (folder, record, NULL));
}

static void
put_all (Fixture *fixture)
{
  for (guint i = 0; i < N_FILES; i++)
    put (fixture->here, i, i % 5 != 0);
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
      g_autofree char *content = NULL;
      char *file = i % 5 != 0 ? ear_download_folder_dup_file (folder, record) : ear_download_folder_dup_part (folder, record);

      g_assert_nonnull (file);
      g_assert_true (g_hash_table_add (files, file));
      g_assert_true (g_file_get_contents (file, &content, NULL, NULL));
      g_assert_cmpstr (content, ==, expected);
    }
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  g_autofree char *own = g_build_filename (fixture->here_path, "Even", "mine.txt", NULL);
  g_autofree char *odd = g_build_filename (fixture->here_path, "Odd", NULL);
  g_autofree char *records = g_build_filename (fixture->here_path, ".earmark", NULL);
  g_autoptr (GError) error = NULL;

  put_all (fixture);
  g_assert_true (g_file_set_contents (own, "mine", -1, NULL));
  g_assert_false (ear_download_folder_is_there (fixture->there));
  g_assert_true (ear_download_folder_copy (fixture->here, fixture->there, NULL, &error));
  g_assert_no_error (error);
  expect_all (fixture->here_path);
  expect_all (fixture->there_path);
  /* Copying again changes nothing. */
  g_assert_true (ear_download_folder_copy (fixture->here, fixture->there, NULL, NULL));
  expect_all (fixture->there_path);

  ear_download_folder_clear (fixture->here, fixture->there);
  expect_all (fixture->there_path);
  /* Files that are no downloads stay. */
  g_assert_true (g_file_test (own, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (odd, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (records, G_FILE_TEST_EXISTS));

  /* And back */
  g_assert_true (ear_download_folder_copy (fixture->there, fixture->here, NULL, NULL));
  ear_download_folder_clear (fixture->there, fixture->here);
  expect_all (fixture->here_path);
  g_assert_false (g_file_test (fixture->there_path, G_FILE_TEST_EXISTS));
}

/* Clearing removes only files that exist in the new folder. */
static void
test_clear_too_early (Fixture *fixture, gconstpointer data)
{
  put_all (fixture);
  ear_download_folder_clear (fixture->here, fixture->there);
  expect_all (fixture->here_path);
  put (fixture->here, N_FILES, TRUE);
  g_assert_true (ear_download_folder_copy (fixture->here, fixture->there, NULL, NULL));
  put (fixture->here, N_FILES + 1, TRUE);
  {
    g_autoptr (EarDownloadRecord) late = new_record (N_FILES + 1);
    g_autofree char *content = dup_content (N_FILES + 1);
    guint n_damaged;
    g_autoptr (GPtrArray) left = NULL;
    g_autofree char *file = NULL;
    g_autofree char *text = NULL;

    ear_download_folder_clear (fixture->here, fixture->there);
    left = ear_download_folder_load (fixture->here, &n_damaged, NULL);
    g_assert_cmpuint (left->len, ==, 1);
    file = ear_download_folder_dup_file (fixture->here, g_ptr_array_index (left, 0));
    g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
    g_assert_cmpstr (text, ==, content);
  }
}

/* If the new folder is not writable, everything stays as it was, and nothing is left
 * there. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *stick = g_path_get_dirname (fixture->there_path);
  g_autofree char *in_the_way = g_build_filename (fixture->there_path, "Odd", NULL);
  g_autofree char *records = g_build_filename (fixture->there_path, ".earmark", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;

  put_all (fixture);
  g_assert_cmpint (g_mkdir_with_parents (fixture->there_path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (in_the_way, "no folder", -1, NULL));
  g_assert_false (ear_download_folder_copy (fixture->here, fixture->there, NULL, &error));
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_A_FOLDER);
  expect_all (fixture->here_path);
  dir = g_dir_open (records, 0, NULL);
  g_assert_null (dir != NULL ? g_dir_read_name (dir) : NULL);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  put_all (fixture);
  g_cancellable_cancel (cancellable);
  g_assert_false (ear_download_folder_copy (fixture->here, fixture->there, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  expect_all (fixture->here_path);
}

/* A child moves the downloads to and fro, and is killed again and again: one of the two
 * folders is always complete. */
static void
test_kill (Fixture *fixture, gconstpointer data)
{
  gboolean there = FALSE;

  put_all (fixture);
  for (guint i = 0; i < 40; i++)
    {
      EarDownloadFolder *from = there ? fixture->there : fixture->here;
      EarDownloadFolder *to = there ? fixture->here : fixture->there;
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
  g_autoptr (EarDownloadRecord) record = new_record (1);
  g_autoptr (GError) not_loaded = NULL;
  g_autoptr (GError) not_kept = NULL;
  guint n_damaged;

  g_assert_null (ear_download_folder_load (fixture->there, &n_damaged, &not_loaded));
  g_assert_error (not_loaded, EAR_ERROR, EAR_ERROR_NO_FOLDER);
  g_assert_false (ear_download_folder_keep (fixture->there, record, &not_kept));
  g_assert_error (not_kept, EAR_ERROR, EAR_ERROR_NO_FOLDER);
  g_assert_false (g_file_test (fixture->there_path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/download-move/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("move", test_move);
  ADD ("clear-too-early", test_clear_too_early);
  ADD ("refused", test_refused);
  ADD ("cancelled", test_cancelled);
  ADD ("kill", test_kill);
  ADD ("gone", test_gone);

  return g_test_run ();
}
