/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

guint ear_rows_in_sight (GtkWidget *page, int row_height);
void ear_rows_keep_top (GtkListView *list_view, guint position, guint n_removed, guint n_added);

G_END_DECLS
