/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-bar-layout.h"

/* A slider that is longer takes the pointer too far. */
#define MAX_CENTER 720
#define SPACING 12

/**
 * EarPlayerBarLayout:
 *
 * Lays out three children: the second in the middle, half as wide as the whole; what is beside it gets the rest. So
 * nothing moves with the length of a title, as it does in a #GtkCenterBox. Where there is little room all are as wide
 * as they need, and the middle is given up last.
 */
struct _EarPlayerBarLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (EarPlayerBarLayout, ear_player_bar_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
get_children (GtkWidget *widget, GtkWidget *children[3])
{
  children[0] = gtk_widget_get_first_child (widget);
  children[1] = gtk_widget_get_next_sibling (children[0]);
  children[2] = gtk_widget_get_next_sibling (children[1]);
}

static int
measure_width (GtkWidget *child)
{
  int minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);

  return minimum;
}

static void
find_widths (GtkWidget *children[3], int width, int widths[3])
{
  const int start = measure_width (children[0]);
  const int center = measure_width (children[1]);
  const int end = measure_width (children[2]);
  const int side = (width - CLAMP (width / 2, center, MAX (center, MAX_CENTER))) / 2 - SPACING;
  const int room = width - center - 2 * SPACING;

  /* The same on both sides, as long as the middle has room between them */
  widths[0] = widths[2] = MAX (side, MIN (MAX (start, end), room / 2));
  widths[0] = CLAMP (widths[0], start, MAX (start, room - end));
  widths[2] = CLAMP (widths[2], end, MAX (end, room - widths[0]));
  widths[1] = width - widths[0] - widths[2] - 2 * SPACING;
}

static GtkSizeRequestMode
ear_player_bar_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ear_player_bar_layout_measure (GtkLayoutManager *manager,
                               GtkWidget        *widget,
                               GtkOrientation    orientation,
                               int               for_size,
                               int              *minimum,
                               int              *natural,
                               int              *minimum_baseline,
                               int              *natural_baseline)
{
  const gboolean horizontal = orientation == GTK_ORIENTATION_HORIZONTAL;
  GtkWidget *children[3];
  int widths[3] = { -1, -1, -1 };

  get_children (widget, children);
  if (!horizontal && for_size >= 0)
    find_widths (children, for_size, widths);
  *minimum = *natural = horizontal ? 2 * SPACING : 0;
  for (gsize i = 0; i < G_N_ELEMENTS (children); i++)
    {
      int child_minimum, child_natural;

      gtk_widget_measure (children[i], orientation, widths[i], &child_minimum, &child_natural, NULL, NULL);
      *minimum = horizontal ? *minimum + child_minimum : MAX (*minimum, child_minimum);
      *natural = horizontal ? *natural + child_natural : MAX (*natural, child_natural);
    }
}

static void
ear_player_bar_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GtkWidget *children[3];
  int widths[3];
  int x = 0;

  get_children (widget, children);
  find_widths (children, width, widths);
  for (gsize i = 0; i < G_N_ELEMENTS (children); i++)
    {
      gtk_widget_size_allocate (children[i], &(GtkAllocation) { mirrored ? width - x - widths[i] : x, 0, widths[i], height }, -1);
      x += widths[i] + SPACING;
    }
}

static void
ear_player_bar_layout_class_init (EarPlayerBarLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = ear_player_bar_layout_get_request_mode;
  layout_class->measure = ear_player_bar_layout_measure;
  layout_class->allocate = ear_player_bar_layout_allocate;
}

static void
ear_player_bar_layout_init (EarPlayerBarLayout *self)
{
}
