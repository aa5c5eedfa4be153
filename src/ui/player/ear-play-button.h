/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-control.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAY_BUTTON (ear_play_button_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayButton, ear_play_button, EAR, PLAY_BUTTON, EarPlayerControl)

G_END_DECLS
