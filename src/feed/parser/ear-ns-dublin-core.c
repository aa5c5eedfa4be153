/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

/* https://www.dublincore.org/specifications/dublin-core/dcmi-terms/ */

static const char *const addresses[] = {
  "purl.org/dc/elements/1.0",
  "purl.org/dc/elements/1.1",
  "purl.org/dc/terms",
  NULL,
};

static const EarFeedElement elements[] = {
  { "title", EAR_FEED_BOTH, .field = EAR_FIELD_TITLE, .rank = 10 },
  { "creator", EAR_FEED_BOTH, .field = EAR_FIELD_AUTHOR, .rank = 25 },
  { "author", EAR_FEED_BOTH, .field = EAR_FIELD_AUTHOR, .rank = 20 },
  { "publisher", EAR_FEED_PODCAST, .field = EAR_FIELD_AUTHOR, .rank = 8 },
  { "description", EAR_FEED_BOTH, .field = EAR_FIELD_NOTES, .rank = 10 },
  { "date", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 30 },
  { "issued", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 28 },
  { "created", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 12 },
  { "modified", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 9 },
  { "language", EAR_FEED_PODCAST, .field = EAR_FIELD_LANGUAGE, .rank = 30 },
  { "rights", EAR_FEED_PODCAST, .field = EAR_FIELD_COPYRIGHT, .rank = 20 },
  { "identifier", EAR_FEED_EPISODE, .field = EAR_FIELD_GUID, .rank = 4 },
  { NULL },
};

const EarFeedNamespace ear_ns_dublin_core = { addresses, "dc", elements };
