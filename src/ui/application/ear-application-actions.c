/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application-actions.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-about.h"
#include "ear-backups-dialog.h"
#include "ear-format.h"
#include "ear-preferences-dialog.h"
#include "ear-shortcuts-dialog.h"
#include "ear-single-dialog.h"
#include "ear-widget.h"

/*
 * The actions of the application: those of menus and keys, and those that notifications, search
 * results, MPRIS, the command line and the menu of the icon activate. They work with and without a
 * window, and check their parameters, which any program on the session bus may send.
 */

#define LONGEST_SKIP_S (60 * 60 * 1000)
#define RATE_STEP 0.05
#define SLOWEST 0.5
#define FASTEST 4.0
#define VOLUME_STEP 0.05

static EarPlayer *
get_player (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  return library != NULL ? ear_library_get_player (library) : NULL;
}

/* --- Windows and dialogs ------------------------------------------------------------------ */

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_application_quit (EAR_APPLICATION (user_data));
}

static void
raise_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_application_activate (G_APPLICATION (user_data));
}

static void
shortcuts (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_shortcuts_dialog_present (
      GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data))));
}

static void
preferences (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));
  EarPreferencesDialog *dialog;

  if (library == NULL || window == NULL ||
      ear_single_dialog_raise (window, "preferences", NULL) != NULL)
    return;

  dialog = ear_preferences_dialog_new (library);
  g_object_bind_property (user_data, "background-refused", dialog, "background-refused",
                          G_BINDING_SYNC_CREATE);
  ear_single_dialog_present (ADW_DIALOG (dialog), window, "preferences", NULL);
}

static void
backups (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));

  if (library != NULL && window != NULL &&
      ear_single_dialog_raise (window, "backups", NULL) == NULL)
    ear_single_dialog_present (ADW_DIALOG (
                                   ear_backups_dialog_new (ear_library_get_backups (library))),
                               window, "backups", NULL);
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));

  if (ear_single_dialog_raise (window, "about", NULL) == NULL)
    ear_single_dialog_present (ear_about_dialog_new (library, window), window, "about", NULL);
}

/* Runs the window's action of the same name. */
static void
activate_in_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  EarWindow *window;

  if (ear_application_put_off (self, name, parameter))
    return;

  window = ear_application_ensure_window (self);
  if (window != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), name, parameter);
}

/* --- Refreshing --------------------------------------------------------------------------- */

static void
stop_refresh (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_refresh_schedule_stop (ear_library_get_schedule (library));
}

static void
subscriptions_started_cb (EarSubscriptions *subscriptions, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (subscriptions, subscriptions_started_cb, self);
  if (library != NULL)
    ear_refresher_refresh_all (ear_library_get_refresher (library), EAR_REFRESH_ALL);
}

static void
refresh_all (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  EarLibrary *library = ear_application_get_library (self);

  if (ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return;

  if (library != NULL)
    ear_refresher_refresh_all (ear_library_get_refresher (library), EAR_REFRESH_ALL);
  else if ((library = ear_application_ensure_library (self)) != NULL)
    g_signal_connect_object (ear_library_get_subscriptions (library), "started",
                             G_CALLBACK (subscriptions_started_cb), self, G_CONNECT_DEFAULT);
}

/* --- Playback ------------------------------------------------------------------------------ */

/* The episode of the last session is in the player now; the listener may have begun another. */
static void
episode_restored_cb (EarPlayer *player, GParamSpec *pspec, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (player, episode_restored_cb, self);
  if (player == get_player (self) && ear_player_get_state (player) == EAR_PLAYER_PAUSED)
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
}

/* Plays the episode in the player, else the one that the window shows, else that of the last
 * session. */
static void
play_pause (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = ear_application_get_window (self);

  if (ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return;

  if (library != NULL && ear_player_get_episode (ear_library_get_player (library)) != NULL)
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
  else if (window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.play-selected", NULL);
  else if (ear_application_ensure_window (self) != NULL)
    g_signal_connect_object (get_player (self), "notify::episode", G_CALLBACK (episode_restored_cb),
                             self, G_CONNECT_DEFAULT);
}

/* Actions without a parameter of the controller */
static const struct
{
  const char *name;
  void (*run) (EarPlayControl *control);
} control_actions[] = {
  { "next", ear_play_control_next },
  { "previous", ear_play_control_previous },
  { "seek-back", ear_play_control_skip_back },
  { "seek-forward", ear_play_control_skip_forward },
};

static void
run_control_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (control_actions); i++)
    if (g_str_equal (control_actions[i].name, g_action_get_name (G_ACTION (action))))
      control_actions[i].run (ear_library_get_play_control (library));
}

static void
next_chapter (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_chapter_control_next (ear_library_get_chapter_control (library));
}

static void
previous_chapter (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_chapter_control_previous (ear_library_get_chapter_control (library));
}

/* The parameter is in microseconds. */
static void
seek (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (EAR_APPLICATION (user_data));

  if (player != NULL)
    ear_player_seek (player, MAX (g_variant_get_int64 (parameter), 0));
}

/* The parameter is in seconds, for keys and scripts. */
static void
seek_by (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (EAR_APPLICATION (user_data));
  const gint64 seconds = CLAMP (g_variant_get_int64 (parameter), -LONGEST_SKIP_S, LONGEST_SKIP_S);

  if (player != NULL)
    ear_player_skip (player, seconds * G_TIME_SPAN_SECOND);
}

static void
bookmark (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_bookmarks_add (ear_library_get_bookmarks (library), NULL);
}

/* Screen readers announce a change by a key: the widget that shows the value does not have the
 * focus. */
static void
announce (EarApplication *self, const char *name, const char *value)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *message = g_strconcat (name, C_("spoken separator", ", "), value, NULL);

  if (window != NULL)
    ear_announce (GTK_ACCESSIBLE (window), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
announce_rate (EarApplication *self)
{
  g_autofree char *rate = ear_format_rate (ear_player_get_rate (get_player (self)));

  announce (self, _("Speed"), rate);
}

static void
announce_volume (EarApplication *self)
{
  EarPlayer *player = get_player (self);
  g_autofree char *volume = NULL;
  gboolean muted;

  g_object_get (player, "muted", &muted, NULL);
  volume = ear_format_percent (muted ? 0 : (int) round (ear_player_get_volume (player) * 100));
  announce (self, _("Volume"), volume);
}

/* Rounds to twentieths, so that repeated steps do not add up an error. */
static void
set_rate (EarPlayer *player, double rate)
{
  ear_player_set_rate (player, CLAMP (round (rate * 20) / 20, SLOWEST, FASTEST));
}

/* Without a parameter, the speed is reset to 1. */
static void
speed (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (EAR_APPLICATION (user_data));

  if (player == NULL)
    return;

  set_rate (player, parameter != NULL ? g_variant_get_double (parameter) : 1.0);
  if (parameter == NULL)
    announce_rate (EAR_APPLICATION (user_data));
}

static void
step_speed (EarApplication *self, int direction)
{
  EarPlayer *player = get_player (self);

  if (player == NULL)
    return;

  set_rate (player, ear_player_get_rate (player) + direction * RATE_STEP);
  announce_rate (self);
}

static void
speed_up (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_speed (EAR_APPLICATION (user_data), 1);
}

static void
speed_down (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_speed (EAR_APPLICATION (user_data), -1);
}

static void
step_volume (EarApplication *self, int direction)
{
  EarPlayer *player = get_player (self);

  if (player == NULL)
    return;

  ear_player_step_volume (player, direction * VOLUME_STEP);
  announce_volume (self);
}

static void
volume_up (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_volume (EAR_APPLICATION (user_data), 1);
}

static void
volume_down (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_volume (EAR_APPLICATION (user_data), -1);
}

static void
mute (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (EAR_APPLICATION (user_data));
  gboolean muted;

  if (player == NULL)
    return;

  g_object_get (player, "muted", &muted, NULL);
  g_object_set (player, "muted", !muted, NULL);
  announce_volume (EAR_APPLICATION (user_data));
}

/* The parameter is a number of minutes, "episode", "chapter" or "off". */
static void
sleep_timer (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_sleep_timer_choose (ear_library_get_sleep_timer (library),
                            g_variant_get_string (parameter, NULL));
}

static void
sleep_longer (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_sleep_timer_extend (ear_library_get_sleep_timer (library));
}

/* Actions whose state is a boolean property of a part of the library */
static const struct
{
  const char *name;
  const char *part; /* property of the library */
  const char *property;
} switches[] = {
  { "trim-silence", "player", "trim-silence" },
  { "level-volume", "player", "level-volume" },
  { "own-playback", "playback-settings", "own" },
};

static void
set_switch (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (switches); i++)
    if (g_str_equal (switches[i].name, g_action_get_name (G_ACTION (action))))
      {
        g_autoptr (GObject) part = NULL;

        g_object_get (library, switches[i].part, &part, NULL);
        g_object_set (part, switches[i].property, g_variant_get_boolean (value), NULL);
      }
}

static void
toggle_switch (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));
  g_autoptr (GVariant) other =
      g_variant_ref_sink (g_variant_new_boolean (!g_variant_get_boolean (state)));

  set_switch (action, other, user_data);
}

/* --- Episodes named by other programs ------------------------------------------------------- */

/* One request about an episode that is looked up by its key */
typedef struct
{
  /* Input */
  EarApplication *application; /* owned */
  gboolean show;
  gboolean play;
  gint64 position; /* microseconds, or -1 to resume */
} EpisodeRequest;

static void
episode_request_free (EpisodeRequest *request)
{
  g_object_unref (request->application);
  g_free (request);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EpisodeRequest, episode_request_free)

static void
episode_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EpisodeRequest) request = user_data;
  EarApplication *self = request->application;
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = ear_application_get_window (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarEpisode) episode =
      ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, &error);

  /* A bookmark or a notification may outlive its episode. */
  if (episode == NULL && error == NULL && window != NULL)
    ear_application_show_notice (self, _("This episode is not in your library"), FALSE);
  /* The library may have been closed, and another one opened, meanwhile. */
  if (episode == NULL || library == NULL ||
      EAR_CATALOGUE (source) != ear_library_get_catalogue (library))
    return;

  if (request->show && window != NULL)
    ear_window_show_episode (window, episode);
  if (request->play && request->position >= 0)
    ear_play_control_seek (ear_library_get_play_control (library), episode, NULL,
                           request->position);
  else if (request->play)
    ear_play_control_play (ear_library_get_play_control (library), episode, NULL);
}

/* Looks the episode up; a newer request cancels it. The window comes at once, while the desktop
 * still knows that the listener requested it. */
static void
request_episode (EarApplication *self, const char *key, gboolean show, gboolean play,
                 gint64 position)
{
  GCancellable *cancellable = g_object_get_data (G_OBJECT (self), "ear-episode-request");
  EpisodeRequest *request;
  EarLibrary *library;

  if (show)
    ear_application_ensure_window (self);
  library = ear_application_ensure_library (self);
  if (library == NULL)
    return;

  g_cancellable_cancel (cancellable);
  cancellable = g_cancellable_new ();
  g_object_set_data_full (G_OBJECT (self), "ear-episode-request", cancellable, g_object_unref);

  request = g_new0 (EpisodeRequest, 1);
  request->application = g_object_ref (self);
  request->show = show;
  request->play = play;
  request->position = position;
  ear_catalogue_find_key_async (ear_library_get_catalogue (library), key, cancellable,
                                episode_found_cb, request);
}

static void
show_or_play_episode (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  const char *key = g_variant_get_string (parameter, NULL);
  const gboolean play = g_str_equal (name, "play-episode");

  if (ear_episode_is_key (key) && !ear_application_put_off (self, name, parameter))
    request_episode (self, key, !play, play, -1);
}

/* The parameter is a key and a position in microseconds. */
static void
play_episode_at (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  const char *key;
  gint64 position;

  g_variant_get (parameter, "(&sx)", &key, &position);
  if (ear_episode_is_key (key) && position >= 0 && position <= EAR_POSITION_LIMIT &&
      !ear_application_put_off (self, name, parameter))
    request_episode (self, key, g_str_equal (name, "open-episode-at"), TRUE, position);
}

/* --- Table and state ------------------------------------------------------------------------ */

static const GActionEntry actions[] = {
  { "quit", quit },
  { "raise", raise_window },
  { "about", about },
  { "backups", backups },
  { "preferences", preferences },
  { "shortcuts", shortcuts },
  { "refresh-all", refresh_all },
  { "stop-refresh", stop_refresh },
  { "play-pause", play_pause },
  { "seek-back", run_control_action },
  { "seek-forward", run_control_action },
  { "seek", seek, "x" },
  { "seek-by", seek_by, "x" },
  { "bookmark", bookmark },
  { "next", run_control_action },
  { "previous", run_control_action },
  { "next-chapter", next_chapter },
  { "previous-chapter", previous_chapter },
  { "speed", speed, "d", "1.0", speed },
  { "speed-up", speed_up },
  { "speed-down", speed_down },
  { "speed-reset", speed },
  { "sleep", sleep_timer, "s", "'off'", sleep_timer },
  { "sleep-chapter", sleep_timer, "s", "'off'", sleep_timer },
  { "sleep-longer", sleep_longer },
  { "sleep-more", sleep_longer },
  { "trim-silence", toggle_switch, NULL, "false", set_switch },
  { "level-volume", toggle_switch, NULL, "false", set_switch },
  { "own-playback", toggle_switch, NULL, "false", set_switch },
  { "volume-up", volume_up },
  { "volume-down", volume_down },
  { "mute", mute },
  { "show-episode", show_or_play_episode, "s" },
  { "play-episode", show_or_play_episode, "s" },
  { "play-episode-at", play_episode_at, "(sx)" },
  { "open-episode-at", play_episode_at, "(sx)" },
  { "search-for", activate_in_window, "s" },
  { "show-new", activate_in_window },
};

static gboolean
rate_to_state_cb (GBinding *binding, const GValue *rate, GValue *state, gpointer user_data)
{
  /* In hundredths, so that it equals the target of a button whatever sum led there */
  g_value_set_variant (state, g_variant_new_double (round (g_value_get_double (rate) * 100) / 100));

  return TRUE;
}

static gboolean
string_to_state_cb (GBinding *binding, const GValue *string, GValue *state, gpointer user_data)
{
  g_value_set_variant (state, g_variant_new_string (g_value_get_string (string)));

  return TRUE;
}

static gboolean
boolean_to_state_cb (GBinding *binding, const GValue *boolean, GValue *state, gpointer user_data)
{
  g_value_set_variant (state, g_variant_new_boolean (g_value_get_boolean (boolean)));

  return TRUE;
}

static gboolean
object_to_enabled_cb (GBinding *binding, const GValue *object, GValue *enabled, gpointer user_data)
{
  g_value_set_boolean (enabled, g_value_get_object (object) != NULL);

  return TRUE;
}

static void
bind (EarApplication *self, const char *action, const char *action_property, gpointer source,
      const char *property, GBindingTransformFunc transform)
{
  g_object_bind_property_full (source, property,
                               g_action_map_lookup_action (G_ACTION_MAP (self), action),
                               action_property, G_BINDING_SYNC_CREATE, transform, NULL, NULL, NULL);
}

static void
episode_changed_cb (EarApplication *self)
{
  const char *const names[] = { "seek-back", "seek-forward", "seek",    "seek-by",
                                "sleep",     "sleep-longer", "bookmark" };
  EarPlayer *player = get_player (self);
  const gboolean loaded = player != NULL && ear_player_get_episode (player) != NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                     g_action_map_lookup_action (G_ACTION_MAP (self), names[i])),
                                 loaded);
}

static void
library_changed_cb (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  EarChapterControl *chapters;
  EarSleepTimer *timer;
  EarPlayer *player;

  if (library == NULL)
    return;

  chapters = ear_library_get_chapter_control (library);
  timer = ear_library_get_sleep_timer (library);
  player = ear_library_get_player (library);
  bind (self, "next", "enabled", ear_library_get_order (library), "can-go-next", NULL);
  bind (self, "previous", "enabled", ear_library_get_order (library), "can-go-previous", NULL);
  bind (self, "next-chapter", "enabled", chapters, "has-next", NULL);
  bind (self, "previous-chapter", "enabled", chapters, "has-previous", NULL);
  bind (self, "speed", "state", player, "rate", rate_to_state_cb);
  bind (self, "sleep", "state", timer, "choice", string_to_state_cb);
  bind (self, "sleep-chapter", "state", timer, "choice", string_to_state_cb);
  /* An episode with chapters has always one to return to the beginning of. */
  bind (self, "sleep-chapter", "enabled", chapters, "has-previous", NULL);
  /* The entry of the menu, enabled while the timer runs; "sleep-longer", of the key, also starts
   * it */
  bind (self, "sleep-more", "enabled", timer, "remaining", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      g_autoptr (GObject) part = NULL;

      g_object_get (library, switches[i].part, &part, NULL);
      bind (self, switches[i].name, "state", part, switches[i].property, boolean_to_state_cb);
      /* Only a podcast that is followed has settings. */
      if (EAR_IS_PLAYBACK_SETTINGS (part))
        bind (self, switches[i].name, "enabled", part, "podcast", object_to_enabled_cb);
    }
  g_signal_connect_object (player, "notify::episode", G_CALLBACK (episode_changed_cb), self,
                           G_CONNECT_SWAPPED);
  episode_changed_cb (self);
}

/* Adds the actions to the application. Their state and whether they are enabled follow its library. */
void
ear_application_install_actions (EarApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect (self, "notify::library", G_CALLBACK (library_changed_cb), NULL);
}
