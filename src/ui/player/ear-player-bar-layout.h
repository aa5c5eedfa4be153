/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_PLAYER_BAR_LAYOUT (ear_player_bar_layout_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayerBarLayout, ear_player_bar_layout, EAR, PLAYER_BAR_LAYOUT, GtkLayoutManager)

G_END_DECLS
