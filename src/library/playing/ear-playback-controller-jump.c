/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

#include <glib/gi18n-lib.h>

#include "ear-clock.h"

/* Undo for long seeks in the current episode: a click on the slider or a sentence can be
 * accidental, and the former position is hard to find again. */

/* Shorter distances can be reversed with the skip buttons. */
#define FAR (45 * G_TIME_SPAN_SECOND)

/* A seek starting this close to the last target continues a search: Undo leads to the
 * position before the first seek. */
#define LOOKING (20 * G_TIME_SPAN_SECOND)

/* Undo has no effect once this much was played at the new position. */
#define SETTLED (5 * G_TIME_SPAN_MINUTE)

typedef struct
{
  EarEpisode *episode;
  gint64 from;
  gint64 to;
} Jump;

static void
jump_free (gpointer data)
{
  Jump *jump = data;

  g_object_unref (jump->episode);
  g_free (jump);
}

static void
take_back (gpointer owner, gpointer data)
{
  EarPlaybackController *self = EAR_PLAYBACK_CONTROLLER (owner);
  const Jump *jump = data;
  const gint64 since = ear_player_get_position (self->player) - jump->to;

  if (ear_player_get_episode (self->player) == jump->episode && ABS (since) < SETTLED)
    ear_player_seek (self->player, jump->from);
}

static void
offer_back (EarPlaybackController *self, EarEpisode *episode, gint64 from, gint64 to)
{
  g_autofree char *clock = ear_clock_format (to);
  /* Translators: shown after a jump within the current episode; %s is a time: 24:10 */
  g_autofree char *message = g_strdup_printf (_("Jumped to %s"), clock);
  g_autoptr (EarUndo) undo = NULL;
  Jump *jump = g_new (Jump, 1);

  *jump = (Jump){ .episode = g_object_ref (episode), .from = from, .to = to };
  undo = ear_undo_new (message, take_back, self, jump, jump_free);
  ear_notices_offer_undo (self->notices, undo);
}

/* Seeks in the current episode. Undo is offered for long distances.
 * @position: the new position, in microseconds */
void
ear_playback_controller_jump (EarPlaybackController *self, gint64 position)
{
  EarEpisode *episode;
  gint64 from;

  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  episode = ear_player_get_episode (self->player);
  from = ear_player_get_position (self->player);
  ear_player_seek (self->player, position);
  if (episode == NULL)
    return;

  if (self->jumped == episode && ABS (from - self->jumped_to) < LOOKING)
    from = self->jumped_from;
  g_set_object (&self->jumped, episode);
  self->jumped_from = from;
  self->jumped_to = position;
  if (ABS (position - from) >= FAR)
    offer_back (self, episode, from, position);
}
