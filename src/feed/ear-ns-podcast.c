/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-text-line.h"

#include <string.h>

/* Podcasting 2.0, https://podcasting2.org/docs/podcast-namespace */

#define MAX_TRANSCRIPTS 50
#define MAX_PERSONS 100
#define MAX_FUNDING 20

static char *
dup_line (const EarFeedAttributes *attributes, const char *name)
{
  g_autofree char *value = ear_feed_attributes_dup (attributes, name);

  return value != NULL ? ear_text_line (value, EAR_TEXT_ESCAPED, 200) : NULL;
}

static void
start_transcript (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  g_autofree char *reference = ear_feed_attributes_dup (attributes, "url");
  g_autofree char *address = ear_feed_context_resolve (context, reference);
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

static void
start_chapters (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  ear_feed_context_set_attribute (context, element, attributes, "url");
}

static void
start_person (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  GPtrArray *list = context->episode != NULL ? context->episode->persons : context->podcast->persons;
  g_autofree char *image = ear_feed_attributes_dup (attributes, "img");
  g_autofree char *link = ear_feed_attributes_dup (attributes, "href");
  g_autofree char *role = dup_line (attributes, "role");
  EarPerson *person;

  if (list->len >= MAX_PERSONS)
    return;
  person = ear_person_new ();
  person->role = g_utf8_strdown (role != NULL ? role : "host", -1);
  person->image = ear_feed_context_resolve (context, image);
  person->link = ear_feed_context_resolve (context, link);
  g_ptr_array_add (list, person);
}

/* The name comes as text, after the attributes; without one there is no person. */
static void
end_person (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  GPtrArray *list = context->episode != NULL ? context->episode->persons : context->podcast->persons;
  EarPerson *person = list->len > 0 ? g_ptr_array_index (list, list->len - 1) : NULL;

  if (person == NULL || person->name != NULL)
    return;
  person->name = ear_text_line (text, EAR_TEXT_ESCAPED, 200);
  if (person->name == NULL)
    g_ptr_array_set_size (list, list->len - 1);
}

static void
start_funding (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  g_autofree char *reference = ear_feed_attributes_dup (attributes, "url");
  g_autofree char *address = ear_feed_context_resolve (context, reference);
  GPtrArray *list = context->podcast->funding;
  EarFunding *funding;

  /* Without an address the text that follows belongs to nothing. */
  context->text_type = EAR_FEED_TEXT_LITERAL;
  if (address == NULL || list->len >= MAX_FUNDING)
    return;
  context->text_type = EAR_FEED_TEXT_PLAIN;
  funding = ear_funding_new ();
  funding->address = g_steal_pointer (&address);
  g_ptr_array_add (list, funding);
}

static void
end_funding (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  GPtrArray *list = context->podcast->funding;
  EarFunding *funding = list->len > 0 ? g_ptr_array_index (list, list->len - 1) : NULL;

  if (funding != NULL && context->text_type == EAR_FEED_TEXT_PLAIN)
    funding->text = ear_text_line (text, EAR_TEXT_ESCAPED, 200);
}

/* `display` is what listeners are to read in the number's place. */
static void
start_number (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  g_autofree char *display = ear_feed_attributes_dup (attributes, "display");

  ear_feed_context_set (context, element->field, element->rank + 1, display);
}

static void
start_image (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  ear_feed_context_set_attribute (context, element, attributes, "href");
}

/* Deprecated: "url 1500w, url 600w"; the first one is the largest as a rule. */
static void
start_images (EarFeedContext *context, const EarFeedElement *element, const EarFeedAttributes *attributes)
{
  g_autofree char *set = ear_feed_attributes_dup (attributes, "srcset");

  if (set == NULL)
    return;
  g_strstrip (set);
  set[strcspn (set, " ,")] = '\0';
  ear_feed_context_set (context, element->field, element->rank, set);
}

static const char *const addresses[] = {
  "podcastindex.org/namespace/1.0",
  "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
  NULL,
};

static const EarFeedElement elements[] = {
  { "transcript", EAR_FEED_EPISODE, .start = start_transcript },
  { "chapters", EAR_FEED_EPISODE, .field = EAR_FIELD_CHAPTERS, .rank = 40, .start = start_chapters },
  { "person", EAR_FEED_BOTH, .start = start_person, .end = end_person },
  { "funding", EAR_FEED_ROOT | EAR_FEED_PODCAST, .start = start_funding, .end = end_funding },
  { "guid", EAR_FEED_PODCAST, .field = EAR_FIELD_GUID, .rank = 40 },
  { "season", EAR_FEED_EPISODE, .field = EAR_FIELD_SEASON, .rank = 50 },
  { "episode", EAR_FEED_EPISODE, .field = EAR_FIELD_NUMBER, .rank = 50, .start = start_number },
  { "image", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 20, .start = start_image },
  { "images", EAR_FEED_BOTH, .field = EAR_FIELD_IMAGE, .rank = 15, .start = start_images },
  { NULL },
};

const EarFeedNamespace ear_ns_podcast = { addresses, "podcast", elements };
