/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A podcast as a directory has it: plain lines of text, checked addresses. */
typedef struct
{
  char *address;     /* of the feed */
  char *moved;       /* (nullable): where permanent redirects led from there, just now */
  char *title;
  char *author;      /* (nullable) */
  char *image;       /* (nullable) */
  char *link;        /* (nullable): of its web page */
  char *description; /* (nullable) */
  guint n_episodes;  /* 0: unknown */
  gboolean secure;   /* a feed was fetched from that address by https, just now: no directory says so */
} EarDirectoryEntry;

EarDirectoryEntry *ear_directory_entry_new      (void);
EarDirectoryEntry *ear_directory_entry_ref      (EarDirectoryEntry *self);
void               ear_directory_entry_unref    (EarDirectoryEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDirectoryEntry, ear_directory_entry_unref)

/**
 * EarDirectoryQuestion:
 * @EAR_DIRECTORY_WORDS: words that a listener typed
 * @EAR_DIRECTORY_AUTHOR: the name of an author
 * @EAR_DIRECTORY_CATEGORY: a category by its English name, as feeds have it
 * @EAR_DIRECTORY_ID: the directory's own number of a podcast, or several with commas
 *
 * What a directory is asked for. An address never is: it may be a private one.
 */
typedef enum
{
  EAR_DIRECTORY_WORDS,
  EAR_DIRECTORY_AUTHOR,
  EAR_DIRECTORY_CATEGORY,
  EAR_DIRECTORY_ID,
} EarDirectoryQuestion;

G_END_DECLS
