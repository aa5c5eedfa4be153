/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

/* https://web.resource.org/rss/1.0/modules/content/, and XHTML bodies of older RSS */

static void
start_body (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  context->text_type = EAR_FEED_TEXT_XHTML;
}

static const char *const content_addresses[] = { "purl.org/rss/1.0/modules/content", NULL };

static const EarFeedElement content_elements[] = {
  { "encoded", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 40 },
  { "encoded", EAR_FEED_PODCAST, .field = EAR_FIELD_NOTES, .rank = 15 },
  { NULL },
};

static const char *const xhtml_addresses[] = { "w3.org/1999/xhtml", NULL };

static const EarFeedElement xhtml_elements[] = {
  { "body", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 35, .start = start_body },
  { "div", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 35, .start = start_body },
  { NULL },
};

const EarFeedNamespace ear_ns_content = { content_addresses, "content", content_elements };
const EarFeedNamespace ear_ns_xhtml = { xhtml_addresses, "xhtml", xhtml_elements };
