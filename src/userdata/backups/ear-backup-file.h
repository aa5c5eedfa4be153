/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-error.h"

G_BEGIN_DECLS

/* Limits of a backup's size, packed and unpacked */
#define EAR_BACKUP_PACKED_LIMIT (64 * 1024 * 1024)
#define EAR_BACKUP_LIMIT (512 * 1024 * 1024)

/* Visits a file in a backup; returns %FALSE to stop. */
typedef gboolean (*EarBackupVisit) (const char *name, GBytes *content, gpointer user_data);

GBytes *ear_backup_file_pack (GPtrArray *names, GPtrArray *contents, EarBackup *about,
                              GError **error);
EarBackup *ear_backup_file_open (const char *path, GError **error);
void ear_backup_file_digest (GChecksum *digest, const char *name, GBytes *content);
gboolean ear_backup_file_visit (const char *path, EarBackupVisit visit, gpointer user_data,
                                GError **error);

G_END_DECLS
