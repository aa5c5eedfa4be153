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

/*
 * A backup of what the listener did, as its file says of itself. Does not change.
 */
typedef struct
{
  char *path;   /* where its file is */
  char *digest; /* (nullable): the same in another backup with the same content */
  EarBackupReason reason;
  gint64 made;  /* Unix microseconds */
  guint n_podcasts;
  guint n_episodes; /* of how many something is known: a position, or that they were listened to or liked */
} EarBackup;

EarBackup *ear_backup_new   (const char      *path,
                             const char      *digest,
                             EarBackupReason  reason,
                             gint64           made,
                             guint            n_podcasts,
                             guint            n_episodes);
EarBackup *ear_backup_ref   (EarBackup *self);
void       ear_backup_unref (EarBackup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarBackup, ear_backup_unref)

G_END_DECLS
