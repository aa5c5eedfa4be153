/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-page.h"

#include <glib/gi18n.h>

#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-widget.h"

/* Positions in the list of services */
#define NEXTCLOUD 0
#define GPODDER 1

/* Seconds between updates of the time of the last sync */
#define UPDATE_INTERVAL 60

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
  GtkWidget *sign_in_button_group;
  GtkWidget *account_group;
  GtkWidget *sign_out_group;
  AdwComboRow *service;
  AdwEntryRow *server;
  AdwEntryRow *user;
  AdwPasswordEntryRow *password;
  AdwActionRow *refusal;
  AdwButtonRow *sign_in_button;
  AdwActionRow *account;
  AdwEntryRow *device;
  AdwActionRow *status;
  GtkWidget *spinner;
  GtkButton *sync_now;

  /* Owned */
  EarSync *sync;
  GCancellable *cancellable; /* (nullable): while signing in */
  AdwDialog *question;       /* (nullable): the one that is open */
  guint timer_id;
};

G_DEFINE_FINAL_TYPE (EarSyncPage, ear_sync_page, ADW_TYPE_PREFERENCES_PAGE)

static gboolean
is_nextcloud (EarSyncPage *self)
{
  return adw_combo_row_get_selected (self->service) == NEXTCLOUD;
}

static const char *
get_text (gpointer row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

/* --- Signing in --------------------------------------------------------------------- */

static void
update_sign_in (EarSyncPage *self)
{
  const gboolean complete =
      *get_text (self->server) != '\0' && (is_nextcloud (self) || *get_text (self->user) != '\0');

  gtk_widget_set_visible (GTK_WIDGET (self->user), !is_nextcloud (self));
  gtk_widget_set_visible (GTK_WIDGET (self->password), !is_nextcloud (self));
  adw_preferences_row_set_title (
      ADW_PREFERENCES_ROW (self->sign_in_button),
      self->cancellable != NULL
          ? (is_nextcloud (self) ? _("Waiting for the Web Browser…") : _("Signing In…"))
          : (is_nextcloud (self) ? _("Sign In With _Web Browser") : _("_Sign In")));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sync.sign-in",
                                 complete && self->cancellable == NULL);
}

static void
set_cancellable (EarSyncPage *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->sign_in_group), GTK_ACCESSIBLE_STATE_BUSY,
                               cancellable != NULL, -1);
  update_sign_in (self);
}

/* A change of an entry ends the login in a browser. */
static void
changed_cb (EarSyncPage *self)
{
  g_cancellable_cancel (self->cancellable);
  set_cancellable (self, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->refusal), FALSE);
}

static void
show_refusal (EarSyncPage *self, const GError *error)
{
  g_autofree char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_SYNC);
  g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_SYNC);
  g_autofree char *both = g_strdup_printf ("%s. %s", title, body);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->refusal), title);
  adw_action_row_set_subtitle (self->refusal, body);
  gtk_widget_set_visible (GTK_WIDGET (self->refusal), TRUE);
  ear_announce (GTK_ACCESSIBLE (self), both, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

static void
signed_in_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncPage) self = user_data;
  g_autoptr (GError) error = NULL;

  ear_sync_sign_in_finish (EAR_SYNC (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  set_cancellable (self, NULL);
  if (error != NULL)
    show_refusal (self, error);
  else
    gtk_editable_set_text (GTK_EDITABLE (self->password), "");
}

static void
sign_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSyncPage *self = EAR_SYNC_PAGE (widget);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  gtk_widget_set_visible (GTK_WIDGET (self->refusal), FALSE);
  set_cancellable (self, cancellable);
  if (is_nextcloud (self))
    ear_sync_sign_in_with_browser_async (self->sync, get_text (self->server), cancellable,
                                         signed_in_cb, g_object_ref (self));
  else
    ear_sync_sign_in_async (self->sync, EAR_SYNC_GPODDER, get_text (self->server),
                            get_text (self->user), get_text (self->password), cancellable,
                            signed_in_cb, g_object_ref (self));
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

static void
open_address_cb (EarSyncPage *self, const char *address)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autoptr (GtkUriLauncher) launcher = gtk_uri_launcher_new (address);

  gtk_uri_launcher_launch (launcher, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL, NULL,
                           NULL);
}

/* --- The account -------------------------------------------------------------------- */

static void
update_status (EarSyncPage *self)
{
  const EarSyncStatus status = ear_sync_get_status (self->sync);
  const GError *error = ear_sync_get_error (self->sync);
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;
  gint64 synced;

  g_object_get (self->sync, "synced", &synced, NULL);
  if (status == EAR_SYNC_RUNNING)
    title = g_strdup (_("Syncing…"));
  else if (status == EAR_SYNC_ASKING)
    title = g_strdup (_("Waiting for Your Answer"));
  else if (status == EAR_SYNC_FAILED)
    {
      title = ear_error_text_title (error, EAR_ERROR_ABOUT_SYNC);
      body = ear_error_text_body (error, EAR_ERROR_ABOUT_SYNC);
    }
  else
    {
      title = synced > 0 ? ear_format_synced (synced, g_get_real_time () / G_USEC_PER_SEC)
                         : g_strdup (_("Not Synced Yet"));
      body = ear_sync_dup_summary (self->sync);
    }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->status), title);
  adw_action_row_set_subtitle (self->status, body != NULL ? body : "");
  gtk_widget_set_visible (self->spinner, status == EAR_SYNC_RUNNING);
  gtk_button_set_label (self->sync_now, status == EAR_SYNC_FAILED ? _("_Retry")
                                        : status == EAR_SYNC_ASKING ? _("_Answer…")
                                                                    : _("Sync _Now"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sync.run", status != EAR_SYNC_RUNNING);
}

static void
update_account (EarSyncPage *self)
{
  const gboolean signed_in = ear_sync_get_status (self->sync) != EAR_SYNC_SIGNED_OUT;
  g_autofree char *user = NULL;
  g_autofree char *address = NULL;
  g_autofree char *device = NULL;
  g_autofree char *both = NULL;
  const char *host;
  gboolean nextcloud;

  g_object_get (self->sync, "user", &user, "address", &address, "device-name", &device,
                "nextcloud", &nextcloud, NULL);
  gtk_widget_set_visible (self->sign_in_group, !signed_in);
  gtk_widget_set_visible (self->sign_in_button_group, !signed_in);
  gtk_widget_set_visible (self->account_group, signed_in);
  gtk_widget_set_visible (self->sign_out_group, signed_in);
  gtk_widget_set_visible (GTK_WIDGET (self->device), !nextcloud);
  if (!signed_in)
    return;
  host = strstr (address, "://") != NULL ? strstr (address, "://") + 3 : address;
  /* Translators: an account: the name of the user, and the address of the server */
  both = g_strdup_printf (_("%s at %s"), user, host);
  adw_action_row_set_subtitle (self->account, both);
  /* A name that is being typed stays. */
  if (g_strcmp0 (get_text (self->device), device) != 0 &&
      (gtk_widget_get_state_flags (GTK_WIDGET (self->device)) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    gtk_editable_set_text (GTK_EDITABLE (self->device), device != NULL ? device : "");
}

static void
device_named_cb (EarSyncPage *self)
{
  ear_sync_set_device_name (self->sync, get_text (self->device));
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

static AdwAlertDialog *
create_first_question (guint n_follow, guint n_add)
{
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (adw_alert_dialog_new (_("Begin to Sync?"), NULL));
  g_autofree char *follow = g_strdup_printf (
      ngettext ("%'u podcast of the server will be followed here.",
                "%'u podcasts of the server will be followed here.", n_follow),
      n_follow);
  g_autofree char *add =
      g_strdup_printf (ngettext ("%'u podcast of this computer will be uploaded.",
                                 "%'u podcasts of this computer will be uploaded.", n_add),
                       n_add);
  g_autofree char *body = g_strdup_printf ("%s\n%s", n_follow > 0 ? follow : add,
                                           n_follow > 0 && n_add > 0 ? add : "");

  adw_alert_dialog_set_body (alert, g_strchomp (body));
  adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "accept", _("_Sync"), NULL);
  adw_alert_dialog_set_response_appearance (alert, "accept", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (alert, "accept");

  return alert;
}

static AdwAlertDialog *
create_doubt (guint n_follow, guint n_unfollow, guint n_remove)
{
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (adw_alert_dialog_new (NULL, NULL));
  g_autofree char *heading = NULL;

  if (n_unfollow == 0 && n_remove > 0)
    {
      heading = g_strdup_printf (ngettext ("Unfollow %'u Podcast on the Server?",
                                           "Unfollow %'u Podcasts on the Server?", n_remove),
                                 n_remove);
      adw_alert_dialog_set_body (alert, _("You have unfollowed them here. Your other devices will "
                                          "unfollow them, too."));
      adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "accept", _("_Unfollow"),
                                      NULL);
      adw_alert_dialog_set_response_appearance (alert, "accept", ADW_RESPONSE_DESTRUCTIVE);
    }
  else if (n_unfollow == 0)
    {
      heading = g_strdup_printf (ngettext ("Follow %'u Podcast?", "Follow %'u Podcasts?", n_follow),
                                 n_follow);
      adw_alert_dialog_set_body (alert, _("Another device has uploaded them."));
      adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "accept", _("_Follow"), NULL);
    }
  else
    {
      heading = g_strdup_printf (ngettext ("%'u Podcast Is Gone From the Server",
                                           "%'u Podcasts Are Gone From the Server", n_unfollow),
                                 n_unfollow);
      adw_alert_dialog_set_body (alert,
                                 _("Another device may have unfollowed them, or the server may "
                                   "have lost them. You still follow them here."));
      adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "accept", _("_Unfollow Here"),
                                      "keep", _("Upload _Again"), NULL);
      adw_alert_dialog_set_response_appearance (alert, "accept", ADW_RESPONSE_DESTRUCTIVE);
      adw_alert_dialog_set_response_appearance (alert, "keep", ADW_RESPONSE_SUGGESTED);
      adw_alert_dialog_set_default_response (alert, "keep");
    }
  adw_alert_dialog_set_heading (alert, heading);

  return alert;
}

static void
ask (EarSyncPage *self)
{
  guint n_follow, n_unfollow, n_add, n_remove;
  gboolean is_first;

  if (self->question != NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_object_get (self->sync, "n-follow", &n_follow, "n-unfollow", &n_unfollow, "n-add", &n_add,
                "n-remove", &n_remove, "is-first", &is_first, NULL);
  self->question =
      ADW_DIALOG (g_object_ref_sink (is_first ? create_first_question (n_follow, n_add)
                                              : create_doubt (n_follow, n_unfollow, n_remove)));
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (self->question), "cancel");
  g_signal_connect_object (self->question, "response", G_CALLBACK (answered_cb), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (self->question, GTK_WIDGET (self));
}

/* --- Class -------------------------------------------------------------------------- */

static void
update (EarSyncPage *self)
{
  if (self->sync == NULL)
    return;
  update_account (self);
  update_status (self);
  if (ear_sync_get_status (self->sync) == EAR_SYNC_ASKING)
    ask (self);
}

static void
run (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSyncPage *self = EAR_SYNC_PAGE (widget);

  if (ear_sync_get_status (self->sync) == EAR_SYNC_ASKING)
    ask (self);
  else
    ear_sync_run_async (self->sync, NULL, NULL, NULL);
}

static void
sign_out (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSyncPage *self = EAR_SYNC_PAGE (widget);

  ear_sync_sign_out (self->sync);
  /* The button has gone. */
  gtk_widget_grab_focus (GTK_WIDGET (self->service));
}

static gboolean
tick_cb (gpointer user_data)
{
  update_status (EAR_SYNC_PAGE (user_data));

  return G_SOURCE_CONTINUE;
}

static void
ear_sync_page_map (GtkWidget *widget)
{
  EarSyncPage *self = EAR_SYNC_PAGE (widget);

  GTK_WIDGET_CLASS (ear_sync_page_parent_class)->map (widget);
  if (self->sync != NULL)
    self->timer_id = g_timeout_add_seconds (UPDATE_INTERVAL, tick_cb, self);
  update (self);
}

static void
ear_sync_page_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&EAR_SYNC_PAGE (widget)->timer_id, g_source_remove);
  GTK_WIDGET_CLASS (ear_sync_page_parent_class)->unmap (widget);
}

static void
ear_sync_page_dispose (GObject *object)
{
  EarSyncPage *self = EAR_SYNC_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->timer_id, g_source_remove);
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
  widget_class->map = ear_sync_page_map;
  widget_class->unmap = ear_sync_page_unmap;

  gtk_widget_class_install_action (widget_class, "sync.sign-in", NULL, sign_in);
  gtk_widget_class_install_action (widget_class, "sync.sign-out", NULL, sign_out);
  gtk_widget_class_install_action (widget_class, "sync.run", NULL, run);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-sync-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_in_group);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_in_button_group);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, account_group);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_out_group);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, service);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, server);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, user);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, password);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, refusal);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sign_in_button);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, account);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, device);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, EarSyncPage, sync_now);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, device_named_cb);
}

static void
ear_sync_page_init (EarSyncPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update_sign_in (self);
}

void
ear_sync_page_set_sync (EarSyncPage *self, EarSync *sync)
{
  g_return_if_fail (EAR_IS_SYNC_PAGE (self));
  g_return_if_fail (EAR_IS_SYNC (sync));

  g_set_object (&self->sync, sync);
  g_signal_connect_object (sync, "notify::status", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (sync, "open-address", G_CALLBACK (open_address_cb), self,
                           G_CONNECT_SWAPPED);
  update (self);
}
