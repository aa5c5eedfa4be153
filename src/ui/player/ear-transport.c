/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transport.h"

#include "ear-closures.h"
#include "ear-play-button.h"
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

typedef enum
{
  PROP_SETTINGS = 1,
} EarTransportProperty;

static GParamSpec *props[PROP_SETTINGS + 1];

static void
ear_transport_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  switch ((EarTransportProperty) property_id)
    {
    case PROP_SETTINGS:
      g_value_set_object (value, EAR_TRANSPORT (object)->settings);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_transport_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  switch ((EarTransportProperty) property_id)
    {
    case PROP_SETTINGS:
      if (g_set_object (&EAR_TRANSPORT (object)->settings, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

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

  object_class->get_property = ear_transport_get_property;
  object_class->set_property = ear_transport_set_property;
  object_class->dispose = ear_transport_dispose;

  /**
   * EarTransport:settings:
   *
   * How far the listener likes to skip.
   */
  props[PROP_SETTINGS] =
    g_param_spec_object ("settings", NULL, NULL, EAR_TYPE_SETTINGS,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

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
