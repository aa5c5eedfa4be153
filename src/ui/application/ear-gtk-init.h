/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean ear_gtk_init (void);
gboolean ear_gtk_init_wants_card (const char *devices);

G_END_DECLS
