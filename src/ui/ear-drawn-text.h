/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

PangoLayout *ear_drawn_text_new      (GtkWidget   *widget,
                                      const char  *text);
void         ear_drawn_text_snapshot (PangoLayout *layout,
                                      GtkWidget   *widget,
                                      GtkSnapshot *snapshot,
                                      int          x,
                                      int          y);

G_END_DECLS
