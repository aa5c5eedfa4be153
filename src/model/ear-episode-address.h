/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

/**
 * EarAddressKind:
 * @EAR_ADDRESS_LINK: the web page; without one, the media file
 * @EAR_ADDRESS_MEDIA: the media file
 *
 * Addresses of an episode for sharing.
 */
typedef enum
{
  EAR_ADDRESS_LINK,
  EAR_ADDRESS_MEDIA,
} EarAddressKind;

const char *ear_episode_get_address        (EarEpisode     *self,
                                            EarAddressKind  kind);
gboolean    ear_episode_is_address_private (EarEpisode     *self,
                                            EarAddressKind  kind);
const char *ear_episode_get_public_address (EarEpisode     *self);

G_END_DECLS
