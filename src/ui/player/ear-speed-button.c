/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-speed-button.h"

#include "ear-closures.h"
#include "ear-format.h"
#include "ear-listening-meter.h"
#include "ear-playback-settings.h"
#include "ear-property.h"

#include <glib/gi18n.h>
#include <math.h>

/* Of a speed of 1 */
#define STEPS 20

/**
 * EarSpeedButton:
 *
 * Shows the playback speed, and opens what changes it, and what else is done with the sound.
 */
struct _EarSpeedButton
{
  EarPlayerControl parent_instance;

  /* Template children */
  GtkAdjustment *adjustment;
  GtkScale *scale;

  /* Owned */
  EarPlaybackSettings *playback_settings;
  EarListeningMeter *listening_meter;
};

G_DEFINE_FINAL_TYPE (EarSpeedButton, ear_speed_button, EAR_TYPE_PLAYER_CONTROL)

/* By itself the button is called after all that is written in it, its popover too, once that is open. */
static void
value_changed_cb (EarSpeedButton *self)
{
  g_autofree char *text = ear_format_rate (gtk_adjustment_get_value (self->adjustment));
  g_autofree char *spoken = g_strconcat (_("Speed"), C_("spoken separator", ", "), text, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (adw_bin_get_child (ADW_BIN (self))), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/* A pointer comes to rest anywhere: it sets the steps that the keys and the buttons do. */
static gboolean
change_value_cb (EarSpeedButton *self, GtkScrollType scroll, double value)
{
  gtk_adjustment_set_value (self->adjustment, round (value * STEPS) / STEPS);

  return GDK_EVENT_STOP;
}

static void
step (EarSpeedButton *self, int direction)
{
  gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment) +
                                                direction * gtk_adjustment_get_step_increment (self->adjustment));
}

static void
slower_cb (EarSpeedButton *self)
{
  step (self, -1);
}

static void
faster_cb (EarSpeedButton *self)
{
  step (self, 1);
}

static void
opened_cb (EarSpeedButton *self)
{
  if (self->playback_settings != NULL)
    ear_playback_settings_begin_change (self->playback_settings);
}

static void
closed_cb (EarSpeedButton *self)
{
  if (self->playback_settings != NULL)
    ear_playback_settings_end_change (self->playback_settings);
}

static void
ear_speed_button_player_changed (EarPlayerControl *control, EarPlayer *player)
{
  EarSpeedButton *self = EAR_SPEED_BUTTON (control);

  g_object_bind_property (player, "rate", self->adjustment, "value", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

static void
ear_speed_button_dispose (GObject *object)
{
  EarSpeedButton *self = EAR_SPEED_BUTTON (object);

  G_OBJECT_CLASS (ear_speed_button_parent_class)->dispose (object);
  g_clear_object (&self->playback_settings);
  g_clear_object (&self->listening_meter);
}

static void
ear_speed_button_class_init (EarSpeedButtonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* For which podcast it is set */
    { "playback-settings", EAR_TYPE_PLAYBACK_SETTINGS, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSpeedButton, playback_settings) },
    /* What the listener has of shorter pauses */
    { "listening-meter", EAR_TYPE_LISTENING_METER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSpeedButton, listening_meter) },
  };

  object_class->dispose = ear_speed_button_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  EAR_PLAYER_CONTROL_CLASS (klass)->player_changed = ear_speed_button_player_changed;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-speed-button.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSpeedButton, adjustment);
  gtk_widget_class_bind_template_child (widget_class, EarSpeedButton, scale);
  gtk_widget_class_bind_template_callback (widget_class, value_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, change_value_cb);
  gtk_widget_class_bind_template_callback (widget_class, slower_cb);
  gtk_widget_class_bind_template_callback (widget_class, faster_cb);
  gtk_widget_class_bind_template_callback (widget_class, opened_cb);
  gtk_widget_class_bind_template_callback (widget_class, closed_cb);
  /* Else the focus is where GTK finds the first place for it, which is the slowest speed. */
  gtk_widget_class_bind_template_callback (widget_class, gtk_widget_grab_focus);
  ear_closures_bind (widget_class);
}

static void
ear_speed_button_init (EarSpeedButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  value_changed_cb (self);
  gtk_scale_add_mark (self->scale, 1.0, GTK_POS_TOP, NULL);
}
