/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"
#include "ear-xml-elements.h"

G_BEGIN_DECLS

/* Private to feed/: the state of a feed being parsed, as seen by the namespaces
 * (ear-ns-*.c). */

typedef struct _EarFeedContext EarFeedContext;
typedef struct _EarFeedElement EarFeedElement;

/* Scopes: the element that an element's facts belong to */
typedef enum
{
  EAR_FEED_ROOT = 1 << 0,
  EAR_FEED_PODCAST = 1 << 1,
  EAR_FEED_EPISODE = 1 << 2,
  EAR_FEED_IMAGE = 1 << 3,    /* RSS: <image> */
  EAR_FEED_PERSON = 1 << 4,   /* Atom: <author> */
  EAR_FEED_OWNER = 1 << 5,    /* iTunes: <owner> */
  EAR_FEED_CATEGORY = 1 << 6, /* iTunes: <category> */
  EAR_FEED_CHAPTERS = 1 << 7, /* Podlove: <chapters> */
  EAR_FEED_MEDIA = 1 << 8,    /* Media RSS: <group>, <content> */
  EAR_FEED_ALTERNATE = 1 << 9, /* Podcasting 2.0: <alternateEnclosure> */
  EAR_FEED_PODROLL = 1 << 10,  /* Podcasting 2.0: <podroll> */
} EarFeedScope;

#define EAR_FEED_BOTH (EAR_FEED_PODCAST | EAR_FEED_EPISODE)

/* Rank of a picture URL that is probably wrong: any other one replaces it */
#define EAR_FEED_DOUBTFUL_RANK 1

typedef enum
{
  EAR_FIELD_NONE,
  EAR_FIELD_GUID,
  EAR_FIELD_TITLE,
  EAR_FIELD_LINK,
  EAR_FIELD_AUTHOR,
  EAR_FIELD_IMAGE,
  EAR_FIELD_NOTES,
  EAR_FIELD_SUBTITLE,
  EAR_FIELD_PUBLISHED,
  EAR_FIELD_DURATION,
  EAR_FIELD_SEASON,
  EAR_FIELD_SEASON_NAME,
  EAR_FIELD_NUMBER,
  EAR_FIELD_TYPE,
  EAR_FIELD_EXPLICIT,
  EAR_FIELD_CHAPTERS,
  EAR_FIELD_LANGUAGE,
  EAR_FIELD_COPYRIGHT,
  EAR_FIELD_GENERATOR,
  EAR_FIELD_OWNER_NAME,
  EAR_FIELD_OWNER_EMAIL,
  EAR_FIELD_NEW_ADDRESS,
  EAR_FIELD_SELF_ADDRESS,
  EAR_FIELD_NEXT_ADDRESS,
  EAR_FIELD_LICENSE,
  EAR_FIELD_LOCATION,
  EAR_FIELD_COMPLETE,
  EAR_FIELD_BLOCKED,
  EAR_FIELD_CATEGORY,
  EAR_FIELD_KEYWORDS,
  EAR_N_FIELDS,
} EarFeedField;

/* The encoding of an element's text; the default is EAR_FEED_TEXT_PLAIN. */
typedef enum
{
  EAR_FEED_TEXT_PLAIN,   /* RSS: text or HTML, unspecified */
  EAR_FEED_TEXT_LITERAL, /* Atom: type="text" */
  EAR_FEED_TEXT_HTML,    /* Atom: type="html" */
  EAR_FEED_TEXT_XHTML,   /* Atom: type="xhtml" */
  EAR_FEED_TEXT_BASE64,
  EAR_FEED_TEXT_BASE64_HTML,
} EarFeedTextType;

typedef void (*EarFeedStartFunc) (EarFeedContext          *context,
                                  const EarFeedElement    *element,
                                  const EarXmlAttributes *attributes);
typedef void (*EarFeedEndFunc)   (EarFeedContext          *context,
                                  const EarFeedElement    *element,
                                  const char              *text);

/* One element of a namespace. Rows of one name follow each other and differ by scope. A
 * row that opens a scope holds other elements. Any other row holds text, which fills
 * `field` unless `end` takes it; `attribute`, if set, fills the field as well. Of two
 * texts for a field the one of the higher rank is kept; of the same rank, the first. Of
 * two descriptions of the same rank the fuller one is kept; of different ranks, the
 * clearly fuller one. */
struct _EarFeedElement
{
  const char *name;
  guint scopes;
  guint opens;
  EarFeedField field;
  guint rank;
  const char *attribute;
  EarFeedStartFunc start;
  EarFeedEndFunc end;
};

typedef struct
{
  const char *const *addresses; /* in lower case, without "http://" and trailing "/" */
  const char *prefix;           /* default for documents that declare none */
  const EarFeedElement *elements;
} EarFeedNamespace;

struct _EarFeedContext
{
  char *address;
  char *base; /* (nullable): xml:base in effect */
  EarPodcastFacts *podcast;
  EarEpisodeFacts *episode; /* (nullable): the current episode */
  EarEnclosure *alternate;  /* (nullable): open <alternateEnclosure> */
  gboolean alternate_is_default;
  GPtrArray *alternates; /* (element-type EarEnclosure): of the current episode, default ones first */
  guint n_defaults;
  EarFeedTextType text_type;
  char **line; /* (nullable): target of the current element's text, as one line */
  guint n_items;
  void (*item_func) (EarEpisodeFacts *facts, gpointer user_data); /* (nullable) */
  gpointer user_data;
  guint8 podcast_ranks[EAR_N_FIELDS];
  guint8 episode_ranks[EAR_N_FIELDS];
  gsize podcast_tells; /* size of the description, see ear_feed_measure_notes() */
  gsize episode_tells; /* size of the notes */
};

void      ear_feed_context_init         (EarFeedContext          *self,
                                         const char              *address);
void      ear_feed_context_clear        (EarFeedContext          *self);
char     *ear_feed_context_resolve      (EarFeedContext          *self,
                                         const char              *reference);
void      ear_feed_context_set          (EarFeedContext          *self,
                                         EarFeedField             field,
                                         guint                    rank,
                                         const char              *text);
void      ear_feed_context_set_attribute (EarFeedContext          *self,
                                          const EarFeedElement    *element,
                                          const EarXmlAttributes *attributes,
                                          const char              *name);
void      ear_feed_context_add_media    (EarFeedContext          *self,
                                         const char              *reference,
                                         const char              *mime_type,
                                         const char              *size);
void      ear_feed_context_sort_media   (EarFeedContext          *self);
void      ear_feed_context_end_line     (EarFeedContext          *self,
                                         const EarFeedElement    *element,
                                         const char              *text);
EarFunding *ear_feed_context_add_funding (EarFeedContext          *self,
                                          const char              *reference);
void      ear_feed_context_begin_episode (EarFeedContext          *self,
                                          const EarFeedElement    *element,
                                          const EarXmlAttributes  *attributes);
void      ear_feed_context_end_episode   (EarFeedContext          *self,
                                          const EarFeedElement    *element,
                                          const char              *text);
void      ear_ns_atom_start_link        (EarFeedContext          *context,
                                         const EarFeedElement    *element,
                                         const EarXmlAttributes *attributes);
void      ear_ns_atom_end_link          (EarFeedContext          *context,
                                         const EarFeedElement    *element,
                                         const char              *text);

const EarFeedElement *ear_feed_namespaces_find (const char *address,
                                                const char *name,
                                                gboolean    is_atom);

extern const EarFeedNamespace ear_ns_rss;
extern const EarFeedNamespace ear_ns_atom;
extern const EarFeedNamespace ear_ns_itunes;
extern const EarFeedNamespace ear_ns_podcast;
extern const EarFeedNamespace ear_ns_podlove;
extern const EarFeedNamespace ear_ns_media;
extern const EarFeedNamespace ear_ns_content;
extern const EarFeedNamespace ear_ns_dublin_core;
extern const EarFeedNamespace ear_ns_googleplay;
extern const EarFeedNamespace ear_ns_xhtml;

G_END_DECLS
