/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-facts.h"
#include "ear-feed-parser.h"
#include "ear-http.h"

G_BEGIN_DECLS

/* Identifies a podcast at another address */
typedef struct
{
  char *title;       /* (nullable) */
  char *guid;        /* (nullable): `podcast:guid` */
  char *link;        /* (nullable): normalized URL of its website */
  char *author;      /* (nullable) */
  GHashTable *guids; /* guids of some episodes, or their media URLs */
} EarFeedIdentity;

gboolean ear_feed_identity_is_title_equal (const char *a, const char *b);
EarFeedIdentity *ear_feed_identity_new (void);
void ear_feed_identity_unref (EarFeedIdentity *self);
void ear_feed_identity_set_facts (EarFeedIdentity *self, EarPodcastFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIdentity, ear_feed_identity_unref)

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

/* Receives the bytes of a response, parses them, and sends the facts to the catalogue in
 * batches. Used by one thread at a time: workers while bytes arrive. */
typedef struct
{
  EarCatalogue *catalogue;
  EarFeedParser *parser;     /* (nullable): created with the first bytes */
  GPtrArray *batch;          /* (element-type EarEpisodeFacts) */
  EarFeedIdentity *expected; /* (nullable): the expected podcast, until recognized */
  EarFeedIdentity *identity; /* the identity of the feed */

  EarFeedDocument document;
  gint64 podcast;
  gint64 last_batch; /* monotonic time */
  guint n_items;
  gboolean begun;
  gboolean strict; /* must have the title or guid of @expected */
} EarFeedIntake;

EarFeedIntake *ear_feed_intake_new (EarCatalogue *catalogue, gint64 podcast,
                                    EarFeedDocument document, EarFeedIdentity *identity);
void ear_feed_intake_unref (EarFeedIntake *self);
EarPodcastFacts *ear_feed_intake_get_facts (EarFeedIntake *self);
gboolean ear_feed_intake_is_redirect (EarFeedIntake *self);

/* Fetching one document of a feed */
EarHttpRequest *ear_feed_request_new (const char *address);
void ear_feed_load_async (EarHttp *http, EarHttpRequest *request, EarFeedIntake *intake,
                          GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data);
EarHttpResponse *ear_feed_load_finish (GAsyncResult *result, gint64 *retry_after, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIntake, ear_feed_intake_unref)

G_END_DECLS
