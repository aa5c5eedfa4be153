/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mark.h"

/* The members of EarEpisodeState are in the order of EarMark. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position) == G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_POSITION]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, listened) == G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_LISTENED]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position_updated) == G_STRUCT_OFFSET (EarEpisodeState, updated));
G_STATIC_ASSERT (sizeof (EarEpisodeState) == 2 * EAR_N_MARKS * sizeof (gint64));

/* The highest integer that all JSON readers represent exactly */
#define HIGHEST_PLACE ((G_GINT64_CONSTANT (1) << 53) - 1)

/* A further mark needs a line here, and its names in the header. */
static const struct
{
  const char *name; /* name of the state file's member, the property and the column (its
                     * stamp: with "_updated") */
  EarMarkKind kind;
  gint64 highest;
} marks[EAR_N_MARKS] = {
  [EAR_MARK_POSITION] = { "position", EAR_MARK_TIME, EAR_POSITION_LIMIT },
  [EAR_MARK_LISTENED] = { "listened", EAR_MARK_FLAG, TRUE },
  [EAR_MARK_LIKED] = { "liked", EAR_MARK_FLAG, TRUE },
  [EAR_MARK_SHIFT] = { "shift", EAR_MARK_OFFSET, EAR_POSITION_LIMIT },
  [EAR_MARK_QUEUED] = { "queued", EAR_MARK_PLACE, HIGHEST_PLACE },
  /* State files and the catalogue have always used this name: older versions
   * read them, too. */
  [EAR_MARK_REMOVED] = { "archived", EAR_MARK_FLAG, TRUE },
};

/**
 * ear_mark_get_name:
 * @mark: a mark
 *
 * Returns: (transfer none): its name in files, in the catalogue and as a property
 */
const char *
ear_mark_get_name (EarMark mark)
{
  return marks[mark].name;
}

EarMarkKind
ear_mark_get_kind (EarMark mark)
{
  return marks[mark].kind;
}

gint64
ear_mark_bound (EarMark mark, gint64 value)
{
  switch (marks[mark].kind)
    {
    case EAR_MARK_FLAG:
      return !!value;
    case EAR_MARK_OFFSET:
      return CLAMP (value, -marks[mark].highest, marks[mark].highest);
    case EAR_MARK_TIME:
    case EAR_MARK_PLACE:
    default:
      return CLAMP (value, 0, marks[mark].highest);
    }
}
