/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/*
 * Facts: what a feed says of a podcast and of its episodes, as plain reference-counted
 * structures. feed/ makes them, store/ keeps them; both on threads other than the main
 * one. Filled by one owner, and not changed any more once a second one holds them.
 *
 * Strings are UTF-8 or NULL where the feed says nothing. Text is plain text with
 * entities resolved; only `notes` and `description` may be HTML. Addresses are absolute
 * and http or https, all others were refused.
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

struct _EarEnclosure
{
  char *address;
  char *mime_type;
  gint64 size; /* bytes, 0 when unknown */
};

struct _EarChapter
{
  gint64 start; /* microseconds */
  char *title;
  char *link;
  char *image;
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
  gint64 published; /* Unix seconds, EAR_DATE_UNKNOWN */
  gint64 duration;  /* microseconds, EAR_DURATION_UNKNOWN */
  int season;       /* 0: none */
  char *number;     /* as written: "83", "12.5", "Special" */
  EarEpisodeType type;
  EarExplicit explicit_content;
  GPtrArray *enclosures;  /* (element-type EarEnclosure), the first playable one first */
  GPtrArray *chapters;    /* (element-type EarChapter), by start */
  char *chapters_address; /* Podcasting 2.0 JSON chapters */
  GPtrArray *transcripts; /* (element-type EarTranscriptLink) */
  GPtrArray *persons;     /* (element-type EarPerson) */
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
  char *next_address; /* RFC 5005 */
  char *guid;         /* podcast:guid */
  gint64 published;   /* Unix seconds, EAR_DATE_UNKNOWN */
  EarExplicit explicit_content;
  gboolean complete;
  gboolean blocked;
  GPtrArray *categories; /* (element-type utf8) */
  GPtrArray *keywords;   /* (element-type utf8) */
  GPtrArray *funding;    /* (element-type EarFunding) */
  GPtrArray *persons;    /* (element-type EarPerson) */
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

EarEnclosure      *ear_enclosure_new        (void);
void               ear_enclosure_free       (EarEnclosure *self);
EarChapter        *ear_chapter_new          (void);
void               ear_chapter_free         (EarChapter *self);
EarTranscriptLink *ear_transcript_link_new  (void);
void               ear_transcript_link_free (EarTranscriptLink *self);
EarPerson         *ear_person_new           (void);
void               ear_person_free          (EarPerson *self);
EarFunding        *ear_funding_new          (void);
void               ear_funding_free         (EarFunding *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeFacts, ear_episode_facts_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarPodcastFacts, ear_podcast_facts_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEnclosure, ear_enclosure_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarChapter, ear_chapter_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTranscriptLink, ear_transcript_link_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarPerson, ear_person_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFunding, ear_funding_free)

G_END_DECLS
