/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include <string.h>

/* Media RSS, https://www.rssboard.org/media-rss */

static void
start_content (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *address = ear_xml_attributes_get (attributes, "url");
  const char *type = ear_xml_attributes_get (attributes, "type");
  const char *medium = ear_xml_attributes_get (attributes, "medium");
  const char *duration = ear_xml_attributes_get (attributes, "duration");
  const char *size = ear_xml_attributes_get (attributes, "fileSize");

  if ((medium != NULL && strcmp (medium, "image") == 0) || (type != NULL && g_str_has_prefix (type, "image/")))
    {
      ear_feed_context_set (context, EAR_FIELD_IMAGE, 10, address);
      return;
    }
  ear_feed_context_set (context, EAR_FIELD_DURATION, 10, duration);
  /* The medium serves as a type without a subtype: it is enough to choose a playable
   * one. */
  if (type == NULL && medium != NULL && (strcmp (medium, "audio") == 0 || strcmp (medium, "video") == 0))
    type = *medium == 'a' ? "audio/*" : "video/*";
  ear_feed_context_add_media (context, address, type, size);
}

static const char *const addresses[] = { "search.yahoo.com/mrss", "video.search.yahoo.com/mrss", "api.maps.yahoo.com/mrss", NULL };

static const EarFeedElement elements[] = {
  { "group", EAR_FEED_EPISODE, EAR_FEED_MEDIA },
  { "content", EAR_FEED_EPISODE | EAR_FEED_MEDIA, EAR_FEED_MEDIA, .start = start_content },
  { "thumbnail", EAR_FEED_BOTH | EAR_FEED_MEDIA, .field = EAR_FIELD_IMAGE, .rank = 12, .attribute = "url" },
  { "title", EAR_FEED_EPISODE | EAR_FEED_MEDIA, .field = EAR_FIELD_TITLE, .rank = 5 },
  { "description", EAR_FEED_EPISODE | EAR_FEED_MEDIA, .field = EAR_FIELD_NOTES, .rank = 5 },
  { "rating", EAR_FEED_BOTH | EAR_FEED_MEDIA, .field = EAR_FIELD_EXPLICIT, .rank = 10 },
  { NULL },
};

const EarFeedNamespace ear_ns_media = { addresses, "media", elements };
