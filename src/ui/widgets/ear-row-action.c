/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-row-action.h"

#include "ear-widget.h"

static void
open_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  /* What is around it belongs to the list, and does what Enter does. */
  gtk_widget_activate (gtk_widget_get_parent (widget));
}

static void
open_row_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  /* A list opens the menu of the row that has the focus. */
  gtk_widget_grab_focus (gtk_widget_get_parent (widget));
  gtk_widget_activate_action (widget, "list.menu", NULL);
}

/* Lets assistive technologies activate the row, as `row.open`: of a list's own rows GTK only tells them that they can
 * be scrolled to. */
void
ear_row_action_install (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "row.open", NULL, open_row);
}

/* Lets assistive technologies open the row's menu, as `row.menu`.
 * @widget_class: the class of what fills a row of a list that has the action `list.menu` */
void
ear_row_action_install_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "row.menu", NULL, open_row_menu);
}

/* Returns: (nullable): what fills the row at that place */
GtkWidget *
ear_row_at (GtkWidget *area, double x, double y, GType type)
{
  GtkWidget *widget = gtk_widget_pick (area, x, y, GTK_PICK_DEFAULT);
  GtkWidget *row;

  if (widget == NULL)
    return NULL;

  row = gtk_widget_get_ancestor (widget, type);
  /* Beside the row's content there is the list item around it. */
  if (row == NULL)
    row = gtk_widget_get_first_child (widget);

  return row != NULL && g_type_is_a (G_OBJECT_TYPE (row), type) ? row : NULL;
}

/* Returns: (nullable): what fills the row that has the focus */
GtkWidget *
ear_row_with_focus (GtkWidget *area, GType type)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (area));
  /* It may be on the row's own button. */
  GtkWidget *row = focus != NULL ? gtk_widget_get_ancestor (focus, type) : NULL;

  if (row == NULL && focus != NULL)
    row = gtk_widget_get_first_child (focus);

  return row != NULL && g_type_is_a (G_OBJECT_TYPE (row), type) && gtk_widget_is_ancestor (row, area) ? row : NULL;
}

/* Gives a class of style.css to the row of a list view, and takes it from all others.
 * @list: a #GtkListView
 * @row: (nullable): the child of one of its rows */
void
ear_row_mark (GtkWidget *list, GtkWidget *row, const char *css_class)
{
  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL; item = gtk_widget_get_next_sibling (item))
    ear_set_css_class (item, css_class, row != NULL && gtk_widget_get_parent (row) == item);
}
