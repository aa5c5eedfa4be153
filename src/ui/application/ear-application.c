/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-application-private.h"
#include "ear-gtk-init.h"
#include "ear-property.h"
#include "ear-window.h"

/* When the window that was closed is gone with all that it held. */
#define SAVE_MEMORY_DELAY_S 2

/* A program that was started for a window gets to know that at once. */
#define BEGIN_DELAY_MS 1000

/**
 * EarApplication:
 *
 * Owns the library, and so the player, which outlives the window: while something plays
 * without a window the program goes on, and shows a window again when it is activated.
 * It ends when the last window is closed and nothing plays, after all is written.
 */
G_DEFINE_FINAL_TYPE (EarApplication, ear_application, ADW_TYPE_APPLICATION)

static GFile *
get_welcome (void)
{
  const char *path = g_getenv ("EARMARK_WELCOME");

  return path != NULL ? g_file_new_for_path (path) : g_file_new_for_uri ("resource://" EAR_RESOURCE_BASE "/welcome.opml");
}

static gboolean
start_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  g_autoptr (GFile) welcome = get_welcome ();

  if (self->library != NULL && !self->closing && !self->started)
    {
      self->started = TRUE;
      ear_library_set_unattended (self->library, ear_application_get_window (self) == NULL);
      ear_library_start (self->library, welcome);
    }

  return G_SOURCE_REMOVE;
}

static gboolean
save_memory_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);

  if (self->in_background)
    ear_library_save_memory (self->library);

  return G_SOURCE_REMOVE;
}

/* Tells whether the library is open without a window. */
void
ear_application_update_background (EarApplication *self)
{
  const gboolean in_background = self->library != NULL && !self->closing && ear_application_get_window (self) == NULL;

  if (ear_property_set_boolean (self, "in-background", in_background) && in_background)
    g_timeout_add_seconds_full (G_PRIORITY_LOW, SAVE_MEMORY_DELAY_S, save_memory_cb, g_object_ref (self), g_object_unref);
}

/* Starts the library, after the first frame: nothing is fetched before the window is there. */
void
ear_application_start_soon (EarApplication *self)
{
  if (!self->started)
    g_timeout_add_full (G_PRIORITY_LOW, 1, start_cb, g_object_ref (self), g_object_unref);
}

/* Tells what the listener looks at. What the window shows is what the settings say. */
void
ear_application_update_watched (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);
  g_autofree char *watched = NULL;

  if (window != NULL && self->library != NULL && gtk_window_is_active (GTK_WINDOW (window)))
    g_object_get (ear_library_get_settings (self->library), "selected-collection", &watched, NULL);
  ear_property_set_string (self, "watched", watched);
}

/* Whether it goes on without a window with what it does. */
static gboolean
goes_on (EarApplication *self)
{
  gboolean keep;

  g_object_get (ear_library_get_settings (self->library), "keep-playing", &keep, NULL);

  return keep;
}

static void
window_removed_cb (EarApplication *self, GtkWindow *window)
{
  gboolean plays, downloads;

  if (!EAR_IS_WINDOW (window) || self->closing || self->library == NULL)
    return;

  ear_application_update_watched (self);
  /* Its dialog has gone with it. */
  ear_accelerators_set_modal (GTK_APPLICATION (self), FALSE);
  plays = goes_on (self) && ear_application_is_playing (self);
  downloads = goes_on (self) && ear_downloader_get_n_active (ear_library_get_downloader (self->library)) > 0;
  if (!plays)
    ear_player_pause (ear_library_get_player (self->library));
  if (!plays && !downloads && !ear_application_stays (self))
    {
      ear_application_close_library (self);
      return;
    }
  ear_application_update_background (self);
  ear_application_consider_closing (self);
}

/* Hides the window, writes everything, and ends. */
void
ear_application_quit (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);

  if (window != NULL)
    gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  /* Whoever was to be served after the end was there before. */
  self->wanted_again = FALSE;
  g_ptr_array_set_size (self->wanted_files, 0);
  g_clear_pointer (&self->late_action, g_free);
  g_clear_pointer (&self->late_parameter, g_variant_unref);
  if (self->library != NULL)
    ear_application_close_library (self);
  else if (self->update_window != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->update_window), FALSE);
  else
    g_application_quit (G_APPLICATION (self));
}

/* Opens the library if that has not been done: other programs may want something of it
 * that needs no window.
 * Returns: (transfer none) (nullable): the library, begun; %NULL while one is being closed,
 *   and where none can be opened */
EarLibrary *
ear_application_ensure_library (EarApplication *self)
{
  if (self->closing || self->update_window != NULL)
    return NULL;
  if (self->library == NULL)
    {
      g_autoptr (EarLibrary) library = ear_application_make_library (self);

      /* Bringing it up to date takes its time, in a window: that is for whoever wants one. */
      if (ear_library_needs_update (library) || !ear_application_open_library (self, library))
        return NULL;
    }

  ear_application_start_soon (self);
  ear_application_update_background (self);
  ear_application_consider_closing (self);

  return self->library;
}

static gboolean
begin_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  g_autoptr (EarSettings) settings = self->library == NULL ? ear_settings_new () : NULL;
  gboolean wanted = FALSE;

  self->begin_source = 0;
  if (settings != NULL)
    g_object_get (settings, "background-refresh", &wanted, NULL);
  if (wanted)
    ear_application_ensure_library (self);

  return G_SOURCE_REMOVE;
}

/* Mostly to who has just chosen it in the preferences. */
static void
notify_refusal (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);
  const char *message = _("Your system does not allow Earmark to run in the background");

  if (window != NULL)
    ear_window_show_reply (window, message);
  else
    ear_application_show_notice (self, message, FALSE);
}

static void
set_background_refused (EarApplication *self, gboolean refused)
{
  if (!ear_property_set_boolean (self, "background-refused", refused) || !refused || self->library == NULL)
    return;

  /* Once in a session; the preferences say it for as long as it is so. */
  if (!self->told_refusal)
    notify_refusal (self);
  self->told_refusal = TRUE;
  ear_application_consider_closing (self);
}

static gboolean
terminated_cb (gpointer user_data)
{
  ear_application_quit (EAR_APPLICATION (user_data));

  return G_SOURCE_CONTINUE;
}

static void
ear_application_activate (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);

  if (self->closing)
    {
      self->wanted_again = TRUE;
      return;
    }

  g_clear_handle_id (&self->pause_source, g_source_remove);
  if (self->update_window != NULL)
    gtk_window_present (self->update_window);
  else if (self->library != NULL)
    ear_application_open_window (self);
  else
    {
      g_autoptr (EarLibrary) library = ear_application_make_library (self);

      if (ear_library_needs_update (library))
        ear_application_update_library (self, library);
      else if (ear_application_open_library (self, library))
        ear_application_open_window (self);
    }
}

/* Addresses of podcasts and of pages, and files of this computer, from the command line, the
 * desktop and its portals. */
static void
ear_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  EarApplication *self = EAR_APPLICATION (application);

  ear_application_activate (application);
  for (int i = 0; i < n_files; i++)
    if (!self->closing && ear_application_get_window (self) != NULL)
      ear_window_open_file (ear_application_get_window (self), files[i]);
    else
      g_ptr_array_add (self->wanted_files, g_object_ref (files[i]));
}

/* GApplication's own sends all arguments as a command line where those of others are answered; to open
 * something, or to show the window, is to be done as the desktop does it. */
static gboolean
ear_application_local_command_line (GApplication *application, char ***arguments, int *exit_status)
{
  const gboolean is_service = g_strcmp0 ((*arguments)[1], "--gapplication-service") == 0;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (char **argument = *arguments + 1; !is_service && *argument != NULL; argument++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (*argument));
  if (is_service)
    g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_IS_SERVICE);

  *exit_status = EXIT_SUCCESS;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("earmark: %s\n", error->message);
      *exit_status = EXIT_FAILURE;
    }
  else if (files->len > 0)
    g_application_open (application, (GFile **) files->pdata, (int) files->len, "");
  else if (!is_service)
    g_application_activate (application);

  return TRUE;
}

static void
read_icons_thread (GTask *task, gpointer theme, gpointer data, GCancellable *cancellable)
{
  g_task_return_boolean (task, gtk_icon_theme_has_icon (theme, EAR_APP_ID));
}

/* Since our own icons and libadwaita's are among them, the themes that GTK has read on a thread are to be
 * read again. It would do so, and keep the window waiting, when the first icon is shown. To look one up
 * is allowed on any thread. */
static void
read_icons (void)
{
  g_autoptr (GTask) task = g_task_new (gtk_icon_theme_get_for_display (gdk_display_get_default ()), NULL, NULL, NULL);

  g_task_set_source_tag (task, read_icons);
  g_task_run_in_thread (task, read_icons_thread);
}

static void
ear_application_startup (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);

  /* GTK would end the program too, but in words that help nobody. */
  if (!ear_gtk_init ())
    {
      g_printerr ("earmark: %s\n", _("No display was found. “earmark --help” lists the options that work without one"));
      exit (EXIT_FAILURE);
    }
  /* Unless it was started to do something else, which may need none. */
  if ((g_application_get_flags (application) & G_APPLICATION_IS_SERVICE) == 0)
    ear_application_open_ahead (self);
  /* GTK's own part of this looks for our icon where nobody has named it, and waits for all themes
   * of icons to be read; libadwaita's adds more of them, after which they are read again. */
  adw_init ();
  gtk_window_set_default_icon_name (EAR_APP_ID);
  G_APPLICATION_CLASS (ear_application_parent_class)->startup (application);
  read_icons ();

  /* A label that gets the focus by Tab is not there to be copied whole. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  ear_application_add_actions (self);
  ear_application_add_opml_actions (self);
  ear_application_add_remote_actions (self);
  ear_accelerators_set (GTK_APPLICATION (self));
  /* Unless it was started to show a window or to do something else. */
  if ((g_application_get_flags (application) & G_APPLICATION_IS_SERVICE) != 0)
    self->begin_source = g_timeout_add (BEGIN_DELAY_MS, begin_cb, self);
  self->signal_sources[0] = g_unix_signal_add (SIGTERM, terminated_cb, self);
  self->signal_sources[1] = g_unix_signal_add (SIGINT, terminated_cb, self);
}

static void
ear_application_shutdown (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);

  for (gsize i = 0; i < G_N_ELEMENTS (self->signal_sources); i++)
    g_clear_handle_id (&self->signal_sources[i], g_source_remove);
  g_clear_handle_id (&self->begin_source, g_source_remove);
  g_clear_handle_id (&self->pause_source, g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);

  G_APPLICATION_CLASS (ear_application_parent_class)->shutdown (application);
}

static void
ear_application_dispose (GObject *object)
{
  EarApplication *self = EAR_APPLICATION (object);

  g_clear_object (&self->ahead);
  g_clear_object (&self->finding);
  g_clear_object (&self->library);
  g_clear_pointer (&self->notices, g_ptr_array_unref);
  g_clear_pointer (&self->watched, g_free);
  g_clear_pointer (&self->late_action, g_free);
  g_clear_pointer (&self->late_parameter, g_variant_unref);
  g_clear_pointer (&self->wanted_files, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_application_parent_class)->dispose (object);
}

static void
ear_application_class_init (EarApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  const EarProperty properties[] = {
    /* Everything that there is, while it is open. The session's side (MPRIS, inhibiting suspend) follows this property */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READABLE, G_STRUCT_OFFSET (EarApplication, library) },
    /* What the listener looks at: the name of the view, or the hash of the first address of the podcast, that is listed in a
     * window which has the focus; %NULL while none has */
    { "watched", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarApplication, watched) },
    /* Whether the library is open without a window */
    { "in-background", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarApplication, in_background) },
    /* Whether the desktop does not let the program go on without a window, which is for the session's side to say */
    { "background-refused", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarApplication, background_refused),
      .set = G_CALLBACK (set_background_refused) },
  };

  object_class->dispose = ear_application_dispose;
  application_class->activate = ear_application_activate;
  application_class->open = ear_application_open;
  application_class->local_command_line = ear_application_local_command_line;
  application_class->startup = ear_application_startup;
  application_class->shutdown = ear_application_shutdown;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_application_init (EarApplication *self)
{
  self->notices = g_ptr_array_new_with_free_func (g_free);
  self->wanted_files = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect (self, "window-removed", G_CALLBACK (window_removed_cb), NULL);
}

EarApplication *
ear_application_new (void)
{
  return g_object_new (EAR_TYPE_APPLICATION,
                       "application-id", EAR_APP_ID,
                       "flags", G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE,
                       "resource-base-path", EAR_RESOURCE_BASE,
                       NULL);
}

EAR_DEFINE_GET (EarApplication, ear_application, EarLibrary *, library)
