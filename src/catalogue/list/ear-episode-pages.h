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
gboolean         ear_episode_pages_are_fetched   (EarEpisodePages    *self,
                                               GArray             *ids,
                                               guint               position);
void             ear_episode_pages_prefetch_async (EarEpisodePages    *self,
                                               GArray             *ids,
                                               guint               position,
                                               GCancellable       *cancellable,
                                               GAsyncReadyCallback callback,
                                               gpointer            user_data);

G_END_DECLS
