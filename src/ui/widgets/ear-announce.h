/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ear_announce (GtkAccessible                     *accessible,
                   const char                        *message,
                   GtkAccessibleAnnouncementPriority  priority);

G_END_DECLS
