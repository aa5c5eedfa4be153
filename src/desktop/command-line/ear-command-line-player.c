/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-player.h"

#include <glib/gi18n-lib.h>

#include "ear-command-line-text.h"
#include "ear-player-enums.h"

/* Verbs for the player. Each runs at once. */

static const char *
seek (EarLibrary *library, const EarCommandLine *line)
{
  EarPlayer *player = ear_library_get_player (library);
  const gint64 time = line->time;

  if (ear_player_get_episode (player) == NULL)
    return _("No episode is loaded");
  if (!ear_player_get_seekable (player))
    return _("The server does not support seeking");

  if (line->skip > 0)
    ear_playback_controller_skip_forward (ear_library_get_playback_controller (library));
  else if (line->skip < 0)
    ear_playback_controller_skip_back (ear_library_get_playback_controller (library));
  else if (line->relative)
    ear_player_skip (player, time);
  else if (ear_player_get_duration (player) > 0 && time > ear_player_get_duration (player))
    return _("The episode is shorter than that");
  else
    ear_player_seek (player, time);

  return NULL;
}

static const char *
move_chapter (EarLibrary *library, gboolean forward)
{
  EarPlayer *player = ear_library_get_player (library);
  EarChapterControl *chapters = ear_library_get_chapter_control (library);
  gboolean has_previous;

  if (ear_player_get_episode (player) == NULL)
    return _("No episode is loaded");
  if (!ear_player_get_seekable (player))
    return _("The server does not support seeking");
  if (forward)
    return ear_chapter_control_next (chapters) ? NULL : _("No next chapter");
  g_object_get (chapters, "has-previous", &has_previous, NULL);
  if (!has_previous)
    return _("No previous chapter");

  ear_chapter_control_previous (chapters);

  return NULL;
}

gboolean
ear_command_line_player_can (EarCommandVerb verb)
{
  return verb >= EAR_COMMAND_PLAY_PAUSE && verb <= EAR_COMMAND_SLEEP;
}

/* Returns: (transfer none) (nullable): the error, a translated sentence */
const char *
ear_command_line_player_do (EarLibrary *library, const EarCommandLine *line)
{
  EarPlayer *player = ear_library_get_player (library);
  EarPlayOrder *order = ear_library_get_order (library);
  EarPlaybackController *control = ear_library_get_playback_controller (library);

  if (line->verb == EAR_COMMAND_SEEK)
    return seek (library, line);
  if (line->verb == EAR_COMMAND_NEXT_CHAPTER || line->verb == EAR_COMMAND_PREVIOUS_CHAPTER)
    return move_chapter (library, line->verb == EAR_COMMAND_NEXT_CHAPTER);
  if (line->verb == EAR_COMMAND_BOOKMARK)
    return ear_bookmarks_add (ear_library_get_bookmarks (library), line->value) ? NULL : _("No episode is loaded");
  if (line->verb == EAR_COMMAND_SLEEP && ear_player_get_episode (player) == NULL)
    return _("No episode is loaded");
  if (line->verb == EAR_COMMAND_NEXT && !ear_play_order_get_can_go_next (order))
    return _("No next episode");
  if (line->verb == EAR_COMMAND_PREVIOUS && !ear_play_order_get_can_go_previous (order))
    return _("No previous episode");

  if (line->verb == EAR_COMMAND_PLAY_PAUSE)
    ear_playback_controller_toggle (control, NULL, NULL);
  else if (line->verb == EAR_COMMAND_PLAY)
    ear_playback_controller_play (control, ear_player_get_episode (player), NULL);
  else if (line->verb == EAR_COMMAND_PAUSE && ear_player_get_episode (player) != NULL)
    ear_player_pause (player);
  else if (line->verb == EAR_COMMAND_NEXT)
    ear_playback_controller_next (control);
  else if (line->verb == EAR_COMMAND_PREVIOUS)
    ear_playback_controller_previous (control);
  else if (line->verb == EAR_COMMAND_SPEED)
    ear_player_set_rate (player, line->speed);
  else if (line->verb == EAR_COMMAND_SLEEP)
    ear_sleep_timer_choose (ear_library_get_sleep_timer (library), line->value);

  return NULL;
}

static const char *
get_state (EarPlayer *player)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (EAR_TYPE_PLAYER_STATE);

  return g_enum_get_value (states, (int) ear_player_get_state (player))->value_nick;
}

static void
describe_episode (EarCommandLineReport *report, EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  report->title = ear_episode_get_title (episode);
  report->podcast = podcast != NULL ? ear_podcast_get_title (podcast) : NULL;
  report->listened = ear_episode_get_listened (episode);
  report->liked = ear_episode_get_liked (episode);
  report->downloaded = ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
}

/* @json: whether to return JSON */
char *
ear_command_line_player_dup_status (EarLibrary *library, gboolean json)
{
  EarPlayer *player = ear_library_get_player (library);
  GListModel *podcasts = ear_library_get_podcasts (library);
  EarCatalogue *catalogue = ear_library_get_catalogue (library);
  EarEpisode *episode = ear_player_get_episode (player);
  g_autofree char *key = episode != NULL ? ear_episode_dup_key (episode) : NULL;
  EarCommandLineReport report = {
    .state = get_state (player),
    .key = key,
    .chapter = ear_chapter_control_get_title (ear_library_get_chapter_control (library)),
    .position = ear_player_get_position (player),
    .duration = ear_player_get_duration (player),
    .speed = ear_player_get_rate (player),
    .n_podcasts = g_list_model_get_n_items (podcasts),
    .n_new = ear_catalogue_get_n_new (catalogue),
    .n_begun = ear_catalogue_get_n_in_progress (catalogue),
    .n_downloads = ear_downloader_get_n_active (ear_library_get_downloader (library)),
    .refreshing = ear_refresher_get_refreshing (ear_library_get_refresher (library)),
  };

  for (guint i = 0; i < report.n_podcasts; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      report.checked = MAX (report.checked, ear_podcast_get_checked (podcast));
    }
  if (episode != NULL)
    describe_episode (&report, episode);

  return json ? ear_command_line_dup_status_json (&report) : ear_command_line_dup_status (&report);
}
