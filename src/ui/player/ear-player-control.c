/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-control.h"

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

typedef enum
{
  PROP_PLAYER = 1,
} EarPlayerControlProperty;

static GParamSpec *props[PROP_PLAYER + 1];

static void
set_player (EarPlayerControl *self, EarPlayer *player)
{
  EarPlayerControlPrivate *priv = ear_player_control_get_instance_private (self);
  EarPlayerControlClass *klass = EAR_PLAYER_CONTROL_GET_CLASS (self);

  if (!g_set_object (&priv->player, player))
    return;

  if (player != NULL && klass->player_changed != NULL)
    klass->player_changed (self, player);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PLAYER]);
}

static void
ear_player_control_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarPlayerControlPrivate *priv = ear_player_control_get_instance_private (EAR_PLAYER_CONTROL (object));

  switch ((EarPlayerControlProperty) property_id)
    {
    case PROP_PLAYER:
      g_value_set_object (value, priv->player);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_player_control_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  switch ((EarPlayerControlProperty) property_id)
    {
    case PROP_PLAYER:
      set_player (EAR_PLAYER_CONTROL (object), g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
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

  object_class->get_property = ear_player_control_get_property;
  object_class->set_property = ear_player_control_set_property;
  object_class->dispose = ear_player_control_dispose;

  /**
   * EarPlayerControl:player:
   *
   * The player that it shows and moves.
   */
  props[PROP_PLAYER] =
    g_param_spec_object ("player", NULL, NULL, EAR_TYPE_PLAYER,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_player_control_init (EarPlayerControl *self)
{
}
