/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-drawn-text.h"

#include "ear-format.h"

/*
 * Text that a row of a list draws itself, where a label for it would be one widget more in each of
 * two hundred rows: a line in the row's own style, and its title, in that of the list.
 */

#define TITLE_LINES 2

/* All digits are equally wide, so that numbers below each other stand in columns and nothing moves
 * when they change: of the style's features GTK tells its own labels only, the class `numeric`
 * does nothing here.
 * @text: (nullable): a count, a date, a length */
PangoLayout *
ear_drawn_text_new (GtkWidget *widget, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);

  return layout;
}

/* The row's own style is that of what stands beside the title, or below it. */
static GtkWidget *
get_title_widget (GtkWidget *row)
{
  GtkWidget *parent = gtk_widget_get_parent (row);

  return parent != NULL ? parent : row;
}

/* Pango takes the other side for a text that is read the other way than the window: it is given that one, so that all
 * lines of all titles begin at one side. */
static PangoAlignment
find_alignment (const char *text, GtkTextDirection window)
{
  const GtkTextDirection direction = text != NULL ? ear_format_find_direction (text) : GTK_TEXT_DIR_NONE;
  const gboolean is_other = direction != GTK_TEXT_DIR_NONE && direction != window;

  return (window == GTK_TEXT_DIR_RTL) != is_other ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
}

/* A title has two lines at most, and is written as what is around @row writes. Its width is set with
 * [func@drawn_text_fit_title].
 * @row: the widget that draws it, in a list's own row
 * @text: (nullable): the title
 * @attributes: (nullable): what is emphasized in it */
PangoLayout *
ear_drawn_text_new_title (GtkWidget *row, const char *text, PangoAttrList *attributes)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (get_title_widget (row), text);

  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height (layout, -TITLE_LINES);
  pango_layout_set_alignment (layout, find_alignment (text, gtk_widget_get_direction (row)));

  return layout;
}

/* Breaks it into lines. */
int
ear_drawn_text_fit_title (PangoLayout *title, int width)
{
  int height;

  pango_layout_set_width (title, width * PANGO_SCALE);
  pango_layout_get_pixel_size (title, NULL, &height);

  return height;
}

/* Finds the colour that a title has where nothing else is said: that of what is around @row.
 * @row: the widget that draws it, in a list's own row
 * @color: (out): where to put it */
void
ear_drawn_text_get_title_color (GtkWidget *row, GdkRGBA *color)
{
  gtk_widget_get_color (get_title_widget (row), color);
}

static void
snapshot (PangoLayout *layout, GtkSnapshot *target, int x, int y, const GdkRGBA *color)
{
  gtk_snapshot_save (target);
  gtk_snapshot_translate (target, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (target, layout, color);
  gtk_snapshot_restore (target);
}

/* Draws it in the widget's colour. */
void
ear_drawn_text_snapshot (PangoLayout *layout, GtkWidget *widget, GtkSnapshot *target, int x, int y)
{
  GdkRGBA color;

  gtk_widget_get_color (widget, &color);
  snapshot (layout, target, x, y, &color);
}

/* Draws it at that side of its room from which the window is read, whichever way the title itself is.
 * @title: from [func@drawn_text_new_title], with its width
 * @x: the left edge of its room, which is as wide as it may be */
void
ear_drawn_text_snapshot_title (PangoLayout   *title,
                               GtkWidget     *row,
                               GtkSnapshot   *target,
                               int            x,
                               int            y,
                               const GdkRGBA *color)
{
  PangoRectangle lines;

  pango_layout_get_pixel_extents (title, NULL, &lines);
  if (gtk_widget_get_direction (row) == GTK_TEXT_DIR_RTL)
    x += pango_layout_get_width (title) / PANGO_SCALE - lines.width;
  snapshot (title, target, x - lines.x, y, color);
}

/* Of its two hundred rows, a list shows some ten. */
gboolean
ear_drawn_text_is_out_of_sight (GtkWidget *row)
{
  return !gtk_widget_get_child_visible (get_title_widget (row));
}
