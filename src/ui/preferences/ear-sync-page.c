/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-page.h"

#include <glib/gi18n.h>

#include "ear-dialog.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-share.h"
#include "ear-widget.h"

/* Seconds after which "Synced 2 Minutes Ago" is written again */
#define STATUS_INTERVAL 60

/**
 * EarSyncPage:
 *
 * The page of the preferences for syncing: signing in, or the account and its last sync.
 * It asks before the first sync, and where the server has lost podcasts.
 */
struct _EarSyncPage
{
  AdwPreferencesPage parent_instance;

  /* Template children */
  GtkWidget *sign_in_group;
  AdwComboRow *service;
  GtkEditable *server;
  GtkEditable *user;
  GtkEditable *password;
  GtkWidget *unencrypted;
  GtkWidget *refusal;
  AdwPreferencesRow *sign_in_button;
  GtkWidget *cancel;
  AdwActionRow *account;
  GtkEditable *device;
  GtkWidget *status;
  GtkButton *sync_now;

  /* Owned */
  EarSync *sync;
  AdwDialog *question; /* (nullable): the one that is open */

  guint status_source;
};

G_DEFINE_FINAL_TYPE (EarSyncPage, ear_sync_page, ADW_TYPE_PREFERENCES_PAGE)

/* Nextcloud is the first one in the list of services. */
static gboolean
is_nextcloud (EarSyncPage *self)
{
  return adw_combo_row_get_selected (self->service) == 0;
}

/* --- Signing in --------------------------------------------------------------------- */

/* Shows the account that is typed, or why the server refused it. */
static void
update_sign_in (EarSyncPage *self)
{
  const char *server = gtk_editable_get_text (self->server);
  const gboolean complete = *server != '\0' && (is_nextcloud (self) ||
                                                *gtk_editable_get_text (self->user) != '\0');
  const EarSyncStatus status = ear_sync_get_status (self->sync);
  const gboolean busy = status == EAR_SYNC_SIGNING_IN;
  const GError *error = status == EAR_SYNC_SIGNED_OUT ? ear_sync_get_error (self->sync) : NULL;

  adw_preferences_row_set_title (
      self->sign_in_button,
      busy ? (is_nextcloud (self) ? _("Waiting for the Web Browser…") : _("Signing In…"))
           : (is_nextcloud (self) ? _("Sign In With _Web Browser") : _("_Sign In")));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sync.sign-in",
                                 complete && status == EAR_SYNC_SIGNED_OUT);
  gtk_widget_set_visible (self->cancel, busy);
  gtk_widget_set_visible (self->unencrypted, g_ascii_strncasecmp (server, "http://", 7) == 0);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->sign_in_group), GTK_ACCESSIBLE_STATE_BUSY,
                               busy, -1);
  if (error != NULL && !gtk_widget_get_visible (self->refusal))
    {
      const char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_SYNC);
      const char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_SYNC);
      g_autofree char *both = g_strdup_printf ("%s. %s", title, body);

      g_object_set (self->refusal, "title", title, "subtitle", body, NULL);
      ear_announce (GTK_ACCESSIBLE (self), both, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    }
  gtk_widget_set_visible (self->refusal, error != NULL);
}

/* A change of an entry ends signing in, too. */
static void
cancel (EarSyncPage *self)
{
  if (self->sync != NULL && ear_sync_get_state (self->sync)->account.address == NULL)
    ear_sync_sign_out (self->sync);
}

static void
sign_in (EarSyncPage *self)
{
  const char *server = gtk_editable_get_text (self->server);

  /* Only a row that appears is announced, also if the second error is the same. */
  gtk_widget_set_visible (self->refusal, FALSE);
  if (is_nextcloud (self))
    ear_sync_sign_in (self->sync, EAR_SYNC_NEXTCLOUD, server, NULL, NULL);
  else
    ear_sync_sign_in (self->sync, EAR_SYNC_GPODDER, server, gtk_editable_get_text (self->user),
                      gtk_editable_get_text (self->password));
}

/* Enter goes to the next entry, and signs in with the last one. */
static void
entry_activated_cb (EarSyncPage *self, GtkWidget *entry)
{
  if (entry == GTK_WIDGET (self->server) && !is_nextcloud (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->user));
  else if (entry == GTK_WIDGET (self->user))
    gtk_widget_grab_focus (GTK_WIDGET (self->password));
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "sync.sign-in", NULL);
}

/* --- The account -------------------------------------------------------------------- */

static void
update_status (EarSyncPage *self)
{
  const EarSyncStatus status = ear_sync_get_status (self->sync);
  const gint64 synced = ear_sync_get_state (self->sync)->synced;
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;

  if (status == EAR_SYNC_RUNNING)
    title = g_strdup (_("Syncing…"));
  else if (status == EAR_SYNC_ASKING)
    title = g_strdup (_("Waiting for Your Answer"));
  else if (status == EAR_SYNC_FAILED)
    {
      const GError *error = ear_sync_get_error (self->sync);

      title = g_strdup (ear_error_text_title (error, EAR_ERROR_ABOUT_SYNC));
      body = g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_SYNC));
    }
  else
    {
      title = synced > 0 ? ear_format_synced (synced / G_USEC_PER_SEC,
                                              g_get_real_time () / G_USEC_PER_SEC)
                         : g_strdup (_("Not Synced Yet"));
      body = ear_sync_dup_summary (self->sync);
    }
  g_object_set (self->status, "title", title, "subtitle", body != NULL ? body : "", NULL);
  gtk_button_set_label (self->sync_now, status == EAR_SYNC_FAILED ? _("_Retry")
                                        : status == EAR_SYNC_ASKING ? _("_Answer…")
                                                                    : _("Sync _Now"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sync.run", status != EAR_SYNC_RUNNING);
}

static void
update_account (EarSyncPage *self)
{
  const EarSyncAccount *account = &ear_sync_get_state (self->sync)->account;
  g_autofree char *both = NULL;

  gtk_widget_set_visible (self->sign_in_group, account->address == NULL);
  if (account->address == NULL)
    return;
  gtk_editable_set_text (self->password, "");
  gtk_widget_set_visible (GTK_WIDGET (self->device), account->service == EAR_SYNC_GPODDER);
  /* Translators: an account: the name of the user, and the address of the server */
  both = g_strdup_printf (_("%s at %s"), account->user,
                          strstr (account->address, "://") + strlen ("://"));
  adw_action_row_set_subtitle (self->account, both);
  /* A name that is being typed stays. */
  if (!g_str_equal (gtk_editable_get_text (self->device), account->name) &&
      (gtk_widget_get_state_flags (GTK_WIDGET (self->device)) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    gtk_editable_set_text (self->device, account->name);
}

static void
device_named_cb (EarSyncPage *self)
{
  ear_sync_set_device_name (self->sync, gtk_editable_get_text (self->device));
}

/* --- Questions ---------------------------------------------------------------------- */

static void
answered_cb (EarSyncPage *self, const char *response)
{
  g_clear_object (&self->question);
  ear_sync_answer (self->sync, g_str_equal (response, "accept") ? EAR_SYNC_ACCEPT
                               : g_str_equal (response, "keep") ? EAR_SYNC_KEEP
                                                                : EAR_SYNC_DECLINE);
}

static AdwDialog *
create_first_question (const EarSyncCounts *n)
{
  g_autofree char *follow = g_strdup_printf (
      ngettext ("%'u podcast of the server will be followed here.",
                "%'u podcasts of the server will be followed here.", n->follow),
      n->follow);
  g_autofree char *add =
      g_strdup_printf (ngettext ("%'u podcast of this computer will be uploaded.",
                                 "%'u podcasts of this computer will be uploaded.", n->add),
                       n->add);
  g_autofree char *body = g_strdup_printf ("%s\n%s", n->follow > 0 ? follow : add,
                                           n->follow > 0 && n->add > 0 ? add : "");

  return ear_question_suggest (ear_question_new (_("Begin to Sync?"), g_strchomp (body), NULL,
                                                 NULL, "accept", _("_Sync")),
                               "accept");
}

static AdwDialog *
create_doubt (const EarSyncCounts *n)
{
  g_autofree char *unfollow =
      g_strdup_printf (ngettext ("%'u Podcast Is Gone From the Server",
                                 "%'u Podcasts Are Gone From the Server", n->unfollow),
                       n->unfollow);
  g_autofree char *remove =
      g_strdup_printf (ngettext ("Unfollow %'u Podcast on the Server?",
                                 "Unfollow %'u Podcasts on the Server?", n->remove),
                       n->remove);
  g_autofree char *follow = g_strdup_printf (
      ngettext ("Follow %'u Podcast?", "Follow %'u Podcasts?", n->follow), n->follow);
  AdwDialog *question;

  if (n->unfollow > 0)
    return ear_question_suggest (
        ear_question_new (unfollow,
                          _("Another device may have unfollowed them, or the server may "
                            "have lost them. You still follow them here."),
                          "keep", _("Upload _Again"), "accept", _("_Unfollow Here")),
        "keep");
  if (n->remove > 0)
    return ear_question_new (remove,
                             _("You have unfollowed them here. Your other devices will "
                               "unfollow them, too."),
                             NULL, NULL, "accept", _("_Unfollow"));
  question = ear_question_new (follow, _("Another device has uploaded them."), NULL, NULL,
                               "accept", _("_Follow"));
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (question), "accept",
                                            ADW_RESPONSE_DEFAULT);

  return question;
}

static void
ask (EarSyncPage *self)
{
  const EarSyncCounts *counts = &ear_sync_get_state (self->sync)->counts;

  if (self->question != NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->question = g_object_ref_sink (ear_sync_get_state (self->sync)->agreed
                                          ? create_doubt (counts)
                                          : create_first_question (counts));
  ear_connect (self->question, "response", answered_cb, self);
  adw_dialog_present (self->question, GTK_WIDGET (self));
}

/* --- Class -------------------------------------------------------------------------- */

static void
update (EarSyncPage *self)
{
  update_account (self);
  update_sign_in (self);
  update_status (self);
  if (ear_sync_get_status (self->sync) == EAR_SYNC_ASKING)
    ask (self);
}

static void
run (EarSyncPage *self)
{
  if (ear_sync_get_status (self->sync) == EAR_SYNC_ASKING)
    ask (self);
  else
    ear_sync_run (self->sync);
}

static void
sign_out (EarSyncPage *self, const char *name)
{
  ear_sync_sign_out (self->sync);
  /* The button has gone. */
  gtk_widget_grab_focus (g_str_equal (name, "sync.cancel") ? GTK_WIDGET (self->server)
                                                           : GTK_WIDGET (self->service));
}

static gboolean
status_timeout_cb (gpointer user_data)
{
  update_status (user_data);

  return G_SOURCE_CONTINUE;
}

static void
ear_sync_page_dispose (GObject *object)
{
  EarSyncPage *self = EAR_SYNC_PAGE (object);

  g_clear_handle_id (&self->status_source, g_source_remove);
  cancel (self);
  g_clear_object (&self->question);
  g_clear_object (&self->sync);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SYNC_PAGE);

  G_OBJECT_CLASS (ear_sync_page_parent_class)->dispose (object);
}

static void
ear_sync_page_class_init (EarSyncPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_sync_page_dispose;

  ear_action_install (widget_class, "sync.sign-in", NULL, sign_in);
  ear_action_install (widget_class, "sync.cancel", NULL, sign_out);
  ear_action_install (widget_class, "sync.sign-out", NULL, sign_out);
  ear_action_install (widget_class, "sync.run", NULL, run);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-sync-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_in_group);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, service);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, server);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, user);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, password);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, unencrypted);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, refusal);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_in_button);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, cancel);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, account);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, device);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sync_now);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, cancel);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, device_named_cb);
}

static void
ear_sync_page_init (EarSyncPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
ear_sync_page_set_sync (EarSyncPage *self, EarSync *sync)
{
  g_return_if_fail (EAR_IS_SYNC_PAGE (self));
  g_return_if_fail (EAR_IS_SYNC (sync));

  g_set_object (&self->sync, sync);
  g_object_connect (sync, "swapped-object-signal::notify::status", update, self,
                    "swapped-object-signal::open-address", ear_open_address, self, NULL);
  self->status_source = g_timeout_add_seconds (STATUS_INTERVAL, status_timeout_cb, self);
  update (self);
}
