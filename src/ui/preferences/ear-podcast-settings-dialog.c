/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-settings-dialog.h"

#include <glib/gi18n.h>

#include "ear-alert.h"
#include "ear-choice-row.h"
#include "ear-error-text.h"
#include "ear-podcast-playback.h"
#include "ear-property.h"
#include "ear-sign-in-dialog.h"
#include "ear-widget.h"

/**
 * EarPodcastSettingsDialog:
 *
 * What the listener wants otherwise for one podcast, and where its feed is. A new address is
 * tried before it takes the place of the one that works. Closes when the podcast is unfollowed.
 */
struct _EarPodcastSettingsDialog
{
  AdwPreferencesDialog parent_instance;

  /* Template children */
  AdwPreferencesGroup *news;
  EarChoiceRow *interval;
  AdwSwitchRow *notifications;
  EarChoiceRow *queue_new;
  EarChoiceRow *newest;
  AdwSwitchRow *remove_played;
  AdwSwitchRow *notes_pictures;
  EarPodcastPlayback *playback;
  AdwPreferencesGroup *feed;
  AdwEntryRow *address;
  AdwSpinner *spinner;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  GCancellable *trying; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (EarPodcastSettingsDialog, ear_podcast_settings_dialog, ADW_TYPE_PREFERENCES_DIALOG)

/* --- The address ----------------------------------------------------------------------- */

static void
show_address (EarPodcastSettingsDialog *self)
{
  /* Without a button to apply what is there already. */
  adw_entry_row_set_show_apply_button (self->address, FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->address), ear_podcast_get_feed_address (self->podcast));
  adw_entry_row_set_show_apply_button (self->address, TRUE);
}

static void
stop_trying (EarPodcastSettingsDialog *self)
{
  g_cancellable_cancel (self->trying);
  g_clear_object (&self->trying);
  if (self->spinner != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
}

/* Below the address, and to be heard: nothing else tells that it was not taken. */
static void
complain (EarPodcastSettingsDialog *self, const char *text)
{
  adw_preferences_group_set_description (self->feed, text);
  ear_set_css_class (GTK_WIDGET (self->address), "error", text != NULL);
  if (text != NULL)
    ear_announce (GTK_ACCESSIBLE (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
take_address (EarPodcastSettingsDialog *self, const char *address)
{
  AdwToast *toast = adw_toast_new (_("Address changed"));

  ear_subscriptions_set_address (ear_library_get_subscriptions (self->library), self->podcast, address);
  show_address (self);
  adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (self), toast);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPodcastSettingsDialog) self = user_data;
  const char *answer = adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result);

  if (self->podcast != NULL && g_str_equal (answer, "use"))
    take_address (self, g_object_get_data (source, "address"));
}

/* Another podcast may be meant: that is followed, and does not take the place of this one. */
static void
ask_about_other (EarPodcastSettingsDialog *self, const char *address, const char *title)
{
  AdwDialog *dialog = ear_alert_new (_("Different Podcast?"));

  g_object_set_data_full (G_OBJECT (dialog), "address", g_strdup (address), g_free);
  /* Translators: the first %s is the title of what was found at an address, the second one that of the podcast whose settings are shown */
  adw_alert_dialog_format_body (ADW_ALERT_DIALOG (dialog), _("This is the address of “%s”. Its episodes would be added to “%s”."), title,
                                ear_podcast_get_name (self->podcast));
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _("_Cancel"), "use", _("_Use Address"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "use", ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object (self->podcast, "notify::followed", G_CALLBACK (adw_dialog_close), dialog, G_CONNECT_SWAPPED);
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (self), NULL, answered_cb, g_object_ref (self));
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPodcastSettingsDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *other = NULL;
  g_autofree char *address = ear_subscriptions_try_address_finish (EAR_SUBSCRIPTIONS (source), result, &other, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->podcast == NULL)
    return;

  stop_trying (self);
  if (address == NULL)
    {
      g_autofree char *text = ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH);

      complain (self, text);
    }
  else if (other != NULL)
    ask_about_other (self, address, other);
  else
    take_address (self, address);
}

static void
address_applied_cb (EarPodcastSettingsDialog *self)
{
  stop_trying (self);
  complain (self, NULL);
  self->trying = g_cancellable_new ();
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  ear_subscriptions_try_address_async (ear_library_get_subscriptions (self->library), self->podcast, gtk_editable_get_text (GTK_EDITABLE (self->address)),
                                       self->trying, tried_cb, g_object_ref (self));
}

static void
address_changed_cb (EarPodcastSettingsDialog *self)
{
  stop_trying (self);
  complain (self, NULL);
}

/* --- Settings -------------------------------------------------------------------------- */

static void
interval_chosen_cb (EarPodcastSettingsDialog *self)
{
  int minutes;

  g_object_get (self->interval, "number", &minutes, NULL);
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL, minutes);
}

static void
notifications_switched_cb (EarPodcastSettingsDialog *self)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, EAR_PODCAST_SETTING_NOTIFICATIONS,
                                       adw_switch_row_get_active (self->notifications));
}

static void
queue_new_chosen_cb (EarPodcastSettingsDialog *self)
{
  int number;

  g_object_get (self->queue_new, "number", &number, NULL);
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast,
                                 EAR_PODCAST_SETTING_QUEUE_NEW, number);
}

static void
notes_pictures_switched_cb (EarPodcastSettingsDialog *self)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, EAR_PODCAST_SETTING_NOTES_PICTURES,
                                 adw_switch_row_get_active (self->notes_pictures));
}

static void
newest_chosen_cb (EarPodcastSettingsDialog *self)
{
  int number;

  g_object_get (self->newest, "number", &number, NULL);
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST, number);
}

static gboolean
get_remove_played_everywhere (EarPodcastSettingsDialog *self)
{
  gboolean everywhere;

  g_object_get (ear_library_get_settings (self->library), "remove-played", &everywhere, NULL);

  return everywhere;
}

/* Who has it as everywhere has no rule of its own, and goes on with what is so everywhere. */
static void
remove_played_switched_cb (EarPodcastSettingsDialog *self)
{
  const gboolean chosen = adw_switch_row_get_active (self->remove_played);

  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, EAR_PODCAST_SETTING_REMOVE_PLAYED,
                                 chosen == get_remove_played_everywhere (self) ? EAR_REMOVE_PLAYED_AS_EVERYWHERE : chosen);
}

static void
update_remove_played (EarPodcastSettingsDialog *self)
{
  const int own = ear_podcast_get_settings (self->podcast)->values[EAR_PODCAST_SETTING_REMOVE_PLAYED];

  g_signal_handlers_block_by_func (self->remove_played, remove_played_switched_cb, self);
  adw_switch_row_set_active (self->remove_played, own == EAR_REMOVE_PLAYED_AS_EVERYWHERE ? get_remove_played_everywhere (self) : own);
  g_signal_handlers_unblock_by_func (self->remove_played, remove_played_switched_cb, self);
}

/* A series goes on where the listener is, not with its newest episode. */
static void
update_newest (EarPodcastSettingsDialog *self)
{
  g_object_set (self->newest, "choice", ear_podcast_get_series (self->podcast) ? "next" : "newest", NULL);
}

/* Where there are none of any podcast, this one's need no switch that does nothing. */
static void
update_notifications (EarPodcastSettingsDialog *self)
{
  gboolean everywhere;

  g_object_get (ear_library_get_settings (self->library), "notifications", &everywhere, NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->notifications), everywhere);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->notifications), everywhere ? NULL : _("Turned off in Preferences"));
}

static void
sign_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarPodcastSettingsDialog *self = EAR_PODCAST_SETTINGS_DIALOG (widget);

  adw_dialog_present (ADW_DIALOG (ear_sign_in_dialog_new (ear_library_get_logins (self->library), self->podcast)), widget);
}

static void
unfollow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  /* It closes by itself; the window offers to take it back. */
  g_signal_emit_by_name (widget, "unfollow");
}

static void
bind_podcast (EarPodcastSettingsDialog *self)
{
  EarSettings *settings = ear_library_get_settings (self->library);
  const char *name = ear_podcast_get_name (self->podcast);
  /* The heading of a group is always markup. */
  g_autofree char *heading = g_markup_escape_text (name != NULL ? name : "", -1);

  adw_preferences_group_set_title (self->news, heading);
  g_object_bind_property (settings, "refresh-interval", self->interval, "everywhere", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->podcast, "refresh-interval", self->interval, "number", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->podcast, "notifications", self->notifications, "active", G_BINDING_SYNC_CREATE);
  g_object_bind_property (settings, "queue-new", self->queue_new, "everywhere",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->podcast, "queue-new", self->queue_new, "number",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->podcast, "notes-pictures", self->notes_pictures, "active", G_BINDING_SYNC_CREATE);
  g_object_bind_property (settings, "download-newest", self->newest, "everywhere",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->podcast, "download-newest", self->newest, "number", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->podcast, "notify::series", G_CALLBACK (update_newest), self, G_CONNECT_SWAPPED);
  update_newest (self);
  g_signal_connect_swapped (self->interval, "notify::number", G_CALLBACK (interval_chosen_cb), self);
  g_signal_connect_swapped (self->notifications, "notify::active", G_CALLBACK (notifications_switched_cb), self);
  g_signal_connect_swapped (self->queue_new, "notify::number", G_CALLBACK (queue_new_chosen_cb),
                            self);
  g_signal_connect_swapped (self->notes_pictures, "notify::active", G_CALLBACK (notes_pictures_switched_cb), self);
  g_signal_connect_swapped (self->newest, "notify::number", G_CALLBACK (newest_chosen_cb), self);
  g_signal_connect_swapped (self->remove_played, "notify::active", G_CALLBACK (remove_played_switched_cb), self);
  g_signal_connect_object (self->podcast, "notify::remove-played", G_CALLBACK (update_remove_played), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::remove-played", G_CALLBACK (update_remove_played), self, G_CONNECT_SWAPPED);
  update_remove_played (self);
  g_signal_connect_object (settings, "notify::notifications", G_CALLBACK (update_notifications), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->podcast, "notify::followed", G_CALLBACK (adw_dialog_close), self, G_CONNECT_SWAPPED);
  ear_podcast_playback_set_podcast (self->playback, self->library, self->podcast);
  update_notifications (self);
  show_address (self);
}

/* --- Class ----------------------------------------------------------------------------- */

/* Nobody is there any more to be asked about what is found. */
static void
ear_podcast_settings_dialog_closed (AdwDialog *dialog)
{
  stop_trying (EAR_PODCAST_SETTINGS_DIALOG (dialog));
}

static void
ear_podcast_settings_dialog_dispose (GObject *object)
{
  EarPodcastSettingsDialog *self = EAR_PODCAST_SETTINGS_DIALOG (object);

  g_cancellable_cancel (self->trying);
  g_clear_object (&self->trying);
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_PODCAST_SETTINGS_DIALOG);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_podcast_settings_dialog_parent_class)->dispose (object);
}

static void
ear_podcast_settings_dialog_class_init (EarPodcastSettingsDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Whose settings they are */
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPodcastSettingsDialog, podcast) },
  };

  object_class->dispose = ear_podcast_settings_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = ear_podcast_settings_dialog_closed;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* The listener does not want to follow the podcast any more. */
  g_signal_new ("unfollow", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (EAR_TYPE_CHOICE_ROW);
  g_type_ensure (EAR_TYPE_PODCAST);
  g_type_ensure (EAR_TYPE_PODCAST_PLAYBACK);
  gtk_widget_class_install_action (widget_class, "podcast.sign-in", NULL, sign_in);
  gtk_widget_class_install_action (widget_class, "podcast.unfollow", NULL, unfollow);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-podcast-settings-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, news);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, interval);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, notifications);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, queue_new);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, newest);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, remove_played);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, notes_pictures);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, playback);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, feed);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, address);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastSettingsDialog, spinner);
  gtk_widget_class_bind_template_callback (widget_class, address_applied_cb);
  gtk_widget_class_bind_template_callback (widget_class, address_changed_cb);
}

static void
ear_podcast_settings_dialog_init (EarPodcastSettingsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The page scrolls to what gets the focus, once that has a place. */
static gboolean
focus_address_cb (GtkWidget *address, GdkFrameClock *clock, gpointer user_data)
{
  if (gtk_widget_get_height (address) == 0)
    return G_SOURCE_CONTINUE;

  gtk_widget_grab_focus (address);

  return G_SOURCE_REMOVE;
}

/* @at_address: whether the keys begin at the address of the feed */
EarPodcastSettingsDialog *
ear_podcast_settings_dialog_new (EarLibrary *library, EarPodcast *podcast, gboolean at_address)
{
  EarPodcastSettingsDialog *self = g_object_new (EAR_TYPE_PODCAST_SETTINGS_DIALOG, "podcast", podcast, NULL);

  self->library = g_object_ref (library);
  if (at_address)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->address), focus_address_cb, NULL, NULL);
  else
    ear_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->interval));
  bind_podcast (self);

  return self;
}
