/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_BACKUP_ROW (ear_backup_row_get_type ())
G_DECLARE_FINAL_TYPE (EarBackupRow, ear_backup_row, EAR, BACKUP_ROW, AdwActionRow)

EarBackupRow *ear_backup_row_new (EarBackup *backup);

G_END_DECLS
