/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-chapters.h"
#include "ear-duration.h"
#include "ear-text-line.h"

/* Podlove Simple Chapters, https://podlove.org/simple-chapters/ */

static void
start_chapter (EarFeedContext *context, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  const char *start = ear_xml_attributes_get (attributes, "start");
  const char *title = ear_xml_attributes_get (attributes, "title");
  const char *link = ear_xml_attributes_get (attributes, "href");
  const char *image = ear_xml_attributes_get (attributes, "image");
  GPtrArray *list = context->episode->chapters;
  EarChapter *chapter;
  gint64 position;

  if (!ear_npt_parse (start, &position) || list->len >= EAR_CHAPTERS_LIMIT)
    return;
  chapter = ear_chapter_new ();
  chapter->start = position;
  chapter->title = title != NULL ? ear_text_line (title, EAR_TEXT_ESCAPED, EAR_CHAPTER_TITLE_LIMIT) : NULL;
  chapter->link = ear_feed_context_resolve (context, link);
  chapter->image = ear_feed_context_resolve (context, image);
  g_ptr_array_add (list, chapter);
}

static const char *const addresses[] = { "podlove.org/simple-chapters", NULL };

static const EarFeedElement elements[] = {
  { "chapters", EAR_FEED_EPISODE, EAR_FEED_CHAPTERS },
  { "chapter", EAR_FEED_CHAPTERS, .start = start_chapter },
  { NULL },
};

const EarFeedNamespace ear_ns_podlove = { addresses, "psc", elements };
