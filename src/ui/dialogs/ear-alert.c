/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-alert.h"

#include <glib/gi18n.h>

#include "ear-widget.h"

static gboolean
is_heading (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title-2");
}

/* Where the heading has no room in one line, libadwaita (1.7 to 1.9) shows a smaller one, which wraps, but asks the
 * large one for its height as well, in a width that GTK complains about. */
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

/* A dialog for one line of text, which answers "save" or "cancel".
 * @title: what the line is
 * @text: (nullable): what it is so far
 * @save: the button's label
 * @entry: (out) (transfer none): where the text is, as long as the dialog lives; it wants the focus once that is shown */
AdwDialog *
ear_alert_new_for_text (const char *heading, const char *title, const char *text, const char *save, GtkEditable **entry)
{
  AdwDialog *dialog = ear_alert_new (heading);
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (dialog);
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  adw_alert_dialog_set_extra_child (alert, list);
  adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "save", save, NULL);
  adw_alert_dialog_set_default_response (alert, "save");
  adw_alert_dialog_set_close_response (alert, "cancel");
  adw_alert_dialog_set_response_appearance (alert, "save", ADW_RESPONSE_SUGGESTED);
  *entry = GTK_EDITABLE (row);

  return dialog;
}
