/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-choice-row.h"
#include "ear-closures.h"
#include "ear-sync-page.h"
#include "ear-widget.h"

/**
 * EarPreferencesDialog:
 *
 * The settings of all podcasts. A row of the template has the name of its setting, and is
 * bound to it: changes hold at once.
 */
struct _EarPreferencesDialog
{
  AdwPreferencesDialog parent_instance;

  /* Template children */
  AdwActionRow *folder;
  EarSyncPage *sync;

  /* Owned */
  EarLibrary *library;

  gboolean background_refused;
};

#define EAR_TYPE_PREFERENCES_DIALOG (ear_preferences_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPreferencesDialog, ear_preferences_dialog, EAR, PREFERENCES_DIALOG,
                      AdwPreferencesDialog)
G_DEFINE_FINAL_TYPE (EarPreferencesDialog, ear_preferences_dialog, ADW_TYPE_PREFERENCES_DIALOG)

/* --- The folder of downloads -------------------------------------------------------- */

/* A path as people write it: “~/Podcasts” */
static char *
describe_path (const char *path)
{
  g_autofree char *name = g_filename_display_name (path);
  const char *home = g_get_home_dir ();

  if (g_str_has_prefix (name, home) && name[strlen (home)] == '/')
    return g_strconcat ("~", name + strlen (home), NULL);

  return g_steal_pointer (&name);
}

/* Returns: where downloads are, and how much space they take */
static char *
describe_folder (gpointer object, EarDownloader *downloader, gboolean moving, gboolean available,
                 gboolean chosen, guint n_done, gint64 size)
{
  g_autofree char *path = describe_path (ear_downloader_get_path (downloader));
  g_autofree char *amount = ear_closure_download_room (NULL, n_done, (guint64) size);
  g_autofree char *where = NULL;

  if (moving)
    where = g_strdup (_("Moving downloads…"));
  else if (!available)
    /* Translators: %s is the folder of downloads, which is on a disk that is not connected */
    where = g_strdup_printf (_("%s (not found)"), path);
  else
    where = g_steal_pointer (&path);

  return amount != NULL ? g_strconcat (where, "\n", amount, NULL) : g_steal_pointer (&where);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPreferencesDialog) self = user_data;
  g_autoptr (GFile) folder =
      gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);
  const char *path = folder != NULL ? g_file_peek_path (folder) : NULL;

  if (folder == NULL)
    return;
  if (path != NULL)
    ear_downloader_choose_folder (ear_library_get_downloader (self->library), path);
  else
    adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (self),
                                      adw_toast_new (_("Choose a folder on this computer")));
}

static void
choose_folder (EarPreferencesDialog *self)
{
  g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new ("downloads-folder");

  /* The row is not made insensitive: it would lose the focus. */
  if (!ear_downloader_get_moving (ear_library_get_downloader (self->library)))
    gtk_file_dialog_select_folder (dialog, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   NULL, chosen_cb, g_object_ref (self));
}

static void
reset_folder (EarPreferencesDialog *self)
{
  /* The button hides. */
  gtk_widget_grab_focus (GTK_WIDGET (self->folder));
  ear_downloader_choose_folder (ear_library_get_downloader (self->library), NULL);
}

/* --- Class -------------------------------------------------------------------------- */

static const char *const settings[] = {
  "refresh-interval", "queue-new", "notifications", "refresh-on-metered", "background-refresh",
  "skip-back", "skip-forward", "rewind-after-pause", "continuous", "media-keys-chapters",
  "keep-playing", "download-newest", "remove-played", "remove-after", "keep-free",
};

static gpointer
get_row (EarPreferencesDialog *self, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), EAR_TYPE_PREFERENCES_DIALOG, name);
}

static void
bind_settings (EarPreferencesDialog *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      gpointer row = get_row (self, settings[i]);

      g_object_bind_property (ear_library_get_settings (self->library), settings[i], row,
                              ear_setting_row_get_property (row),
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
    }
}

static char *
dup_background_hint (gpointer object, gboolean refused)
{
  return g_strdup (refused ? _("Your system does not allow Earmark to run in the background")
                           : _("Even when Earmark is closed"));
}

/* Closes after a restore in the dialog of backups above, for the toast with Undo in the
 * window. The end of an import, which offers one, too, does not close the preferences. */
static void
undo_offered_cb (EarPreferencesDialog *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));

  if (ADW_IS_APPLICATION_WINDOW (window) &&
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) !=
          ADW_DIALOG (self))
    adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_preferences_dialog_class_init (EarPreferencesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPreferencesDialog, library) },
    /* Whether the desktop forbids running without a window */
    { "background-refused", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarPreferencesDialog, background_refused) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHOICE_ROW);
  g_type_ensure (EAR_TYPE_SYNC_PAGE);
  ear_action_install (widget_class, "preferences.choose-folder", NULL, choose_folder);
  ear_action_install (widget_class, "preferences.reset-folder", NULL, reset_folder);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE
                                               "/ui/ear-preferences-dialog.ui");
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    gtk_widget_class_bind_template_child_full (widget_class, settings[i], FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, folder);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, sync);
  gtk_widget_class_bind_template_callback (widget_class, describe_folder);
  gtk_widget_class_bind_template_callback (widget_class, dup_background_hint);
  ear_closures_bind (widget_class);
}

static void
ear_preferences_dialog_init (EarPreferencesDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
ear_preferences_dialog_new (EarLibrary *library)
{
  EarPreferencesDialog *self = g_object_new (EAR_TYPE_PREFERENCES_DIALOG, "library", library, NULL);

  ear_dialog_set_focus (ADW_DIALOG (self), get_row (self, "refresh-interval"));
  bind_settings (self);
  ear_sync_page_set_sync (self->sync, ear_library_get_sync (library));
  ear_connect (ear_library_get_notices (library), "undo-offered", undo_offered_cb, self);

  return ADW_DIALOG (self);
}
