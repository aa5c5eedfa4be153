/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"
#include "ear-keyring.h"

G_BEGIN_DECLS

/* What came of checking a feed. The episodes are on their way to the catalogue already;
 * that it was checked is not stored yet. */
typedef struct
{
  EarPodcastFacts *facts; /* (nullable): what the feed says of itself; %NULL for a 304 */
  EarFeedCheck *check;    /* address, tags, `whole` and `archived`, to be completed */
  gboolean stored;        /* whether there were episodes */
  GError *error;          /* (nullable): an `EAR_ERROR` or %G_IO_ERROR_CANCELLED */
  gint64 retry_after;     /* seconds that a server which is busy wants to be left alone; 0 */
} EarFeedOutcome;

void            ear_feed_outcome_free (EarFeedOutcome *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedOutcome, ear_feed_outcome_free)

void            ear_feed_fetch_async  (EarCatalogue        *catalogue,
                                       EarHttp             *http,
                                       EarKeyring          *keyring,
                                       EarPodcast          *podcast,
                                       gboolean             whole,
                                       gboolean             accept_other,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
EarFeedOutcome *ear_feed_fetch_finish (GAsyncResult *result);
gboolean        ear_feed_move_is_wanted (const char *new_address,
                                         const char *asked,
                                         const char *final,
                                         const char *permanent);

G_END_DECLS
