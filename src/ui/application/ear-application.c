/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "ear-accelerators.h"
#include "ear-dialog.h"
#include "ear-error-text.h"
#include "ear-gtk-init.h"
#include "ear-property.h"

/* Seconds after the window was closed until caches are dropped: its widgets
 * are gone by then. */
#define SAVE_MEMORY_DELAY_S 2

/* A program that was started for a window is activated within this time. */
#define BACKGROUND_START_DELAY_MS 1000

/* Writing takes milliseconds. A disk that hangs must not keep the program from ending. */
#define CLOSE_LIMIT_MS 4000

/* Without a window, a paused program stays this long, so that the
 * media keys resume it. */
#define PAUSE_LIMIT_S (10 * 60)

/* Notices that are kept: each has to be dismissed by hand. */
#define MAX_NOTICES 5

/**
 * EarApplication:
 *
 * Owns the library, and so the player, which outlives the window: while something plays
 * without a window the program goes on, and shows a window again when it is activated. It
 * ends when the last window is closed and nothing plays, after everything is written.
 *
 * The library is opened and closed here.
 */
struct _EarApplication
{
  AdwApplication parent_instance;

  /* Owned */
  EarLibrary *library;      /* (nullable): open, or closing */
  EarLibrary *ahead;        /* (nullable): the library to open, which a thread reads already */
  GtkStringList *notices;   /* until they are dismissed in a window */
  char *watched;            /* (nullable) */
  GPtrArray *late_actions;  /* (element-type GVariant): names and parameters of actions that were
                               requested while the library was closing */

  gboolean started;         /* ear_library_start() was called */
  gboolean closing;
  gboolean in_background;
  gboolean background_refused;
  gboolean refusal_shown;
  gboolean failure_shown;
  gboolean repaired;        /* reopened because the catalogue was damaged */

  guint background_source;
  guint close_source;
  guint pause_source;
  guint signal_sources[2];
};

G_DEFINE_FINAL_TYPE (EarApplication, ear_application, ADW_TYPE_APPLICATION)

EAR_DEFINE_GET (EarApplication, ear_application, EarLibrary *, library)

EarWindow *
ear_application_get_window (EarApplication *self)
{
  for (GList *item = gtk_application_get_windows (GTK_APPLICATION (self)); item != NULL;
       item = item->next)
    if (EAR_IS_WINDOW (item->data))
      return item->data;

  return NULL;
}

/* Shows a message in the window, or keeps it for the next one.
 * @lasting: whether it stays until it is dismissed, also in a window */
void
ear_application_show_notice (EarApplication *self, const char *message, gboolean lasting)
{
  EarWindow *window = ear_application_get_window (self);

  if (window != NULL && !lasting)
    {
      ear_window_show_toast (window, message);
      return;
    }
  if (gtk_string_list_find (self->notices, message) != G_MAXUINT)
    return;

  if (g_list_model_get_n_items (G_LIST_MODEL (self->notices)) == MAX_NOTICES)
    gtk_string_list_remove (self->notices, 0);
  gtk_string_list_append (self->notices, message);
}

EAR_DEFINE_GET (EarApplication, ear_application, GtkStringList *, notices)

static gboolean
is_playing (EarApplication *self)
{
  const EarPlayerState state = ear_player_get_state (ear_library_get_player (self->library));

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

static gboolean
get_setting (EarApplication *self, const char *name)
{
  gboolean value;

  g_object_get (ear_library_get_settings (self->library), name, &value, NULL);

  return value;
}

/* The listener wants podcasts to be checked without a window, and the
 * desktop allows it. */
static gboolean
stays_in_background (EarApplication *self)
{
  return get_setting (self, "background-refresh") && !self->background_refused;
}

static gboolean
save_memory_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);

  if (self->in_background)
    ear_library_save_memory (self->library);

  return G_SOURCE_REMOVE;
}

static void
update_in_background (EarApplication *self)
{
  const gboolean in_background =
      self->library != NULL && !self->closing && ear_application_get_window (self) == NULL;

  if (ear_property_set_boolean (self, "in-background", in_background) && in_background)
    g_timeout_add_seconds_full (G_PRIORITY_LOW, SAVE_MEMORY_DELAY_S, save_memory_cb,
                                g_object_ref (self), g_object_unref);
}

static void
update_watched (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);
  g_autofree char *watched = NULL;

  if (window != NULL && self->library != NULL && gtk_window_is_active (GTK_WINDOW (window)))
    g_object_get (ear_library_get_settings (self->library), "selected-collection", &watched, NULL);
  ear_property_set_string (self, "watched", watched);
}

static gboolean
start_cb (gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const char *path = g_getenv ("EARMARK_WELCOME");
  /* An OPML list of demos and tests */
  g_autoptr (GFile) welcome = path != NULL ? g_file_new_for_path (path) : NULL;

  if (self->library != NULL && !self->closing && !self->started)
    {
      self->started = TRUE;
      ear_library_start (self->library, welcome, ear_application_get_window (self) == NULL);
    }

  return G_SOURCE_REMOVE;
}

/* Starts the library after the first frame: no request delays the window. */
static void
start_soon (EarApplication *self)
{
  if (!self->started)
    g_timeout_add_full (G_PRIORITY_LOW, 1, start_cb, g_object_ref (self), g_object_unref);
}

/* --- The window --------------------------------------------------------------------- */

/* The pointer or a key announces playback: Ctrl is pressed before the space bar. */
static gboolean
first_event_cb (EarApplication *self, GdkEvent *event, GtkEventController *controller)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  if (self->started && (type == GDK_MOTION_NOTIFY || type == GDK_KEY_PRESS ||
                        type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN))
    {
      ear_player_prepare (ear_library_get_player (self->library));
      gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }

  return GDK_EVENT_PROPAGATE;
}

static EarWindow *
create_window (EarApplication *self)
{
  EarWindow *window = ear_window_new (GTK_APPLICATION (self), self->library, self->notices);
  GtkEventController *controller = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  ear_connect (controller, "event", first_event_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (window), controller);
  ear_connect (window, "notify::is-active", update_watched, self);
  ear_connect (window, "map", start_soon, self);

  return window;
}

static EarWindow *
open_window (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);

  if (window == NULL)
    window = create_window (self);
  gtk_window_present (GTK_WINDOW (window));
  update_in_background (self);

  return window;
}

/* --- Closing the library ------------------------------------------------------------ */

/* Delays an action of the application while everything is written.
 * @action: (nullable): %NULL for one that is not done late: the listener who closed
 * the window does not want another one for it
 * @parameter: (nullable)
 * Returns: whether the library is closing, and the caller has to do nothing */
gboolean
ear_application_put_off (EarApplication *self, const char *action, GVariant *parameter)
{
  if (self->closing && action != NULL)
    g_ptr_array_add (self->late_actions,
                     g_variant_ref_sink (g_variant_new ("(smv)", action, parameter)));

  return self->closing;
}

static void
run_late_actions (EarApplication *self)
{
  g_autoptr (GPtrArray) actions = g_steal_pointer (&self->late_actions);

  self->late_actions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  for (guint i = 0; i < actions->len; i++)
    {
      g_autoptr (GVariant) parameter = NULL;
      const char *name;

      g_variant_get (g_ptr_array_index (actions, i), "(&smv)", &name, &parameter);
      g_action_group_activate_action (G_ACTION_GROUP (self), name, parameter);
    }
}

static void
finish_closing (EarApplication *self)
{
  EarWindow *window;

  g_clear_handle_id (&self->close_source, g_source_remove);
  while ((window = ear_application_get_window (self)) != NULL)
    gtk_window_destroy (GTK_WINDOW (window));
  g_clear_object (&self->library);
  g_object_notify (G_OBJECT (self), "library");
  self->closing = FALSE;
  update_in_background (self);
  run_late_actions (self);
  g_application_release (G_APPLICATION (self));
}

static void
library_closed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_library_close_finish (EAR_LIBRARY (object), result, &error))
    g_warning ("Not everything could be written: %s", error->message);
  if (EAR_LIBRARY (object) == self->library)
    finish_closing (self);
}

static void
close_limit_cb (gpointer user_data)
{
  EarApplication *self = user_data;

  g_warning ("Writing takes too long; ending without it");
  self->close_source = 0;
  finish_closing (self);
}

/* Writes everything, and drops the library. */
static void
close_library (EarApplication *self)
{
  if (self->closing || self->library == NULL)
    return;

  self->closing = TRUE;
  g_clear_handle_id (&self->pause_source, g_source_remove);
  self->close_source = g_timeout_add_once (CLOSE_LIMIT_MS, close_limit_cb, self);
  ear_library_close_async (self->library, library_closed_cb, g_object_ref (self));
}

static void
pause_limit_cb (gpointer user_data)
{
  EarApplication *self = user_data;

  self->pause_source = 0;
  close_library (self);
}

/* Without a window the library stays open while something plays or is downloaded, as
 * long as the listener wants podcasts to be checked, and for PAUSE_LIMIT_S of a pause. */
static void
consider_closing (EarApplication *self)
{
  g_clear_handle_id (&self->pause_source, g_source_remove);
  if (self->closing || self->library == NULL || ear_application_get_window (self) != NULL)
    return;
  if (is_playing (self) || stays_in_background (self) ||
      ear_downloader_get_running (ear_library_get_downloader (self->library)))
    return;

  self->pause_source = g_timeout_add_seconds_once (PAUSE_LIMIT_S, pause_limit_cb, self);
}

static void
window_removed_cb (EarApplication *self, GtkWindow *window)
{
  gboolean keep_playing, plays, downloads;

  if (!EAR_IS_WINDOW (window) || self->closing || self->library == NULL)
    return;

  update_watched (self);
  keep_playing = get_setting (self, "keep-playing");
  plays = keep_playing && is_playing (self);
  downloads =
      keep_playing && ear_downloader_get_n_active (ear_library_get_downloader (self->library)) > 0;
  if (!plays)
    ear_player_pause (ear_library_get_player (self->library));
  if (!plays && !downloads && !stays_in_background (self))
    {
      close_library (self);
      return;
    }
  update_in_background (self);
  consider_closing (self);
}

/* Hides the window, writes everything, and ends. */
void
ear_application_quit (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);

  if (window != NULL)
    gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  /* Requests that came before the listener quit are not served after it. */
  g_ptr_array_set_size (self->late_actions, 0);
  if (self->library != NULL)
    close_library (self);
  else
    g_application_quit (G_APPLICATION (self));
}

/* --- Opening the library ------------------------------------------------------------ */

static EarLibrary *
new_library (void)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  return ear_library_new (data, cache);
}

/* Without its folder the program can do nothing: it ends with this dialog. */
static void
show_failure (EarApplication *self, const GError *error)
{
  AdwDialog *dialog;
  g_autofree char *body = NULL;

  /* Requests of other programs come here again while the dialog is open. */
  if (self->failure_shown)
    return;
  self->failure_shown = TRUE;
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NEWER) ||
      g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    body = g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_FEED));
  else
    /* Translators: %s is the system's description of the error */
    body = g_strdup_printf (_("Your library could not be opened: %s"), error->message);
  dialog = ear_alert_new (_("Earmark Cannot Start"));
  adw_alert_dialog_set_body (ADW_ALERT_DIALOG (dialog), body);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "quit", _("_Quit"));
  ear_connect (dialog, "closed", g_application_quit, self);
  /* The dialog's window does not belong to the application, which would end
   * before it was read. */
  g_application_hold (G_APPLICATION (self));
  adw_dialog_present (dialog, NULL);
}

/* A change that was made without a window is reported with the next one. */
static void
undo_offered_cb (EarApplication *self, EarUndo *undo)
{
  if (ear_application_get_window (self) == NULL && ear_undo_get_message (undo) != NULL)
    ear_application_show_notice (self, ear_undo_get_message (undo), FALSE);
}

/* Opens the library again, with a good copy of the catalogue, unless that
 * would stop playback. */
static void
damage_found_cb (EarApplication *self)
{
  if (self->repaired || is_playing (self))
    {
      ear_application_show_notice (
          self, _("The list of episodes is damaged. Restart Earmark to repair it."), TRUE);
      return;
    }

  self->repaired = TRUE;
  close_library (self);
  if (ear_application_get_window (self) != NULL)
    ear_application_put_off (self, "raise", NULL);
}

/* Opens the library, unless it is open, and keeps the program alive with it, or shows why
 * that failed. */
static gboolean
open_library (EarApplication *self)
{
  g_autoptr (EarLibrary) library = NULL;
  g_autoptr (GError) error = NULL;
  EarNotices *notices;
  EarSettings *settings;

  if (self->library != NULL)
    return TRUE;

  library = self->ahead != NULL ? g_steal_pointer (&self->ahead) : new_library ();
  notices = ear_library_get_notices (library);
  settings = ear_library_get_settings (library);
  ear_connect (notices, "notice", ear_application_show_notice, self);
  ear_connect (notices, "undo-offered", undo_offered_cb, self);
  if (!ear_library_open (library, &error))
    {
      g_message ("%s", error->message);
      show_failure (self, error);
      return FALSE;
    }

  self->library = g_steal_pointer (&library);
  self->started = FALSE;
  /* Until the library is closed, with or without a window */
  g_application_hold (G_APPLICATION (self));
  ear_connect (ear_library_get_catalogue (self->library), "damage-found", damage_found_cb, self);
  ear_connect (ear_library_get_player (self->library), "notify::state", consider_closing, self);
  ear_connect (ear_library_get_downloader (self->library), "notify::running", consider_closing,
               self);
  ear_connect (settings, "notify::background-refresh", consider_closing, self);
  ear_connect (settings, "notify::selected-collection", update_watched, self);
  g_object_notify (G_OBJECT (self), "library");

  return TRUE;
}

/* Opens the library if it is not open, for requests of other programs
 * that need no window.
 * Returns: (transfer none) (nullable): the library, started; %NULL while one is closing,
 * or cannot be opened */
EarLibrary *
ear_application_ensure_library (EarApplication *self)
{
  if (self->closing || !open_library (self))
    return NULL;

  start_soon (self);
  update_in_background (self);
  consider_closing (self);

  return self->library;
}

/* Returns: (nullable): the window, in front of others; %NULL where there is no library */
EarWindow *
ear_application_ensure_window (EarApplication *self)
{
  EarWindow *window = ear_application_ensure_library (self) != NULL ? open_window (self) : NULL;

  g_clear_handle_id (&self->pause_source, g_source_remove);

  return window;
}

/* --- In the background -------------------------------------------------------------- */

/* Started by the desktop at login, or for a search: no window was requested. */
static void
background_start_cb (gpointer user_data)
{
  EarApplication *self = user_data;
  g_autoptr (EarSettings) settings = self->library == NULL ? ear_settings_new () : NULL;
  gboolean wanted = FALSE;

  self->background_source = 0;
  if (settings != NULL)
    g_object_get (settings, "background-refresh", &wanted, NULL);
  if (wanted)
    ear_application_ensure_library (self);
}

static void
set_background_refused (EarApplication *self, gboolean refused)
{
  if (!ear_property_set_boolean (self, "background-refused", refused) || !refused ||
      self->library == NULL)
    return;

  /* Once a session; the preferences show it as long as it lasts. */
  if (!self->refusal_shown)
    ear_application_show_notice (
        self, _("Your system does not allow Earmark to run in the background"), FALSE);
  self->refusal_shown = TRUE;
  consider_closing (self);
}

/* --- GApplication ------------------------------------------------------------------- */

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

  if (ear_application_put_off (self, "raise", NULL))
    return;

  g_clear_handle_id (&self->pause_source, g_source_remove);
  if (open_library (self))
    open_window (self);
}

/* Addresses of podcasts and of pages, and local files, from the command line, the
 * desktop and its portals */
static void
ear_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  ear_application_activate (application);
  for (int i = 0; i < n_files; i++)
    g_action_group_activate_action (G_ACTION_GROUP (application), "open-file",
                                    g_variant_new_take_string (g_file_get_uri (files[i])));
}

/* GApplication would send every argument as a command line, as another instance may
 * answer one. Opening a file and showing the window have to go the desktop's way. */
static gboolean
ear_application_local_command_line (GApplication *application, char ***arguments, int *exit_status)
{
  const gboolean is_service = g_strcmp0 ((*arguments)[1], "--gapplication-service") == 0;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (char **argument = *arguments + 1; !is_service && *argument != NULL; argument++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (*argument));
  if (is_service)
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_IS_SERVICE);

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

/* GTK reads the icon themes again once our icons and libadwaita's are among them, and
 * would do so at the first icon, while the window waits. Looking an icon up is
 * allowed on any thread. */
static void
read_icons (void)
{
  g_autoptr (GTask) task =
      g_task_new (gtk_icon_theme_get_for_display (gdk_display_get_default ()), NULL, NULL, NULL);

  g_task_set_source_tag (task, read_icons);
  g_task_run_in_thread (task, read_icons_thread);
}

static void
ear_application_startup (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);
  const gboolean is_service =
      (g_application_get_flags (application) & G_APPLICATION_IS_SERVICE) != 0;

  /* GTK would exit too, with a message that does not help. */
  if (!ear_gtk_init ())
    {
      g_printerr (
          "earmark: %s\n",
          _("No display was found. “earmark --help” lists the options that work without one"));
      exit (EXIT_FAILURE);
    }
  /* A service may have been started for something that needs no library. */
  if (!is_service)
    {
      self->ahead = new_library ();
      ear_library_open_ahead (self->ahead);
    }
  /* Before GtkApplication's startup, which would look for our icon and wait for all
   * themes to be read, which are read again after libadwaita's are added */
  adw_init ();
  gtk_window_set_default_icon_name (EAR_APP_ID);
  G_APPLICATION_CLASS (ear_application_parent_class)->startup (application);
  read_icons ();

  /* Tab reaches a label to read it, not to copy all of it. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  ear_accelerators_add_to_application (GTK_APPLICATION (self));
  if (is_service)
    self->background_source =
        g_timeout_add_once (BACKGROUND_START_DELAY_MS, background_start_cb, self);
  self->signal_sources[0] = g_unix_signal_add (SIGTERM, terminated_cb, self);
  self->signal_sources[1] = g_unix_signal_add (SIGINT, terminated_cb, self);
}

static void
ear_application_shutdown (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);

  for (gsize i = 0; i < G_N_ELEMENTS (self->signal_sources); i++)
    g_clear_handle_id (&self->signal_sources[i], g_source_remove);
  g_clear_handle_id (&self->background_source, g_source_remove);
  g_clear_handle_id (&self->pause_source, g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);

  G_APPLICATION_CLASS (ear_application_parent_class)->shutdown (application);
}

static void
ear_application_dispose (GObject *object)
{
  EarApplication *self = EAR_APPLICATION (object);

  g_clear_object (&self->ahead);
  g_clear_object (&self->library);
  g_clear_object (&self->notices);
  g_clear_pointer (&self->watched, g_free);
  g_clear_pointer (&self->late_actions, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_application_parent_class)->dispose (object);
}

static void
ear_application_class_init (EarApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  const EarProperty properties[] = {
    /* The library while it is open; MPRIS, the inhibitor and the rest of
     * desktop/ follow it */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READABLE, G_STRUCT_OFFSET (EarApplication, library) },
    /* Name of the view, or hash of the podcast's first address, listed in a window that
     * has the focus; %NULL while none has */
    { "watched", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarApplication, watched) },
    /* Whether the library is open without a window */
    { "in-background", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarApplication, in_background) },
    /* Whether the desktop forbids running without a window; set by desktop/ */
    { "background-refused", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarApplication, background_refused),
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
  self->notices = gtk_string_list_new (NULL);
  self->late_actions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
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
