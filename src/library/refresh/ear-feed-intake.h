/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-feed-identity.h"
#include "ear-http.h"

G_BEGIN_DECLS

/**
 * EarFeedDocument:
 * @EAR_FEED_MAIN: what the podcast's own address leads to
 * @EAR_FEED_PAGE: a further page of it (RFC 5005), which says nothing new of the podcast
 * @EAR_FEED_MOVED: what is at the address that it says to have moved to; nothing of it is
 *   taken before it has shown that it is the same podcast
 *
 * What a document is to a podcast.
 */
typedef enum
{
  EAR_FEED_MAIN,
  EAR_FEED_PAGE,
  EAR_FEED_MOVED,
} EarFeedDocument;

/*
 * Takes the bytes of one answer: parses them and hands the facts over to the catalogue,
 * batch by batch. Used by one thread at a time; worker threads while bytes come.
 */
typedef struct _EarFeedIntake EarFeedIntake;

EarFeedIntake   *ear_feed_intake_new          (EarCatalogue    *catalogue,
                                               gint64           podcast,
                                               EarFeedDocument  document,
                                               EarFeedIdentity *identity);
void             ear_feed_intake_unref        (EarFeedIntake *self);
EarPodcastFacts *ear_feed_intake_get_facts    (EarFeedIntake *self);
EarFeedIdentity *ear_feed_intake_get_identity (EarFeedIntake *self);
guint            ear_feed_intake_get_n_items  (EarFeedIntake *self);
gboolean         ear_feed_intake_is_redirect  (EarFeedIntake   *self);
gboolean         ear_feed_intake_get_damaged  (EarFeedIntake *self);

/* One document of a feed, taken in */
EarHttpRequest  *ear_feed_request_new (const char *address,
                                       const char *user,
                                       const char *password);
void             ear_feed_load_async  (EarHttp             *http,
                                       EarHttpRequest      *request,
                                       EarFeedIntake       *intake,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
EarHttpResponse *ear_feed_load_finish (GAsyncResult  *result,
                                       gint64        *retry_after,
                                       GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedIntake, ear_feed_intake_unref)

G_END_DECLS
