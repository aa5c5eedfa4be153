/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fact-parts.h"

/**
 * ear_enclosure_new:
 *
 * Returns: (transfer full): an empty enclosure, a media file of an episode
 */
EarEnclosure *
ear_enclosure_new (void)
{
  return g_new0 (EarEnclosure, 1);
}

/**
 * ear_enclosure_free:
 * @self: (transfer full): an enclosure
 */
void
ear_enclosure_free (EarEnclosure *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self);
}

/**
 * ear_chapter_new:
 *
 * Returns: (transfer full): an empty chapter that starts at 0
 */
EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

/**
 * ear_chapter_free:
 * @self: (transfer full): a chapter
 */
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

/**
 * ear_transcript_link_free:
 * @self: (transfer full): a link to a transcript
 */
void
ear_transcript_link_free (EarTranscriptLink *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->language);
  g_free (self);
}

/**
 * ear_person_new:
 *
 * Returns: (transfer full): an empty `podcast:person`
 */
EarPerson *
ear_person_new (void)
{
  return g_new0 (EarPerson, 1);
}

/**
 * ear_person_free:
 * @self: (transfer full): a person
 */
void
ear_person_free (EarPerson *self)
{
  g_free (self->name);
  g_free (self->role);
  g_free (self->image);
  g_free (self->link);
  g_free (self);
}

/**
 * ear_funding_new:
 *
 * Returns: (transfer full): an empty `podcast:funding`
 */
EarFunding *
ear_funding_new (void)
{
  return g_new0 (EarFunding, 1);
}

/**
 * ear_funding_free:
 * @self: (transfer full): a way to fund a podcast
 */
void
ear_funding_free (EarFunding *self)
{
  g_free (self->address);
  g_free (self->text);
  g_free (self);
}

/**
 * ear_alternate_new:
 *
 * Returns: (transfer full): an empty alternate, one more form of an episode's sound
 */
EarAlternate *
ear_alternate_new (void)
{
  return g_new0 (EarAlternate, 1);
}

/**
 * ear_alternate_free:
 * @self: (transfer full): an alternate
 */
void
ear_alternate_free (EarAlternate *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->title);
  g_free (self->language);
  g_free (self);
}

/**
 * ear_soundbite_new:
 *
 * Returns: (transfer full): an empty `podcast:soundbite`
 */
EarSoundbite *
ear_soundbite_new (void)
{
  return g_new0 (EarSoundbite, 1);
}

/**
 * ear_soundbite_free:
 * @self: (transfer full): a soundbite
 */
void
ear_soundbite_free (EarSoundbite *self)
{
  g_free (self->title);
  g_free (self);
}

/**
 * ear_remote_item_new:
 *
 * Returns: (transfer full): an empty `podcast:remoteItem`
 */
EarRemoteItem *
ear_remote_item_new (void)
{
  return g_new0 (EarRemoteItem, 1);
}

/**
 * ear_remote_item_free:
 * @self: (transfer full): a remote item
 */
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

/**
 * ear_live_item_new:
 *
 * Returns: (transfer full): an empty `podcast:liveItem`, at no known time
 */
EarLiveItem *
ear_live_item_new (void)
{
  EarLiveItem *self = g_new0 (EarLiveItem, 1);

  self->start = EAR_DATE_UNKNOWN;
  self->end = EAR_DATE_UNKNOWN;

  return self;
}

/**
 * ear_live_item_free:
 * @self: (transfer full): a live item
 */
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

/**
 * ear_trailer_new:
 *
 * Returns: (transfer full): an empty `podcast:trailer`, of no known date
 */
EarTrailer *
ear_trailer_new (void)
{
  EarTrailer *self = g_new0 (EarTrailer, 1);

  self->published = EAR_DATE_UNKNOWN;

  return self;
}

/**
 * ear_trailer_free:
 * @self: (transfer full): a trailer
 */
void
ear_trailer_free (EarTrailer *self)
{
  g_free (self->address);
  g_free (self->mime_type);
  g_free (self->title);
  g_free (self);
}

/**
 * ear_feed_text_new:
 *
 * Returns: (transfer full): an empty `podcast:txt`
 */
EarFeedText *
ear_feed_text_new (void)
{
  return g_new0 (EarFeedText, 1);
}

/**
 * ear_feed_text_free:
 * @self: (transfer full): a text
 */
void
ear_feed_text_free (EarFeedText *self)
{
  g_free (self->purpose);
  g_free (self->text);
  g_free (self);
}
