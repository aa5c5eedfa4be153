/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "ear-alert.h"
#include "ear-application-private.h"
#include "ear-error-text.h"

/*
 * The life of the library in the application: brought up to date, opened, and closed when
 * nobody wants anything of it any more.
 */

/* Writing takes milliseconds. A disk that hangs must not keep the program from ending. */
#define CLOSE_LIMIT_MS 4000

/* Without a window the program stays for a pause: the media keys bring it back to life. */
#define PAUSE_LIMIT_S (10 * 60)

static void
failure_closed_cb (EarApplication *self)
{
  g_application_quit (G_APPLICATION (self));
}

/* Without its folder there is nothing that the program could do. */
static void
show_failure (EarApplication *self, const GError *error)
{
  AdwDialog *dialog;

  /* Others may ask for the library again and again while it is read. */
  if (self->told_failure)
    return;
  self->told_failure = TRUE;
  dialog = ear_alert_new (_("Earmark Cannot Start"));
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NEWER) || g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    {
      g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

      adw_alert_dialog_set_body (ADW_ALERT_DIALOG (dialog), body);
    }
  else
    /* Translators: %s is what the system says is wrong */
    adw_alert_dialog_format_body (ADW_ALERT_DIALOG (dialog), _("Your library could not be opened: %s"), error->message);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "quit", _("_Quit"));
  g_signal_connect_object (dialog, "closed", G_CALLBACK (failure_closed_cb), self, G_CONNECT_SWAPPED);
  /* The dialog's window is not one of the application's: it would end before it was read. */
  g_application_hold (G_APPLICATION (self));
  adw_dialog_present (dialog, NULL);
}

/* Without a window to show it in, what was done is told when there is one. */
static void
undo_offered_cb (EarApplication *self, EarUndo *undo)
{
  if (ear_application_get_window (self) == NULL && ear_undo_get_message (undo) != NULL)
    ear_application_show_notice (self, ear_undo_get_message (undo), FALSE);
}

static EarLibrary *
new_library (void)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  return ear_library_new (data, cache);
}

/* Begins to open the library on a thread, while GTK gets ready. */
void
ear_application_open_ahead (EarApplication *self)
{
  self->ahead = new_library ();
  ear_library_open_ahead (self->ahead);
}

/* Returns: (transfer full): the listener's library, neither opened nor brought up to date yet */
EarLibrary *
ear_application_make_library (EarApplication *self)
{
  return self->ahead != NULL ? g_steal_pointer (&self->ahead) : new_library ();
}

/* Returns: whether there is sound, or will be */
gboolean
ear_application_is_playing (EarApplication *self)
{
  const EarPlayerState state = ear_player_get_state (ear_library_get_player (self->library));

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

/* Returns: whether the listener wants podcasts to be checked without a window, and the desktop lets us */
gboolean
ear_application_stays (EarApplication *self)
{
  gboolean wanted;

  g_object_get (ear_library_get_settings (self->library), "background-refresh", &wanted, NULL);

  return wanted && !self->background_refused;
}

/* What was asked for when it could not be done. */
static void
do_late_action (EarApplication *self)
{
  g_autofree char *action = g_steal_pointer (&self->late_action);
  g_autoptr (GVariant) parameter = g_steal_pointer (&self->late_parameter);

  if (action != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), action, parameter);
}

static void
closed (EarApplication *self)
{
  GtkWindow *window;

  g_clear_handle_id (&self->close_source, g_source_remove);
  while ((window = GTK_WINDOW (ear_application_get_window (self))) != NULL)
    gtk_window_destroy (window);
  g_clear_object (&self->library);
  g_object_notify (G_OBJECT (self), "library");
  self->closing = FALSE;
  ear_application_update_background (self);
  if (self->wanted_again)
    {
      g_autoptr (GPtrArray) files = g_steal_pointer (&self->wanted_files);

      self->wanted_again = FALSE;
      self->wanted_files = g_ptr_array_new_with_free_func (g_object_unref);
      if (files->len > 0)
        g_application_open (G_APPLICATION (self), (GFile **) files->pdata, (int) files->len, "");
      else
        g_application_activate (G_APPLICATION (self));
    }
  do_late_action (self);
  g_application_release (G_APPLICATION (self));
}

static void
closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_library_close_finish (EAR_LIBRARY (object), result, &error))
    g_warning ("Not everything could be written: %s", error->message);
  if (EAR_LIBRARY (object) == self->library)
    closed (self);
}

static gboolean
close_limit_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);

  g_warning ("Writing takes too long; ending without it");
  self->close_source = 0;
  closed (self);

  return G_SOURCE_REMOVE;
}

/* Writes everything, and lets the library go. Does nothing where there is none. */
void
ear_application_close_library (EarApplication *self)
{
  if (self->closing || self->library == NULL)
    return;

  self->closing = TRUE;
  g_clear_handle_id (&self->pause_source, g_source_remove);
  self->close_source = g_timeout_add (CLOSE_LIMIT_MS, close_limit_cb, self);
  ear_library_close_async (self->library, closed_cb, g_object_ref (self));
}

static gboolean
pause_limit_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);

  self->pause_source = 0;
  ear_application_close_library (self);

  return G_SOURCE_REMOVE;
}

/* Without a window the library stays open while something plays or is downloaded and as long as the listener wants
 * podcasts to be checked, waits through a pause, and is closed otherwise. */
void
ear_application_consider_closing (EarApplication *self)
{
  g_clear_handle_id (&self->pause_source, g_source_remove);
  if (self->closing || self->library == NULL || ear_application_get_window (self) != NULL)
    return;
  if (ear_application_is_playing (self) || ear_application_stays (self) || ear_downloader_get_running (ear_library_get_downloader (self->library)))
    return;

  self->pause_source = g_timeout_add_seconds (PAUSE_LIMIT_S, pause_limit_cb, self);
}

/* It begins again with another list of episodes, unless that would interrupt the listener. */
static void
damaged_cb (EarApplication *self)
{
  if (self->mended || ear_application_is_playing (self))
    {
      ear_application_show_notice (self, _("The list of episodes is damaged. Restart Earmark to repair it."), TRUE);
      return;
    }

  self->mended = TRUE;
  self->wanted_again = ear_application_get_window (self) != NULL;
  ear_application_close_library (self);
}

/* Opens it and keeps the program alive with it, or shows what is wrong. */
gboolean
ear_application_open_library (EarApplication *self, EarLibrary *library)
{
  g_autoptr (GError) error = NULL;

  g_signal_connect_object (ear_library_get_notices (library), "notice", G_CALLBACK (ear_application_show_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_notices (library), "undo-offered", G_CALLBACK (undo_offered_cb), self, G_CONNECT_SWAPPED);
  if (!ear_library_open (library, &error))
    {
      g_message ("%s", error->message);
      show_failure (self, error);
      return FALSE;
    }

  self->library = g_object_ref (library);
  self->started = FALSE;
  /* It stays until the library is closed, with or without a window. */
  g_application_hold (G_APPLICATION (self));
  g_signal_connect_object (ear_library_get_player (self->library), "notify::state",
                           G_CALLBACK (ear_application_consider_closing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::selected-collection",
                           G_CALLBACK (ear_application_update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_catalogue (self->library), "damage-found", G_CALLBACK (damaged_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_downloader (self->library), "notify::running",
                           G_CALLBACK (ear_application_consider_closing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::background-refresh",
                           G_CALLBACK (ear_application_consider_closing), self, G_CONNECT_SWAPPED);
  ear_application_follow_library (self);
  g_object_notify (G_OBJECT (self), "library");

  return TRUE;
}

static void
updated_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  EarLibrary *library = EAR_LIBRARY (object);
  g_autoptr (GtkWindow) window = g_steal_pointer (&self->update_window);
  const gboolean wanted = gtk_widget_get_visible (GTK_WIDGET (window));
  g_autoptr (GError) error = NULL;

  /* What is damaged is replaced when it is opened; all else would only fail again. */
  if (!ear_library_update_finish (library, result, &error))
    g_message ("The library cannot be updated: %s", error->message);
  if (wanted && error != NULL && !g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    show_failure (self, error);
  else if (wanted && ear_application_open_library (self, library))
    {
      g_autoptr (GPtrArray) files = g_steal_pointer (&self->wanted_files);

      self->wanted_files = g_ptr_array_new_with_free_func (g_object_unref);
      ear_application_open_window (self);
      for (guint i = 0; i < files->len; i++)
        ear_window_open_file (ear_application_get_window (self), g_ptr_array_index (files, i));
      do_late_action (self);
    }
  /* Who closed the window, or saw that it failed, has seen the end of it. */
  g_ptr_array_set_size (self->wanted_files, 0);
  g_clear_pointer (&self->late_action, g_free);
  g_clear_pointer (&self->late_parameter, g_variant_unref);
  gtk_window_destroy (window);
  g_application_release (G_APPLICATION (self));
}

/* Brings it up to date behind a window that says so, and opens it. Nothing else touches the library until then. Who
 * closes the window meanwhile does not want another one. */
void
ear_application_update_library (EarApplication *self, EarLibrary *library)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-update-window.ui");

  self->update_window = g_object_ref (GTK_WINDOW (gtk_builder_get_object (builder, "window")));
  gtk_window_set_application (self->update_window, GTK_APPLICATION (self));
  gtk_window_present (self->update_window);
  g_application_hold (G_APPLICATION (self));
  ear_library_update_async (library, updated_cb, g_object_ref (self));
}

static gboolean
begin_update (EarApplication *self)
{
  g_autoptr (EarLibrary) library = self->library == NULL ? new_library () : NULL;

  if (library == NULL || !ear_library_needs_update (library))
    return FALSE;

  ear_application_update_library (self, library);

  return TRUE;
}

/* Does what is asked for while everything is being written, or while the library is brought
 * up to date, after that. The last one that asks is heard. A library of an earlier version is
 * brought up to date now, since somebody wants something of it.
 * @parameter: (nullable): its parameter */
gboolean
ear_application_put_off (EarApplication *self, const char *action, GVariant *parameter)
{
  if (!self->closing && self->update_window == NULL && !begin_update (self))
    return FALSE;

  g_set_str (&self->late_action, action);
  g_clear_pointer (&self->late_parameter, g_variant_unref);
  self->late_parameter = parameter != NULL ? g_variant_ref (parameter) : NULL;

  return TRUE;
}
