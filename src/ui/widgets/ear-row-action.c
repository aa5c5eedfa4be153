/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-row-action.h"

#include "ear-widget.h"

static void
open_row (GtkWidget *widget)
{
  /* The list item around the row does the same as Enter. */
  gtk_widget_activate (gtk_widget_get_parent (widget));
}

/* Lets assistive technologies activate the row, as `row.open`: a list's own rows offer
 * them nothing but scrolling. */
void
ear_row_action_install (GtkWidgetClass *widget_class)
{
  ear_action_install (widget_class, "row.open", NULL, open_row);
}

/* @widget: (nullable): the list item around a row, or a part of the row
 * Returns: (nullable): the row, which is the content of the list item */
static GtkWidget *
find_row (GtkWidget *widget, GType type)
{
  GtkWidget *row = widget != NULL ? gtk_widget_get_ancestor (widget, type) : NULL;

  if (row == NULL && widget != NULL)
    row = gtk_widget_get_first_child (widget);

  return row != NULL && g_type_is_a (G_OBJECT_TYPE (row), type) ? row : NULL;
}

/* Returns: (nullable): the content of the row at that point */
GtkWidget *
ear_row_at (GtkWidget *area, double x, double y, GType type)
{
  return find_row (gtk_widget_pick (area, x, y, GTK_PICK_DEFAULT), type);
}

/* Returns: (nullable): the content of the row that has the focus */
GtkWidget *
ear_row_with_focus (GtkWidget *area, GType type)
{
  GtkWidget *row = find_row (gtk_root_get_focus (gtk_widget_get_root (area)), type);

  return row != NULL && gtk_widget_is_ancestor (row, area) ? row : NULL;
}

/* @row: (nullable)
 * Returns: whether a height in @area is in the lower half of the row */
gboolean
ear_row_is_below (GtkWidget *row, GtkWidget *area, double y)
{
  graphene_rect_t bounds;

  return row != NULL && gtk_widget_compute_bounds (row, area, &bounds) &&
         y > bounds.origin.y + bounds.size.height / 2;
}

/* Shows the row under the pointer while it is dragged.
 * @row: (nullable)
 * Returns: whether there is a row, and no finger, which scrolls */
gboolean
ear_row_begin_drag (GtkWidget *row, GtkDragSource *source, double x)
{
  if (row == NULL || ear_is_touch (source))
    return FALSE;

  gtk_drag_source_set_icon (source, gtk_widget_paintable_new (row),
                            (int) (x - gtk_widget_get_width (row) / 2), 16);

  return TRUE;
}

/* Shows where a dragged row would be dropped, and nowhere else.
 * @list: a #GtkListView
 * @row: (nullable): the child of one of its rows
 * @where: one of these classes of style.css */
void
ear_row_mark_drop (GtkWidget *list, GtkWidget *row, const char *where)
{
  static const char *const classes[] = { "drop-above", "drop-below", "drop-into" };

  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
      ear_set_css_class (item, classes[i],
                         row != NULL && gtk_widget_get_parent (row) == item &&
                             g_str_equal (where, classes[i]));
}

void
ear_row_unmark_drop (GtkWidget *list)
{
  ear_row_mark_drop (list, NULL, NULL);
}

/* --- The menu of a row -------------------------------------------------------------- */

#define DATA "ear-row-menu"

/* The menu that the rows of a list share, or of a single row, which then is all three. */
typedef struct
{
  GtkWidget *owner; /* borrowed, as all of these; its actions are those of the menu */
  GtkWidget *list;
  GType row_type;
  EarRowMenuFunc create;
  GtkPopoverMenu *popover; /* (nullable): made when it is first opened */
  GtkWidget *pressed;      /* (nullable) (weak): the row on which a right click began */
  GtkWidget *item;         /* (nullable) (weak): around the row whose menu is open */
} RowMenu;

static void
row_menu_free (gpointer data)
{
  RowMenu *self = data;

  g_clear_weak_pointer (&self->pressed);
  g_clear_weak_pointer (&self->item);
  g_free (self);
}

static void
mark_open (RowMenu *self, gboolean is_open)
{
  if (self->item != NULL)
    ear_set_css_class (self->item, "has-open-popup", is_open);
}

static void
closed_cb (GtkPopover *popover, RowMenu *self)
{
  mark_open (self, FALSE);
  if (self->list != self->owner)
    gtk_widget_grab_focus (self->list);
}

static void
owner_destroyed_cb (RowMenu *self)
{
  if (self->popover == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->popover, self);
  g_clear_pointer ((GtkWidget **) &self->popover, gtk_widget_unparent);
}

/* @x: a position in the list
 * Returns: whether the row has a menu */
static gboolean
open_menu (RowMenu *self, GtkWidget *row, double x, double y)
{
  g_autoptr (GMenuModel) menu = self->create (self->owner, row);
  graphene_point_t point;

  if (menu == NULL || !gtk_widget_compute_point (self->list, self->owner,
                                                 &GRAPHENE_POINT_INIT ((float)x, (float)y), &point))
    return FALSE;

  if (self->popover == NULL)
    {
      self->popover =
          g_object_new (GTK_TYPE_POPOVER_MENU, "has-arrow", FALSE, "halign", GTK_ALIGN_START, NULL);
      g_signal_connect (self->popover, "closed", G_CALLBACK (closed_cb), self);
      gtk_widget_set_parent (GTK_WIDGET (self->popover), self->owner);
      g_signal_connect_swapped (self->owner, "destroy", G_CALLBACK (owner_destroyed_cb), self);
    }
  mark_open (self, FALSE);
  gtk_popover_menu_set_menu_model (self->popover, menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){ (int) point.x, (int) point.y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
  g_set_weak_pointer (&self->item, gtk_widget_get_parent (row));
  mark_open (self, TRUE);

  return TRUE;
}

static void
right_pressed_cb (RowMenu *self, int n_press, double x, double y)
{
  g_set_weak_pointer (&self->pressed, ear_row_at (self->list, x, y, self->row_type));
}

/* A pointer that was moved to another row in between makes no click. */
static void
right_released_cb (RowMenu *self, int n_press, double x, double y)
{
  GtkWidget *row = ear_row_at (self->list, x, y, self->row_type);
  const gboolean clicked = row != NULL && row == self->pressed;

  g_clear_weak_pointer (&self->pressed);
  if (clicked)
    open_menu (self, row, x, y);
}

/* Claimed, so that the row does not take the end of the press for a click. */
static void
long_pressed_cb (RowMenu *self, double x, double y, GtkGesture *gesture)
{
  GtkWidget *row = ear_row_at (self->list, x, y, self->row_type);

  if (row != NULL && open_menu (self, row, x, y))
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Opens the menu of a row in its middle.
 * @owner: as given to ear_row_menu_attach() */
void
ear_row_menu_open (GtkWidget *owner, GtkWidget *row)
{
  RowMenu *self = g_object_get_data (G_OBJECT (owner), DATA);
  graphene_rect_t bounds;

  if (gtk_widget_compute_bounds (row, self->list, &bounds))
    open_menu (self, row, (double) bounds.origin.x + (double) bounds.size.width / 2,
               (double) bounds.origin.y + (double) bounds.size.height / 2);
}

/* The Menu key opens the menu of the row that has the focus. */
static void
open_focused (GtkWidget *widget)
{
  RowMenu *self = g_object_get_data (G_OBJECT (widget), DATA);
  GtkWidget *row = self != NULL ? ear_row_with_focus (self->list, self->row_type) : NULL;

  if (row != NULL)
    ear_row_menu_open (widget, row);
}

/* Installs the action `list.menu` and its keys in the class of a widget with a list whose
 * rows have a menu. */
void
ear_row_menu_install (GtkWidgetClass *widget_class)
{
  ear_action_install (widget_class, "list.menu", NULL, open_focused);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "list.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "list.menu",
                                       NULL);
}

/* Lets a right click, a long press and the Menu key open the menu of a row.
 * @owner: whose class has ear_row_menu_install(), unless it is the row itself
 * @list: a list view in @owner, or the row
 * @row_type: of the children of its rows
 * @create: makes the menu of a row, or none */
void
ear_row_menu_attach (GtkWidget *owner, GtkWidget *list, GType row_type, EarRowMenuFunc create)
{
  RowMenu *self = g_new0 (RowMenu, 1);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  self->owner = owner;
  self->list = list;
  self->row_type = row_type;
  self->create = create;
  g_object_set_data_full (G_OBJECT (owner), DATA, self, row_menu_free);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_exclusive (GTK_GESTURE_SINGLE (click), TRUE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (right_pressed_cb), self);
  /* Not "pressed": the menu would take the release, and GTK (4.18) would show the row as
   * pressed forever. */
  g_signal_connect_swapped (click, "released", G_CALLBACK (right_released_cb), self);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));

  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (long_pressed_cb), self);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (press));
}

static void
open_menu_of_row (GtkWidget *widget)
{
  /* A list opens the menu of the row that has the focus. */
  gtk_widget_grab_focus (gtk_widget_get_parent (widget));
  gtk_widget_activate_action (widget, "list.menu", NULL);
}

/* Lets assistive technologies open the menu of a row, as `row.menu`.
 * @widget_class: the class of the child of a row whose list has the action `list.menu` */
void
ear_row_action_install_menu (GtkWidgetClass *widget_class)
{
  ear_action_install (widget_class, "row.menu", NULL, open_menu_of_row);
}
