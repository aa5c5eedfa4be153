/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarMark:
 * @EAR_MARK_POSITION: position where the listener stopped, in microseconds; its stamp is
 *   the time of playback
 * @EAR_MARK_LISTENED: whether it was played, or marked as played
 * @EAR_MARK_LIKED: whether it is liked
 * @EAR_MARK_SHIFT: delay of the media against its transcript, in microseconds
 * @EAR_MARK_QUEUED: its order in Up Next, lowest first; 0: not in Up Next
 * @EAR_MARK_REMOVED: whether the listener removed it from New or In Progress;
 *   "archived" in files
 *
 * The listener's data on an episode, each value with a stamp of its own.
 */
typedef enum
{
  EAR_MARK_POSITION,
  EAR_MARK_LISTENED,
  EAR_MARK_LIKED,
  EAR_MARK_SHIFT,
  EAR_MARK_QUEUED,
  EAR_MARK_REMOVED,
} EarMark;

#define EAR_N_MARKS (EAR_MARK_REMOVED + 1)

/* Type of an #EarMark in files: seconds, seconds that may be negative, a boolean,
 * or an integer */
typedef enum
{
  EAR_MARK_TIME,
  EAR_MARK_OFFSET,
  EAR_MARK_FLAG,
  EAR_MARK_PLACE,
} EarMarkKind;

/* The listener's marks of an episode; a value counts if its stamp, Unix microseconds, is
 * not 0. The names give access to one mark, the arrays to all. */
typedef union
{
  struct
  {
    gint64 values[EAR_N_MARKS];
    gint64 updated[EAR_N_MARKS];
  };
  struct
  {
    gint64 position, listened, liked, shift, queued, archived;
    gint64 position_updated, listened_updated, liked_updated, shift_updated, queued_updated, archived_updated;
  };
} EarEpisodeState;

const char *ear_mark_get_name    (EarMark mark);
EarMarkKind ear_mark_get_kind    (EarMark mark);
gint64      ear_mark_bound       (EarMark mark,
                                  gint64  value);

G_END_DECLS
