/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-state.h"

/**
 * ear_episode_state_new_mark:
 * @mark: a mark
 * @value: its value
 *
 * Returns: a state with this mark, set by the listener now
 */
EarEpisodeState
ear_episode_state_new_mark (EarMark mark, gint64 value)
{
  EarEpisodeState self = { 0 };

  self.values[mark] = ear_mark_bound (mark, value);
  self.updated[mark] = g_get_real_time ();

  return self;
}

/**
 * ear_episode_state_is_empty:
 * @self: the state of an episode
 *
 * Returns: %TRUE if no mark has a stamp
 */
gboolean
ear_episode_state_is_empty (const EarEpisodeState *self)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (self->updated[i] != 0)
      return FALSE;

  return TRUE;
}

/**
 * ear_episode_state_take_newer:
 * @into: the known state of an episode
 * @from: another state of it
 * @news: (out caller-allocates): the applied marks, all others with the stamp 0
 *
 * Merges two states mark by mark: the newest stamp wins.
 *
 * Returns: %TRUE if something was applied
 */
gboolean
ear_episode_state_take_newer (EarEpisodeState *into, const EarEpisodeState *from, EarEpisodeState *news)
{
  *news = (EarEpisodeState) { 0 };
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (from->updated[i] > into->updated[i])
      {
        into->values[i] = news->values[i] = from->values[i];
        into->updated[i] = news->updated[i] = from->updated[i];
      }

  return !ear_episode_state_is_empty (news);
}

/**
 * ear_episode_state_leave_out:
 * @self: a state
 * @others: marks that are known better
 *
 * Removes from @self the marks that @others has.
 */
void
ear_episode_state_leave_out (EarEpisodeState *self, const EarEpisodeState *others)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (others->updated[i] != 0)
      self->updated[i] = 0;
}

EarMark
ear_episode_state_find_mark (const EarEpisodeState *self)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (self->updated[i] != 0)
      return (EarMark) i;

  g_return_val_if_reached (EAR_MARK_POSITION);
}

/**
 * ear_episode_state_get_latest:
 * @self: the state of an episode
 *
 * Returns: the latest of its stamps, 0 if there is none
 */
gint64
ear_episode_state_get_latest (const EarEpisodeState *self)
{
  gint64 latest = 0;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    latest = MAX (latest, self->updated[i]);

  return latest;
}
