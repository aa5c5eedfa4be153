/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-logins.h"

#include "ear-error.h"
#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* Logins that the listener types, and those of the player, which sends its requests
 * itself. EarHttp finds those of all other requests. */
struct _EarLogins
{
  EAR_PART_MEMBERS;

  guint n_asking; /* number of typed logins that are being checked */
  gboolean not_stored_reported;
};

G_DEFINE_FINAL_TYPE (EarLogins, ear_logins, EAR_TYPE_PART)

/* @episode: (nullable) */
static const char *
get_media_address (EarEpisode *episode)
{
  return episode != NULL ? ear_episode_get_address (episode, EAR_ADDRESS_MEDIA) : NULL;
}

static const char *
get_podcast_address (EarEpisode *episode)
{
  return ear_podcast_get_address (ear_episode_get_podcast (episode));
}

static gboolean
is_refused (EarLogins *self)
{
  return ear_error_wants_login (ear_player_get_error (self->player));
}

/* Sets the player's credentials to the known login of its episode, or clears them. */
void
ear_logins_notify_player (EarLogins *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);
  const EarLogin *login =
      address != NULL ? ear_keyring_peek (self->keyring, get_podcast_address (episode), address)
                      : NULL;

  ear_player_set_credentials (self->player, login != NULL ? login->user : NULL,
                              login != NULL ? login->password : NULL);
}

static void
login_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLogins) self = user_data;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);

  /* A typed login is not used before the server has accepted it. */
  if (login == NULL || self->n_asking > 0 || !is_refused (self))
    return;
  ear_logins_notify_player (self);
  ear_player_play (self->player);
}

/* The media server requires a login. The keyring may have one from an earlier session; a
 * login that was refused is not sent again. */
static void
player_failed_cb (EarLogins *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);

  if (is_refused (self) && address != NULL &&
      ear_keyring_peek (self->keyring, get_podcast_address (episode), address) == NULL)
    ear_keyring_find_async (self->keyring, get_podcast_address (episode), address, NULL,
                            login_found_cb, g_object_ref (self));
}

/* Shows one notice: an imported list may contain hundreds of passwords. */
static void
not_stored_cb (EarLogins *self, const GError *error)
{
  g_info ("The password is not stored: %s", error->message);
  if (self->not_stored_reported)
    return;
  self->not_stored_reported = TRUE;
  ear_notices_add (self->notices, TRUE,
                   _("No keyring was found. The password is kept until Earmark quits."));
}

static void
ear_logins_class_init (EarLoginsClass *klass)
{
}

static void
ear_logins_init (EarLogins *self)
{
}

EarLogins *
ear_logins_new (const EarServices *services)
{
  EarLogins *self = ear_part_new (EAR_TYPE_LOGINS, services);

  ear_connect (self->player, "notify::error", player_failed_cb, self);
  ear_connect (self->refresher, "refreshed", ear_logins_notify_player, self);
  ear_connect (self->keyring, "not-stored", not_stored_cb, self);

  return self;
}

/* The subject of a typed login: the feed, or the media of an episode */
typedef struct
{
  /* Owned */
  EarPodcast *podcast;
  EarEpisode *episode; /* (nullable) */

  gboolean played; /* the episode is in the player, and not just a download */
} SignIn;

static void
sign_in_free (gpointer data)
{
  SignIn *sign_in = data;

  g_object_unref (sign_in->podcast);
  g_clear_object (&sign_in->episode);
  g_free (sign_in);
}

/* Repeats the refused request, unless the server has refused the login, too. */
static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarLogins *self = g_task_get_source_object (task);
  const SignIn *sign_in = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);

  self->n_asking--;
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  g_task_return_boolean (task, TRUE);
  if (sign_in->episode == NULL)
    ear_refresher_refresh (self->refresher, sign_in->podcast, EAR_REFRESH_ONE);
  else if (!sign_in->played)
    ear_downloader_download (self->downloader, sign_in->episode);
  else if (ear_player_get_episode (self->player) == sign_in->episode)
    {
      ear_logins_notify_player (self);
      ear_player_play (self->player);
    }
}

/* Repeats a refused request with a login: the feed, or else the episode in the player, or
 * else a download. A request for the headers asks the server first: to that one only, as
 * feed and media may be on servers of different owners. EarHttp has the keyring store an
 * accepted login. The task returns %TRUE, or %EAR_ERROR_WRONG_LOGIN: other failures appear at
 * the podcast, the player or the download.
 * @podcast: a podcast whose feed or media server requires a login
 * @cancellable: (nullable): a cancellable; requests that were started continue */
void
ear_logins_sign_in_async (EarLogins *self, EarPodcast *podcast, const char *user,
                          const char *password, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarLogin) login = ear_login_new (user, password);
  g_autoptr (EarHttpRequest) request = NULL;
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  EarEpisode *episode = ear_player_get_episode (self->player);
  SignIn *sign_in = g_new0 (SignIn, 1);
  const char *address;

  sign_in->podcast = g_object_ref (podcast);
  sign_in->played =
      episode != NULL && ear_episode_get_podcast (episode) == podcast && is_refused (self);
  if (!ear_podcast_get_needs_password (podcast))
    sign_in->episode = sign_in->played ? g_object_ref (episode)
                                       : ear_downloader_dup_refused (self->downloader, podcast);
  address = sign_in->episode != NULL ? get_media_address (sign_in->episode)
                                     : ear_podcast_get_feed_address (podcast);

  g_task_set_source_tag (task, ear_logins_sign_in_async);
  g_task_set_task_data (task, sign_in, sign_in_free);
  self->n_asking++;
  ear_keyring_try (self->keyring, ear_podcast_get_address (podcast), address, login);
  request = ear_http_request_new (address);
  request->podcast = g_strdup (ear_podcast_get_address (podcast));
  request->head_only = TRUE;
  ear_http_stream_async (self->http, request, NULL, NULL, NULL, answered_cb, task);
}
