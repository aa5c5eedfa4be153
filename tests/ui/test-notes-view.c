/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view.h"
#include "ear-test-wait.h"
#include "window-rest.h"

/* Where the widgets of show notes stand. */

#define NARROW 300
#define WIDE 1000
#define ENGLISH "A text that is long enough to go on for several lines, as the last ones of an episode's notes often are."
#define HEBREW "זה טקסט ארוך מספיק כדי להימשך על פני כמה שורות, כמו שקורה לעתים קרובות בסוף ההערות של פרק בפודקאסט."

/* In a list in a list as well. */
#define N_LEVELS 3
static const guint numbers[] = { 0, 1, 10 };

typedef struct
{
  GtkWindow *window;
  EarNotesView *view;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->view = g_object_new (EAR_TYPE_NOTES_VIEW, "valign", GTK_ALIGN_START, NULL);
  fixture->window = g_object_new (GTK_TYPE_WINDOW, "decorated", FALSE, "default-width", NARROW, "default-height", 800, "child", fixture->view, NULL);
  gtk_window_present (fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

/* Where the first line of a label stands in the notes. */
static float
get_first_baseline (Fixture *fixture, GtkWidget *label)
{
  graphene_point_t place;
  int x;
  int y;

  gtk_label_get_layout_offsets (GTK_LABEL (label), &x, &y);
  g_assert_true (gtk_widget_compute_point (label, GTK_WIDGET (fixture->view), &GRAPHENE_POINT_INIT (0, y), &place));

  return place.y + (float) pango_layout_get_baseline (gtk_label_get_layout (GTK_LABEL (label))) / PANGO_SCALE;
}

static float
get_x (Fixture *fixture, GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (fixture->view), &bounds));

  return bounds.origin.x;
}

static void
assert_item (Fixture *fixture, GtkWidget *item, GtkTextDirection direction)
{
  GtkWidget *mark = gtk_widget_get_first_child (item);
  GtkWidget *text = gtk_widget_get_last_child (item);

  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (text))), >, 1);
  g_assert_cmpfloat_with_epsilon (get_first_baseline (fixture, mark), get_first_baseline (fixture, text), 1);
  if (direction == GTK_TEXT_DIR_RTL)
    g_assert_cmpfloat (get_x (fixture, mark), >, get_x (fixture, text));
  else
    g_assert_cmpfloat (get_x (fixture, mark), <, get_x (fixture, text));
}

static gboolean
is_laid_out (Fixture *fixture)
{
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (fixture->view));
  guint n_items = 0;

  for (GtkWidget *item = last; item != NULL; item = gtk_widget_get_prev_sibling (item))
    n_items++;

  return n_items == N_LEVELS * G_N_ELEMENTS (numbers) && gtk_widget_get_height (last) > 0;
}

static void
show_items (Fixture *fixture, const char *text)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();

  for (guint level = 1; level <= N_LEVELS; level++)
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        EarNotesBlock *block = ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, level, numbers[i]);

        ear_notes_block_add (block, text, NULL, -1, level == N_LEVELS ? EAR_NOTES_STYLE_CODE : EAR_NOTES_STYLE_NONE);
      }
  ear_notes_view_set_notes (fixture->view, notes, NULL);
  EAR_TEST_WAIT_UNTIL (is_laid_out (fixture));
}

static void
assert_items (Fixture *fixture, const char *text, GtkTextDirection direction)
{
  show_items (fixture, text);
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (fixture->view)); item != NULL; item = gtk_widget_get_next_sibling (item))
    assert_item (fixture, item, direction);
}

static void
test_items (Fixture *fixture, gconstpointer data)
{
  assert_items (fixture, ENGLISH, GTK_TEXT_DIR_LTR);
}

static void
test_right_to_left (Fixture *fixture, gconstpointer data)
{
  assert_items (fixture, HEBREW, GTK_TEXT_DIR_RTL);
}

static void
test_large_text (Fixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * dpi, NULL);
  assert_items (fixture, ENGLISH, GTK_TEXT_DIR_LTR);
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
}

/* More than a paragraph asks for: what fits into one line is one line high. */
static void
test_wide (Fixture *fixture, gconstpointer data)
{
  /* A size that is told before the first one has come is lost. */
  window_rest_wait (fixture->window);
  gtk_window_set_default_size (fixture->window, WIDE, 800);
  show_items (fixture, ENGLISH);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (GTK_WIDGET (fixture->view)) == WIDE);
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (fixture->view)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      int line;

      pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (gtk_widget_get_first_child (item))), NULL, &line);
      g_assert_cmpint (gtk_widget_get_height (item), <, 3 * line / 2);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);

  g_test_add ("/ui/notes-view/items", Fixture, NULL, set_up, test_items, tear_down);
  g_test_add ("/ui/notes-view/items/right-to-left", Fixture, NULL, set_up, test_right_to_left, tear_down);
  g_test_add ("/ui/notes-view/items/large-text", Fixture, NULL, set_up, test_large_text, tear_down);
  g_test_add ("/ui/notes-view/items/wide", Fixture, NULL, set_up, test_wide, tear_down);

  return g_test_run ();
}
