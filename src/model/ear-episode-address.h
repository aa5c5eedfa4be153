/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

G_BEGIN_DECLS

/**
 * EarAddressKind:
 * @EAR_ADDRESS_LINK: of its web page; where it has none, of its media file
 * @EAR_ADDRESS_MEDIA: of its media file
 *
 * What others find an episode by.
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
