/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_TOAST_LAYOUT (ear_toast_layout_get_type ())
G_DECLARE_FINAL_TYPE (EarToastLayout, ear_toast_layout, EAR, TOAST_LAYOUT, GtkLayoutManager)

GtkLayoutManager *ear_toast_layout_new (void);

G_END_DECLS
