/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-bar.h"

/**
 * EarPlayerBar:
 *
 * The player below all panes of a wide window.
 */
struct _EarPlayerBar
{
  EarPlayerPane parent_instance;
};

G_DEFINE_FINAL_TYPE (EarPlayerBar, ear_player_bar, EAR_TYPE_PLAYER_PANE)

static void
ear_player_bar_class_init (EarPlayerBarClass *klass)
{
  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-bar.ui");
}

static void
ear_player_bar_init (EarPlayerBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
