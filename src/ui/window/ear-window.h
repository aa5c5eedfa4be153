/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-episode-page.h"
#include "ear-episodes-page.h"
#include "ear-library.h"
#include "ear-sidebar-page.h"

G_BEGIN_DECLS

#define EAR_TYPE_WINDOW (ear_window_get_type ())
G_DECLARE_FINAL_TYPE (EarWindow, ear_window, EAR, WINDOW, AdwApplicationWindow)

EarWindow *ear_window_new (GtkApplication *application,
                           EarLibrary *library,
                           GtkStringList *notices);
void ear_window_show_toast (EarWindow *self, const char *message);
gboolean ear_window_open_address (EarWindow *self, const char *text);
void ear_window_open_file (EarWindow *self, GFile *file);
void ear_window_show_episode (EarWindow *self, EarEpisode *episode);

G_END_DECLS
