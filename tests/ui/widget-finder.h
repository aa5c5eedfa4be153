/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

gpointer find_widget (GtkWidget  *widget,
                      GType       type);
gboolean has_label   (GtkWidget  *widget,
                      const char *text);

G_END_DECLS
