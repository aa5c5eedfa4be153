/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "ear-types.h"

G_BEGIN_DECLS

/* Kinds of pages, guessed from their addresses. The numbers are stored. */
typedef enum
{
  EAR_LINK_OTHER = 0, /* unknown */
  EAR_LINK_PULL_REQUEST = 1,
  EAR_LINK_ISSUE = 2, /* or a discussion */
  EAR_LINK_SOURCE = 3, /* a file or a repository of source code */
  EAR_LINK_PAPER = 4, /* or another document in pages */
  EAR_LINK_DOCUMENTATION = 5, /* a manual or a specification */
  EAR_LINK_BLOG = 6, /* an article of a blog */
} EarLinkKind;

#define EAR_N_LINK_KINDS (EAR_LINK_BLOG + 1)

EarLinkKind ear_link_kind_find (const char *address);
extern const char *const ear_link_kind_names[EAR_N_LINK_KINDS];

/* Longer addresses are no pages to read. */
#define EAR_LINK_ADDRESS_LIMIT 2048

char *ear_link_address_dup_clean (const char *address);
char *ear_link_address_dup_key (const char *address);
char *ear_link_address_dup_host (const char *address);
char *ear_link_address_dup_words (const char *address);
gint64 ear_link_address_make_id (const char *key);

/* Notes with more links are not for readers. */
#define EAR_LINKS_LIMIT 500

/* A link of an episode, for any thread. */
typedef struct
{
  char *address; /* the address to open: clean (ear_link_address_dup_clean()) */
  char *words; /* (nullable): the link's name in the notes: its text in one line or, if that
                * is only an address, the text before it, or else after it */
  char *heading; /* (nullable): the heading above it in the notes, such as "Further reading",
                  * without punctuation at its end */
  EarLinkKind kind;
  gint64 id; /* the link's id, the same in all episodes (ear_link_address_make_id()) */
} EarLinkFacts;

void ear_link_facts_free (EarLinkFacts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLinkFacts, ear_link_facts_free)

#define EAR_TYPE_LINK (ear_link_get_type ())
G_DECLARE_FINAL_TYPE (EarLink, ear_link, EAR, LINK, GObject)

/* A page that episodes link to. Immutable once shared: any thread may make one and pass it on. The
 * reading list knows whether it was read. */
struct _EarLink
{
  GObject parent_instance;

  char *address;
  char *key; /* of all spellings of the address: ear_link_address_dup_key() */
  char *words; /* its name in the notes, or else its address; never empty */
  char *heading; /* (nullable) */
  char *host; /* as displayed */
  char *episode; /* (nullable): key of the newest episode that links to it */
  char *title; /* (nullable): title of that episode */
  char *podcast; /* (nullable): title of its podcast */

  EarLinkKind kind;
  guint n_episodes;
};

EarLink *ear_link_new (const char *address, const char *words, const char *heading,
                       EarLinkKind kind);
GPtrArray *ear_links_of_notes (EarNotes *notes);

G_END_DECLS
