/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-volume-button.h"

#include "ear-closures.h"
#include "ear-format.h"

/**
 * EarVolumeButton:
 *
 * Shows the volume, and opens what changes it.
 */
struct _EarVolumeButton
{
  EarPlayerControl parent_instance;

  /* Template children */
  GtkAdjustment *adjustment;
  GtkScale *scale;
  GtkToggleButton *mute;
};

G_DEFINE_FINAL_TYPE (EarVolumeButton, ear_volume_button, EAR_TYPE_PLAYER_CONTROL)

static void
value_changed_cb (EarVolumeButton *self)
{
  g_autofree char *text = ear_format_percent ((int) (gtk_adjustment_get_value (self->adjustment) * 100 + 0.5));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/* A wheel makes it louder and quieter without opening anything, but where it scrolls what the button is in. */
static gboolean
scrolled_cb (EarVolumeButton *self, double dx, double dy)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (dy == 0 || gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW) != NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (widget, dy < 0 ? "app.volume-up" : "app.volume-down", NULL);

  return GDK_EVENT_STOP;
}

static void
ear_volume_button_player_changed (EarPlayerControl *control, EarPlayer *player)
{
  EarVolumeButton *self = EAR_VOLUME_BUTTON (control);

  g_object_bind_property (player, "volume", self->adjustment, "value", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (player, "muted", self->mute, "active", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

static void
ear_volume_button_class_init (EarVolumeButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  EAR_PLAYER_CONTROL_CLASS (klass)->player_changed = ear_volume_button_player_changed;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-volume-button.ui");
  gtk_widget_class_bind_template_child (widget_class, EarVolumeButton, adjustment);
  gtk_widget_class_bind_template_child (widget_class, EarVolumeButton, scale);
  gtk_widget_class_bind_template_child (widget_class, EarVolumeButton, mute);
  gtk_widget_class_bind_template_callback (widget_class, value_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, scrolled_cb);
  ear_closures_bind (widget_class);
}

static void
ear_volume_button_init (EarVolumeButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  value_changed_cb (self);
}
