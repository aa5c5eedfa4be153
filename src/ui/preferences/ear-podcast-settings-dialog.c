/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-choice-row.h"
#include "ear-widget.h"

/**
 * EarPodcastSettingsDialog:
 *
 * The settings of one podcast, which override those of all podcasts. A row of the
 * template has the name of its setting, and shows the property of the podcast with that
 * name. Buttons run actions of the window's sidebar items. Closes when the podcast is
 * unfollowed.
 */
struct _EarPodcastSettingsDialog
{
  AdwPreferencesDialog parent_instance;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
};

#define EAR_TYPE_PODCAST_SETTINGS_DIALOG (ear_podcast_settings_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastSettingsDialog, ear_podcast_settings_dialog, EAR,
                      PODCAST_SETTINGS_DIALOG, AdwPreferencesDialog)
G_DEFINE_FINAL_TYPE (EarPodcastSettingsDialog, ear_podcast_settings_dialog,
                     ADW_TYPE_PREFERENCES_DIALOG)

/* The heading of a group is always markup. */
static char *
dup_heading (gpointer object, const char *name)
{
  return g_markup_escape_text (name != NULL ? name : "", -1);
}

/* A series continues where the listener is, not with its newest episode. */
static char *
dup_newest_choice (gpointer object, int series)
{
  return g_strdup (series ? "next" : "newest");
}

/* A public address is always uploaded. */
static gboolean
may_sync (gpointer object, EarPodcast *podcast)
{
  return podcast != NULL && ear_podcast_is_private (podcast);
}

static char *
dup_notifications_hint (gpointer object, gboolean notifications)
{
  return g_strdup (notifications ? NULL : _("Turned off in Preferences"));
}

/* --- The rows ----------------------------------------------------------------------- */

/* The first one gets the focus. */
static const EarPodcastSetting rows[] = {
  EAR_PODCAST_SETTING_REFRESH_INTERVAL, EAR_PODCAST_SETTING_NOTIFICATIONS,
  EAR_PODCAST_SETTING_QUEUE_NEW,        EAR_PODCAST_SETTING_DOWNLOAD_NEWEST,
  EAR_PODCAST_SETTING_REMOVE_PLAYED,    EAR_PODCAST_SETTING_SERIES,
  EAR_PODCAST_SETTING_SKIP_START,       EAR_PODCAST_SETTING_SKIP_END,
  EAR_PODCAST_SETTING_NOTES_PICTURES,   EAR_PODCAST_SETTING_SYNC,
};

static gpointer
get_row (EarPodcastSettingsDialog *self, EarPodcastSetting setting)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), EAR_TYPE_PODCAST_SETTINGS_DIALOG,
                                        ear_podcast_setting_types[setting].name);
}

/* Stores the listener's choice. */
static void
row_changed_cb (GObject *row, GParamSpec *pspec, EarPodcastSettingsDialog *self)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  g_auto (GValue) value = G_VALUE_INIT;
  EarPodcastSetting setting;

  if (!ear_podcast_setting_find (gtk_buildable_get_buildable_id (GTK_BUILDABLE (row)), &setting))
    return;

  g_value_init (&value, G_TYPE_INT);
  g_object_get_property (row, pspec->name, &value);
  if (setting == EAR_PODCAST_SETTING_SERIES)
    ear_subscriptions_set_series (subscriptions, self->podcast, g_value_get_int (&value));
  else
    ear_subscriptions_set_setting (subscriptions, self->podcast, setting,
                                   g_value_get_int (&value));
}

static void
bind_rows (EarPodcastSettingsDialog *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *name = ear_podcast_setting_types[rows[i]].name;
      gpointer row = get_row (self, rows[i]);
      const char *property = ear_setting_row_get_property (row);
      g_autofree char *notify = g_strconcat ("notify::", property, NULL);

      if (EAR_IS_CHOICE_ROW (row))
        g_object_bind_property (ear_library_get_settings (self->library), name, row,
                                "default-number", G_BINDING_SYNC_CREATE);
      g_object_bind_property (self->podcast, name, row, property, G_BINDING_SYNC_CREATE);
      g_signal_connect_object (row, notify, G_CALLBACK (row_changed_cb), self, 0);
    }
}

static void
ear_podcast_settings_dialog_class_init (EarPodcastSettingsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPodcastSettingsDialog, library) },
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPodcastSettingsDialog, podcast) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHOICE_ROW);
  g_type_ensure (EAR_TYPE_PODCAST);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE
                                               "/ui/ear-podcast-settings-dialog.ui");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_class_bind_template_child_full (
        widget_class, ear_podcast_setting_types[rows[i]].name, FALSE, 0);
  gtk_widget_class_bind_template_callback (widget_class, dup_heading);
  gtk_widget_class_bind_template_callback (widget_class, dup_newest_choice);
  gtk_widget_class_bind_template_callback (widget_class, dup_notifications_hint);
  gtk_widget_class_bind_template_callback (widget_class, may_sync);
}

static void
ear_podcast_settings_dialog_init (EarPodcastSettingsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
ear_podcast_settings_dialog_new (EarLibrary *library, EarPodcast *podcast)
{
  EarPodcastSettingsDialog *self =
      g_object_new (EAR_TYPE_PODCAST_SETTINGS_DIALOG, "library", library, "podcast", podcast, NULL);

  ear_dialog_set_focus (ADW_DIALOG (self), get_row (self, rows[0]));
  bind_rows (self);
  ear_connect (podcast, "notify::followed", adw_dialog_close, self);

  return ADW_DIALOG (self);
}
