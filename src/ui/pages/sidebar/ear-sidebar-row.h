/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_SIDEBAR_ROW (ear_sidebar_row_get_type ())
G_DECLARE_FINAL_TYPE (EarSidebarRow, ear_sidebar_row, EAR, SIDEBAR_ROW, GtkWidget)

EarSidebarItem *ear_sidebar_row_get_item (EarSidebarRow *self);

G_END_DECLS
