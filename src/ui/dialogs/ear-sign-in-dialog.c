/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-error.h"
#include "ear-widget.h"

/**
 * EarSignInDialog:
 *
 * Asks for the name and the password that the server of a podcast wants to have, and once
 * more when they are wrong. Closes when the podcast is unfollowed.
 */
struct _EarSignInDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwWindowTitle *heading;
  GtkWidget *spinner;
  AdwEntryRow *user;
  AdwPasswordEntryRow *password;
  GtkStack *words;
  GtkLabel *question;
  GtkLabel *refusal;

  /* Owned */
  EarLogins *logins;
  EarPodcast *podcast;
  GCancellable *cancellable; /* (nullable): while the server is checking */
};

#define EAR_TYPE_SIGN_IN_DIALOG (ear_sign_in_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarSignInDialog, ear_sign_in_dialog, EAR, SIGN_IN_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarSignInDialog, ear_sign_in_dialog, ADW_TYPE_DIALOG)

static void
update_action (EarSignInDialog *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.sign-in",
                                 self->cancellable == NULL &&
                                     *gtk_editable_get_text (GTK_EDITABLE (self->user)) != '\0');
}

static void
set_refused (EarSignInDialog *self, gboolean refused)
{
  gtk_stack_set_visible_child (self->words,
                               GTK_WIDGET (refused ? self->refusal : self->question));
  ear_set_css_class (GTK_WIDGET (self->user), "error", refused);
  ear_set_css_class (GTK_WIDGET (self->password), "error", refused);
}

static void
set_cancellable (EarSignInDialog *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
  update_action (self);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY,
                               cancellable != NULL, -1);
  gtk_widget_set_visible (self->spinner, cancellable != NULL);
}

static void
changed_cb (EarSignInDialog *self)
{
  set_refused (self, FALSE);
  update_action (self);
}

static void
signed_in_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSignInDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  ear_logins_sign_in_finish (EAR_LOGINS (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  set_cancellable (self, NULL);
  if (!g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN))
    {
      adw_dialog_close (ADW_DIALOG (self));
      return;
    }

  /* The password has to be typed again; the name is visible, and may be right. */
  set_refused (self, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->password));
  gtk_editable_select_region (GTK_EDITABLE (self->password), 0, -1);
  ear_announce (GTK_ACCESSIBLE (self), gtk_label_get_label (self->refusal),
                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
sign_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (widget);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  set_refused (self, FALSE);
  set_cancellable (self, cancellable);
  ear_logins_sign_in_async (self->logins, self->podcast,
                            gtk_editable_get_text (GTK_EDITABLE (self->user)),
                            gtk_editable_get_text (GTK_EDITABLE (self->password)),
                            cancellable, signed_in_cb, g_object_ref (self));
}

/* The page of the podcast shows the result of a fetch under way. */
static void
ear_sign_in_dialog_closed (AdwDialog *dialog)
{
  g_cancellable_cancel (EAR_SIGN_IN_DIALOG (dialog)->cancellable);
}

static void
followed_changed_cb (EarSignInDialog *self)
{
  if (!ear_podcast_get_followed (self->podcast))
    adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_sign_in_dialog_dispose (GObject *object)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIGN_IN_DIALOG);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->logins);
  g_clear_object (&self->podcast);

  G_OBJECT_CLASS (ear_sign_in_dialog_parent_class)->dispose (object);
}

static void
ear_sign_in_dialog_class_init (EarSignInDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_sign_in_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = ear_sign_in_dialog_closed;

  gtk_widget_class_install_action (widget_class, "dialog.sign-in", NULL, sign_in);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-sign-in-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, heading);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, user);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, password);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, words);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, question);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, refusal);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, gtk_widget_grab_focus);
}

static void
ear_sign_in_dialog_init (EarSignInDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.sign-in", FALSE);
  ear_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->user));
}

AdwDialog *
ear_sign_in_dialog_new (EarLogins *logins, EarPodcast *podcast)
{
  EarSignInDialog *self = g_object_new (EAR_TYPE_SIGN_IN_DIALOG, NULL);
  const char *name = ear_podcast_get_name (podcast);
  g_autofree char *question = g_strdup_printf (
      /* Translators: %s is the title of a podcast */
      _("Enter your user name and password for “%s”."), name);

  self->logins = g_object_ref (logins);
  self->podcast = g_object_ref (podcast);
  adw_window_title_set_title (self->heading, name);
  gtk_label_set_label (self->question, question);
  g_signal_connect_object (podcast, "notify::followed", G_CALLBACK (followed_changed_cb), self,
                           G_CONNECT_SWAPPED);

  return ADW_DIALOG (self);
}
