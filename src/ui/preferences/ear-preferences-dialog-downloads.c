/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-preferences-dialog-private.h"

#include <glib/gi18n.h>

#include "ear-closures.h"

/* What the preferences say of the disk: how much room downloads take, and in which folder. */

static void
update_room (EarPreferencesDialog *self)
{
  EarDownloader *downloader = ear_library_get_downloader (self->library);
  g_autofree char *text = NULL;
  guint64 size;
  guint n_done;

  g_object_get (downloader, "n-done", &n_done, "size", &size, NULL);
  text = ear_closure_download_room (NULL, n_done, size);
  adw_action_row_set_subtitle (self->room, text != NULL ? text : C_("downloads", "None"));
}

/* A path as people write it */
static char *
describe_path (const char *path)
{
  g_autofree char *shown = g_filename_display_name (path);
  const char *home = g_get_home_dir ();

  return g_str_has_prefix (shown, home) && shown[strlen (home)] == '/' ? g_strconcat ("~", shown + strlen (home), NULL) : g_steal_pointer (&shown);
}

static void
update_folder (EarPreferencesDialog *self)
{
  EarDownloadPlace *place = ear_library_get_download_place (self->library);
  const gboolean available = ear_downloader_get_available (ear_library_get_downloader (self->library));
  g_autofree char *path = describe_path (ear_download_place_get_path (place));
  /* Translators: %s is the folder that downloads lie in, which is on a disk that is not connected */
  g_autofree char *missing = !available ? g_strdup_printf (_("%s (not found)"), path) : NULL;
  const gboolean moving = ear_download_place_get_moving (place);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->folder), FALSE);
  adw_action_row_set_subtitle (self->folder, moving ? _("Moving downloads…") : missing != NULL ? missing : path);
  gtk_widget_set_visible (GTK_WIDGET (self->folder_spinner), moving);
  gtk_widget_set_visible (GTK_WIDGET (self->folder_reset), ear_download_place_get_chosen (place) && !moving);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPreferencesDialog) self = user_data;
  g_autoptr (GFile) folder = gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);
  const char *path = folder != NULL ? g_file_peek_path (folder) : NULL;

  if (folder == NULL || self->library == NULL)
    return;
  if (path != NULL)
    ear_download_place_choose (ear_library_get_download_place (self->library), path);
  else
    adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (self), adw_toast_new (_("Choose a folder on this computer")));
}

static void
choose_folder (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarPreferencesDialog *self = EAR_PREFERENCES_DIALOG (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  g_autoptr (GtkFileDialog) dialog = NULL;

  /* The row is not made insensitive: it would lose the focus. */
  if (ear_download_place_get_moving (ear_library_get_download_place (self->library)))
    return;
  dialog = gtk_file_dialog_new ();
  gtk_file_dialog_set_title (dialog, _("Choose Downloads Folder"));
  gtk_file_dialog_set_accept_label (dialog, _("_Move Here"));
  gtk_file_dialog_select_folder (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->cancellable, chosen_cb, g_object_ref (self));
}

static void
reset_folder (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarPreferencesDialog *self = EAR_PREFERENCES_DIALOG (widget);

  /* The button is there only as long as it is of use. */
  gtk_widget_grab_focus (GTK_WIDGET (self->folder));
  ear_download_place_choose (ear_library_get_download_place (self->library), NULL);
}

void
ear_preferences_dialog_bind_downloads (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "preferences.choose-folder", NULL, choose_folder);
  gtk_widget_class_install_action (widget_class, "preferences.reset-folder", NULL, reset_folder);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, room);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, folder);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, folder_spinner);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, folder_reset);
}

/* Shows what is there, and what becomes of it. */
void
ear_preferences_dialog_follow_downloads (EarPreferencesDialog *self)
{
  EarDownloader *downloader = ear_library_get_downloader (self->library);
  EarDownloadPlace *place = ear_library_get_download_place (self->library);

  g_signal_connect_object (downloader, "notify::size", G_CALLBACK (update_room), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (downloader, "notify::n-done", G_CALLBACK (update_room), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (downloader, "notify::available", G_CALLBACK (update_folder), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (place, "notify::path", G_CALLBACK (update_folder), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (place, "notify::moving", G_CALLBACK (update_folder), self, G_CONNECT_SWAPPED);
  update_room (self);
  update_folder (self);
}
