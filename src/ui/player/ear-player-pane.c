/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-pane.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-play-button.h"
#include "ear-property.h"
#include "ear-scrubber.h"
#include "ear-speed-button.h"
#include "ear-transport.h"
#include "ear-volume-button.h"

/**
 * EarPlayerPane:
 *
 * What shows the player: the bar below the panes, the strip on a narrow screen and the
 * sheet that it opens are templates of this.
 *
 * What is in it is made when it is first in sight: no window shows all of them, and none of
 * them before something plays.
 */
typedef struct
{
  /* Owned */
  EarLibrary *library;
  gboolean filled;
} EarPlayerPanePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EarPlayerPane, ear_player_pane, ADW_TYPE_BIN)

static void
ear_player_pane_map (GtkWidget *widget)
{
  EarPlayerPane *self = EAR_PLAYER_PANE (widget);
  EarPlayerPanePrivate *priv = ear_player_pane_get_instance_private (self);
  EarPlayerPaneClass *klass = EAR_PLAYER_PANE_GET_CLASS (self);

  if (!priv->filled)
    {
      priv->filled = TRUE;
      gtk_widget_init_template (widget);
      if (klass->filled != NULL)
        klass->filled (self);
    }

  GTK_WIDGET_CLASS (ear_player_pane_parent_class)->map (widget);
}

static void
ear_player_pane_dispose (GObject *object)
{
  EarPlayerPanePrivate *priv = ear_player_pane_get_instance_private (EAR_PLAYER_PANE (object));

  if (priv->filled)
    gtk_widget_dispose_template (GTK_WIDGET (object), G_OBJECT_TYPE (object));
  g_clear_object (&priv->library);

  G_OBJECT_CLASS (ear_player_pane_parent_class)->dispose (object);
}

static void
ear_player_pane_class_init (EarPlayerPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whose player is shown */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_PRIVATE_OFFSET (EarPlayerPane, library) },
  };

  object_class->dispose = ear_player_pane_dispose;
  GTK_WIDGET_CLASS (klass)->map = ear_player_pane_map;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_player_pane_init (EarPlayerPane *self)
{
}

/* Gives a pane its template, which may use all of the player's widgets and closures. */
void
ear_player_pane_set_template (GtkWidgetClass *widget_class, const char *resource)
{
  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_PLAY_BUTTON);
  g_type_ensure (EAR_TYPE_SCRUBBER);
  g_type_ensure (EAR_TYPE_SPEED_BUTTON);
  g_type_ensure (EAR_TYPE_TRANSPORT);
  g_type_ensure (EAR_TYPE_VOLUME_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class, resource);
  ear_closures_bind (widget_class);
}
