/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void             ear_toasts_wrap          (GtkWidget            *widget);
AdwToastOverlay *ear_toasts_find_in_front (AdwApplicationWindow *window);

G_END_DECLS
