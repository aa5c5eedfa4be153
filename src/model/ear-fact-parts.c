/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fact-parts.h"

/* Frees what begins with so many bytes of texts. */
static void
free_part (gpointer part, gsize texts_size)
{
  for (gsize i = 0; i < texts_size; i += sizeof (char *))
    g_free (G_STRUCT_MEMBER (char *, part, i));
  g_free (part);
}

EarEnclosure *
ear_enclosure_new (void)
{
  return g_new0 (EarEnclosure, 1);
}

void
ear_enclosure_free (EarEnclosure *self)
{
  free_part (self, G_STRUCT_OFFSET (EarEnclosure, size));
}

EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

void
ear_chapter_free (EarChapter *self)
{
  free_part (self, G_STRUCT_OFFSET (EarChapter, start));
}

EarTranscriptLink *
ear_transcript_link_new (void)
{
  return g_new0 (EarTranscriptLink, 1);
}

void
ear_transcript_link_free (EarTranscriptLink *self)
{
  free_part (self, sizeof *self);
}

EarPerson *
ear_person_new (void)
{
  return g_new0 (EarPerson, 1);
}

void
ear_person_free (EarPerson *self)
{
  free_part (self, sizeof *self);
}

EarFunding *
ear_funding_new (void)
{
  return g_new0 (EarFunding, 1);
}

void
ear_funding_free (EarFunding *self)
{
  free_part (self, sizeof *self);
}

EarAlternate *
ear_alternate_new (void)
{
  return g_new0 (EarAlternate, 1);
}

void
ear_alternate_free (EarAlternate *self)
{
  free_part (self, G_STRUCT_OFFSET (EarAlternate, size));
}

EarSoundbite *
ear_soundbite_new (void)
{
  return g_new0 (EarSoundbite, 1);
}

void
ear_soundbite_free (EarSoundbite *self)
{
  free_part (self, G_STRUCT_OFFSET (EarSoundbite, start));
}

EarRemoteItem *
ear_remote_item_new (void)
{
  return g_new0 (EarRemoteItem, 1);
}

void
ear_remote_item_free (EarRemoteItem *self)
{
  free_part (self, sizeof *self);
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

EarFeedText *
ear_feed_text_new (void)
{
  return g_new0 (EarFeedText, 1);
}

void
ear_feed_text_free (EarFeedText *self)
{
  free_part (self, sizeof *self);
}
