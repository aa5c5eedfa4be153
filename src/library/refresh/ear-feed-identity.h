/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"

G_BEGIN_DECLS

/* Identifies a podcast at another address: its title, its guid, and the guids of some
 * episodes. */
typedef struct _EarFeedIdentity EarFeedIdentity;

gboolean ear_feed_identity_is_title_equal (const char *a, const char *b);
EarFeedIdentity *ear_feed_identity_new (void);
EarFeedIdentity *ear_feed_identity_ref (EarFeedIdentity *self);
void ear_feed_identity_unref (EarFeedIdentity *self);
void ear_feed_identity_set_facts (EarFeedIdentity *self, EarPodcastFacts *facts);
void ear_feed_identity_add (EarFeedIdentity *self, EarEpisodeFacts *episode);
gboolean ear_feed_identity_has_facts (EarFeedIdentity *self, EarPodcastFacts *facts);
gboolean ear_feed_identity_is_other (EarFeedIdentity *self, EarPodcastFacts *facts);
GHashTable *ear_feed_identity_get_episodes (EarFeedIdentity *self);
gboolean ear_feed_identity_has (EarFeedIdentity *self, EarEpisodeFacts *episode);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIdentity, ear_feed_identity_unref)

G_END_DECLS
