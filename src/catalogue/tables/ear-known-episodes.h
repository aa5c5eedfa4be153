/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-record.h"

G_BEGIN_DECLS

/*
 * What the catalogue has of one podcast, to know an episode again whose guid is another one
 * now. Two of three have to be the same: the enclosure, the title, the date.
 */
typedef struct _EarKnownEpisodes EarKnownEpisodes;

EarKnownEpisodes *ear_known_episodes_new  (EarDatabase      *database,
                                           gint64            podcast,
                                           GError          **error);
void              ear_known_episodes_free (EarKnownEpisodes *self);
gint64            ear_known_episodes_find (EarKnownEpisodes *self,
                                           EarEpisodeRecord *record,
                                           GHashTable       *seen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarKnownEpisodes, ear_known_episodes_free)

G_END_DECLS
