/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sleep-button.h"

#include "ear-closures.h"
#include "ear-property.h"

/**
 * EarSleepButton:
 *
 * Says when playing is going to pause by itself, and lets the listener choose that.
 */
struct _EarSleepButton
{
  AdwBin parent_instance;

  /* Owned */
  EarSleepTimer *timer;
};

G_DEFINE_FINAL_TYPE (EarSleepButton, ear_sleep_button, ADW_TYPE_BIN)

/* By itself the button is called after the few letters in it. */
static void
described_cb (GtkWidget *button)
{
  const char *words = gtk_widget_get_tooltip_text (button);

  if (words != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
ear_sleep_button_dispose (GObject *object)
{
  EarSleepButton *self = EAR_SLEEP_BUTTON (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_SLEEP_BUTTON);
  g_clear_object (&self->timer);

  G_OBJECT_CLASS (ear_sleep_button_parent_class)->dispose (object);
}

static void
ear_sleep_button_class_init (EarSleepButtonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What pauses */
    { "timer", EAR_TYPE_SLEEP_TIMER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSleepButton, timer) },
  };

  object_class->dispose = ear_sleep_button_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-sleep-button.ui");
  gtk_widget_class_bind_template_callback (widget_class, described_cb);
  ear_closures_bind (widget_class);
}

static void
ear_sleep_button_init (EarSleepButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
