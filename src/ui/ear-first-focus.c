/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-first-focus.h"

/*
 * Where the keys begin in a dialog. In a narrow window the dialog becomes a sheet when it is first
 * laid out, which moves the focus on from wherever it was.
 */

static gboolean
laid_out_cb (GtkWidget *target, GdkFrameClock *clock, gpointer user_data)
{
  guint *n_frames = user_data;

  if ((*n_frames)++ == 0)
    return G_SOURCE_CONTINUE;
  if (!(gtk_widget_get_state_flags (target) & GTK_STATE_FLAG_FOCUS_WITHIN))
    gtk_widget_grab_focus (target);

  return G_SOURCE_REMOVE;
}

/**
 * ear_first_focus_take:
 * @target: a widget of a dialog that has just come in sight
 *
 * Puts the focus there, and once more when the dialog has found its shape.
 */
void
ear_first_focus_take (GtkWidget *target)
{
  g_return_if_fail (GTK_IS_WIDGET (target));

  gtk_widget_grab_focus (target);
  gtk_widget_add_tick_callback (target, laid_out_cb, g_new0 (guint, 1), g_free);
}

/**
 * ear_first_focus_set:
 * @dialog: a dialog that is not shown yet
 * @target: a widget in it
 *
 * Makes the keys begin at a widget of the dialog.
 */
void
ear_first_focus_set (AdwDialog *dialog, GtkWidget *target)
{
  g_return_if_fail (ADW_IS_DIALOG (dialog));
  g_return_if_fail (GTK_IS_WIDGET (target));

  adw_dialog_set_focus (dialog, target);
  g_signal_connect_object (dialog, "map", G_CALLBACK (ear_first_focus_take), target, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}
