/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_CONTROL (ear_player_control_get_type ())
G_DECLARE_DERIVABLE_TYPE (EarPlayerControl, ear_player_control, EAR, PLAYER_CONTROL, AdwBin)

/**
 * EarPlayerControlClass:
 * @player_changed: the control has got a player, which it may bind to; optional
 */
struct _EarPlayerControlClass
{
  AdwBinClass parent_class;

  void (*player_changed) (EarPlayerControl *self,
                          EarPlayer        *player);
};

G_END_DECLS
