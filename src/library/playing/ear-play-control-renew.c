/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-play-control-private.h"

#include "ear-download-policy.h"

/*
 * Signed addresses of media are good for a while only, and an episode may be played from one for
 * days. If a server refuses it, the feed is fetched for the address of today, and playing goes on
 * with that.
 */

typedef struct
{
  EarPlayControl *control; /* owned */
  EarEpisode *episode;     /* owned */
} Renewal;

static void
renewal_free (gpointer data)
{
  Renewal *renewal = data;

  g_object_unref (renewal->control);
  g_object_unref (renewal->episode);
  g_free (renewal);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Renewal, renewal_free)

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Renewal) renewal = user_data;
  EarPlayControl *self = renewal->control;
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  if (self->stopped || ear_player_get_episode (self->player) != renewal->episode)
    return;
  if (address != NULL)
    ear_player_set_place (self->player, NULL, address);
  ear_player_give_up_address (self->player);
}

static gboolean
refused_cb (EarPlayControl *self, const GError *error, const char *address)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  Renewal *renewal;

  if (self->stopped || episode == NULL || !ear_download_policy_may_have_moved (error, address))
    return FALSE;

  renewal = g_new0 (Renewal, 1);
  renewal->control = g_object_ref (self);
  renewal->episode = g_object_ref (episode);
  ear_refresher_renew_address_async (self->refresher, episode, address, self->cancellable,
                                     renewed_cb, renewal);

  return TRUE;
}

/* Begins to look for other addresses. */
void
ear_play_control_watch_refusals (EarPlayControl *self)
{
  g_signal_connect_object (self->player, "refused", G_CALLBACK (refused_cb), self,
                           G_CONNECT_SWAPPED);
}
