/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-pane.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_SHEET (ear_player_sheet_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerSheet, ear_player_sheet, EAR, PLAYER_SHEET, EarPlayerPane)

G_END_DECLS
