/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * EarFits:
 * @widget: a widget
 *
 * Returns: whether that is the one
 */
typedef gboolean (*EarFits) (GtkWidget *widget);

void       ear_set_css_class  (GtkWidget                         *widget,
                               const char                        *css_class,
                               gboolean                           set);
void       ear_announce       (GtkAccessible                     *accessible,
                               const char                        *message,
                               GtkAccessibleAnnouncementPriority  priority);
GtkWidget *ear_find_within    (GtkWidget                         *widget,
                               EarFits                            fits);
void       ear_menu_later_set (GtkMenuButton                     *button,
                               GMenuModel                        *menu);

void       ear_dialog_set_focus (AdwDialog *dialog, GtkWidget *widget);

G_END_DECLS
