/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

/* http://www.google.com/schemas/play-podcasts/1.0/ */

static const char *const addresses[] = { "google.com/schemas/play-podcasts/1.0", NULL };

static const EarFeedElement elements[] = {
  { "author", EAR_FEED_BOTH, .field = EAR_FIELD_AUTHOR, .rank = 15 },
  { "description", EAR_FEED_BOTH, .field = EAR_FIELD_NOTES, .rank = 15 },
  { "image", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 20, .attribute = "href" },
  { "explicit", EAR_FEED_BOTH, .field = EAR_FIELD_EXPLICIT, .rank = 20 },
  { "new-feed-url", EAR_FEED_PODCAST, .field = EAR_FIELD_NEW_ADDRESS, .rank = 20 },
  { NULL },
};

const EarFeedNamespace ear_ns_googleplay = { addresses, "googleplay", elements };
