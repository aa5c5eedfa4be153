/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-error.h"

G_BEGIN_DECLS

GPtrArray *ear_backup_folder_choose_superfluous (GPtrArray *backups, GTimeZone *zone, gint64 now);
char *ear_backup_folder_dup_path (const char *state_directory);
GPtrArray *ear_backup_folder_list (const char *path);
EarBackup *ear_backup_folder_make (const char *path, const char *state_directory,
                                   EarBackupReason reason, GError **error);
GBytes *ear_backup_folder_find (const char *path, const char *name, guint nth);

G_END_DECLS
