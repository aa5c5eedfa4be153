/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: telling servers who asks, that of a feed and that of its sound. */

#include "ear-library-private.h"

#include "ear-error.h"

#include <glib/gi18n-lib.h>

static const char *
get_media_address (EarEpisode *episode)
{
  EarEnclosure *enclosure = episode != NULL ? ear_episode_get_enclosure (episode) : NULL;

  return enclosure != NULL ? enclosure->address : NULL;
}

static gboolean
is_refused (EarLibrary *self)
{
  return g_error_matches (ear_player_get_error (self->player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
}

/**
 * ear_library_tell_player:
 * @self: the library
 *
 * Tells the player who we are to the server of its episode, if that is known without
 * asking anybody.
 */
void
ear_library_tell_player (EarLibrary *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);
  const EarLogin *login = NULL;

  if (address != NULL && ear_episode_get_podcast (episode) != NULL)
    login = ear_keyring_peek (self->keyring, ear_podcast_get_address (ear_episode_get_podcast (episode)), address);
  if (login != NULL)
    ear_player_set_credentials (self->player, login->user, login->password);
}

static void
login_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) self = user_data;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);

  if (login == NULL || self->player == NULL || !is_refused (self))
    return;
  ear_library_tell_player (self);
  ear_player_play (self->player);
}

/* The server of the sound asks who we are: it may have been told before, in a session
 * that is over. The same answer is not given twice. */
static void
player_failed_cb (EarLibrary *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const char *address = get_media_address (episode);
  const char *podcast;

  if (!is_refused (self) || address == NULL || ear_episode_get_podcast (episode) == NULL)
    return;
  podcast = ear_podcast_get_address (ear_episode_get_podcast (episode));
  if (ear_keyring_peek (self->keyring, podcast, address) == NULL)
    ear_keyring_find_async (self->keyring, podcast, address, self->cancellable, login_found_cb, g_object_ref (self));
}

/**
 * ear_library_follow_player:
 * @self: the library
 *
 * From now on finds out who we are when the server of an episode wants to know.
 */
void
ear_library_follow_player (EarLibrary *self)
{
  g_signal_connect_object (self->player, "notify::error", G_CALLBACK (player_failed_cb), self, G_CONNECT_SWAPPED);
}

static void
login_kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  EarLibrary *self = g_task_get_source_object (task);

  if (ear_keyring_keep_finish (EAR_KEYRING (source), result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  g_info ("The password is not stored: %s", error->message);
  ear_library_give_notice (self, _("There is no keyring on this computer. The password is kept until Earmark quits"), TRUE);
  g_task_return_boolean (task, FALSE);
}

/**
 * ear_library_set_credentials_async:
 * @self: the library
 * @podcast: a podcast whose server, or the server of whose episode, wants to know who asks
 * @user: a name
 * @password: the password that goes with it
 * @callback: (nullable): called when they are stored
 * @user_data: data of the caller
 *
 * Keeps a name and a password in the keyring of the desktop, and tries again with them
 * what was refused: the feed, or else the episode in the player.
 */
void
ear_library_set_credentials_async (EarLibrary *self, EarPodcast *podcast, const char *user, const char *password,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (EarLogin) login = NULL;
  EarEpisode *episode;
  gboolean media;
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (user != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_library_set_credentials_async);
  login = ear_login_new (user, password);
  episode = ear_player_get_episode (self->player);
  media = episode != NULL && ear_episode_get_podcast (episode) == podcast && is_refused (self);

  /* Never both: the sound may be on the server of somebody else. */
  media = media && !ear_podcast_get_needs_password (podcast);
  ear_keyring_keep_async (self->keyring, ear_podcast_get_address (podcast),
                          media ? get_media_address (episode) : ear_podcast_get_feed_address (podcast),
                          login, NULL, login_kept_cb, task);

  if (!media)
    {
      ear_library_refresh (self, podcast);
      return;
    }
  ear_library_tell_player (self);
  ear_player_play (self->player);
}

/**
 * ear_library_set_credentials_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location; not set
 *
 * Returns: %FALSE if they are only known until the end of the program, which the listener
 *   was told
 */
gboolean
ear_library_set_credentials_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_library_set_credentials_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
