/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_TEXT_LAYOUT (ear_text_layout_get_type ())
G_DECLARE_FINAL_TYPE (EarTextLayout, ear_text_layout, EAR, TEXT_LAYOUT, GtkLayoutManager)

GtkLayoutManager *ear_text_layout_new (void);

G_END_DECLS
