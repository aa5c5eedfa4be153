/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-preferences-dialog-private.h"

#include <glib/gi18n.h>

#include "ear-choice-row.h"
#include "ear-episode-actions.h"
#include "ear-format.h"
#include "ear-import-bar.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarPreferencesDialog:
 *
 * What holds for all podcasts. Rows are bound to the settings, and what they say holds at once.
 */
G_DEFINE_FINAL_TYPE (EarPreferencesDialog, ear_preferences_dialog, ADW_TYPE_PREFERENCES_DIALOG)

/* --- Data ------------------------------------------------------------------------------ */

static void
open_folder (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarPreferencesDialog *self = EAR_PREFERENCES_DIALOG (widget);
  g_autofree char *state = NULL;

  state = g_build_filename (ear_library_get_data_directory (self->library), "state", NULL);
  ear_show_in_folder (widget, state);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPreferencesDialog) self = user_data;
  const gint64 size = ear_cover_cache_measure_finish (EAR_COVER_CACHE (source), result, NULL);
  g_autofree char *text = ear_format_size (size);

  if (self->covers == NULL)
    return;
  adw_action_row_set_subtitle (self->covers, text != NULL ? text : C_("covers", "None"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.clear-covers", size > 0);
}

static void
measure_covers (EarPreferencesDialog *self)
{
  ear_cover_cache_measure_async (ear_library_get_covers (self->library), self->cancellable, measured_cb, g_object_ref (self));
}

static void
cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPreferencesDialog) self = user_data;

  if (!ear_cover_cache_clear_finish (EAR_COVER_CACHE (source), result, NULL) || self->covers == NULL)
    return;
  adw_preferences_dialog_add_toast (ADW_PREFERENCES_DIALOG (self), adw_toast_new (_("Covers are loaded again when needed")));
  measure_covers (self);
}

static void
clear_covers (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarPreferencesDialog *self = EAR_PREFERENCES_DIALOG (widget);

  gtk_widget_action_set_enabled (widget, "preferences.clear-covers", FALSE);
  ear_cover_cache_clear_async (ear_library_get_covers (self->library), NULL, cleared_cb, g_object_ref (self));
}

/* The bar and the notice that tell of an import are in the window. */
static void
take_over (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action_variant (widget, "app.import-file", parameter);
  adw_dialog_close (ADW_DIALOG (widget));
}

/* --- Class ----------------------------------------------------------------------------- */

static gpointer
get_row (EarPreferencesDialog *self, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), EAR_TYPE_PREFERENCES_DIALOG, name);
}

/* The desktop has the last word. */
static void
update_background (EarPreferencesDialog *self)
{
  adw_action_row_set_subtitle (ADW_ACTION_ROW (get_row (self, "background")),
                               self->background_refused ? _("Your system does not allow Earmark to run in the background")
                                                        : _("Even when Earmark is closed"));
}

/* Which row of the template shows which setting, by what property of it */
static const struct
{
  const char *setting;
  const char *row;
  const char *property;
} rows[] = {
  { "refresh-interval", "interval", "number" },
  { "download-newest", "newest", "number" },
  { "queue-new", "queue_new", "active" },
  { "refresh-on-metered", "metered", "active" },
  { "background-refresh", "background", "active" },
  { "notifications", "notifications", "active" },
  { "rate", "speed", "value" },
  { "trim-silence", "trim_silence", "active" },
  { "level-volume", "level_volume", "active" },
  { "skip-back", "skip_back", "value" },
  { "skip-forward", "skip_forward", "value" },
  { "rewind-after-pause", "rewind", "active" },
  { "continuous", "continuous", "active" },
  { "media-keys-chapters", "media_keys_chapters", "active" },
  { "remove-played", "remove_played", "active" },
  { "remove-after", "remove_after", "number" },
  { "keep-free", "keep_free", "number" },
  { "keep-playing", "keep_playing", "active" },
};

static void
bind_settings (EarPreferencesDialog *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_object_bind_property (ear_library_get_settings (self->library), rows[i].setting,
                            get_row (self, rows[i].row), rows[i].property, G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

/* A backup was restored in the dialog above: the window offers the way back, and is to be seen. What
 * others have done meanwhile, such as an import that ends, does not close what the listener is at. */
static void
undo_offered_cb (EarPreferencesDialog *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));

  if (ADW_IS_APPLICATION_WINDOW (window) &&
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) != ADW_DIALOG (self))
    adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_preferences_dialog_dispose (GObject *object)
{
  EarPreferencesDialog *self = EAR_PREFERENCES_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->library);
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_PREFERENCES_DIALOG);

  G_OBJECT_CLASS (ear_preferences_dialog_parent_class)->dispose (object);
}

static void
ear_preferences_dialog_class_init (EarPreferencesDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether the desktop does not let Earmark run without a window */
    { "background-refused", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPreferencesDialog, background_refused),
      .changed = G_CALLBACK (update_background) },
  };

  object_class->dispose = ear_preferences_dialog_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHOICE_ROW);
  gtk_widget_class_install_action (widget_class, "preferences.open-folder", NULL, open_folder);
  gtk_widget_class_install_action (widget_class, "preferences.clear-covers", NULL, clear_covers);
  gtk_widget_class_install_action (widget_class, "preferences.take-over", "s", take_over);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-preferences-dialog.ui");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_class_bind_template_child_full (widget_class, rows[i].row, FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, exchange);
  gtk_widget_class_bind_template_child (widget_class, EarPreferencesDialog, covers);
  ear_preferences_dialog_bind_downloads (widget_class);
}

static void
ear_preferences_dialog_init (EarPreferencesDialog *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  update_background (self);
}

EarPreferencesDialog *
ear_preferences_dialog_new (EarLibrary *library)
{
  EarPreferencesDialog *self = g_object_new (EAR_TYPE_PREFERENCES_DIALOG, NULL);

  self->library = g_object_ref (library);
  ear_dialog_set_focus (ADW_DIALOG (self), get_row (self, "interval"));
  bind_settings (self);
  measure_covers (self);
  ear_preferences_dialog_follow_downloads (self);
  ear_import_offers_fill (self->exchange, "preferences.take-over", self->cancellable);
  g_signal_connect_object (ear_library_get_notices (library), "undo-offered", G_CALLBACK (undo_offered_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}
