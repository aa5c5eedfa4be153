/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

/* https://help.apple.com/itc/podcasts_connect/#/itcb54353390 */

static void
start_image (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  ear_feed_context_set_attribute (context, element, attributes, "href");
  ear_feed_context_set_attribute (context, element, attributes, "url");
  ear_feed_context_set_attribute (context, element, attributes, "src");
}

/* Sets the URL that some feeds write as text, perhaps with the attribute's name:
 * "href=https://...". A URL with the rest of a tag, such as "href=https://...\">", ranks
 * below all other pictures. */
static void
end_image (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  g_autofree char *address = g_strstrip (g_strdup (text));
  char *value = address + strcspn (address, "=");
  const char quote = value[0] != '\0' ? value[1 + strspn (value + 1, " ")] : '\0';
  gsize length;

  *value = '\0';
  if (g_ascii_strcasecmp (g_strchomp (address), "href") != 0 && g_ascii_strcasecmp (address, "url") != 0)
    {
      ear_feed_context_set (context, element->field, element->rank, text);
      return;
    }
  value++;
  value += strspn (value, " ");
  value += quote == '"' || quote == '\'';
  length = strcspn (value, "\"'<>");
  if (value[length] != '\0' && (value[length] != quote || value[length + 1] != '\0'))
    {
      value[length] = '\0';
      ear_feed_context_set (context, element->field, EAR_FEED_DOUBTFUL_RANK, value);
    }
  else
    {
      value[length] = '\0';
      ear_feed_context_set (context, element->field, element->rank, value);
    }
}

/* The oldest form: <itunes:link rel="image" href="..."/> */
static void
start_link (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  if (ear_xml_attributes_is (attributes, "rel", "image"))
    ear_feed_context_set_attribute (context, element, attributes, "href");
}

static const char *const addresses[] = {
  "itunes.com/dtds/podcast-1.0.dtd",
  "itunes.apple.com/dtds/podcast-1.0.dtd",
  "example.com/dtds/podcast-1.0.dtd",
  NULL,
};

static const EarFeedElement elements[] = {
  { "title", EAR_FEED_BOTH, .field = EAR_FIELD_TITLE, .rank = 20 },
  { "subtitle", EAR_FEED_EPISODE, .field = EAR_FIELD_SUBTITLE, .rank = 40 },
  { "subtitle", EAR_FEED_PODCAST, .field = EAR_FIELD_NOTES, .rank = 5 },
  /* The same rank as RSS's description: the richer one is kept. */
  { "summary", EAR_FEED_BOTH, .field = EAR_FIELD_NOTES, .rank = 30 },
  { "author", EAR_FEED_BOTH, .field = EAR_FIELD_AUTHOR, .rank = 40 },
  { "image", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 40, .start = start_image, .end = end_image },
  { "link", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 35, .start = start_link },
  { "duration", EAR_FEED_EPISODE, .field = EAR_FIELD_DURATION, .rank = 40 },
  { "season", EAR_FEED_EPISODE, .field = EAR_FIELD_SEASON, .rank = 40 },
  { "episode", EAR_FEED_EPISODE, .field = EAR_FIELD_NUMBER, .rank = 40 },
  { "episodeType", EAR_FEED_EPISODE, .field = EAR_FIELD_TYPE, .rank = 40 },
  { "type", EAR_FEED_PODCAST, .field = EAR_FIELD_TYPE, .rank = 40 },
  { "explicit", EAR_FEED_BOTH, .field = EAR_FIELD_EXPLICIT, .rank = 40 },
  { "owner", EAR_FEED_PODCAST, EAR_FEED_OWNER },
  { "name", EAR_FEED_OWNER, .field = EAR_FIELD_OWNER_NAME, .rank = 40 },
  { "email", EAR_FEED_OWNER, .field = EAR_FIELD_OWNER_EMAIL, .rank = 40 },
  { "category", EAR_FEED_PODCAST | EAR_FEED_CATEGORY, EAR_FEED_CATEGORY, EAR_FIELD_CATEGORY, 40, .attribute = "text" },
  { "keywords", EAR_FEED_PODCAST, .field = EAR_FIELD_KEYWORDS, .rank = 40 },
  { "new-feed-url", EAR_FEED_PODCAST, .field = EAR_FIELD_NEW_ADDRESS, .rank = 40 },
  { "complete", EAR_FEED_PODCAST, .field = EAR_FIELD_COMPLETE, .rank = 40 },
  { "block", EAR_FEED_PODCAST, .field = EAR_FIELD_BLOCKED, .rank = 40 },
  { NULL },
};

const EarFeedNamespace ear_ns_itunes = { addresses, "itunes", elements };
