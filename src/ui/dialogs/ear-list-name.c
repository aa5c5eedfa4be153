/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-name.h"

#include <glib/gi18n.h>

#include "ear-alert.h"

/* What a list of one's own is to be called, when it is made or later, or a folder of podcasts. */
typedef struct
{
  EarLibrary *library;
  GtkWidget *parent;
  EarList *list;       /* (nullable): that gets another name */
  EarFolder *folder;   /* (nullable): the same */
  GPtrArray *episodes; /* (nullable): that are put into a new one */
  GtkEditable *entry;  /* borrowed from the dialog */
  AdwAlertDialog *dialog; /* borrowed */
} Question;

static void
question_free (Question *question)
{
  g_clear_object (&question->library);
  g_clear_object (&question->parent);
  g_clear_object (&question->list);
  g_clear_object (&question->folder);
  g_clear_pointer (&question->episodes, g_ptr_array_unref);
  g_free (question);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static char *
dup_name (Question *question)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (question->entry)));
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autofree char *name = dup_name (question);
  EarLists *lists = ear_library_get_lists (question->library);

  if (g_strcmp0 (adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result), "save") != 0 || *name == '\0')
    return;

  if (question->folder != NULL)
    ear_subscriptions_rename_folder (ear_library_get_subscriptions (question->library), ear_folder_get_name (question->folder), name);
  else if (question->list != NULL)
    ear_lists_change (lists, question->list, name, NULL);
  else
    {
      EarList *list = ear_lists_create (lists, name, NULL, question->episodes);

      /* Who puts something there stays where it was. */
      if (question->episodes == NULL)
        gtk_widget_activate_action (question->parent, "win.show-list", "s", ear_list_get_id (list));
    }
}

static void
name_changed_cb (Question *question)
{
  g_autofree char *name = dup_name (question);

  adw_alert_dialog_set_response_enabled (question->dialog, "save", *name != '\0');
}

/* @name: (nullable): what it is called now */
static void
ask (Question *question, const char *name, const char *heading, const char *save)
{
  AdwDialog *dialog = ear_alert_new_for_text (heading, C_("list", "Name"), name, save, &question->entry);

  question->dialog = ADW_ALERT_DIALOG (dialog);
  name_changed_cb (question);
  g_signal_connect_swapped (question->entry, "changed", G_CALLBACK (name_changed_cb), question);
  adw_alert_dialog_choose (question->dialog, question->parent, NULL, answered_cb, question);
  gtk_widget_grab_focus (GTK_WIDGET (question->entry));
}

static Question *
question_new (EarLibrary *library, GtkWidget *parent)
{
  Question *question = g_new0 (Question, 1);

  question->library = g_object_ref (library);
  question->parent = g_object_ref (parent);

  return question;
}

/* Asks for the name of a new list, and makes it.
 * @parent: in the window
 * @episodes: (nullable) (element-type EarEpisode): what is put there; %NULL to have the new list shown */
void
ear_list_name_ask_new (EarLibrary *library, GtkWidget *parent, GPtrArray *episodes)
{
  Question *question = question_new (library, parent);

  question->episodes = episodes != NULL ? g_ptr_array_ref (episodes) : NULL;
  ask (question, NULL, _("New List"), _("Cr_eate"));
}

/* Asks for another name for a list. */
void
ear_list_name_ask (EarLibrary *library, GtkWidget *parent, EarList *list)
{
  Question *question = question_new (library, parent);

  question->list = g_object_ref (list);
  ask (question, ear_list_get_title (list), _("Rename List"), _("_Rename"));
}

/* Asks for another name for a folder of podcasts. */
void
ear_list_name_ask_folder (EarLibrary *library, GtkWidget *parent, EarFolder *folder)
{
  Question *question = question_new (library, parent);

  question->folder = g_object_ref (folder);
  ask (question, ear_folder_get_title (folder), _("Rename Folder"), _("_Rename"));
}
