/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listened-rule.h"

/* Decides when an episode counts as played. All times are microseconds. */

/* An episode left within this time of its end counts as played: the rest is credits and
 * music. For short episodes a part of their length applies. */
#define NEAR_END (30 * G_TIME_SPAN_SECOND)
#define NEAR_PART 20 /* 1/20 of the length */

/* Feed durations are off by inserted advertisements; a file cut in half is below this
 * part. */
#define WHOLE_PART(length) ((length) / 3 * 2)

/* @position: the position at which playback stopped
 * @duration: the length; 0 or less: unknown */
gboolean
ear_listened_rule_is_near_end (gint64 position, gint64 duration)
{
  return duration > 0 && position > 0 &&
         duration - position <= MIN (NEAR_END, duration / NEAR_PART);
}

/* Feeds may claim wrong durations, such as an hour for a minute. The media counts as
 * incomplete only if its size, too, is below that in the feed.
 * @position: where the media ended, in microseconds
 * @claimed: the duration in the feed; 0 or less: unknown
 * @size: the size of the media in bytes; 0 or less: unknown
 * @claimed_size: the size in the feed in bytes; 0 or less: unknown
 * Returns: whether @position is the end of the episode */
gboolean
ear_listened_rule_is_whole (gint64 position, gint64 claimed, gint64 size, gint64 claimed_size)
{
  if (claimed <= 0 || position >= WHOLE_PART (claimed))
    return TRUE;

  return size > 0 && size >= WHOLE_PART (claimed_size);
}
