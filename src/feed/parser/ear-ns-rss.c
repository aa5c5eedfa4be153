/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-address.h"

/* RSS 2.0 and 0.9x (https://www.rssboard.org/rss-specification) and RSS 1.0 with RDF
 * (https://web.resource.org/rss/1.0/spec), whose items are siblings of the channel. */

static void
start_item (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  ear_feed_context_begin_episode (context, element, attributes);
  ear_feed_context_set (context, EAR_FIELD_GUID, 5, ear_xml_attributes_get (attributes, "about"));
}

static void
start_guid (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  /* The text type passes isPermaLink to end_guid. */
  if (ear_xml_attributes_is (attributes, "isPermaLink", "false"))
    context->text_type = EAR_FEED_TEXT_LITERAL;
  else if (ear_xml_attributes_is (attributes, "isPermaLink", "true"))
    context->text_type = EAR_FEED_TEXT_HTML;
}

static void
end_guid (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  ear_feed_context_set (context, EAR_FIELD_GUID, element->rank, stripped);
  /* A relative URL needs an explicit isPermaLink="true": most other guids without a
   * scheme are numbers. */
  if (context->text_type == EAR_FEED_TEXT_HTML || (context->text_type == EAR_FEED_TEXT_PLAIN && ear_address_is_web (stripped)))
    ear_feed_context_set (context, EAR_FIELD_LINK, 5, stripped);
}

/* <image url="..."/> and <image href="..."/>, as in Media RSS and iTunes */
static void
start_image (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  ear_feed_context_set_attribute (context, element, attributes, "url");
  ear_feed_context_set_attribute (context, element, attributes, "href");
}

static void
start_enclosure (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *url = ear_xml_attributes_get (attributes, "url");

  ear_feed_context_add_media (context, url != NULL ? url : ear_xml_attributes_get (attributes, "href"),
                              ear_xml_attributes_get (attributes, "type"), ear_xml_attributes_get (attributes, "length"));
}

static const char *const addresses[] = {
  "purl.org/rss/1.0",
  "purl.org/rss/2.0",
  "purl.org/net/rss1.1",
  "my.netscape.com/rdf/simple/0.9",
  "channel.netscape.com/rdf/simple/0.9",
  "backend.userland.com/rss",
  "backend.userland.com/rss2",
  "backend.userland.com/rss091",
  "backend.userland.com/rss092",
  "blogs.law.harvard.edu/tech/rss",
  "cyber.law.harvard.edu/rss",
  "rssboard.org/rss-specification",
  "w3.org/1999/02/22-rdf-syntax-ns",
  NULL,
};

static const EarFeedElement elements[] = {
  { "channel", EAR_FEED_ROOT, EAR_FEED_PODCAST },
  { "item", EAR_FEED_ROOT | EAR_FEED_PODCAST, EAR_FEED_EPISODE, .start = start_item, .end = ear_feed_context_end_episode },
  { "image", EAR_FEED_ROOT | EAR_FEED_BOTH, EAR_FEED_IMAGE, EAR_FIELD_IMAGE, 28, .start = start_image },
  { "url", EAR_FEED_IMAGE, .field = EAR_FIELD_IMAGE, .rank = 30 },
  { "href", EAR_FEED_IMAGE, .field = EAR_FIELD_IMAGE, .rank = 28 },
  { "title", EAR_FEED_BOTH, .field = EAR_FIELD_TITLE, .rank = 40 },
  { "link", EAR_FEED_BOTH, .field = EAR_FIELD_LINK, .rank = 40, .start = ear_ns_atom_start_link, .end = ear_ns_atom_end_link },
  { "description", EAR_FEED_BOTH, .field = EAR_FIELD_NOTES, .rank = 30 },
  { "body", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 32 },
  { "fullitem", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 32 },
  { "guid", EAR_FEED_EPISODE, .field = EAR_FIELD_GUID, .rank = 40, .start = start_guid, .end = end_guid },
  { "enclosure", EAR_FEED_EPISODE, .start = start_enclosure },
  { "pubDate", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 40 },
  { "lastBuildDate", EAR_FEED_PODCAST, .field = EAR_FIELD_PUBLISHED, .rank = 20 },
  { "author", EAR_FEED_BOTH, .field = EAR_FIELD_AUTHOR, .rank = 30 },
  { "managingEditor", EAR_FEED_PODCAST, .field = EAR_FIELD_AUTHOR, .rank = 10 },
  { "webMaster", EAR_FEED_PODCAST, .field = EAR_FIELD_AUTHOR, .rank = 5 },
  { "language", EAR_FEED_PODCAST, .field = EAR_FIELD_LANGUAGE, .rank = 40 },
  { "copyright", EAR_FEED_PODCAST, .field = EAR_FIELD_COPYRIGHT, .rank = 40 },
  { "generator", EAR_FEED_PODCAST, .field = EAR_FIELD_GENERATOR, .rank = 40 },
  /* Children of iTunes' owner, without their prefix */
  { "name", EAR_FEED_OWNER, .field = EAR_FIELD_OWNER_NAME, .rank = 30 },
  { "email", EAR_FEED_OWNER, .field = EAR_FIELD_OWNER_EMAIL, .rank = 30 },
  /* https://www.rssboard.org/redirect-rss-feed */
  { "newLocation", EAR_FEED_ROOT, .field = EAR_FIELD_NEW_ADDRESS, .rank = 30 },
  { "category", EAR_FEED_PODCAST, .field = EAR_FIELD_CATEGORY, .rank = 10 },
  { NULL },
};

const EarFeedNamespace ear_ns_rss = { addresses, "rss", elements };
