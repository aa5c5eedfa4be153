/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-feed-values.h"
#include "ear-text-line.h"

#include <string.h>

/* Podcasting 2.0, https://podcasting2.org/docs/podcast-namespace */

#define MAX_TRANSCRIPTS 50
#define MAX_PERSONS 100
#define MAX_ALTERNATES 100
#define MAX_PODROLL 100

static char *
dup_line (const EarXmlAttributes *attributes, const char *name)
{
  const char *value = ear_xml_attributes_get (attributes, name);

  return value != NULL ? ear_text_line (value, EAR_TEXT_ESCAPED, 200) : NULL;
}

static char *
dup_address (EarFeedContext *context, const EarXmlAttributes *attributes, const char *name)
{
  return ear_feed_context_resolve (context, ear_xml_attributes_get (attributes, name));
}

static gint64
read_size (const EarXmlAttributes *attributes, const char *name)
{
  const char *value = ear_xml_attributes_get (attributes, name);

  return value != NULL ? ear_feed_read_size (value) : 0;
}

static void
start_transcript (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *address = dup_address (context, attributes, "url");
  GPtrArray *list = context->episode->transcripts;
  EarTranscriptLink *link;

  if (address == NULL || list->len >= MAX_TRANSCRIPTS)
    return;
  link = ear_transcript_link_new ();
  link->address = g_steal_pointer (&address);
  link->mime_type = dup_line (attributes, "type");
  link->language = dup_line (attributes, "language");
  g_ptr_array_add (list, link);
}

static GPtrArray *
get_persons (EarFeedContext *context)
{
  return context->episode != NULL ? context->episode->persons : context->podcast->persons;
}

static void
start_person (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  GPtrArray *list = get_persons (context);
  g_autofree char *role = dup_line (attributes, "role");
  EarPerson *person;

  if (list->len >= MAX_PERSONS)
    return;
  person = ear_person_new ();
  person->role = g_utf8_casefold (role != NULL ? role : "host", -1);
  person->image = dup_address (context, attributes, "img");
  person->link = dup_address (context, attributes, "href");
  g_ptr_array_add (list, person);
  context->line = &person->name;
}

/* A person without a name is dropped. */
static void
end_person (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  GPtrArray *list = get_persons (context);

  ear_feed_context_end_line (context, element, text);
  if (context->line != NULL && *context->line == NULL)
    g_ptr_array_set_size (list, list->len - 1);
}

static void
start_funding (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  EarFunding *funding = ear_feed_context_add_funding (context, ear_xml_attributes_get (attributes, "url"));

  /* Without a URL, the text of the element is ignored. */
  if (funding != NULL)
    context->line = &funding->text;
}

/* The attributes apply to each <source> inside. */
static void
start_alternate (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *type = dup_line (attributes, "type");

  g_clear_pointer (&context->alternate, ear_enclosure_free);
  context->alternate = ear_enclosure_new ();
  context->alternate->mime_type = type != NULL ? g_ascii_strdown (type, -1) : NULL;
  context->alternate->size = read_size (attributes, "length");
  context->alternate_is_default = ear_xml_attributes_is (attributes, "default", "true");
}

static void
start_source (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const EarEnclosure *from = context->alternate;
  /* Sources outside the web (ipfs:, torrents) are rejected like all other addresses. */
  g_autofree char *address = dup_address (context, attributes, "uri");
  g_autofree char *content_type = dup_line (attributes, "contentType");
  EarEnclosure *alternate;

  if (address == NULL || from == NULL || context->alternates->len >= MAX_ALTERNATES)
    return;
  alternate = ear_enclosure_new ();
  alternate->address = g_steal_pointer (&address);
  alternate->mime_type = content_type != NULL ? g_ascii_strdown (content_type, -1) : g_strdup (from->mime_type);
  alternate->size = from->size;
  g_ptr_array_insert (context->alternates, context->alternate_is_default ? (int) context->n_defaults++ : -1,
                      alternate);
}

static void
start_remote_item (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *guid = dup_line (attributes, "feedGuid");
  g_autofree char *address = dup_address (context, attributes, "feedUrl");
  GPtrArray *list = context->podcast->podroll;
  EarRemoteItem *item;

  if ((guid == NULL && address == NULL) || list->len >= MAX_PODROLL)
    return;
  item = ear_remote_item_new ();
  item->feed_guid = g_steal_pointer (&guid);
  item->feed_address = g_steal_pointer (&address);
  item->item_guid = dup_line (attributes, "itemGuid");
  item->medium = dup_line (attributes, "medium");
  item->title = dup_line (attributes, "title");
  g_ptr_array_add (list, item);
}

static void
start_update_frequency (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  if (ear_xml_attributes_is (attributes, "complete", "true"))
    context->podcast->complete = TRUE;
  context->line = &context->podcast->update_text;
}

static void
start_season (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  ear_feed_context_set (context, EAR_FIELD_SEASON_NAME, element->rank, ear_xml_attributes_get (attributes, "name"));
}

/* `display` replaces the number for listeners. */
static void
start_number (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  ear_feed_context_set (context, element->field, element->rank + 1, ear_xml_attributes_get (attributes, "display"));
}

/* Pictures for other purposes (banners, social media cards) are not covers. */
static void
start_image (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *purpose = dup_line (attributes, "purpose");

  if (purpose == NULL || strcasestr (purpose, "artwork") != NULL)
    ear_feed_context_set_attribute (context, element, attributes, "href");
}

/* Deprecated: "url 1500w, url 600w". The widest one is used. */
static void
start_images (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *set = ear_xml_attributes_get (attributes, "srcset");
  g_auto (GStrv) candidates = set != NULL ? g_strsplit (set, ",", 20) : NULL;
  char *widest = NULL;
  gint64 most = -1;

  for (char **candidate = candidates; candidate != NULL && *candidate != NULL; candidate++)
    {
      char *space = strpbrk (g_strstrip (*candidate), " \t\r\n");
      gint64 width = 0;

      if (space != NULL)
        {
          *space = '\0';
          width = g_ascii_strtoll (space + 1, NULL, 10);
        }
      if (**candidate != '\0' && width > most)
        {
          widest = *candidate;
          most = width;
        }
    }
  ear_feed_context_set (context, element->field, element->rank, widest);
}

static const char *const addresses[] = {
  "podcastindex.org/namespace/1.0",
  "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
  NULL,
};

static const EarFeedElement elements[] = {
  { "transcript", EAR_FEED_EPISODE, .start = start_transcript },
  { "chapters", EAR_FEED_EPISODE, .field = EAR_FIELD_CHAPTERS, .rank = 40, .attribute = "url" },
  { "person", EAR_FEED_BOTH, .start = start_person, .end = end_person },
  { "funding", EAR_FEED_ROOT | EAR_FEED_BOTH, .start = start_funding, .end = ear_feed_context_end_line },
  { "guid", EAR_FEED_PODCAST, .field = EAR_FIELD_GUID, .rank = 40 },
  { "season", EAR_FEED_EPISODE, .field = EAR_FIELD_SEASON, .rank = 50, .start = start_season },
  { "episode", EAR_FEED_EPISODE, .field = EAR_FIELD_NUMBER, .rank = 50, .start = start_number },
  { "alternateEnclosure", EAR_FEED_EPISODE, EAR_FEED_ALTERNATE, .start = start_alternate },
  { "source", EAR_FEED_ALTERNATE, .start = start_source },
  { "podroll", EAR_FEED_PODCAST, EAR_FEED_PODROLL },
  { "remoteItem", EAR_FEED_PODROLL, .start = start_remote_item },
  { "updateFrequency", EAR_FEED_PODCAST, .start = start_update_frequency, .end = ear_feed_context_end_line },
  { "license", EAR_FEED_PODCAST, .field = EAR_FIELD_LICENSE, .rank = 40 },
  { "location", EAR_FEED_PODCAST, .field = EAR_FIELD_LOCATION, .rank = 40 },
  { "image", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 20, .start = start_image },
  { "images", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 15, .start = start_images },
  { NULL },
};

const EarFeedNamespace ear_ns_podcast = { addresses, "podcast", elements };
