/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-widget.h"

/* --- Alerts ------------------------------------------------------------------------- */

static gboolean
is_heading (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title-2");
}

/* libadwaita (1.7 to 1.9) measures the large heading in a narrow width, too, where it
 * shows a smaller one: GTK warns, unless the large one can wrap. */
AdwDialog *
ear_alert_new (const char *heading)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, NULL);
  GtkWidget *label = ear_find_within (adw_dialog_get_child (dialog), is_heading);

  if (label != NULL)
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    }

  return dialog;
}

/* Asks before something is done. Escape, and Enter without another default, do nothing.
 * @other: (nullable): a gentler response, the default, which comes first; with @other_label
 * @response: the response that does it */
AdwDialog *
ear_question_new (const char *heading, const char *body, const char *other,
                  const char *other_label, const char *response, const char *label)
{
  AdwDialog *dialog = ear_alert_new (heading);
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (dialog);

  adw_alert_dialog_set_body (alert, body);
  adw_alert_dialog_add_response (alert, "cancel", _("_Cancel"));
  if (other != NULL)
    adw_alert_dialog_add_response (alert, other, other_label);
  adw_alert_dialog_add_response (alert, response, label);
  adw_alert_dialog_set_response_appearance (alert, response, ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (alert, other != NULL ? other : "cancel");
  /* Escape would otherwise give a response of its own. */
  adw_alert_dialog_set_close_response (alert, "cancel");

  return dialog;
}

/* Makes a response of a question the suggested one, and the default.
 * Returns: (transfer none): the question */
AdwDialog *
ear_question_suggest (AdwDialog *self, const char *response)
{
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (self);

  adw_alert_dialog_set_response_appearance (alert, response, ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (alert, response);

  return self;
}

static char *
dup_text (GtkEditable *entry)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (entry)));
}

static void
text_changed_cb (AdwAlertDialog *dialog, GtkEditable *entry)
{
  g_autofree char *text = dup_text (entry);

  adw_alert_dialog_set_response_enabled (dialog, "save", *text != '\0');
}

static void
text_saved_cb (GtkEditable *entry, const char *response, GObject *dialog)
{
  EarTextSaved saved = g_object_get_data (dialog, "saved");
  g_autofree char *text = dup_text (entry);

  saved (g_object_get_data (dialog, "part"), g_object_get_data (dialog, "subject"), text);
}

/* Asks for one line of text.
 * @body: (nullable)
 * @title: of the entry
 * @text: (nullable): the present text
 * @required: whether an empty text cannot be saved
 * @save: label of the button
 * @saved: called with @part, @subject and the new text */
void
ear_text_dialog_present (GtkWidget *parent, const char *heading, const char *body,
                         const char *title, const char *text, gboolean required,
                         const char *save, EarTextSaved saved, gpointer part, gpointer subject)
{
  AdwDialog *dialog = ear_alert_new (heading);
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (dialog);
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *row = g_object_new (ADW_TYPE_ENTRY_ROW, "title", title, "activates-default", TRUE,
                                 "text", text != NULL ? text : "", NULL);

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  if (body != NULL)
    adw_alert_dialog_set_body (alert, body);
  adw_alert_dialog_set_extra_child (alert, list);
  adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "save", save, NULL);
  adw_alert_dialog_set_default_response (alert, "save");
  adw_alert_dialog_set_close_response (alert, "cancel");
  adw_alert_dialog_set_response_appearance (alert, "save", ADW_RESPONSE_SUGGESTED);
  if (required)
    ear_connect (row, "changed", text_changed_cb, dialog);
  g_object_set_data (G_OBJECT (dialog), "saved", saved);
  g_object_set_data_full (G_OBJECT (dialog), "part", g_object_ref (part), g_object_unref);
  g_object_set_data_full (G_OBJECT (dialog), "subject", g_object_ref (subject), g_object_unref);
  ear_connect (dialog, "response::save", text_saved_cb, row);
  adw_dialog_present (dialog, parent);
  gtk_widget_grab_focus (row);
}

/* @name: a dialog of ear-file-dialogs.ui */
GtkFileDialog *
ear_file_dialog_new (const char *name)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-file-dialogs.ui");

  return g_object_ref (GTK_FILE_DIALOG (gtk_builder_get_object (builder, name)));
}

/* --- Rows --------------------------------------------------------------------------- */

/* @check: (out) (transfer none): its check box
 * Returns: (transfer floating): a row that toggles a check box */
GtkWidget *
ear_check_row_new (const char *title, GtkCheckButton **check)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title,
                                 "title-lines", 2, NULL);
  GtkWidget *button = gtk_check_button_new ();

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  *check = GTK_CHECK_BUTTON (button);

  return row;
}

/* --- Dialogs that a window has once ------------------------------------------------- */

#define SUBJECT "ear-dialog-subject"

/* @parent: (nullable): a window
 * @name: of the widget; that of its class, unless it was set
 * @subject: (nullable): the object that the dialog is about
 * Returns: (transfer none) (nullable): an open dialog of this name */
AdwDialog *
ear_single_dialog_find (GtkWidget *parent, const char *name, gpointer subject)
{
  g_autoptr (GListModel) dialogs = NULL;

  if (ADW_IS_APPLICATION_WINDOW (parent))
    dialogs = adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (parent));
  for (guint i = 0; dialogs != NULL && i < g_list_model_get_n_items (dialogs); i++)
    {
      g_autoptr (AdwDialog) open = g_list_model_get_item (dialogs, i);

      if (g_str_equal (gtk_widget_get_name (GTK_WIDGET (open)), name) &&
          g_object_get_data (G_OBJECT (open), SUBJECT) == subject)
        return open;
    }

  return NULL;
}

/* Presents a dialog, or instead of it one of the same name and subject that is open
 * already: keys do not get past an open dialog, but other programs and tests activate its
 * action as often as they like.
 * @dialog: (transfer floating)
 * @parent: (nullable): a window
 * @subject: (nullable): the object that the dialog is about
 * Returns: (transfer none): the dialog that is open */
AdwDialog *
ear_single_dialog_present (AdwDialog *dialog, GtkWidget *parent, gpointer subject)
{
  g_autoptr (AdwDialog) wanted = g_object_ref_sink (dialog);
  AdwDialog *open =
      ear_single_dialog_find (parent, gtk_widget_get_name (GTK_WIDGET (wanted)), subject);

  if (open != NULL)
    g_set_object (&wanted, open);
  if (subject != NULL)
    g_object_set_data_full (G_OBJECT (wanted), SUBJECT, g_object_ref (subject), g_object_unref);
  adw_dialog_present (wanted, parent);

  return wanted;
}
