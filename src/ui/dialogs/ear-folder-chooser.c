/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folder-chooser.h"

#include <glib/gi18n.h>

#include "ear-folder.h"
#include "ear-single-dialog.h"

/**
 * EarFolderChooser:
 *
 * In which folder a podcast is. What is chosen or typed counts at once, and can be taken back as all else.
 */
struct _EarFolderChooser
{
  AdwDialog parent_instance;

  /* Template children */
  AdwPreferencesGroup *rows;
  GtkEditable *name;

  /* Borrowed */
  GtkCheckButton *first; /* of the choices */

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
};

G_DEFINE_FINAL_TYPE (EarFolderChooser, ear_folder_chooser, ADW_TYPE_DIALOG)

static void
choose (EarFolderChooser *self, const char *folder)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new ();

  g_ptr_array_add (podcasts, self->podcast);
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, folder, NULL);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
toggled_cb (EarFolderChooser *self, GtkCheckButton *check)
{
  if (gtk_check_button_get_active (check))
    choose (self, g_object_get_data (G_OBJECT (check), "folder"));
}

/* @folder: (nullable): its name; %NULL for none */
static void
add_row (EarFolderChooser *self, const char *folder, const char *title)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *check = gtk_check_button_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_group (GTK_CHECK_BUTTON (check), self->first);
  if (self->first == NULL)
    self->first = GTK_CHECK_BUTTON (check);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_strcmp0 (folder, ear_podcast_get_folder (self->podcast)) == 0);
  g_object_set_data_full (G_OBJECT (check), "folder", g_strdup (folder), g_free);
  g_signal_connect_object (check, "toggled", G_CALLBACK (toggled_cb), self, G_CONNECT_SWAPPED);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_preferences_group_add (self->rows, row);
}

static void
name_applied_cb (EarFolderChooser *self)
{
  g_autofree char *folder = ear_folder_name_clean (gtk_editable_get_text (self->name));

  if (folder != NULL)
    choose (self, folder);
}

static void
ear_folder_chooser_dispose (GObject *object)
{
  EarFolderChooser *self = EAR_FOLDER_CHOOSER (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_FOLDER_CHOOSER);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_folder_chooser_parent_class)->dispose (object);
}

static void
ear_folder_chooser_class_init (EarFolderChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_folder_chooser_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-folder-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, EarFolderChooser, rows);
  gtk_widget_class_bind_template_child (widget_class, EarFolderChooser, name);
  gtk_widget_class_bind_template_callback (widget_class, name_applied_cb);
}

static void
ear_folder_chooser_init (EarFolderChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @parent: in the window
 * @podcast: what is to be put into a folder */
void
ear_folder_chooser_present (EarLibrary *library, GtkWidget *parent, EarPodcast *podcast)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (parent));
  g_auto (GStrv) folders = NULL;
  EarFolderChooser *self;

  if (ear_single_dialog_raise (window, "folder-chooser", NULL) != NULL)
    return;

  self = g_object_new (EAR_TYPE_FOLDER_CHOOSER, NULL);
  self->library = g_object_ref (library);
  self->podcast = g_object_ref (podcast);
  folders = ear_subscriptions_list_folders (ear_library_get_subscriptions (library));
  /* Translators: in no folder */
  add_row (self, NULL, C_("folder", "None"));
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *title = ear_folder_name_dup_title (folders[i]);

      add_row (self, folders[i], title);
    }
  /* There is nothing to choose from yet. */
  if (folders[0] == NULL)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->rows), FALSE);
      adw_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->name));
    }
  ear_single_dialog_present (ADW_DIALOG (self), window, "folder-chooser", NULL);
}
