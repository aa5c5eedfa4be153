/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application-private.h"

#include <glib/gi18n.h>

/*
 * The actions that notifications, results of a search and the menu of the icon activate. They
 * work where there is no window, and none of what they are given is believed.
 */

static EarWindow *
find_window (EarApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  return EAR_IS_WINDOW (window) ? EAR_WINDOW (window) : NULL;
}

/* What was found of an episode that somebody has named. The library may be another one, or closed, by now. What names an episode, a
 * bookmark say, may outlive it. */
static EarEpisode *
take_found (EarApplication *self, GObject *source, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarEpisode) episode = ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, &error);
  EarLibrary *library = ear_application_get_library (self);

  if (episode == NULL && error == NULL && find_window (self) != NULL)
    ear_application_show_notice (self, _("This episode is not in your library"), FALSE);

  return library != NULL && EAR_CATALOGUE (source) == ear_library_get_catalogue (library) ? g_steal_pointer (&episode) : NULL;
}

static void
shown_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (EarEpisode) episode = take_found (self, source, result);
  EarWindow *window = find_window (self);

  if (episode != NULL && window != NULL)
    ear_window_show_episode (window, episode);
}

static void
played_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (EarEpisode) episode = take_found (self, source, result);

  if (episode != NULL)
    ear_play_control_play (ear_library_get_play_control (ear_application_get_library (self)), episode, NULL);
}

typedef struct
{
  EarApplication *application;
  gint64 time;
  gboolean shown;
} Moment;

static void
moment_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Moment *moment = user_data;
  g_autoptr (EarApplication) self = moment->application;
  g_autoptr (EarEpisode) episode = take_found (self, source, result);
  EarWindow *window = find_window (self);

  if (episode != NULL && moment->shown && window != NULL)
    ear_window_show_episode (window, episode);
  if (episode != NULL)
    ear_play_control_seek (ear_library_get_play_control (ear_application_get_library (self)), episode, NULL, moment->time);
}

/* Only the last one that was named is waited for. */
static GCancellable *
begin_finding (EarApplication *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
  self->finding = g_cancellable_new ();

  return self->finding;
}

/* Shows it, at once, while the desktop still knows that it was the listener who wanted it; or plays it. */
static void
find_episode (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const char *key = g_variant_get_string (parameter, NULL);
  const gboolean played = g_str_equal (g_action_get_name (G_ACTION (action)), "play-episode");
  EarLibrary *library;

  if (!ear_episode_is_key (key) || ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return;

  if (!played)
    ear_application_ensure_window (self);
  library = ear_application_ensure_library (self);
  if (library != NULL)
    ear_catalogue_find_key_async (ear_library_get_catalogue (library), key, begin_finding (self),
                                  played ? played_found_cb : shown_found_cb, g_object_ref (self));
}

/* Plays it from a moment on; or shows it as well. */
static void
play_moment (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  const gboolean shown = g_str_equal (g_action_get_name (G_ACTION (action)), "open-episode-at");
  EarLibrary *library;
  Moment *moment;
  const char *key;
  gint64 time;

  g_variant_get (parameter, "(&sx)", &key, &time);
  if (!ear_episode_is_key (key) || time < 0 || time > EAR_POSITION_LIMIT ||
      ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return;
  if (shown)
    ear_application_ensure_window (self);
  library = ear_application_ensure_library (self);
  if (library == NULL)
    return;

  moment = g_new0 (Moment, 1);
  moment->shown = shown;
  moment->application = g_object_ref (self);
  moment->time = time;
  ear_catalogue_find_key_async (ear_library_get_catalogue (library), key, begin_finding (self), moment_found_cb, moment);
}

/* What the action of that name does in the window. */
static void
do_in_window (GSimpleAction *action, GVariant *parameter, gpointer user_data)
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

static void
refresh_begun_library_cb (EarSubscriptions *subscriptions, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (subscriptions, refresh_begun_library_cb, self);
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
    g_signal_connect_object (ear_library_get_subscriptions (library), "started", G_CALLBACK (refresh_begun_library_cb), self,
                             G_CONNECT_DEFAULT);
}

/* The episode of the last session is in the player now. The listener may have begun another. */
static void
play_restored_cb (EarPlayer *player, GParamSpec *pspec, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (player, play_restored_cb, self);
  if (library != NULL && ear_library_get_player (library) == player && ear_player_get_state (player) == EAR_PLAYER_PAUSED)
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
}

/* With nothing in the player yet, it is the episode that the window shows. */
static void
play_pause (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = find_window (self);

  if (ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return;

  if (library != NULL && ear_player_get_episode (ear_library_get_player (library)) != NULL)
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
  else if (window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.play-selected", NULL);
  else if (ear_application_ensure_window (self) != NULL)
    g_signal_connect_object (ear_library_get_player (ear_application_get_library (self)), "notify::episode",
                             G_CALLBACK (play_restored_cb), self, G_CONNECT_DEFAULT);
}

static const GActionEntry actions[] = {
  { "play-pause", play_pause },
  { "refresh-all", refresh_all },
  { "show-episode", find_episode, "s" },
  { "play-episode", find_episode, "s" },
  { "play-episode-at", play_moment, "(sx)" },
  { "open-episode-at", play_moment, "(sx)" },
  { "search-for", do_in_window, "s" },
  { "show-new", do_in_window },
};

/* Adds the actions that others need. */
void
ear_application_add_remote_actions (EarApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
