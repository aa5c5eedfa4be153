/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-player.h"

#include <glib/gi18n-lib.h>

#include "ear-command-line-text.h"

/* What a command line asks of the player, which does it at once. */

/* Each gives the reason why it cannot be done, if it cannot. */
static const char *
play_pause (EarLibrary *library, EarCommandLine *line)
{
  ear_play_control_toggle (ear_library_get_play_control (library), NULL, NULL);

  return NULL;
}

static const char *
play (EarLibrary *library, EarCommandLine *line)
{
  ear_play_control_play (ear_library_get_play_control (library), ear_player_get_episode (ear_library_get_player (library)), NULL);

  return NULL;
}

static const char *
pause_playing (EarLibrary *library, EarCommandLine *line)
{
  if (ear_player_get_episode (ear_library_get_player (library)) != NULL)
    ear_player_pause (ear_library_get_player (library));

  return NULL;
}

static const char *
next (EarLibrary *library, EarCommandLine *line)
{
  if (!ear_play_order_get_can_go_next (ear_library_get_order (library)))
    return _("There is no next episode");
  ear_play_control_next (ear_library_get_play_control (library));

  return NULL;
}

static const char *
previous (EarLibrary *library, EarCommandLine *line)
{
  if (!ear_play_order_get_can_go_previous (ear_library_get_order (library)))
    return _("There is no previous episode");
  ear_play_control_previous (ear_library_get_play_control (library));

  return NULL;
}

static const char *
seek (EarLibrary *library, EarCommandLine *line)
{
  EarPlayer *player = ear_library_get_player (library);
  const gint64 time = line->time;

  if (ear_player_get_episode (ear_library_get_player (library)) == NULL)
    return _("There is no episode in the player");
  if (!ear_player_get_seekable (player))
    return _("This episode can only be heard from its beginning");

  if (line->skip > 0)
    ear_play_control_skip_forward (ear_library_get_play_control (library));
  else if (line->skip < 0)
    ear_play_control_skip_back (ear_library_get_play_control (library));
  else if (line->relative)
    ear_player_skip (player, time);
  else if (ear_player_get_duration (player) > 0 && time > ear_player_get_duration (player))
    return _("The episode is not that long");
  else
    ear_player_seek (player, time);

  return NULL;
}

static const char *
set_speed (EarLibrary *library, EarCommandLine *line)
{
  ear_player_set_rate (ear_library_get_player (library), line->speed);

  return NULL;
}

static const struct
{
  EarCommandVerb verb;
  const char *(*run) (EarLibrary *library, EarCommandLine *line);
} quick[] = {
  { EAR_COMMAND_PLAY_PAUSE, play_pause },
  { EAR_COMMAND_PLAY, play },
  { EAR_COMMAND_PAUSE, pause_playing },
  { EAR_COMMAND_NEXT, next },
  { EAR_COMMAND_PREVIOUS, previous },
  { EAR_COMMAND_SEEK, seek },
  { EAR_COMMAND_SPEED, set_speed },
};

gboolean
ear_command_line_player_can (EarCommandVerb verb)
{
  for (gsize i = 0; i < G_N_ELEMENTS (quick); i++)
    if (quick[i].verb == verb)
      return TRUE;

  return FALSE;
}

/**
 * ear_command_line_player_do:
 *
 * Returns: (transfer none) (nullable): a translated sentence: why it cannot be done
 */
const char *
ear_command_line_player_do (EarLibrary *library, EarCommandLine *line)
{
  for (gsize i = 0; i < G_N_ELEMENTS (quick); i++)
    if (quick[i].verb == line->verb)
      return quick[i].run (library, line);

  return NULL;
}

static const char *
get_state (EarPlayer *player)
{
  switch (ear_player_get_state (player))
    {
    case EAR_PLAYER_PLAYING:
      return "playing";
    case EAR_PLAYER_LOADING:
      return "loading";
    case EAR_PLAYER_PAUSED:
      return "paused";
    case EAR_PLAYER_ENDED:
      return "ended";
    case EAR_PLAYER_FAILED:
      return "failed";
    case EAR_PLAYER_EMPTY:
    default:
      return "empty";
    }
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

/**
 * ear_command_line_player_dup_status:
 * @json: whether it is for programs
 */
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
