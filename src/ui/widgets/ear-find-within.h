/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * EarFits:
 * @widget: a widget
 *
 * Returns: whether that is the one
 */
typedef gboolean (*EarFits) (GtkWidget *widget);

GtkWidget *ear_find_within (GtkWidget *widget, EarFits fits);

G_END_DECLS
