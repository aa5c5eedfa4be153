/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-sidebar-row.h"
#include "ear-row-action.h"

/*
 * Episodes that are dropped on Up Next or on a list, and lists, podcasts and folders that are dragged to another place among theirs,
 * or into a folder.
 */

static EarSidebarItem *
get_collection (GtkWidget *row)
{
  return row != NULL ? ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row)) : NULL;
}

static EarList *
get_list (GtkWidget *row)
{
  return get_collection (row) != NULL ? ear_sidebar_item_get_list (get_collection (row)) : NULL;
}

static GtkWidget *
find_row (EarSidebarPage *self, double x, double y)
{
  return ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_SIDEBAR_ROW);
}

/* --- Dragging a row --------------------------------------------------------------------- */

/* A finger scrolls. */
static GdkContentProvider *
drag_prepare_cb (EarSidebarPage *self, double x, double y, GtkDragSource *source)
{
  GdkDevice *device = gtk_event_controller_get_current_event_device (GTK_EVENT_CONTROLLER (source));
  GtkWidget *row = find_row (self, x, y);
  EarSidebarItem *collection = get_collection (row);

  if (collection == NULL || (get_list (row) == NULL && !ear_sidebar_page_can_place (self, collection)) || (device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN))
    return NULL;

  gtk_drag_source_set_icon (source, gtk_widget_paintable_new (row), (int) (x - gtk_widget_get_width (row) / 2), 16);

  g_set_object (&self->dragged, collection);

  return gdk_content_provider_new_typed (EAR_TYPE_SIDEBAR_ITEM, collection);
}

/* --- What is dropped -------------------------------------------------------------------- */

static gboolean
is_below (EarSidebarPage *self, GtkWidget *row, double y)
{
  graphene_rect_t place;

  return gtk_widget_compute_bounds (row, GTK_WIDGET (self->list_view), &place) && y > place.origin.y + place.size.height / 2;
}

/* Where it would go: onto the row, or to the line above or below it. */
static void
mark_drop (EarSidebarPage *self, GtkWidget *into, GtkWidget *above, GtkWidget *below)
{
  ear_row_mark (GTK_WIDGET (self->list_view), into, "drop-into");
  ear_row_mark (GTK_WIDGET (self->list_view), above, "drop-above");
  ear_row_mark (GTK_WIDGET (self->list_view), below, "drop-below");
}

static gboolean
takes_episodes (GtkWidget *row)
{
  EarSidebarItem *collection = get_collection (row);

  return collection != NULL && (ear_sidebar_item_get_kind (collection) == EAR_SIDEBAR_ITEM_QUEUE ||
                                (get_list (row) != NULL && !ear_list_is_smart (get_list (row))));
}

/* A list, a podcast or a folder */
static gboolean
is_row (GtkDropTarget *target)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (target);

  return drop != NULL && gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), EAR_TYPE_SIDEBAR_ITEM);
}

/* Returns: (nullable): the row of a folder, if it has one */
static GtkWidget *
find_folder_row (EarSidebarPage *self, const char *name)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      EarSidebarItem *collection = row != NULL && EAR_IS_SIDEBAR_ROW (row) ? get_collection (row) : NULL;
      EarFolder *folder = collection != NULL ? ear_sidebar_item_get_folder (collection) : NULL;

      if (folder != NULL && g_strcmp0 (ear_folder_get_name (folder), name) == 0)
        return row;
    }

  return NULL;
}

/* Shows where the row that is dragged would go.
 * Returns: whether it would go anywhere */
static gboolean
mark_goal (EarSidebarPage *self, GtkWidget *row, double y)
{
  gboolean below = row != NULL && is_below (self, row, y);
  EarSidebarGoal goal = { 0 };
  gboolean found;

  if (self->dragged == NULL || row == NULL)
    found = FALSE;
  else if (ear_sidebar_item_get_list (self->dragged) != NULL)
    found = get_list (row) != NULL;
  else
    found = ear_sidebar_page_find_goal (self, self->dragged, ear_sidebar_page_find_position (self, get_collection (row)), &below, &goal);
  if (!found)
    mark_drop (self, NULL, NULL, NULL);
  else if (goal.into)
    mark_drop (self, find_folder_row (self, goal.folder), NULL, NULL);
  else
    mark_drop (self, NULL, below ? NULL : row, below ? row : NULL);

  return found;
}

static GdkDragAction
drop_motion_cb (EarSidebarPage *self, double x, double y, GtkDropTarget *target)
{
  GtkWidget *row = find_row (self, x, y);

  if (is_row (target))
    return mark_goal (self, row, y) ? GDK_ACTION_COPY : 0;

  row = takes_episodes (row) ? row : NULL;
  mark_drop (self, row, NULL, NULL);

  return row != NULL ? GDK_ACTION_COPY : 0;
}

static void
drop_leave_cb (EarSidebarPage *self)
{
  mark_drop (self, NULL, NULL, NULL);
}

static gboolean
drop_list (EarSidebarPage *self, EarList *list, GtkWidget *row, gboolean below)
{
  EarLists *lists = ear_library_get_lists (self->library);

  if (get_list (row) == NULL)
    return FALSE;
  if (below)
    ear_lists_move_behind (lists, list, get_list (row));
  else
    ear_lists_move (lists, list, get_list (row));

  return TRUE;
}

static gboolean
drop_row (EarSidebarPage *self, EarSidebarItem *dragged, GtkWidget *row, gboolean below)
{
  EarSidebarGoal goal;

  if (row == NULL || ear_sidebar_item_get_list (dragged) != NULL)
    return drop_list (self, ear_sidebar_item_get_list (dragged), row, below);
  if (!ear_sidebar_page_find_goal (self, dragged, ear_sidebar_page_find_position (self, get_collection (row)), &below, &goal))
    return FALSE;
  ear_sidebar_page_place (self, dragged, &goal);

  return TRUE;
}

static gboolean
drop_episodes (EarSidebarPage *self, GPtrArray *episodes, GtkWidget *row)
{
  if (!takes_episodes (row))
    return FALSE;
  if (get_list (row) != NULL)
    ear_lists_add (ear_library_get_lists (self->library), get_list (row), episodes);
  else
    ear_queue_add_last (ear_library_get_queue (self->library), episodes);

  return TRUE;
}

static gboolean
drop_cb (EarSidebarPage *self, const GValue *value, double x, double y)
{
  GtkWidget *row = find_row (self, x, y);

  mark_drop (self, NULL, NULL, NULL);
  if (G_VALUE_HOLDS (value, EAR_TYPE_SIDEBAR_ITEM))
    return drop_row (self, g_value_get_object (value), row, row != NULL && is_below (self, row, y));

  return drop_episodes (self, g_value_get_boxed (value), row);
}

void
ear_sidebar_page_bind_drop (GtkWidgetClass *widget_class)
{
  g_type_ensure (G_TYPE_PTR_ARRAY);
  g_type_ensure (EAR_TYPE_SIDEBAR_ITEM);
  gtk_widget_class_bind_template_callback (widget_class, drag_prepare_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_leave_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);
}
