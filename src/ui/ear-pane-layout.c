/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pane-layout.h"

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
 */
struct _EarPaneLayout
{
  GtkLayoutManager parent_instance;

  int minimum; /* what the content needed when it was laid out */
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
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = MAX (EAR_PANE_LAYOUT (manager)->minimum, LEAST_WIDTH);
  else
    GTK_WIDGET_GET_CLASS (widget)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
ear_pane_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EarPaneLayout *self = EAR_PANE_LAYOUT (manager);
  const int before = self->minimum;
  int natural, minimum_baseline, natural_baseline;

  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, baseline);
  GTK_WIDGET_GET_CLASS (widget)->measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &self->minimum, &natural, &minimum_baseline, &natural_baseline);
  if (self->minimum > width && self->minimum != before && self->telling == 0)
    self->telling = g_idle_add_once (tell_cb, self);
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
