/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-rules.h"

#include "ear-queue.h"

/* Pure: what is downloaded by itself, and what may be removed by itself. */

/* The one place that says what no rule ever removes: what the listener has laid aside for himself. A further reason of his is a
 * line here.
 * Returns: whether the download of @episode stays until he removes it */
gboolean
ear_download_rules_keep (EarLists *lists, EarEpisode *episode)
{
  return ear_episode_get_liked (episode) || ear_queue_has (episode) || ear_lists_contain (lists, episode);
}

/* @everywhere: how many where a podcast has no number of its own
 * Returns: how many of the newest episodes of the podcast are downloaded automatically */
guint
ear_download_rules_count_newest (EarPodcast *podcast, guint everywhere)
{
  const int own = ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_DOWNLOAD_NEWEST];

  return own == EAR_DOWNLOAD_NEWEST_AS_EVERYWHERE ? everywhere : (guint) own;
}

/* A series of which the next ones come by themselves may want its room back, while all else stays, and the other way round.
 * @everywhere: whether the listener wants that of all podcasts that have no rule of their own
 * Returns: whether the download of @episode, which has come to its end in the player, goes now */
gboolean
ear_download_rules_drop_played (EarLists *lists, EarEpisode *episode, gboolean everywhere)
{
  const int own = ear_podcast_get_settings (ear_episode_get_podcast (episode))->values[EAR_PODCAST_SETTING_REMOVE_PLAYED];

  return (own == EAR_REMOVE_PLAYED_AS_EVERYWHERE ? everywhere : own) && ear_episode_get_listened (episode) &&
         ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE && !ear_download_rules_keep (lists, episode);
}

/* Of what is being heard, the place would be kept, but not the room in a train without a network. */
static gboolean
is_begun (EarEpisode *episode)
{
  return ear_episode_get_position (episode) > 0 && !ear_episode_get_listened (episode) && !ear_episode_get_removed (episode);
}

static gboolean
is_known (GPtrArray *known, EarEpisode *episode)
{
  for (guint i = 0; i < known->len; i++)
    if (((EarKnownDownload *) g_ptr_array_index (known, i))->episode == episode)
      return TRUE;

  return FALSE;
}

/* Says what makes those of a podcast that are wanted, the newest say, those that are there.
 * @wanted: (element-type EarEpisode): which they are, the first one first
 * @known: (element-type EarKnownDownload): what is downloaded of it, or was declined
 * @get: (element-type EarEpisode): gets those to download
 * @drop: (element-type EarEpisode): gets those to remove: what was downloaded by itself, is not wanted any more, and was not listened
 *   to: what was is left to how the listener wants that */
void
ear_download_rules_choose (EarLists *lists, GPtrArray *wanted, GPtrArray *known, GPtrArray *get, GPtrArray *drop)
{
  for (guint i = 0; i < wanted->len; i++)
    if (!is_known (known, g_ptr_array_index (wanted, i)))
      g_ptr_array_add (get, g_object_ref (g_ptr_array_index (wanted, i)));
  for (guint i = 0; i < known->len; i++)
    {
      const EarKnownDownload *download = g_ptr_array_index (known, i);

      if (download->automatic && !g_ptr_array_find (wanted, download->episode, NULL) && !ear_episode_get_listened (download->episode) &&
          !is_begun (download->episode) && !ear_download_rules_keep (lists, download->episode))
        g_ptr_array_add (drop, g_object_ref (download->episode));
    }
}
