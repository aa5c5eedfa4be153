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
};

G_DEFINE_FINAL_TYPE (EarPlayerSheet, ear_player_sheet, EAR_TYPE_PLAYER_PANE)

static void
ear_player_sheet_class_init (EarPlayerSheetClass *klass)
{
  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-sheet.ui");
}

static void
ear_player_sheet_init (EarPlayerSheet *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
