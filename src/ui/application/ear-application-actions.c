/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-address.h"
#include "ear-application.h"
#include "ear-dialog.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-share.h"
#include "ear-widget.h"

/* Actions of the application, for its menus and keys, notifications, search results,
 * MPRIS, the command line and the menu of the icon. All of them work with and without a
 * window, and check their parameters: any program on the session bus can send them. */

#define MAX_SKIP_S (60 * 60 * 1000)
#define RATE_STEP 0.05
#define MIN_RATE 0.5
#define MAX_RATE 4.0
#define VOLUME_STEP 0.05

static EarPlayer *
get_player (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  return library != NULL ? ear_library_get_player (library) : NULL;
}

static GtkWidget *
get_active_window (EarApplication *self)
{
  return GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (self)));
}

/* --- Windows and dialogs ------------------------------------------------------------ */

static void
shortcuts (EarApplication *self)
{
  ear_shortcuts_dialog_present (get_active_window (self));
}

static void
preferences (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  GtkWidget *window = get_active_window (self);
  AdwDialog *dialog;

  if (library == NULL || window == NULL)
    return;

  dialog = ear_preferences_dialog_new (library);
  g_object_bind_property (self, "background-refused", dialog, "background-refused",
                          G_BINDING_SYNC_CREATE);
  ear_single_dialog_present (dialog, window, NULL);
}

static void
backups (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  GtkWidget *window = get_active_window (self);

  if (library != NULL && window != NULL)
    ear_single_dialog_present (
        ear_backups_dialog_new (ear_library_get_backups (library)), window, NULL);
}

static void
about (EarApplication *self)
{
  GtkWidget *window = get_active_window (self);

  ear_single_dialog_present (ear_about_dialog_new (ear_application_get_library (self), window),
                             window, NULL);
}

/* Runs the window's action of the same name. */
static void
activate_in_window (EarApplication *self, GVariant *parameter, GAction *action)
{
  const char *name = g_action_get_name (action);
  EarWindow *window;

  if (ear_application_put_off (self, name, parameter))
    return;

  window = ear_application_ensure_window (self);
  if (window != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), name, parameter);
}

/* --- Refreshing and playback -------------------------------------------------------- */

static void
subscriptions_started_cb (EarSubscriptions *subscriptions, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (subscriptions, subscriptions_started_cb, self);
  if (library != NULL)
    ear_refresher_refresh_all (ear_library_get_refresher (library), EAR_REFRESH_ALL);
}

static void
refresh_all (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  if (ear_application_put_off (self, NULL, NULL))
    return;

  if (library != NULL)
    ear_refresher_refresh_all (ear_library_get_refresher (library), EAR_REFRESH_ALL);
  else if ((library = ear_application_ensure_library (self)) != NULL)
    g_signal_connect_object (ear_library_get_subscriptions (library), "started",
                             G_CALLBACK (subscriptions_started_cb), self, G_CONNECT_DEFAULT);
}

/* The episode of the last session is in the player now; the listener may
 * have begun another. */
static void
episode_restored_cb (EarPlayer *player, GParamSpec *pspec, EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  g_signal_handlers_disconnect_by_func (player, episode_restored_cb, self);
  if (player == get_player (self) && ear_player_get_state (player) == EAR_PLAYER_PAUSED)
    ear_playback_controller_toggle (ear_library_get_playback_controller (library), NULL, NULL);
}

/* Plays the episode in the player, else the one that the window shows, else that of
 * the last session. */
static void
play_pause (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = ear_application_get_window (self);

  if (ear_application_put_off (self, NULL, NULL))
    return;

  if (library != NULL && ear_player_get_episode (ear_library_get_player (library)) != NULL)
    ear_playback_controller_toggle (ear_library_get_playback_controller (library), NULL, NULL);
  else if (window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.play-selected", NULL);
  else if (ear_application_ensure_window (self) != NULL)
    g_signal_connect_object (get_player (self), "notify::episode", G_CALLBACK (episode_restored_cb),
                             self, G_CONNECT_DEFAULT);
}

/* The parameter is in microseconds. */
static void
seek (EarPlayer *player, GVariant *parameter)
{
  ear_player_seek (player, MAX (g_variant_get_int64 (parameter), 0));
}

/* The parameter is in seconds, for keys and scripts. */
static void
seek_by (EarPlayer *player, GVariant *parameter)
{
  const gint64 seconds = CLAMP (g_variant_get_int64 (parameter), -MAX_SKIP_S, MAX_SKIP_S);

  ear_player_skip (player, seconds * G_TIME_SPAN_SECOND);
}

static void
bookmark (EarBookmarks *bookmarks)
{
  ear_bookmarks_add (bookmarks, NULL);
}

/* Screen readers announce a change by a key: the widget that shows the value does
 * not have the focus. */
static void
announce (const char *name, const char *value)
{
  GtkWindow *window =
      gtk_application_get_active_window (GTK_APPLICATION (g_application_get_default ()));
  g_autofree char *message = g_strconcat (name, C_("spoken separator", ", "), value, NULL);

  if (window != NULL)
    ear_announce (GTK_ACCESSIBLE (window), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Rounds to twentieths, so that repeated steps do not add up an error. */
static void
set_rate (EarPlayer *player, double rate)
{
  ear_player_set_rate (player, CLAMP (round (rate * 20) / 20, MIN_RATE, MAX_RATE));
}

static void
speed (EarPlayer *player, GVariant *parameter)
{
  set_rate (player, g_variant_get_double (parameter));
}

/* Returns: 1 for an action named "...-up", -1 for "...-down", 0 for others */
static int
get_direction (GAction *action)
{
  const char *name = g_action_get_name (action);

  return g_str_has_suffix (name, "-up") ? 1 : g_str_has_suffix (name, "-down") ? -1 : 0;
}

static void
step_speed (EarPlayer *player, GVariant *parameter, GAction *action)
{
  const int direction = get_direction (action);
  g_autofree char *rate = NULL;

  set_rate (player, direction != 0 ? ear_player_get_rate (player) + direction * RATE_STEP : 1);
  rate = ear_format_rate (ear_player_get_rate (player));
  announce (_("Speed"), rate);
}

/* Changes the volume, or mutes and unmutes. */
static void
step_volume (EarPlayer *player, GVariant *parameter, GAction *action)
{
  const int direction = get_direction (action);
  g_autofree char *volume = NULL;
  gboolean muted;

  g_object_get (player, "muted", &muted, NULL);
  if (direction != 0)
    ear_player_step_volume (player, direction * VOLUME_STEP);
  else
    g_object_set (player, "muted", !muted, NULL);
  g_object_get (player, "muted", &muted, NULL);
  volume = ear_format_percent (muted ? 0 : (int) round (ear_player_get_volume (player) * 100));
  announce (_("Volume"), volume);
}

/* The parameter is a number of minutes, "episode", "chapter" or "off". */
static void
set_sleep_timer (EarSleepTimer *timer, GVariant *parameter)
{
  ear_sleep_timer_choose (timer, g_variant_get_string (parameter, NULL));
}

/* --- Episodes named by other programs ----------------------------------------------- */

/* A request to show or play an episode, which is being searched for */
typedef struct
{
  gboolean show;
  gboolean play;
  gint64 position; /* microseconds, or -1 to resume */
} EpisodeRequest;

static void
episode_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree EpisodeRequest *request = user_data;
  EarApplication *self = EAR_APPLICATION (g_application_get_default ());
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
    ear_playback_controller_seek (ear_library_get_playback_controller (library), episode, NULL,
                           request->position);
  else if (request->play)
    ear_playback_controller_play (ear_library_get_playback_controller (library), episode, NULL);
}

/* Shows or plays an episode, or both. The parameter is its key, and for the actions
 * "...-at" a position in microseconds. The window comes at once, while the desktop still
 * knows that the listener requested it. */
static void
open_episode (EarApplication *self, GVariant *parameter, GAction *action)
{
  const char *name = g_action_get_name (action);
  EpisodeRequest request = { .show = !g_str_has_prefix (name, "play-"),
                             .play = !g_str_equal (name, "show-episode"),
                             .position = -1 };
  EarLibrary *library;
  const char *key;

  if (g_variant_is_of_type (parameter, G_VARIANT_TYPE_STRING))
    key = g_variant_get_string (parameter, NULL);
  else
    g_variant_get (parameter, "(&sx)", &key, &request.position);
  if (!ear_address_is_hash (key) || request.position < -1 ||
      request.position > EAR_POSITION_LIMIT || ear_application_put_off (self, name, parameter))
    return;

  if (request.show)
    ear_application_ensure_window (self);
  library = ear_application_ensure_library (self);
  if (library != NULL)
    ear_catalogue_read_async (ear_library_get_catalogue (library),
                              ear_read_keys ((const char *const[]) { key, NULL }), NULL,
                              episode_found_cb, g_memdup2 (&request, sizeof request));
}

/* --- Import and export of lists of podcasts ----------------------------------------- */

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  const int n = ear_importer_read_finish (EAR_IMPORTER (source), result, &error);

  if (n == 0)
    ear_application_show_notice (self, _("The file contains no podcasts"), TRUE);
  else if (n < 0 && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_application_show_notice (self, ear_error_text_importing (error), TRUE);
}

static void
import_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_open_finish (GTK_FILE_DIALOG (source), result, NULL);
  EarLibrary *library = ear_application_get_library (self);

  if (file != NULL && library != NULL)
    ear_importer_read_async (ear_library_get_importer (library), file, imported_cb,
                             g_steal_pointer (&self));
}

static void
import_list (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);
  g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new ("import");

  if (window != NULL)
    gtk_file_dialog_open (dialog, GTK_WINDOW (window), NULL, import_chosen_cb,
                          g_object_ref (self));
}

/* Shows the window: nothing that another program requests is done unseen.
 * Returns: (nullable): the library; %NULL where it is not open, and the
 * action may run later */
static EarLibrary *
ensure_visible_library (EarApplication *self, GAction *action, GVariant *parameter)
{
  if (ear_application_get_window (self) == NULL || ear_application_get_library (self) == NULL)
    g_application_activate (G_APPLICATION (self));
  if (ear_application_put_off (self, g_action_get_name (action), parameter))
    return NULL;

  return ear_application_get_window (self) != NULL ? ear_application_get_library (self) : NULL;
}

/* Imports without a question, for other programs and tests. A bar shows the progress, and
 * a toast has Undo. */
static void
import_file (EarApplication *self, GVariant *parameter, GAction *action)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  EarLibrary *library = ensure_visible_library (self, action, parameter);

  if (library != NULL)
    ear_importer_read_async (ear_library_get_importer (library), file, imported_cb,
                             g_object_ref (self));
}

/* Opens a local file, or a page or feed by its address, as the desktop requests it. */
static void
open_file (EarApplication *self, GVariant *parameter, GAction *action)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  if (ensure_visible_library (self, action, parameter) != NULL)
    ear_window_open_file (ear_application_get_window (self), file);
}

static void
choose_export (EarApplication *self, gboolean with_private)
{
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = ear_application_get_window (self);
  g_autoptr (GBytes) list = NULL;

  if (window == NULL || library == NULL)
    return;

  list = ear_subscriptions_export (ear_library_get_subscriptions (library), with_private);
  ear_export_choose (GTK_WIDGET (window), ear_library_get_notices (library),
                     "export-podcasts", "podcasts.opml", list, _("Podcasts exported"),
                     _("The list could not be saved"));
}

static void
answered_cb (EarApplication *self, const char *answer)
{
  if (!g_str_equal (answer, "cancel"))
    choose_export (self, g_str_equal (answer, "all"));
}

/* Asks before addresses with a password or a token are exported. */
static void
ask_about_private (EarApplication *self, guint n_private)
{
  g_autofree char *body =
      g_strdup_printf (ngettext ("The address of %u podcast works like a password. Anyone "
                                 "with the list could listen in your name.",
                                 "The addresses of %u podcasts work like passwords. "
                                 "Anyone with the list could listen in your name.",
                                 n_private),
                       n_private);
  AdwDialog *dialog = ear_question_new (_("Export Private Podcasts?"), body, "public",
                                        _("_Leave Out"), "all", _("_Export All"));

  ear_connect (dialog, "response", answered_cb, self);
  adw_dialog_present (dialog, GTK_WIDGET (ear_application_get_window (self)));
}

static void
export_list (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  guint n_private;

  if (ear_application_get_window (self) == NULL || library == NULL)
    return;

  n_private = ear_subscriptions_count_private (ear_library_get_subscriptions (library));
  if (n_private > 0)
    ask_about_private (self, n_private);
  else
    choose_export (self, FALSE);
}

/* --- Table and state ---------------------------------------------------------------- */

static const EarActionEntry actions[] = {
  { "quit", G_CALLBACK (ear_application_quit) },
  { "raise", G_CALLBACK (g_application_activate) },
  { "about", G_CALLBACK (about) },
  { "backups", G_CALLBACK (backups) },
  { "preferences", G_CALLBACK (preferences) },
  { "shortcuts", G_CALLBACK (shortcuts) },
  { "refresh-all", G_CALLBACK (refresh_all) },
  { "stop-refresh", G_CALLBACK (ear_refresher_stop), .part = "refresher" },
  { "play-pause", G_CALLBACK (play_pause) },
  { "seek-back", G_CALLBACK (ear_playback_controller_skip_back), .part = "playback-controller" },
  { "seek-forward", G_CALLBACK (ear_playback_controller_skip_forward),
    .part = "playback-controller" },
  { "seek", G_CALLBACK (seek), "x", .part = "player" },
  { "seek-by", G_CALLBACK (seek_by), "x", .part = "player" },
  { "bookmark", G_CALLBACK (bookmark), .part = "bookmarks" },
  { "next", G_CALLBACK (ear_playback_controller_next), .part = "playback-controller" },
  { "previous", G_CALLBACK (ear_playback_controller_previous), .part = "playback-controller" },
  { "next-chapter", G_CALLBACK (ear_chapter_control_next), .part = "chapter-control" },
  { "previous-chapter", G_CALLBACK (ear_chapter_control_previous), .part = "chapter-control" },
  { "speed", G_CALLBACK (speed), "d", "1.0", .part = "player" },
  { "speed-up", G_CALLBACK (step_speed), .part = "player" },
  { "speed-down", G_CALLBACK (step_speed), .part = "player" },
  { "speed-reset", G_CALLBACK (step_speed), .part = "player" },
  { "sleep", G_CALLBACK (set_sleep_timer), "s", "'off'", .part = "sleep-timer" },
  { "sleep-chapter", G_CALLBACK (set_sleep_timer), "s", "'off'", .part = "sleep-timer" },
  { "sleep-longer", G_CALLBACK (ear_sleep_timer_extend), .part = "sleep-timer" },
  { "sleep-more", G_CALLBACK (ear_sleep_timer_extend), .part = "sleep-timer" },
  { "trim-silence", NULL, NULL, "false" },
  { "level-volume", NULL, NULL, "false" },
  { "own-playback", NULL, NULL, "false" },
  { "volume-up", G_CALLBACK (step_volume), .part = "player" },
  { "volume-down", G_CALLBACK (step_volume), .part = "player" },
  { "mute", G_CALLBACK (step_volume), .part = "player" },
  { "show-episode", G_CALLBACK (open_episode), "s" },
  { "play-episode", G_CALLBACK (open_episode), "s" },
  { "play-episode-at", G_CALLBACK (open_episode), "(sx)" },
  { "open-episode-at", G_CALLBACK (open_episode), "(sx)" },
  { "search-for", G_CALLBACK (activate_in_window), "s" },
  { "show-new", G_CALLBACK (activate_in_window) },
  { "open-file", G_CALLBACK (open_file), "s" },
  { "import", G_CALLBACK (import_list) },
  { "import-file", G_CALLBACK (import_file), "s" },
  { "export", G_CALLBACK (export_list) },
};

static gboolean
to_state_cb (GBinding *binding, const GValue *value, GValue *state, gpointer user_data)
{
  GVariant *variant;

  if (G_VALUE_HOLDS_BOOLEAN (value))
    variant = g_variant_new_boolean (g_value_get_boolean (value));
  else if (G_VALUE_HOLDS_STRING (value))
    variant = g_variant_new_string (g_value_get_string (value));
  else
    /* In hundredths, so that it equals the target of a button whatever sum led there */
    variant = g_variant_new_double (round (g_value_get_double (value) * 100) / 100);
  g_value_set_variant (state, variant);

  return TRUE;
}

static gboolean
state_to_boolean_cb (GBinding *binding, const GValue *state, GValue *boolean, gpointer user_data)
{
  g_value_set_boolean (boolean, g_variant_get_boolean (g_value_get_variant (state)));

  return TRUE;
}

static gboolean
to_enabled_cb (GBinding *binding, const GValue *value, GValue *enabled, gpointer user_data)
{
  if (!G_VALUE_HOLDS_OBJECT (value))
    return g_value_transform (value, enabled);

  g_value_set_boolean (enabled, g_value_get_object (value) != NULL);

  return TRUE;
}

/* Properties of actions that follow the library's parts */
static const struct
{
  const char *action;
  const char *action_property;
  const char *part; /* property of the library */
  const char *property;
  gboolean both_ways; /* the part follows the action, too */
} bindings[] = {
  { "next", "enabled", "order", "can-go-next" },
  { "previous", "enabled", "order", "can-go-previous" },
  { "next-chapter", "enabled", "chapter-control", "has-next" },
  { "previous-chapter", "enabled", "chapter-control", "has-previous" },
  { "seek", "enabled", "player", "episode" },
  { "seek-by", "enabled", "player", "episode" },
  { "seek-back", "enabled", "player", "episode" },
  { "seek-forward", "enabled", "player", "episode" },
  { "bookmark", "enabled", "player", "episode" },
  { "speed", "state", "player", "rate" },
  { "trim-silence", "state", "player", "trim-silence", TRUE },
  { "level-volume", "state", "player", "level-volume", TRUE },
  { "own-playback", "state", "playback-settings", "own", TRUE },
  /* Only a podcast that is followed has settings. */
  { "own-playback", "enabled", "playback-settings", "podcast" },
  { "sleep", "state", "sleep-timer", "choice" },
  { "sleep", "enabled", "player", "episode" },
  { "sleep-chapter", "state", "sleep-timer", "choice" },
  /* An episode with chapters always has one to return to the start of. */
  { "sleep-chapter", "enabled", "chapter-control", "has-previous" },
  /* "sleep-longer", of the key, also starts the timer; "sleep-more", of
   * the menu, does not. */
  { "sleep-longer", "enabled", "player", "episode" },
  { "sleep-more", "enabled", "sleep-timer", "remaining" },
};

static void
library_changed_cb (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (bindings); i++)
    {
      const gboolean is_state = g_str_equal (bindings[i].action_property, "state");
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), bindings[i].action);
      g_autoptr (GObject) part = NULL;

      g_object_get (library, bindings[i].part, &part, NULL);
      g_object_bind_property_full (
          part, bindings[i].property, action, bindings[i].action_property,
          G_BINDING_SYNC_CREATE | (bindings[i].both_ways ? G_BINDING_BIDIRECTIONAL : 0),
          is_state ? to_state_cb : to_enabled_cb,
          bindings[i].both_ways ? state_to_boolean_cb : NULL, NULL, NULL);
    }
}

/* Adds the actions to the application. Their state and whether they are enabled
 * follow its library. */
void
ear_application_install_actions (EarApplication *self)
{
  ear_actions_add (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect (self, "notify::library", G_CALLBACK (library_changed_cb), NULL);
}
