/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* The place of the playing chapter: the next chapters matter more than
 * the previous ones. */
#define EAR_SIGHT_NOW (1.0 / 3)

AdwAnimation *ear_sight_glide (GtkScrolledWindow *scroller, double value) G_GNUC_WARN_UNUSED_RESULT;
gboolean ear_sight_has (GtkWidget *widget);
void ear_sight_bring (GtkWidget *widget, double place);
guint ear_rows_in_sight (GtkWidget *page, int row_height);
void ear_rows_keep_top (GtkListView *list_view, guint position, guint n_removed, guint n_added);

G_END_DECLS
