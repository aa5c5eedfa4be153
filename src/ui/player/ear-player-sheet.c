/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-sheet.h"

/**
 * EarPlayerSheet:
 *
 * The whole player on a narrow window.
 */
struct _EarPlayerSheet
{
  EarPlayerPane parent_instance;

  gboolean is_short;
};

G_DEFINE_FINAL_TYPE (EarPlayerSheet, ear_player_sheet, EAR_TYPE_PLAYER_PANE)

typedef enum
{
  PROP_SHORT = 1,
} EarPlayerSheetProperty;

static GParamSpec *props[PROP_SHORT + 1];

static void
set_short (EarPlayerSheet *self, gboolean is_short)
{
  if (self->is_short == is_short)
    return;

  self->is_short = is_short;
  if (is_short)
    gtk_widget_add_css_class (GTK_WIDGET (self), "short");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "short");
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHORT]);
}

static void
ear_player_sheet_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarPlayerSheet *self = EAR_PLAYER_SHEET (object);

  switch ((EarPlayerSheetProperty) property_id)
    {
    case PROP_SHORT:
      g_value_set_boolean (value, self->is_short);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_player_sheet_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarPlayerSheet *self = EAR_PLAYER_SHEET (object);

  switch ((EarPlayerSheetProperty) property_id)
    {
    case PROP_SHORT:
      set_short (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_player_sheet_class_init (EarPlayerSheetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_player_sheet_get_property;
  object_class->set_property = ear_player_sheet_set_property;

  /**
   * EarPlayerSheet:short:
   *
   * Whether there is no room for more than the controls: the cover makes way.
   */
  props[PROP_SHORT] =
    g_param_spec_boolean ("short", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-sheet.ui");
}

static void
ear_player_sheet_init (EarPlayerSheet *self)
{
}
