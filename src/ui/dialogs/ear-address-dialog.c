/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-error-text.h"
#include "ear-widget.h"

/**
 * EarAddressDialog:
 *
 * Changes the address of a podcast's feed. A new address is tried first; the dialog shows
 * why one cannot be used, and asks before another podcast's is used. Closes when the
 * podcast is unfollowed. */
struct _EarAddressDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwWindowTitle *heading;
  AdwEntryRow *address;
  GtkWidget *spinner;
  GtkLabel *problem;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  GCancellable *cancellable; /* (nullable): while an address is tried */
};

#define EAR_TYPE_ADDRESS_DIALOG (ear_address_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarAddressDialog, ear_address_dialog, EAR, ADDRESS_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarAddressDialog, ear_address_dialog, ADW_TYPE_DIALOG)

static void
set_cancellable (EarAddressDialog *self, GCancellable *cancellable)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->address));

  g_cancellable_cancel (self->cancellable);
  g_set_object (&self->cancellable, cancellable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.change",
                                 cancellable == NULL && *text != '\0');
  gtk_widget_set_visible (self->spinner, cancellable != NULL);
}

static void
set_problem (EarAddressDialog *self, const char *text)
{
  ear_label_show (self->problem, text);
  ear_set_css_class (GTK_WIDGET (self->address), "error", *text != '\0');
  if (*text != '\0')
    ear_announce (GTK_ACCESSIBLE (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
changed_cb (EarAddressDialog *self)
{
  set_cancellable (self, NULL);
  set_problem (self, "");
}

static void
use_address (EarAddressDialog *self, const char *address)
{
  ear_subscriptions_set_address (ear_library_get_subscriptions (self->library), self->podcast,
                                 address);
  ear_notices_add (ear_library_get_notices (self->library), _("Address changed"), FALSE);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
use_agreed_cb (EarAddressDialog *self, const char *response, GObject *dialog)
{
  use_address (self, g_object_get_data (dialog, "address"));
}

/* The listener may want another podcast: they follow that one, and keep this one. */
static void
ask_about_other (EarAddressDialog *self, const char *address, const char *title)
{
  g_autofree char *body = g_strdup_printf (
      /* Translators: the first %s is the title of what was found at an address, the second one that
       * of the podcast whose address is changed */
      _("This is the address of “%s”. Its episodes would be added to “%s”."), title,
      ear_podcast_get_name (self->podcast));
  AdwDialog *dialog = ear_question_new (_("Different Podcast?"), body, NULL, NULL, "use",
                                        _("_Use Address"));

  g_object_set_data_full (G_OBJECT (dialog), "address", g_strdup (address), g_free);
  g_signal_connect_object (self->podcast, "notify::followed", G_CALLBACK (adw_dialog_close), dialog,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "response::use", G_CALLBACK (use_agreed_cb), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarAddressDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *other = NULL;
  g_autofree char *address =
      ear_subscriptions_try_address_finish (EAR_SUBSCRIPTIONS (source), result, &other, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->podcast == NULL)
    return;

  set_cancellable (self, NULL);
  if (address == NULL)
    {
      g_autofree char *text = ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH);

      set_problem (self, text);
    }
  else if (other != NULL)
    ask_about_other (self, address, other);
  else
    use_address (self, address);
}

static void
change (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarAddressDialog *self = EAR_ADDRESS_DIALOG (widget);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  set_problem (self, "");
  set_cancellable (self, cancellable);
  ear_subscriptions_try_address_async (ear_library_get_subscriptions (self->library), self->podcast,
                                       gtk_editable_get_text (GTK_EDITABLE (self->address)),
                                       cancellable, tried_cb, g_object_ref (self));
}

static void
ear_address_dialog_closed (AdwDialog *dialog)
{
  g_cancellable_cancel (EAR_ADDRESS_DIALOG (dialog)->cancellable);
}

static void
ear_address_dialog_dispose (GObject *object)
{
  EarAddressDialog *self = EAR_ADDRESS_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_ADDRESS_DIALOG);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_address_dialog_parent_class)->dispose (object);
}

static void
ear_address_dialog_class_init (EarAddressDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_address_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = ear_address_dialog_closed;

  gtk_widget_class_install_action (widget_class, "dialog.change", NULL, change);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-address-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarAddressDialog, heading);
  gtk_widget_class_bind_template_child (widget_class, EarAddressDialog, address);
  gtk_widget_class_bind_template_child (widget_class, EarAddressDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, EarAddressDialog, problem);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
ear_address_dialog_init (EarAddressDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->address));
}

AdwDialog *
ear_address_dialog_new (EarLibrary *library, EarPodcast *podcast)
{
  EarAddressDialog *self = g_object_new (EAR_TYPE_ADDRESS_DIALOG, NULL);

  self->library = g_object_ref (library);
  self->podcast = g_object_ref (podcast);
  adw_window_title_set_subtitle (self->heading, ear_podcast_get_name (podcast));
  gtk_editable_set_text (GTK_EDITABLE (self->address), ear_podcast_get_feed_address (podcast));
  g_signal_connect_object (podcast, "notify::followed", G_CALLBACK (adw_dialog_close), self,
                           G_CONNECT_SWAPPED);

  return ADW_DIALOG (self);
}
