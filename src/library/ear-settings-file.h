/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Enables GIO's interface for settings backends. */
#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

G_BEGIN_DECLS

#define EAR_TYPE_SETTINGS_FILE (ear_settings_file_get_type ())
G_DECLARE_FINAL_TYPE (EarSettingsFile, ear_settings_file, EAR, SETTINGS_FILE, GSettingsBackend)

EarSettingsFile *ear_settings_file_new (void);
void ear_settings_file_stop (EarSettingsFile *self);
void ear_settings_file_flush (EarSettingsFile *self, GTask *task);

G_END_DECLS
