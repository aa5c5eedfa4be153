/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-backup.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-widget.h"

/**
 * EarBackupsDialog:
 *
 * Lists the backups. Restores one of them or one from a file, and saves the present data
 * to a file. Closes after a restore; the window offers to undo it.
 */
struct _EarBackupsDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkListBox *rows;

  /* Owned */
  EarBackups *backups;
};

#define EAR_TYPE_BACKUPS_DIALOG (ear_backups_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarBackupsDialog, ear_backups_dialog, EAR, BACKUPS_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarBackupsDialog, ear_backups_dialog, ADW_TYPE_DIALOG)

static void
notify (EarBackupsDialog *self, const char *message)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.notify", "s", message);
}

static void
set_busy (EarBackupsDialog *self, gboolean busy)
{
  static const char *const actions[] = { "backups.restore", "backups.restore-file",
                                         "backups.save" };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i], !busy);
}

/* --- The list ----------------------------------------------------------------------- */

/* Reasons of a backup; the daily ones are not explained. */
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
  g_autofree char *podcasts =
      g_strdup_printf (ngettext ("%'u podcast", "%'u podcasts", n_podcasts), n_podcasts);
  /* Translators: episodes with a state in the backup: begun, listened to, liked */
  g_autofree char *episodes =
      g_strdup_printf (ngettext ("%'u episode played or started", "%'u episodes played or started",
                                 n_episodes),
                       n_episodes);

  return ear_format_join (podcasts, episodes, *reason != '\0' ? _(reason) : NULL);
}

static GtkWidget *
create_row (EarBackup *backup)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-backup-row.ui");
  GObject *row = gtk_builder_get_object (builder, "row");
  GObject *button = gtk_builder_get_object (builder, "button");
  g_autofree char *title = ear_format_moment (backup->made / G_USEC_PER_SEC);
  g_autofree char *subtitle = describe (backup);
  /* Translators: label of a button "Restore" for screen readers; %s is a date and a time */
  g_autofree char *description = g_strdup_printf (_("Restore the backup of %s"), title);

  g_object_set (row, "title", title, "subtitle", subtitle, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", backup->path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "backups.restore");

  return GTK_WIDGET (g_object_ref (row));
}

static void
listed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackupsDialog) self = user_data;
  g_autoptr (GPtrArray) backups = ear_backups_list_finish (result, NULL);

  if (self->rows == NULL)
    return;

  gtk_list_box_remove_all (self->rows);
  for (guint i = 0; backups != NULL && i < backups->len; i++)
    {
      g_autoptr (GtkWidget) row = create_row (g_ptr_array_index (backups, i));

      gtk_list_box_append (self->rows, row);
    }
  gtk_stack_set_visible_child_name (self->stack,
                                    backups != NULL && backups->len > 0 ? "list" : "empty");
}

static void
fill (EarBackupsDialog *self)
{
  ear_backups_list_async (self->backups, listed_cb, g_object_ref (self));
}

/* --- Restoring ---------------------------------------------------------------------- */

static void
restored_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackupsDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean restored = ear_backups_finish (EAR_BACKUPS (object), result, &error);

  if (self->rows == NULL)
    return;
  set_busy (self, FALSE);
  if (restored)
    {
      adw_dialog_close (ADW_DIALOG (self));
      return;
    }
  notify (self, ear_error_text_restoring (error));
  fill (self);
}

static void
restore_file (EarBackupsDialog *self, GFile *file)
{
  set_busy (self, TRUE);
  ear_backups_restore_async (self->backups, file, restored_cb, g_object_ref (self));
}

static void
restore (EarBackupsDialog *self, const char *action, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));

  restore_file (self, file);
}

static void
chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackupsDialog) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_open_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL && self->rows != NULL)
    restore_file (self, file);
}

static void
choose (EarBackupsDialog *self)
{
  g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new ("restore-backup");

  gtk_file_dialog_open (dialog, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                        NULL, chosen_cb, g_object_ref (self));
}

/* --- Saving ------------------------------------------------------------------------- */

static void
saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackupsDialog) self = user_data;
  const gboolean saved = ear_backups_finish (EAR_BACKUPS (object), result, NULL);

  if (self->rows == NULL)
    return;
  set_busy (self, FALSE);
  notify (self, saved ? _("Backup saved") : _("The backup could not be saved"));
  fill (self);
}

static void
place_chosen_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarBackupsDialog) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file == NULL || self->rows == NULL)
    return;
  set_busy (self, TRUE);
  ear_backups_save_async (self->backups, file, saved_cb, g_object_ref (self));
}

static void
save (EarBackupsDialog *self)
{
  g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new ("save-backup");
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_date_time_format (now, "earmark-%Y-%m-%d.json.gz");

  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                        NULL, place_chosen_cb, g_object_ref (self));
}

/* --- Class -------------------------------------------------------------------------- */

static void
ear_backups_dialog_class_init (EarBackupsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "backups", EAR_TYPE_BACKUPS, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarBackupsDialog, backups) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  ear_action_install (widget_class, "backups.restore", "s", restore);
  ear_action_install (widget_class, "backups.restore-file", NULL, choose);
  ear_action_install (widget_class, "backups.save", NULL, save);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-backups-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarBackupsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, EarBackupsDialog, rows);
}

static void
ear_backups_dialog_init (EarBackupsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
ear_backups_dialog_new (EarBackups *backups)
{
  EarBackupsDialog *self = g_object_new (EAR_TYPE_BACKUPS_DIALOG, "backups", backups, NULL);

  fill (self);

  return ADW_DIALOG (self);
}
