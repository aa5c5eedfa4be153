/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define EAR_TYPE_SETTINGS_FILE (ear_settings_file_get_type ())
G_DECLARE_FINAL_TYPE (EarSettingsFile, ear_settings_file, EAR, SETTINGS_FILE, GObject)

EarSettingsFile *ear_settings_file_new          (const char          *schema);
GSettings       *ear_settings_file_new_settings (EarSettingsFile     *self);
void             ear_settings_file_write        (EarSettingsFile     *self);
void             ear_settings_file_flush_async  (EarSettingsFile     *self,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
void             ear_settings_file_flush_finish (EarSettingsFile     *self,
                                                 GAsyncResult        *result);

G_END_DECLS
