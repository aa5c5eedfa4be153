/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup-row.h"

#include <glib/gi18n.h>

#include "ear-format.h"

/* Why a backup was made, where that is not because a day was over */
static const char *const reasons[] = {
  [EAR_BACKUP_DAILY] = "",
  /* Translators: why a backup was made; so is the next one */
  [EAR_BACKUP_BY_HAND] = N_("Saved manually"),
  [EAR_BACKUP_BEFORE_RESTORING] = N_("Saved before a restore"),
};

static char *
describe (EarBackup *backup)
{
  const char *reason = reasons[backup->reason];
  const guint n_podcasts = backup->n_podcasts;
  const guint n_episodes = backup->n_episodes;
  g_autofree char *podcasts = g_strdup_printf (ngettext ("%'u podcast", "%'u podcasts", n_podcasts), n_podcasts);
  /* Translators: episodes that something is known of: begun, listened to, liked */
  g_autofree char *episodes = g_strdup_printf (ngettext ("%'u episode played or started", "%'u episodes played or started", n_episodes), n_episodes);
  const char *const parts[] = { podcasts, episodes, *reason != '\0' ? _(reason) : "", NULL };

  return ear_format_join (parts);
}

/* A backup in a list: when it was made, what is in it, and a button that restores it by the action `backups.restore`. */
GtkWidget *
ear_backup_row_new (EarBackup *backup)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-backup-row.ui");
  GObject *row = gtk_builder_get_object (builder, "row");
  GObject *button = gtk_builder_get_object (builder, "button");
  g_autofree char *title = ear_format_moment (backup->made / G_USEC_PER_SEC);
  g_autofree char *subtitle = describe (backup);
  /* Translators: what a screen reader says of a button "Restore"; %s is a date and a time */
  g_autofree char *description = g_strdup_printf (_("Restore the backup of %s"), title);

  g_object_set (row, "title", title, "subtitle", subtitle, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", backup->path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "backups.restore");

  return GTK_WIDGET (g_object_ref (row));
}
