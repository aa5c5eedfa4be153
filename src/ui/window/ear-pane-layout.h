/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_PANE_LAYOUT (ear_pane_layout_get_type ())
G_DECLARE_FINAL_TYPE (EarPaneLayout, ear_pane_layout, EAR, PANE_LAYOUT, GtkLayoutManager)

G_END_DECLS
