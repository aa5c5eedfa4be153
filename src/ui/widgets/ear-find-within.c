/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-find-within.h"

/**
 * ear_find_within:
 * @fits: (scope call): says which one is looked for
 *
 * For what is documented to be in a widget, but cannot be asked for.
 *
 * Returns: (transfer none) (nullable): the first widget that fits, @widget itself or within it
 */
GtkWidget *
ear_find_within (GtkWidget *widget, EarFits fits)
{
  GtkWidget *found = fits (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = ear_find_within (child, fits);

  return found;
}
