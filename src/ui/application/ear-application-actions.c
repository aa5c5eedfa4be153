/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-about.h"
#include "ear-application.h"
#include "ear-backups-dialog.h"
#include "ear-dialog.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-preferences-dialog.h"
#include "ear-shortcuts-dialog.h"
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
  EarPreferencesDialog *dialog;

  if (library == NULL || window == NULL ||
      ear_single_dialog_raise (window, "preferences", NULL) != NULL)
    return;

  dialog = ear_preferences_dialog_new (library);
  g_object_bind_property (self, "background-refused", dialog, "background-refused",
                          G_BINDING_SYNC_CREATE);
  ear_single_dialog_present (ADW_DIALOG (dialog), window, "preferences", NULL);
}

static void
backups (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);
  GtkWidget *window = get_active_window (self);
  EarBackupsDialog *dialog;

  if (library == NULL || window == NULL ||
      ear_single_dialog_raise (window, "backups", NULL) != NULL)
    return;

  dialog = ear_backups_dialog_new (ear_library_get_backups (library));
  ear_single_dialog_present (ADW_DIALOG (dialog), window, "backups", NULL);
}

static void
about (EarApplication *self)
{
  GtkWidget *window = get_active_window (self);

  if (ear_single_dialog_raise (window, "about", NULL) == NULL)
    ear_single_dialog_present (ear_about_dialog_new (ear_application_get_library (self), window),
                               window, "about", NULL);
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
refresh_all (EarApplication *self, GVariant *parameter, GAction *action)
{
  EarLibrary *library = ear_application_get_library (self);

  if (ear_application_put_off (self, g_action_get_name (action), parameter))
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
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
}

/* Plays the episode in the player, else the one that the window shows, else that of
 * the last session. */
static void
play_pause (EarApplication *self, GVariant *parameter, GAction *action)
{
  EarLibrary *library = ear_application_get_library (self);
  EarWindow *window = ear_application_get_window (self);

  if (ear_application_put_off (self, g_action_get_name (action), parameter))
    return;

  if (library != NULL && ear_player_get_episode (ear_library_get_player (library)) != NULL)
    ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);
  else if (window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.play-selected", NULL);
  else if (ear_application_ensure_window (self) != NULL)
    g_signal_connect_object (get_player (self), "notify::episode", G_CALLBACK (episode_restored_cb),
                             self, G_CONNECT_DEFAULT);
}

/* Functions of the library's parts that have no parameter */
static const struct
{
  const char *action;
  const char *part; /* property of the library */
  GCallback run;
} part_actions[] = {
  { "next", "play-control", G_CALLBACK (ear_play_control_next) },
  { "previous", "play-control", G_CALLBACK (ear_play_control_previous) },
  { "seek-back", "play-control", G_CALLBACK (ear_play_control_skip_back) },
  { "seek-forward", "play-control", G_CALLBACK (ear_play_control_skip_forward) },
  { "next-chapter", "chapter-control", G_CALLBACK (ear_chapter_control_next) },
  { "previous-chapter", "chapter-control", G_CALLBACK (ear_chapter_control_previous) },
  { "sleep-longer", "sleep-timer", G_CALLBACK (ear_sleep_timer_extend) },
  { "sleep-more", "sleep-timer", G_CALLBACK (ear_sleep_timer_extend) },
  { "stop-refresh", "schedule", G_CALLBACK (ear_refresh_schedule_stop) },
};

static void
run_part_action (EarApplication *self, GVariant *parameter, GAction *action)
{
  EarLibrary *library = ear_application_get_library (self);

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (part_actions); i++)
    if (g_str_equal (part_actions[i].action, g_action_get_name (action)))
      {
        g_autoptr (GObject) part = NULL;

        g_object_get (library, part_actions[i].part, &part, NULL);
        ((void (*) (gpointer)) part_actions[i].run) (part);
      }
}

/* The parameter is in microseconds. */
static void
seek (EarApplication *self, GVariant *parameter)
{
  if (get_player (self) != NULL)
    ear_player_seek (get_player (self), MAX (g_variant_get_int64 (parameter), 0));
}

/* The parameter is in seconds, for keys and scripts. */
static void
seek_by (EarApplication *self, GVariant *parameter)
{
  const gint64 seconds = CLAMP (g_variant_get_int64 (parameter), -MAX_SKIP_S, MAX_SKIP_S);

  if (get_player (self) != NULL)
    ear_player_skip (get_player (self), seconds * G_TIME_SPAN_SECOND);
}

static void
bookmark (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  if (library != NULL)
    ear_bookmarks_add (ear_library_get_bookmarks (library), NULL);
}

/* Screen readers announce a change by a key: the widget that shows the value does
 * not have the focus. */
static void
announce (EarApplication *self, const char *name, const char *value)
{
  GtkWidget *window = get_active_window (self);
  g_autofree char *message = g_strconcat (name, C_("spoken separator", ", "), value, NULL);

  if (window != NULL)
    ear_announce (GTK_ACCESSIBLE (window), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* Rounds to twentieths, so that repeated steps do not add up an error. */
static void
set_rate (EarApplication *self, double rate)
{
  ear_player_set_rate (get_player (self), CLAMP (round (rate * 20) / 20, MIN_RATE, MAX_RATE));
}

static void
announce_rate (EarApplication *self)
{
  g_autofree char *rate = ear_format_rate (ear_player_get_rate (get_player (self)));

  announce (self, _("Speed"), rate);
}

static void
speed (EarApplication *self, GVariant *parameter)
{
  if (get_player (self) != NULL)
    set_rate (self, g_variant_get_double (parameter));
}

static void
speed_reset (EarApplication *self)
{
  if (get_player (self) == NULL)
    return;

  set_rate (self, 1);
  announce_rate (self);
}

/* Returns: 1 for an action named "...-up", -1 for "...-down" */
static int
get_direction (GAction *action)
{
  return g_str_has_suffix (g_action_get_name (action), "-up") ? 1 : -1;
}

static void
step_speed (EarApplication *self, GVariant *parameter, GAction *action)
{
  EarPlayer *player = get_player (self);

  if (player == NULL)
    return;

  set_rate (self, ear_player_get_rate (player) + get_direction (action) * RATE_STEP);
  announce_rate (self);
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

static void
step_volume (EarApplication *self, GVariant *parameter, GAction *action)
{
  if (get_player (self) == NULL)
    return;

  ear_player_step_volume (get_player (self), get_direction (action) * VOLUME_STEP);
  announce_volume (self);
}

static void
mute (EarApplication *self)
{
  EarPlayer *player = get_player (self);
  gboolean muted;

  if (player == NULL)
    return;

  g_object_get (player, "muted", &muted, NULL);
  g_object_set (player, "muted", !muted, NULL);
  announce_volume (self);
}

/* The parameter is a number of minutes, "episode", "chapter" or "off". */
static void
set_sleep_timer (EarApplication *self, GVariant *parameter)
{
  EarLibrary *library = ear_application_get_library (self);

  if (library != NULL)
    ear_sleep_timer_choose (ear_library_get_sleep_timer (library),
                            g_variant_get_string (parameter, NULL));
}

/* --- Episodes named by other programs ----------------------------------------------- */

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

/* Looks the episode up; a newer request cancels it. The window comes at once, while the
 * desktop still knows that the listener requested it. */
static void
request_episode (EarApplication *self,
                 const char *key,
                 gboolean show,
                 gboolean play,
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
show_or_play_episode (EarApplication *self, GVariant *parameter, GAction *action)
{
  const char *name = g_action_get_name (action);
  const char *key = g_variant_get_string (parameter, NULL);
  const gboolean play = g_str_equal (name, "play-episode");

  if (ear_episode_is_key (key) && !ear_application_put_off (self, name, parameter))
    request_episode (self, key, !play, play, -1);
}

/* The parameter is a key and a position in microseconds. */
static void
play_episode_at (EarApplication *self, GVariant *parameter, GAction *action)
{
  const char *name = g_action_get_name (action);
  const char *key;
  gint64 position;

  g_variant_get (parameter, "(&sx)", &key, &position);
  if (ear_episode_is_key (key) && position >= 0 && position <= EAR_POSITION_LIMIT &&
      !ear_application_put_off (self, name, parameter))
    request_episode (self, key, g_str_equal (name, "open-episode-at"), TRUE, position);
}

/* --- Import and export of lists of podcasts ----------------------------------------- */

static GListModel *
create_filters (void)
{
  g_autoptr (GtkFileFilter) lists = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  GListStore *filters = g_list_store_new (GTK_TYPE_FILE_FILTER);

  gtk_file_filter_set_name (lists, _("Podcast Lists"));
  gtk_file_filter_add_suffix (lists, "opml");
  gtk_file_filter_add_suffix (lists, "xml");
  /* GNOME Podcasts, Kasts and gPodder */
  gtk_file_filter_add_pattern (lists, "podcasts.db");
  gtk_file_filter_add_pattern (lists, "database.db3");
  gtk_file_filter_add_pattern (lists, "Database");
  gtk_file_filter_add_mime_type (lists, "text/x-opml");
  gtk_file_filter_add_mime_type (lists, "text/x-opml+xml");
  gtk_file_filter_set_name (all, _("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  g_list_store_append (filters, lists);
  g_list_store_append (filters, all);

  return G_LIST_MODEL (filters);
}

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  const int n = ear_importer_read_finish (EAR_IMPORTER (source), result, &error);
  g_autofree char *reason = NULL;

  if (n == 0)
    ear_application_show_notice (self, _("The file contains no podcasts"), TRUE);
  if (n >= 0 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  reason = ear_error_text_importing (error);
  ear_application_show_notice (self, reason, TRUE);
}

static void
import_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_open_finish (GTK_FILE_DIALOG (source), result, NULL);
  EarLibrary *library = ear_application_get_library (self);

  if (file != NULL && library != NULL)
    ear_importer_read_async (ear_library_get_importer (library), file, NULL, imported_cb,
                             g_steal_pointer (&self));
}

static void
import_list (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = create_filters ();

  if (window == NULL)
    return;

  gtk_file_dialog_set_title (dialog, _("Import Podcasts"));
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_open (dialog, GTK_WINDOW (window), NULL, import_chosen_cb, g_object_ref (self));
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
    ear_importer_read_async (ear_library_get_importer (library), file, NULL, imported_cb,
                             g_object_ref (self));
}

/* Shows a podcast, which the listener then may follow, for other programs. */
static void
add (EarApplication *self, GVariant *parameter, GAction *action)
{
  if (ensure_visible_library (self, action, parameter) != NULL)
    ear_window_open_address (ear_application_get_window (self),
                             g_variant_get_string (parameter, NULL));
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) list =
      ear_subscriptions_export_finish (EAR_SUBSCRIPTIONS (source), result, &error);

  if (list != NULL)
    ear_application_show_notice (self, _("Podcasts exported"), FALSE);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_application_show_notice (self, _("The list could not be saved"), TRUE);
}

static void
export_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, NULL);
  EarLibrary *library = ear_application_get_library (self);

  if (file != NULL && library != NULL)
    ear_subscriptions_export_async (ear_library_get_subscriptions (library), file, TRUE,
                                    g_object_get_data (source, "with-private") != NULL, NULL,
                                    exported_cb, g_steal_pointer (&self));
}

static void
choose_export (EarApplication *self, gboolean with_private)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = create_filters ();

  g_object_set_data (G_OBJECT (dialog), "with-private", GINT_TO_POINTER (with_private));
  gtk_file_dialog_set_title (dialog, _("Export Podcasts"));
  gtk_file_dialog_set_initial_name (dialog, "podcasts.opml");
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_save (dialog, GTK_WINDOW (ear_application_get_window (self)), NULL,
                        export_chosen_cb, g_object_ref (self));
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  const char *answer = adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result);

  if (!g_str_equal (answer, "cancel"))
    choose_export (self, g_str_equal (answer, "all"));
}

/* Asks before addresses with a password or a token are exported. */
static void
ask_about_private (EarApplication *self, guint n_private)
{
  AdwDialog *dialog = ear_alert_new (_("Export Private Podcasts?"));

  adw_alert_dialog_format_body (ADW_ALERT_DIALOG (dialog),
                                ngettext ("The address of %u podcast works like a password. Anyone "
                                          "with the list could listen in your name.",
                                          "The addresses of %u podcasts work like passwords. "
                                          "Anyone with the list could listen in your name.",
                                          n_private),
                                n_private);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog),
                                  "cancel", _("_Cancel"),
                                  "public", _("_Leave Out"),
                                  "all", _("_Export All"),
                                  NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "public");
  /* Escape would otherwise give a response of its own. */
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "public",
                                            ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "all",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog),
                           GTK_WIDGET (ear_application_get_window (self)), NULL, answered_cb,
                           g_object_ref (self));
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

/* Exports for other programs, without private addresses, and only to a new OPML file: an
 * existing file is never replaced. */
static void
export_file (EarApplication *self, GVariant *parameter, GAction *action)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  g_autofree char *name = g_file_get_basename (file);
  EarLibrary *library = ensure_visible_library (self, action, parameter);

  if (library == NULL)
    return;
  if (!g_file_is_native (file) || name == NULL || *name == '.' || !g_str_has_suffix (name, ".opml"))
    {
      ear_application_show_notice (self, _("The list could not be saved"), TRUE);
      return;
    }

  ear_subscriptions_export_async (ear_library_get_subscriptions (library), file, FALSE, FALSE, NULL,
                                  exported_cb, g_object_ref (self));
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
  { "stop-refresh", G_CALLBACK (run_part_action) },
  { "play-pause", G_CALLBACK (play_pause) },
  { "seek-back", G_CALLBACK (run_part_action) },
  { "seek-forward", G_CALLBACK (run_part_action) },
  { "seek", G_CALLBACK (seek), "x" },
  { "seek-by", G_CALLBACK (seek_by), "x" },
  { "bookmark", G_CALLBACK (bookmark) },
  { "next", G_CALLBACK (run_part_action) },
  { "previous", G_CALLBACK (run_part_action) },
  { "next-chapter", G_CALLBACK (run_part_action) },
  { "previous-chapter", G_CALLBACK (run_part_action) },
  { "speed", G_CALLBACK (speed), "d", "1.0" },
  { "speed-up", G_CALLBACK (step_speed) },
  { "speed-down", G_CALLBACK (step_speed) },
  { "speed-reset", G_CALLBACK (speed_reset) },
  { "sleep", G_CALLBACK (set_sleep_timer), "s", "'off'" },
  { "sleep-chapter", G_CALLBACK (set_sleep_timer), "s", "'off'" },
  { "sleep-longer", G_CALLBACK (run_part_action) },
  { "sleep-more", G_CALLBACK (run_part_action) },
  { "trim-silence", NULL, NULL, "false" },
  { "level-volume", NULL, NULL, "false" },
  { "own-playback", NULL, NULL, "false" },
  { "volume-up", G_CALLBACK (step_volume) },
  { "volume-down", G_CALLBACK (step_volume) },
  { "mute", G_CALLBACK (mute) },
  { "show-episode", G_CALLBACK (show_or_play_episode), "s" },
  { "play-episode", G_CALLBACK (show_or_play_episode), "s" },
  { "play-episode-at", G_CALLBACK (play_episode_at), "(sx)" },
  { "open-episode-at", G_CALLBACK (play_episode_at), "(sx)" },
  { "search-for", G_CALLBACK (activate_in_window), "s" },
  { "show-new", G_CALLBACK (activate_in_window) },
  { "add", G_CALLBACK (add), "s" },
  { "import", G_CALLBACK (import_list) },
  { "import-file", G_CALLBACK (import_file), "s" },
  { "export", G_CALLBACK (export_list) },
  { "export-file", G_CALLBACK (export_file), "s" },
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
state_to_boolean_cb (GBinding *binding, const GValue *state, GValue *boolean, gpointer user_data)
{
  g_value_set_boolean (boolean, g_variant_get_boolean (g_value_get_variant (state)));

  return TRUE;
}

static gboolean
object_to_enabled_cb (GBinding *binding, const GValue *object, GValue *enabled, gpointer user_data)
{
  g_value_set_boolean (enabled, g_value_get_object (object) != NULL);

  return TRUE;
}

/* Properties of actions that follow the library's parts */
static const struct
{
  const char *action;
  const char *action_property;
  const char *part; /* property of the library */
  const char *property;
  GBindingTransformFunc to;
  GBindingTransformFunc from; /* (nullable): the part follows the action, too */
} bindings[] = {
  { "next", "enabled", "order", "can-go-next" },
  { "previous", "enabled", "order", "can-go-previous" },
  { "next-chapter", "enabled", "chapter-control", "has-next" },
  { "previous-chapter", "enabled", "chapter-control", "has-previous" },
  { "seek", "enabled", "player", "episode", object_to_enabled_cb },
  { "seek-by", "enabled", "player", "episode", object_to_enabled_cb },
  { "seek-back", "enabled", "player", "episode", object_to_enabled_cb },
  { "seek-forward", "enabled", "player", "episode", object_to_enabled_cb },
  { "bookmark", "enabled", "player", "episode", object_to_enabled_cb },
  { "speed", "state", "player", "rate", rate_to_state_cb },
  { "trim-silence", "state", "player", "trim-silence", boolean_to_state_cb, state_to_boolean_cb },
  { "level-volume", "state", "player", "level-volume", boolean_to_state_cb, state_to_boolean_cb },
  { "own-playback", "state", "playback-settings", "own", boolean_to_state_cb, state_to_boolean_cb },
  /* Only a podcast that is followed has settings. */
  { "own-playback", "enabled", "playback-settings", "podcast", object_to_enabled_cb },
  { "sleep", "state", "sleep-timer", "choice", string_to_state_cb },
  { "sleep", "enabled", "player", "episode", object_to_enabled_cb },
  { "sleep-chapter", "state", "sleep-timer", "choice", string_to_state_cb },
  /* An episode with chapters always has one to return to the start of. */
  { "sleep-chapter", "enabled", "chapter-control", "has-previous" },
  /* "sleep-longer", of the key, also starts the timer; "sleep-more", of
   * the menu, does not. */
  { "sleep-longer", "enabled", "player", "episode", object_to_enabled_cb },
  { "sleep-more", "enabled", "sleep-timer", "remaining" },
};

static void
library_changed_cb (EarApplication *self)
{
  EarLibrary *library = ear_application_get_library (self);

  for (gsize i = 0; library != NULL && i < G_N_ELEMENTS (bindings); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), bindings[i].action);
      g_autoptr (GObject) part = NULL;

      g_object_get (library, bindings[i].part, &part, NULL);
      g_object_bind_property_full (part, bindings[i].property, action, bindings[i].action_property,
                                   bindings[i].from != NULL
                                       ? G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL
                                       : G_BINDING_SYNC_CREATE,
                                   bindings[i].to, bindings[i].from, NULL, NULL);
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
