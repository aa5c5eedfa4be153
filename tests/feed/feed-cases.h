/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "feed-reader.h"

G_BEGIN_DECLS

/* Each case is pushed whole, in pieces of seven bytes and byte by byte; all three results
 * must be the same. `expected` holds lines that must be in the result; those that begin
 * with "!" must not be. */
typedef struct
{
  const char *name;
  const char *source;
  const char *expected;
} FeedCase;

void feed_reader_check_cases (const FeedCase *cases,
                              gsize           n);

#define RSS(channel) "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" " \
                     "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" " \
                     "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" " \
                     "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" " \
                     "xmlns:psc=\"http://podlove.org/simple-chapters\" " \
                     "xmlns:media=\"http://search.yahoo.com/mrss/\" " \
                     "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" " \
                     "xmlns:googleplay=\"http://www.google.com/schemas/play-podcasts/1.0\" " \
                     "xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>" channel "</channel></rss>\n"
#define ITEM(item) RSS ("<title>Podcast</title><item>" item "</item>")
#define ATOM(feed) "<feed xmlns=\"http://www.w3.org/2005/Atom\">" feed "</feed>"

G_END_DECLS
