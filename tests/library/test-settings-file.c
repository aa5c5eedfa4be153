/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-settings.h"

/* GIO's file of settings, as without dconf, after it was damaged */

#define GROUP "io/github/earmark_app/Earmark"

static char *
dup_path (const char *end)
{
  g_autofree char *path =
      g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", "keyfile", NULL);

  return g_strconcat (path, end, NULL);
}

/* Asserts that the file has a value, or %NULL. */
static void
assert_written (const char *group, const char *key, const char *expected)
{
  g_autofree char *path = dup_path ("");
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));
  g_autofree char *value = g_key_file_get_value (file, group, key, NULL);
  g_assert_cmpstr (value, ==, expected);
}

/* Readable lines before and after the damage count; the damaged file is kept, too. */
static void
test_damaged (void)
{
  const char text[] = "[" GROUP "]\nrate=1.5\n\xff\xfe\0\0nonsense\nshown-pane='\xff'\n"
                      "window-width=800\n[other]\nkey=7\n";
  g_autofree char *path = dup_path ("");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *damaged = dup_path (".damaged");
  g_autofree char *kept = NULL;
  double rate;
  int width;
  gsize length;

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_assert_true (g_file_set_contents (path, text, sizeof text - 1, NULL));
  g_test_expect_message ("earmark-library", G_LOG_LEVEL_MESSAGE, "The settings were damaged*");
  EarSettings *settings = ear_settings_new ();
  g_test_assert_expected_messages ();
  g_object_get (settings, "rate", &rate, "window-width", &width, NULL);
  g_autofree char *pane = ear_settings_dup_string (settings, "shown-pane");
  g_assert_cmpfloat (rate, ==, 1.5);
  g_assert_cmpint (width, ==, 800);
  g_assert_cmpstr (pane, ==, "episodes");

  g_object_set (settings, "window-height", 500, NULL);
  g_assert_finalize_object (settings);
  assert_written (GROUP, "window-height", "500");
  assert_written (GROUP, "window-width", "800");
  assert_written (GROUP, "rate", "1.5");
  assert_written (GROUP, "shown-pane", NULL);
  assert_written ("other", "key", "7");
  g_assert_true (g_file_get_contents (damaged, &kept, &length, NULL));
  g_assert_cmpmem (kept, length, text, sizeof text - 1);
}

int
main (int argc, char *argv[])
{
  /* The backend of all other tests writes no file. */
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/settings-file/damaged", test_damaged);

  return g_test_run ();
}
