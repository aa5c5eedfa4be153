/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_PANE (ear_player_pane_get_type ())
G_DECLARE_DERIVABLE_TYPE (EarPlayerPane, ear_player_pane, EAR, PLAYER_PANE, AdwBin)

struct _EarPlayerPaneClass
{
  AdwBinClass parent_class;

  void (*filled) (EarPlayerPane *self);
};

void ear_player_pane_set_template (GtkWidgetClass *widget_class,
                                   const char     *resource);

G_END_DECLS
