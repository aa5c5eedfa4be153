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

/* podcast:remoteItem: another podcast */
struct _EarRemoteItem
{
  char *feed_guid;
  char *feed_address; /* (nullable) */
  char *item_guid;    /* (nullable): one of its episodes */
  char *medium;
  char *title;
};

/* Declares the functions of an entry. */
#define EAR_DECLARE_ENTRY(Type, name) \
  Type *ear_##name##_new (void); \
  void ear_##name##_free (Type *self);

EAR_DECLARE_ENTRY (EarEnclosure, enclosure)
EAR_DECLARE_ENTRY (EarChapter, chapter)
EAR_DECLARE_ENTRY (EarTranscriptLink, transcript_link)
EAR_DECLARE_ENTRY (EarPerson, person)
EAR_DECLARE_ENTRY (EarFunding, funding)
EAR_DECLARE_ENTRY (EarRemoteItem, remote_item)
void ear_chapter_set_end (EarChapter *self, gint64 end);

/*
 * Facts: a feed's data on a podcast and its episodes, as plain reference-counted
 * structures. feed/ makes them, catalogue/ stores them, neither on the main thread.
 * Filled by one owner; immutable once shared.
 *
 * Strings are UTF-8, or NULL if the feed has none. Text is plain text with entities
 * resolved; only `notes` and `description` may be HTML. Addresses are absolute, http
 * or https; all others were rejected. In the structures the texts come first, and
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
  char *guid; /* as written, never resolved; NULL if the feed has none */
  char *title;
  char *link;
  char *author;
  char *image;
  char *notes;      /* HTML or plain text: the richest of the item's descriptions */
  char *notes_base; /* base of relative links in the notes */
  char *subtitle;   /* one plain line */
  char *season_name; /* podcast:season name */
  char *number;     /* as written: "83", "12.5", "Special" */
  char *chapters_address; /* Podcasting 2.0 JSON chapters */

  GPtrArray *enclosures;  /* (element-type EarEnclosure): the first playable one first */
  GPtrArray *pictures;    /* (element-type EarEnclosure): image enclosures; not stored */
  GPtrArray *chapters;    /* (element-type EarChapter): by start */
  GPtrArray *transcripts; /* (element-type EarTranscriptLink) */
  GPtrArray *persons;     /* (element-type EarPerson): empty: those of the podcast */
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
  char *self_address; /* the address that the feed states, for feeds in a file; not stored */
  char *guid;     /* podcast:guid */
  char *license;  /* podcast:license */
  char *location; /* podcast:location */
  char *update_text; /* podcast:updateFrequency: the schedule in the feed's own words */

  /* RFC 5005: the next document; paged feeds continue by "next", archived feeds by
   * "prev-archive" */
  char *next_address;

  GPtrArray *categories; /* (element-type utf8) */
  GPtrArray *keywords;   /* (element-type utf8) */
  GPtrArray *funding;    /* (element-type EarFunding) */
  GPtrArray *persons;    /* (element-type EarPerson) */
  GPtrArray *podroll;    /* (element-type EarRemoteItem): podcasts that this one recommends */

  gint64 published; /* Unix seconds, EAR_DATE_UNKNOWN */
  EarExplicit explicit_content;
  gboolean complete; /* no further episodes: itunes:complete, podcast:updateFrequency */
  gboolean blocked;
};

#define EAR_TYPE_EPISODE_FACTS (ear_episode_facts_get_type ())
GType ear_episode_facts_get_type (void) G_GNUC_CONST;
EarEpisodeFacts *ear_episode_facts_new (void);
EarEpisodeFacts *ear_episode_facts_ref (EarEpisodeFacts *self);
void ear_episode_facts_unref (EarEpisodeFacts *self);

#define EAR_TYPE_PODCAST_FACTS (ear_podcast_facts_get_type ())
GType ear_podcast_facts_get_type (void) G_GNUC_CONST;
EarPodcastFacts *ear_podcast_facts_new (void);
EarPodcastFacts *ear_podcast_facts_ref (EarPodcastFacts *self);
void ear_podcast_facts_unref (EarPodcastFacts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeFacts, ear_episode_facts_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarPodcastFacts, ear_podcast_facts_unref)

G_END_DECLS
