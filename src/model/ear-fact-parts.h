/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Entries of the lists in the facts of an episode or a podcast. As the
 * facts (ear-facts.h), they are plain structures, filled by one owner.
 * Their texts come first. */

struct _EarEnclosure
{
  char *address;
  char *mime_type;
  gint64 size; /* bytes, 0 if unknown */
};

struct _EarChapter
{
  char *title;
  char *link;
  char *image;     /* URL of its image, or the name of @picture */
  GBytes *picture; /* (nullable): image embedded in the media, undecoded */
  gint64 start;    /* microseconds */
  gint64 end;      /* stated end, after the start; 0: start of the next chapter */
  gboolean hidden; /* Podcasting 2.0 `toc: false`: not listed */
};

struct _EarTranscriptLink
{
  char *address;
  char *mime_type;
  char *language;
};

struct _EarPerson
{
  char *name;
  char *role;
  char *image;
  char *link;
};

struct _EarFunding
{
  char *address;
  char *text;
};

/* One source of a podcast:alternateEnclosure */
struct _EarAlternate
{
  char *address;
  char *mime_type;
  char *title;
  char *language;
  gint64 size;    /* bytes, 0 if unknown */
  gint64 bitrate; /* bits per second, 0 if unknown */
  gint64 height;  /* of the video in pixels, 0 for audio */
  gboolean is_default;
  gint64 group; /* sources with the same number have the same bytes */
};

/* podcast:soundbite: a highlight */
struct _EarSoundbite
{
  char *title;
  gint64 start;    /* microseconds */
  gint64 duration; /* microseconds */
};

/* podcast:remoteItem: another podcast */
struct _EarRemoteItem
{
  char *feed_guid;
  char *feed_address; /* (nullable) */
  char *item_guid;    /* (nullable): one of its episodes */
  char *medium;
  char *title;
};

/* podcast:liveItem: a scheduled live stream */
struct _EarLiveItem
{
  char *status;  /* "pending", "live" or "ended" */
  char *guid;
  char *title;
  char *link;
  char *address; /* of the stream */
  char *mime_type;
  gint64 start;  /* Unix seconds, EAR_DATE_UNKNOWN */
  gint64 end;    /* Unix seconds, EAR_DATE_UNKNOWN */
};

/* podcast:trailer */
struct _EarTrailer
{
  char *address;
  char *mime_type;
  char *title;
  gint64 published; /* Unix seconds, EAR_DATE_UNKNOWN */
  gint64 size;      /* bytes, 0 if unknown */
  gint64 season;    /* 0: the whole podcast */
};

/* podcast:txt */
struct _EarFeedText
{
  char *purpose; /* (nullable) */
  char *text;
};

EarEnclosure      *ear_enclosure_new        (void);
void               ear_enclosure_free       (EarEnclosure *self);
EarChapter        *ear_chapter_new          (void);
void               ear_chapter_free         (EarChapter *self);
void               ear_chapter_set_end      (EarChapter *self,
                                             gint64      end);
EarTranscriptLink *ear_transcript_link_new  (void);
void               ear_transcript_link_free (EarTranscriptLink *self);
EarPerson         *ear_person_new           (void);
void               ear_person_free          (EarPerson *self);
EarFunding        *ear_funding_new          (void);
void               ear_funding_free         (EarFunding *self);
EarAlternate      *ear_alternate_new        (void);
void               ear_alternate_free       (EarAlternate *self);
EarSoundbite      *ear_soundbite_new        (void);
void               ear_soundbite_free       (EarSoundbite *self);
EarRemoteItem     *ear_remote_item_new      (void);
void               ear_remote_item_free     (EarRemoteItem *self);
EarLiveItem       *ear_live_item_new        (void);
void               ear_live_item_free       (EarLiveItem *self);
EarTrailer        *ear_trailer_new          (void);
void               ear_trailer_free         (EarTrailer *self);
EarFeedText       *ear_feed_text_new        (void);
void               ear_feed_text_free       (EarFeedText *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLiveItem, ear_live_item_free)

G_END_DECLS
