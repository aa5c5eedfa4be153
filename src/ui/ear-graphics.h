/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean ear_graphics_wants_card (const char *devices);
gboolean ear_graphics_init_gtk (void);

G_END_DECLS
