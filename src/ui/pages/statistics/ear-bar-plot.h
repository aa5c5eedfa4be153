/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_BAR_PLOT (ear_bar_plot_get_type ())
G_DECLARE_FINAL_TYPE (EarBarPlot, ear_bar_plot, EAR, BAR_PLOT, GtkWidget)

void ear_bar_plot_set_bars (EarBarPlot *self, const gint64 *values, const char *const *texts,
                            const char *first, const char *last, const char *summary);

G_END_DECLS
