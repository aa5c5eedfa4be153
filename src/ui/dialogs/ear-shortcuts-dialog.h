/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void ear_shortcuts_dialog_present (GtkWidget *parent);

G_END_DECLS
