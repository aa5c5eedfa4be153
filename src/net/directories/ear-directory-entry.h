/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A podcast in a directory: plain lines of text, checked URLs */
typedef struct
{
  char *address;     /* of the feed */
  char *moved;       /* (nullable): target of permanent redirects, during this search */
  char *title;
  char *author;      /* (nullable) */
  char *image;       /* (nullable) */
  guint n_episodes;  /* 0: unknown */
  gboolean secure;   /* feed fetched by https in this search; not set by a directory */
} EarDirectoryEntry;

EarDirectoryEntry *ear_directory_entry_new      (void);
EarDirectoryEntry *ear_directory_entry_ref      (EarDirectoryEntry *self);
void               ear_directory_entry_unref    (EarDirectoryEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDirectoryEntry, ear_directory_entry_unref)

/**
 * EarDirectoryQuestion:
 * @EAR_DIRECTORY_WORDS: words typed by the listener
 * @EAR_DIRECTORY_AUTHOR: the name of an author
 * @EAR_DIRECTORY_CHART: the most popular podcasts of a category, by its English name as
 *   in feeds; "" for all categories
 * @EAR_DIRECTORY_ID: the directory's own number of a podcast, or several with commas
 *
 * Kinds of questions to a directory. The URL of a feed is never sent: it may be private.
 */
typedef enum
{
  EAR_DIRECTORY_WORDS,
  EAR_DIRECTORY_AUTHOR,
  EAR_DIRECTORY_CHART,
  EAR_DIRECTORY_ID,
} EarDirectoryQuestion;

G_END_DECLS
