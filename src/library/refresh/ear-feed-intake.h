/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-facts.h"
#include "ear-feed-parser.h"
#include "ear-http.h"

G_BEGIN_DECLS

/* The role of a document for a podcast.
 * @EAR_FEED_MAIN: the document at the podcast's address
 * @EAR_FEED_PAGE: a further page of it (RFC 5005), which changes no facts of the podcast
 * @EAR_FEED_MOVED: the document at a new address; its episodes are stored only after it
 *   has proved to be the same podcast */
typedef enum
{
  EAR_FEED_MAIN,
  EAR_FEED_PAGE,
  EAR_FEED_MOVED,
} EarFeedDocument;

/* One document of a feed: fetches and parses it, and sends the facts to the catalogue in
 * batches. Used by one thread at a time: workers while bytes arrive. */
typedef struct
{
  EarCatalogue *catalogue;
  EarFeedParser *parser;     /* (nullable): created with the first bytes */
  EarHttpResponse *response; /* (nullable): set once the document has arrived */
  GPtrArray *batch;          /* (element-type EarEpisodeFacts) */
  GHashTable *guids;         /* guids of some episodes, or their media URLs */

  EarPodcastFacts *expected; /* (nullable): the expected podcast, until recognized */
  GHashTable *expected_guids; /* (nullable): as @guids, of the expected podcast */

  EarFeedDocument document;
  gint64 podcast;
  gint64 last_batch;  /* monotonic time */
  gint64 retry_after; /* seconds that a busy server asked to wait; 0: it did not say */
  guint n_items;
  gboolean begun;
  gboolean strict; /* must have the title or guid of @expected */
} EarFeedIntake;

EarFeedIntake *ear_feed_intake_new (EarCatalogue *catalogue, gint64 podcast,
                                    EarFeedDocument document, EarPodcastFacts *expected,
                                    GHashTable *expected_guids);
void ear_feed_intake_unref (EarFeedIntake *self);
EarPodcastFacts *ear_feed_intake_get_facts (EarFeedIntake *self);
gboolean ear_feed_intake_is_redirect (EarFeedIntake *self);
EarHttpRequest *ear_feed_request_new (const char *address);
void ear_feed_intake_load_async (EarFeedIntake *self, EarHttp *http, EarHttpRequest *request,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean ear_feed_intake_load_finish (GAsyncResult *result, GError **error);
gboolean ear_feed_is_title_equal (const char *a, const char *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIntake, ear_feed_intake_unref)

G_END_DECLS
