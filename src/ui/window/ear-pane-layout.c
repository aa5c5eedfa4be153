/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pane-layout.h"

#include <math.h>

/* Pixels that each pane has at least */
#define MIN_WIDTH 160

/**
 * EarPaneLayout:
 *
 * Lays out a scrolled window that fills a pane and never scrolls sideways. The layout
 * measures the width of the content when it lays it out: on X11, GTK (4.18) would do so
 * before the frame's styles are made, and would then style all rows again at each press
 * of a button, twice the work of a click.
 *
 * A list view also keeps its rows where they are when a bar below it comes or goes, with
 * the row in sight that is selected or has the focus.
 */
struct _EarPaneLayout
{
  GtkLayoutManager parent_instance;

  int minimum;  /* width of the content when it was last laid out */
  int measured; /* width that GTK was given, and caches until the layout changes */
  int width;    /* of the last layout */
  int height;
  guint change_source;
};

G_DEFINE_FINAL_TYPE (EarPaneLayout, ear_pane_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
layout_changed_cb (gpointer user_data)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (user_data);

  self->change_source = 0;
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}

static void
ear_pane_layout_measure (GtkLayoutManager *manager,
                         GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = self->measured = MAX (self->minimum, MIN_WIDTH);
  else
    GTK_WIDGET_GET_CLASS (widget)->measure (widget, orientation, for_size, minimum, natural,
                                            minimum_baseline, natural_baseline);
}

static void
lay_out (GtkWidget *widget, int width, int height)
{
  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, -1);
}

/* Returns: (nullable): the row that has the focus, else a selected one */
static GtkWidget *
find_row (GtkWidget *list)
{
  GtkWidget *row = gtk_widget_get_focus_child (list);

  for (GtkWidget *child = gtk_widget_get_first_child (list); child != NULL && row == NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child) &&
        (gtk_widget_get_state_flags (child) & GTK_STATE_FLAG_SELECTED) != 0)
      row = child;

  return row;
}

/* Returns: the y coordinate at which that row ends; 0 where it is not in sight */
static double
find_end_of_row (GtkWidget *list)
{
  GtkWidget *row = find_row (list);
  graphene_rect_t bounds;
  double end;

  if (row == NULL || !gtk_widget_compute_bounds (row, list, &bounds))
    return 0;

  end = ceil ((double) bounds.origin.y + (double) bounds.size.height);

  return bounds.origin.y >= 0 && end <= gtk_widget_get_height (list) ? end : 0;
}

/* GtkListView moves its rows in proportion to its height, also under the pointer. The
 * list is laid out in the old height first: it may be scrolling to a row. */
static void
lay_list_out (EarPaneLayout *self,
              GtkScrolledWindow *scroller,
              GtkWidget *list,
              int width,
              int height)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double value, end;

  lay_out (GTK_WIDGET (scroller), width, self->height);
  value = gtk_adjustment_get_value (adjustment);
  end = find_end_of_row (list);

  lay_out (GTK_WIDGET (scroller), width, height);
  gtk_adjustment_set_value (adjustment, value + MAX (end - gtk_widget_get_height (list), 0));
  lay_out (GTK_WIDGET (scroller), width, height);
}

/* Returns: whether GTK has to measure again: the content lacks room, or an earlier width
 * that GTK caches keeps the window wide */
static gboolean
needs_measure (EarPaneLayout *self, int before, int width)
{
  if (self->minimum > width)
    return self->minimum != before;

  return MAX (self->minimum, MIN_WIDTH) < self->measured &&
         (self->measured >= width || width < self->width);
}

static void
ear_pane_layout_allocate (GtkLayoutManager *manager,
                          GtkWidget *widget,
                          int width,
                          int height,
                          int baseline)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (manager);
  GtkWidget *child = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (widget));
  const int before = self->minimum;
  int natural, minimum_baseline, natural_baseline;

  if (GTK_IS_LIST_VIEW (child) && width == self->width && height != self->height)
    lay_list_out (self, GTK_SCROLLED_WINDOW (widget), child, width, height);
  else
    lay_out (widget, width, height);
  GTK_WIDGET_GET_CLASS (widget)->measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &self->minimum,
                                          &natural, &minimum_baseline, &natural_baseline);
  if (self->change_source == 0 && needs_measure (self, before, width))
    self->change_source = g_idle_add_once (layout_changed_cb, self);
  self->width = width;
  self->height = height;
}

static void
ear_pane_layout_dispose (GObject *object)
{
  g_clear_handle_id (&EAR_PANE_LAYOUT (object)->change_source, g_source_remove);

  G_OBJECT_CLASS (ear_pane_layout_parent_class)->dispose (object);
}

static void
ear_pane_layout_class_init (EarPaneLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_pane_layout_dispose;
  layout_class->measure = ear_pane_layout_measure;
  layout_class->allocate = ear_pane_layout_allocate;
}

static void
ear_pane_layout_init (EarPaneLayout *self)
{
}
