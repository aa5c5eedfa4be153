/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include <math.h>

#include "ear-collection-row.h"
#include "ear-row-action.h"

/*
 * The bar of what goes on lies over the rows at the foot of the list, which stand where they stood:
 * a list that gets another height moves its rows, under the pointer too. Whoever goes through them
 * by keys has to see where, however, and what is chosen is to be seen where no pointer is in the way.
 */

/* Until a list has scrolled to the row that has got the focus: one frame lays it out. */
#define FRAMES 2

/* Where the listener is: at the row that has the focus, else at what is chosen. */
static GtkWidget *
find_row (EarSidebarPage *self)
{
  GtkWidget *list = GTK_WIDGET (self->list_view);
  GtkWidget *row = ear_row_with_focus (list, EAR_TYPE_COLLECTION_ROW);

  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL && row == NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *child = gtk_widget_get_first_child (item);

      if (EAR_IS_COLLECTION_ROW (child) && gtk_widget_get_mapped (child) &&
          ear_collection_row_get_collection (EAR_COLLECTION_ROW (child)) == self->collection)
        row = child;
    }

  return row;
}

static gboolean
uncover_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  GtkWidget *row = find_row (self);
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list_view));
  graphene_rect_t bounds;
  double covered;

  if (--self->n_uncover_frames > 0)
    return G_SOURCE_CONTINUE;

  self->uncover_tick = 0;
  if (row == NULL || !gtk_widget_compute_bounds (gtk_widget_get_parent (row), self->work_bar, &bounds))
    return G_SOURCE_REMOVE;

  /* A list cuts off parts of pixels. What is further down was left there. */
  covered = ceil ((double) bounds.origin.y + (double) bounds.size.height);
  if (covered > 0 && bounds.origin.y < gtk_widget_get_height (self->work_bar))
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + covered);

  return G_SOURCE_REMOVE;
}

static void
uncover_soon (EarSidebarPage *self)
{
  self->n_uncover_frames = FRAMES;
  if (self->uncover_tick == 0)
    self->uncover_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), uncover_cb, NULL, NULL);
}

static void
focus_moved_cb (EarSidebarPage *self)
{
  if (gtk_widget_get_height (self->work_bar) > 0)
    uncover_soon (self);
}

/* Below a pointer, rows stay where they are, unless it is keys that are used. */
static void
bar_revealed_cb (EarSidebarPage *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  const gboolean pointed_at = (gtk_widget_get_state_flags (GTK_WIDGET (self->list_view)) & GTK_STATE_FLAG_PRELIGHT) != 0;
  gboolean revealed;

  g_object_get (self->work_bar, "revealed", &revealed, NULL);
  if (revealed && (!pointed_at || gtk_window_get_focus_visible (GTK_WINDOW (window))))
    uncover_soon (self);
}

/**
 * ear_sidebar_page_watch_focus:
 * @self: the page
 * @window: the window that it is in
 * @watch: whether it is coming into it, and not leaving it
 *
 * Keeps the row that gets the focus clear of what lies over the list.
 */
void
ear_sidebar_page_watch_focus (EarSidebarPage *self, GtkRoot *window, gboolean watch)
{
  if (watch)
    {
      g_signal_connect_object (window, "notify::focus-widget", G_CALLBACK (focus_moved_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->work_bar, "notify::revealed", G_CALLBACK (bar_revealed_cb), self, G_CONNECT_SWAPPED);
    }
  else
    {
      g_signal_handlers_disconnect_by_func (window, focus_moved_cb, self);
      g_signal_handlers_disconnect_by_func (self->work_bar, bar_revealed_cb, self);
    }
}
