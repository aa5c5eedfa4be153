/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pane-layout.h"
#include "ear-test-wait.h"

/* What scrolls in a pane is not asked for its width, but has the room that it needs. */

#define WIDTH 300

/* --- Content that counts how often it is asked ----------------------------------------- */

#define COUNTING_TYPE_CONTENT (counting_content_get_type ())
G_DECLARE_FINAL_TYPE (CountingContent, counting_content, COUNTING, CONTENT, GtkWidget)

struct _CountingContent
{
  GtkWidget parent_instance;

  int width;
  guint n_asked;
};

G_DEFINE_FINAL_TYPE (CountingContent, counting_content, GTK_TYPE_WIDGET)

static void
counting_content_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  CountingContent *self = COUNTING_CONTENT (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? self->width : 1000;
  self->n_asked++;
}

static void
counting_content_class_init (CountingContentClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = counting_content_measure;
}

static void
counting_content_init (CountingContent *self)
{
  self->width = 200;
}

/* --- Cases ------------------------------------------------------------------------------ */

typedef struct
{
  GtkWindow *window;
  GtkWidget *pane;
  CountingContent *content;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->content = g_object_new (COUNTING_TYPE_CONTENT, NULL);
  fixture->pane = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                "hscrollbar-policy", GTK_POLICY_NEVER,
                                "child", fixture->content,
                                NULL);
  gtk_widget_set_layout_manager (fixture->pane, g_object_new (EAR_TYPE_PANE_LAYOUT, NULL));
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "decorated", FALSE, "default-width", WIDTH, "default-height", 200, "child", fixture->pane, NULL);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (GTK_WIDGET (fixture->content)) == WIDTH);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

static int
get_minimum (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);

  return minimum;
}

static void
test_not_asked (Fixture *fixture, gconstpointer data)
{
  const guint before = fixture->content->n_asked;

  gtk_widget_queue_resize (GTK_WIDGET (fixture->content));
  g_assert_cmpint (get_minimum (GTK_WIDGET (fixture->window)), <=, 200);
  g_assert_cmpuint (fixture->content->n_asked, ==, before);

  EAR_TEST_WAIT_UNTIL (fixture->content->n_asked > before);
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  fixture->content->width = 2 * WIDTH;
  gtk_widget_queue_resize (GTK_WIDGET (fixture->content));
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (GTK_WIDGET (fixture->window)) == 2 * WIDTH);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture->content)), ==, 2 * WIDTH);

  /* What needs less again does not hold it wide. */
  fixture->content->width = 100;
  gtk_widget_queue_resize (GTK_WIDGET (fixture->content));
  EAR_TEST_WAIT_UNTIL (get_minimum (fixture->pane) < WIDTH);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

  g_test_add ("/ui/pane-layout/not-asked", Fixture, NULL, set_up, test_not_asked, tear_down);
  g_test_add ("/ui/pane-layout/room", Fixture, NULL, set_up, test_room, tear_down);

  return g_test_run ();
}
