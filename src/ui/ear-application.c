/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <math.h>

#include "ear-accelerators.h"
#include "ear-application-private.h"
#include "ear-error-text.h"
#include "ear-update-window.h"
#include "ear-window.h"

/* Writing takes milliseconds. A disk that hangs must not keep the program from ending. */
#define CLOSE_LIMIT_MS 4000

/* When the window that was closed is gone with all that it held. */
#define SAVE_MEMORY_DELAY_S 2

/* A program that was started for a window gets to know that at once. */
#define BEGIN_DELAY_MS 1000

/* Without a window the program stays for a pause: the media keys bring it back to life. */
#define PAUSE_LIMIT_S (10 * 60)

/**
 * EarApplication:
 *
 * Owns the library, and so the player, which outlives the window: while something plays
 * without a window the program goes on, and shows a window again when it is activated.
 * It ends when the last window is closed and nothing plays, after all is written.
 */
struct _EarApplication
{
  AdwApplication parent_instance;

  /* Owned */
  EarLibrary *library;
  GPtrArray *notices;      /* what there was to say while there was no window */
  GPtrArray *wanted_files; /* (element-type GFile): what is to be opened as soon as there is a window again */
  gboolean started;
  gboolean closing;
  gboolean wanted_again;   /* was activated while closing */
  char *watched;           /* (nullable) */
  gboolean in_background;
  gboolean background_refused;
  gboolean told_refusal;
  guint begin_source;
  char *late_action;       /* (nullable): was asked for while closing */
  GVariant *late_parameter;
  gboolean mended;         /* the library was opened again because it was damaged */
  EarUpdateWindow *update_window; /* (nullable): while an earlier version's library is updated */
  guint close_source;
  guint pause_source;
  guint signal_sources[2];
};

G_DEFINE_FINAL_TYPE (EarApplication, ear_application, ADW_TYPE_APPLICATION)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_WATCHED,
  PROP_IN_BACKGROUND,
  PROP_BACKGROUND_REFUSED,
} EarApplicationProperty;

static GParamSpec *props[PROP_BACKGROUND_REFUSED + 1];

static EarWindow *
get_window (EarApplication *self)
{
  for (GList *item = gtk_application_get_windows (GTK_APPLICATION (self)); item != NULL; item = item->next)
    if (EAR_IS_WINDOW (item->data))
      return item->data;

  return NULL;
}

static void
notice_cb (EarApplication *self, const char *message, gboolean lasting)
{
  EarWindow *window = get_window (self);

  if (window != NULL)
    ear_window_show_notice (window, message, lasting);
  else
    g_ptr_array_add (self->notices, g_strdup (message));
}

static void
show_kept_notices (EarApplication *self, EarWindow *window)
{
  for (guint i = 0; i < self->notices->len; i++)
    ear_window_show_notice (window, g_ptr_array_index (self->notices, i), TRUE);
  g_ptr_array_set_size (self->notices, 0);
}

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
      ear_library_set_unattended (self->library, get_window (self) == NULL);
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

static void
update_in_background (EarApplication *self)
{
  const gboolean in_background = self->library != NULL && !self->closing && get_window (self) == NULL;

  if (self->in_background == in_background)
    return;

  self->in_background = in_background;
  if (in_background)
    g_timeout_add_seconds_full (G_PRIORITY_LOW, SAVE_MEMORY_DELAY_S, save_memory_cb, g_object_ref (self), g_object_unref);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IN_BACKGROUND]);
}

/* After the first frame: nothing is fetched before the window is there. */
static void
start_soon (EarApplication *self)
{
  if (!self->started)
    g_timeout_add_full (G_PRIORITY_LOW, 1, start_cb, g_object_ref (self), g_object_unref);
}

/* What the window shows is what the settings say. */
static void
update_watched (EarApplication *self)
{
  EarWindow *window = get_window (self);
  g_autofree char *watched = NULL;

  if (window != NULL && self->library != NULL && gtk_window_is_active (GTK_WINDOW (window)))
    g_object_get (ear_library_get_settings (self->library), "selected-collection", &watched, NULL);
  if (g_set_str (&self->watched, watched))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_WATCHED]);
}

static EarWindow *
make_window (EarApplication *self)
{
  EarWindow *window = ear_window_new (GTK_APPLICATION (self), self->library);

  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "map", G_CALLBACK (start_soon), self, G_CONNECT_SWAPPED);

  return window;
}

static EarWindow *
open_window (EarApplication *self)
{
  EarWindow *window = get_window (self);

  if (window == NULL)
    window = make_window (self);
  ear_window_present_soon (window);
  update_in_background (self);
  show_kept_notices (self, window);

  return window;
}

static void
failure_closed_cb (EarApplication *self)
{
  g_application_quit (G_APPLICATION (self));
}

/* Without a window to show it in, what was done is told when there is one. */
static void
undo_offered_cb (EarApplication *self, EarUndo *undo)
{
  if (get_window (self) == NULL && ear_undo_get_message (undo) != NULL)
    notice_cb (self, ear_undo_get_message (undo), FALSE);
}

/* Without its folder there is nothing that the program could do. */
static void
show_failure (EarApplication *self, const GError *error)
{
  AdwDialog *dialog = adw_alert_dialog_new (_("Earmark Cannot Start"), NULL);

  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NEWER))
    {
      g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

      adw_alert_dialog_set_body (ADW_ALERT_DIALOG (dialog), body);
    }
  else
    /* Translators: %s is what the system says is wrong */
    adw_alert_dialog_format_body (ADW_ALERT_DIALOG (dialog), _("Your podcasts cannot be read or written: %s"), error->message);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "quit", _("_Quit"));
  g_signal_connect_object (dialog, "closed", G_CALLBACK (failure_closed_cb), self, G_CONNECT_SWAPPED);
  /* The dialog's window is not one of the application's: it would end before it was read. */
  g_application_hold (G_APPLICATION (self));
  adw_dialog_present (dialog, NULL);
}

static gboolean
is_playing (EarApplication *self)
{
  switch (ear_player_get_state (ear_library_get_player (self->library)))
    {
    case EAR_PLAYER_PLAYING:
    case EAR_PLAYER_LOADING:
      return TRUE;
    case EAR_PLAYER_EMPTY:
    case EAR_PLAYER_PAUSED:
    case EAR_PLAYER_ENDED:
    case EAR_PLAYER_FAILED:
    default:
      return FALSE;
    }
}

/* The listener wants podcasts to be checked without a window, and the desktop lets us. */
static gboolean
stays (EarApplication *self)
{
  gboolean wanted;

  g_object_get (ear_library_get_settings (self->library), "background-refresh", &wanted, NULL);

  return wanted && !self->background_refused;
}

/* Whether it does that without a window. */
static gboolean
keeps_playing (EarApplication *self)
{
  gboolean keep;

  g_object_get (ear_library_get_settings (self->library), "keep-playing", &keep, NULL);

  return keep && is_playing (self);
}

static void
closed (EarApplication *self)
{
  g_autofree char *action = g_steal_pointer (&self->late_action);
  g_autoptr (GVariant) parameter = g_steal_pointer (&self->late_parameter);
  GtkWindow *window;

  g_clear_handle_id (&self->close_source, g_source_remove);
  while ((window = GTK_WINDOW (get_window (self))) != NULL)
    gtk_window_destroy (window);
  g_clear_object (&self->library);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIBRARY]);
  self->closing = FALSE;
  update_in_background (self);
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
  if (action != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), action, parameter);
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

static void
close_library (EarApplication *self)
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
  close_library (self);

  return G_SOURCE_REMOVE;
}

/* Without a window: goes on while something plays, waits through a pause, else ends. */
static void
consider_closing (EarApplication *self)
{
  g_clear_handle_id (&self->pause_source, g_source_remove);
  if (self->closing || self->library == NULL || get_window (self) != NULL || is_playing (self) || stays (self))
    return;

  self->pause_source = g_timeout_add_seconds (PAUSE_LIMIT_S, pause_limit_cb, self);
}

static void
window_removed_cb (EarApplication *self, GtkWindow *window)
{
  gboolean goes_on;

  if (!EAR_IS_WINDOW (window) || self->closing || self->library == NULL)
    return;

  update_watched (self);
  goes_on = keeps_playing (self);
  if (!goes_on)
    ear_player_pause (ear_library_get_player (self->library));
  if (!goes_on && !stays (self))
    close_library (self);
  else
    update_in_background (self);
}

/* It begins again with another list of episodes, unless that would interrupt the listener. */
static void
damaged_cb (EarApplication *self)
{
  if (self->mended || is_playing (self))
    {
      notice_cb (self, _("The list of episodes is damaged. It will be mended when Earmark is started again"), TRUE);
      return;
    }

  self->mended = TRUE;
  self->wanted_again = get_window (self) != NULL;
  close_library (self);
}

static EarLibrary *
make_library (void)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  return ear_library_new (data, cache);
}

static gboolean
open_library (EarApplication *self, EarLibrary *library)
{
  g_autoptr (GError) error = NULL;

  g_signal_connect_object (library, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (library, "undo-offered", G_CALLBACK (undo_offered_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (library, "damaged", G_CALLBACK (damaged_cb), self, G_CONNECT_SWAPPED);
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
                           G_CALLBACK (consider_closing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::selected-collection",
                           G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (self->library), "notify::background-refresh",
                           G_CALLBACK (consider_closing), self, G_CONNECT_SWAPPED);
  ear_application_follow_library (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIBRARY]);

  return TRUE;
}

static void
updated_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  EarLibrary *library = EAR_LIBRARY (object);
  g_autoptr (GtkWindow) window = GTK_WINDOW (g_steal_pointer (&self->update_window));
  const gboolean wanted = gtk_widget_get_visible (GTK_WIDGET (window));
  g_autoptr (GError) error = NULL;

  /* What is damaged is replaced when it is opened; all else would only fail again. */
  if (!ear_library_update_finish (library, result, &error))
    g_message ("The library cannot be updated: %s", error->message);
  if (wanted && error != NULL && !g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED))
    show_failure (self, error);
  else if (wanted && open_library (self, library))
    {
      g_autoptr (GPtrArray) files = g_steal_pointer (&self->wanted_files);

      self->wanted_files = g_ptr_array_new_with_free_func (g_object_unref);
      open_window (self);
      for (guint i = 0; i < files->len; i++)
        ear_window_open_file (get_window (self), g_ptr_array_index (files, i));
    }
  gtk_window_destroy (window);
  g_application_release (G_APPLICATION (self));
}

/* Nothing else touches the library until it is of this version. Who closes the window meanwhile
 * does not want another one. */
static void
update (EarApplication *self, EarLibrary *library)
{
  self->update_window = g_object_ref (ear_update_window_new (GTK_APPLICATION (self)));
  gtk_window_set_hide_on_close (GTK_WINDOW (self->update_window), TRUE);
  gtk_window_present (GTK_WINDOW (self->update_window));
  g_application_hold (G_APPLICATION (self));
  ear_library_update_async (library, updated_cb, g_object_ref (self));
}

/**
 * ear_application_quit:
 * @self: the application
 *
 * Hides the window, writes everything, and ends.
 */
void
ear_application_quit (EarApplication *self)
{
  EarWindow *window = get_window (self);

  if (window != NULL)
    gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  if (self->library != NULL)
    close_library (self);
  else if (self->update_window != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->update_window), FALSE);
  else
    g_application_quit (G_APPLICATION (self));
}

/**
 * ear_application_need_library:
 * @self: the application
 *
 * Opens the library if that has not been done: other programs may want something of it
 * that needs no window.
 *
 * Returns: (transfer none) (nullable): the library, begun; %NULL while one is being closed,
 *   and where none can be opened
 */
EarLibrary *
ear_application_need_library (EarApplication *self)
{
  if (self->closing || self->update_window != NULL)
    return NULL;
  if (self->library == NULL)
    {
      g_autoptr (EarLibrary) library = make_library ();

      /* Bringing it up to date takes its time, in a window: that is for whoever wants one. */
      if (ear_library_needs_update (library) || !open_library (self, library))
        return NULL;
    }

  start_soon (self);
  update_in_background (self);
  consider_closing (self);

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
    ear_application_need_library (self);

  return G_SOURCE_REMOVE;
}

static void
set_background_refused (EarApplication *self, gboolean refused)
{
  if (self->background_refused == refused)
    return;

  self->background_refused = refused;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BACKGROUND_REFUSED]);
  if (!refused || self->library == NULL)
    return;

  /* Once in a session; the preferences say it for as long as it is so. */
  if (!self->told_refusal)
    notice_cb (self, _("Your system does not let Earmark run in the background"), FALSE);
  self->told_refusal = TRUE;
  consider_closing (self);
}

/**
 * ear_application_need_window:
 * @self: the application
 *
 * Returns: (transfer none) (nullable): the window, in front of others; %NULL where
 *   ear_application_need_library() gives nothing
 */
EarWindow *
ear_application_need_window (EarApplication *self)
{
  EarWindow *window = ear_application_need_library (self) != NULL ? open_window (self) : NULL;

  if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  g_clear_handle_id (&self->pause_source, g_source_remove);

  return window;
}

/**
 * ear_application_put_off:
 * @self: the application
 * @action: name of an action
 * @parameter: (nullable): its parameter
 *
 * Does what is asked for while everything is being written, after that. The last one that
 * asks is heard.
 *
 * Returns: whether that is so
 */
gboolean
ear_application_put_off (EarApplication *self, const char *action, GVariant *parameter)
{
  if (!self->closing)
    return FALSE;

  g_set_str (&self->late_action, action);
  g_clear_pointer (&self->late_parameter, g_variant_unref);
  self->late_parameter = parameter != NULL ? g_variant_ref (parameter) : NULL;

  return TRUE;
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
    gtk_window_present (GTK_WINDOW (self->update_window));
  else if (self->library != NULL)
    open_window (self);
  else
    {
      g_autoptr (EarLibrary) library = make_library ();

      if (ear_library_needs_update (library))
        update (self, library);
      else if (open_library (self, library))
        open_window (self);
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
    if (!self->closing && get_window (self) != NULL)
      ear_window_open_file (get_window (self), files[i]);
    else
      g_ptr_array_add (self->wanted_files, g_object_ref (files[i]));
}

static void
ear_application_startup (GApplication *application)
{
  EarApplication *self = EAR_APPLICATION (application);

  G_APPLICATION_CLASS (ear_application_parent_class)->startup (application);

  gtk_window_set_default_icon_name (EAR_APP_ID);
  /* A label that gets the focus by Tab is not there to be copied whole. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  ear_application_add_actions (self);
  ear_application_add_exchange_actions (self);
  ear_application_add_outside_actions (self);
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
ear_application_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarApplication *self = EAR_APPLICATION (object);

  switch ((EarApplicationProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_WATCHED:
      g_value_set_string (value, self->watched);
      break;
    case PROP_IN_BACKGROUND:
      g_value_set_boolean (value, self->in_background);
      break;
    case PROP_BACKGROUND_REFUSED:
      g_value_set_boolean (value, self->background_refused);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_application_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_BACKGROUND_REFUSED:
      set_background_refused (EAR_APPLICATION (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_application_dispose (GObject *object)
{
  EarApplication *self = EAR_APPLICATION (object);

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

  object_class->get_property = ear_application_get_property;
  object_class->set_property = ear_application_set_property;
  object_class->dispose = ear_application_dispose;
  application_class->activate = ear_application_activate;
  application_class->open = ear_application_open;
  application_class->startup = ear_application_startup;
  application_class->shutdown = ear_application_shutdown;

  /**
   * EarApplication:library:
   *
   * Everything that there is, while it is open. The session's side (MPRIS, inhibiting
   * suspend) follows this property.
   */
  props[PROP_LIBRARY] =
    g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY,
                         G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarApplication:watched:
   *
   * What the listener looks at: the name of the view, or the address of the podcast, that
   * is listed in a window which has the focus; %NULL while none has.
   */
  props[PROP_WATCHED] =
    g_param_spec_string ("watched", NULL, NULL, NULL,
                         G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarApplication:in-background:
   *
   * Whether the library is open without a window.
   */
  props[PROP_IN_BACKGROUND] =
    g_param_spec_boolean ("in-background", NULL, NULL, FALSE,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarApplication:background-refused:
   *
   * Whether the desktop does not let the program go on without a window, which is for the
   * session's side to say.
   */
  props[PROP_BACKGROUND_REFUSED] =
    g_param_spec_boolean ("background-refused", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_application_init (EarApplication *self)
{
  self->notices = g_ptr_array_new_with_free_func (g_free);
  self->wanted_files = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect (self, "window-removed", G_CALLBACK (window_removed_cb), NULL);
}

/**
 * ear_application_new:
 *
 * Returns: (transfer full): the application
 */
EarApplication *
ear_application_new (void)
{
  return g_object_new (EAR_TYPE_APPLICATION,
                       "application-id", EAR_APP_ID,
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", EAR_RESOURCE_BASE,
                       NULL);
}

/**
 * ear_application_get_library:
 * @self: the application
 *
 * Returns: (transfer none) (nullable): the library while it is open
 */
EarLibrary *
ear_application_get_library (EarApplication *self)
{
  g_return_val_if_fail (EAR_IS_APPLICATION (self), NULL);

  return self->library;
}
