/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-error.h"
#include "ear-error-text.h"
#include "ear-widget.h"

/**
 * EarFeedDialog:
 *
 * Changes the address of a podcast's feed, or signs in to its server, which is asked first:
 * the dialog shows why it refuses, and asks before the address of another podcast is used.
 * Closes when the podcast is unfollowed.
 */
struct _EarFeedDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwWindowTitle *heading;
  GtkButton *apply;
  GtkWidget *spinner;
  GtkBox *box;
  GtkLabel *words;
  GtkEditable *address;
  GtkEditable *user;
  GtkEditable *password;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  char *question;            /* (nullable): shown while nothing is wrong; only to sign in */
  GCancellable *cancellable; /* (nullable): while the server is asked */
};

#define EAR_TYPE_FEED_DIALOG (ear_feed_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarFeedDialog, ear_feed_dialog, EAR, FEED_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarFeedDialog, ear_feed_dialog, ADW_TYPE_DIALOG)

/* Returns: the entry that has to be filled */
static GtkEditable *
get_entry (EarFeedDialog *self)
{
  return self->question != NULL ? self->user : self->address;
}

static void
set_cancellable (EarFeedDialog *self, GCancellable *cancellable)
{
  const gboolean busy = cancellable != NULL;

  g_set_object (&self->cancellable, cancellable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.apply",
                                 !busy && *gtk_editable_get_text (get_entry (self)) != '\0');
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, busy, -1);
  gtk_widget_set_visible (self->spinner, busy);
}

/* @text: (nullable): %NULL for none */
static void
set_problem (EarFeedDialog *self, const char *text)
{
  gpointer const widgets[] = { self->words, self->address, self->user, self->password };

  ear_label_show (self->words, text != NULL ? text : self->question);
  for (gsize i = 0; i < G_N_ELEMENTS (widgets); i++)
    ear_set_css_class (widgets[i], "error", text != NULL);
  if (text != NULL)
    ear_announce (GTK_ACCESSIBLE (self), text,
                  self->question != NULL ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH
                                         : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Another address cancels the trial of the one before; a login is not taken back. */
static void
changed_cb (EarFeedDialog *self)
{
  if (self->question == NULL)
    g_cancellable_cancel (self->cancellable);
  set_cancellable (self, self->question != NULL ? self->cancellable : NULL);
  set_problem (self, NULL);
}

/* --- Address ------------------------------------------------------------------------ */

static void
use_address (EarFeedDialog *self, const char *address)
{
  ear_subscriptions_set_address (ear_library_get_subscriptions (self->library), self->podcast,
                                 address);
  ear_notices_add (ear_library_get_notices (self->library), FALSE, _("Address changed"));
  adw_dialog_close (ADW_DIALOG (self));
}

static void
use_agreed_cb (EarFeedDialog *self, const char *response, GObject *dialog)
{
  use_address (self, g_object_get_data (dialog, "address"));
}

/* The listener may want another podcast: they follow that one, and keep this one. */
static void
ask_about_other (EarFeedDialog *self, const char *address, const char *title)
{
  g_autofree char *body = g_strdup_printf (
      /* Translators: the first %s is the title of what was found at an address, the second one that
       * of the podcast whose address is changed */
      _("This is the address of “%s”. Its episodes would be added to “%s”."), title,
      ear_podcast_get_name (self->podcast));
  AdwDialog *dialog = ear_question_new (_("Different Podcast?"), body, NULL, NULL, "use",
                                        _("_Use Address"));

  g_object_set_data_full (G_OBJECT (dialog), "address", g_strdup (address), g_free);
  ear_connect (self->podcast, "notify::followed", adw_dialog_close, dialog);
  ear_connect (dialog, "response::use", use_agreed_cb, self);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
address_tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarFeedDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *other = NULL;
  g_autofree char *address =
      ear_subscriptions_try_address_finish (EAR_SUBSCRIPTIONS (source), result, &other, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  set_cancellable (self, NULL);
  if (address == NULL)
    {
      const char *text = ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH);

      set_problem (self, text);
    }
  else if (other != NULL)
    ask_about_other (self, address, other);
  else
    use_address (self, address);
}

/* --- Login -------------------------------------------------------------------------- */

static void
signed_in_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarFeedDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  set_cancellable (self, NULL);
  if (!g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN))
    {
      adw_dialog_close (ADW_DIALOG (self));
      return;
    }

  /* The password has to be typed again; the name is visible, and may be right. */
  set_problem (self, _("Wrong user name or password."));
  gtk_widget_grab_focus (GTK_WIDGET (self->password));
  gtk_editable_select_region (self->password, 0, -1);
}

/* --- Class -------------------------------------------------------------------------- */

static void
apply (EarFeedDialog *self)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const char *text = gtk_editable_get_text (get_entry (self));

  set_problem (self, NULL);
  set_cancellable (self, cancellable);
  if (self->question != NULL)
    ear_logins_sign_in_async (ear_library_get_logins (self->library), self->podcast, text,
                              gtk_editable_get_text (self->password), cancellable, signed_in_cb,
                              g_object_ref (self));
  else
    ear_subscriptions_try_address_async (ear_library_get_subscriptions (self->library),
                                         self->podcast, text, cancellable, address_tried_cb,
                                         g_object_ref (self));
}

/* The page of the podcast shows the result of a fetch under way. */
static void
ear_feed_dialog_closed (AdwDialog *dialog)
{
  g_cancellable_cancel (EAR_FEED_DIALOG (dialog)->cancellable);
}

static void
followed_changed_cb (EarFeedDialog *self)
{
  if (!ear_podcast_get_followed (self->podcast))
    adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_feed_dialog_finalize (GObject *object)
{
  EarFeedDialog *self = EAR_FEED_DIALOG (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->library);
  g_clear_object (&self->podcast);
  g_free (self->question);

  G_OBJECT_CLASS (ear_feed_dialog_parent_class)->finalize (object);
}

static void
ear_feed_dialog_class_init (EarFeedDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ear_feed_dialog_finalize;
  ADW_DIALOG_CLASS (klass)->closed = ear_feed_dialog_closed;

  ear_action_install (widget_class, "dialog.apply", NULL, apply);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-feed-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, heading);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, apply);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, box);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, words);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, address);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, user);
  gtk_widget_class_bind_template_child (widget_class, EarFeedDialog, password);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, gtk_widget_grab_focus);
}

static void
ear_feed_dialog_init (EarFeedDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @signs_in: asks for the name and the password that the server wants to have, not for an
 *   address */
AdwDialog *
ear_feed_dialog_new (EarLibrary *library, EarPodcast *podcast, gboolean signs_in)
{
  EarFeedDialog *self = g_object_new (EAR_TYPE_FEED_DIALOG, NULL);
  const char *name = ear_podcast_get_name (podcast);

  self->library = g_object_ref (library);
  self->podcast = g_object_ref (podcast);
  if (signs_in)
    {
      self->question = g_strdup_printf (
          /* Translators: %s is the title of a podcast */
          _("Enter your user name and password for “%s”."), name);
      /* For ear_single_dialog_present(): it is not the dialog for the address. */
      gtk_widget_set_name (GTK_WIDGET (self), "sign-in");
      adw_dialog_set_title (ADW_DIALOG (self), _("Sign In"));
      adw_window_title_set_title (self->heading, name);
      gtk_button_set_label (self->apply, _("_Sign In"));
      gtk_widget_set_visible (GTK_WIDGET (self->user), TRUE);
      gtk_box_reorder_child_after (self->box, GTK_WIDGET (self->words), NULL);
      changed_cb (self);
    }
  else
    {
      adw_window_title_set_subtitle (self->heading, name);
      gtk_editable_set_text (self->address, ear_podcast_get_feed_address (podcast));
    }
  ear_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (get_entry (self)));
  ear_connect (podcast, "notify::followed", followed_changed_cb, self);

  return ADW_DIALOG (self);
}
