/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-drawn-text.h"

/*
 * A line that a widget draws itself, in its own style, where a label for it would be one widget
 * more in each of two hundred rows.
 */

/**
 * ear_drawn_text_new:
 * @widget: the widget that draws it
 * @text: (nullable): a count, a date, a length
 *
 * All digits are equally wide, so that numbers below each other stand in columns and nothing moves
 * when they change: of the style's features GTK tells its own labels only, the class `numeric`
 * does nothing here.
 *
 * Returns: (transfer full): the text as it is drawn
 */
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

/**
 * ear_drawn_text_snapshot:
 * @layout: from [func@drawn_text_new]
 * @widget: the widget that draws it
 * @snapshot: what it is drawn on
 * @x: where it begins
 * @y: its upper edge
 *
 * Draws it in the widget's colour.
 */
void
ear_drawn_text_snapshot (PangoLayout *layout, GtkWidget *widget, GtkSnapshot *snapshot, int x, int y)
{
  GdkRGBA color;

  gtk_widget_get_color (widget, &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}
