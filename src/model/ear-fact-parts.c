/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fact-parts.h"

/* Frees a structure that begins with texts, @texts_size bytes of pointers. */
static void
free_part (gpointer part, gsize texts_size)
{
  for (gsize i = 0; i < texts_size; i += sizeof (char *))
    g_free (G_STRUCT_MEMBER (char *, part, i));
  g_free (part);
}

#define DEFINE_PART(Type, name, texts_size) \
  Type *ear_##name##_new (void) \
  { \
    return g_new0 (Type, 1); \
  } \
  void ear_##name##_free (Type *self) \
  { \
    free_part (self, texts_size); \
  }

DEFINE_PART (EarEnclosure, enclosure, G_STRUCT_OFFSET (EarEnclosure, size))
DEFINE_PART (EarTranscriptLink, transcript_link, sizeof (EarTranscriptLink))
DEFINE_PART (EarPerson, person, sizeof (EarPerson))
DEFINE_PART (EarFunding, funding, sizeof (EarFunding))
DEFINE_PART (EarAlternate, alternate, G_STRUCT_OFFSET (EarAlternate, size))
DEFINE_PART (EarSoundbite, soundbite, G_STRUCT_OFFSET (EarSoundbite, start))
DEFINE_PART (EarRemoteItem, remote_item, sizeof (EarRemoteItem))
DEFINE_PART (EarFeedText, feed_text, sizeof (EarFeedText))

EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

void
ear_chapter_free (EarChapter *self)
{
  g_clear_pointer (&self->picture, g_bytes_unref);
  free_part (self, G_STRUCT_OFFSET (EarChapter, picture));
}

/* @end: microseconds, untrusted: an end that is not after the start, or is too late for
 * any recording, is dropped */
void
ear_chapter_set_end (EarChapter *self, gint64 end)
{
  self->end = end > self->start && end <= EAR_POSITION_LIMIT ? end : 0;
}

EarLiveItem *
ear_live_item_new (void)
{
  EarLiveItem *self = g_new0 (EarLiveItem, 1);

  self->start = EAR_DATE_UNKNOWN;
  self->end = EAR_DATE_UNKNOWN;

  return self;
}

void
ear_live_item_free (EarLiveItem *self)
{
  free_part (self, G_STRUCT_OFFSET (EarLiveItem, start));
}

EarTrailer *
ear_trailer_new (void)
{
  EarTrailer *self = g_new0 (EarTrailer, 1);

  self->published = EAR_DATE_UNKNOWN;

  return self;
}

void
ear_trailer_free (EarTrailer *self)
{
  free_part (self, G_STRUCT_OFFSET (EarTrailer, published));
}
