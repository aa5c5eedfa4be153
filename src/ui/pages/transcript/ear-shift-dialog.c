/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-shift-dialog.h"

/**
 * EarShiftDialog:
 *
 * Asks for the seconds by which the voice is later than the transcript.
 */
struct _EarShiftDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkSpinButton *seconds;

  /* Owned */
  EarHistory *history;
  EarEpisode *episode;
};

G_DEFINE_FINAL_TYPE (EarShiftDialog, ear_shift_dialog, ADW_TYPE_DIALOG)

static void
apply (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarShiftDialog *self = EAR_SHIFT_DIALOG (widget);

  gtk_spin_button_update (self->seconds);
  ear_history_set_mark (self->history, self->episode, EAR_MARK_SHIFT,
                        (gint64) (gtk_spin_button_get_value (self->seconds) * G_USEC_PER_SEC));
  adw_dialog_close (ADW_DIALOG (self));
}

static void
reset (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_spin_button_set_value (EAR_SHIFT_DIALOG (widget)->seconds, 0);
}

static void
ear_shift_dialog_dispose (GObject *object)
{
  EarShiftDialog *self = EAR_SHIFT_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SHIFT_DIALOG);
  g_clear_object (&self->history);
  g_clear_object (&self->episode);

  G_OBJECT_CLASS (ear_shift_dialog_parent_class)->dispose (object);
}

static void
ear_shift_dialog_class_init (EarShiftDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_shift_dialog_dispose;

  gtk_widget_class_install_action (widget_class, "shift.apply", NULL, apply);
  gtk_widget_class_install_action (widget_class, "shift.reset", NULL, reset);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-shift-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarShiftDialog, seconds);
}

static void
ear_shift_dialog_init (EarShiftDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @episode: the episode of the transcript; another one may be shown when the
 * listener applies */
EarShiftDialog *
ear_shift_dialog_new (EarHistory *history, EarEpisode *episode)
{
  EarShiftDialog *self = g_object_new (EAR_TYPE_SHIFT_DIALOG, NULL);

  self->history = g_object_ref (history);
  self->episode = g_object_ref (episode);
  gtk_spin_button_set_value (
    self->seconds, (double) ear_episode_get_mark (episode, EAR_MARK_SHIFT) / G_USEC_PER_SEC);

  return self;
}
