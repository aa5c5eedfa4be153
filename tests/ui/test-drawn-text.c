/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-closures.h"
#include "ear-drawn-text.h"

/* Lines and titles that rows draw without a label. */

#define WIDTH 240
#define ROOM 120

/* A font whose digits are not equally wide by themselves. */
#define FONT "Cantarell"

typedef struct
{
  GtkCssProvider *style;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->style = gtk_css_provider_new ();
  gtk_css_provider_load_from_string (fixture->style, "window { font: 12px \"" FONT "\"; }");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (fixture->style),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
  fixture->window = GTK_WINDOW (gtk_window_new ());
  gtk_window_present (fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (fixture->style));
  g_object_unref (fixture->style);
}

static int
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_size (layout, &width, NULL);

  return width;
}

static int
measure_plain (Fixture *fixture, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (fixture->window), text);

  return get_width (layout);
}

static int
measure (Fixture *fixture, const char *text)
{
  g_autoptr (PangoLayout) layout = ear_drawn_text_new (GTK_WIDGET (fixture->window), text);

  return get_width (layout);
}

static void
test_digits (Fixture *fixture, gconstpointer data)
{
  if (measure_plain (fixture, "1111") == measure_plain (fixture, "8888"))
    {
      g_test_skip ("the digits of all fonts here are equally wide");
      return;
    }

  for (const char *digit = "023456789"; *digit != '\0'; digit++)
    {
      g_autofree char *text = g_strnfill (4, *digit);

      g_assert_cmpint (measure (fixture, text), ==, measure (fixture, "1111"));
    }
}

/* Nothing to write is as high as a line. */
static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PangoLayout) layout = ear_drawn_text_new (GTK_WIDGET (fixture->window), NULL);
  int height;

  g_assert_cmpint (get_width (layout), ==, 0);
  pango_layout_get_size (layout, NULL, &height);
  g_assert_cmpint (height, >, 0);
}

static GtkWidget *
show_label (Fixture *fixture, const char *text, GtkTextDirection direction)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "label", text,
                                   "xalign", 0.0,
                                   "yalign", 0.0,
                                   "ellipsize", PANGO_ELLIPSIZE_END,
                                   "lines", 2,
                                   "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                   NULL);

  gtk_widget_set_default_direction (direction);
  g_object_set (label, "justify", ear_closure_title_justify (NULL, text), NULL);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (label, direction);
  gtk_widget_set_direction (GTK_WIDGET (fixture->window), direction);
  gtk_window_set_default_size (fixture->window, WIDTH, ROOM);
  gtk_window_set_child (fixture->window, label);
  while (gtk_widget_get_width (label) == 0)
    g_main_context_iteration (NULL, TRUE);

  return label;
}

/* What a snapshot looks like, which it takes. */
static GBytes *
render (Fixture *fixture, GtkSnapshot *snapshot)
{
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree guchar *pixels = g_malloc0 (4 * WIDTH * ROOM);

  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (fixture->window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, WIDTH, ROOM));
  gdk_texture_download (texture, pixels, 4 * WIDTH);

  return g_bytes_new_take (g_steal_pointer (&pixels), 4 * WIDTH * ROOM);
}

static GBytes *
render_label (Fixture *fixture, GtkWidget *label)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (label);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (label), gtk_widget_get_height (label));

  return render (fixture, snapshot);
}

static GBytes *
render_title (Fixture *fixture, GtkWidget *row, const char *text)
{
  g_autoptr (PangoLayout) title = ear_drawn_text_new_title (row, text, NULL);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GdkRGBA color;

  ear_drawn_text_fit_title (title, gtk_widget_get_width (row));
  ear_drawn_text_get_title_color (row, &color);
  ear_drawn_text_snapshot_title (title, row, snapshot, 0, 0, &color);

  return render (fixture, snapshot);
}

static void
assert_like_label (Fixture *fixture, const char *text, GtkTextDirection direction)
{
  GtkWidget *label = show_label (fixture, text, direction);
  g_autoptr (PangoLayout) title = ear_drawn_text_new_title (label, text, NULL);
  g_autoptr (GBytes) expected = render_label (fixture, label);
  g_autoptr (GBytes) drawn = render_title (fixture, label, text);
  int height;

  g_test_message ("“%s”, %s", text, direction == GTK_TEXT_DIR_RTL ? "from the right" : "from the left");
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, WIDTH, &height, NULL, NULL, NULL);
  g_assert_cmpint (ear_drawn_text_fit_title (title, WIDTH), ==, height);
  g_assert_true (g_bytes_equal (drawn, expected));
}

/* Whichever way it is read, and the window. */
static void
test_titles (Fixture *fixture, gconstpointer data)
{
  const char *titles[] = {
    "One",
    "A title that takes two lines in a row of this width",
    "A title that is so long that two lines are not enough for all of it, whatever is done with them, and is cut off",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "פרק ראשון",
    "פרק שהכותרת שלו ארוכה כל כך ששתי שורות ברוחב הזה אינן מספיקות לה, ולכן היא נקטעת בסופה",
    "פרק 12: Mixed with English",
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      assert_like_label (fixture, titles[i], GTK_TEXT_DIR_LTR);
      assert_like_label (fixture, titles[i], GTK_TEXT_DIR_RTL);
    }
}

/* How far the lines of a title are from the side of the window from which it is read. */
static void
assert_aligned (Fixture *fixture, const char *text, GtkTextDirection direction)
{
  GtkWidget *label = show_label (fixture, text, direction);
  g_autoptr (PangoLayout) title = ear_drawn_text_new_title (label, text, NULL);
  PangoLayoutIter *iter;

  ear_drawn_text_fit_title (title, WIDTH);
  iter = pango_layout_get_iter (title);
  do
    {
      PangoRectangle line;

      pango_layout_iter_get_line_extents (iter, NULL, &line);
      pango_extents_to_pixels (NULL, &line);
      if (direction == GTK_TEXT_DIR_RTL)
        g_assert_cmpint (ABS (WIDTH - line.x - line.width), <=, 1);
      else
        g_assert_cmpint (ABS (line.x), <=, 1);
    }
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
}

/* All lines of all titles begin at one side, in whatever language they are. */
static void
test_alignment (Fixture *fixture, gconstpointer data)
{
  const char *titles[] = {
    "One",
    "128: We Read All of It, Twice, So That You Do Not Have To",
    "פרק ראשון",
    "פרק שהכותרת שלו ארוכה כל כך שיש לה שתי שורות",
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      assert_aligned (fixture, titles[i], GTK_TEXT_DIR_LTR);
      assert_aligned (fixture, titles[i], GTK_TEXT_DIR_RTL);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add ("/ui/drawn-text/digits", Fixture, NULL, set_up, test_digits, tear_down);
  g_test_add ("/ui/drawn-text/nothing", Fixture, NULL, set_up, test_nothing, tear_down);
  g_test_add ("/ui/drawn-text/titles", Fixture, NULL, set_up, test_titles, tear_down);
  g_test_add ("/ui/drawn-text/alignment", Fixture, NULL, set_up, test_alignment, tear_down);

  return g_test_run ();
}
