/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-address.h"

#include "ear-address.h"

/* Public addresses of an episode, and which of them are private */

static const char *
get_media (EarEpisode *self)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (self);

  return enclosure != NULL && ear_address_is_web (enclosure->address) ? enclosure->address : NULL;
}

static const char *
get_page (EarEpisode *self)
{
  const char *link = ear_episode_get_facts (self)->link;

  return ear_address_is_web (link) ? link : NULL;
}

/**
 * ear_episode_get_address:
 * @self: the episode
 * @kind: which address
 *
 * Returns: (transfer none) (nullable): the address; %NULL if the feed has none
 */
const char *
ear_episode_get_address (EarEpisode *self, EarAddressKind kind)
{
  const char *page;

  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  page = get_page (self);
  switch (kind)
    {
    case EAR_ADDRESS_LINK:
      return page != NULL ? page : get_media (self);
    case EAR_ADDRESS_MEDIA:
      return get_media (self);
    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * ear_episode_is_address_private:
 * @self: the episode
 * @kind: which address
 *
 * Returns: whether sharing the address needs the listener's confirmation: it has a secret
 *   in it, or is a media file for members only
 */
gboolean
ear_episode_is_address_private (EarEpisode *self, EarAddressKind kind)
{
  EarPodcast *podcast;

  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  podcast = ear_episode_get_podcast (self);
  if (ear_address_has_secret (ear_episode_get_address (self, kind)))
    return TRUE;
  if (kind == EAR_ADDRESS_LINK && get_page (self) != NULL)
    return FALSE;

  return podcast != NULL && ear_podcast_is_private (podcast);
}

/**
 * ear_episode_get_public_address:
 * @self: the episode
 *
 * Finds an address to share: the media file, or else the web page. Media files of private
 * podcasts are often for members only.
 *
 * Returns: (transfer none) (nullable): an address that needs no confirmation
 */
const char *
ear_episode_get_public_address (EarEpisode *self)
{
  static const EarAddressKind kinds[] = { EAR_ADDRESS_MEDIA, EAR_ADDRESS_LINK };

  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (ear_episode_get_address (self, kinds[i]) != NULL && !ear_episode_is_address_private (self, kinds[i]))
      return ear_episode_get_address (self, kinds[i]);

  return NULL;
}
