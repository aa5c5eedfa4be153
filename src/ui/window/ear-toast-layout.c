/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-toast-layout.h"

/**
 * EarToastLayout:
 *
 * Lays out a label that wraps and is asked for its height before anybody knows how wide it will be: it
 * says then how high it is in the width that it got the last time.
 */
struct _EarToastLayout
{
  GtkLayoutManager parent_instance;

  int offered; /* the least width that it got, where that was less than it wanted */
  guint tick;
};

G_DEFINE_FINAL_TYPE (EarToastLayout, ear_toast_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
ear_toast_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_width (EarToastLayout *self, GtkWidget *widget, int *minimum, int *natural)
{
  int minimum_baseline, natural_baseline;

  GTK_WIDGET_GET_CLASS (widget)->measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, minimum, natural,
                                          &minimum_baseline, &natural_baseline);
  *natural = CLAMP (self->offered, *minimum, *natural);
}

static void
ear_toast_layout_measure (GtkLayoutManager *manager,
                          GtkWidget        *widget,
                          GtkOrientation    orientation,
                          int               for_size,
                          int              *minimum,
                          int              *natural,
                          int              *minimum_baseline,
                          int              *natural_baseline)
{
  EarToastLayout *self = EAR_TOAST_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      measure_width (self, widget, minimum, natural);
      return;
    }

  GTK_WIDGET_GET_CLASS (widget)->measure (widget, orientation, for_size >= 0 ? MIN (for_size, self->offered) : for_size,
                                          minimum, natural, minimum_baseline, natural_baseline);
}

static gboolean
offered_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarToastLayout *self = EAR_TOAST_LAYOUT (gtk_widget_get_layout_manager (widget));

  self->tick = 0;
  gtk_widget_queue_resize (widget);

  return G_SOURCE_REMOVE;
}

/* A toast comes from below the edge of the window: its first frame, of another height, is not seen. */
static void
ear_toast_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EarToastLayout *self = EAR_TOAST_LAYOUT (manager);
  int minimum, natural;

  measure_width (self, widget, &minimum, &natural);
  if (width < natural)
    {
      self->offered = width;
      if (self->tick == 0)
        self->tick = gtk_widget_add_tick_callback (widget, offered_cb, NULL, NULL);
    }
  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, baseline);
}

static void
ear_toast_layout_class_init (EarToastLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = ear_toast_layout_get_request_mode;
  layout_class->measure = ear_toast_layout_measure;
  layout_class->allocate = ear_toast_layout_allocate;
}

static void
ear_toast_layout_init (EarToastLayout *self)
{
  self->offered = G_MAXINT;
}

GtkLayoutManager *
ear_toast_layout_new (void)
{
  return g_object_new (EAR_TYPE_TOAST_LAYOUT, NULL);
}
