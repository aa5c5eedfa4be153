/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Creates the menu of @row, if it has one. From then on, the actions of @owner
 * apply to that row. */
typedef GMenuModel *(*EarRowMenuFunc) (GtkWidget *owner, GtkWidget *row);

void ear_row_action_install (GtkWidgetClass *widget_class);
void ear_row_action_install_menu (GtkWidgetClass *widget_class);
GtkWidget *ear_row_at (GtkWidget *area, double x, double y, GType type);
GtkWidget *ear_row_with_focus (GtkWidget *area, GType type);
gboolean ear_row_is_below (GtkWidget *row, GtkWidget *area, double y);
gboolean ear_row_begin_drag (GtkWidget *row, GtkDragSource *source, double x);
void ear_row_mark_drop (GtkWidget *list, GtkWidget *row, const char *where);
void ear_row_unmark_drop (GtkWidget *list);
void ear_row_menu_install (GtkWidgetClass *widget_class);
void ear_row_menu_open (GtkWidget *owner, GtkWidget *row);
void ear_row_menu_attach (GtkWidget *owner, GtkWidget *list, GType row_type, EarRowMenuFunc create);

G_END_DECLS
