/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-bar.h"

#include "ear-player-bar-layout.h"

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
  g_type_ensure (EAR_TYPE_PLAYER_BAR_LAYOUT);
  /* Not in the template: assistive technologies may know the bar before it is filled. */
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_REGION);
  ear_player_pane_set_template (GTK_WIDGET_CLASS (klass), EAR_RESOURCE_BASE "/ui/ear-player-bar.ui");
}

static void
ear_player_bar_init (EarPlayerBar *self)
{
}
