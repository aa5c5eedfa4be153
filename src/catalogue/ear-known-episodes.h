/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-columns.h"

G_BEGIN_DECLS

/* Episodes of one podcast, for recognizing one whose guid has changed: two of enclosure,
 * title and date have to be the same. */
typedef struct _EarKnownEpisodes EarKnownEpisodes;

EarKnownEpisodes *ear_known_episodes_new (void);
EarKnownEpisodes *ear_known_episodes_load (EarDatabase *database, gint64 podcast);
void ear_known_episodes_free (EarKnownEpisodes *self);
void ear_known_episodes_add (EarKnownEpisodes *self, gint64 id, EarEpisodeFacts *facts);
gint64 ear_known_episodes_find (EarKnownEpisodes *self, EarEpisodeFacts *facts, GHashTable *seen);
gint64 ear_known_episodes_find_only (EarKnownEpisodes *self, const char *enclosure);
gint64 ear_known_episodes_find_twin (EarKnownEpisodes *self, const char *enclosure,
                                     const char *title, gint64 published);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarKnownEpisodes, ear_known_episodes_free)

G_END_DECLS
