/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-text-line.h"

#include <string.h>

/* Atom 1.0 (RFC 4287) and 0.3, as a format and inside RSS, with the links of RFC 5005
 * (feeds in several documents). */

static gboolean
starts_with_html (const char *type)
{
  return strcmp (type, "html") == 0 || strcmp (type, "text/html") == 0;
}

/* RFC 4287, sections 3.1.1 and 4.1.3; Atom 0.3 uses `mode` for this. */
static void
start_text (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *type = ear_xml_attributes_get (attributes, "type");
  gboolean is_base64 = ear_xml_attributes_is (attributes, "mode", "base64");

  if (is_base64)
    context->text_type = type != NULL && starts_with_html (type) ? EAR_FEED_TEXT_BASE64_HTML : EAR_FEED_TEXT_BASE64;
  else if (type == NULL || strcmp (type, "text") == 0 || strcmp (type, "text/plain") == 0)
    context->text_type = EAR_FEED_TEXT_LITERAL;
  else if (strcmp (type, "xhtml") == 0 || strcmp (type, "application/xhtml+xml") == 0)
    context->text_type = EAR_FEED_TEXT_XHTML;
  else if (g_str_has_prefix (type, "text/") || starts_with_html (type) || g_str_has_suffix (type, "xml"))
    context->text_type = EAR_FEED_TEXT_HTML;
  else if (strcmp (type, "application/octet-stream") == 0)
    context->text_type = EAR_FEED_TEXT_BASE64;
}

static void
start_content (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *source = ear_xml_attributes_get (attributes, "src");

  start_text (context, element, attributes);
  if (context->text_type == EAR_FEED_TEXT_PLAIN && !ear_xml_attributes_is (attributes, "type", "multipart/alternative"))
    context->text_type = EAR_FEED_TEXT_BASE64;
  if (source != NULL && context->episode != NULL)
    {
      const char *type = ear_xml_attributes_get (attributes, "type");

      if (type != NULL && (g_str_has_prefix (type, "audio/") || g_str_has_prefix (type, "video/")))
        ear_feed_context_add_media (context, source, type, NULL);
    }
}

static guint
rank_of_page (const char *type)
{
  if (type == NULL || strcmp (type, "text/html") == 0 || strcmp (type, "application/xhtml+xml") == 0)
    return 35;

  return 20;
}

/* Link relations of RFC 4287 and RFC 5005 */
static const struct
{
  const char *name;
  EarFeedField field;
  guint rank;
} relations[] = {
  { "self", EAR_FIELD_SELF_ADDRESS, 40 },
  { "next", EAR_FIELD_NEXT_ADDRESS, 40 },
  { "prev-archive", EAR_FIELD_NEXT_ADDRESS, 30 },
};

static void
add_funding (EarFeedContext *context, const char *reference, const EarXmlAttributes *attributes)
{
  const char *title = ear_xml_attributes_get (attributes, "title");
  EarFunding *funding = ear_feed_context_add_funding (context, reference);

  if (funding != NULL && title != NULL)
    funding->text = ear_text_line (title, EAR_TEXT_ESCAPED, 200);
}

/* Reads the attributes of a link, in Atom and in some RSS feeds.
 * @element: the row of a `link` */
void
ear_ns_atom_start_link (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *rel = ear_xml_attributes_get (attributes, "rel");
  const char *href = ear_xml_attributes_get (attributes, "href");
  const char *type = ear_xml_attributes_get (attributes, "type");
  const char *name = rel != NULL ? rel : "alternate";

  /* Registered relations may be written as IRIs. */
  if (g_str_has_prefix (name, "http://www.iana.org/assignments/relation/"))
    name += strlen ("http://www.iana.org/assignments/relation/");
  /* Keeps end_link from using the text as the page's URL. */
  if (strcmp (name, "alternate") != 0)
    context->text_type = EAR_FEED_TEXT_LITERAL;
  if (strcmp (name, "alternate") == 0)
    ear_feed_context_set (context, EAR_FIELD_LINK, rank_of_page (type), href);
  else if (strcmp (name, "enclosure") == 0)
    {
      ear_feed_context_add_media (context, href, type, ear_xml_attributes_get (attributes, "length"));
    }
  else if (strcmp (name, "payment") == 0)
    add_funding (context, href, attributes);
  for (gsize i = 0; i < G_N_ELEMENTS (relations); i++)
    if (g_ascii_strcasecmp (name, relations[i].name) == 0)
      ear_feed_context_set (context, relations[i].field, relations[i].rank, href);
}

/* Reads the text of a link, in RSS and in some Atom 0.3 feeds.
 * @element: the row of a `link` */
void
ear_ns_atom_end_link (EarFeedContext *context, const EarFeedElement *element, const char *text)
{
  if (context->text_type != EAR_FEED_TEXT_LITERAL)
    ear_feed_context_set (context, EAR_FIELD_LINK, element->rank, text);
}

static const char *const addresses[] = {
  "w3.org/2005/atom",
  "purl.org/atom/ns",
  "purl.org/atom",
  "example.com/newformat",
  NULL,
};

static const EarFeedElement elements[] = {
  { "entry", EAR_FEED_PODCAST, EAR_FEED_EPISODE, .start = ear_feed_context_begin_episode, .end = ear_feed_context_end_episode },
  { "title", EAR_FEED_BOTH, .field = EAR_FIELD_TITLE, .rank = 30, .start = start_text },
  { "subtitle", EAR_FEED_PODCAST, .field = EAR_FIELD_NOTES, .rank = 25, .start = start_text },
  { "tagline", EAR_FEED_PODCAST, .field = EAR_FIELD_NOTES, .rank = 20, .start = start_text },
  { "info", EAR_FEED_PODCAST, .field = EAR_FIELD_NOTES, .rank = 10, .start = start_text },
  { "content", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 35, .start = start_content },
  { "summary", EAR_FEED_EPISODE, .field = EAR_FIELD_NOTES, .rank = 25, .start = start_text },
  { "id", EAR_FEED_EPISODE, .field = EAR_FIELD_GUID, .rank = 30 },
  { "link", EAR_FEED_BOTH, .rank = 10, .start = ear_ns_atom_start_link, .end = ear_ns_atom_end_link },
  { "published", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 35 },
  { "issued", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 34 },
  { "created", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 12 },
  { "updated", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 11 },
  { "modified", EAR_FEED_BOTH, .field = EAR_FIELD_PUBLISHED, .rank = 10 },
  { "author", EAR_FEED_BOTH, EAR_FEED_PERSON },
  { "name", EAR_FEED_PERSON, .field = EAR_FIELD_AUTHOR, .rank = 35 },
  { "email", EAR_FEED_PERSON, .field = EAR_FIELD_AUTHOR, .rank = 10 },
  { "logo", EAR_FEED_PODCAST, .field = EAR_FIELD_IMAGE, .rank = 25 },
  { "icon", EAR_FEED_PODCAST, .field = EAR_FIELD_IMAGE, .rank = 5 },
  { "rights", EAR_FEED_PODCAST, .field = EAR_FIELD_COPYRIGHT, .rank = 30, .start = start_text },
  { "copyright", EAR_FEED_PODCAST, .field = EAR_FIELD_COPYRIGHT, .rank = 20, .start = start_text },
  { "generator", EAR_FEED_PODCAST, .field = EAR_FIELD_GENERATOR, .rank = 30 },
  { NULL },
};

const EarFeedNamespace ear_ns_atom = { addresses, "atom", elements };
