/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

/* The public verbs of the player. */

/* Closes the media and resets all state that belongs to it. */
static void
clear_media (EarPlayer *self)
{
  ear_player_close_media (self);
  ear_player_end_waiting (self);
  ear_player_set_error (self, NULL);
  g_clear_error (&self->refusal);
  g_clear_pointer (&self->tags, g_ptr_array_unref);
  g_clear_pointer (&self->uri, g_free);
  g_clear_pointer (&self->redirect, g_free);
  g_clear_pointer (&self->user, g_free);
  g_clear_pointer (&self->password, g_free);
  self->ended = self->jumped = self->resuming = self->heard = FALSE;
  self->whole = self->distrusts = FALSE;
  self->repeated = self->reopened = 0;
  self->target = self->hoped = self->broken = -1;
  self->position = 0;
  self->size = -1;
  self->restored = TRUE;
}

static void
set_episode (EarPlayer *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  self->position_chosen = FALSE;
  ear_property_set_int64 (self, "time-saved", 0);
  g_object_notify (G_OBJECT (self), "episode");
}

/* Returns: (transfer full) (nullable): the URI of the file, or else the address */
static char *
dup_uri (const char *path, const char *address)
{
  return path != NULL ? g_filename_to_uri (path, NULL, NULL) : g_strdup (address);
}

/**
 * ear_player_open:
 * @self: a player
 * @episode: an episode
 * @path: (nullable) (type filename): its media, downloaded by Earmark; must never come from
 *   a feed
 * @address: (nullable): without @path, the web address of its media
 * @position: the start, in microseconds
 *
 * Puts an episode into the player. Nothing is fetched before the listener plays; if
 * another episode plays, or is about to, this one replaces it. A position within the last
 * second counts as the beginning. Credentials must be set again.
 *
 * An address that is not a web address fails with %EAR_ERROR_UNSAFE_ADDRESS.
 */
void
ear_player_open (EarPlayer *self, EarEpisode *episode, const char *path, const char *address,
                 gint64 position)
{
  g_return_if_fail (EAR_IS_PLAYER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (path == NULL || g_path_is_absolute (path));

  g_object_freeze_notify (G_OBJECT (self));

  clear_media (self);
  set_episode (self, episode);
  self->uri = dup_uri (path, address);
  self->local = path != NULL;
  if (position > 0)
    {
      self->position = self->target = MIN (position, EAR_POSITION_LIMIT);
      self->resuming = TRUE;
      self->restored = FALSE;
    }
  ear_property_set_int64 (self, "duration", MAX (0, ear_episode_get_duration (episode)));
  ear_property_set_boolean (self, "seekable", TRUE);
  g_object_notify (G_OBJECT (self), "position");
  ear_player_open_media (self);
  ear_player_update_state (self);

  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_player_set_place:
 * @self: a player with an episode
 * @path: (nullable) (type filename): its media, as in [method@EarPlayer.open]
 * @address: (nullable): without @path, the web address of its media
 *
 * Changes the source of the current episode's media. An open connection is used
 * further: if there is a file now, playback switches to it at the next seek,
 * pause or interruption.
 */
void
ear_player_set_place (EarPlayer *self, const char *path, const char *address)
{
  g_autofree char *uri = NULL;

  g_return_if_fail (EAR_IS_PLAYER (self));
  g_return_if_fail (path == NULL || g_path_is_absolute (path));

  uri = dup_uri (path, address);
  if (!g_set_str (&self->uri, uri))
    return;

  g_clear_pointer (&self->redirect, g_free);
  self->whole = self->distrusts = FALSE;
  self->moved = self->pipeline != NULL && path != NULL;
  self->local = path != NULL;
  /* A wait for the network or for another address is over. */
  if (self->pipeline == NULL && self->playing && (self->local || self->refusal != NULL))
    ear_player_open_media (self);
  else
    ear_player_move_over (self);
  ear_player_update_state (self);
}

/**
 * ear_player_set_redirect:
 * @self: a player
 * @address: the address that was refused
 * @target: where its redirects lead
 *
 * Ends the wait for another address of the media: continues at @target until it fails or
 * another address is set. Does nothing if the player does not wait, or @address is no
 * longer its address.
 */
void
ear_player_set_redirect (EarPlayer *self, const char *address, const char *target)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->refusal == NULL || g_strcmp0 (self->uri, address) != 0)
    return;
  g_set_str (&self->redirect, target);
  ear_player_open_media (self);
  ear_player_update_state (self);
}

/**
 * ear_player_set_credentials:
 * @self: a player
 * @user: (nullable): a user name, for the server of the episode's address and no other
 * @password: (nullable): its password
 *
 * Sets the credentials for the current episode's server. Call after
 * [method@EarPlayer.open].
 */
void
ear_player_set_credentials (EarPlayer *self, const char *user, const char *password)
{
  gboolean changed;

  g_return_if_fail (EAR_IS_PLAYER (self));

  changed = g_set_str (&self->user, user);
  if (!g_set_str (&self->password, password) && !changed)
    return;

  /* The request was sent without credentials. */
  if (self->pipeline != NULL && !ear_pipeline_get_opened (self->pipeline))
    {
      ear_player_close_media (self);
      ear_player_open_media (self);
    }
}

/**
 * ear_player_play:
 * @self: a player
 *
 * Plays from the current position; after the end, from the beginning. Retries
 * after a failure.
 */
void
ear_player_play (EarPlayer *self)
{
  gboolean restarted;

  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->episode == NULL || self->playing)
    return;

  ear_player_look_for_suspension (self);
  g_object_freeze_notify (G_OBJECT (self));
  restarted = self->ended;
  if (restarted)
    {
      self->ended = FALSE;
      self->position = 0;
      g_object_notify (G_OBJECT (self), "position");
    }
  self->playing = TRUE;
  ear_player_set_error (self, NULL);
  if (self->pipeline == NULL)
    ear_player_open_media (self);
  else if (ear_player_move_over (self))
    ;
  else if (self->retry == 0)
    ear_pipeline_set_playing (self->pipeline, TRUE);
  ear_player_update_state (self);
  g_object_thaw_notify (G_OBJECT (self));

  if (restarted)
    ear_player_emit_seeked (self);
}

void
ear_player_pause (EarPlayer *self)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (!self->playing)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  self->playing = FALSE;
  if (self->pipeline != NULL && !ear_player_move_over (self))
    ear_pipeline_set_playing (self->pipeline, FALSE);
  ear_player_update_state (self);
  g_object_notify (G_OBJECT (self), "position");
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_player_stop:
 * @self: a player
 *
 * Empties the player: no sound, no connection, no episode.
 */
void
ear_player_stop (EarPlayer *self)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->episode == NULL)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  self->playing = FALSE;
  clear_media (self);
  set_episode (self, NULL);
  ear_property_set_int64 (self, "duration", 0);
  ear_property_set_boolean (self, "seekable", FALSE);
  g_object_notify (G_OBJECT (self), "position");
  ear_player_update_state (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_player_seek_unasked:
 * @self: a player
 * @position: microseconds; clamped to the episode
 *
 * Like [method@EarPlayer.seek] for a position that the program chose, such as the end of
 * a part that is always skipped.
 */
void
ear_player_seek_unasked (EarPlayer *self, gint64 position)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  if (self->episode == NULL)
    return;

  position = CLAMP (position, 0, EAR_POSITION_LIMIT);
  if (self->ended && position >= self->position)
    {
      /* Seeking past the end changes nothing. */
      ear_player_emit_seeked (self);
      return;
    }
  if (self->duration > 0)
    position = MIN (position, self->duration);

  self->ended = FALSE;
  self->target = position;
  /* The limit is for one position: dragging through an episode asks for many. */
  self->reopened = 0;
  ear_player_update_state (self);
  ear_player_move (self);
}

/**
 * ear_player_seek:
 * @self: a player
 * @position: microseconds; clamped to the episode
 *
 * Seeks to a position that the listener chose. [signal@EarPlayer::seeked] is emitted once
 * it is reached; of several calls in a row the last one counts. If the media cannot seek,
 * the signal is emitted with the old position.
 */
void
ear_player_seek (EarPlayer *self, gint64 position)
{
  ear_player_note_move (self);
  ear_player_seek_unasked (self, position);
}

/* Records that the listener chose the position at which the current
 * episode was opened. */
void
ear_player_note_move (EarPlayer *self)
{
  g_return_if_fail (EAR_IS_PLAYER (self));

  self->position_chosen = self->episode != NULL;
}

/* Returns: (transfer none) (nullable): the target of ear_player_set_redirect(),
 * if in use */
const char *
ear_player_get_redirect (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), NULL);

  return self->redirect;
}

/* Returns: whether the listener chose a position in the current episode */
gboolean
ear_player_get_moved (EarPlayer *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER (self), FALSE);

  return self->position_chosen;
}

/**
 * ear_player_skip:
 * @self: a player
 * @offset: microseconds; negative to skip back
 *
 * Seeks relative to the current position, or to the target of a seek in progress.
 */
void
ear_player_skip (EarPlayer *self, gint64 offset)
{
  gint64 position;

  g_return_if_fail (EAR_IS_PLAYER (self));

  if (__builtin_add_overflow (ear_player_get_position (self), offset, &position))
    position = offset < 0 ? 0 : G_MAXINT64;
  ear_player_seek (self, position);
}
