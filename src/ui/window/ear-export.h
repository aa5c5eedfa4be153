/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ear_export_choose (GtkWidget  *widget,
                        const char *title,
                        const char *name,
                        GBytes     *bytes,
                        const char *done,
                        const char *failed);

G_END_DECLS
