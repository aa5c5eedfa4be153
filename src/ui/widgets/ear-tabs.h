/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_TABS (ear_tabs_get_type ())
G_DECLARE_FINAL_TYPE (EarTabs, ear_tabs, EAR, TABS, GtkWidget)

void ear_tabs_move (EarTabs *self, int step);

G_END_DECLS
