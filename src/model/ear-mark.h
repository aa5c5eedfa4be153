/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarMark:
 * @EAR_MARK_POSITION: where the listener stopped, in microseconds; its stamp says when it was heard
 * @EAR_MARK_LISTENED: whether it was listened to, or is said to be
 * @EAR_MARK_LIKED: whether it is liked
 * @EAR_MARK_SHIFT: how much later it is heard than its transcript says, in microseconds
 * @EAR_MARK_QUEUED: where it stands in Up Next: those with lower numbers come before it; 0 where it is not there
 * @EAR_MARK_REMOVED: whether the listener removed it from New or In Progress; it is called "archived" in files
 *
 * What is kept of an episode for the listener, each with a stamp of its own.
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

/* What an #EarMark is in the files: a number of seconds, one that may be below 0, true and false, or a whole number. */
typedef enum
{
  EAR_MARK_TIME,
  EAR_MARK_OFFSET,
  EAR_MARK_FLAG,
  EAR_MARK_PLACE,
} EarMarkKind;

/*
 * What the listener did with an episode; a value counts when its stamp, Unix microseconds, is not 0.
 * The names are for who means one of them, the arrays for who means all.
 */
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
