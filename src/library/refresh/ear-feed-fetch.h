/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"
#include "ear-keyring.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* The outcome of a check. The episodes have been sent to the catalogue; the check itself
 * is yet to be stored. */
typedef struct
{
  EarPodcastFacts *facts; /* (nullable): facts of the feed; %NULL for a 304 */
  EarFeedCheck *check;    /* feed address, validators, `whole`, `archived`; incomplete */
  gboolean stored;        /* whether episodes were sent */
  GError *error;          /* (nullable): an `EAR_ERROR` or %G_IO_ERROR_CANCELLED */
  gint64 retry_after;     /* seconds to wait as asked by a busy server; 0: none */
} EarFeedOutcome;

void ear_feed_fetch_async (const EarServices *services, EarPodcast *podcast, gboolean whole,
                           gboolean accept_other, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
const EarFeedOutcome *ear_feed_fetch_finish (GAsyncResult *result);
gboolean ear_feed_is_title_equal (const char *a, const char *b);
gboolean ear_feed_move_is_wanted (const char *new_address, const char *asked, const char *final,
                                  const char *permanent);

G_END_DECLS
