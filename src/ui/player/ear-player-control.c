/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-control.h"

#include "ear-property.h"

/**
 * EarPlayerControl:
 *
 * What moves one thing of the player: play and pause, speed, volume. Each is a template
 * of this, which looks at the player.
 */
typedef struct
{
  /* Owned */
  EarPlayer *player;
} EarPlayerControlPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EarPlayerControl, ear_player_control, ADW_TYPE_BIN)

static void
player_changed_cb (EarPlayerControl *self)
{
  EarPlayerControlPrivate *priv = ear_player_control_get_instance_private (self);
  EarPlayerControlClass *klass = EAR_PLAYER_CONTROL_GET_CLASS (self);

  if (priv->player != NULL && klass->player_changed != NULL)
    klass->player_changed (self, priv->player);
}

static void
ear_player_control_dispose (GObject *object)
{
  EarPlayerControlPrivate *priv = ear_player_control_get_instance_private (EAR_PLAYER_CONTROL (object));

  gtk_widget_dispose_template (GTK_WIDGET (object), G_OBJECT_TYPE (object));
  g_clear_object (&priv->player);

  G_OBJECT_CLASS (ear_player_control_parent_class)->dispose (object);
}

static void
ear_player_control_class_init (EarPlayerControlClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* The player that it shows and moves */
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_PRIVATE_OFFSET (EarPlayerControl, player),
      .changed = G_CALLBACK (player_changed_cb) },
  };

  object_class->dispose = ear_player_control_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_player_control_init (EarPlayerControl *self)
{
}
