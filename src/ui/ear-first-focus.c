/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-first-focus.h"

/*
 * Where the keys begin in a dialog. In a narrow window the dialog becomes a sheet when it is first
 * laid out, which moves the focus on from wherever it was.
 */

/* What the focus came by was scrolled to. */
static void
scroll_back (GtkWidget *widget)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget)), 0);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    scroll_back (child);
}

static gboolean
laid_out_cb (GtkWidget *target, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *dialog = gtk_widget_get_ancestor (target, ADW_TYPE_DIALOG);
  guint *n_frames = user_data;

  if ((*n_frames)++ == 0)
    return G_SOURCE_CONTINUE;
  if (dialog != NULL)
    scroll_back (dialog);
  /* What is meant is the whole, and not what is in it. */
  if (!(gtk_widget_get_state_flags (target) & GTK_STATE_FLAG_FOCUS_WITHIN) || GTK_IS_SCROLLED_WINDOW (target))
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
