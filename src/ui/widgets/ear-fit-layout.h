/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_FIT_LAYOUT (ear_fit_layout_get_type ())
G_DECLARE_FINAL_TYPE (EarFitLayout, ear_fit_layout, EAR, FIT_LAYOUT, GtkLayoutManager)

G_END_DECLS
