/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarBackupReason:
 * @EAR_BACKUP_DAILY: automatic: something had changed since the last backup
 * @EAR_BACKUP_BY_HAND: the listener requested it
 * @EAR_BACKUP_BEFORE_RESTORING: another backup was about to be restored
 *
 * Why a backup was made.
 */
typedef enum
{
  EAR_BACKUP_DAILY,
  EAR_BACKUP_BY_HAND,
  EAR_BACKUP_BEFORE_RESTORING,
} EarBackupReason;

/* A backup of the state files, from the description in its file. Immutable. */
typedef struct
{
  char *path;
  char *digest; /* (nullable): the same in backups with the same content */
  EarBackupReason reason;
  gint64 made;  /* Unix microseconds */
  guint n_podcasts;
  guint n_episodes; /* episodes with a position, or marked as played or liked */
} EarBackup;

EarBackup *ear_backup_new (const char *path, const char *digest, EarBackupReason reason,
                           gint64 made, guint n_podcasts, guint n_episodes);
EarBackup *ear_backup_ref (EarBackup *self);
void ear_backup_unref (EarBackup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarBackup, ear_backup_unref)

G_END_DECLS
