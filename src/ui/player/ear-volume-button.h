/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-control.h"

G_BEGIN_DECLS

#define EAR_TYPE_VOLUME_BUTTON (ear_volume_button_get_type ())
G_DECLARE_FINAL_TYPE (EarVolumeButton, ear_volume_button, EAR, VOLUME_BUTTON, EarPlayerControl)

G_END_DECLS
