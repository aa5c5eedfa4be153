/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-slide-in.h"
#include "ear-test-wait.h"

/* A bar that slides in below a list, which is not laid out in each frame */

#define HEIGHT 40

typedef struct
{
  GtkWindow *window;
  GtkWidget *slide;
  GtkWidget *beside;
  guint n_sizes; /* how often its size has changed */
} Fixture;

static void
resized_cb (Fixture *fixture)
{
  fixture->n_sizes++;
}

static void
set_animated (gboolean animated)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", animated, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  set_animated (TRUE);
  fixture->beside = g_object_new (GTK_TYPE_DRAWING_AREA, "vexpand", TRUE, NULL);
  g_signal_connect_swapped (fixture->beside, "resize", G_CALLBACK (resized_cb), fixture);
  fixture->slide = g_object_new (EAR_TYPE_SLIDE_IN, "child", g_object_new (GTK_TYPE_LABEL, "height-request", HEIGHT, NULL), NULL);
  gtk_box_append (GTK_BOX (box), fixture->beside);
  gtk_box_append (GTK_BOX (box), fixture->slide);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "default-width", 300, "default-height", 300, "child", box, NULL);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->beside) == 300);
  fixture->n_sizes = 0;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

static void
reveal (Fixture *fixture, gboolean revealed)
{
  g_object_set (fixture->slide, "revealed", revealed, NULL);
}

static void
test_one_step (Fixture *fixture, gconstpointer data)
{
  g_assert_false (gtk_widget_get_visible (fixture->slide));

  reveal (fixture, TRUE);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->beside) == 300 - HEIGHT);
  ear_test_spin (400);
  g_assert_cmpuint (fixture->n_sizes, ==, 1);

  reveal (fixture, FALSE);
  /* The bar stays visible while it slides out. */
  g_assert_true (gtk_widget_get_visible (fixture->slide));
  EAR_TEST_WAIT_UNTIL (!gtk_widget_get_visible (fixture->slide));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->beside) == 300);
  g_assert_cmpuint (fixture->n_sizes, ==, 2);
}

static void
test_called_back (Fixture *fixture, gconstpointer data)
{
  gboolean gone = TRUE;

  /* On a busy machine the bar may be gone before it is called back: try
   * until it was not. */
  for (guint i = 0; gone; i++)
    {
      g_assert_cmpuint (i, <, 50);
      EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->beside) == 300);
      fixture->n_sizes = 0;
      reveal (fixture, TRUE);
      EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->beside) == 300 - HEIGHT);
      reveal (fixture, FALSE);
      ear_test_spin (50);
      gone = !gtk_widget_get_visible (fixture->slide);
    }
  reveal (fixture, TRUE);
  ear_test_spin (400);
  g_assert_true (gtk_widget_get_visible (fixture->slide));
  g_assert_cmpuint (fixture->n_sizes, ==, 1);
}

/* Without animations the bar appears and disappears at once. */
static void
test_still (Fixture *fixture, gconstpointer data)
{
  set_animated (FALSE);
  reveal (fixture, TRUE);
  g_assert_true (gtk_widget_get_visible (fixture->slide));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (fixture->slide) == HEIGHT);
  reveal (fixture, FALSE);
  g_assert_false (gtk_widget_get_visible (fixture->slide));
}

static void
test_finalizes (void)
{
  GtkWidget *slide = g_object_ref_sink (g_object_new (EAR_TYPE_SLIDE_IN, "revealed", TRUE, NULL));

  g_assert_finalize_object (slide);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv);
  adw_init ();

  g_test_add ("/ui/slide-in/one-step", Fixture, NULL, set_up, test_one_step, tear_down);
  g_test_add ("/ui/slide-in/called-back", Fixture, NULL, set_up, test_called_back, tear_down);
  g_test_add ("/ui/slide-in/still", Fixture, NULL, set_up, test_still, tear_down);
  g_test_add_func ("/ui/slide-in/finalizes", test_finalizes);

  return g_test_run ();
}
