/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-widget.h"

#include "ear-closures.h"

/* Helpers for widgets and actions that GTK and libadwaita lack */

/* Gives a class its template, which may use the closures of ear-closures.c.
 * @name: of the file, without its ending */
void
ear_widget_set_template (GtkWidgetClass *widget_class, const char *name)
{
  g_autofree char *path = g_strconcat (EAR_RESOURCE_BASE "/ui/", name, ".ui", NULL);

  gtk_widget_class_set_template_from_resource (widget_class, path);
  ear_closures_bind (widget_class);
}

#define OBJECT "ear-action-object"

static void
run_on_part_cb (const EarActionEntry *entry, GVariant *parameter, GSimpleAction *action)
{
  g_autoptr (GObject) library = NULL;
  g_autoptr (GObject) part = NULL;

  g_object_get (g_object_get_data (G_OBJECT (action), OBJECT), "library", &library, NULL);
  if (library == NULL)
    return;

  g_object_get (library, entry->part, &part, NULL);
  if (part != NULL)
    ((void (*) (gpointer, GVariant *, GSimpleAction *)) entry->activate) (part, parameter, action);
}

/* @entries: (array length=n): not copied where they have a part */
void
ear_actions_add (GActionMap *map, const EarActionEntry *entries, gsize n, gpointer self)
{
  for (const EarActionEntry *entry = entries; entry < entries + n; entry++)
    {
      const GVariantType *type =
          entry->parameter_type != NULL ? G_VARIANT_TYPE (entry->parameter_type) : NULL;
      const char *signal = entry->state != NULL ? "change-state" : "activate";
      g_autoptr (GSimpleAction) action =
          entry->state != NULL
              ? g_simple_action_new_stateful (entry->name, type,
                                              g_variant_new_parsed (entry->state))
              : g_simple_action_new (entry->name, type);

      g_object_set_data (G_OBJECT (action), OBJECT, self);
      if (entry->part != NULL)
        g_signal_connect_swapped (action, signal, G_CALLBACK (run_on_part_cb), (gpointer) entry);
      else if (entry->activate != NULL)
        g_signal_connect_swapped (action, signal, entry->activate, self);
      g_action_map_add_action (map, G_ACTION (action));
    }
}

void
ear_action_set_enabled (GActionMap *map, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), enabled);
}

/* Shows a text; without one, hides the label.
 * @text: (nullable) */
void
ear_label_show (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), !ear_is_empty (text));
}

/* Adds a background to bytes of a text, in place of another one there.
 * @attributes: (inout) (nullable): of a label */
void
ear_highlight (PangoAttrList **attributes, gsize start, gsize end, const GdkRGBA *color)
{
  PangoAttribute *background = pango_attr_background_new ((guint16) (color->red * G_MAXUINT16),
                                                          (guint16) (color->green * G_MAXUINT16),
                                                          (guint16) (color->blue * G_MAXUINT16));
  PangoAttribute *alpha = pango_attr_background_alpha_new ((guint16) (color->alpha * G_MAXUINT16));

  if (*attributes == NULL)
    *attributes = pango_attr_list_new ();
  background->start_index = alpha->start_index = (guint) start;
  background->end_index = alpha->end_index = (guint) end;
  pango_attr_list_change (*attributes, background);
  pango_attr_list_change (*attributes, alpha);
}

/* Sets the direction of a widget and all that it contains. */
void
ear_set_direction (GtkWidget *widget, GtkTextDirection direction)
{
  gtk_widget_set_direction (widget, direction);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ear_set_direction (child, direction);
}

/* Returns: whether the event that a controller handles is of a finger, which scrolls */
gboolean
ear_is_touch (gpointer controller)
{
  GdkDevice *device = gtk_event_controller_get_current_event_device (controller);

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

/* Ends what the widget's own gestures have begun, such as a drag of a scale. */
void
ear_cancel_gestures (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE (controller))
        gtk_event_controller_reset (controller);
    }
}

void
ear_set_css_class (GtkWidget *widget, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

/* Calls gtk_accessible_announce() unless there is no accessibility bus: GTK (4.18) then
 * has a context for tests, and ends the program in that function. */
void
ear_announce (GtkAccessible *accessible, const char *message,
              GtkAccessibleAnnouncementPriority priority)
{
  g_autoptr (GtkATContext) context = gtk_accessible_get_at_context (accessible);

  if (context != NULL && !g_str_equal (G_OBJECT_TYPE_NAME (context), "GtkTestATContext"))
    gtk_accessible_announce (accessible, message, priority);
}

/* Returns: (transfer none) (nullable): the first widget that fits, @widget
 * itself or within it */
GtkWidget *
ear_find_within (GtkWidget *widget, EarFits fits)
{
  GtkWidget *found = fits (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = ear_find_within (child, fits);

  return found;
}

static void
create_popup_cb (GtkMenuButton *button, gpointer user_data)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, G_MENU_MODEL (user_data));
}

/* Gives the button a menu whose widgets, thirty to fifty, are made when it
 * is first opened. */
void
ear_menu_later_set (GtkMenuButton *button, GMenuModel *menu)
{
  if (gtk_menu_button_get_menu_model (button) != NULL)
    gtk_menu_button_set_menu_model (button, NULL);
  gtk_menu_button_set_create_popup_func (button, create_popup_cb, g_object_ref (menu),
                                         g_object_unref);
}

/* @target: of an entry of the menu
 * Returns: (transfer full) (nullable): the label of the entry */
char *
ear_menu_dup_label (GMenuModel *menu, const char *target)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *own = NULL;
      char *label;

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_TARGET, "s", &own) &&
          g_str_equal (own, target) &&
          g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
        return label;
    }

  return NULL;
}

typedef struct
{
  guint n_frames;
  void (*run) (GtkWidget *widget);
} Later;

static gboolean
later_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  Later *later = user_data;

  if (later->n_frames-- > 0)
    return G_SOURCE_CONTINUE;
  later->run (widget);

  return G_SOURCE_REMOVE;
}

/* Calls `void run (widget)` when @n_frames frames were drawn. */
void
ear_run_after_frames (GtkWidget *widget, guint n_frames, GCallback run)
{
  Later *later = g_new (Later, 1);

  *later = (Later) { n_frames, (void (*) (GtkWidget *)) run };
  gtk_widget_add_tick_callback (widget, later_tick_cb, later, g_free);
}

/* Not at once: before its second frame a dialog (libadwaita 1.7) is not open, and would
 * take Escape without closing. */
static void
dialog_mapped_cb (GtkWidget *widget)
{
  ear_run_after_frames (widget, 1, G_CALLBACK (gtk_widget_grab_focus));
}

/* Makes the keys begin at a widget of the dialog, like adw_dialog_set_focus(), but also
 * in a narrow window: there the dialog becomes a sheet with its first frame, which moves
 * the focus (libadwaita 1.7). */
void
ear_dialog_set_focus (AdwDialog *dialog, GtkWidget *widget)
{
  adw_dialog_set_focus (dialog, widget);
  g_signal_connect_object (dialog, "map", G_CALLBACK (dialog_mapped_cb), widget,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}
