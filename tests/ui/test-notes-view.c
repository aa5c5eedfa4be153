/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view.h"
#include "ear-test-wait.h"
#include "widget-finder.h"
#include "window-rest.h"

#include <string.h>
#include <time.h>

/* Layout, selection and stepwise building of show notes */

#define NARROW 300
#define WIDE 1000
#define ENGLISH "A text that is long enough to go on for several lines, as the last ones of an episode's notes often are."
#define HEBREW "זה טקסט ארוך מספיק כדי להימשך על פני כמה שורות, כמו שקורה לעתים קרובות בסוף ההערות של פרק בפודקאסט."

/* Items of nested lists */
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

static GtkWidget *
get_box (Fixture *fixture)
{
  return gtk_widget_get_first_child (GTK_WIDGET (fixture->view));
}

/* Returns: the y coordinate of the first baseline of a label in the notes */
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
  GtkWidget *last = gtk_widget_get_last_child (get_box (fixture));
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
  for (GtkWidget *item = gtk_widget_get_first_child (get_box (fixture)); item != NULL; item = gtk_widget_get_next_sibling (item))
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

/* In a wide view, a text that fits into one line is one line high. */
static void
test_wide (Fixture *fixture, gconstpointer data)
{
  /* A size that is set before the first layout is lost. */
  window_rest_wait (fixture->window);
  gtk_window_set_default_size (fixture->window, WIDE, 800);
  show_items (fixture, ENGLISH);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_width (GTK_WIDGET (fixture->view)) == WIDE);
  for (GtkWidget *item = gtk_widget_get_first_child (get_box (fixture)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      int line;

      pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (gtk_widget_get_first_child (item))), NULL, &line);
      g_assert_cmpint (gtk_widget_get_height (item), <, 3 * line / 2);
    }
}

/* --- Selecting and copying ---------------------------------------------------------- */

static void
read_cb (GObject *clipboard, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
assert_copied (Fixture *fixture, const char *action, const char *expected)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->view));
  g_autofree char *text = NULL;

  gdk_clipboard_set_text (clipboard, "");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->view), action, NULL));
  gdk_clipboard_read_text_async (clipboard, NULL, read_cb, &text);
  EAR_TEST_WAIT_UNTIL (text != NULL);
  g_assert_cmpstr (text, ==, expected);
}

static void
show_paragraphs (Fixture *fixture)
{
  g_autoptr (EarNotes) notes = ear_notes_new ();
  EarNotesBlock *block = ear_notes_add_block (notes, EAR_NOTES_PARAGRAPH, 0, 0);

  ear_notes_block_add (block, "Étude ", NULL, -1, EAR_NOTES_STYLE_BOLD);
  ear_notes_block_add (block, "one", "https://example.org/one", -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (ear_notes_add_block (notes, EAR_NOTES_RULE, 0, 0), "", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (ear_notes_add_block (notes, EAR_NOTES_LIST_ITEM, 1, 0), "Item", NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_block_add (ear_notes_add_block (notes, EAR_NOTES_PARAGRAPH, 0, 0), HEBREW, NULL, -1, EAR_NOTES_STYLE_NONE);
  ear_notes_view_set_notes (fixture->view, notes, NULL);
  EAR_TEST_WAIT_UNTIL (gtk_widget_get_height (gtk_widget_get_last_child (get_box (fixture))) > 0);
}

/* @expected: (nullable): bytes of the first highlight */
static void
assert_highlight (GtkWidget *label, const char *expected)
{
  PangoAttrList *attributes = gtk_label_get_attributes (GTK_LABEL (label));
  g_autofree char *text = attributes != NULL ? pango_attr_list_to_string (attributes) : NULL;

  if (expected != NULL)
    g_assert_true (g_str_has_prefix (text, expected));
  else
    g_assert_null (text);
}

/* A selection over several blocks is highlighted in these, also while its end moves to either
 * side of its beginning, and nowhere once it is gone. */
static void
test_highlight (Fixture *fixture, gconstpointer data)
{
  GtkWidget *first, *item, *last;

  show_paragraphs (fixture);
  first = gtk_widget_get_first_child (get_box (fixture));
  last = gtk_widget_get_last_child (get_box (fixture));
  item = gtk_widget_get_last_child (gtk_widget_get_prev_sibling (last));
  ear_notes_view_select (fixture->view, (EarNotesPlace) { 2, 2 }, (EarNotesPlace) { 0, 7 });
  assert_highlight (first, "7 ");
  assert_highlight (item, "0 2 background");
  assert_highlight (last, NULL);

  ear_notes_view_select (fixture->view, (EarNotesPlace) { 2, 2 }, (EarNotesPlace) { 3, 4 });
  assert_highlight (first, NULL);
  assert_highlight (item, "2 ");
  assert_highlight (last, "0 4 background");

  ear_notes_view_select (fixture->view, (EarNotesPlace) { 0, 1 }, (EarNotesPlace) { 2, 1 });
  assert_highlight (first, "1 ");
  assert_highlight (item, "0 1 background");
  assert_highlight (last, NULL);

  ear_notes_view_select (fixture->view, (EarNotesPlace) { 2, 2 }, (EarNotesPlace) { 2, 2 });
  assert_highlight (first, NULL);
  assert_highlight (item, NULL);
}

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  GtkWidget *label;
  EarNotesRange range;

  show_paragraphs (fixture);
  g_assert_false (ear_notes_view_get_selection (fixture->view, &range));
  assert_copied (fixture, "notes.copy", "");
  assert_copied (fixture, "notes.copy-markdown", "**Étude** [one](https://example.org/one)\n\n---\n\n- Item\n\n" HEBREW);

  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "notes.select-all", NULL);
  assert_copied (fixture, "notes.copy", "Étude one\n\n• Item\n\n" HEBREW);

  /* From the middle of a paragraph to the middle of another one */
  ear_notes_view_select (fixture->view, (EarNotesPlace) { 2, 2 }, (EarNotesPlace) { 0, 7 });
  assert_copied (fixture, "notes.copy", "one\n\n• It");
  assert_copied (fixture, "notes.copy-markdown", "[one](https://example.org/one)\n\n---\n\n- It");

  /* Within one paragraph, the label has the selection. */
  ear_notes_view_select (fixture->view, (EarNotesPlace) { 0, 0 }, (EarNotesPlace) { 0, 0 });
  label = gtk_widget_get_first_child (get_box (fixture));
  gtk_label_select_region (GTK_LABEL (label), 1, 6);
  assert_copied (fixture, "notes.copy", "tude ");

  /* New notes have no selection. */
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "notes.select-all", NULL);
  show_paragraphs (fixture);
  g_assert_false (ear_notes_view_get_selection (fixture->view, &range));
}

static void
assert_place (Fixture *fixture, double x, double y, gboolean letter, guint block, gsize offset)
{
  EarNotesPlace place;

  ear_notes_view_find_position (fixture->view, x, y, letter, &place);
  g_assert_cmpuint (place.block, ==, block);
  g_assert_cmpuint (place.offset, ==, offset);
}

/* Positions under the pointer, in text of both directions */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  GtkWidget *last;
  graphene_rect_t bounds;

  show_paragraphs (fixture);
  last = gtk_widget_get_last_child (get_box (fixture));
  g_assert_true (gtk_widget_compute_bounds (last, GTK_WIDGET (fixture->view), &bounds));
  assert_place (fixture, 0, -10, FALSE, 0, 0);
  assert_place (fixture, 1, 5, TRUE, 0, 0);
  assert_place (fixture, NARROW - 1, 5, FALSE, 0, strlen ("Étude one"));
  assert_place (fixture, NARROW - 1, bounds.origin.y + 5, FALSE, 3, 0);
  assert_place (fixture, 1, bounds.origin.y + bounds.size.height + 100, FALSE, 3, strlen (HEBREW));
}

/* --- Long notes --------------------------------------------------------------------- */

/* More than a megabyte of paragraphs, items, and links */
static EarNotes *
make_long_notes (void)
{
  EarNotes *notes = ear_notes_new ();

  for (guint i = 0; i < 9000; i++)
    {
      EarNotesBlock *block = ear_notes_add_block (notes, i % 3 == 0 ? EAR_NOTES_PARAGRAPH : EAR_NOTES_LIST_ITEM, 1, 0);

      ear_notes_block_add (block, ENGLISH " ", NULL, -1, EAR_NOTES_STYLE_NONE);
      ear_notes_block_add (block, "A link", "https://example.org/", -1, EAR_NOTES_STYLE_BOLD);
    }

  return notes;
}

static guint
count_blocks (Fixture *fixture)
{
  guint n_blocks = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (get_box (fixture)); child != NULL; child = gtk_widget_get_next_sibling (child))
    n_blocks++;

  return n_blocks;
}

/* Notes of a megabyte are built in parts; selecting and copying cover all of them. Parts that
 * are built later are highlighted, too. */
static void
test_long (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarNotes) notes = make_long_notes ();
  EarNotesRange range;
  GtkWidget *item;
  g_autofree char *text = NULL;
  guint n_blocks;

  ear_notes_view_set_notes (fixture->view, notes, NULL);
  n_blocks = count_blocks (fixture);
  g_assert_cmpuint (n_blocks, <, notes->blocks->len / 4);
  g_signal_emit_by_name (find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_BUTTON), "clicked");
  g_assert_cmpuint (count_blocks (fixture), ==, 2 * n_blocks);

  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "notes.select-all", NULL);
  g_assert_true (ear_notes_view_get_selection (fixture->view, &range));
  text = ear_notes_copy (notes, &range, FALSE);
  g_assert_cmpuint (strlen (text), >, 1000000);
  g_signal_emit_by_name (find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_BUTTON), "clicked");
  item = gtk_widget_get_last_child (get_box (fixture));
  assert_highlight (gtk_widget_get_last_child (item), "0 ");

  ear_notes_view_set_notes (fixture->view, NULL, NULL);
  g_assert_cmpuint (count_blocks (fixture), ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);

  g_test_add ("/ui/notes-view/items", Fixture, NULL, set_up, test_items, tear_down);
  g_test_add ("/ui/notes-view/items/right-to-left", Fixture, NULL, set_up, test_right_to_left, tear_down);
  g_test_add ("/ui/notes-view/items/large-text", Fixture, NULL, set_up, test_large_text, tear_down);
  g_test_add ("/ui/notes-view/items/wide", Fixture, NULL, set_up, test_wide, tear_down);
  g_test_add ("/ui/notes-view/highlight", Fixture, NULL, set_up, test_highlight, tear_down);
  g_test_add ("/ui/notes-view/copy", Fixture, NULL, set_up, test_copy, tear_down);
  g_test_add ("/ui/notes-view/long", Fixture, NULL, set_up, test_long, tear_down);
  g_test_add ("/ui/notes-view/places", Fixture, NULL, set_up, test_places, tear_down);

  return g_test_run ();
}
