/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-row.h"

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-property.h"
#include "ear-row-action.h"

/**
 * EarSidebarRow:
 *
 * A row of the sidebar: icon, cover or arrow, title, a mark where the last check failed,
 * and the number of episodes that wait there.
 */
struct _EarSidebarRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *expander;

  /* Owned */
  GtkTreeListRow *list_row;
  EarSidebarItem *item;
  GSignalGroup *signals; /* of list_row */
};

G_DEFINE_FINAL_TYPE (EarSidebarRow, ear_sidebar_row, GTK_TYPE_WIDGET)

/* Assistive technologies see the list's own row: it gets the level and
 * the expanded state. */
static void
update_accessible (EarSidebarRow *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  guint depth;
  const gboolean is_folder = ear_sidebar_item_get_folder (self->item) != NULL;

  /* The row of a list that is being destroyed has no accessible states any more. */
  if (parent == NULL || self->list_row == NULL || gtk_widget_in_destruction (parent))
    return;
  depth = gtk_tree_list_row_get_depth (self->list_row);
  if (is_folder)
    gtk_accessible_update_state (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 gtk_tree_list_row_get_expanded (self->list_row), -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_STATE_EXPANDED);
  if (is_folder || depth > 0)
    gtk_accessible_update_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                    (int) depth + 1, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LEVEL);
}

/* The arrow expands the row: the folder remembers it. A row that leaves its list is not
 * expandable any more. */
static void
expanded_cb (EarSidebarRow *self)
{
  EarFolder *folder = ear_sidebar_item_get_folder (self->item);

  if (folder == NULL || !gtk_tree_list_row_is_expandable (self->list_row))
    return;
  ear_folder_set_folded (folder, !gtk_tree_list_row_get_expanded (self->list_row));
  update_accessible (self);
}

static void
list_row_changed_cb (EarSidebarRow *self)
{
  g_autoptr (EarSidebarItem) item =
      self->list_row != NULL ? gtk_tree_list_row_get_item (self->list_row) : NULL;

  g_signal_group_set_target (self->signals, self->list_row);
  if (g_set_object (&self->item, item))
    g_object_notify (G_OBJECT (self), "item");
  update_accessible (self);
}

/* Numbers change with every batch of a refresh. A tooltip that is set makes GTK ask the
 * display where the pointer is each time: its text is made when it is wanted instead. */
static gboolean
count_tooltip_cb (EarSidebarRow *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;

  if (self->item == NULL)
    return FALSE;
  text = ear_sidebar_item_describe_count (self->item);
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

static void
ear_sidebar_row_dispose (GObject *object)
{
  EarSidebarRow *self = EAR_SIDEBAR_ROW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIDEBAR_ROW);
  g_clear_object (&self->list_row);
  g_clear_object (&self->item);

  G_OBJECT_CLASS (ear_sidebar_row_parent_class)->dispose (object);
}

static void
ear_sidebar_row_class_init (EarSidebarRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "list-row", GTK_TYPE_TREE_LIST_ROW, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarSidebarRow, list_row), .changed = G_CALLBACK (list_row_changed_cb) },
    { "item", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarRow, item) },
  };

  object_class->dispose = ear_sidebar_row_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-sidebar-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSidebarRow, expander);
  gtk_widget_class_bind_template_callback (widget_class, count_tooltip_cb);
  ear_closures_bind (widget_class);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "sidebar-row");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
  ear_row_action_install (widget_class);
  ear_row_action_install_menu (widget_class);
}

static void
ear_sidebar_row_init (EarSidebarRow *self)
{
  self->signals = g_signal_group_new (GTK_TYPE_TREE_LIST_ROW);
  g_signal_group_connect_swapped (self->signals, "notify::expanded", G_CALLBACK (expanded_cb),
                                  self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

EAR_DEFINE_GET (EarSidebarRow, ear_sidebar_row, EarSidebarItem *, item)
