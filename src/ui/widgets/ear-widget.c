/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-widget.h"

/* Small things that GTK does not do by itself. */

void
ear_set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

/* gtk_accessible_announce(), also where nobody listens: without an accessibility bus GTK has a context for tests, and
 * up to 4.18 ends the program when that is to announce something. */
void
ear_announce (GtkAccessible *accessible, const char *message, GtkAccessibleAnnouncementPriority priority)
{
  g_autoptr (GtkATContext) context = gtk_accessible_get_at_context (accessible);

  if (context != NULL && !g_str_equal (G_OBJECT_TYPE_NAME (context), "GtkTestATContext"))
    gtk_accessible_announce (accessible, message, priority);
}

/* For what is documented to be in a widget, but cannot be asked for.
 * @fits: (scope call): says which one is looked for
 * Returns: (transfer none) (nullable): the first widget that fits, @widget itself or within it */
GtkWidget *
ear_find_within (GtkWidget *widget, EarFits fits)
{
  GtkWidget *found = fits (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = ear_find_within (child, fits);

  return found;
}

static void
create_popup_cb (GtkMenuButton *button, gpointer user_data)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, G_MENU_MODEL (user_data));
}

/* Gives the button a menu whose widgets, thirty to fifty, are made when it is first opened: most menus never are. */
void
ear_menu_later_set (GtkMenuButton *button, GMenuModel *menu)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button));
  g_return_if_fail (G_IS_MENU_MODEL (menu));

  if (gtk_menu_button_get_menu_model (button) != NULL)
    gtk_menu_button_set_menu_model (button, NULL);
  gtk_menu_button_set_create_popup_func (button, create_popup_cb, g_object_ref (menu), g_object_unref);
}
