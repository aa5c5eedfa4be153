/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void window_rest_wait (GtkWindow *window);

G_END_DECLS
