/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_DISCOVER_ROW (ear_discover_row_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoverRow, ear_discover_row, EAR, DISCOVER_ROW, GtkWidget)

void ear_discover_row_follow (GtkWidget *list, EarLibrary *library, GListModel *results,
                              const char *address);

G_END_DECLS
