/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transport.h"

#include "ear-closures.h"
#include "ear-play-button.h"
#include "ear-property.h"
#include "ear-settings.h"

/**
 * EarTransport:
 *
 * Back, play, forward. Like those of a tape, the buttons keep their order where reading
 * goes from right to left.
 */
struct _EarTransport
{
  EarPlayerControl parent_instance;

  /* Owned */
  EarSettings *settings;
};

G_DEFINE_FINAL_TYPE (EarTransport, ear_transport, EAR_TYPE_PLAYER_CONTROL)

static void
ear_transport_dispose (GObject *object)
{
  g_clear_object (&EAR_TRANSPORT (object)->settings);

  G_OBJECT_CLASS (ear_transport_parent_class)->dispose (object);
}

static void
ear_transport_class_init (EarTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* How far the listener likes to skip */
    { "settings", EAR_TYPE_SETTINGS, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTransport, settings) },
  };

  object_class->dispose = ear_transport_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_PLAY_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-transport.ui");
  ear_closures_bind (widget_class);
}

static void
ear_transport_init (EarTransport *self)
{
  GtkWidget *box;

  gtk_widget_init_template (GTK_WIDGET (self));
  box = adw_bin_get_child (ADW_BIN (self));
  gtk_widget_set_direction (box, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL; child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_direction (child, GTK_TEXT_DIR_LTR);
}
