/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-about.h"
#include "ear-application-private.h"
#include "ear-backups-dialog.h"
#include "ear-format.h"
#include "ear-preferences-dialog.h"
#include "ear-shortcuts-dialog.h"
#include "ear-single-dialog.h"
#include "ear-widget.h"

/*
 * The actions of the application: what menus, keys, buttons, other programs and tests
 * do, whether there is a window or not.
 */

#define LONGEST_SKIP ((gint64) 1000 * 60 * 60)
#define RATE_STEP 0.05
#define SLOWEST 0.5
#define FASTEST 4.0
#define VOLUME_STEP 0.05

static EarPlayer *
get_player (gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  return library != NULL ? ear_library_get_player (library) : NULL;
}

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
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));

  ear_shortcuts_dialog_present (window);
}

static void
preferences (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (user_data));
  EarPreferencesDialog *dialog;

  if (library == NULL || window == NULL || ear_single_dialog_raise (GTK_WIDGET (window), "preferences", NULL) != NULL)
    return;

  dialog = ear_preferences_dialog_new (library);
  g_object_bind_property (user_data, "background-refused", dialog, "background-refused", G_BINDING_SYNC_CREATE);
  ear_single_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (window), "preferences", NULL);
}

static void
backups (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));

  if (library == NULL || window == NULL || ear_single_dialog_raise (window, "backups", NULL) != NULL)
    return;

  ear_single_dialog_present (ADW_DIALOG (ear_backups_dialog_new (ear_library_get_backups (library))), window, "backups", NULL);
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  GtkWidget *window = GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (user_data)));

  if (ear_single_dialog_raise (window, "about", NULL) == NULL)
    ear_single_dialog_present (ear_about_dialog_new (library, window), window, "about", NULL);
}

static void
stop_refresh (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));
  EarRefreshSchedule *schedule = library != NULL ? ear_library_get_schedule (library) : NULL;

  if (schedule != NULL)
    ear_refresh_schedule_stop (schedule);
}

/* What is done with whatever plays, by the names of its actions. */
static const struct
{
  const char *action;
  void (*run) (EarPlayControl *control);
} verbs[] = {
  { "next", ear_play_control_next },
  { "previous", ear_play_control_previous },
  { "seek-back", ear_play_control_skip_back },
  { "seek-forward", ear_play_control_skip_forward },
};

static void
run_verb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (verbs[i].action, g_action_get_name (G_ACTION (action))))
      verbs[i].run (ear_library_get_play_control (library));
}

static void
move_chapter (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library == NULL)
    return;
  if (g_str_equal (g_action_get_name (G_ACTION (action)), "next-chapter"))
    ear_chapter_control_next (ear_library_get_chapter_control (library));
  else
    ear_chapter_control_previous (ear_library_get_chapter_control (library));
}

static void
seek (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (user_data);

  if (player != NULL)
    ear_player_seek (player, MAX (g_variant_get_int64 (parameter), 0));
}

/* In seconds: for keys, scripts and other programs. */
static void
seek_by (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (user_data);

  if (player != NULL)
    ear_player_skip (player, CLAMP (g_variant_get_int64 (parameter), -LONGEST_SKIP, LONGEST_SKIP) * G_TIME_SPAN_SECOND);
}

static void
bookmark (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  if (library != NULL)
    ear_bookmarks_add (ear_library_get_bookmarks (library), NULL);
}

/* What a key has changed a screen reader says, as what shows it does not have the focus. */
static void
tell (gpointer user_data, const char *name, const char *value)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (user_data));
  g_autofree char *words = g_strconcat (name, C_("spoken separator", ", "), value, NULL);

  if (window != NULL)
    ear_announce (GTK_ACCESSIBLE (window), words, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
tell_rate (gpointer user_data)
{
  EarPlayer *player = get_player (user_data);
  g_autofree char *rate = player != NULL ? ear_format_rate (ear_player_get_rate (player)) : NULL;

  if (rate != NULL)
    tell (user_data, _("Speed"), rate);
}

static void
tell_volume (gpointer user_data)
{
  EarPlayer *player = get_player (user_data);
  g_autofree char *volume = NULL;
  gboolean muted;

  g_object_get (player, "muted", &muted, NULL);
  volume = ear_format_percent (muted ? 0 : (int) round (ear_player_get_volume (player) * 100));
  tell (user_data, _("Volume"), volume);
}

static void
set_rate (gpointer user_data, double rate)
{
  EarPlayer *player = get_player (user_data);

  /* In whole twentieths, whatever steps led there. */
  if (player != NULL)
    ear_player_set_rate (player, CLAMP (round (rate * 20) / 20, SLOWEST, FASTEST));
}

static void
speed (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  set_rate (user_data, parameter != NULL ? g_variant_get_double (parameter) : 1.0);
  if (parameter == NULL)
    tell_rate (user_data);
}

/* One step faster or louder, slower or quieter, by the name of the action */
static void
step (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  const int direction = g_str_has_suffix (name, "-up") ? 1 : -1;

  if (player == NULL)
    return;

  if (g_str_has_prefix (name, "speed-"))
    {
      set_rate (user_data, ear_player_get_rate (player) + direction * RATE_STEP);
      tell_rate (user_data);
    }
  else
    {
      ear_player_step_volume (player, direction * VOLUME_STEP);
      tell_volume (user_data);
    }
}

static void
mute (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarPlayer *player = get_player (user_data);
  gboolean muted;

  if (player == NULL)
    return;

  g_object_get (player, "muted", &muted, NULL);
  g_object_set (player, "muted", !muted, NULL);
  tell_volume (user_data);
}

static EarSleepTimer *
get_sleep_timer (gpointer user_data)
{
  EarLibrary *library = ear_application_get_library (EAR_APPLICATION (user_data));

  return library != NULL ? ear_library_get_sleep_timer (library) : NULL;
}

/* A number of minutes, "episode", "chapter" or "off" */
static void
choose_sleep (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSleepTimer *timer = get_sleep_timer (user_data);

  if (timer != NULL)
    ear_sleep_timer_choose (timer, g_variant_get_string (parameter, NULL));
}

static void
sleep_longer (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSleepTimer *timer = get_sleep_timer (user_data);

  if (timer != NULL)
    ear_sleep_timer_extend (timer);
}

/* What is on or off, by the names of its actions: what has it, and as which property. */
static const struct
{
  const char *action;
  const char *part; /* of the library */
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
    if (g_str_equal (switches[i].action, g_action_get_name (G_ACTION (action))))
      {
        g_autoptr (GObject) part = NULL;

        g_object_get (library, switches[i].part, &part, NULL);
        g_object_set (part, switches[i].property, g_variant_get_boolean (value), NULL);
      }
}

static void
flip_switch (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));
  g_autoptr (GVariant) other = g_variant_ref_sink (g_variant_new_boolean (!g_variant_get_boolean (state)));

  set_switch (action, other, user_data);
}

static const GActionEntry actions[] = {
  { "quit", quit },
  { "raise", raise_window },
  { "about", about },
  { "backups", backups },
  { "preferences", preferences },
  { "shortcuts", shortcuts },
  { "stop-refresh", stop_refresh },
  { "seek-back", run_verb },
  { "seek-forward", run_verb },
  { "seek", seek, "x" },
  { "seek-by", seek_by, "x" },
  { "bookmark", bookmark },
  { "next", run_verb },
  { "previous", run_verb },
  { "next-chapter", move_chapter },
  { "previous-chapter", move_chapter },
  /* Who sets the state from outside means the speed itself. */
  { "speed", speed, "d", "1.0", speed },
  { "speed-up", step },
  { "speed-down", step },
  { "speed-reset", speed },
  { "sleep", choose_sleep, "s", "'off'", choose_sleep },
  { "sleep-chapter", choose_sleep, "s", "'off'", choose_sleep },
  { "sleep-longer", sleep_longer },
  { "sleep-more", sleep_longer },
  { "trim-silence", flip_switch, NULL, "false", set_switch },
  { "level-volume", flip_switch, NULL, "false", set_switch },
  { "own-playback", flip_switch, NULL, "false", set_switch },
  { "volume-up", step },
  { "volume-down", step },
  { "mute", mute },
};

static void
bind_enabled (EarApplication *self, const char *name, gpointer owner, const char *property)
{
  g_object_bind_property (owner, property,
                          g_action_map_lookup_action (G_ACTION_MAP (self), name), "enabled",
                          G_BINDING_SYNC_CREATE);
}

/* In hundredths, so that it is what a button stands for, whatever sum led there. */
static gboolean
rate_to_state_cb (GBinding *binding, const GValue *rate, GValue *state, gpointer user_data)
{
  g_value_set_variant (state, g_variant_new_double (round (g_value_get_double (rate) * 100) / 100));

  return TRUE;
}

static gboolean
choice_to_state_cb (GBinding *binding, const GValue *choice, GValue *state, gpointer user_data)
{
  g_value_set_variant (state, g_variant_new_string (g_value_get_string (choice)));

  return TRUE;
}

static gboolean
flag_to_state_cb (GBinding *binding, const GValue *flag, GValue *state, gpointer user_data)
{
  g_value_set_variant (state, g_variant_new_boolean (g_value_get_boolean (flag)));

  return TRUE;
}

static gboolean
object_to_enabled_cb (GBinding *binding, const GValue *object, GValue *enabled, gpointer user_data)
{
  g_value_set_boolean (enabled, g_value_get_object (object) != NULL);

  return TRUE;
}

static void
follow_switches (EarApplication *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), switches[i].action);
      g_autoptr (GObject) part = NULL;

      g_object_get (ear_application_get_library (self), switches[i].part, &part, NULL);
      g_object_bind_property_full (part, switches[i].property, action, "state", G_BINDING_SYNC_CREATE, flag_to_state_cb,
                                   NULL, NULL, NULL);
      /* Only a podcast that is followed has settings. */
      if (EAR_IS_PLAYBACK_SETTINGS (part))
        g_object_bind_property_full (part, "podcast", action, "enabled", G_BINDING_SYNC_CREATE, object_to_enabled_cb, NULL,
                                     NULL, NULL);
    }
}

static void
episode_changed_cb (EarApplication *self)
{
  const char *const names[] = { "seek-back", "seek-forward", "seek", "seek-by", "sleep", "sleep-longer", "bookmark" };
  EarLibrary *library = ear_application_get_library (self);
  const gboolean loaded = library != NULL && ear_player_get_episode (ear_library_get_player (library)) != NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), names[i])), loaded);
}

/* Adds the actions, which work once there is a library. */
void
ear_application_add_actions (EarApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

/* Lets the library say which actions make sense. */
void
ear_application_follow_library (EarApplication *self)
{
  const char *const sleeps[] = { "sleep", "sleep-chapter" };
  EarLibrary *library = ear_application_get_library (self);

  bind_enabled (self, "next", ear_library_get_order (library), "can-go-next");
  bind_enabled (self, "previous", ear_library_get_order (library), "can-go-previous");
  bind_enabled (self, "next-chapter", ear_library_get_chapter_control (library), "has-next");
  bind_enabled (self, "previous-chapter", ear_library_get_chapter_control (library), "has-previous");
  g_object_bind_property_full (get_player (self), "rate", g_action_map_lookup_action (G_ACTION_MAP (self), "speed"), "state",
                               G_BINDING_SYNC_CREATE, rate_to_state_cb, NULL, NULL, NULL);
  /* Where there are chapters, there is one to go back to the beginning of. */
  bind_enabled (self, "sleep-chapter", ear_library_get_chapter_control (library), "has-previous");
  for (gsize i = 0; i < G_N_ELEMENTS (sleeps); i++)
    g_object_bind_property_full (get_sleep_timer (self), "choice", g_action_map_lookup_action (G_ACTION_MAP (self), sleeps[i]),
                                 "state", G_BINDING_SYNC_CREATE, choice_to_state_cb, NULL, NULL, NULL);
  /* The same in the menu, while there is something to make longer; the key starts the timer as well. */
  bind_enabled (self, "sleep-more", get_sleep_timer (self), "remaining");
  follow_switches (self);
  g_signal_connect_object (get_player (self), "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
  episode_changed_cb (self);
}
