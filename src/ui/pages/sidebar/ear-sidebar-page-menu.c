/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-sidebar-row.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/*
 * The menu of a row, whose actions, `collection.*`, are made by the window.
 */

/* Shows whether the row is the one whose menu is open.
 * @row: an #EarSidebarRow */
void
ear_sidebar_page_mark_menu_row (EarSidebarPage *self, GtkWidget *row)
{
  EarSidebarItem *collection = ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row));
  GtkWidget *item = gtk_widget_get_parent (row);

  if (item != NULL)
    ear_set_css_class (item, "has-open-popup", self->menu_is_open && collection != NULL && collection == self->menu_collection);
}

static void
set_menu_is_open (EarSidebarPage *self, gboolean is_open)
{
  self->menu_is_open = is_open;
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (EAR_IS_SIDEBAR_ROW (row))
        ear_sidebar_page_mark_menu_row (self, row);
    }
}

static void
row_menu_closed_cb (EarSidebarPage *self)
{
  set_menu_is_open (self, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static GtkPopoverMenu *
ensure_row_menu (EarSidebarPage *self)
{
  if (self->row_menu == NULL)
    {
      self->row_menu = g_object_new (GTK_TYPE_POPOVER_MENU, "has-arrow", FALSE, "halign", GTK_ALIGN_START, NULL);
      g_signal_connect_swapped (self->row_menu, "closed", G_CALLBACK (row_menu_closed_cb), self);
      gtk_widget_set_parent (GTK_WIDGET (self->row_menu), GTK_WIDGET (self));
    }

  return self->row_menu;
}

static void
open_row_menu (EarSidebarPage *self, GtkWidget *row, const graphene_point_t *place)
{
  EarSidebarItem *collection = ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row));
  g_autoptr (GMenuModel) menu = collection != NULL ? ear_sidebar_item_create_menu (collection) : NULL;
  GtkPopoverMenu *popover;

  if (menu == NULL)
    return;

  if (g_set_object (&self->menu_collection, collection))
    g_object_notify (G_OBJECT (self), "menu-collection");
  popover = ensure_row_menu (self);
  gtk_popover_menu_set_menu_model (popover, menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) place->x, (int) place->y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (popover));
  set_menu_is_open (self, TRUE);
}

static void
open_menu_at (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SIDEBAR_ROW);
  graphene_point_t place;

  if (row != NULL && gtk_widget_compute_point (GTK_WIDGET (self->list_view), GTK_WIDGET (self),
                                               &GRAPHENE_POINT_INIT ((float) x, (float) y), &place))
    open_row_menu (self, row, &place);
}

/* The row is not to take the end of a long press for a click. */
static void
long_press_cb (EarSidebarPage *self, double x, double y, GtkGesture *gesture)
{
  open_menu_at (self, x, y);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static EarSidebarItem *
find_collection (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SIDEBAR_ROW);

  return row != NULL ? ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row)) : NULL;
}

static void
right_press_cb (EarSidebarPage *self, int n_press, double x, double y)
{
  g_set_object (&self->pressed, find_collection (self, x, y));
}

/* Also after the pointer was drawn somewhere else, which is no click. */
static void
right_release_cb (EarSidebarPage *self, int n_press, double x, double y)
{
  g_autoptr (EarSidebarItem) pressed = g_steal_pointer (&self->pressed);

  if (pressed != NULL && pressed == find_collection (self, x, y))
    open_menu_at (self, x, y);
}

/* By the Menu key: of the row that has the focus. */
static void
open_focused_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_SIDEBAR_ROW);
  graphene_rect_t bounds;

  if (row != NULL && gtk_widget_compute_bounds (row, widget, &bounds))
    open_row_menu (self, row, &GRAPHENE_POINT_INIT (bounds.origin.x + bounds.size.width / 2, bounds.origin.y + bounds.size.height / 2));
}

/* Binds what opens the menu of a row: a click, a long press, a key. */
void
ear_sidebar_page_bind_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.menu", NULL, open_focused_menu);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "list.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "list.menu", NULL);
  gtk_widget_class_bind_template_callback (widget_class, long_press_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_press_cb);
  gtk_widget_class_bind_template_callback (widget_class, right_release_cb);
}
