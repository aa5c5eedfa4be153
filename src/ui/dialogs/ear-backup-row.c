/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup-row.h"

#include <glib/gi18n.h>

#include "ear-format.h"

/**
 * EarBackupRow:
 *
 * A backup in a list: when it was made, what is in it, and a button that restores it by the
 * action `backups.restore`.
 */
struct _EarBackupRow
{
  AdwActionRow parent_instance;

  /* Template children */
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (EarBackupRow, ear_backup_row, ADW_TYPE_ACTION_ROW)

static const char *
describe_reason (EarBackupReason reason)
{
  switch (reason)
    {
    case EAR_BACKUP_BY_HAND:
      /* Translators: why a backup was made */
      return _("Saved by you");
    case EAR_BACKUP_BEFORE_RESTORING:
      /* Translators: why a backup was made */
      return _("Before a restore");
    case EAR_BACKUP_DAILY:
    default:
      return "";
    }
}

static char *
describe (EarBackup *backup)
{
  const guint n_podcasts = ear_backup_get_n_podcasts (backup);
  const guint n_episodes = ear_backup_get_n_episodes (backup);
  g_autofree char *podcasts = g_strdup_printf (ngettext ("%'u podcast", "%'u podcasts", n_podcasts), n_podcasts);
  /* Translators: episodes that something is known of: begun, listened to, liked */
  g_autofree char *episodes = g_strdup_printf (ngettext ("%'u episode played or started", "%'u episodes played or started", n_episodes), n_episodes);
  const char *const parts[] = { podcasts, episodes, describe_reason (ear_backup_get_reason (backup)), NULL };

  return ear_format_join (parts);
}

static void
ear_backup_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_BACKUP_ROW);

  G_OBJECT_CLASS (ear_backup_row_parent_class)->dispose (object);
}

static void
ear_backup_row_class_init (EarBackupRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_backup_row_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-backup-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarBackupRow, button);
}

static void
ear_backup_row_init (EarBackupRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

EarBackupRow *
ear_backup_row_new (EarBackup *backup)
{
  EarBackupRow *self = g_object_new (EAR_TYPE_BACKUP_ROW, NULL);
  g_autofree char *title = ear_format_moment (ear_backup_get_made (backup) / G_USEC_PER_SEC);
  g_autofree char *subtitle = describe (backup);
  /* Translators: what a screen reader says of a button "Restore"; %s is a date and a time */
  g_autofree char *description = g_strdup_printf (_("Restores the backup of %s"), title);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->button), "s", ear_backup_get_path (backup));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), "backups.restore");

  return self;
}
