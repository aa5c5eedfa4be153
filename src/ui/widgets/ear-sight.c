/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sight.h"

#include <math.h>

/* What of a page is in sight, and bringing something there. */

#define GLIDE_MS 300

/**
 * ear_sight_glide:
 * @value: where its content is to be scrolled to, in pixels
 *
 * Scrolls up or down in a moment that the eye can follow, or at once where the listener wants no animations.
 *
 * Returns: (transfer full): with what it can be stopped; it goes on without it
 */
AdwAnimation *
ear_sight_glide (GtkScrolledWindow *scroller, double value)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  AdwAnimationTarget *target = adw_property_animation_target_new (G_OBJECT (adjustment), "value");
  AdwAnimation *animation = adw_timed_animation_new (GTK_WIDGET (scroller), gtk_adjustment_get_value (adjustment), value, GLIDE_MS, target);

  adw_animation_play (animation);

  return animation;
}

/* @bounds: (out): where it is in what is seen of the page
 * Returns: (nullable) (transfer none): what the page is scrolled with */
static GtkScrolledWindow *
find_bounds (GtkWidget *widget, graphene_rect_t *bounds)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);

  if (scroller == NULL || !gtk_widget_get_mapped (widget) || !gtk_widget_compute_bounds (widget, scroller, bounds) || bounds->size.height <= 0)
    return NULL;

  return GTK_SCROLLED_WINDOW (scroller);
}

/* Returns: whether all of its height can be seen, as far as the page that it is in is scrolled */
gboolean
ear_sight_has (GtkWidget *widget)
{
  graphene_rect_t bounds;
  GtkScrolledWindow *scroller = find_bounds (widget, &bounds);

  return scroller != NULL && bounds.origin.y >= 0 && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (GTK_WIDGET (scroller));
}

/* @place: how far down its upper edge comes to stand: 0 for the top of what is seen of the page, 1 for its end */
void
ear_sight_bring (GtkWidget *widget, double place)
{
  graphene_rect_t bounds;
  GtkScrolledWindow *scroller = find_bounds (widget, &bounds);
  GtkAdjustment *adjustment;
  double most;

  if (scroller == NULL)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  most = MAX (gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment), 0);
  g_object_unref (ear_sight_glide (scroller, CLAMP (round (gtk_adjustment_get_value (adjustment) + (double) bounds.origin.y -
                                                           place * gtk_widget_get_height (GTK_WIDGET (scroller))), 0, most)));
}
