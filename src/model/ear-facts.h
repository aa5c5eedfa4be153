/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-fact-parts.h"

G_BEGIN_DECLS

/*
 * Facts: what a feed says of a podcast and of its episodes, as plain reference-counted
 * structures. feed/ makes them, catalogue/ keeps them; both on threads other than the main
 * one. Filled by one owner, and not changed any more once a second one holds them.
 *
 * Strings are UTF-8 or NULL where the feed says nothing. Text is plain text with
 * entities resolved; only `notes` and `description` may be HTML. Addresses are absolute
 * and http or https, all others were refused. In the structures the texts stand first, and
 * then the lists.
 */

typedef enum
{
  EAR_EPISODE_FULL,
  EAR_EPISODE_TRAILER,
  EAR_EPISODE_BONUS,
} EarEpisodeType;

typedef enum
{
  EAR_EXPLICIT_UNKNOWN,
  EAR_EXPLICIT_NO,
  EAR_EXPLICIT_YES,
} EarExplicit;

struct _EarEpisodeFacts
{
  char *guid; /* as written, never resolved; NULL when the feed has none */
  char *title;
  char *link;
  char *author;
  char *image;
  char *notes;      /* HTML or plain text: the richest of the item's descriptions */
  char *notes_base; /* what relative links in the notes are relative to */
  char *subtitle;   /* one plain line */
  char *season_name; /* podcast:season name */
  char *number;     /* as written: "83", "12.5", "Special" */
  char *chapters_address; /* Podcasting 2.0 JSON chapters */
  char *podlove_address;  /* Podlove chapters in a file of their own */
  char *comments_address; /* where listeners talk about it */

  GPtrArray *enclosures;  /* (element-type EarEnclosure), the first playable one first */
  GPtrArray *pictures;    /* (element-type EarEnclosure): enclosures that are pictures, and no media; not stored */
  GPtrArray *alternates;  /* (element-type EarAlternate): other forms of the same sound */
  GPtrArray *chapters;    /* (element-type EarChapter), by start */
  GPtrArray *transcripts; /* (element-type EarTranscriptLink) */
  GPtrArray *soundbites;  /* (element-type EarSoundbite) */
  GPtrArray *persons;     /* (element-type EarPerson); none: those of the podcast */
  GPtrArray *funding;     /* (element-type EarFunding) */

  gint64 published; /* Unix seconds, EAR_DATE_UNKNOWN */
  gint64 duration;  /* microseconds, EAR_DURATION_UNKNOWN */
  int season;       /* 0: none */
  EarEpisodeType type;
  EarExplicit explicit_content;
};

struct _EarPodcastFacts
{
  char *title;
  char *link;
  char *description; /* HTML or plain text */
  char *image;
  char *language;
  char *author;
  char *copyright;
  char *generator;
  char *owner_name;
  char *owner_email;
  char *type; /* "episodic" or "serial" */
  char *new_address;
  char *self_address; /* what the feed says that its own is: for a feed that lies in a file; not stored */
  char *guid;     /* podcast:guid */
  char *medium;   /* podcast:medium: "podcast", "music", "musicL" ...; NULL means "podcast" */
  char *license;  /* podcast:license */
  char *location; /* podcast:location */
  char *update_text; /* podcast:updateFrequency: how often episodes come, in the feed's own words */

  /* RFC 5005: what the document that was read says of itself and of its neighbours. Only
   * `next_address` is stored. Documents of a paged feed lead on by "next", those of an
   * archived feed by "prev-archive"; `next_address` is whichever there is. */
  char *next_address;
  char *previous_address;     /* "previous" or "next-archive": newer episodes */
  char *first_address;        /* the first page */
  char *last_address;         /* the last page */
  char *current_address;      /* the subscription document of an archive's */

  GPtrArray *categories; /* (element-type utf8) */
  GPtrArray *keywords;   /* (element-type utf8) */
  GPtrArray *funding;    /* (element-type EarFunding) */
  GPtrArray *persons;    /* (element-type EarPerson) */
  GPtrArray *podroll;    /* (element-type EarRemoteItem): podcasts that this one recommends */
  GPtrArray *live_items; /* (element-type EarLiveItem) */
  GPtrArray *trailers;   /* (element-type EarTrailer) */
  GPtrArray *texts;      /* (element-type EarFeedText): podcast:txt */

  gint64 published; /* Unix seconds, EAR_DATE_UNKNOWN */
  EarExplicit explicit_content;
  gboolean complete; /* no episode will follow: itunes:complete, podcast:updateFrequency */
  gboolean blocked;
  gint64 update_interval; /* the same in seconds, on average; 0 when the feed does not say */
  gboolean archive;           /* fh:archive: the document will not change any more */
  gboolean complete_document; /* fh:complete: all that there is stands in it */
};

#define EAR_TYPE_EPISODE_FACTS (ear_episode_facts_get_type ())
GType            ear_episode_facts_get_type (void) G_GNUC_CONST;
EarEpisodeFacts *ear_episode_facts_new      (void);
EarEpisodeFacts *ear_episode_facts_ref      (EarEpisodeFacts *self);
void             ear_episode_facts_unref    (EarEpisodeFacts *self);

#define EAR_TYPE_PODCAST_FACTS (ear_podcast_facts_get_type ())
GType            ear_podcast_facts_get_type (void) G_GNUC_CONST;
EarPodcastFacts *ear_podcast_facts_new      (void);
EarPodcastFacts *ear_podcast_facts_ref      (EarPodcastFacts *self);
void             ear_podcast_facts_unref    (EarPodcastFacts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeFacts, ear_episode_facts_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarPodcastFacts, ear_podcast_facts_unref)

G_END_DECLS
