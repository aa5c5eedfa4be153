/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-drawn-text.h"

/* Lines that rows draw without a label. */

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

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add ("/ui/drawn-text/digits", Fixture, NULL, set_up, test_digits, tear_down);
  g_test_add ("/ui/drawn-text/nothing", Fixture, NULL, set_up, test_nothing, tear_down);

  return g_test_run ();
}
