/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Without an accessibility bus, ear_announce() announces nothing and does not
 * end the program. */

#include "ear-widget.h"

static void
test_nobody_listens (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *label = gtk_label_new ("Words");
  g_autoptr (GtkATContext) context = NULL;

  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  context = gtk_accessible_get_at_context (GTK_ACCESSIBLE (label));
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (context), ==, "GtkTestATContext");

  ear_announce (GTK_ACCESSIBLE (label), "One new episode",
                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_LOW);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  /* GTK chooses this context itself where there is no bus. */
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_init ();

  g_test_add_func ("/ui/announce/nobody-listens", test_nobody_listens);

  return g_test_run ();
}
