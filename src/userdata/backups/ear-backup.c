/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup.h"

/**
 * EarBackup:
 *
 * A backup of what the listener did, as its file says of itself. Does not change.
 */
struct _EarBackup
{
  GObject parent_instance;

  /* Owned */
  char *path;
  char *digest;

  EarBackupReason reason;
  gint64 made;
  guint n_podcasts;
  guint n_episodes;
};

G_DEFINE_FINAL_TYPE (EarBackup, ear_backup, G_TYPE_OBJECT)

static void
ear_backup_finalize (GObject *object)
{
  EarBackup *self = EAR_BACKUP (object);

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->digest, g_free);

  G_OBJECT_CLASS (ear_backup_parent_class)->finalize (object);
}

static void
ear_backup_class_init (EarBackupClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_backup_finalize;
}

static void
ear_backup_init (EarBackup *self)
{
}

/* @digest: (nullable): tells one content from another
 * @made: when, in Unix microseconds */
EarBackup *
ear_backup_new (const char *path, const char *digest, EarBackupReason reason, gint64 made, guint n_podcasts, guint n_episodes)
{
  EarBackup *self = g_object_new (EAR_TYPE_BACKUP, NULL);

  self->path = g_strdup (path);
  self->digest = g_strdup (digest);
  self->reason = reason;
  self->made = made;
  self->n_podcasts = n_podcasts;
  self->n_episodes = n_episodes;

  return self;
}

/**
 * ear_backup_get_path:
 * @self: a backup
 *
 * Returns: (transfer none) (nullable): where its file is
 */
const char *
ear_backup_get_path (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), NULL);

  return self->path;
}

/* Returns: (transfer none) (nullable): what is the same in another backup with the same content */
const char *
ear_backup_get_digest (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), NULL);

  return self->digest;
}

EarBackupReason
ear_backup_get_reason (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), EAR_BACKUP_DAILY);

  return self->reason;
}

/**
 * ear_backup_get_made:
 * @self: a backup
 *
 * Returns: when it was made, in Unix microseconds
 */
gint64
ear_backup_get_made (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), 0);

  return self->made;
}

guint
ear_backup_get_n_podcasts (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), 0);

  return self->n_podcasts;
}

/**
 * ear_backup_get_n_episodes:
 * @self: a backup
 *
 * Returns: of how many episodes something is known: a position, or that they were listened
 *   to or liked
 */
guint
ear_backup_get_n_episodes (EarBackup *self)
{
  g_return_val_if_fail (EAR_IS_BACKUP (self), 0);

  return self->n_episodes;
}
