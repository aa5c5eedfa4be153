/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fact-parts.h"

EarEnclosure *
ear_enclosure_new (void)
{
  return g_new0 (EarEnclosure, 1);
}

void
ear_enclosure_free (EarEnclosure *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self);
}

EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

void
ear_chapter_free (EarChapter *self)
{
  g_free (self->title);
  g_free (self->link);
  g_free (self->image);
  g_free (self);
}

EarTranscriptLink *
ear_transcript_link_new (void)
{
  return g_new0 (EarTranscriptLink, 1);
}

void
ear_transcript_link_free (EarTranscriptLink *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->language);
  g_free (self);
}

EarPerson *
ear_person_new (void)
{
  return g_new0 (EarPerson, 1);
}

void
ear_person_free (EarPerson *self)
{
  g_free (self->name);
  g_free (self->role);
  g_free (self->image);
  g_free (self->link);
  g_free (self);
}

EarFunding *
ear_funding_new (void)
{
  return g_new0 (EarFunding, 1);
}

void
ear_funding_free (EarFunding *self)
{
  g_free (self->address);
  g_free (self->text);
  g_free (self);
}

EarAlternate *
ear_alternate_new (void)
{
  return g_new0 (EarAlternate, 1);
}

void
ear_alternate_free (EarAlternate *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->title);
  g_free (self->language);
  g_free (self);
}

EarSoundbite *
ear_soundbite_new (void)
{
  return g_new0 (EarSoundbite, 1);
}

void
ear_soundbite_free (EarSoundbite *self)
{
  g_free (self->title);
  g_free (self);
}

EarRemoteItem *
ear_remote_item_new (void)
{
  return g_new0 (EarRemoteItem, 1);
}

void
ear_remote_item_free (EarRemoteItem *self)
{
  g_free (self->feed_guid);
  g_free (self->feed_address);
  g_free (self->item_guid);
  g_free (self->medium);
  g_free (self->title);
  g_free (self);
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
  g_free (self->status);
  g_free (self->guid);
  g_free (self->title);
  g_free (self->link);
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self);
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
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->title);
  g_free (self);
}

EarFeedText *
ear_feed_text_new (void)
{
  return g_new0 (EarFeedText, 1);
}

void
ear_feed_text_free (EarFeedText *self)
{
  g_free (self->purpose);
  g_free (self->text);
  g_free (self);
}
