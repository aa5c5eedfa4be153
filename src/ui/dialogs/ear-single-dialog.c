/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-single-dialog.h"

/*
 * Dialogs of which a window has one. A key does not get past a dialog, but other programs and tests ask for one by its
 * action as often as they like: who asks again is shown the one that is there.
 */

/* What a dialog has by it: which one it is, and what it is about */
#define NAME "ear-single-dialog-name"
#define SUBJECT "ear-single-dialog-subject"

/* Brings the dialog that was asked for before to the front.
 * @parent: (nullable): a window
 * @name: which dialog
 * @subject: (nullable): the object that it is about
 * Returns: (transfer none) (nullable): that dialog; %NULL where there is none */
AdwDialog *
ear_single_dialog_raise (GtkWidget *parent, const char *name, gpointer subject)
{
  g_autoptr (GListModel) dialogs =
      ADW_IS_APPLICATION_WINDOW (parent) ? adw_application_window_get_dialogs (ADW_APPLICATION_WINDOW (parent)) : NULL;

  for (guint i = 0; dialogs != NULL && i < g_list_model_get_n_items (dialogs); i++)
    {
      g_autoptr (AdwDialog) dialog = g_list_model_get_item (dialogs, i);

      if (g_strcmp0 (g_object_get_data (G_OBJECT (dialog), NAME), name) != 0 ||
          g_object_get_data (G_OBJECT (dialog), SUBJECT) != subject)
        continue;
      adw_dialog_present (dialog, parent);

      return dialog;
    }

  return NULL;
}

/* Shows a dialog as the one of its name about a subject. */
void
ear_single_dialog_present (AdwDialog *dialog, GtkWidget *parent, const char *name, gpointer subject)
{
  g_object_set_data_full (G_OBJECT (dialog), NAME, g_strdup (name), g_free);
  if (subject != NULL)
    g_object_set_data_full (G_OBJECT (dialog), SUBJECT, g_object_ref (subject), g_object_unref);
  adw_dialog_present (dialog, parent);
}
