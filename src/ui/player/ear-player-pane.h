/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-tabs.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_PANE (ear_player_pane_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerPane, ear_player_pane, EAR, PLAYER_PANE, AdwBin)

EarEpisodeTabs *ear_player_pane_get_tabs (EarPlayerPane *self);

G_END_DECLS
