/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fit-layout.h"

/**
 * EarFitLayout:
 *
 * Shows the first child that has the room that it would like to have, or else the last one. How long the words
 * of a language are, and how large its letters, no breakpoint knows.
 */
struct _EarFitLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (EarFitLayout, ear_fit_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkWidget *
find_fitting (GtkWidget *widget, int width)
{
  GtkWidget *last = NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int natural;

      if (!gtk_widget_should_layout (child))
        continue;

      last = child;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
      if (natural <= width)
        break;
    }

  return last;
}

/* As narrow as the narrowest, as wide as the widest and as high as the highest of them */
static void
ear_fit_layout_measure (GtkLayoutManager *manager,
                        GtkWidget        *widget,
                        GtkOrientation    orientation,
                        int               for_size,
                        int              *minimum,
                        int              *natural,
                        int              *minimum_baseline,
                        int              *natural_baseline)
{
  const gboolean horizontal = orientation == GTK_ORIENTATION_HORIZONTAL;

  *minimum = horizontal ? G_MAXINT : 0;
  *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int child_minimum, child_natural;

      if (!gtk_widget_should_layout (child))
        continue;

      gtk_widget_measure (child, orientation, -1, &child_minimum, &child_natural, NULL, NULL);
      *minimum = horizontal ? MIN (*minimum, child_minimum) : MAX (*minimum, child_minimum);
      *natural = MAX (*natural, child_natural);
    }
  *minimum = MIN (*minimum, *natural);
}

static void
ear_fit_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *fitting = find_fitting (widget, width);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_child_visible (child, child == fitting);
  if (fitting != NULL)
    gtk_widget_allocate (fitting, width, height, baseline, NULL);
}

static void
ear_fit_layout_class_init (EarFitLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = ear_fit_layout_measure;
  layout_class->allocate = ear_fit_layout_allocate;
}

static void
ear_fit_layout_init (EarFitLayout *self)
{
}
