/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-logins.h"

#include "ear-error.h"

#include <glib/gi18n-lib.h>

/* Sends logins to servers: those of feeds, and those of media, played or downloaded. */
struct _EarLogins
{
  GObject parent_instance;

  /* Owned */
  EarKeyring *keyring;
  EarPlayer *player;
  EarRefresher *refresher;
  EarDownloader *downloader;
  EarNotices *notices;
  GCancellable *cancellable;
  char *tried_media; /* (nullable): media URL whose typed login awaits an answer */

  gint64 not_stored_reported; /* monotonic time of the last notice; 0: none yet */
};

G_DEFINE_FINAL_TYPE (EarLogins, ear_logins, G_TYPE_OBJECT)

static const char *
get_media_address (EarEpisode *episode)
{
  EarEnclosure *enclosure = episode != NULL ? ear_episode_get_enclosure (episode) : NULL;

  return enclosure != NULL ? enclosure->address : NULL;
}

static gboolean
is_refused (EarLogins *self)
{
  return ear_error_wants_login (ear_player_get_error (self->player));
}

/* Returns: (transfer none) (nullable): the login for an episode's media if it is known
 * without a query to the desktop's keyring */
const EarLogin *
ear_logins_peek (EarLogins *self, EarEpisode *episode)
{
  EarPodcast *podcast = episode != NULL ? ear_episode_get_podcast (episode) : NULL;
  const char *address = get_media_address (episode);

  if (podcast == NULL || address == NULL)
    return NULL;

  return ear_keyring_peek (self->keyring, ear_podcast_get_address (podcast), address);
}

/* Sets the player's credentials to the known login of its episode, or clears them. */
void
ear_logins_notify_player (EarLogins *self)
{
  const EarLogin *login = ear_logins_peek (self, ear_player_get_episode (self->player));

  ear_player_set_credentials (self->player, login != NULL ? login->user : NULL,
                              login != NULL ? login->password : NULL);
}

static void
login_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLogins) self = user_data;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);

  if (login == NULL || g_cancellable_is_cancelled (self->cancellable) || !is_refused (self))
    return;
  ear_logins_notify_player (self);
  ear_player_play (self->player);
}

/* Reports whether the media server has accepted the login that the listener typed. */
static void
judge_login (EarLogins *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);
  const EarLogin *login;
  const char *podcast;
  gboolean refused;

  if (self->tried_media == NULL || g_strcmp0 (address, self->tried_media) != 0 ||
      ear_episode_get_podcast (episode) == NULL)
    return;
  refused = g_error_matches (ear_player_get_error (self->player), EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
  if (!refused && ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;

  podcast = ear_podcast_get_address (ear_episode_get_podcast (episode));
  login = ear_keyring_peek (self->keyring, podcast, address);
  if (login != NULL)
    ear_keyring_judge (self->keyring, podcast, address, login->user, login->password, !refused);
  g_clear_pointer (&self->tried_media, g_free);
  /* A retry must not send the refused login again. */
  if (refused)
    ear_logins_notify_player (self);
}

/* The media server requires a login. The keyring may have one from an earlier session; a
 * login that was refused is not sent again. */
static void
player_failed_cb (EarLogins *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);
  const char *podcast;

  judge_login (self);
  if (!is_refused (self) || address == NULL || ear_episode_get_podcast (episode) == NULL)
    return;
  podcast = ear_podcast_get_address (ear_episode_get_podcast (episode));
  if (ear_keyring_peek (self->keyring, podcast, address) == NULL)
    ear_keyring_find_async (self->keyring, podcast, address, self->cancellable, login_found_cb,
                            g_object_ref (self));
}

/* Shows one notice a minute at most: an imported list may contain hundreds of
 * passwords. */
static void
not_stored_cb (EarLogins *self, const GError *error)
{
  const gint64 now = g_get_monotonic_time ();

  g_info ("The password is not stored: %s", error->message);
  if (self->not_stored_reported != 0 && now - self->not_stored_reported < G_TIME_SPAN_MINUTE)
    return;
  self->not_stored_reported = now;
  ear_notices_add (self->notices,
                   _("No keyring was found. The password is kept until Earmark quits."), TRUE);
}

static void
ear_logins_dispose (GObject *object)
{
  EarLogins *self = EAR_LOGINS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->keyring);
  g_clear_object (&self->player);
  g_clear_object (&self->refresher);
  g_clear_object (&self->downloader);
  g_clear_object (&self->notices);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->tried_media, g_free);

  G_OBJECT_CLASS (ear_logins_parent_class)->dispose (object);
}

static void
ear_logins_class_init (EarLoginsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_logins_dispose;
}

static void
ear_logins_init (EarLogins *self)
{
  self->cancellable = g_cancellable_new ();
}

/* Returns: (transfer full): the logins, which start to work at once */
EarLogins *
ear_logins_new (const EarServices *services)
{
  EarLogins *self = g_object_new (EAR_TYPE_LOGINS, NULL);

  self->keyring = g_object_ref (services->keyring);
  self->player = g_object_ref (services->player);
  self->refresher = g_object_ref (services->refresher);
  self->downloader = g_object_ref (services->downloader);
  self->notices = g_object_ref (services->notices);
  g_signal_connect_object (self->player, "notify::error", G_CALLBACK (player_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->player, "notify::state", G_CALLBACK (judge_login), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (ear_logins_notify_player),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->keyring, "not-stored", G_CALLBACK (not_stored_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* Connects to the podcast, episode or player until the server has answered the login. */
static void
watch (GTask *task, gpointer object, const char *signal, GCallback callback)
{
  g_signal_connect_data (object, signal, callback, g_object_ref (task),
                         (GClosureNotify) (GCallback) g_object_unref, G_CONNECT_DEFAULT);
}

static void
answer (GTask *task, gpointer object, const GError *error)
{
  g_autoptr (GTask) held = g_object_ref (task);

  g_signal_handlers_disconnect_matched (object, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, task);
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN))
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_boolean (task, TRUE);
}

/* The first episodes prove that the login was accepted; a slow fetch need not have
 * ended. */
static void
episodes_came_cb (EarPodcast *podcast, GParamSpec *pspec, gpointer user_data)
{
  answer (user_data, podcast, NULL);
}

static void
refreshing_cb (EarPodcast *podcast, GParamSpec *pspec, gpointer user_data)
{
  if (!ear_podcast_get_refreshing (podcast))
    answer (user_data, podcast, ear_podcast_get_error (podcast));
}

static void
player_state_cb (EarPlayer *player, GParamSpec *pspec, gpointer user_data)
{
  if (ear_player_get_state (player) != EAR_PLAYER_LOADING)
    answer (user_data, player, ear_player_get_error (player));
}

static void
try_feed (EarLogins *self, EarPodcast *podcast, GTask *task)
{
  watch (task, podcast, "notify::n-episodes", G_CALLBACK (episodes_came_cb));
  watch (task, podcast, "notify::refreshing", G_CALLBACK (refreshing_cb));
  ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_ONE);
  /* The library has been closed. */
  if (!ear_podcast_get_refreshing (podcast))
    answer (task, podcast, NULL);
}

static void
try_sound (EarLogins *self, GTask *task)
{
  g_set_str (&self->tried_media, get_media_address (ear_player_get_episode (self->player)));
  ear_logins_notify_player (self);
  ear_player_play (self->player);
  if (ear_player_get_state (self->player) == EAR_PLAYER_LOADING)
    watch (task, self->player, "notify::state", G_CALLBACK (player_state_cb));
  else
    answer (task, self->player, ear_player_get_error (self->player));
}

/* The first bytes prove that the login was accepted; the download may take much
 * longer. */
static void
download_cb (EarEpisode *episode, GParamSpec *pspec, gpointer user_data)
{
  switch (ear_episode_get_download (episode))
    {
    case EAR_DOWNLOAD_WAITING:
      break;
    case EAR_DOWNLOAD_RUNNING:
      if (ear_episode_get_download_progress (episode) != 0)
        answer (user_data, episode, NULL);
      break;
    case EAR_DOWNLOAD_NONE:
    case EAR_DOWNLOAD_DONE:
    case EAR_DOWNLOAD_PAUSED:
    case EAR_DOWNLOAD_FAILED:
    default:
      answer (user_data, episode, ear_episode_get_download_error (episode));
    }
}

static void
try_download (EarLogins *self, EarEpisode *episode, GTask *task)
{
  ear_downloader_download (self->downloader, episode);
  watch (task, episode, "notify::download", G_CALLBACK (download_cb));
  watch (task, episode, "notify::download-progress", G_CALLBACK (download_cb));
  /* No download was started: the podcast is no longer followed, or the library has been
   * closed. */
  if (ear_episode_get_download (episode) == EAR_DOWNLOAD_FAILED)
    answer (task, episode, NULL);
}

/* Sends the login to one server only, as feed and media may be on servers of different
 * owners. */
static void
try_login (EarLogins *self, EarPodcast *podcast, const EarLogin *login, GTask *task)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gboolean played =
      episode != NULL && ear_episode_get_podcast (episode) == podcast && is_refused (self);
  g_autoptr (EarEpisode) refused = ear_downloader_dup_refused (self->downloader, podcast);
  const char *address = ear_podcast_get_address (podcast);

  if (!ear_podcast_get_needs_password (podcast) && played)
    {
      ear_keyring_try (self->keyring, address, get_media_address (episode), login);
      try_sound (self, task);
    }
  else if (!ear_podcast_get_needs_password (podcast) && refused != NULL)
    {
      ear_keyring_try (self->keyring, address, get_media_address (refused), login);
      try_download (self, refused, task);
    }
  else
    {
      ear_keyring_try (self->keyring, address, ear_podcast_get_feed_address (podcast), login);
      try_feed (self, podcast, task);
    }
}

/* Retries a refused request with a login: the feed, or else the episode in the player, or
 * else a download. An accepted login is stored in the desktop's keyring.
 * @podcast: a podcast whose feed or media server requires a login
 * @user: a user name
 * @password: the password
 * @cancellable: (nullable): a cancellable; requests that were started continue
 * @callback: (nullable): called when the server has answered */
void
ear_logins_sign_in_async (EarLogins *self, EarPodcast *podcast, const char *user,
                          const char *password, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarLogin) login = NULL;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_LOGINS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (user != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_logins_sign_in_async);
  login = ear_login_new (user, password);
  try_login (self, podcast, login, task);
}

/* Other failures are reported as errors of the podcast or the player.
 * @error: return location: %EAR_ERROR_WRONG_LOGIN
 * Returns: %FALSE if the server refused the login */
gboolean
ear_logins_sign_in_finish (EarLogins *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_logins_sign_in_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
