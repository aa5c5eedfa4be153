/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

#include "ear-rewind.h"

/* Rewinds a little when playback resumes after a pause. */

/* A position further than this from where playback was paused was chosen by the
 * listener. */
#define SAME_PLACE G_TIME_SPAN_SECOND

/* Value of @heard during playback */
#define BEING_HEARD (-1)

/* Returns the chapters of an episode. Before it is opened, only those in the feed are
 * known. */
static EarChapters *
dup_chapters (EarPlaybackController *self, EarEpisode *episode)
{
  if (episode == ear_player_get_episode (self->player))
    return ear_chapters_ref (ear_chapter_control_get_chapters (self->chapters));

  return ear_chapters_new_from_list (ear_episode_get_facts (episode)->chapters);
}

/* Returns the limit for rewinding: the start of the current chapter, of the skipped
 * beginning or of the skipped end. Rewinding must lead neither into the previous chapter,
 * nor into a skipped part, nor out of one that the listener has chosen to hear. */
static gint64
find_beginning (EarPlaybackController *self, EarEpisode *episode, gint64 position)
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

/* Returns the position at which to resume an episode.
 * @position: the stored position, in microseconds
 * @heard: when it was left, in Unix microseconds; 0 if unknown, or if the listener chose
 *   the position */
gint64
ear_playback_controller_find_resumption (EarPlaybackController *self,
                                         EarEpisode *episode,
                                         gint64 position,
                                         gint64 heard)
{
  gboolean wanted;
  gint64 back;

  g_object_get (self->settings, "rewind-after-pause", &wanted, NULL);
  if (!wanted || heard <= 0)
    return position;
  back = position - ear_rewind_by_pause (g_get_real_time () - heard);

  return CLAMP (back, find_beginning (self, episode, position), position);
}

/* Before the restoring seek is done, opens the media at the new position instead: a seek
 * would be lost if the server does not support seeking. */
static void
go_to (EarPlaybackController *self, EarEpisode *episode, gint64 position)
{
  if (ear_player_get_restored (self->player))
    ear_player_seek_unasked (self->player, position);
  else
    ear_playback_controller_open_media (self, episode, position);
}

/* Plays a finished episode again, with skipped parts as the first time. */
static void
begin_anew (EarPlaybackController *self, EarEpisode *episode)
{
  ear_player_seek_unasked (self->player, ear_skip_ends_get_start (episode));
  ear_skip_ends_note_start (self->skip_ends);
  ear_chapter_control_begin_anew (self->chapters);
}

/* Resumes the episode in the player, after a pause from a little earlier. */
void
ear_playback_controller_go_on (EarPlaybackController *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gint64 position = ear_player_get_position (self->player);
  const gint64 heard = ABS (position - self->left_at) <= SAME_PLACE ? self->heard : 0;

  if ((state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED) &&
      ear_player_get_jumps_fast (self->player))
    {
      const gint64 resumption =
          ear_playback_controller_find_resumption (self, episode, position, heard);

      self->heard = 0;
      if (resumption < position)
        go_to (self, episode, resumption);
    }
  else if (state == EAR_PLAYER_ENDED)
    begin_anew (self, episode);
  ear_player_play (self->player);
}

/* Pauses and moves to an earlier position, which counts as that of the pause. */
void
ear_playback_controller_pause_at (EarPlaybackController *self, gint64 position)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  ear_player_pause (self->player);
  ear_player_seek_unasked (self->player, position);
  self->left_at = ear_player_get_position (self->player);
}

static void
state_changed_cb (EarPlaybackController *self)
{
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    self->heard = BEING_HEARD;
  else if (self->heard == BEING_HEARD)
    {
      self->heard = g_get_real_time ();
      self->left_at = ear_player_get_position (self->player);
    }
}

/* Reads when the new episode was last heard. */
static void
episode_changed_cb (EarPlaybackController *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  self->heard = episode != NULL ? ear_episode_get_heard (episode) : 0;
  self->left_at = ear_player_get_position (self->player);
}

/* Starts to watch for pauses. */
void
ear_playback_controller_watch_pauses (EarPlaybackController *self)
{
  g_signal_connect_object (self->player, "notify::state", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->player, "notify::episode", G_CALLBACK (episode_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
