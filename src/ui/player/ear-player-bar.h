/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-pane.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_BAR (ear_player_bar_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerBar, ear_player_bar, EAR, PLAYER_BAR, EarPlayerPane)

G_END_DECLS
