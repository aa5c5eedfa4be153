/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-settings.h"
#include "ear-test-wait.h"

/* When settings are written. Each write keeps the disk busy, so quick changes, as when
 * going from podcast to podcast, become one write. The file used without dconf has a test
 * of its own. */

#define KEY "selected-collection"

typedef struct
{
  GSettings *kept;
  EarSettings *settings;
  guint n_written;
} Fixture;

static void
written_cb (Fixture *fixture)
{
  fixture->n_written++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->kept = g_settings_new ("io.github.earmark_app.Earmark");
  fixture->settings = ear_settings_new ();
  /* GSettings only emits "changed" for keys that have been read. */
  g_free (g_settings_get_string (fixture->kept, KEY));
  g_signal_connect_swapped (fixture->kept, "changed::" KEY, G_CALLBACK (written_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->settings != NULL)
    g_assert_finalize_object (fixture->settings);
  g_settings_reset (fixture->kept, KEY);
  g_clear_object (&fixture->kept);
}

static char *
dup_chosen (Fixture *fixture)
{
  char *chosen;

  g_object_get (fixture->settings, KEY, &chosen, NULL);

  return chosen;
}

static void
assert_kept (Fixture *fixture, const char *expected)
{
  g_autofree char *kept = g_settings_get_string (fixture->kept, KEY);

  g_assert_cmpstr (kept, ==, expected);
}

static void
test_one_write (Fixture *fixture, gconstpointer data)
{
  g_autofree char *chosen = NULL;

  g_object_set (fixture->settings, KEY, "new", NULL);
  ear_test_spin (100);
  g_object_set (fixture->settings, KEY, "liked", NULL);
  ear_test_spin (100);
  g_object_set (fixture->settings, KEY, "history", NULL);
  chosen = dup_chosen (fixture);
  g_assert_cmpstr (chosen, ==, "history");
  g_assert_cmpuint (fixture->n_written, ==, 0);

  EAR_TEST_WAIT_UNTIL (fixture->n_written > 0);
  assert_kept (fixture, "history");
  ear_test_spin (100);
  g_assert_cmpuint (fixture->n_written, ==, 1);
}

/* Quitting writes at once. */
static void
test_end (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->settings, KEY, "liked", NULL);
  g_assert_finalize_object (g_steal_pointer (&fixture->settings));
  assert_kept (fixture, "liked");
}

static gboolean
is_chosen (Fixture *fixture, const char *expected)
{
  g_autofree char *chosen = dup_chosen (fixture);

  return g_str_equal (chosen, expected);
}

/* A change by another program, such as dconf Editor */
static void
test_set_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_settings_set_string (fixture->kept, KEY, "in-progress");
  EAR_TEST_WAIT_UNTIL (is_chosen (fixture, "in-progress"));
}

int
main (int argc, char *argv[])
{
  /* Like dconf, one store for the whole program */
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/settings/one-write", Fixture, NULL, set_up, test_one_write, tear_down);
  g_test_add ("/settings/end", Fixture, NULL, set_up, test_end, tear_down);
  g_test_add ("/settings/set-elsewhere", Fixture, NULL, set_up, test_set_elsewhere, tear_down);

  return g_test_run ();
}
