/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup.h"

EarBackup *
ear_backup_new (const char *path, const char *digest, EarBackupReason reason, gint64 made, guint n_podcasts, guint n_episodes)
{
  EarBackup *self = g_atomic_rc_box_new0 (EarBackup);

  self->path = g_strdup (path);
  self->digest = g_strdup (digest);
  self->reason = reason;
  self->made = made;
  self->n_podcasts = n_podcasts;
  self->n_episodes = n_episodes;

  return self;
}

EarBackup *
ear_backup_ref (EarBackup *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  EarBackup *self = data;

  g_free (self->path);
  g_free (self->digest);
}

void
ear_backup_unref (EarBackup *self)
{
  g_atomic_rc_box_release_full (self, clear);
}
