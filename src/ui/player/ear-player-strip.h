/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-pane.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_STRIP (ear_player_strip_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerStrip, ear_player_strip, EAR, PLAYER_STRIP, EarPlayerPane)

G_END_DECLS
