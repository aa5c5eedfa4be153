/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pane-layout.h"

#include <math.h>

/* Application pixels: no pane is narrower. */
#define LEAST_WIDTH 160

/**
 * EarPaneLayout:
 *
 * Lays out a scrolled window that fills a pane and never scrolls sideways.
 *
 * Such a one is asked for its content's width whenever anything in it changes its size, on X11 before the
 * frame's styles are made. GTK (4.18) then makes a style for each new row of a list without a look at what is
 * around it: it takes every rule for a row anywhere for one that might apply, remembers that, and so makes the style anew
 * in each frame in which a button is pressed or let go anywhere in the window. So the content is asked as it is laid
 * out, when all styles are there; the window hears of it where the room is not enough.
 *
 * A list in it stands still while something below comes or goes, and shows the row that has the focus, or is selected.
 */
struct _EarPaneLayout
{
  GtkLayoutManager parent_instance;

  int minimum; /* what the content needed when it was laid out */
  int told;    /* what the window was told of it, and remembers until it is told that this has changed */
  int width;   /* in which it was laid out */
  int height;
  guint telling; /* source */
};

G_DEFINE_FINAL_TYPE (EarPaneLayout, ear_pane_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
tell_cb (gpointer user_data)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (user_data);

  self->telling = 0;
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}

static void
ear_pane_layout_measure (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         GtkOrientation    orientation,
                         int               for_size,
                         int              *minimum,
                         int              *natural,
                         int              *minimum_baseline,
                         int              *natural_baseline)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = self->told = MAX (self->minimum, LEAST_WIDTH);
  else
    GTK_WIDGET_GET_CLASS (widget)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
lay_out (GtkWidget *widget, int width, int height)
{
  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, -1);
}

/* Where the listener is: the row that has the focus, or is selected. */
static GtkWidget *
find_row (GtkWidget *list)
{
  GtkWidget *row = gtk_widget_get_focus_child (list);

  for (GtkWidget *child = gtk_widget_get_first_child (list); child != NULL && row == NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child) && (gtk_widget_get_state_flags (child) & GTK_STATE_FLAG_SELECTED) != 0)
      row = child;

  return row;
}

/* How far down that row ends, in pixels; 0 where it is not in sight. */
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

/* A list view in another height keeps in proportion how far down a row is: rows move, under the pointer too. The list
 * is laid out in its height of before first, as it may be on its way to another row. */
static void
lay_list_out (EarPaneLayout *self, GtkScrolledWindow *scroller, GtkWidget *list, int width, int height)
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

/* Whether there is not enough room now, or what there was not enough room for before holds the window wide. */
static gboolean
has_to_tell (EarPaneLayout *self, int before, int width)
{
  if (self->minimum > width)
    return self->minimum != before;

  return MAX (self->minimum, LEAST_WIDTH) < self->told && (self->told >= width || width < self->width);
}

static void
ear_pane_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (manager);
  GtkWidget *child = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (widget));
  const int before = self->minimum;
  int natural, minimum_baseline, natural_baseline;

  if (GTK_IS_LIST_VIEW (child) && width == self->width && height != self->height)
    lay_list_out (self, GTK_SCROLLED_WINDOW (widget), child, width, height);
  else
    lay_out (widget, width, height);
  GTK_WIDGET_GET_CLASS (widget)->measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &self->minimum, &natural, &minimum_baseline, &natural_baseline);
  if (self->telling == 0 && has_to_tell (self, before, width))
    self->telling = g_idle_add_once (tell_cb, self);
  self->width = width;
  self->height = height;
}

static void
ear_pane_layout_dispose (GObject *object)
{
  g_clear_handle_id (&EAR_PANE_LAYOUT (object)->telling, g_source_remove);

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
