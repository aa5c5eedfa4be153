/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-window.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_APPLICATION (ear_application_get_type ())
G_DECLARE_FINAL_TYPE (EarApplication, ear_application, EAR, APPLICATION, AdwApplication)

EarApplication *ear_application_new (void);
EarLibrary *ear_application_get_library (EarApplication *self);
EarLibrary *ear_application_ensure_library (EarApplication *self);
EarWindow *ear_application_get_window (EarApplication *self);
EarWindow *ear_application_ensure_window (EarApplication *self);
GtkStringList *ear_application_get_notices (EarApplication *self);
void ear_application_show_notice (EarApplication *self, const char *message, gboolean lasting);
gboolean ear_application_put_off (EarApplication *self, const char *action, GVariant *parameter);
void ear_application_quit (EarApplication *self);

/* In ear-application-actions.c */
void ear_application_install_actions (EarApplication *self);

G_END_DECLS
