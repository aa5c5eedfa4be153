/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-id-sequence.h"

G_BEGIN_DECLS

typedef struct _EarEpisodePages EarEpisodePages;

EarEpisodePages *ear_episode_pages_new  (EarCatalogue    *catalogue);
void             ear_episode_pages_free (EarEpisodePages *self);
EarEpisode      *ear_episode_pages_get  (EarEpisodePages *self,
                                         EarIdSequence   *ids,
                                         guint            position);
void             ear_episode_pages_drop (EarEpisodePages *self);

G_END_DECLS
