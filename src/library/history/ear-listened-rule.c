/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listened-rule.h"

/* When an episode counts as listened. All times are microseconds. */

/* Who leaves it so near to its end has heard what there is to hear: the rest is thanks and music. Of a short episode
 * it is less. */
#define NEAR_END (30 * G_TIME_SPAN_SECOND)
#define NEAR_PART 20 /* of it, a twentieth */

/* Feeds are wrong by some advertising; half of a file that is served as a whole is less. */
#define WHOLE_PART(length) ((length) / 3 * 2)

/* @position: where it was left while it played
 * @duration: its length; 0 or less: nobody knows */
gboolean
ear_listened_rule_is_near_end (gint64 position, gint64 duration)
{
  return duration > 0 && position > 0 && duration - position <= MIN (NEAR_END, duration / NEAR_PART);
}

/* Feeds claim wrong lengths, of an hour for a minute. The sound is taken for a part of the episode
 * only if the bytes are fewer than the feed claims, too.
 * @position: where the sound has ended, microseconds
 * @claimed: the duration of the episode by its feed; 0 or less: unknown
 * @size: the bytes of the media; 0 or less: unknown
 * @claimed_size: the bytes by its feed; 0 or less: unknown
 * Returns: whether that is believed to have been its end */
gboolean
ear_listened_rule_is_whole (gint64 position, gint64 claimed, gint64 size, gint64 claimed_size)
{
  if (claimed <= 0 || position >= WHOLE_PART (claimed))
    return TRUE;

  return size > 0 && size >= WHOLE_PART (claimed_size);
}
