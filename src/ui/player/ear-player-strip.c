/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-strip.h"

/**
 * EarPlayerStrip:
 *
 * The player at the foot of a narrow window: cover, title and one button. Opens the sheet.
 */
struct _EarPlayerStrip
{
  EarPlayerPane parent_instance;

  /* Template children */
  GtkWidget *progress;
};

G_DEFINE_FINAL_TYPE (EarPlayerStrip, ear_player_strip, EAR_TYPE_PLAYER_PANE)

static void
ear_player_strip_filled (EarPlayerPane *pane)
{
  /* As the slider that it stands for. */
  gtk_widget_set_direction (EAR_PLAYER_STRIP (pane)->progress, GTK_TEXT_DIR_LTR);
}

static void
ear_player_strip_class_init (EarPlayerStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  EAR_PLAYER_PANE_CLASS (klass)->filled = ear_player_strip_filled;
  ear_player_pane_set_template (widget_class, EAR_RESOURCE_BASE "/ui/ear-player-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPlayerStrip, progress);
}

static void
ear_player_strip_init (EarPlayerStrip *self)
{
}
