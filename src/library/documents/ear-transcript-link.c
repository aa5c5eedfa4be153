/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-link.h"

#include "ear-transcript-reader.h"

/* Returns: (transfer none) (nullable): the best transcript that the feed names, if it names any */
EarTranscriptLink *
ear_transcript_find_link (EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  return ear_transcript_choose (ear_episode_get_facts (episode)->transcripts,
                                podcast != NULL ? ear_podcast_get_facts (podcast)->language : NULL);
}
