/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-menu-later.h"

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
