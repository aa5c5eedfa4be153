/* SPDX-License-Identifier: GPL-3.0-or-later */

/* ear_gtk_init(): when GTK looks for a graphics card, and the theme that
 * it does not read */

#include "ear-gtk-init.h"
#include "ear-test-folder.h"

#include <glib/gstdio.h>

typedef struct
{
  char *devices;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  g_unsetenv ("GSK_RENDERER");
  g_unsetenv ("GDK_DISABLE");
  g_unsetenv ("GTK_THEME");
  fixture->devices = g_dir_make_tmp ("earmark-devices.XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  ear_test_folder_remove (fixture->devices);
  g_free (fixture->devices);
}

static void
add_device (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->devices, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_file_set_contents (path, "", 0, &error);
  g_assert_no_error (error);
}

static void
test_without (Fixture *fixture, gconstpointer user_data)
{
  g_assert_false (ear_gtk_init_wants_card ("/nonexistent"));
  g_assert_false (ear_gtk_init_wants_card (fixture->devices));
  /* A virtual machine's: it shows pictures and draws none. */
  add_device (fixture, "dri/card0");
  g_assert_false (ear_gtk_init_wants_card (fixture->devices));
}

static void
test_with (Fixture *fixture, gconstpointer user_data)
{
  add_device (fixture, user_data);
  g_assert_true (ear_gtk_init_wants_card (fixture->devices));
}

static void
test_told (Fixture *fixture, gconstpointer user_data)
{
  g_setenv ("GSK_RENDERER", "ngl", TRUE);
  g_assert_true (ear_gtk_init_wants_card (fixture->devices));
  g_setenv ("GSK_RENDERER", "", TRUE);
  g_assert_false (ear_gtk_init_wants_card (fixture->devices));
  g_setenv ("GDK_DISABLE", "vulkan", TRUE);
  g_assert_true (ear_gtk_init_wants_card (fixture->devices));
  g_unsetenv ("GDK_DISABLE");
  add_device (fixture, "dri/renderD128");
  g_setenv ("GSK_RENDERER", "Cairo", TRUE);
  g_assert_false (ear_gtk_init_wants_card (fixture->devices));
}

/* Without a theme, widgets have no padding. */
static void
assert_no_theme (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *button = gtk_button_new ();
  int height;

  gtk_window_set_child (GTK_WINDOW (window), button);
  gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Programs that are started later inherit the old environment. */
static void
test_init (Fixture *fixture, gconstpointer user_data)
{
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  g_assert_true (ear_gtk_init ());
  g_assert_false (gdk_display_prepare_gl (gdk_display_get_default (), NULL));
  assert_no_theme ();
  g_assert_null (g_getenv ("GDK_DISABLE"));
  g_assert_null (g_getenv ("GTK_THEME"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/ui/gtk-init/without", Fixture, NULL, set_up, test_without, tear_down);
  g_test_add ("/ui/gtk-init/with/render-node", Fixture, "dri/renderD128", set_up, test_with,
              tear_down);
  g_test_add ("/ui/gtk-init/with/other", Fixture, "nvidiactl", set_up, test_with, tear_down);
  g_test_add ("/ui/gtk-init/told", Fixture, NULL, set_up, test_told, tear_down);
  g_test_add ("/ui/gtk-init/init", Fixture, NULL, set_up, test_init, tear_down);

  return g_test_run ();
}
