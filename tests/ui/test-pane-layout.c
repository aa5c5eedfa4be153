/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pane-layout.h"
#include "ear-test-wait.h"
#include "window-rest.h"

/* EarPaneLayout: measuring the content, its room, and rows that stay in place when
 * the height changes */

#define WIDTH 300

/* --- Content that counts how often it is measured ----------------------------------- */

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

/* --- Cases -------------------------------------------------------------------------- */

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
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "decorated", FALSE, "default-width", WIDTH,
                                  "default-height", 200, "child", fixture->pane, NULL);
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

  window_rest_wait (fixture->window);

  /* The window can shrink again once the content needs less. */
  fixture->content->width = 100;
  gtk_widget_queue_resize (GTK_WIDGET (fixture->content));
  EAR_TEST_WAIT_UNTIL (get_minimum (fixture->pane) < WIDTH);
}

/* --- A list whose height changes ---------------------------------------------------- */

#define N_ROWS 100
#define ROW_HEIGHT 40
#define HEIGHT 400
#define BAR_HEIGHT 46

typedef struct
{
  GtkWindow *window;
  GtkListView *list_view;
  GtkAdjustment *adjustment;
  GtkWidget *bar;
} ListFixture;

static void
row_setup_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, g_object_new (GTK_TYPE_LABEL, "height-request", ROW_HEIGHT, NULL));
}

static void
row_bind_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static GListModel *
make_rows (void)
{
  GtkStringList *rows = gtk_string_list_new (NULL);

  for (guint i = 0; i < N_ROWS; i++)
    gtk_string_list_take (rows, g_strdup_printf ("Row %u", i));

  return G_LIST_MODEL (rows);
}

static void
set_up_list (ListFixture *fixture, gconstpointer data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *pane;

  g_signal_connect (factory, "setup", G_CALLBACK (row_setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (row_bind_cb), NULL);
  fixture->list_view = GTK_LIST_VIEW (
      gtk_list_view_new (GTK_SELECTION_MODEL (gtk_multi_selection_new (make_rows ())), factory));
  pane = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                       "hscrollbar-policy", GTK_POLICY_NEVER,
                       "vexpand", TRUE,
                       "child", fixture->list_view,
                       NULL);
  gtk_widget_set_layout_manager (pane, g_object_new (EAR_TYPE_PANE_LAYOUT, NULL));
  fixture->adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (pane));
  fixture->bar =
      g_object_new (GTK_TYPE_LABEL, "height-request", BAR_HEIGHT, "visible", FALSE, NULL);
  gtk_box_append (GTK_BOX (box), pane);
  gtk_box_append (GTK_BOX (box), fixture->bar);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "decorated", FALSE, "default-width", WIDTH,
                                  "default-height", HEIGHT, "child", box, NULL);
  gtk_window_present (fixture->window);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (GTK_WIDGET (fixture->list_view)) == HEIGHT);
}

static void
tear_down_list (ListFixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

static void
set_bar_visible (ListFixture *fixture, gboolean visible)
{
  gtk_widget_set_visible (fixture->bar, visible);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (GTK_WIDGET (fixture->list_view)) ==
                       HEIGHT - (visible ? BAR_HEIGHT : 0));
}

static void
scroll_to (ListFixture *fixture, double value)
{
  gtk_adjustment_set_value (fixture->adjustment, value);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture->adjustment), ==, value);
}

/* @bounds: (out): bounds of the focused row in the list */
static void
get_row_with_focus (ListFixture *fixture, graphene_rect_t *bounds)
{
  GtkWidget *row = gtk_widget_get_focus_child (GTK_WIDGET (fixture->list_view));

  g_assert_nonnull (row);
  g_assert_true (gtk_widget_compute_bounds (row, GTK_WIDGET (fixture->list_view), bounds));
}

static void
test_rows_stand_still (ListFixture *fixture, gconstpointer data)
{
  for (double value = 0; value < 3600; value += 900)
    {
      scroll_to (fixture, value);
      set_bar_visible (fixture, TRUE);
      g_assert_cmpfloat (gtk_adjustment_get_value (fixture->adjustment), ==, value);
      set_bar_visible (fixture, FALSE);
      g_assert_cmpfloat (gtk_adjustment_get_value (fixture->adjustment), ==, value);
    }
}

/* A row gets the focus in the turn in which the height changes, as Shift+Down does. */
static void
test_focus_in_sight (ListFixture *fixture, gconstpointer data)
{
  graphene_rect_t bounds;

  gtk_widget_grab_focus (GTK_WIDGET (fixture->list_view));
  gtk_list_view_scroll_to (fixture->list_view, HEIGHT / ROW_HEIGHT + 2, GTK_LIST_SCROLL_FOCUS,
                           NULL);
  set_bar_visible (fixture, TRUE);
  get_row_with_focus (fixture, &bounds);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, ==, HEIGHT - BAR_HEIGHT);
}

/* The listener scrolled away from the focused row. */
static void
test_focus_out_of_sight (ListFixture *fixture, gconstpointer data)
{
  gtk_widget_grab_focus (GTK_WIDGET (fixture->list_view));
  scroll_to (fixture, 1234);
  set_bar_visible (fixture, TRUE);
  g_assert_cmpfloat (gtk_adjustment_get_value (fixture->adjustment), ==, 1234);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gtk_init ();

  g_test_add ("/ui/pane-layout/not-asked", Fixture, NULL, set_up, test_not_asked, tear_down);
  g_test_add ("/ui/pane-layout/room", Fixture, NULL, set_up, test_room, tear_down);
  g_test_add ("/ui/pane-layout/rows-stand-still", ListFixture, NULL, set_up_list,
              test_rows_stand_still, tear_down_list);
  g_test_add ("/ui/pane-layout/focus-in-sight", ListFixture, NULL, set_up_list, test_focus_in_sight,
              tear_down_list);
  g_test_add ("/ui/pane-layout/focus-out-of-sight", ListFixture, NULL, set_up_list,
              test_focus_out_of_sight, tear_down_list);

  return g_test_run ();
}
