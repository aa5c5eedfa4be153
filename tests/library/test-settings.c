/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-settings.h"
#include "ear-test-wait.h"

/* When settings are written. Each write keeps the disk busy, so quick changes, as when
 * going from podcast to podcast, become one write. The file used without dconf has a test
 * of its own. */

#define KEY "selected-collection"

static gboolean
is_chosen (EarSettings *settings, const char *expected)
{
  g_autofree char *chosen = ear_settings_dup_string (settings, KEY);

  return g_str_equal (chosen, expected);
}

static void
assert_kept (GSettings *kept, const char *expected)
{
  g_autofree char *value = g_settings_get_string (kept, KEY);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_written (void)
{
  static const char *const choices[] = { "new", "liked", "history" };
  g_autoptr (GSettings) kept = g_settings_new ("io.github.earmark_app.Earmark");
  EarSettings *settings = ear_settings_new ();
  guint n_written = 0;

  /* GSettings only emits "changed" for keys that have been read. */
  assert_kept (kept, "");
  g_signal_connect_swapped (kept, "changed::" KEY, G_CALLBACK (ear_test_count_cb), &n_written);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      ear_test_spin (100);
      g_object_set (settings, KEY, choices[i], NULL);
    }
  g_assert_true (is_chosen (settings, "history"));
  g_assert_cmpuint (n_written, ==, 0);
  EAR_TEST_WAIT_UNTIL (n_written > 0);
  assert_kept (kept, "history");
  ear_test_spin (100);
  g_assert_cmpuint (n_written, ==, 1);

  /* A change by another program, such as dconf Editor */
  g_settings_set_string (kept, KEY, "in-progress");
  EAR_TEST_WAIT_UNTIL (is_chosen (settings, "in-progress"));

  /* Quitting writes at once. */
  g_object_set (settings, KEY, "liked", NULL);
  g_assert_finalize_object (settings);
  assert_kept (kept, "liked");
}

int
main (int argc, char *argv[])
{
  /* Like dconf, one store for the whole program */
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/settings/written", test_written);

  return g_test_run ();
}
