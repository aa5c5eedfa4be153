/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-tabs.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_WIDGET (ear_player_widget_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerWidget, ear_player_widget, EAR, PLAYER_WIDGET, AdwBin)

EarEpisodeTabs *ear_player_widget_get_tabs (EarPlayerWidget *self);

G_END_DECLS
