/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-date.h"
#include "ear-duration.h"
#include "ear-feed-values.h"
#include "ear-recurrence.h"
#include "ear-text-line.h"

#include <string.h>

/* Podcasting 2.0, https://podcasting2.org/docs/podcast-namespace */

#define MAX_TRANSCRIPTS 50
#define MAX_PERSONS 100
#define MAX_SOUNDBITES 100
#define MAX_ALTERNATES 100
#define MAX_PODROLL 100
#define MAX_LIVE_ITEMS 20
#define MAX_TRAILERS 50
#define MAX_TEXTS 20

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
read_date (const EarXmlAttributes *attributes, const char *name)
{
  return ear_date_parse (ear_xml_attributes_get (attributes, name));
}

/* Returns: a whole number from 1, or 0 for anything else */
static gint64
read_number (const EarXmlAttributes *attributes, const char *name)
{
  const char *value = ear_xml_attributes_get (attributes, name);

  return value != NULL ? CLAMP (g_ascii_strtoll (value, NULL, 10), 0, (gint64) 1 << 44) : 0;
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

static void
start_soundbite (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *start = ear_xml_attributes_get (attributes, "startTime");
  const char *duration = ear_xml_attributes_get (attributes, "duration");
  GPtrArray *list = context->episode->soundbites;
  EarSoundbite *soundbite;
  gint64 from, length;

  if (!ear_npt_parse (start, &from) || !ear_npt_parse (duration, &length) || length == 0 || list->len >= MAX_SOUNDBITES)
    return;
  soundbite = ear_soundbite_new ();
  soundbite->start = from;
  soundbite->duration = length;
  g_ptr_array_add (list, soundbite);
  context->line = &soundbite->title;
}

/* The attributes apply to each <source> inside. */
static void
start_alternate (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  gint64 group = context->alternate != NULL ? context->alternate->group + 1 : 1;

  g_clear_pointer (&context->alternate, ear_alternate_free);
  context->alternate = ear_alternate_new ();
  context->alternate->mime_type = dup_line (attributes, "type");
  context->alternate->title = dup_line (attributes, "title");
  context->alternate->language = dup_line (attributes, "lang");
  context->alternate->size = read_size (attributes, "length");
  context->alternate->bitrate = read_number (attributes, "bitrate");
  context->alternate->height = read_number (attributes, "height");
  context->alternate->is_default = ear_xml_attributes_is (attributes, "default", "true");
  context->alternate->group = group;
}

static void
start_source (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const EarAlternate *from = context->alternate;
  /* Sources outside the web (ipfs:, torrents) are rejected like all other addresses. */
  g_autofree char *address = dup_address (context, attributes, "uri");
  g_autofree char *content_type = dup_line (attributes, "contentType");
  EarAlternate *alternate;

  if (address == NULL || from == NULL || context->episode->alternates->len >= MAX_ALTERNATES)
    return;
  alternate = ear_alternate_new ();
  alternate->address = g_steal_pointer (&address);
  alternate->mime_type = g_strdup (content_type != NULL ? content_type : from->mime_type);
  alternate->title = g_strdup (from->title);
  alternate->language = g_strdup (from->language);
  alternate->size = from->size;
  alternate->bitrate = from->bitrate;
  alternate->height = from->height;
  alternate->is_default = from->is_default;
  alternate->group = from->group;
  g_ptr_array_add (context->episode->alternates, alternate);
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

/* A live item has the elements of an item: they fill the facts of an episode, from which
 * the live item is made at its end. */
static void
start_live_item (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *status = dup_line (attributes, "status");

  ear_feed_context_begin_episode (context, element, attributes);
  g_clear_pointer (&context->live, ear_live_item_free);
  context->live = ear_live_item_new ();
  context->live->status = g_ascii_strdown (status != NULL ? status : "pending", -1);
  context->live->start = read_date (attributes, "start");
  context->live->end = read_date (attributes, "end");
}

static void
end_live_item (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  g_autoptr (EarEpisodeFacts) episode = NULL;
  g_autoptr (EarLiveItem) live = g_steal_pointer (&context->live);
  const EarEnclosure *enclosure;

  if (context->episode != NULL)
    ear_feed_context_sort_media (context);
  episode = g_steal_pointer (&context->episode);
  if (episode == NULL || live == NULL || context->podcast->live_items->len >= MAX_LIVE_ITEMS)
    return;
  live->guid = g_steal_pointer (&episode->guid);
  live->title = g_steal_pointer (&episode->title);
  if (live->link == NULL)
    live->link = g_steal_pointer (&episode->link);
  if (episode->enclosures->len > 0)
    {
      enclosure = g_ptr_array_index (episode->enclosures, 0);
      live->address = g_strdup (enclosure->address);
      live->mime_type = g_strdup (enclosure->mime_type);
    }
  g_ptr_array_add (context->podcast->live_items, g_steal_pointer (&live));
}

/* URL of the page where the live item can be played */
static void
start_content_link (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  if (context->live != NULL && context->live->link == NULL)
    context->live->link = dup_address (context, attributes, "href");
}

static void
start_trailer (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_autofree char *address = dup_address (context, attributes, "url");
  GPtrArray *list = context->podcast->trailers;
  EarTrailer *trailer;

  if (address == NULL || list->len >= MAX_TRAILERS)
    return;
  trailer = ear_trailer_new ();
  trailer->address = g_steal_pointer (&address);
  trailer->mime_type = dup_line (attributes, "type");
  trailer->published = read_date (attributes, "pubdate");
  trailer->size = read_size (attributes, "length");
  trailer->season = read_number (attributes, "season");
  g_ptr_array_add (list, trailer);
  context->line = &trailer->title;
}

static void
start_update_frequency (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  if (ear_xml_attributes_is (attributes, "complete", "true"))
    context->podcast->complete = TRUE;
  if (context->podcast->update_interval == 0)
    context->podcast->update_interval = ear_recurrence_parse (ear_xml_attributes_get (attributes, "rrule"));
  context->line = &context->podcast->update_text;
}

static void
start_text (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  GPtrArray *list = context->podcast->texts;
  EarFeedText *text;

  if (list->len >= MAX_TEXTS)
    return;
  text = ear_feed_text_new ();
  text->purpose = dup_line (attributes, "purpose");
  g_ptr_array_add (list, text);
  context->line = &text->text;
}

static void
end_text (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  GPtrArray *list = context->podcast->texts;

  ear_feed_context_end_line (context, element, text);
  if (context->line != NULL && *context->line == NULL)
    g_ptr_array_set_size (list, list->len - 1);
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

static void
start_social (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  if (!ear_xml_attributes_is (attributes, "protocol", "disabled"))
    ear_feed_context_set_attribute (context, element, attributes, "uri");
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
  { "soundbite", EAR_FEED_EPISODE, .start = start_soundbite, .end = ear_feed_context_end_line },
  { "person", EAR_FEED_BOTH, .start = start_person, .end = end_person },
  { "funding", EAR_FEED_ROOT | EAR_FEED_BOTH, .start = start_funding, .end = ear_feed_context_end_line },
  { "guid", EAR_FEED_PODCAST, .field = EAR_FIELD_GUID, .rank = 40 },
  { "season", EAR_FEED_EPISODE, .field = EAR_FIELD_SEASON, .rank = 50, .start = start_season },
  { "episode", EAR_FEED_EPISODE, .field = EAR_FIELD_NUMBER, .rank = 50, .start = start_number },
  { "alternateEnclosure", EAR_FEED_EPISODE, EAR_FEED_ALTERNATE, .start = start_alternate },
  { "source", EAR_FEED_ALTERNATE, .start = start_source },
  { "podroll", EAR_FEED_PODCAST, EAR_FEED_PODROLL },
  { "remoteItem", EAR_FEED_PODROLL, .start = start_remote_item },
  { "liveItem", EAR_FEED_PODCAST, EAR_FEED_EPISODE, .start = start_live_item, .end = end_live_item },
  { "contentLink", EAR_FEED_EPISODE, .start = start_content_link },
  { "trailer", EAR_FEED_PODCAST, .start = start_trailer, .end = ear_feed_context_end_line },
  { "updateFrequency", EAR_FEED_PODCAST, .start = start_update_frequency, .end = ear_feed_context_end_line },
  { "medium", EAR_FEED_PODCAST, .field = EAR_FIELD_MEDIUM, .rank = 40 },
  { "license", EAR_FEED_PODCAST, .field = EAR_FIELD_LICENSE, .rank = 40 },
  { "location", EAR_FEED_PODCAST, .field = EAR_FIELD_LOCATION, .rank = 40 },
  { "txt", EAR_FEED_PODCAST, .start = start_text, .end = end_text },
  { "socialInteract", EAR_FEED_EPISODE, .field = EAR_FIELD_COMMENTS, .rank = 40, .start = start_social },
  { "image", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 20, .start = start_image },
  { "images", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 15, .start = start_images },
  { NULL },
};

const EarFeedNamespace ear_ns_podcast = { addresses, "podcast", elements };
