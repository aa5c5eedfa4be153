/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-control.h"

G_BEGIN_DECLS

#define EAR_TYPE_SPEED_BUTTON (ear_speed_button_get_type ())
G_DECLARE_FINAL_TYPE (EarSpeedButton, ear_speed_button, EAR, SPEED_BUTTON, EarPlayerControl)

G_END_DECLS
