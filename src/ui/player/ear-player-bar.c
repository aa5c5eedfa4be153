/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-bar.h"

/* Where the window is wide. */
#define TEXT_CHARS 24

/**
 * EarPlayerBar:
 *
 * The player below all panes of a wide window.
 */
struct _EarPlayerBar
{
  EarPlayerPane parent_instance;

  int text_chars;
};

G_DEFINE_FINAL_TYPE (EarPlayerBar, ear_player_bar, EAR_TYPE_PLAYER_PANE)

typedef enum
{
  PROP_TEXT_CHARS = 1,
} EarPlayerBarProperty;

static GParamSpec *props[PROP_TEXT_CHARS + 1];

static void
ear_player_bar_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarPlayerBar *self = EAR_PLAYER_BAR (object);

  switch ((EarPlayerBarProperty) property_id)
    {
    case PROP_TEXT_CHARS:
      g_value_set_int (value, self->text_chars);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_player_bar_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarPlayerBar *self = EAR_PLAYER_BAR (object);

  switch ((EarPlayerBarProperty) property_id)
    {
    case PROP_TEXT_CHARS:
      if (self->text_chars != g_value_get_int (value))
        {
          self->text_chars = g_value_get_int (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_player_bar_class_init (EarPlayerBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_player_bar_get_property;
  object_class->set_property = ear_player_bar_set_property;

  /**
   * EarPlayerBar:text-chars:
   *
   * How many characters the titles, or what has failed, have room for at least. Where that is
   * all that they get, the buttons beside them stay where they are, whatever plays.
   */
  props[PROP_TEXT_CHARS] =
    g_param_spec_int ("text-chars", NULL, NULL, 1, TEXT_CHARS, TEXT_CHARS,
                      G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /* Not in the template: assistive technologies may know the bar before it is filled. */
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_REGION);
  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-bar.ui");
}

static void
ear_player_bar_init (EarPlayerBar *self)
{
  self->text_chars = TEXT_CHARS;
}
