/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"
#include "ear-statistics.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_LISTENED_ROW (ear_listened_row_get_type ())
G_DECLARE_FINAL_TYPE (EarListenedRow, ear_listened_row, EAR, LISTENED_ROW, GtkListBoxRow)

GtkWidget *ear_listened_row_new (const EarListenedPodcast *listened,
                                 EarPodcast               *podcast,
                                 gint64                    most);

G_END_DECLS
