/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_BAR_PLOT (ear_bar_plot_get_type ())
G_DECLARE_FINAL_TYPE (EarBarPlot, ear_bar_plot, EAR, BAR_PLOT, GtkWidget)

/* A bar, as in “26 November 2026: 35 min” */
typedef struct
{
  char *text;
  gint64 value; /* microseconds */
} EarBar;

GPtrArray *ear_bars_new (void);
void ear_bars_add (GPtrArray *bars, char *text, gint64 value);
void ear_bar_plot_set_bars (EarBarPlot *self, GPtrArray *bars, const char *first, const char *last,
                            const char *summary);

G_END_DECLS
