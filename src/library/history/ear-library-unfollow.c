/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A verb of the library that can be taken back: unfollowing. */

#include "ear-library-private.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  EarLibrary *library;
  EarPodcast *podcast;
  EarEpisode *episode; /* (nullable): what was in the player */
} Unfollowing;

static void
unfollowing_free (gpointer data)
{
  Unfollowing *unfollowing = data;

  g_object_unref (unfollowing->library);
  g_object_unref (unfollowing->podcast);
  g_clear_object (&unfollowing->episode);
  g_free (unfollowing);
}

/* Also what was in the player is there again, silent and where it was; or as soon as it was fetched, where
 * so much time has passed that nothing of the podcast was left. */
static void
take_unfollowing_back (gpointer user_data)
{
  const Unfollowing *unfollowing = user_data;
  EarLibrary *self = unfollowing->library;
  EarEpisode *episode = unfollowing->episode;
  EarPodcast *podcast;

  if (self->subscriptions == NULL)
    return;
  podcast = ear_subscriptions_follow_again (self->subscriptions, ear_podcast_get_address (unfollowing->podcast),
                                            ear_podcast_get_title (unfollowing->podcast));
  if (episode == NULL || !ear_history_is_open (self->history) || ear_player_get_episode (self->player) != NULL)
    return;
  if (podcast != unfollowing->podcast)
    {
      g_set_str (&self->last_address, ear_podcast_get_address (unfollowing->podcast));
      g_set_str (&self->last_guid, ear_episode_get_guid (episode));
      self->last_position = ear_episode_get_position (episode);
      return;
    }
  ear_play_order_set (self->order, NULL, episode);
  ear_library_open_media (self, episode, ear_episode_get_position (episode));
}

/**
 * ear_library_unfollow:
 * @self: the library
 * @podcast: a followed podcast
 *
 * Unfollows a podcast. That can be taken back, and brings everything back as it was.
 */
void
ear_library_unfollow (EarLibrary *self, EarPodcast *podcast)
{
  const char *title;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  Unfollowing *unfollowing;
  EarEpisode *episode;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  title = ear_podcast_get_title (podcast);
  /* Translators: %s is the title of a podcast. */
  message = g_strdup_printf (_("Unfollowed “%s”"), title != NULL ? title : ear_podcast_get_address (podcast));
  episode = ear_player_get_episode (self->player);
  unfollowing = g_new0 (Unfollowing, 1);
  unfollowing->library = g_object_ref (self);
  unfollowing->podcast = g_object_ref (podcast);
  if (episode != NULL && ear_episode_get_podcast (episode) == podcast)
    unfollowing->episode = g_object_ref (episode);
  undo = ear_undo_new (message, take_unfollowing_back, unfollowing, unfollowing_free);
  ear_subscriptions_unfollow (self->subscriptions, podcast);
  ear_notices_offer_undo (self->notices, undo);
}
