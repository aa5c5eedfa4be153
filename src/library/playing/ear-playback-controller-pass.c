/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

#include "ear-error.h"

#include <glib/gi18n-lib.h>

/* Skips an episode that cannot be played if it came up automatically, with a notice: the
 * listener may be away from the computer and hears the next one. An episode that the
 * listener chose stays in the player with the error. */

/* Maximum number of episodes skipped in a row, so that a server that has lost all its
 * files is not asked for each */
#define MAX_PASSED 3

/* Returns: whether the error concerns the episode alone, not the network, a login or the
 * audio output, which the next one would need, too */
static gboolean
is_about_episode (const GError *error)
{
  static const EarError codes[] = {
    EAR_ERROR_NOT_FOUND,      EAR_ERROR_GONE,       EAR_ERROR_FORBIDDEN, EAR_ERROR_NO_MEDIA,
    EAR_ERROR_UNSAFE_ADDRESS, EAR_ERROR_NOT_A_FEED, EAR_ERROR_DAMAGED,   EAR_ERROR_CODEC,
  };

  for (gsize i = 0; error != NULL && error->domain == EAR_ERROR && i < G_N_ELEMENTS (codes); i++)
    if (error->code == (int) codes[i])
      return TRUE;

  return FALSE;
}

static void look_at_state (EarPlaybackController *self);

/* Plays the next episode automatically. */
void
ear_playback_controller_next_by_itself (EarPlaybackController *self)
{
  ear_playback_controller_next (self);
  g_clear_handle_id (&self->passing, g_source_remove);
  self->unheard = TRUE;
  look_at_state (self);
}

static void
pass_cb (gpointer user_data)
{
  EarPlaybackController *self = user_data;
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autoptr (EarEpisode) next = NULL;
  g_autofree char *message = NULL;

  self->passing = 0;
  if (self->stopped || !self->unheard || episode == NULL ||
      ear_player_get_state (self->player) != EAR_PLAYER_FAILED)
    return;
  ear_play_order_pass_over (self->order);
  next = ear_playback_controller_goes_on (self) ? ear_play_order_dup_next (self->order) : NULL;
  if (next == NULL)
    return;

  /* Translators: %s is the title of an episode; its file may be gone. The next one plays. */
  message = g_strdup_printf (_("“%s” could not be played"), ear_episode_get_title (episode));
  ear_notices_add (self->notices, message, TRUE);
  self->n_passed++;
  ear_playback_controller_next_by_itself (self);
}

/* Skips the episode from an idle source, as other handlers of the signal are still to
 * run. */
static void
look_at_state (EarPlaybackController *self)
{
  switch (ear_player_get_state (self->player))
    {
    case EAR_PLAYER_FAILED:
      if (self->unheard && self->passing == 0 && self->n_passed < MAX_PASSED &&
          is_about_episode (ear_player_get_error (self->player)))
        self->passing = g_idle_add_once (pass_cb, self);
      break;
    case EAR_PLAYER_PLAYING:
      self->unheard = FALSE;
      self->n_passed = 0;
      break;
    case EAR_PLAYER_PAUSED:
    case EAR_PLAYER_EMPTY:
      self->unheard = FALSE;
      break;
    case EAR_PLAYER_LOADING:
    case EAR_PLAYER_ENDED:
    default:
      break;
    }
}

/* Starts to watch for episodes that cannot be played. */
void
ear_playback_controller_watch_failures (EarPlaybackController *self)
{
  g_signal_connect_object (self->player, "notify::state", G_CALLBACK (look_at_state), self,
                           G_CONNECT_SWAPPED);
}
