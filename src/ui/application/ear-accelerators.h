/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-widget.h"

G_BEGIN_DECLS

void ear_accelerators_foreach (EarAcceleratorFunc func, gpointer user_data);
void ear_accelerators_add_to_application (GtkApplication *application);
void ear_accelerators_add_to_window (GtkWidget *window);

G_END_DECLS
