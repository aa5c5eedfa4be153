/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"

G_BEGIN_DECLS

typedef struct _EarFeedParser EarFeedParser;

/**
 * EarFeedItemFunc:
 * @facts: (transfer none): the facts of one episode; take a reference to keep it
 * @user_data: data of the caller
 *
 * Called for each episode as soon as its element is closed, on the thread that pushes.
 */
typedef void (*EarFeedItemFunc) (EarEpisodeFacts *facts,
                                 gpointer         user_data);

/* The format of a document that only redirects to another feed
 * (https://www.rssboard.org/redirect-rss-feed) */
#define EAR_FEED_REDIRECT "redirect"

EarFeedParser   *ear_feed_parser_new         (const char      *address,
                                              const char      *content_type,
                                              EarFeedItemFunc  item_func,
                                              gpointer         user_data);
void             ear_feed_parser_free        (EarFeedParser *self);
gboolean         ear_feed_parser_push        (EarFeedParser *self,
                                              const guint8  *data,
                                              gsize          length,
                                              GError       **error);
gboolean         ear_feed_parser_finish      (EarFeedParser *self,
                                              GError       **error);
EarPodcastFacts *ear_feed_parser_get_podcast (EarFeedParser *self);
guint            ear_feed_parser_get_n_items (EarFeedParser *self);
const char      *ear_feed_parser_get_format  (EarFeedParser *self);
gboolean         ear_feed_parser_get_damaged (EarFeedParser *self);
char            *ear_feed_parser_dup_version (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedParser, ear_feed_parser_free)

G_END_DECLS
