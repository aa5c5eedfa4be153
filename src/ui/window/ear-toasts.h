/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void             ear_toasts_wrap          (GtkWidget            *widget);
AdwToastOverlay *ear_toasts_find_in_front (AdwApplicationWindow *window);
void             ear_toasts_add_notice    (AdwToastOverlay      *toasts,
                                           const char           *message,
                                           gboolean              lasting);
void             ear_toasts_add_now       (AdwToastOverlay      *toasts,
                                           AdwToast             *toast);

G_END_DECLS
