/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void ear_first_focus_catch_keys (GtkEditable *target);
void ear_first_focus_take       (GtkWidget   *target);
void ear_first_focus_set        (AdwDialog   *dialog,
                                 GtkWidget   *target);

G_END_DECLS
