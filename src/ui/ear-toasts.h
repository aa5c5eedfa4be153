/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void ear_toasts_wrap (GtkWidget *widget);

G_END_DECLS
