/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-sheet.h"

#include "ear-property.h"
#include "ear-widget.h"

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

static void
short_changed_cb (EarPlayerSheet *self)
{
  ear_set_css_class (GTK_WIDGET (self), "short", self->is_short);
}

static void
ear_player_sheet_class_init (EarPlayerSheetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether there is no room for more than the controls: the cover makes way */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerSheet, is_short),
      .changed = G_CALLBACK (short_changed_cb) },
  };

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-sheet.ui");
}

static void
ear_player_sheet_init (EarPlayerSheet *self)
{
}
