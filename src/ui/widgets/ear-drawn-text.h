/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

PangoLayout *ear_drawn_text_new             (GtkWidget     *widget,
                                             const char    *text);
void         ear_drawn_text_snapshot        (PangoLayout   *layout,
                                             GtkWidget     *widget,
                                             GtkSnapshot   *target,
                                             int            x,
                                             int            y);

PangoLayout *ear_drawn_text_new_title       (GtkWidget     *row,
                                             const char    *text,
                                             PangoAttrList *attributes);
int          ear_drawn_text_fit_title       (PangoLayout   *title,
                                             int            width);
void         ear_drawn_text_get_title_color (GtkWidget     *row,
                                             GdkRGBA       *color);
void         ear_drawn_text_snapshot_title  (PangoLayout   *title,
                                             GtkWidget     *row,
                                             GtkSnapshot   *target,
                                             int            x,
                                             int            y,
                                             const GdkRGBA *color);
gboolean     ear_drawn_text_is_out_of_sight (GtkWidget     *row);

G_END_DECLS
