/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-rows-in-sight.h"

/* Header bar above each list */
#define HEADER_HEIGHT 46

/* Height of a window whose height is not known yet */
#define USUAL_HEIGHT 1200

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
