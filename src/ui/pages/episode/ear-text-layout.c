/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-text-layout.h"

/* Application pixels: no word of a text should have to be broken in less, and no line of it
 * is read with pleasure in more. */
#define MINIMUM_WIDTH 96
#define NATURAL_WIDTH 680

/**
 * EarTextLayout:
 *
 * Lays out a label whose width is not its own business: a paragraph, which is as wide as
 * its column. A label that is asked for its width lays out its text twice, as narrow and as
 * wide as it goes, and is asked whenever it is asked for its height. That costs more than
 * drawing it; here it is spared.
 */
struct _EarTextLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (EarTextLayout, ear_text_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
ear_text_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ear_text_layout_measure (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         GtkOrientation    orientation,
                         int               for_size,
                         int              *minimum,
                         int              *natural,
                         int              *minimum_baseline,
                         int              *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MINIMUM_WIDTH;
      *natural = NATURAL_WIDTH;
      return;
    }
  /* Somewhere it is shown with a width; until then any height that it may get is at least this one. A box would
   * keep that of another width for a text that needs less. */
  if (for_size < 0)
    {
      *minimum = *natural = 0;
      return;
    }

  GTK_WIDGET_GET_CLASS (widget)->measure (widget, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
ear_text_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, baseline);
}

static void
ear_text_layout_class_init (EarTextLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = ear_text_layout_get_request_mode;
  layout_class->measure = ear_text_layout_measure;
  layout_class->allocate = ear_text_layout_allocate;
}

static void
ear_text_layout_init (EarTextLayout *self)
{
}

GtkLayoutManager *
ear_text_layout_new (void)
{
  return g_object_new (EAR_TYPE_TEXT_LAYOUT, NULL);
}
