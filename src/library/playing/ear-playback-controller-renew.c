/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

#include "ear-download-policy.h"
#include "ear-error.h"

/* Finds another address for media that a server refuses.
 * GStreamer gets a Location header from libsoup, which has replaced bytes that are not
 * UTF-8 in it. So EarHttp follows the redirects of an address that was not found, and
 * playing continues where they lead. That address is not stored: redirects often lead to
 * one that expires.
 * Signed addresses expire, and an episode may be played for days. So the feed is fetched
 * for the present address after that. */

typedef struct
{
  EarPlaybackController *control; /* owned */
  EarEpisode *episode;     /* owned */
  char *address;           /* owned; the refused address */
} Renewal;

static void
renewal_free (gpointer data)
{
  Renewal *renewal = data;

  g_object_unref (renewal->control);
  g_object_unref (renewal->episode);
  g_free (renewal->address);
  g_free (renewal);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Renewal, renewal_free)

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Renewal) renewal = user_data;
  EarPlaybackController *self = renewal->control;
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  if (self->stopped || ear_player_get_episode (self->player) != renewal->episode)
    return;
  if (address != NULL)
    ear_player_set_place (self->player, NULL, address);
  ear_player_give_up_address (self->player);
}

/* @renewal: (transfer full): the refused address */
static void
renew_address (Renewal *renewal)
{
  EarPlaybackController *self = renewal->control;

  ear_refresher_renew_address_async (self->refresher, renewal->episode, renewal->address,
                                     self->cancellable, renewed_cb, renewal);
}

static void
followed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Renewal) renewal = user_data;
  EarPlaybackController *self = renewal->control;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response =
      ear_http_stream_finish (EAR_HTTP (source), result, &error);

  if (self->stopped || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (response != NULL && !g_str_equal (response->final_address, renewal->address))
    ear_player_set_redirect (self->player, renewal->address, response->final_address);
  else
    renew_address (g_steal_pointer (&renewal));
}

/* Never called: the request reads the headers only. */
static gboolean
take_chunk (EarHttpResponse *response,
            const guint8 *data,
            gsize length,
            gpointer user_data,
            GError **error)
{
  return TRUE;
}

/* @renewal: (transfer full): the refused address */
static void
follow_redirects (Renewal *renewal)
{
  EarPlaybackController *self = renewal->control;
  g_autoptr (EarHttpRequest) request = ear_http_request_new (renewal->address);
  const EarLogin *login = ear_logins_peek (self->logins, renewal->episode);

  if (login != NULL)
    {
      request->user = g_strdup (login->user);
      request->password = g_strdup (login->password);
    }
  request->head_only = TRUE;
  request->identity = TRUE;
  g_cancellable_cancel (self->following);
  g_clear_object (&self->following);
  self->following = g_cancellable_new ();
  ear_http_stream_async (self->http, request, take_chunk, NULL, self->following, followed_cb,
                         renewal);
}

static gboolean
refused_cb (EarPlaybackController *self, const GError *error, const char *address)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  Renewal *renewal;

  if (self->stopped || episode == NULL || !ear_download_policy_may_have_moved (error, address))
    return FALSE;

  renewal = g_new0 (Renewal, 1);
  renewal->control = g_object_ref (self);
  renewal->episode = g_object_ref (episode);
  renewal->address = g_strdup (address);
  /* An address is followed once: its target may be refused, too. */
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) &&
      ear_player_get_redirect (self->player) == NULL)
    follow_redirects (renewal);
  else
    renew_address (renewal);

  return TRUE;
}

static void
episode_changed_cb (EarPlaybackController *self)
{
  g_cancellable_cancel (self->following);
}

void
ear_playback_controller_watch_refusals (EarPlaybackController *self)
{
  g_signal_connect_object (self->player, "refused", G_CALLBACK (refused_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->player, "notify::episode", G_CALLBACK (episode_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
