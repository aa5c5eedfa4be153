/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-rows-in-sight.h"

/* What stands above every list. */
#define HEADER_HEIGHT 46

/* Where it is not known how high the window will be. */
#define USUAL_HEIGHT 1200

/* Also before the first frame, when the window is told how large it was the last time. */
static int
find_height (GtkWidget *page)
{
  GtkRoot *root = gtk_widget_get_root (page);
  int height = gtk_widget_get_height (page);

  if (height <= 0 && GTK_IS_WINDOW (root) && !gtk_window_is_maximized (GTK_WINDOW (root)))
    gtk_window_get_default_size (GTK_WINDOW (root), NULL, &height);

  return height > 0 ? height : USUAL_HEIGHT;
}

/* A list view makes widgets for all rows that it is given, up to some two hundred: in its first
 * frame it is given as many as can be seen.
 * @head_height: the least height of what stands above the list, but for the header bar */
guint
ear_rows_in_sight (GtkWidget *page, int head_height, int row_height)
{
  g_return_val_if_fail (GTK_IS_WIDGET (page), 0);
  g_return_val_if_fail (row_height > 0, 0);

  return (guint) (MAX (find_height (page) - HEADER_HEIGHT - head_height, 0) / row_height) + 1;
}

/* Keeps a list that is at its top there. To be called after the list view has seen that rows came: it follows the row
 * that was the first one, so that a new episode above it would be out of sight.
 * @position: where the rows came */
void
ear_rows_keep_top (GtkListView *list_view, guint position, guint n_added)
{
  g_return_if_fail (GTK_IS_LIST_VIEW (list_view));

  if (position == 0 && n_added > 0 && gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list_view))) <= 0)
    gtk_list_view_scroll_to (list_view, 0, GTK_LIST_SCROLL_NONE, NULL);
}
