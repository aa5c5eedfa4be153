/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sight.h"

#include <math.h>

#define GLIDE_MS 300

/* Header bar above each list */
#define HEADER_HEIGHT 46

/* Height of a window whose height is not known yet */
#define USUAL_HEIGHT 1200

/* Scrolls within GLIDE_MS, or at once where animations are off.
 * @value: the target, in pixels
 * Returns: (transfer full): the animation, which continues without the reference */
AdwAnimation *
ear_sight_glide (GtkScrolledWindow *scroller, double value)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  AdwAnimationTarget *target = adw_property_animation_target_new (G_OBJECT (adjustment), "value");
  AdwAnimation *animation =
      adw_timed_animation_new (GTK_WIDGET (scroller), gtk_adjustment_get_value (adjustment), value,
                               GLIDE_MS, target);

  adw_animation_play (animation);

  return animation;
}

/* @bounds: (out): of the widget, in the visible part of the page
 * Returns: (nullable) (transfer none): the scrolled window of the page */
static GtkScrolledWindow *
find_bounds (GtkWidget *widget, graphene_rect_t *bounds)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  if (scroller == NULL || !gtk_widget_get_mapped (widget) ||
      !gtk_widget_compute_bounds (widget, scroller, bounds) || bounds->size.height <= 0)
    return NULL;

  return GTK_SCROLLED_WINDOW (scroller);
}

/* Returns: whether the page is scrolled so that all of the widget is visible */
gboolean
ear_sight_has (GtkWidget *widget)
{
  graphene_rect_t bounds;
  GtkScrolledWindow *scroller = find_bounds (widget, &bounds);

  return scroller != NULL && bounds.origin.y >= 0 &&
         bounds.origin.y + bounds.size.height <=
             (float) gtk_widget_get_height (GTK_WIDGET (scroller));
}

/* Scrolls the page of the widget.
 * @place: where the top of the widget will be: 0 for the top of the
 * page, 1 for its end */
void
ear_sight_bring (GtkWidget *widget, double place)
{
  graphene_rect_t bounds;
  GtkScrolledWindow *scroller = find_bounds (widget, &bounds);
  GtkAdjustment *adjustment;
  double most, value;

  if (scroller == NULL)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  most = MAX (gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment), 0);
  value = gtk_adjustment_get_value (adjustment) + (double) bounds.origin.y -
          place * gtk_widget_get_height (GTK_WIDGET (scroller));
  g_object_unref (ear_sight_glide (scroller, CLAMP (round (value), 0, most)));
}

/* Before the first frame the window has a default size: that of the last time. */
static int
find_height (GtkWidget *page)
{
  GtkRoot *root = gtk_widget_get_root (page);
  int height = gtk_widget_get_height (page);

  if (height <= 0 && GTK_IS_WINDOW (root) && !gtk_window_is_maximized (GTK_WINDOW (root)))
    gtk_window_get_default_size (GTK_WINDOW (root), NULL, &height);

  return height > 0 ? height : USUAL_HEIGHT;
}

/* Returns: how many rows are in sight. A list view makes widgets for some two hundred
 * rows: in its first frame a list has only these. */
guint
ear_rows_in_sight (GtkWidget *page, int row_height)
{
  return (guint) (MAX (find_height (page) - HEADER_HEIGHT, 0) / row_height) + 1;
}

/* Keeps a list at its top, where the list view would follow the row that was the first: a
 * new episode above it would be out of sight. A handler of `items-changed`, called after
 * that of the list view. */
void
ear_rows_keep_top (GtkListView *list_view, guint position, guint n_removed, guint n_added)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list_view));

  if (position == 0 && n_added > 0 && gtk_adjustment_get_value (adjustment) <= 0)
    gtk_list_view_scroll_to (list_view, 0, GTK_LIST_SCROLL_NONE, NULL);
}
