/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-button.h"

#include "ear-closures.h"

/**
 * EarPlayButton:
 *
 * Plays and pauses; turns while the player waits for bytes.
 */
struct _EarPlayButton
{
  EarPlayerControl parent_instance;
};

G_DEFINE_FINAL_TYPE (EarPlayButton, ear_play_button, EAR_TYPE_PLAYER_CONTROL)

static void
ear_play_button_class_init (EarPlayButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-play-button.ui");
  ear_closures_bind (widget_class);
}

static void
ear_play_button_init (EarPlayButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
