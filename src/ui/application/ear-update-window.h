/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_UPDATE_WINDOW (ear_update_window_get_type ())
G_DECLARE_FINAL_TYPE (EarUpdateWindow, ear_update_window, EAR, UPDATE_WINDOW, AdwApplicationWindow)

EarUpdateWindow *ear_update_window_new (GtkApplication *application);

G_END_DECLS
