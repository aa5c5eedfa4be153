/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>

#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* Settings without dconf: they go to a file, which is never written by the main thread,
 * and is complete once the settings object is gone. */

#define GROUP "io/github/earmark_app/Earmark"
#define ROUNDS 60

/* --- A disk that can be blocked, and counts writes per thread ----------------------- */

static GThread *main_thread;
static GMutex disk;
static int n_by_main;
static int n_by_others;

/* Replaces the C library's rename(), for GIO too: each new version of the file is renamed
 * over the previous one. */
int
rename (const char *old, const char *new)
{
  if (main_thread != NULL && g_str_has_suffix (new, "/settings/keyfile"))
    {
      if (g_thread_self () == main_thread)
        g_atomic_int_inc (&n_by_main);
      else
        {
          g_atomic_int_inc (&n_by_others);
          g_mutex_lock (&disk);
          g_mutex_unlock (&disk);
        }
    }

  return renameat (AT_FDCWD, old, AT_FDCWD, new);
}

/* --- The file ----------------------------------------------------------------------- */

static char *
dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);
}

/* Writes the file as another program or an editor would. */
static void
write_file (const char *values)
{
  g_autofree char *path = dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = g_strdup_printf ("[" GROUP "]\n%s\n", values);
  GThread *watched = g_steal_pointer (&main_thread);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  main_thread = watched;
}

static char *
dup_written_of (const char *group, const char *key)
{
  g_autofree char *path = dup_path ();
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));

  return g_key_file_get_value (file, group, key, NULL);
}

static void
assert_written (const char *key, const char *expected)
{
  g_autofree char *written = dup_written_of (GROUP, key);

  g_assert_cmpstr (written, ==, expected);
}

static gboolean
is_rate (EarSettings *settings, double expected)
{
  double rate;

  g_object_get (settings, "rate", &rate, NULL);

  return G_APPROX_VALUE (rate, expected, 0.001);
}

static void
test_thread (void)
{
  g_autoptr (EarSettings) settings = NULL;

  write_file ("rate=1.5");
  settings = ear_settings_new ();
  g_assert_true (is_rate (settings, 1.5));

  /* A busy disk blocks nothing, and settings changed meanwhile are written, too. */
  g_mutex_lock (&disk);
  g_object_set (settings, "shown-pane", "podcasts", NULL);
  ear_settings_apply (settings);
  EAR_TEST_WAIT_UNTIL (g_atomic_int_get (&n_by_main) + g_atomic_int_get (&n_by_others) > 0);
  assert_written ("shown-pane", NULL);
  g_object_set (settings, "rate", 2.0, NULL);
  ear_settings_apply (settings);
  g_object_set (settings, "window-width", 900, NULL);
  g_mutex_unlock (&disk);

  g_assert_finalize_object (g_steal_pointer (&settings));
  assert_written ("shown-pane", "'podcasts'");
  assert_written ("rate", "2.0");
  assert_written ("window-width", "900");
  g_assert_cmpint (n_by_main, ==, 0);
  g_assert_cmpint (n_by_others, >=, 2);
}

/* Settings changed later are written without a request, too. */
static void
test_later (void)
{
  g_autoptr (EarSettings) settings = NULL;

  write_file ("rate=1.5");
  settings = ear_settings_new ();
  g_atomic_int_set (&n_by_others, 0);
  g_object_set (settings, "rate", 1.25, NULL);
  EAR_TEST_WAIT_UNTIL (g_atomic_int_get (&n_by_others) == 1);
  g_assert_finalize_object (g_steal_pointer (&settings));
  assert_written ("rate", "1.25");
  g_assert_cmpint (n_by_main, ==, 0);
}

/* At any time between a change and quitting */
static void
test_end (void)
{
  for (int i = 1; i <= ROUNDS; i++)
    {
      g_autoptr (EarSettings) settings = ear_settings_new ();
      g_autofree char *chosen = g_strdup_printf ("%d", g_test_rand_int_range (0, 1000));
      g_autofree char *expected_width = g_strdup_printf ("%d", 400 + i);
      g_autofree char *expected_chosen = g_strdup_printf ("'%s'", chosen);

      g_object_set (settings, "window-width", 300 + i, "selected-collection", "liked", NULL);
      if (i % 2 == 0)
        ear_settings_apply (settings);
      if (i % 3 == 0)
        ear_test_spin (g_test_rand_int_range (0, 5));
      g_object_set (settings, "window-width", 400 + i, "selected-collection", chosen, NULL);
      if (i % 5 == 0)
        ear_settings_apply (settings);

      g_assert_finalize_object (g_steal_pointer (&settings));
      assert_written ("window-width", expected_width);
      assert_written ("selected-collection", expected_chosen);
    }
  g_assert_cmpint (n_by_main, ==, 0);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_library_close_finish (EAR_LIBRARY (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* Closes LIBRARY while the disk is busy. Remaining references to it then block
 * nothing. */
static void
close_held (EarLibrary *library, const char *expected)
{
  gboolean closed = FALSE;

  g_mutex_lock (&disk);
  ear_library_close_async (library, closed_cb, &closed);
  ear_test_spin (300);
  g_assert_false (closed);
  g_mutex_unlock (&disk);
  EAR_TEST_WAIT_UNTIL (closed);
  assert_written ("volume", expected);
  g_assert_cmpint (n_by_main, ==, 0);
}

/* Closing a library writes all its settings, even if references to it remain. */
static void
test_closed_library (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-settings-XXXXXX", NULL);
  EarLibrary *library;

  write_file ("volume=1.0");
  library = library_fixture_open (folder);
  g_object_set (ear_library_get_settings (library), "volume", 0.25, NULL);
  close_held (library, "0.25");
  ear_test_finalize (library);

  /* A library that was never opened */
  library = ear_library_new (folder, folder);
  g_object_set (ear_library_get_settings (library), "volume", 0.5, NULL);
  close_held (library, "0.5");
  ear_test_finalize (library);
  ear_test_folder_remove (folder);
}

/* Changes by other programs stay, and apply at the next start; other programs' keys stay,
 * too. */
static void
test_set_elsewhere (void)
{
  g_autoptr (EarSettings) settings = NULL;
  g_autofree char *other = NULL;
  int width;

  write_file ("rate=1.5\nwindow-width=700");
  settings = ear_settings_new ();
  g_object_set (settings, "window-width", 800, NULL);
  write_file ("rate=1.75\nwindow-width=700\nskip-back=20\n[other]\nkey=7");
  g_assert_finalize_object (g_steal_pointer (&settings));
  assert_written ("rate", "1.75");
  assert_written ("window-width", "800");
  assert_written ("skip-back", "20");
  other = dup_written_of ("other", "key");
  g_assert_cmpstr (other, ==, "7");

  settings = ear_settings_new ();
  g_assert_true (is_rate (settings, 1.75));
  g_object_get (settings, "window-width", &width, NULL);
  g_assert_cmpint (width, ==, 800);
}

/* Invalid values count as not set, and log no warning. */
static void
test_nonsense (void)
{
  g_autoptr (EarSettings) settings = NULL;
  guint back;
  int width, height;

  write_file ("rate=99.0\nskip-back=uint32 4000000000\nwindow-width=-100\nwindow-height='high'");
  settings = ear_settings_new ();
  g_assert_true (is_rate (settings, 1));
  g_object_get (settings, "skip-back", &back, "window-width", &width, "window-height", &height, NULL);
  g_assert_cmpuint (back, ==, 10);
  g_assert_cmpint (width, ==, 1200);
  g_assert_cmpint (height, ==, 760);
}

/* A damaged file is kept beside the new one. */
static void
test_damaged (void)
{
  g_autofree char *path = dup_path ();
  g_autofree char *damaged = g_strconcat (path, ".damaged", NULL);
  g_autofree char *text = NULL;
  g_autoptr (EarSettings) settings = NULL;

  write_file ("rate=1.5\nnonsense");
  settings = ear_settings_new ();
  g_assert_true (is_rate (settings, 1));
  g_object_set (settings, "window-width", 800, NULL);
  g_assert_finalize_object (g_steal_pointer (&settings));
  assert_written ("window-width", "800");
  g_assert_true (g_file_get_contents (damaged, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "rate=1.5"));
}

int
main (int argc, char *argv[])
{
  /* The backend of all other tests writes no file. */
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  main_thread = g_thread_self ();

  g_test_add_func ("/settings-file/thread", test_thread);
  g_test_add_func ("/settings-file/later", test_later);
  g_test_add_func ("/settings-file/end", test_end);
  g_test_add_func ("/settings-file/closed-library", test_closed_library);
  g_test_add_func ("/settings-file/set-elsewhere", test_set_elsewhere);
  g_test_add_func ("/settings-file/nonsense", test_nonsense);
  g_test_add_func ("/settings-file/damaged", test_damaged);

  return g_test_run ();
}
