/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-item-row.h"

#include "ear-format.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/**
 * EarItemRow:
 *
 * The base of the rows of links, bookmarks, chapters and found podcasts, in list boxes and
 * list views: time, title with up to two lines below it, and a menu, if any, which a right
 * click, a long press and `row.menu` open. A subclass may have a widget before the title, and one
 * after it.
 */
typedef struct
{
  /* Template children */
  GtkLabel *time_label;
  GtkLabel *title;
  GtkLabel *detail;
  GtkLabel *source;
  GtkMenuButton *menu_button;

  /* Owned */
  GMenuModel *menu;
  GtkWidget *prefix; /* (nullable) */
  GtkWidget *suffix; /* (nullable) */
  char *name; /* (nullable): the row as a screen reader reads it */

  gint64 time; /* microseconds */
  gboolean with_menu_button;
} EarItemRowPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EarItemRow, ear_item_row, ADW_TYPE_BIN)

static GMenuModel *
create_menu (GtkWidget *owner, GtkWidget *row)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (EAR_ITEM_ROW (row));

  return priv->menu != NULL ? g_object_ref (priv->menu) : NULL;
}

static void
menu (GtkWidget *widget)
{
  ear_row_menu_open (widget, widget);
}

static void
menu_changed_cb (EarItemRow *self)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (self);

  ear_menu_later_set (priv->menu_button, priv->menu);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "row.menu", TRUE);
}

/* Names the row of the list, which has the focus. */
static void
update_parent (EarItemRow *self)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (self);
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent != NULL && priv->name != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    priv->name, -1);
}

static void
ear_item_row_dispose (GObject *object)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (EAR_ITEM_ROW (object));

  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_ITEM_ROW);
  g_clear_object (&priv->menu);
  g_clear_object (&priv->prefix);
  g_clear_object (&priv->suffix);
  g_clear_pointer (&priv->name, g_free);

  G_OBJECT_CLASS (ear_item_row_parent_class)->dispose (object);
}

static void
ear_item_row_class_init (EarItemRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "menu", G_TYPE_MENU_MODEL, G_PARAM_READWRITE, G_PRIVATE_OFFSET (EarItemRow, menu),
      .changed = G_CALLBACK (menu_changed_cb) },
    { "with-menu-button", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_PRIVATE_OFFSET (EarItemRow, with_menu_button) },
    { "prefix", GTK_TYPE_WIDGET, G_PARAM_READWRITE, G_PRIVATE_OFFSET (EarItemRow, prefix) },
    { "suffix", GTK_TYPE_WIDGET, G_PARAM_READWRITE, G_PRIVATE_OFFSET (EarItemRow, suffix) },
  };

  G_OBJECT_CLASS (klass)->dispose = ear_item_row_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  ear_row_action_install (widget_class);
  ear_action_install (widget_class, "row.menu", NULL, menu);

  gtk_widget_class_set_css_name (widget_class, "item");
  ear_widget_set_template (widget_class, "ear-item-row");
  gtk_widget_class_bind_template_child_private (widget_class, EarItemRow, time_label);
  gtk_widget_class_bind_template_child_private (widget_class, EarItemRow, title);
  gtk_widget_class_bind_template_child_private (widget_class, EarItemRow, detail);
  gtk_widget_class_bind_template_child_private (widget_class, EarItemRow, source);
  gtk_widget_class_bind_template_child_private (widget_class, EarItemRow, menu_button);
  gtk_widget_class_bind_template_callback (widget_class, update_parent);
}

static void
ear_item_row_init (EarItemRow *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "row.menu", FALSE);
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_row_menu_attach (GTK_WIDGET (self), GTK_WIDGET (self), EAR_TYPE_ITEM_ROW, create_menu);
}

static gboolean
key_cb (GtkWidget *list, GVariant *arguments, gpointer user_data)
{
  GtkWidget *row = ear_row_with_focus (list, EAR_TYPE_ITEM_ROW);

  return row != NULL &&
         gtk_widget_activate_action (row, g_variant_get_string (arguments, NULL), NULL);
}

/* Lets a key activate an action of the row that has the focus.
 * @widget_class: of a widget around the list */
void
ear_item_row_add_key (GtkWidgetClass *widget_class, guint key, GdkModifierType modifiers,
                      const char *action)
{
  gtk_widget_class_add_binding (widget_class, key, modifiers, key_cb, "s", action);
}

/* Shows a time in an episode. */
void
ear_item_row_set_time (EarItemRow *self, gint64 time)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (self);
  g_autofree char *clock = ear_format_clock (time);

  priv->time = time;
  gtk_label_set_label (priv->time_label, clock);
  gtk_widget_set_visible (GTK_WIDGET (priv->time_label), TRUE);
}

gint64
ear_item_row_get_time (EarItemRow *self)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (self);

  return priv->time;
}

/* @detail: (nullable)
 * @source: (nullable): the episode or podcast of the item
 * @name: the row as a screen reader reads it */
void
ear_item_row_set_texts (EarItemRow *self, const char *title, const char *detail,
                        const char *source, const char *name)
{
  EarItemRowPrivate *priv = ear_item_row_get_instance_private (self);

  ear_label_show (priv->title, title);
  ear_label_show (priv->detail, detail);
  ear_label_show (priv->source, source);
  g_set_str (&priv->name, name);
  update_parent (self);
}
