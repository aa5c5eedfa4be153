/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarBackupReason:
 * @EAR_BACKUP_DAILY: something had changed since the last one
 * @EAR_BACKUP_BY_HAND: the listener wanted one
 * @EAR_BACKUP_BEFORE_RESTORING: another one was going to take the place of what there was
 *
 * Why a backup was made.
 */
typedef enum
{
  EAR_BACKUP_DAILY,
  EAR_BACKUP_BY_HAND,
  EAR_BACKUP_BEFORE_RESTORING,
} EarBackupReason;

#define EAR_TYPE_BACKUP (ear_backup_get_type ())
G_DECLARE_FINAL_TYPE (EarBackup, ear_backup, EAR, BACKUP, GObject)

EarBackup      *ear_backup_new            (const char      *path,
                                           const char      *digest,
                                           EarBackupReason  reason,
                                           gint64           made,
                                           guint            n_podcasts,
                                           guint            n_episodes);
const char     *ear_backup_get_path       (EarBackup *self);
const char     *ear_backup_get_digest     (EarBackup *self);
EarBackupReason ear_backup_get_reason     (EarBackup *self);
gint64          ear_backup_get_made       (EarBackup *self);
guint           ear_backup_get_n_podcasts (EarBackup *self);
guint           ear_backup_get_n_episodes (EarBackup *self);

G_END_DECLS
