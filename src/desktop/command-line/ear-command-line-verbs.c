/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-verbs-private.h"

#include <glib/gi18n-lib.h>

#include "ear-command-line-player.h"
#include "ear-command-line-text.h"
#include "ear-error.h"

/* Runs verbs with an open library on behalf of another process. GIO sends the output to
 * the caller at once, and the exit status when the invocation is finalized. Every peer on
 * the session bus can call this, so no verb writes a file of the caller's choice or
 * deletes anything, and a toast can undo following a podcast. */

#define COMMAND "ear-command"

static void
command_free (gpointer data)
{
  EarCommand *self = data;

  ear_command_line_free (self->line);
  g_object_unref (self->library);
  g_ptr_array_unref (self->podcasts);
  g_string_free (self->news, TRUE);
  g_free (self);
}

EarCommand *
ear_command_get (gpointer invocation)
{
  return g_object_get_data (G_OBJECT (invocation), COMMAND);
}

void
ear_command_end (GApplicationCommandLine *invocation, EarCommandStatus status)
{
  EarCommand *self = ear_command_get (invocation);

  self->ended = TRUE;
  g_application_command_line_set_exit_status (invocation, (int) status);
  if (self->host.ended != NULL)
    self->host.ended (invocation, self->host.user_data);
  g_object_unref (invocation);
}

static void
cancelled_cb (GCancellable *cancellable, gpointer invocation)
{
  if (!ear_command_get (invocation)->ended)
    ear_command_end (invocation, EAR_COMMAND_TRY_AGAIN);
}

static void
say_error (GApplicationCommandLine *invocation, const char *message)
{
  g_autofree char *printable = ear_command_line_dup_sentence (message);

  g_application_command_line_printerr (invocation, "earmark: %s\n", printable);
}

void
ear_command_fail (GApplicationCommandLine *invocation, const char *message)
{
  say_error (invocation, message);
  ear_command_end (invocation, EAR_COMMAND_FAILED);
}

void
ear_command_fail_with_error (GApplicationCommandLine *invocation, const GError *error, EarErrorTopic topic)
{
  g_autofree char *message = ear_command_get (invocation)->host.describe (error, topic);

  ear_command_fail (invocation, message);
}

static const char *
get_no_address (void)
{
  return _("This is not a web address. Web addresses look like https://example.org/feed.xml");
}

static void
play (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  const char *reason = ear_command_line_player_do (self->library, self->line);

  if (reason != NULL)
    ear_command_fail (invocation, reason);
  else
    ear_command_end (invocation, EAR_COMMAND_DONE);
}

static void
resumed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GApplicationCommandLine) invocation = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean resumed =
      ear_playback_controller_resume_finish (EAR_PLAYBACK_CONTROLLER (source), result, &error);

  if (ear_command_get (invocation)->ended)
    return;
  if (resumed)
    ear_command_end (invocation, EAR_COMMAND_DONE);
  else if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    ear_command_fail (invocation, _("No episode is loaded"));
  else
    ear_command_fail_with_error (invocation, error, EAR_ERROR_TOPIC_FEED);
}

/* With an empty player, starts the episode that the window shows, else resumes
 * the last one. */
static void
play_something (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);

  g_action_group_activate_action (G_ACTION_GROUP (self->host.application), "play-pause", NULL);
  if (ear_player_get_episode (ear_library_get_player (self->library)) != NULL)
    ear_command_end (invocation, EAR_COMMAND_DONE);
  else
    ear_playback_controller_resume_async (ear_library_get_playback_controller (self->library),
                                          resumed_cb, g_object_ref (invocation));
}

static void
notify_status (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  g_autofree char *text = ear_command_line_player_dup_status (self->library, self->line->json);

  g_application_command_line_print_literal (invocation, text);
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

static void
quit (GApplicationCommandLine *invocation)
{
  g_action_group_activate_action (G_ACTION_GROUP (ear_command_get (invocation)->host.application), "quit", NULL);
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

static void notify_fetched (GApplicationCommandLine *invocation);

/* Notifications about the last podcast arrive after it has stopped refreshing. */
static gboolean
fetched_cb (gpointer invocation)
{
  if (!ear_command_get (invocation)->ended)
    notify_fetched (invocation);

  return G_SOURCE_REMOVE;
}

static void
end_if_fetched (GApplicationCommandLine *invocation)
{
  if (ear_command_get (invocation)->n_running == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, fetched_cb, g_object_ref (invocation), g_object_unref);
}

static void
refreshing_cb (EarPodcast *podcast, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  if (ear_podcast_get_refreshing (podcast))
    return;

  g_signal_handlers_disconnect_by_func (podcast, refreshing_cb, invocation);
  ear_command_get (invocation)->n_running--;
  end_if_fetched (invocation);
}

static void
watch (GApplicationCommandLine *invocation, EarPodcast *podcast)
{
  EarCommand *self = ear_command_get (invocation);

  g_ptr_array_add (self->podcasts, g_object_ref (podcast));
  if (!ear_podcast_get_refreshing (podcast))
    return;

  g_signal_connect_object (podcast, "notify::refreshing", G_CALLBACK (refreshing_cb), invocation, G_CONNECT_DEFAULT);
  self->n_running++;
}

/* Prints a line with the reason for each podcast that could not be fetched.
 * Returns: the number of these podcasts */
guint
ear_command_tell_failures (GApplicationCommandLine *invocation, GPtrArray *podcasts)
{
  EarCommand *self = ear_command_get (invocation);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_failures = 0;

  for (guint i = 0; i < podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (podcasts, i);
      const GError *error = ear_podcast_get_error (podcast);
      g_autofree char *reason = error != NULL ? self->host.describe (error, EAR_ERROR_TOPIC_FEED) : NULL;

      if (reason != NULL)
        ear_command_line_append_failure (text, n_failures++, ear_podcast_get_name (podcast), reason);
    }
  ear_command_line_append_rest (text, n_failures);
  if (n_failures > 0)
    g_application_command_line_printerr_literal (invocation, text->str);

  return n_failures;
}

/* New episodes, in the order of arrival */
static void
arrived_cb (EarRefresher *refresher, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes, GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;

  for (guint i = 0; i < MIN (episodes->len, EAR_REFRESHER_NAMED); i++)
    {
      const char *title = ear_episode_get_title (g_ptr_array_index (episodes, i));

      g_strv_builder_add (builder, title != NULL ? title : "");
    }
  titles = g_strv_builder_end (builder);
  ear_command_line_append_news (self->news, self->n_with_news++, ear_podcast_get_name (podcast), n_episodes, (const char *const *) titles);
  self->n_new += n_episodes;
}

static void
refresh (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  GListModel *podcasts = ear_library_get_podcasts (self->library);

  g_signal_connect_object (ear_library_get_refresher (self->library), "episodes-arrived", G_CALLBACK (arrived_cb), invocation, G_CONNECT_DEFAULT);
  ear_refresher_refresh_all (ear_library_get_refresher (self->library), EAR_REFRESH_ALL);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_refreshing (podcast))
        watch (invocation, podcast);
    }
  end_if_fetched (invocation);
}

static gboolean
is_waiting (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_BUSY) || g_error_matches (error, EAR_ERROR, EAR_ERROR_GONE);
}

/* Prints a line for each podcast that was not checked because its server asked to wait or
 * reported it as removed, in this check or in an earlier one.
 * Returns: the number of these podcasts */
static guint
print_waiting (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  GListModel *podcasts = ear_library_get_podcasts (self->library);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_waiting = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (ear_library_get_catalogue (self->library), podcast);
      const GError *error = ear_podcast_get_error (podcast);

      if (is_waiting (error))
        ear_command_line_append_waiting (text, n_waiting++, ear_podcast_get_name (podcast),
                                         g_error_matches (error, EAR_ERROR, EAR_ERROR_GONE), check->not_before);
    }
  ear_command_line_append_rest (text, n_waiting);
  if (n_waiting > 0)
    g_application_command_line_printerr_literal (invocation, text->str);

  return n_waiting;
}

static void
notify_refreshed (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  g_autoptr (GPtrArray) checked = g_ptr_array_new ();
  g_autofree char *summary = NULL;
  guint n_failures, n_waiting;

  for (guint i = 0; i < self->podcasts->len; i++)
    if (!is_waiting (ear_podcast_get_error (g_ptr_array_index (self->podcasts, i))))
      g_ptr_array_add (checked, g_ptr_array_index (self->podcasts, i));
  summary = ear_command_line_dup_checked (checked->len, self->n_new);
  g_application_command_line_print (invocation, "%s%s", self->news->str, summary);
  n_waiting = print_waiting (invocation);
  n_failures = ear_command_tell_failures (invocation, checked);
  if (n_failures > 0)
    ear_command_end (invocation, n_failures < checked->len ? EAR_COMMAND_PARTLY : EAR_COMMAND_FAILED);
  else
    ear_command_end (invocation, n_waiting > 0 ? EAR_COMMAND_WAITING : EAR_COMMAND_DONE);
}

static void
tell_added (GApplicationCommandLine *invocation)
{
  EarPodcast *podcast = g_ptr_array_index (ear_command_get (invocation)->podcasts, 0);
  g_autofree char *title = ear_command_line_dup_printable (ear_podcast_get_name (podcast));
  const guint n_episodes = ear_podcast_get_n_episodes (podcast);

  /* Translators: %s is the title of a podcast */
  g_application_command_line_print (invocation, ngettext ("Followed “%s” with %u episode", "Followed “%s” with %u episodes", n_episodes),
                                    title, n_episodes);
  g_application_command_line_print_literal (invocation, "\n");
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

static void
notify_fetched (GApplicationCommandLine *invocation)
{
  if (ear_command_get (invocation)->line->verb == EAR_COMMAND_REFRESH)
    notify_refreshed (invocation);
  else
    tell_added (invocation);
}

static void
notify_known (GApplicationCommandLine *invocation, EarPodcast *podcast)
{
  g_autofree char *title = ear_command_line_dup_printable (ear_podcast_get_name (podcast));

  /* Translators: %s is the title of a podcast */
  g_application_command_line_print (invocation, _("You already follow “%s”"), title);
  g_application_command_line_print_literal (invocation, "\n");
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

/* The page links to several podcasts: the caller has to choose one. */
static void
tell_choices (GApplicationCommandLine *invocation, GListModel *results)
{
  say_error (invocation, _("This page links to several podcasts. Add one of these addresses:"));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, i);
      g_autofree char *title = ear_command_line_dup_printable (ear_discovery_result_get_title (result));
      g_autofree char *address = ear_command_line_dup_printable (ear_discovery_result_get_address (result));

      g_application_command_line_printerr (invocation, "%s  %s\n", address, title);
    }
  ear_command_end (invocation, EAR_COMMAND_FAILED);
}

static void
add_found (GApplicationCommandLine *invocation, EarDiscoveryResult *result)
{
  EarCommand *self = ear_command_get (invocation);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast = ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));

  if (podcast != NULL)
    {
      ear_subscriptions_prefer_secure (subscriptions, podcast, result);
      notify_known (invocation, podcast);
      return;
    }

  podcast = ear_subscriptions_add (subscriptions, ear_discovery_result_get_address (result), ear_discovery_result_get_title (result));
  if (podcast == NULL)
    {
      ear_command_fail (invocation, get_no_address ());
      return;
    }

  watch (invocation, podcast);
  end_if_fetched (invocation);
}

static void
searched_cb (EarDiscovery *discovery, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  GListModel *results = ear_discovery_get_results (discovery);

  if (ear_discovery_get_searching (discovery) || ear_command_get (invocation)->ended)
    return;

  g_signal_handlers_disconnect_by_func (discovery, searched_cb, invocation);
  if (g_list_model_get_n_items (results) == 1)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, 0);

      add_found (invocation, result);
    }
  else if (g_list_model_get_n_items (results) > 1)
    tell_choices (invocation, results);
  else if (ear_discovery_get_outlines (discovery) != NULL)
    ear_command_fail (invocation, _("This address is a list of podcasts. Save it to a file, and follow all of them with --import"));
  else if (ear_discovery_get_error (discovery) != NULL)
    ear_command_fail_with_error (invocation, ear_discovery_get_error (discovery), EAR_ERROR_TOPIC_SEARCH);
  else
    ear_command_fail (invocation, _("No podcast was found at this address"));
}

/* Looks up an address, follows it if it is one podcast, and fetches it. */
static void
add (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  g_autofree char *text = g_utf8_make_valid (self->line->value, -1);
  g_autofree char *value = NULL;
  const EarDiscoveryInput input = ear_discovery_input_read (text, &value);
  EarDiscovery *discovery;

  /* Search words are not an address, and local files must not be readable for other
   * programs this way. */
  if (input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE)
    {
      ear_command_fail (invocation, get_no_address ());
      return;
    }

  discovery = ear_library_create_discovery (self->library);
  g_object_set_data_full (G_OBJECT (invocation), "ear-discovery", discovery, g_object_unref);
  ear_discovery_set_text (discovery, text);
  g_signal_connect_object (discovery, "notify::searching", G_CALLBACK (searched_cb), invocation, G_CONNECT_DEFAULT);
  ear_discovery_search_now (discovery);
}

static void
sync_changed_cb (EarSync *sync, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  const EarSyncStatus status = ear_sync_get_status (sync);
  g_autofree char *summary = NULL;

  if (ear_command_get (invocation)->ended || status == EAR_SYNC_LOADING ||
      status == EAR_SYNC_RUNNING)
    return;
  if (status == EAR_SYNC_FAILED)
    ear_command_fail_with_error (invocation, ear_sync_get_error (sync), EAR_ERROR_TOPIC_SYNC);
  else if (status == EAR_SYNC_ASKING)
    ear_command_fail (invocation, _("Syncing waits for your answer in Preferences"));
  else if (ear_sync_get_state (sync)->account.address == NULL)
    ear_command_fail (invocation, _("There is no account. Sign in under Sync in Preferences"));
  else
    {
      summary = ear_sync_dup_summary (sync);
      g_application_command_line_print (invocation, "%s\n",
                                        summary != NULL ? summary : _("Nothing new"));
      ear_command_end (invocation, EAR_COMMAND_DONE);
    }
}

static void
sync_podcasts (GApplicationCommandLine *invocation)
{
  EarSync *part = ear_library_get_sync (ear_command_get (invocation)->library);

  g_signal_connect_object (part, "notify::status", G_CALLBACK (sync_changed_cb), invocation,
                           G_CONNECT_DEFAULT);
  ear_sync_run (part);
  sync_changed_cb (part, NULL, invocation);
}

static void
begin (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  const EarCommandVerb verb = self->line->verb;

  if (verb == EAR_COMMAND_REFRESH)
    refresh (invocation);
  else if (verb == EAR_COMMAND_SYNC)
    sync_podcasts (invocation);
  else if (verb == EAR_COMMAND_ADD)
    add (invocation);
  else if (verb == EAR_COMMAND_IMPORT)
    ear_command_import (invocation);
  else if (verb == EAR_COMMAND_EXPORT)
    ear_command_export (invocation);
  else if (verb == EAR_COMMAND_STATISTICS)
    ear_command_tell_statistics (invocation);
  else if (verb == EAR_COMMAND_READING_LIST)
    ear_command_tell_links (invocation);
  else if (self->host.application == NULL)
    /* A host without a window has no player to control or to report. */
    ear_command_end (invocation, EAR_COMMAND_TRY_AGAIN);
  else if (verb == EAR_COMMAND_STATUS)
    notify_status (invocation);
  else if ((verb == EAR_COMMAND_PLAY || verb == EAR_COMMAND_PLAY_PAUSE) && ear_player_get_episode (ear_library_get_player (self->library)) == NULL)
    play_something (invocation);
  else if (ear_command_line_player_can (verb))
    play (invocation);
  else if (verb == EAR_COMMAND_QUIT)
    quit (invocation);
  else
    ear_command_end (invocation, EAR_COMMAND_MISUSED);
}

static void
carry_out (EarCommandLine *line, GApplicationCommandLine *invocation, const EarCommandLineHost *host)
{
  EarCommand *self = g_new0 (EarCommand, 1);

  self->line = line;
  self->library = g_object_ref (host->library);
  self->host = *host;
  self->podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  self->news = g_string_new (NULL);
  g_object_set_data_full (G_OBJECT (invocation), COMMAND, self, command_free);
  g_object_ref (invocation);
  g_signal_connect_object (host->cancellable, "cancelled", G_CALLBACK (cancelled_cb), invocation, G_CONNECT_DEFAULT);
  begin (invocation);
}

static void
refuse (GApplicationCommandLine *invocation, const EarCommandLineHost *host, EarCommandStatus status)
{
  g_application_command_line_set_exit_status (invocation, (int) status);
  if (host->ended != NULL)
    host->ended (invocation, host->user_data);
}

/**
 * ear_command_line_answer:
 * @invocation: the argument of `GApplication::command-line`
 * @host: the library and the application to run it with
 *
 * Runs the verb, prints its output and sets the exit status, an [enum@EarCommandStatus].
 *
 * Returns: the value for the signal handler to return
 */
int
ear_command_line_answer (GApplicationCommandLine *invocation, const EarCommandLineHost *host)
{
  g_auto (GStrv) arguments = g_application_command_line_get_arguments (invocation, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCommandLine) line = arguments[0] != NULL ? ear_command_line_parse ((const char *const *) arguments, &error) : NULL;

  if (error != NULL)
    say_error (invocation, error->message);
  if (line == NULL)
    refuse (invocation, host, EAR_COMMAND_MISUSED);
  else if (host->library == NULL || ear_library_get_podcasts (host->library) == NULL)
    refuse (invocation, host, EAR_COMMAND_TRY_AGAIN);
  else
    carry_out (g_steal_pointer (&line), invocation, host);

  return g_application_command_line_get_exit_status (invocation);
}
