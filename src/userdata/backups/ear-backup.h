/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/* Why a backup was made */
typedef enum
{
  EAR_BACKUP_DAILY,            /* automatic: there was none of the last day */
  EAR_BACKUP_BY_HAND,          /* the listener requested it */
  EAR_BACKUP_BEFORE_RESTORING, /* another backup was about to be restored */
} EarBackupReason;

/* A backup of the state files, from the description in its file. Immutable. */
typedef struct
{
  char *path;
  char *digest; /* (nullable): of the content, to make no second backup of the same */
  EarBackupReason reason;
  gint64 made;  /* Unix microseconds */
  guint n_podcasts;
  guint n_episodes; /* episodes with a position, or marked as played or liked */
} EarBackup;

EarBackup *ear_backup_new (const char *path, EarBackupReason reason, gint64 made);
EarBackup *ear_backup_ref (EarBackup *self);
void ear_backup_unref (EarBackup *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarBackup, ear_backup_unref)

EarBackup *ear_backup_file_open (const char *path, GError **error);
GHashTable *ear_backup_file_read (const char *path, GError **error);

GPtrArray *ear_backup_folder_choose_superfluous (GPtrArray *backups, GTimeZone *zone, gint64 now);
char *ear_backup_folder_dup_path (const char *state_directory);
GPtrArray *ear_backup_folder_list (const char *state_directory);
EarBackup *ear_backup_folder_make (const char *state_directory, EarBackupReason reason,
                                   GError **error);

G_END_DECLS
