/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One of the bars */
typedef struct
{
  char *label;  /* (nullable): what stands below it, where there is room */
  char *text;   /* what it says in words */
  gint64 value; /* microseconds, 0 or more */
} EarBar;

#define EAR_TYPE_BAR_PLOT (ear_bar_plot_get_type ())
G_DECLARE_FINAL_TYPE (EarBarPlot, ear_bar_plot, EAR, BAR_PLOT, GtkWidget)

GPtrArray  *ear_bars_new          (void);
void        ear_bars_add          (GPtrArray  *bars,
                                   char       *label,
                                   char       *text,
                                   gint64      value);
void        ear_bar_plot_set_bars (EarBarPlot *self,
                                   GPtrArray  *bars,
                                   const char *summary);
const char *ear_bar_plot_get_text (EarBarPlot *self);

G_END_DECLS
