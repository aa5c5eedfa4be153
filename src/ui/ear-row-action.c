/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-row-action.h"

static void
open_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  /* What is around it belongs to the list, and does what Enter does. */
  gtk_widget_activate (gtk_widget_get_parent (widget));
}

/**
 * ear_row_action_install:
 * @widget_class: the class of what fills a row of a list
 *
 * Lets assistive technologies activate the row, as `row.open`: of a list's own rows GTK only
 * tells them that they can be scrolled to.
 */
void
ear_row_action_install (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "row.open", NULL, open_row);
}
