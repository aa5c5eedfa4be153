/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-link.h"

#include "ear-transcript-reader.h"

/* Returns: (transfer container) (element-type EarTranscriptLink): the transcripts that
 * the feed names, best first; owned by the episode's facts */
GPtrArray *
ear_transcript_list_links (EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  return ear_transcript_rank (ear_episode_get_facts (episode)->transcripts,
                              podcast != NULL ? ear_podcast_get_facts (podcast)->language : NULL);
}

gboolean
ear_transcript_is_named (EarEpisode *episode)
{
  return ear_episode_get_facts (episode)->transcripts->len > 0;
}
