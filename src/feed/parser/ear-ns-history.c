/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

/* RFC 5005: a feed in several documents. Both elements are empty flags. */

static void
start_archive (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  context->podcast->archive = TRUE;
}

static void
start_complete (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  context->podcast->complete_document = TRUE;
}

static const char *const addresses[] = { "purl.org/syndication/history/1.0", NULL };

static const EarFeedElement elements[] = {
  { "archive", EAR_FEED_PODCAST, .start = start_archive },
  { "complete", EAR_FEED_PODCAST, .start = start_complete },
  { NULL },
};

const EarFeedNamespace ear_ns_history = { addresses, "fh", elements };
