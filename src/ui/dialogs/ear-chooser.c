/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"
#include "ear-format.h"

#include <glib/gi18n.h>

/**
 * EarChooser:
 *
 * Puts episodes into lists, or a podcast into a folder. Each list has a check box, ticked
 * where all of the episodes are there; the folders have radio buttons. Changes count at
 * once and can be undone. An entry makes a new list or folder.
 */
struct _EarChooser
{
  AdwDialog parent_instance;

  /* Template children */
  AdwWindowTitle *heading;
  AdwPreferencesGroup *rows;
  AdwEntryRow *name;

  /* Borrowed */
  GtkCheckButton *first; /* (nullable): of the radio buttons */

  /* Owned */
  EarLibrary *library;
  GPtrArray *episodes; /* (nullable) (element-type EarEpisode): to put into lists */
  EarPodcast *podcast; /* (nullable): to put into a folder */
};

#define EAR_TYPE_CHOOSER (ear_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EarChooser, ear_chooser, EAR, CHOOSER, AdwDialog)
G_DEFINE_FINAL_TYPE (EarChooser, ear_chooser, ADW_TYPE_DIALOG)

/* --- Lists -------------------------------------------------------------------------- */

static guint
count_in (EarChooser *self, EarList *list)
{
  guint n = 0;

  for (guint i = 0; i < self->episodes->len; i++)
    n += ear_list_has (list, g_ptr_array_index (self->episodes, i));

  return n;
}

static void
list_toggled_cb (EarChooser *self, GtkCheckButton *check)
{
  EarLists *lists = ear_library_get_lists (self->library);
  EarList *list = g_object_get_data (G_OBJECT (check), "list");
  const gboolean wanted = gtk_check_button_get_active (check);

  gtk_check_button_set_inconsistent (check, FALSE);
  if (wanted == (count_in (self, list) == self->episodes->len))
    return;

  if (wanted)
    ear_lists_add (lists, list, self->episodes);
  else
    ear_lists_take_out (lists, list, self->episodes);
}

static void
add_list (EarChooser *self, EarList *list)
{
  const guint n = count_in (self, list);
  GtkCheckButton *check;

  adw_preferences_group_add (self->rows, ear_check_row_new (ear_list_get_title (list), &check));
  gtk_check_button_set_active (check, n == self->episodes->len);
  gtk_check_button_set_inconsistent (check, n > 0 && n < self->episodes->len);
  g_object_set_data_full (G_OBJECT (check), "list", g_object_ref (list), g_object_unref);
  ear_connect (check, "toggled", list_toggled_cb, self);
}

/* --- Folders ------------------------------------------------------------------------ */

static void
place_in_folder (EarChooser *self, const char *folder)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new ();

  g_ptr_array_add (podcasts, self->podcast);
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, folder, NULL);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
folder_toggled_cb (EarChooser *self, GtkCheckButton *check)
{
  if (gtk_check_button_get_active (check))
    place_in_folder (self, g_object_get_data (G_OBJECT (check), "folder"));
}

/* @folder: (nullable): its name; %NULL for none */
static void
add_folder (EarChooser *self, const char *folder, const char *title)
{
  GtkCheckButton *check;

  adw_preferences_group_add (self->rows, ear_check_row_new (title, &check));
  gtk_check_button_set_group (check, self->first);
  if (self->first == NULL)
    self->first = check;
  gtk_check_button_set_active (check,
                               g_strcmp0 (folder, ear_podcast_get_folder (self->podcast)) == 0);
  g_object_set_data_full (G_OBJECT (check), "folder", g_strdup (folder), g_free);
  ear_connect (check, "toggled", folder_toggled_cb, self);
}

/* --- Lists and folders -------------------------------------------------------------- */

static void
name_applied_cb (EarChooser *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->name));
  g_autofree char *folder = ear_folder_name_clean (text);
  g_autofree char *list = g_strstrip (g_strdup (text));

  if (self->podcast != NULL && folder != NULL)
    place_in_folder (self, folder);
  else if (self->episodes != NULL && *list != '\0')
    {
      ear_lists_create (ear_library_get_lists (self->library), list, NULL, self->episodes);
      adw_dialog_close (ADW_DIALOG (self));
    }
}

static void
ear_chooser_dispose (GObject *object)
{
  EarChooser *self = EAR_CHOOSER (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_CHOOSER);
  g_clear_pointer (&self->episodes, g_ptr_array_unref);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_chooser_parent_class)->dispose (object);
}

static void
ear_chooser_class_init (EarChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_chooser_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, EarChooser, heading);
  gtk_widget_class_bind_template_child (widget_class, EarChooser, rows);
  gtk_widget_class_bind_template_child (widget_class, EarChooser, name);
  gtk_widget_class_bind_template_callback (widget_class, name_applied_cb);
}

static void
ear_chooser_init (EarChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @subject: the title of the episode or podcast
 * @new_title: of the entry
 * @empty: whether there is nothing to choose from yet */
static void
present (EarChooser *self, GtkWidget *window, const char *title, const char *subject,
         const char *new_title, gboolean empty)
{
  adw_dialog_set_title (ADW_DIALOG (self), title);
  adw_window_title_set_subtitle (self->heading, subject != NULL ? subject : "");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->name), new_title);
  gtk_widget_set_visible (GTK_WIDGET (self->rows), !empty);
  if (empty)
    adw_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->name));
  ear_single_dialog_present (ADW_DIALOG (self), window, NULL);
}

/* Lets the listener put episodes into lists.
 * @parent: in the window
 * @episodes: (element-type EarEpisode): the episodes */
void
ear_list_chooser_present (EarLibrary *library, GtkWidget *parent, GPtrArray *episodes)
{
  GListModel *lists = ear_lists_get_all (ear_library_get_lists (library));
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (parent));
  const guint n = episodes->len;
  g_autofree char *count = ear_format_episodes (n);
  gboolean empty = TRUE;
  EarChooser *self;

  if (n == 0)
    return;

  self = g_object_new (EAR_TYPE_CHOOSER, NULL);
  self->library = g_object_ref (library);
  self->episodes = g_ptr_array_ref (episodes);
  for (guint i = 0; i < g_list_model_get_n_items (lists); i++)
    {
      g_autoptr (EarList) list = g_list_model_get_item (lists, i);

      if (ear_list_is_smart (list))
        continue;
      add_list (self, list);
      empty = FALSE;
    }
  present (self, window, _("Add to List"),
           n == 1 ? ear_episode_get_title (g_ptr_array_index (episodes, 0)) : count, _("_New List"),
           empty);
}

/* Lets the listener put a podcast into a folder.
 * @parent: in the window */
void
ear_folder_chooser_present (EarLibrary *library, GtkWidget *parent, EarPodcast *podcast)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (parent));
  g_auto (GStrv) folders = ear_subscriptions_list_folders (ear_library_get_subscriptions (library));
  EarChooser *self = g_object_new (EAR_TYPE_CHOOSER, NULL);

  self->library = g_object_ref (library);
  self->podcast = g_object_ref (podcast);
  /* Translators: in no folder */
  add_folder (self, NULL, C_("folder", "None"));
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *title = ear_folder_name_dup_title (folders[i]);

      add_folder (self, folders[i], title);
    }
  present (self, window, _("Add to Folder"), ear_podcast_get_name (podcast), _("_New Folder"),
           folders[0] == NULL);
}

/* --- Renaming a folder -------------------------------------------------------------- */

static void
renamed (gpointer subscriptions, gpointer folder, const char *name)
{
  ear_subscriptions_rename_folder (subscriptions, ear_folder_get_name (folder), name);
}

/* Asks for another name for a folder of podcasts. */
void
ear_folder_rename (EarLibrary *library, GtkWidget *parent, EarFolder *folder)
{
  ear_text_dialog_present (parent, _("Rename Folder"), NULL, C_("list", "Name"),
                           ear_folder_get_title (folder), TRUE, _("_Rename"), renamed,
                           ear_library_get_subscriptions (library), folder);
}
