/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-control-private.h"

#include "ear-rewind.h"

/* How playing goes on after a pause: a little before the place where that began. */

/* A place that is so far from where it was paused is one that the listener has chosen since. */
#define SAME_PLACE G_TIME_SPAN_SECOND

/* In place of when it was heard last */
#define BEING_HEARD (-1)

/* Of what is only about to be played nobody knows other chapters yet than those that its feed tells. */
static EarChapters *
dup_chapters (EarPlayControl *self, EarEpisode *episode)
{
  if (episode == ear_player_get_episode (self->player))
    return ear_chapters_ref (ear_chapter_control_get_chapters (self->chapters));

  return ear_chapters_new_from_list (ear_episode_get_facts (episode)->chapters);
}

/* Where the part of the episode begins that a place is in. Nobody who listens to a chapter wants the end of
 * the one before, or what is always left out, and who hears that all the same does not want to be taken out of it. */
static gint64
find_beginning (EarPlayControl *self, EarEpisode *episode, gint64 position)
{
  g_autoptr (EarChapters) chapters = dup_chapters (self, episode);
  const int index = ear_chapters_find (chapters, position);
  const gint64 parts[] = {
    index >= 0 ? ear_chapters_get (chapters, (guint) index)->start : 0,
    index >= 0 ? ear_chapters_get_end (chapters, (guint) index, EAR_DURATION_UNKNOWN) : 0,
    ear_skip_ends_get_start (episode),
    ear_skip_ends_get_end (episode, ear_episode_get_duration (episode)),
  };
  gint64 beginning = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (position >= parts[i])
      beginning = MAX (beginning, parts[i]);

  return beginning;
}

/* Where to go on in an episode.
 * @position: where it was left, in microseconds
 * @heard: when that was, in Unix microseconds; 0 where nobody knows, or somebody has chosen the place */
gint64
ear_play_control_find_resumption (EarPlayControl *self, EarEpisode *episode, gint64 position, gint64 heard)
{
  gboolean wanted;
  gint64 back;

  g_object_get (self->settings, "rewind-after-pause", &wanted, NULL);
  if (!wanted || heard <= 0)
    return position;
  back = position - ear_rewind_by_pause (g_get_real_time () - heard);

  return CLAMP (back, find_beginning (self, episode, position), position);
}

/* While its place has not been reached yet, another one is the place to open it at: one that is jumped to would
 * not be looked for again where a server lets nobody jump. */
static void
go_to (EarPlayControl *self, EarEpisode *episode, gint64 position)
{
  if (ear_player_get_restored (self->player))
    ear_player_seek_unasked (self->player, position);
  else
    ear_play_control_open_media (self, episode, position);
}

/* Plays what was heard to its end once more. Nobody has gone anywhere in it: it is as it was the first time. */
static void
begin_anew (EarPlayControl *self, EarEpisode *episode)
{
  ear_player_seek_unasked (self->player, ear_skip_ends_get_start (episode));
  ear_skip_ends_note_start (self->skip_ends);
  ear_chapter_control_begin_anew (self->chapters);
}

/* Plays what is in the player, from where it is or, after a pause, from a little before. */
void
ear_play_control_go_on (EarPlayControl *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gint64 position = ear_player_get_position (self->player);
  const gint64 heard = ABS (position - self->left_at) <= SAME_PLACE ? self->heard : 0;

  if ((state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED) &&
      ear_player_get_jumps_fast (self->player))
    {
      const gint64 resumption = ear_play_control_find_resumption (self, episode, position, heard);

      self->heard = 0;
      if (resumption < position)
        go_to (self, episode, resumption);
    }
  else if (state == EAR_PLAYER_ENDED)
    begin_anew (self, episode);
  ear_player_play (self->player);
}

/* Pauses as if that had been done at another place, a little before. */
void
ear_play_control_pause_at (EarPlayControl *self, gint64 position)
{
  g_return_if_fail (EAR_IS_PLAY_CONTROL (self));

  ear_player_pause (self->player);
  ear_player_seek_unasked (self->player, position);
  self->left_at = ear_player_get_position (self->player);
}

static void
state_changed_cb (EarPlayControl *self)
{
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    self->heard = BEING_HEARD;
  else if (self->heard == BEING_HEARD)
    {
      self->heard = g_get_real_time ();
      self->left_at = ear_player_get_position (self->player);
    }
}

/* Until it plays, it is some other time that it was heard. */
static void
episode_changed_cb (EarPlayControl *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  self->heard = episode != NULL ? ear_episode_get_heard (episode) : 0;
  self->left_at = ear_player_get_position (self->player);
}

/* Begins to look when what plays is paused. */
void
ear_play_control_watch_pauses (EarPlayControl *self)
{
  g_signal_connect_object (self->player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->player, "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
}
